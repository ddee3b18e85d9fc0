//! The tree compared with slow twins: sums over a list of playouts, a map of the nodes, proofs by exhaustive play.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::playout::prove;
use super::tree::Expansion;
use super::verdict::Verdict;
use super::*;
use crate::board::{Rule, Size};
use crate::notation::parse_comma;
use crate::picker::{Deadlines, SearchControl, SearchInfo};
use crate::platform::Instant;
use strum::VariantNames;

/// The stones of a game.
pub(super) fn board(size: u8, rule: Rule, stones: &str) -> Board {
    let mut board = Board::new(Size::new(size).unwrap(), rule);
    stones.split_whitespace().for_each(|stone| board.play(parse_comma(stone).unwrap()));
    board
}

/// At most `most` stones, none of which ends the game.
fn random_board(size: u8, rule: Rule, most: usize, rng: &mut Rng) -> Board {
    let mut board = board(size, rule, "");
    for _ in 0..=rng.below(most) {
        let points: Vec<_> = board.empty_points().iter().collect();
        let point = points[rng.below(points.len())];
        if board.outcome_of(point, board.turn()).is_none() {
            board.play(point);
        }
    }
    board
}

pub(super) fn weighted(board: Board) -> WeightedPosition {
    WeightedPosition::new(board, Weighting::default())
}

pub(super) fn playouts(nodes: u64, name: JudgeName) -> Limits {
    let evaluation = Evaluation { name, ..Evaluation::default() };
    Limits { nodes: Some(nodes), evaluation, memory: Some(8 << 20), ..Limits::default() }
}

/// A node of the twin: its number of visits and the sum of its values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counted {
    visits: u32,
    sum: u64,
}

/// Every visited node, keyed by the moves that lead to it.
fn counted(tree: &Tree) -> BTreeMap<Vec<Point>, Counted> {
    let mut all = BTreeMap::new();
    let mut open = vec![(NodeId::ROOT, Vec::new())];
    while let Some((node, moves)) = open.pop() {
        let (visits, in_flight) = tree.visits(node);
        assert_eq!(in_flight, 0, "every playout is backed up");
        if visits > 0 {
            all.insert(moves.clone(), Counted { visits, sum: tree.sum(node) });
        }
        open.extend(tree.children_of(node).map(|child| (child, [&moves[..], &[tree.point(child)]].concat())));
    }
    all
}

/// Searches with one thread and passes the tree to the callback after each playout.
fn watch<J: Judge>(root: &Position<J>, limits: &Limits, mut each: impl FnMut(&Tree)) -> Tree {
    let mut vcf = Vcf::default();
    let moves = RootMoves::of(root, 2, limits, &Advice::default(), &mut vcf).unwrap();
    let mut tree = Tree::new(limits.memory.unwrap());
    expand_root(&mut tree, root, &moves, true);
    let shared = Shared::new(&tree, limits, true);
    Worker::new(root.clone(), &shared, &mut vcf, Rng::new(1)).run(|shared| {
        each(shared.tree);
        false
    });
    tree
}

