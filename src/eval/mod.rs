//! A NUMBER FOR A POSITION: how good it is for the side to move, without looking ahead.
//!
//! Owns the classical evaluation and its incremental sums. Uses the patterns. Must never know a book or a search.

mod classical;

pub use classical::Evaluation;
