//! [`TrainConfig`]: the configuration of a training.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use crate::board::Rule;
use crate::tune::ResultShare;

/// Configuration of a training.
#[derive(Clone, Copy, Debug)]
pub struct TrainConfig {
    /// The rule of the games.
    pub rule: Rule,
    /// The share of the game's result in a label.
    pub result_share: ResultShare,
    /// Rounds over all samples.
    pub rounds: NonZeroUsize,
    /// The learning rate of the first batch. It falls to 0 along half a cosine.
    pub rate: LearningRate,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Threads that compute gradients. The result does not depend on their number.
    pub threads: NonZeroUsize,
}

/// A learning rate of Adam, above 0 and at most 0.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningRate(f32);

impl LearningRate {
    /// This rate; `None` if it is out of range or not a number.
    pub const fn new(rate: f32) -> Option<Self> {
        if rate > 0.0 && rate <= 0.1 { Some(Self(rate)) } else { None }
    }

    /// The rate.
    pub const fn get(self) -> f32 {
        self.0
    }
}

/// 0.002. Hand-set.
impl Default for LearningRate {
    fn default() -> Self {
        Self(0.002)
    }
}

impl fmt::Display for LearningRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Error returned when a [`LearningRate`] fails to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number above 0, at most 0.1")]
pub struct LearningRateError;

impl FromStr for LearningRate {
    type Err = LearningRateError;

    fn from_str(text: &str) -> Result<Self, LearningRateError> {
        text.parse().ok().and_then(Self::new).ok_or(LearningRateError)
    }
}