#[test]
fn a_node_has_the_visits_and_the_values_of_the_playouts_that_went_through_it() {
    let mut rng = Rng::new(11);
    for rule in Rule::ALL {
        let root = Position::<Classical>::new(random_board(9, rule, 12, &mut rng), ());
        let (mut before, mut list) = (BTreeMap::new(), Vec::new());
        watch(&root, &playouts(300, JudgeName::Classical), |tree| {
            // A playout is the path of nodes whose visit count grew by one, with the values they received.
            let after = counted(tree);
            let step = |(moves, now): (&Vec<Point>, &Counted)| {
                let old = before.get(moves).copied().unwrap_or(Counted::default());
                assert!(now.visits - old.visits <= 1, "{moves:?}");
                (now.visits > old.visits).then(|| (moves.clone(), now.sum - old.sum))
            };
            list.push(after.iter().filter_map(step).collect::<Vec<_>>());
            before = after;
        });
        let mut twin = BTreeMap::<_, Counted>::new();
        for playout in &list {
            let (deepest, leaf) = playout.iter().max_by_key(|(moves, _)| moves.len()).unwrap();
            assert_eq!(playout.len(), deepest.len() + 1, "one node per depth");
            let mut expected = *leaf;
            for (moves, value) in playout.iter().rev() {
                assert!(deepest.starts_with(moves));
                // The value changes sign each ply, and is exact once something on the path is proved.
                let is_exact = [0, u64::from(tree::ONE / 2), u64::from(tree::ONE)].contains(value);
                assert!(*value == expected || is_exact, "{moves:?}: {value}, not {expected}");
                expected = u64::from(tree::ONE) - value;
                let node = twin.entry(moves.clone()).or_default();
                (node.visits, node.sum) = (node.visits + 1, node.sum + value);
            }
        }
        assert_eq!(before, twin, "{rule:?}");
    }
}

#[test]
fn the_visits_of_a_node_are_its_own_and_those_of_its_children() {
    let root = Position::<Classical>::new(board(15, Rule::Freestyle, "7,7 8,8 8,7 9,7"), ());
    let tree = watch(&root, &playouts(2000, JudgeName::Classical), |_| {});
    let mut open = vec![NodeId::ROOT];
    let mut inner = 0;
    while let Some(node) = open.pop() {
        let children: Vec<_> = tree.children_of(node).collect();
        let below: u32 = children.iter().map(|&child| tree.visits(child).0).sum();
        if !children.is_empty() && node != NodeId::ROOT && !tree.verdict(node).is_decided() {
            inner += 1;
            // Visits before the node had children.
            assert_eq!(tree.visits(node).0, below + parameters::EXPANSION_VISITS);
        }
        let sum: f32 = children.iter().map(|&child| tree.prior(child)).sum();
        assert!(children.is_empty() || sum > 0.5 && sum < 1.001, "{sum}");
        open.extend(children);
    }
    assert!(inner > 100, "{inner} inner nodes");
}

/// The result of a position with best play, by exhaustive search: 1 won, 0 drawn, −1 lost.
fn solved(board: &mut Board, known: &mut BTreeMap<u64, i32>) -> i32 {
    let key = board.key().bits();
    if let Some(&value) = known.get(&key) {
        return value;
    }
    let mover = board.turn();
    let mut best = if board.is_full() { 0 } else { -1 };
    let points: Vec<_> = board.empty_points().iter().collect();
    for point in points {
        let value = match board.outcome_of(point, mover) {
            Some(outcome) => outcome.winner().map_or(0, |winner| if winner == mover { 1 } else { -1 }),
            None => {
                board.play(point);
                let value = -solved(board, known);
                board.remove(point, mover);
                value
            }
        };
        best = best.max(value);
        if best == 1 {
            break;
        }
    }
    known.insert(key, best);
    best
}

#[test]
fn proofs_agree_with_exhaustive_play() {
    let mut rng = Rng::new(4);
    let (mut proved, mut open) = ([0; 3], 0);
    for rule in Rule::ALL {
        let mut known = BTreeMap::new();
        for _ in 0..150 {
            // Six empty points are left: a draw is proved after all 720 orders.
            let mut board = random_board(5, rule, 40, &mut rng);
            while board.empty_points().len() > 6 {
                let points: Vec<_> = board.empty_points().iter().collect();
                let point = points[rng.below(points.len())];
                if board.outcome_of(point, board.turn()).is_some() {
                    break;
                }
                board.play(point);
            }
            if board.empty_points().len() > 6 || board.is_full() {
                continue;
            }
            known.clear();
            let value = solved(&mut board.clone(), &mut known);
            let root = Position::<Classical>::new(board.clone(), ());
            let tree = watch(&root, &playouts(4000, JudgeName::Classical), |_| {});
            prove(&tree, NodeId::ROOT);
            let expected = match tree.verdict(NodeId::ROOT) {
                Verdict::Won(_) => 1,
                Verdict::Drawn => 0,
                Verdict::Lost(_) => -1,
                // A move that looks worse than a proved draw is rarely visited.
                Verdict::Open => {
                    open += 1;
                    continue;
                }
            };
            assert_eq!(expected, value, "{rule:?}\n{board}");
            proved[(value + 1) as usize] += 1;
        }
    }
    assert!(proved.iter().all(|&count| count > 1), "lost, drawn, won: {proved:?}");
    assert!(open * 10 < proved.iter().sum(), "{open} open, {proved:?} proved");
}

