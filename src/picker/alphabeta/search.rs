//! [`Searcher`]: one thread's principal variation search.
//!
//! ```text
//! search.rs     the root with its aspiration window, the clock, what a thread keeps
//! node.rs       terminal ─► table ─► leaf ─► prune ─► moves ─► store
//! move_loop.rs  the moves of a node, PVS
//! moves.rs      the order of the moves: priors of the evaluation and history.rs
//! pruning.rs, reductions.rs, extensions.rs   what is searched less deep, or deeper, or not at all
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::AlphaBeta;
use super::history::History;
use super::node::NodeKind;
use super::table::Table;
use crate::board::Point;
use crate::eval::Evaluator;
use crate::picker::book::Advice;
use crate::picker::{Limits, Line, Report, SearchInfo};
use crate::position::Position;
use crate::score::Score;
use crate::solver::Vcf;

/// Most plies of a search; deeper nodes are evaluated as they stand.
pub(super) const MAX_PLY: u32 = 2 * AlphaBeta::MAX_DEPTH;

/// Half the first aspiration window. Set by hand.
const ASPIRATION: i32 = 24;

/// Factor by which a window that fails is opened on that side, up to [`ASPIRATION_END`]. Set by hand.
const ASPIRATION_GROWTH: i32 = 3;

/// Half the greatest window; beyond it the side that failed is open to infinity. Set by hand.
const ASPIRATION_END: i32 = 800;

/// Minimum depth of the aspiration window. Set by hand.
const ASPIRATION_DEPTH: i32 = 5;

/// State that all threads of a search share.
pub(super) struct Shared {
    pub(super) table: Arc<Table>,
    pub(super) limits: Limits,
    /// The number of lines in the reports. 0 if only the move is needed.
    pub(super) lines: usize,
    /// What a book says of the root.
    pub(super) advice: Advice,
    /// Set when the search is over for every thread.
    pub(super) over: AtomicBool,
    /// The nodes of all threads, updated by each every [`CLOCK_NODES`].
    pub(super) nodes: AtomicU64,
}

impl Shared {
    pub(super) fn new(table: Arc<Table>, limits: &Limits, lines: usize, advice: Advice) -> Self {
        let (over, nodes) = (AtomicBool::new(false), AtomicU64::new(0));
        Self { table, limits: limits.clone(), lines, advice, over, nodes }
    }

    /// A report of these lines.
    pub(super) fn report(&self, depth: u32, seldepth: u32, nodes: u64, lines: &[Line]) -> Report {
        Report::Search(SearchInfo {
            depth,
            seldepth,
            nodes: self.nodes.load(Ordering::Relaxed).max(nodes),
            time: self.limits.control.elapsed(),
            hashfull: self.table.hashfull(),
            lines: lines.to_vec(),
            moves: Vec::new(),
        })
    }

    /// Whether the threads vote on the move. Several lines are those of the first thread, and so is the answer at a fixed
    /// depth: opening procedures compare scores of several such searches.
    pub(super) fn has_vote(&self) -> bool {
        self.lines <= 1 && !has_fixed_depth(&self.limits)
    }

    /// The depth of the last iteration.
    pub(super) fn max_depth(&self) -> u32 {
        self.limits.depth.unwrap_or(AlphaBeta::MAX_DEPTH).clamp(1, AlphaBeta::MAX_DEPTH)
    }
}

/// Whether a depth limit ends the search. The clock must then not change the result.
pub(super) fn has_fixed_depth(limits: &Limits) -> bool {
    limits.depth.is_some_and(|depth| depth < AlphaBeta::MAX_DEPTH)
}

/// Nodes between two reads of the clock: some hundreds of microseconds.
pub(super) const CLOCK_NODES: u64 = 512;

/// Before an iteration the table grows by at most one part, plus one for each `NODES_PER_PART` nodes of the search so
/// far. Adding a part takes some hundredths of the time of those nodes. Set by hand.
const NODES_PER_PART: u64 = 200_000;

/// One thread of a search, with its own position, history and solver.
pub(super) struct Searcher<'a, E: Evaluator> {
    pub(super) position: Position<E>,
    pub(super) shared: &'a Shared,
    pub(super) history: &'a mut History,
    pub(super) vcf: &'a mut Vcf,
    pub(super) nodes: u64,
    /// Nodes not yet added to the count of all threads.
    uncounted: u64,
    pub(super) stopped: bool,
    /// The deepest ply of this iteration.
    pub(super) seldepth: u32,
    /// The best root move of this iteration.
    pub(super) best: Option<Point>,
    /// The best root move of the last iteration.
    pub(super) previous_best: Option<Point>,
    pub(super) stack: Vec<Frame>,
}

