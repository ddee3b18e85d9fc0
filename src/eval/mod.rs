//! A NUMBER FOR A POSITION: how good it is for the side to move, without looking ahead.
//!
//! Owns the classical evaluation and the survey that carries it. Uses the patterns. Must never know a weighting or a search.

mod classical;
mod combination;
mod survey;

pub use classical::{Quantum, SCALE, UNITS};
pub use combination::Combination;
pub use survey::Survey;
