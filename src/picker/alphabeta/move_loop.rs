//! The moves of one node: searched one after another, and what they say of the node.

use arrayvec::ArrayVec;

use super::moves::{self, Moves};
use super::node::{Forced, Node, NodeKind};
use super::parameters::{self, MAX_PLY};
use super::search::Searcher;
use super::table::{Bound, Entry};
use crate::board::{Point, PointSet};
use crate::eval::Evaluator;
use crate::score::Score;
use crate::threat::Threat;

/// The moves of a node that were searched, and the best of them.
struct Searched {
    /// The best score, also where it is below alpha.
    best: Score,
    /// The move that has raised alpha last.
    best_move: Option<Point>,
    alpha: Score,
    count: usize,
    /// The greatest number of a move; the table's move has none.
    greatest: i32,
    /// By how much the number of the present move is less.
    gap: i32,
    /// The first moves that did not reach beta.
    tried: ArrayVec<Point, TRIED>,
}

/// Moves that lose history where a later one reaches beta.
const TRIED: usize = 64;

impl<E: Evaluator> Searcher<'_, E> {
    /// Searches the moves of a node one after another, and stores the result.
    pub(super) fn search_moves(&mut self, node: &Node, extension: i32) -> Score {
        let mut points = match node.forced {
            Forced::Free => moves::near(self.position.board()),
            Forced::Block(points) | Forced::Answer(points) => points,
        };
        let mut searched = Searched {
            best: -Score::INFINITE,
            best_move: None,
            alpha: node.alpha,
            count: 0,
            greatest: i32::MIN,
            gap: 0,
            tried: ArrayVec::new(),
        };
        // The table's move is searched before the others are scored: it often reaches beta.
        let table_move = node.table_move.filter(|&point| points.contains(point));
        let is_done = table_move.is_some_and(|point| {
            points.remove(point);
            self.try_move(node, &mut searched, point, extension)
        });
        if !is_done {
            self.search_scored_moves(node, &mut searched, &points);
        }
        if self.stopped {
            return searched.best.max(Score::loss_at(MAX_PLY));
        }
        if searched.count == 0 {
            return self.no_legal_moves(node);
        }
        self.store(node, &searched);
        searched.best
    }

    /// Scores the moves other than the table's and searches them, the greatest number first, until one reaches beta or the
    /// rest is left out.
    fn search_scored_moves(&mut self, node: &Node, searched: &mut Searched, points: &PointSet) {
        let mut moves = Moves::new();
        let last = node.ply.checked_sub(1).and_then(|ply| self.stack[ply as usize].played);
        moves::score_moves(&mut moves, &mut self.position, points, last, self.history);
        for index in 0..moves.len() {
            let Some(key) = moves::pick_next(&mut moves, index) else { break };
            searched.greatest = searched.greatest.max(key.number());
            searched.gap = searched.greatest - key.number();
            let may_leave_out = node.ply > 0 && !searched.best.is_loss();
            if may_leave_out && searched.count >= parameters::move_count(node.depth, node.improving) {
                break;
            }
            if self.try_move(node, searched, key.point(), 0) {
                break;
            }
        }
    }

    /// Searches a move unless it is excluded or forbidden; tells whether the node is done: beta is reached, or the search
    /// stopped.
    fn try_move(&mut self, node: &Node, searched: &mut Searched, point: Point, extension: i32) -> bool {
        if Some(point) == node.excluded || self.position.is_forbidden(point, node.mover) {
            return false;
        }
        let score = self.search_move(node, searched, point, extension);
        self.stopped || self.record(node, searched, point, score)
    }

    /// Plays a move and searches the node behind it: the first in full, the others reduced at first.
    fn search_move(&mut self, node: &Node, searched: &Searched, point: Point, extension: i32) -> Score {
        // The answer to a four is hardly a choice: it costs no depth.
        let mut depth = if node.is_block() { node.depth } else { node.depth - 1 } + extension;
        if node.is_pv() && !node.is_block() && node.depth >= parameters::RAISED_DEPTH && searched.best_move.is_some() {
            depth -= 1;
        }
        let reduction = self.reduction(node, searched, point, depth);
        self.stack[node.ply as usize].played = Some(point);
        if node.ply == 0 {
            self.shared.limits.control.set_root_move(point);
        }
        self.position.play(point);
        let score = if searched.count == 0 {
            let kind = if node.is_pv() { NodeKind::Pv } else { node.kind.child() };
            -self.node(kind, node.ply + 1, depth, -node.beta, -searched.alpha)
        } else {
            self.search_later_move(node, searched.alpha, depth, reduction)
        };
        self.position.undo();
        score
    }

    /// Searches a later move by PVS: reduced, then at full depth if it beats alpha, then with the full window in a PV
    /// node.
    fn search_later_move(&mut self, node: &Node, alpha: Score, depth: i32, reduction: i32) -> Score {
        let ply = node.ply + 1;
        let kind = if node.is_pv() { NodeKind::Cut } else { node.kind.child() };
        let mut score = -self.node(NodeKind::Cut, ply, depth - reduction, -alpha - 1, -alpha);
        if score > alpha && reduction > 0 {
            score = -self.node(kind, ply, depth, -alpha - 1, -alpha);
        }
        if node.is_pv() && score > alpha && score < node.beta {
            score = -self.node(NodeKind::Pv, ply, depth, -node.beta, -alpha);
        }
        score
    }

    /// The late-move reduction (LMR), in plies, of at most `depth` − 1.
    fn reduction(&self, node: &Node, searched: &Searched, point: Point, depth: i32) -> i32 {
        let move_number = searched.count;
        if move_number == 0 || node.depth < 2 || node.is_block() {
            return 0;
        }
        let (own, other) = (self.sets().threat(point, node.mover), self.sets().threat(point, !node.mover));
        let is_tactical = own >= Threat::OpenThree || other >= Threat::DoubleThree;
        let mut reduction = parameters::reduction(node.depth, move_number, node.improving, searched.gap);
        reduction += match node.kind {
            NodeKind::Pv => -1.0,
            NodeKind::Cut => 1.0,
            NodeKind::All => 0.0,
        };
        if own >= Threat::Four {
            reduction = reduction.min(1.0);
        } else if is_tactical || !node.is_free() {
            reduction -= 1.0;
        } else {
            reduction -= f64::from(self.history.quiet(node.mover, point)) / parameters::HISTORY_PLY;
        }
        (reduction.floor() as i32).clamp(0, (depth - 1).max(0))
    }

    /// Takes in the score of a move; tells whether it reaches beta.
    fn record(&mut self, node: &Node, searched: &mut Searched, point: Point, score: Score) -> bool {
        searched.count += 1;
        searched.best = searched.best.max(score);
        if node.ply == 0 && score.is_loss() {
            self.shared.limits.control.add_lost_move(point);
        }
        if score > searched.alpha {
            searched.alpha = score;
            searched.best_move = Some(point);
            if node.ply == 0 {
                self.best = Some(point);
            }
            if score >= node.beta {
                return true;
            }
        }
        // Moves beyond `TRIED` are not recorded: they are seldom good.
        let _ = searched.tried.try_push(point);
        false
    }

    /// The score of a node whose moves are all forbidden or left out.
    fn no_legal_moves(&self, node: &Node) -> Score {
        if node.excluded.is_some() {
            node.alpha
        } else if node.is_block() {
            Score::loss_at(node.ply + 2)
        } else if self.position.board().stone_count() == 0 {
            node.eval
        } else {
            // Nothing answers the open four.
            Score::loss_at(node.ply + 4)
        }
    }

    /// Stores a searched node in the table, and what it says of its moves in the history.
    fn store(&mut self, node: &Node, searched: &Searched) {
        let &Searched { best, best_move, .. } = searched;
        if best >= node.beta && node.is_free() {
            self.learn(node, best_move, &searched.tried);
        }
        if node.excluded.is_none() {
            let bound = match () {
                () if best >= node.beta => Bound::Lower,
                () if best > node.alpha => Bound::Exact,
                () => Bound::Upper,
            };
            let (score, depth) = (best.relative_to_node(node.ply), node.depth.clamp(0, 255) as u8);
            let entry = Entry { best: best_move, score, eval: node.eval, depth, bound };
            self.shared.table.put(self.position.board().key(), entry);
        }
    }

    /// Rewards the move that reached beta, as counter move too, and penalizes the tried ones.
    fn learn(&mut self, node: &Node, best: Option<Point>, tried: &[Point]) {
        let Some(best) = best else { return };
        let bonus = parameters::history_bonus(node.depth);
        self.history.learn(node.mover, best, bonus);
        for &point in tried.iter().filter(|&&point| point != best) {
            self.history.learn(node.mover, point, -bonus / 2);
        }
        if let Some(last) = node.ply.checked_sub(1).and_then(|ply| self.stack[ply as usize].played) {
            self.history.set_counter(node.mover, last, best);
        }
    }
}
