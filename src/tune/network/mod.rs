//! The training of the learned evaluation.
//!
//! ```text
//! samples of games ─► rows of their windows ─► forward, gradient (four shards) ─► Adam ─► integers ─► file
//! ```

mod descent;
mod features;
mod gradient;
mod model;
mod quantize;
mod train;

#[cfg(test)]
mod tests;

pub use train::{HeldOut, LearningRate, LearningRateError, RoundEnd, TrainConfig, TrainError, TrainReport, train};
