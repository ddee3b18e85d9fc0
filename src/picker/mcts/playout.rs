//! [`Worker`]: the playouts of one thread.
//!
//! ```text
//! root ─► select ─► … ─► leaf      the child with the greatest PUCT value that is not proved lost
//!                        ├─ first visit: threats, continuous fours, value
//!                        └─ second visit: children, and one step further
//! root ◄─ back up ◄─ … ◄─┘         a visit and a value for each node, and proofs
//! ```

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use super::judge::Judge;
use super::parameters;
use super::tree::{Edge, Expansion, NodeId, ONE, Tree};
use super::verdict::{Outlook, Verdict};
use crate::board::{Point, PointSet};
use crate::eval::{Evaluator, MovePriors};
use crate::picker::{Limits, tactics};
use crate::position::Position;
use crate::rng::Rng;
use crate::solver::{Proof, Vcf};

/// The state that all threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) tree: &'a Tree,
    pub(super) limits: &'a Limits,
    /// Whether the search continues after a proved win, because the reports hold other moves too.
    pub(super) is_multi_pv: bool,
    /// Set when the search is over for every thread.
    pub(super) over: AtomicBool,
    /// Playouts begun.
    pub(super) begun: AtomicU64,
    /// Playouts ended.
    pub(super) playouts: AtomicU64,
    /// The sum of their depths.
    pub(super) plies: AtomicU64,
    /// The depth of the deepest.
    pub(super) deepest: AtomicU32,
}

impl<'a> Shared<'a> {
    pub(super) fn new(tree: &'a Tree, limits: &'a Limits, is_multi_pv: bool) -> Self {
        Self {
            tree,
            limits,
            is_multi_pv,
            over: AtomicBool::new(false),
            begun: AtomicU64::new(0),
            playouts: AtomicU64::new(0),
            plies: AtomicU64::new(0),
            deepest: AtomicU32::new(0),
        }
    }

    /// The limit of playouts.
    fn most_playouts(&self) -> u64 {
        let by_depth = self.limits.depth.map(|depth| u64::from(depth.max(1)) * parameters::DEPTH_PLAYOUTS);
        [self.limits.nodes, by_depth].into_iter().flatten().min().unwrap_or(u64::MAX)
    }
}

/// One thread with its own position.
pub(super) struct Worker<'a, J: Judge> {
    pub(super) position: Position<J>,
    shared: &'a Shared<'a>,
    vcf: &'a mut Vcf,
    rng: Rng,
    path: Vec<NodeId>,
    edges: Vec<Edge>,
}

/// Playouts between two comparisons of everything derived with the board, in debug builds.
const CONSISTENCY_PLAYOUTS: u64 = 64;

impl<'a, J: Judge> Worker<'a, J> {
    pub(super) fn new(position: Position<J>, shared: &'a Shared<'a>, vcf: &'a mut Vcf, rng: Rng) -> Self {
        Self { position, shared, vcf, rng, path: Vec::new(), edges: Vec::new() }
    }

