//! The move loop of a node: searches its moves in order, and scores and stores the node.

use std::ops::ControlFlow::{self, Break, Continue};

use arrayvec::ArrayVec;

use super::moves::{self, Moves};
use super::node::{Forced, Node, NodeKind};
use super::pruning::late_move_count;
use super::reductions::raised_reduction;
use super::search::{MAX_PLY, Searcher};
use super::table::{Bound, Entry};
use crate::board::{Point, PointSet};
use crate::eval::Evaluator;
use crate::picker::tactics::{self, UNANSWERED_FOUR, UNBLOCKED_FIVE};
use crate::score::Score;

/// The moves of a node that were searched, and the best of them.
pub(super) struct Searched {
    /// The best score. It may be below alpha.
    pub(super) best: Score,
    /// The last move that raised alpha.
    pub(super) best_move: Option<Point>,
    alpha: Score,
    /// The number of moves that were searched.
    pub(super) count: usize,
    /// The greatest order score of a searched move. The table move has no order score.
    greatest: i32,
    /// The gap of the current move: the distance of its order score to the greatest.
    pub(super) gap: i32,
    /// The first moves that did not reach beta.
    tried: ArrayVec<Point, TRIED>,
}

/// Moves that lose history score if a later one reaches beta.
const TRIED: usize = 64;

impl Searched {
    fn new(alpha: Score) -> Self {
        let best = -Score::INFINITE;
        Self { best, best_move: None, alpha, count: 0, greatest: i32::MIN, gap: 0, tried: ArrayVec::new() }
    }
}

