//! [`Searcher`]: one thread's principal variation search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::margins::{self, MAX_PLY};
use super::moves::{self, History, Moves};
use super::table::{Bound, Entry, Table};
use crate::board::{Direction, Point, PointSet};
use crate::picker::Limits;
use crate::position::Position;
use crate::score::Score;
use crate::solver::{Proof, Vcf, decides, defences, stops, unanswerable};
use crate::threat::Threat;

/// What all threads of one pick share.
pub(super) struct Shared {
    pub(super) table: Arc<Table>,
    pub(super) limits: Limits,
    /// Set when the pick is over for every thread.
    pub(super) over: AtomicBool,
    /// The nodes of all threads, counted up now and then.
    pub(super) nodes: AtomicU64,
}

/// Nodes between two looks at the clock: some hundreds of microseconds.
const CLOCK_NODES: u64 = 512;

/// One thread: a position of its own, and what it has learnt.
pub(super) struct Searcher<'a> {
    pub(super) position: Position,
    pub(super) shared: &'a Shared,
    pub(super) history: &'a mut History,
    pub(super) vcf: &'a mut Vcf,
    pub(super) nodes: u64,
    /// Nodes that the other threads do not know of yet.
    uncounted: u64,
    pub(super) stopped: bool,
    /// The deepest ply of this iteration.
    pub(super) selective_depth: u32,
    /// The best root move of this iteration.
    pub(super) best: Option<Point>,
    stack: Vec<Frame>,
}

/// What a node leaves for the nodes below it.
#[derive(Clone, Copy, Default)]
struct Frame {
    played: Option<Point>,
    eval: Score,
    /// A move that a search for a singular one leaves out.
    excluded: Option<Point>,
}

/// The part of the tree that a node is thought to be in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Node {
    /// On the principal variation: an exact score is wanted.
    Pv,
    /// Some move is thought to be too good.
    Cut,
    /// No move is thought to be good enough.
    All,
}

impl Node {
    const fn child(self) -> Self {
        match self {
            Self::Pv | Self::All => Self::Cut,
            Self::Cut => Self::All,
        }
    }
}

impl<'a> Searcher<'a> {
    pub(super) fn new(position: Position, shared: &'a Shared, history: &'a mut History, vcf: &'a mut Vcf) -> Self {
        Self {
            position,
            shared,
            history,
            vcf,
            nodes: 0,
            uncounted: 0,
            stopped: false,
            selective_depth: 0,
            best: None,
            stack: vec![Frame::default(); MAX_PLY as usize + 2],
        }
    }

    /// Searches the root to a depth, with a window round the score before.
    pub(super) fn root(&mut self, depth: i32, before: Score) -> Score {
        let mut reach = margins::ASPIRATION;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= margins::ASPIRATION_DEPTH && !before.is_decided() {
            (alpha, beta) = (before - reach, before + reach);
        }
        loop {
            self.selective_depth = 0;
            let score = self.node(Node::Pv, 0, depth, alpha, beta);
            if self.stopped || score > alpha && score < beta {
                return score;
            }
            reach *= margins::ASPIRATION_GROWTH;
            let wide = reach > margins::ASPIRATION_END || score.is_decided();
            if score <= alpha {
                alpha = if wide { -Score::INFINITE } else { before - reach };
            } else {
                beta = if wide { Score::INFINITE } else { before + reach };
            }
        }
    }

    /// The score of one move of the root by a search to this depth.
    pub(super) fn root_move(&mut self, point: Point, depth: i32, alpha: Score, beta: Score) -> Score {
        let node = if alpha + 1 == beta { Node::Cut } else { Node::Pv };
        self.stack[0].played = Some(point);
        self.position.play(point);
        let score = -self.node(node, 1, depth - 1, -beta, -alpha);
        self.take_back(point);
        score
    }

    /// The best line that the table knows, from the root.
    pub(super) fn line(&mut self, first: Point) -> Vec<Point> {
        let mut line = vec![first];
        self.position.play(first);
        while line.len() < 32 {
            let board = self.position.board();
            let last = line[line.len() - 1];
            if board.wins(last, !board.turn()) {
                break;
            }
            let next = self.shared.table.get(board.key()).and_then(|entry| entry.best);
            let Some(next) = next.filter(|&next| board.is_empty(next)) else { break };
            self.position.play(next);
            line.push(next);
        }
        for &point in line.iter().rev() {
            self.take_back(point);
        }
        line
    }