#[test]
fn a_loss_is_proved_by_every_move_and_a_win_by_one() {
    let of_children = |expansion, verdicts: &[Verdict]| {
        let tree = Tree::new(0);
        let points = board(15, Rule::Freestyle, "").empty_points();
        let moves: Vec<_> = points.iter().take(verdicts.len()).map(|point| (point, 0.5)).collect();
        assert!(tree.claim(NodeId::ROOT, Expansion::Leaf) && tree.publish(NodeId::ROOT, &moves, expansion));
        tree.children_of(NodeId::ROOT).zip(verdicts).for_each(|(child, &verdict)| tree.set_verdict(child, verdict));
        prove(&tree, NodeId::ROOT);
        tree.verdict(NodeId::ROOT)
    };
    use Verdict::{Drawn, Lost, Open, Won};
    for (verdicts, of_all, of_likely) in [
        (&[Won(3), Won(5)][..], Lost(6), Open),
        (&[Won(3), Drawn], Drawn, Open),
        (&[Won(3), Open], Open, Open),
        (&[Won(3), Lost(4), Lost(2), Open], Won(3), Won(3)),
    ] {
        assert_eq!(of_children(Expansion::Complete, verdicts), of_all, "{verdicts:?}");
        assert_eq!(of_children(Expansion::Likely, verdicts), of_likely, "{verdicts:?}");
    }
}

#[test]
fn a_verdict_survives_packing() {
    for verdict in
        [Verdict::Open, Verdict::Drawn, Verdict::Won(0), Verdict::Won(1025), Verdict::Lost(0), Verdict::Lost(7)]
    {
        let tree = Tree::new(0);
        tree.set_prior(NodeId::ROOT, 0.25);
        tree.set_verdict(NodeId::ROOT, verdict);
        assert_eq!((tree.verdict(NodeId::ROOT), tree.expansion(NodeId::ROOT)), (verdict, Expansion::Leaf));
        assert!(tree.claim(NodeId::ROOT, Expansion::Leaf) && !tree.claim(NodeId::ROOT, Expansion::Leaf));
        assert_eq!((tree.verdict(NodeId::ROOT), tree.expansion(NodeId::ROOT)), (verdict, Expansion::Busy));
        assert_eq!(tree.prior(NodeId::ROOT), 0.25);
    }
}

#[test]
fn a_new_root_keeps_its_subtree_and_nothing_else() {
    let root = Position::<Classical>::new(board(15, Rule::Freestyle, "7,7 8,8 8,7 9,7"), ());
    let limits = playouts(1500, JudgeName::Classical);
    let mut tree = watch(&root, &limits, |_| {});
    for _ in 0..3 {
        let before = counted(&tree);
        let first = found::choice(&tree).unwrap();
        let expected: BTreeMap<_, _> = before
            .into_iter()
            .filter(|(moves, _)| moves.first() == Some(&first))
            .map(|(moves, node)| (moves[1..].to_vec(), node))
            .collect();
        let size = tree.len();
        tree.reroot(tree.child(NodeId::ROOT, first).unwrap(), || true);
        assert_eq!(counted(&tree), expected);
        assert!(tree.len() < size);
    }
    tree.reroot(tree.children_of(NodeId::ROOT).next().unwrap(), || true);
    let child = tree.children_of(NodeId::ROOT).next();
    if let Some(child) = child {
        assert!(child > NodeId::ROOT);
    }
}

