//! The stages of one node of the search, up to its moves.

use std::ops::ControlFlow::{self, Break, Continue};

use super::reductions::node_reduction;
use super::search::{MAX_PLY, Searcher};
use super::table::{Bound, Entry};
use crate::board::{Color, Point, PointSet};
use crate::eval::Evaluator;
use crate::picker::tactics::{self, FIVE, Tactics, UNBLOCKED_FIVE, WINNING_FORK};
use crate::score::Score;
use crate::solver::Proof;
use crate::threat::ThreatSets;

/// Expected node type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// On the principal variation: an exact score is wanted.
    Pv,
    /// Expected cut node: some move should reach beta.
    Cut,
    /// Expected all node: no move should reach alpha.
    All,
}

impl NodeKind {
    pub(super) const fn child(self) -> Self {
        match self {
            Self::Pv | Self::All => Self::Cut,
            Self::Cut => Self::All,
        }
    }
}

/// The moves that the opponent's threats allow at a node.
pub(super) enum Forced {
    /// Every move may be played.
    Free,
    /// The other side has a five: only these moves block it.
    Block(PointSet),
    /// The other side threatens an open four or a double four: these moves answer it, own fours among them.
    Answer(PointSet),
}

/// State of one node. Each stage fills in its fields.
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) ply: u32,
    pub(super) depth: i32,
    pub(super) alpha: Score,
    pub(super) beta: Score,
    pub(super) mover: Color,
    pub(super) eval: Score,
    /// Whether the evaluation is greater than two plies ago.
    pub(super) improving: bool,
    pub(super) forced: Forced,
    /// Move excluded by a singular search. While it is set, the node does not probe or store its table entry.
    pub(super) excluded: Option<Point>,
    pub(super) entry: Option<Entry>,
    pub(super) table_move: Option<Point>,
}

impl Node {
    pub(super) const fn is_pv(&self) -> bool {
        matches!(self.kind, NodeKind::Pv)
    }

    pub(super) const fn is_free(&self) -> bool {
        matches!(self.forced, Forced::Free)
    }

    pub(super) const fn is_block(&self) -> bool {
        matches!(self.forced, Forced::Block(_))
    }
}

/// Debug builds recompute the accumulator from scratch once per this many nodes. For a network that costs about a
/// hundred nodes.
const ACCUMULATOR_NODES: u64 = 32;

/// Debug builds compare all derived state with the board once per this many nodes. One comparison costs about as much
/// as the nodes between.
const CONSISTENCY_NODES: u64 = 256;