    fn node(&mut self, node: Node, ply: u32, depth: i32, mut alpha: Score, mut beta: Score) -> Score {
        self.count(1);
        if self.stopped {
            return Score::ZERO;
        }
        self.selective_depth = self.selective_depth.max(ply);
        let mover = self.position.board().turn();
        if self.position.board().is_full() {
            return Score::ZERO;
        }
        // No line from here can end sooner than these.
        alpha = alpha.max(Score::loss_at(ply + 2));
        beta = beta.min(Score::win_at(ply + 1));
        if alpha >= beta {
            return alpha;
        }
        let Some(survey) = self.position.survey() else { return Score::ZERO };
        let eval = survey.score(mover);
        if survey.census().count(mover, Threat::Five) > 0 {
            return self.won(ply);
        }
        let fives = survey.census().count(!mover, Threat::Five);
        let blocks = if fives > 0 { Some(self.position.allowed(&stops(&self.position, !mover))) } else { None };
        match blocks {
            Some(blocks) if blocks.is_empty() => return self.lost(ply),
            Some(_) => {}
            None => {
                if let Some(point) = unanswerable(&self.position, mover) {
                    if ply == 0 {
                        self.best = Some(point);
                    }
                    return Score::win_at(ply + 3);
                }
                if ply > 0 && decides(&self.position, mover) {
                    return Score::win_at(ply + 5);
                }
            }
        }
        if ply >= MAX_PLY {
            return eval;
        }

        // What the table knows.
        let is_pv = node == Node::Pv;
        let excluded = self.stack[ply as usize].excluded;
        let key = self.position.board().key();
        let known = if excluded.is_some() { None } else { self.shared.table.get(key) };
        if let Some(entry) = known {
            let score = entry.score.from_root(ply);
            let holds = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if !is_pv && holds && i32::from(entry.depth) >= depth.max(0) {
                return score;
            }
        }
        let table_move = known.and_then(|entry| entry.best).filter(|&point| self.position.board().is_empty(point));

        // A leaf: good enough as it stands, or what is known of it, or continuous fours, or the evaluation.
        if blocks.is_none() && depth <= 0 {
            if !is_pv && eval >= beta {
                return eval;
            }
            return known.map_or_else(|| self.leaf(ply, eval, false), |entry| entry.bounded(eval, ply));
        }
        let defence = if blocks.is_none() { defences(&self.position) } else { None };
        let is_quiet = blocks.is_none() && defence.is_none();

        self.stack[ply as usize].eval = eval;
        let improving = ply >= 2 && eval > self.stack[ply as usize - 2].eval;

        if !is_pv && is_quiet && excluded.is_none() {
            // Far above beta with no threat to meet: the move is worth more than it could lose.
            if depth <= margins::REVERSE_FUTILITY_DEPTH
                && !beta.is_decided()
                && eval - margins::reverse_futility(depth, improving) >= beta
            {
                return eval;
            }
            // Far below alpha: only a forced win can help.
            if depth <= margins::RAZORING_DEPTH && !alpha.is_decided() && eval + margins::razoring(depth) <= alpha {
                return self.leaf(ply, eval, known.is_some());
            }
        }

        let singular = self.is_singular(ply, depth, table_move, known, is_quiet && excluded.is_none());
        if self.stopped {
            return Score::ZERO;
        }
        let is_unknown = is_quiet && table_move.is_none() && depth >= margins::UNKNOWN_DEPTH;
        let depth = if is_unknown { depth - 1 } else { depth };

        let points = self.points(ply, blocks, defence);
        let last = if ply > 0 { self.stack[ply as usize - 1].played } else { None };
        let mut moves = Moves::new();
        moves::rate(&mut moves, &self.position, &points, table_move, last, self.history);
        let old_alpha = alpha;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut searched = 0;
        let mut tried: arrayvec::ArrayVec<Point, 64> = arrayvec::ArrayVec::new();
        for index in 0..moves.len() {
            let Some((_, point)) = moves::select(&mut moves, index) else { break };
            if Some(point) == excluded || self.position.is_forbidden(point, mover) {
                continue;
            }
            if ply > 0 && !best.is_loss() && searched >= margins::move_count(depth, improving) {
                break;
            }
            let Some(survey) = self.position.survey() else { break };
            let (own, other) = (survey.threat(point, mover), survey.threat(point, !mover));
            let is_tactical = own >= Threat::OpenThree || other >= Threat::DoubleThree;
            // The answer to a four is hardly a choice: it costs no depth.
            let mut next = if blocks.is_some() { depth } else { depth - 1 };
            if Some(point) == table_move && singular {
                next += 1;
            }
            let mut reduction = 0;
            if searched > 0 && depth >= 2 && blocks.is_none() {
                reduction = margins::reduction(depth, searched);
                if is_pv {
                    reduction -= 1;
                }
                if node == Node::Cut {
                    reduction += 1;
                }
                if own >= Threat::Four {
                    reduction = reduction.min(1);
                } else if is_tactical || !is_quiet {
                    reduction -= 1;
                } else {
                    reduction -= self.history.of(mover, point) / margins::HISTORY_PLY;
                }
                reduction = reduction.clamp(0, (next - 1).max(0));
            }
            self.stack[ply as usize].played = Some(point);
            self.position.play(point);
            let score = if searched == 0 {
                -self.node(if is_pv { Node::Pv } else { node.child() }, ply + 1, next, -beta, -alpha)
            } else {
                self.late(node, ply, next, reduction, alpha, beta)
            };
            self.take_back(point);
            if self.stopped {
                return best.max(Score::loss_at(MAX_PLY));
            }
            searched += 1;
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(point);
                    alpha = score;
                    if ply == 0 {
                        self.best = Some(point);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
            if !tried.is_full() {
                tried.push(point);
            }
        }
        if searched == 0 {
            return self.cornered(ply, excluded.is_some(), alpha, blocks.is_some(), eval);
        }
        if best >= beta && is_quiet {
            self.learn(ply, depth, best_move, &tried);
        }
        if excluded.is_none() {
            let bound = match () {
                () if best >= beta => Bound::Lower,
                () if best > old_alpha => Bound::Exact,
                () => Bound::Upper,
            };
            let entry = Entry { best: best_move, score: best.from_node(ply), depth: depth.clamp(0, 255) as u8, bound };
            self.shared.table.put(key, entry);
        }
        best
    }

    /// Searches a move that is not the first: reduced, then in full, then with an open window, as far as it holds.
    fn late(&mut self, node: Node, ply: u32, next: i32, reduction: i32, alpha: Score, beta: Score) -> Score {
        let child = if node == Node::Pv { Node::Cut } else { node.child() };
        let mut score = -self.node(Node::Cut, ply + 1, next - reduction, -alpha - 1, -alpha);
        if score > alpha && reduction > 0 {
            score = -self.node(child, ply + 1, next, -alpha - 1, -alpha);
        }
        if node == Node::Pv && score > alpha && score < beta {
            score = -self.node(Node::Pv, ply + 1, next, -beta, -alpha);
        }
        score
    }

    /// The moves of a node: what stops a five; what answers an open four, and own fours; or all near the stones. The
    /// root has some in any case: who is lost plays on.
    fn points(&self, ply: u32, blocks: Option<PointSet>, defence: Option<PointSet>) -> PointSet {
        let mover = self.position.board().turn();
        match (blocks, defence) {
            (Some(blocks), _) => blocks,
            (None, Some(defence)) => {
                let Some(survey) = self.position.survey() else { return defence };
                let fours = Threat::FOURS.into_iter().filter(|&threat| survey.census().count(mover, threat) > 0);
                let points = fours.fold(defence, |points, threat| points.union(survey.census().set(mover, threat)));
                if points.is_empty() && ply == 0 { moves::near(&self.position) } else { points }
            }
            (None, None) => moves::near(&self.position),
        }
    }

    /// A node without depth left: won by continuous fours, or as good as the evaluation says. That is remembered where
    /// nothing better is.
    fn leaf(&mut self, ply: u32, eval: Score, is_known: bool) -> Score {
        let key = self.position.board().key();
        if Vcf::is_promising(&self.position) {
            let proof = self.vcf.any(&mut self.position, margins::LEAF_FOURS);
            self.count(self.vcf.nodes());
            if let Proof::Win(line) = proof {
                let score = Score::win_at(ply + line.len() as u32 + 2);
                let best = line.first().copied();
                let entry = Entry { best, score: score.from_node(ply), depth: 0, bound: Bound::Lower };
                self.shared.table.put(key, entry);
                return score;
            }
        }
        if !is_known {
            let entry = Entry { best: None, score: eval, depth: 0, bound: Bound::Exact };
            self.shared.table.put(key, entry);
        }
        eval
    }

    /// Whether all other moves are clearly worse than the table's.
    fn is_singular(
        &mut self,
        ply: u32,
        depth: i32,
        table_move: Option<Point>,
        known: Option<Entry>,
        may_be: bool,
    ) -> bool {
        let (Some(point), Some(entry)) = (table_move, known) else { return false };
        if !may_be
            || ply == 0
            || depth < margins::SINGULAR_DEPTH
            || entry.bound == Bound::Upper
            || i32::from(entry.depth) + margins::SINGULAR_LAG < depth
            || entry.score.is_decided()
        {
            return false;
        }
        let beta = entry.score - margins::singular(depth);
        self.stack[ply as usize].excluded = Some(point);
        let score = self.node(Node::Cut, ply, (depth - 1) / 2, beta - 1, beta);
        self.stack[ply as usize].excluded = None;
        score < beta
    }

    /// The score of a node whose moves are all forbidden or left out.
    fn cornered(&self, ply: u32, is_exclusion: bool, alpha: Score, is_block: bool, eval: Score) -> Score {
        if is_exclusion {
            alpha
        } else if is_block {
            Score::loss_at(ply + 2)
        } else if self.position.board().stone_count() == 0 {
            eval
        } else {
            // Nothing answers the open four.
            Score::loss_at(ply + 4)
        }
    }

    fn learn(&mut self, ply: u32, depth: i32, best: Option<Point>, tried: &[Point]) {
        let mover = self.position.board().turn();
        let Some(best) = best else { return };
        let bonus = margins::history_bonus(depth);
        self.history.learn(mover, best, bonus);
        for &point in tried.iter().filter(|&&point| point != best) {
            self.history.learn(mover, point, -bonus / 2);
        }
        if let Some(last) = ply.checked_sub(1).and_then(|ply| self.stack[ply as usize].played) {
            self.history.counter(mover, last, best);
        }
    }

    /// The score of a node that makes a five; the root remembers where. A five that is an overline too counts as a foul
    /// with some referees of renju: any other comes before it.
    fn won(&mut self, ply: u32) -> Score {
        if ply == 0 {
            let board = self.position.board();
            let mover = board.turn();
            let fives = self.position.survey().map(|survey| *survey.census().set(mover, Threat::Five));
            let is_overline =
                |point: Point| Direction::ALL.iter().any(|&direction| board.row(point, mover, direction).0 > 5);
            let is_doubtful = |point: &Point| board.rule().forbids(mover) && is_overline(*point);
            self.best = fives.and_then(|fives| fives.iter().min_by_key(is_doubtful));
        }
        Score::win_at(ply + 1)
    }

    /// The score of a node that cannot stop a five; the root still blocks one.
    fn lost(&mut self, ply: u32) -> Score {
        if ply == 0 {
            let mover = self.position.board().turn();
            let allowed = |point: &Point| !self.position.is_forbidden(*point, mover);
            let survey = self.position.survey();
            self.best = survey.and_then(|survey| survey.census().set(!mover, Threat::Five).iter().find(allowed));
        }
        Score::loss_at(ply + 2)
    }

    /// Counts nodes, those of the proofs at the leaves too.
    fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.uncounted += nodes;
        if self.uncounted >= CLOCK_NODES {
            let total = self.shared.nodes.fetch_add(self.uncounted, Ordering::Relaxed) + self.uncounted;
            self.uncounted = 0;
            let limits = &self.shared.limits;
            if limits.signal.must_end()
                || self.shared.over.load(Ordering::Relaxed)
                || limits.nodes.is_some_and(|nodes| total >= nodes)
            {
                self.stopped = true;
            }
        }
    }

    fn take_back(&mut self, point: Point) {
        let taken = self.position.undo(point);
        debug_assert!(taken.is_ok(), "{point:?} was played");
    }
}