#[test]
fn a_search_reuses_the_subtree_of_the_moves_played_since() {
    let mut picker = Mcts::default();
    let mut position = weighted(board(15, Rule::Freestyle, "7,7 8,8 8,7 9,7"));
    let limits = playouts(800, JudgeName::Network);
    for ply in 0..8 {
        let choice = picker.pick(&mut position, &limits).unwrap();
        let Some(tree) = &picker.tree else { panic!("a tree") };
        let (visits, _) = tree.visits(NodeId::ROOT);
        assert!(visits >= choice.nodes as u32, "{ply}");
        // Every move of the tree is legal in its position.
        let mut open = vec![(NodeId::ROOT, position.board().clone())];
        while let Some((node, board)) = open.pop() {
            for child in tree.children_of(node) {
                let point = tree.point(child);
                assert!(board.is_empty(point) && !board.is_forbidden(point, board.turn()));
                let mut board = board.clone();
                board.play(point);
                open.push((child, board));
            }
        }
        if matches!(choice.reason, Reason::Search { score, .. } if score.is_decided()) {
            break;
        }
        let reply = tree.child(NodeId::ROOT, choice.point);
        let reply = reply.and_then(|node| tree.children_of(node).max_by_key(|&child| tree.visits(child)));
        let Some(reply) = reply.map(|reply| (tree.point(reply), tree.visits(reply).0)) else { break };
        position.play(choice.point);
        if ply % 2 == 0 {
            // The opponent answers before pondering has begun.
            let control = Arc::new(SearchControl::default());
            control.stop();
            picker.pick(&mut position, &Limits { control, ..limits.clone() });
        }
        position.play(reply.0);
        let mut again = Mcts { tree: picker.tree.take(), kept: picker.kept.take(), ..Mcts::default() };
        let variant = again.kept.as_ref().unwrap().variant;
        let root = position.with::<Classical>(());
        let tree = again.reuse_tree(&root, variant, &limits, true);
        assert_eq!(tree.visits(NodeId::ROOT).0, reply.1, "the visits of the move are kept");
        (picker.tree, picker.kept) = (Some(tree), Some(Kept { board: position.board().clone(), variant }));
    }
}

#[test]
fn a_tree_is_reused_only_if_its_moves_lead_to_the_position() {
    let from = board(15, Rule::Freestyle, "7,7 8,8");
    let moves = |stones| moves_between(&from, &board(15, Rule::Freestyle, stones)).map(|moves| moves.len());
    assert_eq!((moves("7,7 8,8"), moves("7,7 8,8 9,7"), moves("7,7 8,8 9,7 6,6")), (Some(0), Some(1), Some(2)));
    assert_eq!(
        (moves("7,7"), moves("7,7 8,8 9,7 6,6 0,0"), moves("7,7 9,8"), moves("8,8 7,7 9,7")),
        (None, None, None, None)
    );
    assert_eq!(moves_between(&from, &board(15, Rule::Renju, "7,7 8,8")), None);
    assert_eq!(moves_between(&from, &board(16, Rule::Freestyle, "7,7 8,8")), None);
    let mut walled = from.clone();
    walled.wall(parse_comma("0,0").unwrap());
    assert_eq!((moves_between(&from, &walled), moves_between(&walled, &from)), (None, None));
    let mut passed = from.clone();
    passed.set_turn(Color::White);
    assert_eq!(moves_between(&from, &passed), None);
}

