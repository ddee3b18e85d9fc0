//! The stages of one node of the search, up to its moves.

use super::moves;
use super::parameters::{self, MAX_PLY};
use super::search::Searcher;
use super::table::{Bound, Entry};
use crate::board::{Color, Direction, Point, PointSet};
use crate::eval::Evaluator;
use crate::score::Score;
use crate::solver::{Proof, Vcf, five_blocks, has_winning_fork, open_four_defences, winning_four};
use crate::threat::{Threat, ThreatSets};

/// The part of the tree in which a node is expected to be.
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

/// What the threats of the other side leave to a node.
pub(super) enum Forced {
    /// Every move may be played.
    Free,
    /// The other side has a five: only these moves block it.
    Block(PointSet),
    /// The other side threatens an open four or a double four: these moves answer it, own fours among them.
    Answer(PointSet),
}

/// A node, as its stages have filled it in.
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
    /// The move that a singular search leaves out; such a node neither reads nor writes the table.
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

/// Nodes between two comparisons of the accumulator with one from scratch, in debug builds: a network takes as long as a
/// hundred nodes.
const ACCUMULATOR_NODES: u64 = 32;

/// Nodes between two comparisons of everything derived with the board, in debug builds: one takes as long as this many.
const CONSISTENCY_NODES: u64 = 256;