impl<E: Evaluator> Searcher<'_, E> {
    /// Searches a node to a depth, and returns its score for the side to move: exact inside the window, else a bound.
    pub(super) fn node(&mut self, kind: NodeKind, ply: u32, depth: i32, alpha: Score, beta: Score) -> Score {
        self.count(1);
        if self.stopped {
            return Score::ZERO;
        }
        self.seldepth = self.seldepth.max(ply);
        match self.stages(kind, ply, depth, alpha, beta) {
            Continue(score) | Break(score) => score,
        }
    }

    /// Runs the stages in order. A stage ends the node early by breaking with its score.
    #[inline(always)]
    fn stages(&mut self, kind: NodeKind, ply: u32, depth: i32, alpha: Score, beta: Score) -> ControlFlow<Score, Score> {
        let mut node = self.terminal(kind, ply, depth, alpha, beta)?;
        self.probe_table(&mut node)?;
        node.eval = self.static_eval(&node);
        self.leaf(&node)?;
        self.answer_open_four(&mut node);
        self.note_eval(&mut node);
        self.prune(&node)?;
        let extension = self.extension(&node)?;
        node.depth -= node_reduction(&node);
        let searched = self.search_moves(&node, extension)?;
        self.store(&node, &searched);
        Continue(searched.best)
    }

    /// Ends a node that needs no search: a full board, mate-distance pruning, what the [`Tactics`] decide, the ply limit.
    #[inline]
    pub(super) fn terminal(
        &mut self,
        kind: NodeKind,
        ply: u32,
        depth: i32,
        alpha: Score,
        beta: Score,
    ) -> ControlFlow<Score, Node> {
        let board = self.position.board();
        let mover = board.turn();
        if board.is_full() {
            return Break(Score::ZERO);
        }
        // Mate-distance pruning.
        let alpha = alpha.max(Score::loss_at(ply + UNBLOCKED_FIVE));
        let beta = beta.min(Score::win_at(ply + FIVE));
        if alpha >= beta {
            return Break(alpha);
        }
        let forced = match Tactics::of(self.position.threats()) {
            // The root must return a move, and the fork test does not say where the fork is.
            Tactics::Won(WINNING_FORK) if ply == 0 => Forced::Free,
            Tactics::Won(plies) => return Break(self.finish_decided(ply, Score::win_at(ply + plies))),
            Tactics::Lost(plies) => return Break(self.finish_decided(ply, Score::loss_at(ply + plies))),
            Tactics::Block(blocks) => Forced::Block(blocks),
            Tactics::Undecided => Forced::Free,
        };
        if ply >= MAX_PLY {
            return Break(self.evaluate(mover));
        }
        let excluded = self.stack[ply as usize].excluded;
        // The stages after this one set these.
        let (eval, improving, entry, table_move) = (Score::ZERO, false, None, None);
        Continue(Node { kind, ply, depth, alpha, beta, mover, eval, improving, forced, excluded, entry, table_move })
    }

    /// Returns the score of a node that the threats decide. At the root it also sets `best`.
    #[inline]
    fn finish_decided(&mut self, ply: u32, score: Score) -> Score {
        if ply == 0 {
            let threats = self.position.threats();
            // If every block is forbidden, a lost side plays near the stones.
            let near = || threats.allowed(&tactics::near(threats.board())).iter().next();
            self.best = tactics::urgent_move(threats).or_else(near);
        }
        score
    }

    /// Probes the table. Off the PV, an entry that is deep enough and whose bound applies ends the node.
    #[inline]
    pub(super) fn probe_table(&mut self, node: &mut Node) -> ControlFlow<Score> {
        if node.excluded.is_some() {
            return Continue(());
        }
        let board = self.position.board();
        let entry = self.shared.table.get(board.key());
        node.entry = entry;
        // At the root the entry may be of another thread, or of a search with the moves that a book avoids now.
        let previous = if node.ply == 0 { self.best.or(self.previous_best) } else { None };
        node.table_move = previous.or(entry.and_then(|entry| entry.best)).filter(|&point| board.is_empty(point));
        let Some(entry) = entry.filter(|entry| !entry.is_eval_only()) else { return Continue(()) };
        let score = entry.score.relative_to_root(node.ply);
        let holds = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= node.beta,
            Bound::Upper => score <= node.alpha,
        };
        if !node.is_pv() && holds && i32::from(entry.depth) >= node.depth.max(0) { Break(score) } else { Continue(()) }
    }

    /// Ends a node at depth 0 or below that has no five to block. Off the PV it stands pat if the evaluation reaches
    /// beta. Otherwise it returns the table score or the evaluation clamped by the table bound. If the table has no score, it
    /// returns a VCF win or the evaluation.
    #[inline]
    fn leaf(&mut self, node: &Node) -> ControlFlow<Score> {
        if node.depth > 0 || node.is_block() {
            return Continue(());
        }
        if !node.is_pv() && node.eval >= node.beta {
            self.store_eval(node);
            return Break(node.eval);
        }
        Break(match node.entry.filter(|entry| !entry.is_eval_only()) {
            Some(entry) => entry.bounded(node.ply),
            None => self.fours_or_eval(node),
        })
    }

    /// Stores the evaluation of a node that ends without a search, if the table has no entry of it, so that the next
    /// iteration does not compute it again.
    pub(super) fn store_eval(&self, node: &Node) {
        if node.entry.is_none() && node.excluded.is_none() {
            self.shared.table.put(self.position.board().key(), Entry::eval_only(node.eval));
        }
    }

    /// Static evaluation: from the table entry; in a singular search, the one the enclosing node stored on the stack;
    /// otherwise computed.
    fn static_eval(&mut self, node: &Node) -> Score {
        let known = match node.entry {
            Some(entry) => Some(entry.eval),
            None => node.excluded.map(|_| self.stack[node.ply as usize].eval),
        };
        debug_assert!(
            self.nodes % ACCUMULATOR_NODES > 0 || known.is_none_or(|known| known == self.evaluate(node.mover)),
            "{}",
            self.position.board()
        );
        known.unwrap_or_else(|| self.evaluate(node.mover))
    }

    /// The evaluation of the position for the side to move.
    pub(super) fn evaluate(&mut self, mover: Color) -> Score {
        debug_assert!(
            self.nodes % ACCUMULATOR_NODES > 0 || self.position.accumulator_agrees(),
            "{}",
            self.position.board()
        );
        debug_assert!(self.nodes % CONSISTENCY_NODES > 0 || self.position.is_consistent(), "{}", self.position.board());
        let (evaluation, sets) = self.position.follow_beside_sets();
        evaluation.score(sets, mover)
    }

    /// A win by continuous fours, or the evaluation. A win is stored; the evaluation is stored if the table has no score. Such
    /// an entry shows the next visit that the proof has failed.
    pub(super) fn fours_or_eval(&mut self, node: &Node) -> Score {
        if node.entry.is_some_and(Entry::is_static) {
            return node.eval;
        }
        let key = self.position.board().key();
        if let Some(proof) = tactics::prove_leaf(&mut self.position, self.vcf) {
            self.count(self.vcf.nodes());
            if let Proof::Win(line) = proof {
                let plies = tactics::proof_plies(&line);
                let best = line.first().copied();
                let entry = Entry { best, score: Score::win_at(plies), eval: node.eval, depth: 0, bound: Bound::Lower };
                self.shared.table.put(key, entry);
                return Score::win_at(node.ply + plies);
            }
        }
        if node.entry.is_none_or(Entry::is_eval_only) {
            let entry = Entry { best: None, score: node.eval, eval: node.eval, depth: 0, bound: Bound::Exact };
            self.shared.table.put(key, entry);
        }
        node.eval
    }

    /// If the opponent threatens an open four or a double four, restricts the moves to the answers.
    #[inline]
    fn answer_open_four(&self, node: &mut Node) {
        if node.is_block() {
            return;
        }
        let threats = self.position.threats();
        let Some(answers) = tactics::open_four_answers(threats) else { return };
        // The root must return a move, so a lost side searches the points near the stones.
        let is_lost_root = node.ply == 0 && threats.allowed(&answers).is_empty();
        node.forced = Forced::Answer(if is_lost_root { tactics::near(self.position.board()) } else { answers });
    }

    /// Notes the evaluation for the nodes below, and compares it with that of two plies ago.
    #[inline]
    fn note_eval(&mut self, node: &mut Node) {
        let ply = node.ply as usize;
        self.stack[ply].eval = node.eval;
        node.improving = ply >= 2 && node.eval > self.stack[ply - 2].eval;
    }

    pub(super) fn sets(&self) -> &ThreatSets {
        self.position.threats().sets()
    }
}