#[test]
fn a_full_tree_continues_without_new_nodes() {
    let root = Position::<Classical>::new(board(15, Rule::Freestyle, "7,7 8,8"), ());
    let limits = Limits { memory: Some(0), ..playouts(3000, JudgeName::Classical) };
    let tree = watch(&root, &limits, |tree| assert!(tree.len() <= tree.capacity()));
    assert_eq!((tree.visits(NodeId::ROOT).0, tree.capacity()), (3000, 1 + 2 * crate::board::POINT_SLOTS));
    assert!(tree.len() > tree.capacity() - 225, "{} nodes", tree.len());
    for bytes in [1 << 20, 5_000_000] {
        assert!(Tree::new(bytes).capacity() * 32 <= bytes);
    }
}

#[test]
fn a_rollout_plays_no_forbidden_move_and_ends_as_the_rules_say() {
    let mut rng = Rng::new(7);
    let mut ends = BTreeMap::new();
    for rule in Rule::ALL {
        for (number, &weighting) in Weighting::ALL.iter().cycle().take(24).enumerate() {
            let policy = if number % 3 == 0 { Policy::Greedy } else { Policy::Drawn };
            let board = random_board([7, 9, 15][number % 3], rule, 20, &mut rng);
            let mut position = Position::<Rollout>::new(board.clone(), (weighting, policy));
            let (mut played, mut last) = (0, None);
            let winner = rollout::play_out_watched(&mut position, &mut rng, |board, point| {
                assert!(board.is_empty(point) && !board.is_forbidden(point, board.turn()), "{point:?}\n{board}");
                assert!(!board.wins(point, board.turn()), "a five ends the game before it is played");
                (played, last) = (played + 1, Some(point));
            });
            assert_eq!(position.board(), &board, "the rollout is undone");
            assert!(position.is_consistent());
            *ends.entry(winner.map(Color::index)).or_insert(0) += 1;
        }
    }
    assert!(ends.len() > 1, "{ends:?}");
}

#[test]
fn the_rollout_accumulator_equals_both_of_its_parts_from_scratch() {
    let mut rng = Rng::new(9);
    let mut position = Position::<Rollout>::new(board(15, Rule::Renju, "7,7"), (Weighting::Runs, Policy::Drawn));
    for _ in 0..40 {
        let points: Vec<_> = position.board().empty_points().iter().collect();
        position.play(points[rng.below(points.len())]);
        assert!(position.accumulator_agrees());
    }
    let apart = position.with::<crate::weights::WeightAccumulator>(Weighting::Runs);
    let mover = position.board().turn();
    let ranking = position.follow().ranking(mover);
    assert_eq!(ranking, apart.accumulator().ranking(mover));
    while position.undo().is_some() {
        assert!(position.accumulator_agrees());
    }
}

#[test]
fn a_search_with_one_thread_has_one_answer() {
    let names = JudgeName::VARIANTS.iter().map(|name| name.parse().unwrap());
    for (rule, name) in Rule::ALL.into_iter().flat_map(|rule| names.clone().map(move |name| (rule, name))) {
        let search = || {
            let mut reports = Vec::new();
            let mut position = weighted(board(15, rule, "7,7 8,8 8,6 9,9 6,8"));
            let mut keep = |report| {
                if let Report::Search(info) = report {
                    reports.push(SearchInfo { time: Duration::ZERO, ..info });
                }
            };
            let answer =
                Mcts::default().answer(Question::Move { lines: 3 }, &mut position, &playouts(200, name), &mut keep);
            (answer, reports)
        };
        let (answer, reports) = search();
        assert_eq!((answer, &reports), (search().0, &search().1), "{rule:?} {name}");
        let (answer, last) = (answer.unwrap(), reports.last().unwrap());
        assert_eq!((answer.nodes, last.nodes, last.lines.len()), (200, 200, 3));
        assert_eq!(Some(answer.choice().unwrap().point), last.lines[0].points.first().copied());
    }
}

