//! Every margin of the search: one named function each.

use std::sync::LazyLock;

use crate::solver::Budget;

/// knob
pub(super) fn knob_value(name: &str, default: f64) -> f64 {
    static K: LazyLock<std::collections::HashMap<String, f64>> = LazyLock::new(|| {
        std::env::var("TG")
            .unwrap_or_default()
            .split(',')
            .filter_map(|w| w.split_once('='))
            .map(|(a, b)| (a.to_string(), b.parse().unwrap()))
            .collect()
    });
    K.get(name).copied().unwrap_or(default)
}
macro_rules! knob {
    ($name:ident, $default:expr) => {{
        static V: std::sync::LazyLock<f64> =
            std::sync::LazyLock::new(|| $crate::picker::alphabeta::margins::knob_value(stringify!($name), $default));
        *V
    }};
}
pub(super) use knob;

/// Plies that a search can reach; deeper nodes are evaluated as they stand.
pub(super) const MAX_PLY: u32 = 128;

/// Half the first aspiration window.
pub(super) const ASPIRATION: i32 = 24;

/// The depth from which on windows are aspired to.
pub(super) const ASPIRATION_DEPTH: i32 = 5;

/// Depth up to which a node far above beta is cut without a search.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;

/// How far above beta it must stand.
pub(super) fn reverse_futility(depth: i32, improving: bool) -> i32 {
    knob!(rfp, 60.0) as i32 * (if improving { depth - 1 } else { depth })
}

/// Depth up to which a node far below alpha is tried by continuous fours alone.
pub(super) const RAZORING_DEPTH: i32 = 3;

/// How far below alpha it must stand.
pub(super) fn razoring(depth: i32) -> i32 {
    knob!(raz_a, 80.0) as i32 + knob!(raz_b, 90.0) as i32 * depth
}

/// Depth up to which late quiet moves are left out.
pub(super) const MOVE_COUNT_DEPTH: i32 = 10;

/// After how many moves.
pub(super) fn move_count(depth: i32, improving: bool) -> usize {
    static T: LazyLock<Vec<[usize; 2]>> = LazyLock::new(|| {
        (0..256)
            .map(|d| {
                let count = knob!(mc_a, 5.0) + f64::from(d).powf(knob!(mc_p, 2.0));
                [(count * knob!(mc_n, 0.667)) as usize, count as usize]
            })
            .collect()
    });
    T[depth.max(0) as usize][usize::from(improving)]
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
        let entry = |depth: usize, number: usize| {
            (knob!(lmr_a, 0.4) + (depth.max(1) as f64).ln() * (number.max(1) as f64).ln() * knob!(lmr_b, 0.526)) as i32
        };
        (0..64).map(|depth| (0..64).map(|number| entry(depth, number)).collect()).collect()
    });
    TABLE[depth.clamp(0, 63) as usize][move_number.min(63)]
}

/// What a search for continuous fours may cost at a leaf.
pub(super) fn leaf_fours() -> Budget {
    Budget { nodes: knob!(vcf, 24.0) as u64, fours: 12 }
}

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
