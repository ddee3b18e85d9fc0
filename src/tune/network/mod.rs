//! The training of the network evaluation: [`train`].
//!
//! ```text
//! samples of games ─► rows of their windows ─► forward, gradient (four shards) ─► Adam ─► integers ─► file
//! ```

mod checkpoint;
mod config;
mod descent;
mod features;
mod gradient;
mod labelled;
mod learner;
mod model;
mod quality;
mod quantize;
mod task;
mod train;
mod trainer;

#[cfg(test)]
mod tests;

pub use checkpoint::{Checkpoint, CheckpointError};
pub(super) use checkpoint::{State, read as read_numbers, write as write_numbers};
pub use config::TrainConfig;
pub(super) use config::parse_learning_rate;
pub(super) use features::Features;
pub(super) use gradient::{Example, Shard};
pub(super) use learner::{Learner, Replica};
pub(super) use model::{Forward, Model, Origin};
pub use quality::{HeldOut, Quality};
pub use task::TrainFiles;
pub use train::{CurvePoint, RoundEnd, TrainError, TrainReport, TrainingGames, train};
