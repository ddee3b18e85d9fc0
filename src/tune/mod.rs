//! FITTING: the weights of the evaluation from games of the engine against itself.
//!
//! Owns self-play, the samples drawn from it and the regression. Uses the searching picker and the evaluation's
//! combinations. Must never be used by the engine: it makes the files that `eval` reads.
//!
//! ```text
//! random opening ─► AlphaBeta against itself ─► samples: stones, best move, chance to win, result
//!                 ─► combinations of every empty point ─► regression (Adam) ─► src/eval/weights/*.txt
//! ```

mod adam;
mod features;
mod fit;
mod model;
mod sample;
mod selfplay;

pub use fit::{Course, Fit, Loss, fit};
pub use sample::{Sample, SampleError};
pub use selfplay::{Plan, play};
