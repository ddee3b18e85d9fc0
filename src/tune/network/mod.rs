//! The training of the learned evaluation.
//!
//! ```text
//! samples of games ─► rows of their windows ─► forward, gradient (four shards) ─► Adam ─► integers ─► file
//! ```

mod checkpoint;
mod config;
mod descent;
mod features;
mod gradient;
mod model;
mod quality;
mod quantize;
mod train;
mod trainer;

#[cfg(test)]
mod tests;

pub use checkpoint::{Checkpoint, CheckpointError};
pub use config::{LearningRate, LearningRateError, TrainConfig};
pub use quality::{HeldOut, Quality};
pub use train::{CurvePoint, RoundEnd, TrainError, TrainReport, train};
