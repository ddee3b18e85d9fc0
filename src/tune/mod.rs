//! FITTING: the weights of the evaluation from games of the engine against itself.
//!
//! Owns self-play, the samples drawn from it and the regression. Uses the searching picker and the evaluation's
//! combinations. Must never be used by the engine: it makes the files that `eval` reads.
//!
//! ```text
//! random opening ─► AlphaBeta against itself ─► samples: combinations of every empty point, chance to win
//!                                          ─► logistic regression (Adam) ─► src/eval/weights/*.txt
//! ```

mod fit;
mod selfplay;

pub use fit::{Fit, fit};
pub use selfplay::{Plan, Sample, play};
