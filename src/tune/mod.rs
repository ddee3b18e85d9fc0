//! FITTING: the weights of the evaluation from games of the engine against itself.
//!
//! Owns self-play, the samples drawn from it and the regression. Uses the player and the evaluation's combinations. Must
//! never be used by the engine: it makes the files that `eval` reads.
//!
//! ```text
//! random opening ─► player against itself ─► samples: stones, best move, chance to win, result
//!                ─► counts of combinations ─► regression (Adam) ─► weight files ─► src/eval/weights, by hand
//! ```

mod adam;
mod features;
mod fit;
mod game;
mod gradient;
mod model;
mod output;
mod sample;
mod selfplay;
mod weight_files;

pub use fit::{Fit, FitConfig, FitError, Loss, MIN_SAMPLES, ResultShare, ResultShareError, RoundReport, fit};
pub use game::GameError;
pub use output::{OutputError, OutputFile};
pub use sample::{Sample, SampleError};
pub use selfplay::{SelfPlayConfig, SelfPlayError, play};
pub use weight_files::WeightFile;
