//! The tree compared with a naive twin whose nodes own their children.

use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::*;
use crate::board::POINT_SLOTS;
use crate::picker::mcts::playout::prove;

/// A node that owns its children.
#[derive(Clone, Debug, PartialEq)]
struct Twin {
    point: Point,
    prior: f32,
    sum: u64,
    visits: u32,
    verdict: Verdict,
    expansion: Expansion,
    children: Vec<Twin>,
}

impl Twin {
    fn new((point, prior): Edge) -> Self {
        let (verdict, expansion) = (Verdict::Open, Expansion::Leaf);
        Self { point, prior, sum: 0, visits: 0, verdict, expansion, children: Vec::new() }
    }

    /// The twin of [`Tree::publish`]: moves already known keep everything but their priors.
    fn publish(&mut self, edges: &[Edge], expansion: Expansion) {
        let old = std::mem::take(&mut self.children);
        let child = |&(point, prior): &Edge| match old.iter().find(|old| old.point == point) {
            Some(old) => Self { prior, ..old.clone() },
            None => Self::new((point, prior)),
        };
        (self.children, self.expansion) = (edges.iter().map(child).collect(), expansion);
    }

    fn len(&self) -> usize {
        1 + self.children.iter().map(Self::len).sum::<usize>()
    }
}

/// A tree beside its twin. A node is named by its path: the indices of its ancestors and its own among their siblings.
struct Pair {
    tree: Tree,
    twin: Twin,
}

impl Pair {
    fn new() -> Self {
        let tree = Tree::new(0);
        let twin = Twin::new((tree.point(NodeId::ROOT), 0.0));
        Self { tree, twin }
    }

    /// The node at the end of a path of arbitrary numbers, and its twin.
    fn node(&mut self, path: &[usize]) -> (&mut Tree, NodeId, &mut Twin) {
        let (mut node, mut twin) = (NodeId::ROOT, &mut self.twin);
        for place in path {
            let children: Vec<_> = self.tree.children_of(node).collect();
            if children.is_empty() {
                break;
            }
            let place = place % children.len();
            (node, twin) = (children[place], &mut twin.children[place]);
        }
        (&mut self.tree, node, twin)
    }

    /// The child of this move, by its point.
    fn child(&self, points: &[usize]) -> NodeId {
        points.iter().fold(NodeId::ROOT, |node, &at| self.tree.child(node, point(at)).unwrap())
    }

    fn publish(&mut self, path: &[usize], edges: &[Edge], expansion: Expansion) {
        let (tree, node, twin) = self.node(path);
        assert!(tree.claim(node, twin.expansion));
        let has_room = tree.has_room(edges.len());
        assert_eq!(tree.publish(node, edges, expansion), has_room);
        if has_room {
            twin.publish(edges, expansion);
        } else {
            tree.release(node, twin.expansion);
        }
        self.check();
    }

    fn carry_out(&mut self, step: Step) {
        match step {
            Step::Publish { path, edges, is_complete } => {
                let edges: Vec<_> = edges.into_iter().map(|(at, prior)| (point(at), prior)).collect();
                self.publish(&path, &edges, if is_complete { Expansion::Complete } else { Expansion::Likely });
            }
            Step::Visit { path, value } => {
                let (tree, node, twin) = self.node(&path);
                tree.enter(node);
                tree.leave(node, value);
                (twin.visits, twin.sum) = (twin.visits + 1, twin.sum + u64::from(value));
            }
            Step::Prove { path, verdict } => {
                let (tree, node, twin) = self.node(&path);
                tree.set_verdict(node, verdict);
                twin.verdict = verdict;
            }
            Step::Reroot { path } => {
                let (tree, node, twin) = self.node(&path);
                let kept = twin.clone();
                tree.reroot(node, || true);
                // Rerooting at the current root does not drop unreachable nodes.
                assert!(node == NodeId::ROOT || tree.len() == kept.len(), "{} of {} nodes", tree.len(), kept.len());
                self.twin = kept;
            }
        }
        self.check();
    }