#[test]
fn the_clock_of_a_game_is_not_spent_on_the_only_move() {
    let playouts = |stones: &str| {
        let control = SearchControl::since(Instant::now() - Duration::from_secs(20));
        let deadlines = [100, 400].map(|seconds| Some(Duration::from_secs(seconds)));
        control.set_deadlines(Deadlines { soft: deadlines[0], hard: deadlines[1] });
        let limits = Limits { control: Arc::new(control), ..playouts(200, JudgeName::Network) };
        Mcts::default().pick(&mut weighted(board(15, Rule::Freestyle, stones)), &limits).unwrap().nodes
    };
    assert!(playouts("7,7 6,7 8,7 6,9 9,7 6,11 10,7") < 200, "a block");
    assert!(playouts("7,7 6,7 8,7 6,9") >= 200);
}

#[test]
fn noise_changes_the_priors_of_the_root_and_no_sums() {
    let mut position = weighted(board(15, Rule::Freestyle, "7,7 8,8 8,7 9,7"));
    let priors = |picker: &mut Mcts, position: &mut WeightedPosition, seed: u64| {
        let mut moves = Vec::new();
        let limits = Limits { seed, ..playouts(600, JudgeName::Network) };
        picker.answer(Question::Move { lines: 1 }, position, &limits, &mut |report| {
            if let Report::Search(info) = report {
                moves = info.moves;
            }
        });
        let tree = picker.tree.as_ref().unwrap();
        let sum: f32 = tree.children_of(NodeId::ROOT).map(|child| tree.prior(child)).sum();
        assert!((sum - 1.0).abs() < 1e-4, "{sum}");
        moves.into_iter().map(|known| (known.point, known.prior)).collect::<BTreeMap<_, _>>()
    };
    let plain = priors(&mut Mcts::default(), &mut position, 1);
    let [one, again, other] = [1, 1, 2].map(|seed| priors(&mut Mcts::for_self_play(), &mut position, seed));
    assert_eq!(one, again);
    assert_ne!(one, other, "another game");
    assert_ne!(plain, one);
}

#[test]
fn several_threads_leave_a_consistent_tree() {
    for name in [JudgeName::Network, JudgeName::Rollout] {
        let mut picker = Mcts::default();
        let mut position = weighted(board(15, Rule::Freestyle, "7,7 8,8 8,7 9,7"));
        let limits = Limits { threads: 4, ..playouts(2000, name) };
        let choice = picker.pick(&mut position, &limits).unwrap();
        assert!(choice.nodes <= 2000 && choice.nodes > 1990, "{}", choice.nodes);
        let all = counted(picker.tree.as_ref().unwrap());
        let below: u32 = all.iter().filter(|(moves, _)| moves.len() == 1).map(|(_, node)| node.visits).sum();
        assert_eq!(u64::from(below), choice.nodes);
    }
}

#[test]
fn a_point_is_drawn_as_often_as_its_weight_says() {
    let mut rng = Rng::new(6);
    for &weighting in Weighting::ALL {
        let position = WeightedPosition::new(board(6, Rule::Freestyle, "2,2 3,3 2,3 3,2 1,1"), weighting);
        let side = position.board().turn();
        let share = |point| position.weights_for(point, side).map_or(0, |weights| weights.total.0.max(1));
        let sum: i64 = position.board().empty_points().iter().map(share).sum();
        let mut drawn = BTreeMap::new();
        const DRAWS: i64 = 20_000;
        for _ in 0..DRAWS {
            *drawn.entry(position.accumulator().draw(side, &mut rng).unwrap()).or_insert(0_i64) += 1;
        }
        assert!(drawn.keys().all(|&point| position.board().is_empty(point)));
        for point in position.board().empty_points().iter() {
            let (count, expected) = (drawn.get(&point).copied().unwrap_or(0), DRAWS * share(point) / sum);
            // Five standard deviations of a binomial count, and a margin.
            assert!(
                count.abs_diff(expected) <= 10 + 5 * expected.isqrt() as u64,
                "{weighting} {point:?}: {count} {expected}"
            );
        }
    }
}