/// Stack entry of a node, read by the nodes below it.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    pub(super) played: Option<Point>,
    pub(super) eval: Score,
    /// Move excluded by a singular search.
    pub(super) excluded: Option<Point>,
}

impl<'a, E: Evaluator> Searcher<'a, E> {
    pub(super) fn new(position: Position<E>, shared: &'a Shared, history: &'a mut History, vcf: &'a mut Vcf) -> Self {
        Self {
            position,
            shared,
            history,
            vcf,
            nodes: 0,
            uncounted: 0,
            stopped: false,
            seldepth: 0,
            best: None,
            previous_best: None,
            stack: vec![Frame::default(); MAX_PLY as usize + 2],
        }
    }

    /// Lets the table grow before an iteration. The number of parts depends on the nodes of all threads, not on the
    /// clock, so a search of one thread with a node limit is reproducible. A stop ends the growth after the current
    /// part.
    pub(super) fn grow_table(&self) {
        let nodes = self.shared.nodes.load(Ordering::Relaxed).max(self.nodes);
        for _ in 0..=nodes / NODES_PER_PART {
            if self.shared.limits.control.must_stop() || !self.shared.table.grow() {
                break;
            }
        }
    }

    /// Searches the root to a depth, with an aspiration window round the score of the depth before.
    pub(super) fn root(&mut self, depth: i32, before: Score) -> Score {
        let mut reach = ASPIRATION;
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= ASPIRATION_DEPTH && !before.is_decided() {
            (alpha, beta) = (before - reach, before + reach);
        }
        loop {
            self.seldepth = 0;
            let score = self.node(NodeKind::Pv, 0, depth, alpha, beta);
            if self.stopped || score > alpha && score < beta {
                return score;
            }
            reach *= ASPIRATION_GROWTH;
            let is_wide = reach > ASPIRATION_END || score.is_decided();
            if score <= alpha {
                alpha = if is_wide { -Score::INFINITE } else { before - reach };
            } else {
                beta = if is_wide { Score::INFINITE } else { before + reach };
            }
        }
    }

    /// Notes the evaluation of the root for the nodes two plies below, before moves are searched by
    /// [`root_move`](Self::root_move) alone.
    pub(super) fn evaluate_root(&mut self) {
        self.stack[0].eval = self.evaluate(self.position.board().turn());
    }

    /// The score of one move of the root by a search to this depth.
    pub(super) fn root_move(&mut self, point: Point, depth: i32, alpha: Score, beta: Score) -> Score {
        let kind = if alpha + 1 == beta { NodeKind::Cut } else { NodeKind::Pv };
        self.stack[0].played = Some(point);
        self.shared.limits.control.set_root_move(point);
        self.position.play(point);
        let score = -self.node(kind, 1, depth - 1, -beta, -alpha);
        self.position.undo();
        if score.is_loss() && !self.stopped {
            self.shared.limits.control.add_lost_move(point);
        }
        score
    }

    /// The principal variation that begins with this move of the root, as far as the table holds it.
    pub(super) fn line(&mut self, first: Point) -> Vec<Point> {
        let mut line = vec![first];
        let mut last = first;
        self.position.play(first);
        while line.len() < Line::LONGEST {
            let board = self.position.board();
            if board.wins(last, !board.turn()) {
                break;
            }
            let next = self.shared.table.get(board.key()).and_then(|entry| entry.best);
            let Some(next) = next.filter(|&next| board.is_empty(next)) else { break };
            self.position.play(next);
            line.push(next);
            last = next;
        }
        for _ in &line {
            self.position.undo();
        }
        line
    }

    /// Counts nodes, including those of proofs at the leaves, and stops the search when a limit is reached.
    pub(super) fn count(&mut self, nodes: u64) {
        self.nodes += nodes;
        self.uncounted += nodes;
        if self.uncounted >= CLOCK_NODES {
            let total = self.shared.nodes.fetch_add(self.uncounted, Ordering::Relaxed) + self.uncounted;
            self.uncounted = 0;
            let limits = &self.shared.limits;
            limits.control.set_nodes(total);
            if limits.control.must_stop()
                || self.shared.over.load(Ordering::Relaxed)
                || limits.nodes.is_some_and(|nodes| total >= nodes)
            {
                self.stopped = true;
            }
        }
    }
}