    /// Asserts that both trees hold the same nodes and that each node occurs once.
    fn check(&self) {
        let mut seen = BTreeSet::new();
        assert_eq!(read(&self.tree, NodeId::ROOT, &mut seen), self.twin);
        assert!(self.tree.len() <= self.tree.capacity());
        assert!(seen.last().is_none_or(|last| (last.0 as usize) < self.tree.len()), "{seen:?}");
    }
}

/// The twin of the current state of a node.
fn read(tree: &Tree, node: NodeId, seen: &mut BTreeSet<NodeId>) -> Twin {
    assert!(seen.insert(node), "{node:?} occurs twice");
    let (visits, in_flight) = tree.visits(node);
    assert_eq!(in_flight, 0);
    Twin {
        point: tree.point(node),
        prior: tree.prior(node),
        sum: tree.sum(node),
        visits,
        verdict: tree.verdict(node),
        expansion: tree.expansion(node),
        children: tree.children_of(node).map(|child| read(tree, child, seen)).collect(),
    }
}

fn point(at: usize) -> Point {
    Point::from_index_wrapping(at)
}

/// Moves to these points.
fn edges(points: impl IntoIterator<Item = usize>) -> Vec<Edge> {
    points.into_iter().map(|at| (point(at), 0.5)).collect()
}

/// The operations of a search on its tree.
#[derive(Clone, Debug)]
enum Step {
    Publish { path: Vec<usize>, edges: Vec<(usize, f32)>, is_complete: bool },
    Visit { path: Vec<usize>, value: u32 },
    Prove { path: Vec<usize>, verdict: Verdict },
    Reroot { path: Vec<usize> },
}

fn step() -> impl Strategy<Value = Step> {
    // Few points and short paths, so that nodes are often expanded again with moves they already have.
    let path = || vec(0..4_usize, 0..6);
    let edge = |most| prop::collection::btree_map(0..most, 0.0_f32..1.0, 1..most);
    let edges = prop_oneof![9 => edge(5_usize), 1 => edge(400)];
    let edges = edges.prop_map(|edges| edges.into_iter().collect::<Vec<_>>()).prop_shuffle();
    let verdict = prop_oneof![
        Just(Verdict::Open),
        Just(Verdict::Drawn),
        any::<u8>().prop_map(|plies| Verdict::Won(plies.into())),
        any::<u8>().prop_map(|plies| Verdict::Lost(plies.into())),
    ];
    prop_oneof![
        6 => (path(), edges, any::<bool>())
            .prop_map(|(path, edges, is_complete)| Step::Publish { path, edges, is_complete }),
        3 => (path(), 0..=ONE).prop_map(|(path, value)| Step::Visit { path, value }),
        1 => (path(), verdict).prop_map(|(path, verdict)| Step::Prove { path, verdict }),
        1 => path().prop_map(|path| Step::Reroot { path }),
    ]
}