    /// Makes playouts until a limit, a proof or `after_each`, which is asked after each of them, ends the search.
    pub(super) fn run(&mut self, mut after_each: impl FnMut(&Shared<'_>) -> bool) {
        let shared = self.shared;
        let most = shared.most_playouts();
        while !shared.over.load(Ordering::Relaxed)
            && !shared.limits.control.must_stop()
            && !self.is_settled()
            && shared.tree.visits(NodeId::ROOT).0 < parameters::MAX_VISITS
            && shared.begun.fetch_add(1, Ordering::Relaxed) < most
        {
            self.playout();
            let playouts = shared.playouts.fetch_add(1, Ordering::Relaxed) + 1;
            shared.limits.control.set_nodes(playouts);
            if after_each(shared) {
                break;
            }
        }
    }

    /// Whether the root is decided. With multi-PV all of its moves must be.
    fn is_settled(&self) -> bool {
        let Shared { tree, is_multi_pv, .. } = self.shared;
        if *is_multi_pv {
            tree.children_of(NodeId::ROOT).all(|child| tree.verdict(child).is_decided())
        } else {
            tree.verdict(NodeId::ROOT).is_decided()
        }
    }

    /// Makes a playout: from the root to a leaf, and back with its value.
    pub(super) fn playout(&mut self) {
        debug_assert!(
            self.shared.playouts.load(Ordering::Relaxed) % CONSISTENCY_PLAYOUTS > 0 || self.position.is_consistent(),
            "{}",
            self.position.board()
        );
        let tree = self.shared.tree;
        let mut node = NodeId::ROOT;
        self.path.clear();
        tree.enter(node);
        self.path.push(node);
        let value = loop {
            if let Some(value) = self.known(node) {
                break value;
            }
            if tree.child_count(node) == 0 {
                let is_new = tree.visits(node).0 < parameters::EXPANSION_VISITS;
                if is_new || self.path.len() > parameters::MAX_PLIES || !self.expand(node, Expansion::Leaf) {
                    break self.judge(node);
                }
                // The new children are treated like those of any other node.
                continue;
            }
            let Some(child) = self.select(node) else {
                if self.expand(node, Expansion::Likely) {
                    continue;
                }
                // The tree is full, and all moves that it holds lose or draw.
                let has_draw = tree.children_of(node).any(|child| tree.verdict(child) == Verdict::Drawn);
                break self.known(node).unwrap_or(if has_draw { ONE / 2 } else { 0 });
            };
            let point = tree.point(child);
            if node == NodeId::ROOT {
                self.shared.limits.control.set_root_move(point);
            }
            self.position.play(point);
            tree.enter(child);
            self.path.push(child);
            node = child;
        };
        self.back_up(value);
    }

    /// The value of a decided node. With multi-PV a decided root is still searched.
    fn known(&self, node: NodeId) -> Option<u32> {
        let goes_on = self.shared.is_multi_pv && node == NodeId::ROOT;
        if goes_on { None } else { self.shared.tree.verdict(node).value() }
    }

    /// The child to visit next; `None` if all are decided and other moves must be added.
    fn select(&self, node: NodeId) -> Option<NodeId> {
        let Shared { tree, is_multi_pv, .. } = self.shared;
        let skips_decided = *is_multi_pv && node == NodeId::ROOT;
        let (visits, in_flight) = tree.visits(node);
        let visited = tree.children_of(node).filter(|&child| tree.visits(child) != (0, 0));
        let explored: f32 = visited.map(|child| tree.prior(child)).sum();
        // The mean of a node is that of the side that moved to it.
        let own = 1.0 - tree.mean(node).unwrap_or(0.5);
        let first_play = own - parameters::FIRST_PLAY_REDUCTION * explored.sqrt();
        let scale = parameters::EXPLORATION * ((visits + in_flight).max(1) as f32).sqrt();
        // A drawn child is settled: every second visit goes to the best of the others.
        let skips_draws = skips_decided || (visits + in_flight) % 2 == 1;
        let (mut best, mut draw, mut is_open) = (None, None, false);
        let mut greatest = f32::NEG_INFINITY;
        for child in tree.children_of(node) {
            match tree.verdict(child) {
                Verdict::Won(_) => continue,
                Verdict::Lost(_) if skips_decided => continue,
                Verdict::Lost(_) => return Some(child),
                Verdict::Drawn if skips_draws => {
                    draw = draw.or((!skips_decided).then_some(child));
                    continue;
                }
                Verdict::Open | Verdict::Drawn => {}
            }
            is_open |= tree.verdict(child) == Verdict::Open;
            let (visits, in_flight) = tree.visits(child);
            let count = (visits + in_flight) as f32;
            // A playout in flight counts as a loss.
            let value = if count > 0.0 { tree.sum(child) as f32 / ONE as f32 / count } else { first_play };
            let bound = value + scale * tree.prior(child) / (1.0 + count);
            if bound > greatest {
                (best, greatest) = (Some(child), bound);
            }
        }
        let is_closed = !is_open && tree.expansion(node) == Expansion::Likely;
        if is_closed { None } else { best.or(draw) }
    }

    /// The value of a leaf for the side to move; stores a proof.
    fn judge(&mut self, node: NodeId) -> u32 {
        let verdict = match Outlook::of(self.position.threats()) {
            Outlook::Decided(verdict) => Some(verdict),
            Outlook::Forced(_) | Outlook::Open => self.fours(),
        };
        if let Some(verdict) = verdict {
            self.shared.tree.set_verdict(node, verdict);
        }
        verdict.and_then(Verdict::value).unwrap_or_else(|| J::value(&mut self.position, &mut self.rng))
    }

    /// A win by continuous fours within a small budget.
    fn fours(&mut self) -> Option<Verdict> {
        match tactics::prove_leaf(&mut self.position, self.vcf)? {
            Proof::Win(line) => Some(Verdict::Won(tactics::proof_plies(&line) as u16)),
            Proof::NoWin | Proof::Unknown => None,
        }
    }

    /// Gives a node children: its likely moves to a leaf, every move to a node whose likely moves all lose or draw.
    /// Returns false if no move is missing, the tree is full, or another thread is expanding the node.
    fn expand(&mut self, node: NodeId, from: Expansion) -> bool {
        let tree = self.shared.tree;
        if !tree.has_room(parameters::WIDTH) || !tree.claim(node, from) {
            return false;
        }
        let threats = self.position.threats();
        let (mut points, mut expansion) = match (from, Outlook::of(threats)) {
            (Expansion::Leaf, Outlook::Forced(points)) => (points, Expansion::Complete),
            (Expansion::Leaf, _) => (threats.allowed(&tactics::near(threats.board())), Expansion::Likely),
            _ => (PointSet::EMPTY, Expansion::Complete),
        };
        if points.is_empty() {
            (points, expansion) = (threats.allowed(&threats.board().empty_points()), Expansion::Complete);
        }
        if points.is_empty() {
            // Every empty point is forbidden: the side to move has lost.
            tree.set_verdict(node, Verdict::Lost(1));
            tree.release(node, from);
            return true;
        }
        edges(&mut self.edges, &mut self.position, &points);
        if expansion == Expansion::Likely {
            let is_every_move = self.edges.len() <= parameters::WIDTH && points == allowed_points(&self.position);
            expansion = if is_every_move { Expansion::Complete } else { expansion };
            self.edges.truncate(parameters::WIDTH);
        }
        let is_added = tree.publish(node, &self.edges, expansion);
        if !is_added {
            tree.release(node, from);
        }
        is_added
    }

    /// Takes the moves of the path back, and adds the value to each node from the view of the side that moved to it.
    fn back_up(&mut self, mut value: u32) {
        let Shared { tree, plies, deepest, limits, .. } = self.shared;
        let depth = self.path.len() as u32 - 1;
        plies.fetch_add(depth.into(), Ordering::Relaxed);
        deepest.fetch_max(depth, Ordering::Relaxed);
        // The last node may be proved by its children, too.
        let mut may_prove = true;
        for index in (0..self.path.len()).rev() {
            let node = self.path[index];
            if may_prove {
                prove(tree, node);
            }
            // From here on the proved value counts.
            let known = tree.verdict(node).value();
            may_prove = known.is_some();
            value = known.unwrap_or(value);
            tree.leave(node, ONE - value);
            if index > 0 {
                self.position.undo();
                if index == 1 && matches!(tree.verdict(node), Verdict::Won(_)) {
                    limits.control.add_lost_move(tree.point(node));
                }
            }
            value = ONE - value;
        }
    }
}

/// The empty points that the rule allows.
fn allowed_points<E: Evaluator>(position: &Position<E>) -> PointSet {
    position.threats().allowed(&position.board().empty_points())
}

/// Stores what the children of a node prove (MCTS-Solver: M. Winands and others, 2008): won if one move wins, by the
/// shortest; lost if all moves lose, by the longest; drawn if the others draw.
pub(super) fn prove(tree: &Tree, node: NodeId) {
    if tree.verdict(node).is_decided() {
        return;
    }
    // Read before the children: another thread may add the others meanwhile.
    let is_complete = tree.expansion(node) == Expansion::Complete;
    let (mut nearest, mut farthest, mut has_draw, mut is_open) = (None::<u16>, 0, false, false);
    for child in tree.children_of(node) {
        match tree.verdict(child) {
            Verdict::Open => is_open = true,
            Verdict::Drawn => has_draw = true,
            Verdict::Lost(plies) => nearest = Some(nearest.map_or(plies, |nearest| nearest.min(plies))),
            Verdict::Won(plies) => farthest = farthest.max(plies),
        }
    }
    let is_closed = is_complete && !is_open && tree.child_count(node) > 0;
    match nearest {
        Some(plies) => tree.set_verdict(node, Verdict::Won(plies + 1)),
        None if is_closed && has_draw => tree.set_verdict(node, Verdict::Drawn),
        None if is_closed => tree.set_verdict(node, Verdict::Lost(farthest + 1)),
        None => {}
    }
}

/// The moves on these points with their priors, the greatest first, equal ones by point.
pub(super) fn edges<E: Evaluator>(edges: &mut Vec<Edge>, position: &mut Position<E>, points: &PointSet) {
    let mover = position.board().turn();
    let (evaluation, sets) = position.follow_beside_sets();
    let priors = evaluation.move_priors(sets, mover);
    edges.clear();
    edges.extend(points.iter().map(|point: Point| (point, priors.of(point) as f32 / 100.0)));
    edges.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let greatest = edges.first().map_or(0.0, |&(_, logit)| logit);
    let mut sum = 0.0;
    for (_, prior) in edges.iter_mut() {
        *prior = ((*prior - greatest) / parameters::PRIOR_TEMPERATURE).exp();
        sum += *prior;
    }
    edges.iter_mut().for_each(|(_, prior)| *prior /= sum);
}
