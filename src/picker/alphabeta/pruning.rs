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
        {
            return Break(eval);
        }
        if depth <= RAZORING_DEPTH && !alpha.is_decided() && eval + razoring_margin(depth) <= alpha {
            return Break(self.fours_or_eval(node));
        }
        Continue(())
    }
}