#[test]
fn a_tree_equals_its_naive_twin_through_expansions_and_new_roots() {
    let config = Config { cases: 2000, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let run = |steps: Vec<Step>| {
        let mut pair = Pair::new();
        steps.into_iter().for_each(|step| pair.carry_out(step));
        Ok(())
    };
    runner.run(&vec(step(), 0..60), run).unwrap();
}

#[test]
fn children_in_a_block_before_their_parent_stay_with_it_when_the_root_moves() {
    // root ─ a ─┬ n ─┬ p ─ w1, w2
    //           │    └ q
    //           └ m ─ x, y, z        then n is expanded again: p, q, r
    let [a, n, m, p, q, r] = [0, 1, 2, 3, 4, 5];
    let [w, x] = [[10, 11], [20, 21]];
    let mut pair = Pair::new();
    pair.publish(&[], &edges([a]), Expansion::Likely);
    pair.publish(&[0], &edges([n, m]), Expansion::Likely);
    pair.publish(&[0, 0], &edges([p, q]), Expansion::Likely);
    pair.publish(&[0, 0, 0], &edges(w), Expansion::Likely);
    pair.publish(&[0, 1], &edges([x[0], x[1], 22]), Expansion::Likely);
    pair.publish(&[0, 0], &edges([p, q, r]), Expansion::Complete);
    assert!(pair.child(&[a, n, p, w[0]]) < pair.child(&[a, n, p]), "a block lies before its parent");
    pair.carry_out(Step::Reroot { path: vec![0] });
    let points = |node| pair.tree.children_of(node).map(|child| pair.tree.point(child)).collect::<Vec<_>>();
    assert_eq!(points(pair.child(&[n, p])), w.map(point));
    assert_eq!(points(pair.child(&[n])), [p, q, r].map(point));
    assert_eq!(points(pair.child(&[m])), [x[0], x[1], 22].map(point));
}

#[test]
fn a_reroot_out_of_time_leaves_an_empty_tree() {
    for allowed in 0..4 {
        let mut pair = Pair::new();
        let all = edges(0..POINT_SLOTS);
        pair.publish(&[], &all, Expansion::Likely);
        pair.publish(&[0], &all, Expansion::Likely);
        let asked = std::cell::Cell::new(0);
        let goes_on = || asked.replace(asked.get() + 1) < allowed;
        let node = pair.child(&[0]);
        pair.tree.reroot(node, goes_on);
        let is_empty = pair.tree.len() == 1 && pair.tree.child_count(NodeId::ROOT) == 0;
        assert_eq!(is_empty, asked.get() > allowed, "asked {} times", asked.get());
    }
}

#[test]
fn a_move_claimed_by_another_thread_can_be_expanded_in_its_new_place() {
    let tree = Tree::new(0);
    assert!(tree.claim(NodeId::ROOT, Expansion::Leaf) && tree.publish(NodeId::ROOT, &edges([1, 2]), Expansion::Likely));
    let [first, second] = [1, 2].map(|at| tree.child(NodeId::ROOT, point(at)).unwrap());
    assert!(tree.claim(first, Expansion::Leaf) && tree.publish(first, &edges([3]), Expansion::Likely));
    // Another thread has claimed both and works on them, with one playout in flight.
    assert!(tree.claim(first, Expansion::Likely) && tree.claim(second, Expansion::Leaf));
    tree.enter(second);
    assert!(tree.claim(NodeId::ROOT, Expansion::Likely));
    assert!(tree.publish(NodeId::ROOT, &edges([1, 2, 3]), Expansion::Complete));
    let moved = [1, 2].map(|at| tree.child(NodeId::ROOT, point(at)).unwrap());
    assert!(tree.claim(moved[0], Expansion::Likely) && tree.claim(moved[1], Expansion::Leaf));
    // The other thread's additions stay in the node it claimed.
    assert!(tree.publish(second, &edges([4]), Expansion::Likely));
    tree.leave(second, ONE);
    assert_eq!((tree.child_count(moved[1]), tree.visits(moved[1])), (0, (0, 0)));
}

/// A node counts as complete only with the moves that made it so.
#[test]
fn earlier_moves_alone_prove_nothing_after_others_are_added() {
    let moves = edges(0..POINT_SLOTS / 2);
    for _ in 0..200 {
        let tree = Tree::new(0);
        assert!(tree.claim(NodeId::ROOT, Expansion::Leaf));
        assert!(tree.publish(NodeId::ROOT, &moves[1..], Expansion::Likely));
        tree.children_of(NodeId::ROOT).for_each(|child| tree.set_verdict(child, Verdict::Won(1)));
        std::thread::scope(|scope| {
            let prover = scope.spawn(|| {
                while tree.expansion(NodeId::ROOT) != Expansion::Complete {
                    prove(&tree, NodeId::ROOT);
                }
            });
            assert!(tree.claim(NodeId::ROOT, Expansion::Likely));
            assert!(tree.publish(NodeId::ROOT, &moves, Expansion::Complete));
            prover.join().unwrap();
        });
        assert_eq!(tree.verdict(NodeId::ROOT), Verdict::Open, "one move is not searched yet");
    }
}
