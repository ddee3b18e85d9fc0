//! Extensions: the singular extension of the table move, and the multi-cut that the same search finds.

use super::node::{Node, NodeKind};
use super::search::Searcher;
use super::table::Bound;
use crate::eval::Evaluator;
use crate::score::Score;

/// Minimum depth for a singular extension. Set by hand.
const SINGULAR_DEPTH: i32 = 7;

/// Plies by which the table's entry may be shallower than the node. Set by hand.
const SINGULAR_LAG: i32 = 3;

/// Score by which all other moves must stay below the table's. Set by hand.
const fn singular_margin(depth: i32) -> i32 {
    2 * depth
}

impl<E: Evaluator> Searcher<'_, E> {
    /// The plies by which the table move is searched deeper, found by a search without it. One more where all other moves
    /// are clearly worse (singular extension), one less where they are not and the table's score reaches beta. An error,
    /// the score of the node, where others reach beta by the same margin (multi-cut). The last two: +35 [-5, +75] in 200
    /// games.
    #[inline]
    pub(super) fn extension(&mut self, node: &Node) -> Result<i32, Score> {
        let &Node { ply, depth, .. } = node;
        let (Some(point), Some(entry)) = (node.table_move, node.entry) else { return Ok(0) };
        if !node.is_free()
            || node.excluded.is_some()
            || ply == 0
            || depth < SINGULAR_DEPTH
            || entry.bound == Bound::Upper
            || i32::from(entry.depth) + SINGULAR_LAG < depth
            || entry.score.is_decided()
        {
            return Ok(0);
        }
        let beta = entry.score - singular_margin(depth);
        self.stack[ply as usize].excluded = Some(point);
        let score = self.node(NodeKind::Cut, ply, (depth - 1) / 2, beta - 1, beta);
        self.stack[ply as usize].excluded = None;
        if self.stopped {
            Err(Score::ZERO)
        } else if score < beta {
            Ok(1)
        } else if !node.is_pv() && beta >= node.beta {
            Err(beta)
        } else {
            Ok(-i32::from(entry.score >= node.beta))
        }
    }
}