impl<E: Evaluator> Searcher<'_, E> {
    /// Searches a node to a depth, and returns its score for the side to move: exact inside the window, else a bound.
    pub(super) fn node(&mut self, kind: NodeKind, ply: u32, depth: i32, alpha: Score, beta: Score) -> Score {
        self.count(1);
        if self.stopped {
            return Score::ZERO;
        }
        self.seldepth = self.seldepth.max(ply);
        let mut node = match self.terminal(kind, ply, depth, alpha, beta) {
            Ok(node) => node,
            Err(score) => return score,
        };
        if let Some(score) = self.probe_table(&mut node) {
            return score;
        }
        node.eval = self.known_or_evaluated(&node);
        if depth <= 0 && !node.is_block() {
            return self.leaf(&node);
        }
        self.answer_open_four(&mut node);
        self.stack[ply as usize].eval = node.eval;
        node.improving = ply >= 2 && node.eval > self.stack[ply as usize - 2].eval;
        if let Some(score) = self.prune(&node) {
            return score;
        }
        let extension = match self.extension(&node) {
            _ if self.stopped => return Score::ZERO,
            Ok(extension) => extension,
            Err(score) => return score,
        };
        if node.is_free() && node.table_move.is_none() && depth >= parameters::IIR_DEPTH {
            node.depth -= 1;
        }
        self.search_moves(&node, extension)
    }

    /// What needs no search: a full board, mate-distance pruning, a five, a five of the other side that nothing blocks,
    /// a winning four, a winning fork (not at the root), and the ply limit.
    fn terminal(&mut self, kind: NodeKind, ply: u32, depth: i32, alpha: Score, beta: Score) -> Result<Node, Score> {
        let board = self.position.board();
        let mover = board.turn();
        if board.is_full() {
            return Err(Score::ZERO);
        }
        // Mate-distance pruning.
        let (alpha, beta) = (alpha.max(Score::loss_at(ply + 2)), beta.min(Score::win_at(ply + 1)));
        if alpha >= beta {
            return Err(alpha);
        }
        let threats = self.position.threats();
        if threats.sets().count(mover, Threat::Five) > 0 {
            return Err(self.won(ply));
        }
        let forced = if threats.sets().count(!mover, Threat::Five) > 0 {
            let blocks = threats.allowed(&five_blocks(threats, !mover));
            if blocks.is_empty() {
                return Err(self.lost(ply));
            }
            Forced::Block(blocks)
        } else if let Some(point) = winning_four(threats, mover) {
            if ply == 0 {
                self.best = Some(point);
            }
            return Err(Score::win_at(ply + 3));
        } else if ply > 0 && has_winning_fork(threats, mover) {
            return Err(Score::win_at(ply + 5));
        } else {
            Forced::Free
        };
        if ply >= MAX_PLY {
            return Err(self.evaluate(mover));
        }
        let excluded = self.stack[ply as usize].excluded;
        // The stages after this one set these.
        let (eval, improving, entry, table_move) = (Score::ZERO, false, None, None);
        Ok(Node { kind, ply, depth, alpha, beta, mover, eval, improving, forced, excluded, entry, table_move })
    }

    /// The score of a node that makes a five; the root remembers where. A five that is an overline too counts as a foul
    /// with some referees of renju: any other comes before it.
    fn won(&mut self, ply: u32) -> Score {
        if ply == 0 {
            let board = self.position.board();
            let mover = board.turn();
            let is_overline =
                |point: Point| Direction::ALL.iter().any(|&direction| board.row(point, mover, direction).0 > 5);
            let is_doubtful = |point: &Point| board.rule().forbids(mover) && is_overline(*point);
            self.best = self.sets().set(mover, Threat::Five).iter().min_by_key(is_doubtful);
        }
        Score::win_at(ply + 1)
    }

    /// The score of a node that cannot block a five; the root still blocks one.
    fn lost(&mut self, ply: u32) -> Score {
        if ply == 0 {
            let mover = self.position.board().turn();
            let allowed = |point: &Point| !self.position.is_forbidden(*point, mover);
            self.best = self.sets().set(!mover, Threat::Five).iter().find(allowed);
        }
        Score::loss_at(ply + 2)
    }

    /// The evaluation of a node: the table's, that of the search which leaves out a move of this node, or a new one.
    fn known_or_evaluated(&mut self, node: &Node) -> Score {
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
    fn evaluate(&mut self, mover: Color) -> Score {
        debug_assert!(
            self.nodes % ACCUMULATOR_NODES > 0 || self.position.accumulator_agrees(),
            "{}",
            self.position.board()
        );
        debug_assert!(self.nodes % CONSISTENCY_NODES > 0 || self.position.is_consistent(), "{}", self.position.board());
        let (evaluation, sets) = self.position.follow_beside_sets();
        evaluation.score(sets, mover)
    }

    /// Reads the table; a score where an entry is deep enough for it.
    fn probe_table(&mut self, node: &mut Node) -> Option<Score> {
        if node.excluded.is_some() {
            return None;
        }
        let board = self.position.board();
        let entry = self.shared.table.get(board.key())?;
        node.entry = Some(entry);
        node.table_move = entry.best.filter(|&point| board.is_empty(point));
        let score = entry.score.relative_to_root(node.ply);
        let holds = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= node.beta,
            Bound::Upper => score <= node.alpha,
        };
        (!node.is_pv() && holds && i32::from(entry.depth) >= node.depth.max(0)).then_some(score)
    }

    /// The score at depth 0: stand pat at beta, else the table's bound applied to the evaluation, else VCF or the
    /// evaluation.
    fn leaf(&mut self, node: &Node) -> Score {
        if !node.is_pv() && node.eval >= node.beta {
            return node.eval;
        }
        match node.entry {
            Some(entry) => entry.bounded(node.ply),
            None => self.fours_or_eval(node),
        }
    }

    /// A win by continuous fours, or the evaluation. A win is stored; the evaluation where no entry is.
    fn fours_or_eval(&mut self, node: &Node) -> Score {
        let key = self.position.board().key();
        if Vcf::is_promising(self.position.threats()) {
            let vcf = &mut *self.vcf;
            let proof = self.position.solve(|threats| vcf.any(threats, parameters::LEAF_FOURS));
            self.count(self.vcf.nodes());
            if let Proof::Win(line) = proof {
                let score = Score::win_at(node.ply + line.len() as u32 + 2);
                let best = line.first().copied();
                let stored = score.relative_to_node(node.ply);
                let entry = Entry { best, score: stored, eval: node.eval, depth: 0, bound: Bound::Lower };
                self.shared.table.put(key, entry);
                return score;
            }
        }
        if node.entry.is_none() {
            let entry = Entry { best: None, score: node.eval, eval: node.eval, depth: 0, bound: Bound::Exact };
            self.shared.table.put(key, entry);
        }
        node.eval
    }

    /// Looks for an open or double four that the other side threatens, where it has no five.
    fn answer_open_four(&self, node: &mut Node) {
        if node.is_block() {
            return;
        }
        let Some(defences) = open_four_defences(self.position.threats()) else { return };
        let sets = self.sets();
        let fours = Threat::FOURS.into_iter().filter(|&threat| sets.count(node.mover, threat) > 0);
        let answers = fours.fold(defences, |points, threat| points.union(sets.set(node.mover, threat)));
        // The root has a move in any case: a lost side plays on.
        let is_lost_root = answers.is_empty() && node.ply == 0;
        node.forced = Forced::Answer(if is_lost_root { moves::near(self.position.board()) } else { answers });
    }

    /// The score of a node without a threat to answer: far above beta (reverse futility), or far below alpha (razoring:
    /// VCF or the evaluation).
    fn prune(&mut self, node: &Node) -> Option<Score> {
        let &Node { depth, alpha, beta, eval, improving, .. } = node;
        if node.is_pv() || !node.is_free() || node.excluded.is_some() {
            return None;
        }
        if depth <= parameters::REVERSE_FUTILITY_DEPTH
            && !beta.is_decided()
            && eval - parameters::reverse_futility(depth, improving) >= beta
        {
            return Some(eval);
        }
        let is_hopeless =
            depth <= parameters::RAZORING_DEPTH && !alpha.is_decided() && eval + parameters::razoring(depth) <= alpha;
        is_hopeless.then(|| self.fours_or_eval(node))
    }

    /// The plies by which the table's move is searched deeper, by a search that leaves it out: one more where all other moves
    /// are clearly worse (singular extension), one less where they are not and the table says that it reaches beta. A score
    /// where others reach beta too, by the same margin (multi-cut).
    fn extension(&mut self, node: &Node) -> Result<i32, Score> {
        let &Node { ply, depth, .. } = node;
        let (Some(point), Some(entry)) = (node.table_move, node.entry) else { return Ok(0) };
        if !node.is_free()
            || node.excluded.is_some()
            || ply == 0
            || depth < parameters::SINGULAR_DEPTH
            || entry.bound == Bound::Upper
            || i32::from(entry.depth) + parameters::SINGULAR_LAG < depth
            || entry.score.is_decided()
        {
            return Ok(0);
        }
        let beta = entry.score - parameters::singular(depth);
        self.stack[ply as usize].excluded = Some(point);
        let score = self.node(NodeKind::Cut, ply, (depth - 1) / 2, beta - 1, beta);
        self.stack[ply as usize].excluded = None;
        if score < beta {
            Ok(1)
        } else if !node.is_pv() && beta >= node.beta {
            Err(beta)
        } else {
            Ok(-i32::from(entry.score >= node.beta))
        }
    }

    pub(super) fn sets(&self) -> &ThreatSets {
        self.position.threats().sets()
    }
}
