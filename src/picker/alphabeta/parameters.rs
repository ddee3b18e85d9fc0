//! The parameters of the search. Those of the order of moves stand in `moves.rs`.
//!
//! Where a match has set a parameter, its result stands beside it: Elo against the search without it or with another
//! number, with the interval of 95 %, in games of freestyle at 8,000 or 10,000 nodes a move (`tengen-arena`). The others
//! are hand-set: usual numbers of alpha-beta engines, scaled to this evaluation, that no match has tried.

use std::sync::LazyLock;
use std::time::Duration;

use crate::solver::Budget;

/// Plies that a search can reach; deeper nodes are evaluated as they stand.
pub(super) const MAX_PLY: u32 = 128;

/// The depth at which a search ends if nothing ends it before.
pub(super) const DEEPEST: u32 = MAX_PLY / 2;

/// Half the first aspiration window.
pub(super) const ASPIRATION: i32 = 24;

/// The factor by which a window that fails is opened on that side, up to [`ASPIRATION_END`].
pub(super) const ASPIRATION_GROWTH: i32 = 3;

/// The reach beyond which a window is opened to the end of all scores.
pub(super) const ASPIRATION_END: i32 = 800;

/// The depth from which on the root is searched with an aspiration window.
pub(super) const ASPIRATION_DEPTH: i32 = 5;

/// Depth up to which a node far above beta is cut without a search.
pub(super) const REVERSE_FUTILITY_DEPTH: i32 = 8;

/// How far above beta it must stand. 80 a ply: +56 [-5, +121] against 60 in 100 games, +58 [+11, +109] against 110 in 120.
pub(super) const fn reverse_futility(depth: i32, improving: bool) -> i32 {
    80 * (if improving { depth - 1 } else { depth })
}

/// Depth up to which a node far below alpha is tried by continuous fours alone.
pub(super) const RAZORING_DEPTH: i32 = 3;

/// How far below alpha it must stand.
pub(super) const fn razoring(depth: i32) -> i32 {
    80 + 90 * depth
}

/// Depth from which on a node without a table move is searched a ply less deep (internal iterative reduction).
pub(super) const IIR_DEPTH: i32 = 5;

/// After how many moves a node leaves out the others, threats or not, where one is known that does not lose:
/// 3 + depth ^ 1.6, half of it where the evaluation does not improve. +195 [+133, +273] in 100 games of depth ^ 1.4
/// against 5 + depth², two thirds of it, of quiet moves alone, up to depth 10; +25 [-28, +80] of 1.6 against 1.4 in 140
/// games at 30,000 nodes. What 2 + depth ^ 1.45 came to stands in docs/search.md.
pub(super) fn move_count(depth: i32, improving: bool) -> usize {
    static COUNTS: LazyLock<Vec<usize>> =
        LazyLock::new(|| (0..=MAX_PLY).map(|depth| 3 + f64::from(depth).powf(1.6) as usize).collect());
    let count = COUNTS[depth.clamp(0, MAX_PLY as i32) as usize];
    if improving { count } else { count / 2 }
}

/// Depth from which on a singular table move is extended by a ply.
pub(super) const SINGULAR_DEPTH: i32 = 7;

/// The plies by which the search that found the table move may have been shallower.
pub(super) const SINGULAR_LAG: i32 = 3;

/// The score by which the other moves must stay below it. What is done where they do not, multi-cut and a shallower table
/// move: +35 [-5, +75] in 200 games.
pub(super) const fn singular(depth: i32) -> i32 {
    2 * depth
}

/// Depth from which on a PV node searches the moves behind one that has raised alpha a ply less deep: +13 [-28, +54] in 160
/// games at 20,000 nodes; with the multi-cut and the shallower table move +20 [-22, +62] in 140 games at 40,000.
pub(super) const RAISED_DEPTH: i32 = 3;

/// Plies by which a late move is searched less: 0.4 + 0.9 ln(depth) ln(move number), 0.4 more where the evaluation does not
/// improve, and more or less by its gap, which is how far its number in the order of moves is below the greatest. +53
/// [-4, +112] against half the slope in 100 games; -21 [-81, +38] with 1.2. At 30,000 nodes -59 [-131, +9] with 0.75 in
/// 60, -9 [-65, +47] with 1.05 in 80.
pub(super) fn reduction(depth: i32, move_number: usize, improving: bool, gap: i32) -> f64 {
    static LOGARITHMS: LazyLock<[f64; 64]> =
        LazyLock::new(|| std::array::from_fn(|number| (number.max(1) as f64).ln()));
    let logarithm = |number: usize| LOGARITHMS[number.min(63)];
    let by_gap = (f64::from(gap - USUAL_GAP) / GAP_PLY).clamp(-LIKELY_PLIES, UNLIKELY_PLIES);
    let usual = 0.4 + 0.9 * logarithm(depth.max(0) as usize) * logarithm(move_number);
    (usual + by_gap).max(0.0) + if improving { 0.0 } else { NOT_IMPROVING_PLIES }
}

/// What the reduction grows by where the evaluation does not improve. Like the limits of the gap and the history of a ply it
/// was moved by a screen of 1,924 games in which all parameters changed at random. The four together: +44 [+11, +77] in
/// 240 games at 40,000 nodes.
const NOT_IMPROVING_PLIES: f64 = 0.4;

/// The gap that changes no reduction; 100 is a factor e of the odds to be the best, as in the order of moves.
const USUAL_GAP: i32 = 300;

/// The gap that adds a ply. With limits of 0.6 and 2 plies +56 [+18, +96] against reductions that do not read the gap, in
/// 200 games with the network; 250 and a limit of 1 below +10 [-32, +54] against that.
const GAP_PLY: f64 = 500.0;

/// The most plies that a small gap takes from a reduction.
const LIKELY_PLIES: f64 = 1.0;

/// The most plies that a great gap adds to it.
const UNLIKELY_PLIES: f64 = 3.0;

/// History numbers that change the reduction by a ply.
pub(super) const HISTORY_PLY: f64 = 1350.0;

/// What a refutation is worth in the history; the moves that were tried before it lose half of that.
pub(super) fn history_bonus(depth: i32) -> i32 {
    (4 * depth * depth).clamp(4, 1200)
}

/// What a search for continuous fours may cost at a leaf. In 100 games 12 nodes came to -38 [-99, +20], 48 to
/// -49 [-116, +15], while every four was tried. To leave out those that make no open two beside: +95 [+45, +149] in 120
/// games at 30,000 nodes; those that make no three: -9 [-60, +43] against that.
pub(super) const LEAF_FOURS: Budget = Budget { nodes: 24, fours: 12 };

/// What it may cost at the root, by the time for the move: a node takes some microseconds, the whole some hundredths.
/// No more than the nodes that are allowed.
pub(in crate::picker) fn root_fours(time: Option<Duration>, allowed: Option<u64>) -> Budget {
    const MOST: u64 = 20_000;
    const PER_MILLISECOND: u128 = 8;
    let nodes =
        time.map_or(MOST, |time| u64::try_from(time.as_millis() * PER_MILLISECOND).map_or(MOST, |n| n.min(MOST)));
    Budget { nodes: allowed.map_or(nodes, |allowed| nodes.min(allowed)), fours: 40 }
}

/// Nodes for them where there is no clock, and at a fixed depth, where no clock may decide: some milliseconds.
pub(super) const TIMELESS_THREATS: u64 = 4000;
