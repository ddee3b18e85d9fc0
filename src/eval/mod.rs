//! A NUMBER FOR A POSITION: how good it is for the side to move, without looking ahead.
//!
//! Owns the evaluators: accumulators that give a score and the prior of each move. Uses the position and the threats.
//! Must never know a documented weighting or a search.

pub mod classical;

pub use classical::Classical;

use crate::board::{Color, Point};
use crate::position::Accumulator;
use crate::score::Score;
use crate::threat::ThreatSets;

/// An accumulator that judges positions for a search.
pub trait Evaluator: Accumulator<Sets = ThreatSets> {
    /// The evaluation for this color, which is to move.
    fn score(&self, mover: Color) -> Score;

    /// How likely a move of this color on an empty point is to be the best: the natural logarithm of the odds times 100,
    /// up to a constant of the position.
    fn move_prior(&self, point: Point, mover: Color) -> i32;
}
