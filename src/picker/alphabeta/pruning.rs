//! Pruning: reverse futility, razoring, late move pruning.
//!
//! Here, in `reductions.rs` and in `extensions.rs` the comment on a parameter gives the match that set it: Elo with the
//! 95 % interval, in freestyle games of `tengen-arena` at 8,000 or 10,000 nodes a move unless stated otherwise.
//! Parameters without a match are set by hand. What else was tried: `docs/lab/search.md`.

use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::LazyLock;

use super::node::Node;
use super::search::{MAX_PLY, Searcher};
use crate::eval::Evaluator;
use crate::picker::tactics;
use crate::score::Score;

/// Greatest depth of reverse futility pruning. Set by hand.
const REVERSE_FUTILITY_DEPTH: i32 = 8;

/// Margin above beta of reverse futility pruning. 80 a ply: +56 [-5, +121] against 60 in 100 games.
const fn reverse_futility_margin(depth: i32, improving: bool) -> i32 {
    80 * (if improving { depth - 1 } else { depth })
}

/// Greatest depth of razoring. Set by hand.
const RAZORING_DEPTH: i32 = 3;

/// Margin below alpha of razoring. Set by hand.
const fn razoring_margin(depth: i32) -> i32 {
    80 + 90 * depth
}

/// Number of moves after which late move pruning skips the rest of a node, unless all of them lose: 3 + depth^1.6, half
/// as many if the evaluation does not improve. Exponent 1.4 against 5 + ⅔ depth² quiet moves: +195 [+133, +273] in 100
/// games; 1.6 against 1.4: +25 [-28, +80] in 140 games at 30,000 nodes.
pub(super) fn late_move_count(depth: i32, improving: bool) -> usize {
    static COUNTS: LazyLock<Vec<usize>> =
        LazyLock::new(|| (0..=MAX_PLY).map(|depth| 3 + f64::from(depth).powf(1.6) as usize).collect());
    let count = COUNTS[depth.clamp(0, MAX_PLY as i32) as usize];
    if improving { count } else { count / 2 }
}

impl<E: Evaluator> Searcher<'_, E> {
    /// Ends a node off the PV that has no threat to answer: far above beta (reverse futility), or far below alpha
    /// (razoring: VCF or the evaluation).
    #[inline]
    pub(super) fn prune(&mut self, node: &Node) -> ControlFlow<Score> {
        let &Node { depth, alpha, beta, eval, improving, .. } = node;
        if node.is_pv() || !node.is_free() || node.excluded.is_some() {
            return Continue(());
        }
        if depth <= REVERSE_FUTILITY_DEPTH
            && !beta.is_decided()
            && eval - reverse_futility_margin(depth, improving) >= beta
            && !tactics::is_trap_threatened(self.position.threats())
        {
            self.store_eval(node);
            return Break(eval);
        }
        if depth <= RAZORING_DEPTH && !alpha.is_decided() && eval + razoring_margin(depth) <= alpha {
            return Break(self.fours_or_eval(node));
        }
        Continue(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::history::History;
    use super::super::node::NodeKind;
    use super::super::search::Shared;
    use super::super::table::{Bound, Entry, Table};
    use super::*;
    use crate::board::{Board, Rule, Size};
    use crate::eval::Classical;
    use crate::notation::parse_comma;
    use crate::picker::Limits;
    use crate::picker::book::Advice;
    use crate::position::Position;
    use crate::solver::Vcf;

    /// Gives a searcher of a position to some work.
    fn with_searcher<T>(board: Board, work: impl FnOnce(&mut Searcher<'_, Classical>) -> T) -> T {
        let shared = Shared::new(Arc::new(Table::new(1 << 16)), &Limits::default(), 0, Advice::default());
        let (mut history, mut vcf) = (History::default(), Vcf::default());
        work(&mut Searcher::new(Position::new(board, ()), &shared, &mut history, &mut vcf))
    }

    #[test]
    fn a_threat_to_make_a_four_whose_block_is_forbidden_is_not_pruned() {
        // White's four at 7,7 leaves black the block at 8,7, which would make two open threes.
        let moves = "3,7 4,7 8,6 5,7 8,8 6,7 7,6 0,14 9,8 14,14";
        for (rule, is_pruned) in [(Rule::Renju, false), (Rule::Standard, true)] {
            let mut board = Board::new(Size::FIFTEEN, rule);
            moves.split(' ').for_each(|name| board.play(parse_comma(name).unwrap()));
            with_searcher(board, |searcher| {
                let beta = Score::from_eval(-200);
                let Continue(mut node) = searcher.terminal(NodeKind::Cut, 1, 1, beta - 1, beta) else { panic!() };
                node.eval = Score::from_eval(1000);
                assert_eq!(searcher.prune(&node), if is_pruned { Break(node.eval) } else { Continue(()) });
            });
        }
    }

    #[test]
    fn fours_that_have_failed_at_a_leaf_are_not_tried_again_by_razoring() {
        // Black's four at 7,7 makes a three. White could make a four, so the fork alone does not decide.
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        let moves = "4,7 3,7 5,7 0,0 6,7 0,1 7,5 0,2 7,6 14,14";
        moves.split(' ').for_each(|name| board.play(parse_comma(name).unwrap()));
        with_searcher(board, |searcher| {
            let alpha = Score::from_eval(1000);
            let Continue(mut node) = searcher.terminal(NodeKind::All, 1, 1, alpha, alpha + 1) else { panic!() };
            assert!(matches!(searcher.prune(&node), Break(score) if score.is_win()));
            let eval = Score::from_eval(7);
            node.eval = eval;
            node.entry = Some(Entry { best: None, score: eval, eval, depth: 0, bound: Bound::Exact });
            let before = searcher.nodes;
            assert_eq!((searcher.prune(&node), searcher.nodes), (Break(eval), before));
        });
    }

    #[test]
    fn a_node_that_was_only_evaluated_is_still_searched_for_fours() {
        // Black's 7,7 makes a four and a three.
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        let moves = "4,7 3,7 5,7 0,0 6,7 0,1 7,5 0,2 7,6 14,14";
        moves.split(' ').for_each(|name| board.play(parse_comma(name).unwrap()));
        // Reverse futility prunes the first node, the second is a leaf above beta.
        for depth in [1, 0] {
            with_searcher(board.clone(), |searcher| {
                let low = Score::from_eval(-20_000);
                assert!(!searcher.node(NodeKind::Cut, 1, depth, low - 1, low).is_win());
                let entry = searcher.shared.table.get(board.key());
                assert!(entry.is_some_and(Entry::is_eval_only), "{entry:?}");
                let high = Score::from_eval(20_000);
                assert!(searcher.node(NodeKind::Cut, 1, 0, high - 1, high).is_win());
            });
        }
    }
}
