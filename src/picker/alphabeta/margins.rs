//! Every margin of the search: one named function each.

use std::sync::LazyLock;

use crate::solver::Budget;

/// Plies that a search can reach; deeper nodes are evaluated as they stand.
pub(super) const MAX_PLY: u32 = 128;

/// Half the first aspiration window.
pub(super) const ASPIRATION: i32 = 24;

/// The depth from which on windows are aspired to.
pub(super) const ASPIRATION_DEPTH: i32 = 5;

/// Depth up to which a node far above beta is cut without a search.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;

/// How far above beta it must stand.
pub(super) const fn reverse_futility(depth: i32, improving: bool) -> i32 {
    60 * (if improving { depth - 1 } else { depth })
}

/// Depth up to which a node far below alpha is tried by continuous fours alone.
pub(super) const RAZORING_DEPTH: i32 = 3;

/// How far below alpha it must stand.
pub(super) const fn razoring(depth: i32) -> i32 {
    80 + 90 * depth
}

/// Depth up to which late quiet moves are left out.
pub(super) const MOVE_COUNT_DEPTH: i32 = 10;

/// After how many moves.
pub(super) const fn move_count(depth: i32, improving: bool) -> usize {
    let count = 5 + depth * depth;
    (if improving { count } else { count * 2 / 3 }) as usize
}

/// Depth from which on a table move that stands out is searched deeper.
pub(super) const SINGULAR_DEPTH: i32 = 7;

/// How far the other moves must stay below it.
pub(super) const fn singular(depth: i32) -> i32 {
    2 * depth
}

/// Plies by which a late move is searched less: ln(depth) · ln(move number) / 2.
pub(super) fn reduction(depth: i32, move_number: usize) -> i32 {
    static TABLE: LazyLock<Vec<Vec<i32>>> = LazyLock::new(|| {
        let entry =
            |depth: usize, number: usize| (0.4 + (depth.max(1) as f64).ln() * (number.max(1) as f64).ln() / 1.9) as i32;
        (0..64).map(|depth| (0..64).map(|number| entry(depth, number)).collect()).collect()
    });
    TABLE[depth.clamp(0, 63) as usize][move_number.min(63)]
}

/// What a search for continuous fours may cost at a leaf.
pub(super) const LEAF_FOURS: Budget = Budget { nodes: 24, fours: 12 };

/// What it may cost at the root, by the time for the move: a node takes some microseconds, the whole some hundredths.
pub(super) fn root_fours(time: Option<std::time::Duration>) -> Budget {
    const MOST: u64 = 20_000;
    const PER_MILLISECOND: u128 = 8;
    let nodes =
        time.map_or(MOST, |time| u64::try_from(time.as_millis() * PER_MILLISECOND).map_or(MOST, |n| n.min(MOST)));
    Budget { nodes, fours: 40 }
}

/// Continuous threats from the root take one part in so many of the time and of the nodes.
pub(super) const THREATS_SHARE: u32 = 25;

/// Nodes for them where there is no clock: some milliseconds.
pub(super) const TIMELESS_THREATS: u64 = 4000;
