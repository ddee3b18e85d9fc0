//! Reductions: late moves (LMR), moves after one that raised alpha, nodes without a table move (IIR).

use std::sync::LazyLock;

use super::move_loop::Searched;
use super::node::{Node, NodeKind};
use super::search::Searcher;
use crate::board::Point;
use crate::eval::Evaluator;
use crate::threat::Threat;

/// Minimum depth of the internal iterative reduction: a node without a table move is searched a ply less deep. Set by
/// hand.
const IIR_DEPTH: i32 = 5;

/// Minimum depth at which a PV node reduces its moves by a ply once one has raised alpha: +13 [-28, +54] in 160 games
/// at 20,000 nodes.
const RAISED_DEPTH: i32 = 3;

/// Constant part of the reduction of a late move, in plies. Set by hand.
const LMR_BASE: f64 = 0.4;

/// Plies of the reduction for each unit of ln(depth) · ln(move number). +53 [-4, +112] in 100 games against 0.45.
const LMR_SLOPE: f64 = 0.9;

/// Plies added if the evaluation does not improve. With the limits of the gap and [`HISTORY_PLY`]: +44 [+11, +77] in
/// 240 games at 40,000 nodes.
const NOT_IMPROVING: f64 = 0.4;

/// Gap that leaves the reduction unchanged. The gap of a move is the distance of its order score to the greatest of its
/// node; 100 multiplies the odds to be the best by e. Set by hand.
const USUAL_GAP: i32 = 300;

/// Gap for one more ply. Using the gap at all: +56 [+18, +96] in 200 games with the network.
const GAP_PLY: f64 = 500.0;

/// Maximum number of plies that a small gap subtracts. Set with [`NOT_IMPROVING`].
const LIKELY_PLIES: f64 = 1.0;

/// Maximum number of plies that a large gap adds. Set with [`NOT_IMPROVING`].
const UNLIKELY_PLIES: f64 = 3.0;

/// History score that changes the reduction by a ply. Set with [`NOT_IMPROVING`].
const HISTORY_PLY: f64 = 1350.0;

/// The reduction of a late move by its depth, its number and its gap, in plies.
fn late_move_reduction(depth: i32, move_number: usize, improving: bool, gap: i32) -> f64 {
    static LOGARITHMS: LazyLock<[f64; 64]> =
        LazyLock::new(|| std::array::from_fn(|number| (number.max(1) as f64).ln()));
    let logarithm = |number: usize| LOGARITHMS[number.min(63)];
    let by_gap = (f64::from(gap - USUAL_GAP) / GAP_PLY).clamp(-LIKELY_PLIES, UNLIKELY_PLIES);
    let usual = LMR_BASE + LMR_SLOPE * logarithm(depth.max(0) as usize) * logarithm(move_number);
    (usual + by_gap).max(0.0) + if improving { 0.0 } else { NOT_IMPROVING }
}

/// The reduction of a whole node in plies.
pub(super) fn node_reduction(node: &Node) -> i32 {
    i32::from(node.is_free() && node.table_move.is_none() && node.depth >= IIR_DEPTH)
}

/// The reduction in plies of the moves of a PV node after one that raised alpha.
pub(super) fn raised_reduction(node: &Node, searched: &Searched) -> i32 {
    let is_reduced = node.is_pv() && !node.is_block() && node.depth >= RAISED_DEPTH && searched.best_move.is_some();
    i32::from(is_reduced)
}

impl<E: Evaluator> Searcher<'_, E> {
    /// The late move reduction (LMR) of a move that would be searched to `depth`, in plies, at most `depth` − 1.
    pub(super) fn reduction(&self, node: &Node, searched: &Searched, point: Point, depth: i32) -> i32 {
        let move_number = searched.count;
        if move_number == 0 || node.depth < 2 || node.is_block() {
            return 0;
        }
        let (own, other) = (self.sets().threat(point, node.mover), self.sets().threat(point, !node.mover));
        let is_tactical = own >= Threat::OpenThree || other >= Threat::DoubleThree;
        let mut reduction = late_move_reduction(node.depth, move_number, node.improving, searched.gap);
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
            reduction -= f64::from(self.history.score(node.mover, point)) / HISTORY_PLY;
        }
        (reduction.floor() as i32).clamp(0, (depth - 1).max(0))
    }
}
