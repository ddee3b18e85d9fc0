//! The parameters of the tree search.
//!
//! Where a match has set a parameter, its result stands beside it and in `docs/mcts.md` with its command. The others are
//! hand-set: usual numbers of the field, that no match has tried another for.

/// The weight of a prior against a value in the choice of a child (the constant of PUCT), for values from 0 to 1. 0.7 came to
/// 0 [-85, +85] against it in 60 games at 300 playouts a move, 1.5 to -99 [-255, +25] in 19, and 0.4 to -199 [-300, -121]
/// against 0.7 in 60.
pub(super) const EXPLORATION: f32 = 1.0;

/// First-play urgency: how much less than its parent a child without a visit is worth, times the root of the priors that
/// have been visited. 0 came to -98 [-180, -25] against it in 80 games at 300 playouts a move, 0.5 to
/// -30 [-103, +40].
pub(super) const FIRST_PLAY_REDUCTION: f32 = 0.25;

/// What the logarithms of the odds of the moves are divided by before they become priors: greater is flatter. 1.0 came to
/// -29 [-91, +31] against it in 60 games at 300 playouts a move, 2.0 to -30 [-96, +33] in 80.
pub(super) const PRIOR_TEMPERATURE: f32 = 1.5;

/// Moves of a node without a threat to answer: the first in the order of priors. The others follow where all of these are
/// proved lost.
pub(super) const WIDTH: usize = 40;

/// Visits after which a node gets its children: one has judged it. A node takes some hundreds of bytes with its children,
/// and most are visited once.
pub(super) const EXPANSION_VISITS: u32 = 1;

/// The greatest number of plies of a playout in the tree: deeper nodes are judged as they stand.
pub(super) const DEEPEST: usize = 128;

/// Playouts for each ply of a limit of depth, after which a search ends whose main line has not come to that depth.
pub(super) const DEPTH_PLAYOUTS: u64 = 2000;

/// Visits of the root at which a search ends in any case: counters of 32 bits hold twice as many.
pub(super) const MOST_VISITS: u32 = 1 << 31;

/// The share of Dirichlet noise in the priors of the root of a search of self-play (AlphaZero).
pub(super) const NOISE_SHARE: f32 = 0.25;

/// The concentration of that noise, divided by the number of moves (AlphaZero: 0.03 with some 360 moves of Go).
pub(super) const NOISE_CONCENTRATION: f32 = 10.0;