impl<E: Evaluator> Searcher<'_, E> {
    /// Searches the moves of a node one after another. Breaks with a score if the search was stopped, or if the node has
    /// no legal move.
    #[inline]
    pub(super) fn search_moves(&mut self, node: &Node, extension: i32) -> ControlFlow<Score, Searched> {
        let mut points = match node.forced {
            Forced::Free => tactics::near(self.position.board()),
            Forced::Block(points) | Forced::Answer(points) => points,
        };
        let mut searched = Searched::new(node.alpha);
        if node.ply == 0 && self.shared.advice.avoids_moves() {
            points = self.shared.advice.keep(self.position.threats().allowed(&points));
        }
        // The table's move is searched before the others are scored: it often reaches beta.
        let table_move = node.table_move.filter(|&point| points.contains(point));
        let mut is_done = table_move.is_some_and(|point| {
            points.remove(point);
            self.try_move(node, &mut searched, point, extension)
        });
        if node.ply == 0 && !is_done {
            is_done = self.search_book_moves(node, &mut searched, &mut points);
        }
        if !is_done {
            self.search_scored_moves(node, &mut searched, &points);
        }
        if self.stopped {
            Break(searched.best.max(Score::loss_at(MAX_PLY)))
        } else if searched.count == 0 {
            Break(self.no_legal_moves(node))
        } else {
            Continue(searched)
        }
    }

    /// Searches the moves of a book at the root, and removes them from the points. Returns whether the node is done.
    fn search_book_moves(&mut self, node: &Node, searched: &mut Searched, points: &mut PointSet) -> bool {
        let shared = self.shared;
        shared.advice.first.iter().any(|&point| {
            let is_left = points.contains(point);
            points.remove(point);
            is_left && self.try_move(node, searched, point, 0)
        })
    }

    /// Scores the moves other than the table's and searches them, the greatest order score first, until one reaches beta or
    /// the rest is pruned. Nothing is scored at a node with one move, which may have been the table's.
    fn search_scored_moves(&mut self, node: &Node, searched: &mut Searched, points: &PointSet) {
        if points.len() + searched.count <= 1 {
            for only in points.iter() {
                self.try_move(node, searched, only, 0);
            }
            return;
        }
        let mut moves = Moves::new();
        let last = self.last_move(node);
        moves::score_moves(&mut moves, &mut self.position, points, last, self.history);
        for index in 0..moves.len() {
            let Some(key) = moves::pick_next(&mut moves, index) else { break };
            searched.greatest = searched.greatest.max(key.score());
            searched.gap = searched.greatest - key.score();
            let may_prune = node.ply > 0 && !node.is_block() && !searched.best.is_loss();
            if may_prune && searched.count >= late_move_count(node.depth, node.improving) {
                break;
            }
            if self.try_move(node, searched, key.point(), 0) {
                break;
            }
        }
    }

    /// Searches a move unless it is excluded or forbidden. Returns whether the node is done: the score reached beta, or
    /// the search was stopped.
    fn try_move(&mut self, node: &Node, searched: &mut Searched, point: Point, extension: i32) -> bool {
        if Some(point) == node.excluded || self.position.is_forbidden(point, node.mover) {
            return false;
        }
        let score = self.search_move(node, searched, point, extension);
        self.stopped || self.record(node, searched, point, score)
    }

    /// Plays a move and searches the node after it. The first move is searched in full, later ones are reduced at
    /// first.
    fn search_move(&mut self, node: &Node, searched: &Searched, point: Point, extension: i32) -> Score {
        // The answer to a four is forced, so it costs no depth.
        let depth = if node.is_block() { node.depth } else { node.depth - 1 };
        let depth = depth + extension - raised_reduction(node, searched);
        let reduction = self.reduction(node, searched, point, depth);
        self.stack[node.ply as usize].played = Some(point);
        if node.ply == 0 {
            self.shared.limits.control.set_root_move(point);
        }
        self.shared.table.prefetch(self.position.board().key_after(point));
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
        if node.is_pv() && score > alpha && score < node.beta && !self.stopped {
            // If this search is stopped, the root keeps the better move, although its exact score is not known yet.
            let before = self.best;
            if node.ply == 0 {
                self.best = self.stack[0].played;
            }
            score = -self.node(NodeKind::Pv, ply, depth, -node.beta, -alpha);
            if node.ply == 0 && score <= alpha && !self.stopped {
                self.best = before;
            }
        }
        score
    }

    /// Updates the node with the score of a move. Returns whether the score reaches beta.
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
        // Moves beyond `TRIED` are rarely good and are not recorded.
        let _ = searched.tried.try_push(point);
        false
    }

    /// The score of a node whose moves are all forbidden or excluded.
    fn no_legal_moves(&self, node: &Node) -> Score {
        if node.excluded.is_some() {
            node.alpha
        } else if node.is_block() {
            Score::loss_at(node.ply + UNBLOCKED_FIVE)
        } else if self.position.board().stone_count() == 0 {
            node.eval
        } else {
            Score::loss_at(node.ply + UNANSWERED_FOUR)
        }
    }

    /// Stores a searched node in the table, and updates the history if it failed high without a threat to answer.
    pub(super) fn store(&mut self, node: &Node, searched: &Searched) {
        let &Searched { best, best_move, .. } = searched;
        if let Some(point) = best_move.filter(|_| best >= node.beta && node.is_free()) {
            let last = self.last_move(node);
            self.history.learn(node.mover, node.depth, point, &searched.tried, last);
        }
        // A root without the moves that a book avoids is not the position that later searches reach.
        let is_whole = node.excluded.is_none() && !(node.ply == 0 && self.shared.advice.avoids_moves());
        if is_whole {
            let bound = if best >= node.beta {
                Bound::Lower
            } else if best > node.alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let (score, depth) = (best.relative_to_node(node.ply), node.depth.clamp(0, 255) as u8);
            let entry = Entry { best: best_move, score, eval: node.eval, depth, bound };
            self.shared.table.put(self.position.board().key(), entry);
        }
    }

    /// The move before this node; `None` at the root.
    fn last_move(&self, node: &Node) -> Option<Point> {
        node.ply.checked_sub(1).and_then(|ply| self.stack[ply as usize].played)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::history::History;
    use super::super::search::{CLOCK_NODES, Shared};
    use super::super::table::Table;
    use super::*;
    use crate::board::{Board, Rule, Size};
    use crate::eval::Classical;
    use crate::notation::parse_comma;
    use crate::picker::Limits;
    use crate::picker::book::Advice;
    use crate::position::Position;
    use crate::solver::Vcf;

    /// Gives a searcher of a root with this advice to some work, until it has searched this many nodes. Returns the root and
    /// what the search has shared.
    fn at_root(advice: Advice, nodes: Option<u64>, work: impl FnOnce(&mut Searcher<'_, Classical>)) -> (Board, Shared) {
        let mut board = Board::new(Size::FIFTEEN, Rule::Renju);
        board.play(Size::FIFTEEN.centre());
        let limits = Limits { nodes, ..Limits::default() };
        let shared = Shared::new(Arc::new(Table::new(1 << 16)), &limits, 0, advice);
        let (mut history, mut vcf) = (History::default(), Vcf::default());
        let position = Position::<Classical>::new(board.clone(), ());
        work(&mut Searcher::new(position, &shared, &mut history, &mut vcf));
        (board, shared)
    }

    #[test]
    fn a_move_that_beats_the_best_is_chosen_if_its_exact_score_is_not_searched() {
        let (one, other) = (Size::FIFTEEN.point(6, 6), Size::FIFTEEN.point(8, 8));
        let best = |alpha: Score| {
            let mut best = None;
            at_root(Advice::default(), Some(CLOCK_NODES), |searcher| {
                let root = searcher.terminal(NodeKind::Pv, 0, 1, -Score::INFINITE, Score::INFINITE);
                let Continue(node) = root else { panic!("the root has moves to search") };
                let searched = Searched { count: 1, ..Searched::new(alpha) };
                searcher.best = one;
                // Room for the node with the narrow window.
                searcher.count(CLOCK_NODES - 2);
                searcher.search_move(&node, &searched, other.unwrap(), 0);
                assert_eq!(searcher.stopped, alpha < Score::ZERO);
                best = searcher.best;
            });
            best
        };
        assert_eq!(best(-Score::INFINITE), other);
        assert_eq!(best(Score::win_at(9)), one);
    }

    #[test]
    fn every_block_of_a_four_is_searched() {
        // White's five needs 3,7 and, because of the stone on 8,7, a free end at 2,7.
        let mut board = Board::new(Size::FIFTEEN, Rule::Caro);
        "8,7 4,7 0,2 5,7 0,4 6,7 0,6 7,7".split(' ').for_each(|name| board.play(parse_comma(name).unwrap()));
        let limits = Limits::default();
        let shared = Shared::new(Arc::new(Table::new(1 << 16)), &limits, 0, Advice::default());
        let (mut history, mut vcf) = (History::default(), Vcf::default());
        let position = Position::<Classical>::new(board, ());
        let mut searcher = Searcher::new(position, &shared, &mut history, &mut vcf);
        let root = searcher.terminal(NodeKind::All, 1, 0, -Score::INFINITE, Score::INFINITE);
        let Continue(node) = root else { panic!("{}", searcher.position.board()) };
        let Forced::Block(blocks) = node.forced else { panic!("{}", searcher.position.board()) };
        assert_eq!(blocks.len(), 2);
        let Continue(searched) = searcher.search_moves(&node, 0) else { panic!("not searched") };
        assert_eq!(searched.count, blocks.len());
    }

    /// The first root move that is searched with this advice: a search that is stopped ends with it.
    fn first_move(advice: Advice) -> Option<Point> {
        let (_, shared) = at_root(advice, None, |searcher| {
            searcher.stopped = true;
            let root = searcher.terminal(NodeKind::Pv, 0, 1, -Score::INFINITE, Score::INFINITE);
            let Continue(node) = root else { panic!("the root has moves to search") };
            assert!(matches!(searcher.search_moves(&node, 0), Break(_)));
        });
        shared.limits.control.root_move()
    }

    #[test]
    fn a_root_without_the_moves_that_a_book_avoids_is_not_stored() {
        let usual = first_move(Advice::default()).unwrap();
        for (avoided, is_stored) in [(None, true), (Some(usual), false)] {
            let advice = Advice { avoided: avoided.into_iter().collect(), ..Advice::default() };
            let (board, shared) = at_root(advice, None, |searcher| {
                searcher.node(NodeKind::Pv, 0, 2, -Score::INFINITE, Score::INFINITE);
            });
            assert_eq!(shared.table.get(board.key()).is_some(), is_stored);
        }
    }

    #[test]
    fn the_root_begins_with_the_best_move_of_its_own_thread() {
        let point = |x, y| Size::FIFTEEN.point(x, y);
        for (best, previous, entry, expected) in [
            (point(6, 6), point(9, 8), point(5, 5), point(6, 6)),
            (None, point(9, 8), point(5, 5), point(9, 8)),
            (None, None, point(5, 5), point(5, 5)),
        ] {
            at_root(Advice::default(), None, |searcher| {
                (searcher.best, searcher.previous_best) = (best, previous);
                let other = Entry { best: entry, ..Entry::eval_only(Score::ZERO) };
                searcher.shared.table.put(searcher.position.board().key(), other);
                let root = searcher.terminal(NodeKind::Pv, 0, 1, -Score::INFINITE, Score::INFINITE);
                let Continue(mut node) = root else { panic!("the root has moves to search") };
                assert!(matches!(searcher.probe_table(&mut node), Continue(())));
                assert_eq!(node.table_move, expected);
            });
        }
    }

    #[test]
    fn the_moves_of_a_book_are_searched_first_at_the_root() {
        let usual = first_move(Advice::default()).unwrap();
        for (x, y) in [(5, 5), (9, 8), (7, 9)] {
            let point = Size::FIFTEEN.point(x, y).unwrap();
            assert_ne!(point, usual);
            assert_eq!(first_move(Advice { first: vec![point, usual], ..Advice::default() }), Some(point));
        }
        // A move onto a stone is ignored.
        let centre = Size::FIFTEEN.centre();
        assert_eq!(first_move(Advice { first: vec![centre], ..Advice::default() }), Some(usual));
    }
}
