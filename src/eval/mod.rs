//! A NUMBER FOR A POSITION: its value for the side to move, without search.
//!
//! Owns the evaluators: accumulators that give a score and move priors. Uses the position and the threats.
//! Must never know a documented weighting or a search.

pub mod classical;
pub mod network;

pub use classical::Classical;
pub use network::{Network, Networks};

use crate::board::{Color, Point};
use crate::position::Accumulator;
use crate::score::Score;
use crate::threat::ThreatSets;

/// An accumulator that evaluates positions for a search.
pub trait Evaluator: Accumulator<Sets = ThreatSets, Config: Send> + Send {
    /// The evaluation for this color, which is to move.
    fn score(&self, sets: &ThreatSets, mover: Color) -> Score;

    /// The priors of moves of this color on empty points: 100 times the natural logarithm of the odds to be the best, up to
    /// a constant of the position. The call computes what all moves share.
    fn move_priors(&self, sets: &ThreatSets, mover: Color) -> impl MovePriors;
}

/// The priors of the moves of a position.
pub trait MovePriors {
    /// The prior of the move on an empty point.
    fn of(&self, point: Point) -> i32;
}

impl<F: Fn(Point) -> i32> MovePriors for F {
    #[inline(always)]
    fn of(&self, point: Point) -> i32 {
        self(point)
    }
}
