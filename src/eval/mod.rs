//! A NUMBER FOR A POSITION: how good it is for the side to move, without looking ahead.
//!
//! Owns the evaluators: accumulators that give a score and the prior of each move. Uses the position and the threats.
//! Must never know a documented weighting or a search.

pub mod classical;
pub mod network;

pub use classical::Classical;
pub use network::{Network, Networks};

use crate::board::{Color, Point};
use crate::position::Accumulator;
use crate::score::Score;
use crate::threat::ThreatSets;

/// An accumulator that judges positions for a search.
pub trait Evaluator: Accumulator<Sets = ThreatSets, Config: Send> + Send {
    /// The evaluation for this color, which is to move.
    fn score(&self, sets: &ThreatSets, mover: Color) -> Score;

    /// How likely moves of this color on empty points are to be the best: the natural logarithm of the odds times 100, up
    /// to a constant of the position. What the moves share is computed once, before the first.
    fn move_priors(&self, sets: &ThreatSets, mover: Color) -> impl Fn(Point) -> i32;
}
