//! The parameters of the tree search.
//!
//! The comment on a parameter gives the match that set it: Elo with the 95 % interval; more in `docs/lab/mcts.md`.
//! Parameters without a match are set by hand to values usual in the field.

/// Weight of a prior against a value in the choice of a child (the constant of PUCT), for values from 0 to 1. +99
/// [-25, +255] against 1.5 in 19 games at 300 playouts a move, level with 0.7 in 60.
pub(super) const EXPLORATION: f32 = 1.0;

/// First-play urgency: an unvisited child is worth this less than its parent, times the square root of the priors visited
/// so far. +98 [+25, +180] against 0 in 80 games at 300 playouts a move.
pub(super) const FIRST_PLAY_REDUCTION: f32 = 0.25;

/// Temperature of the priors: the logarithms of the odds are divided by it. +29 [-31, +91] against 1 in 60 games at 300
/// playouts a move.
pub(super) const PRIOR_TEMPERATURE: f32 = 1.5;

/// Number of moves of a node without a threat to answer, the greatest priors first. The others follow when each of
/// these is proved lost or drawn. Set by hand.
pub(super) const WIDTH: usize = 40;

/// Visits after which a node gets children. They take some hundreds of bytes, and most nodes are visited once. Set by hand.
pub(super) const EXPANSION_VISITS: u32 = 1;

/// Most plies of a playout in the tree; deeper nodes are judged as they stand.
pub(super) const MAX_PLIES: usize = 128;

/// Playouts for each ply of a depth limit. They end a search whose principal variation does not reach the depth. Set by
/// hand.
pub(super) const DEPTH_PLAYOUTS: u64 = 2000;

/// Visits of the root that end any search: half of the range of a 32-bit counter.
pub(super) const MAX_VISITS: u32 = 1 << 31;

/// Share of Dirichlet noise in the root priors of self-play (AlphaZero).
pub(super) const NOISE_SHARE: f32 = 0.25;

/// Concentration of that noise, divided by the number of moves (AlphaZero: 0.03 with some 360 moves of Go).
pub(super) const NOISE_CONCENTRATION: f32 = 10.0;
