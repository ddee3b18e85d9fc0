//! [`TrainConfig`]: how to train.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use crate::board::Rule;
use crate::tune::ResultShare;

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct TrainConfig {
    /// The rule of the games.
    pub rule: Rule,
    /// The share of the game's result in a label.
    pub result_share: ResultShare,
    /// Rounds over all samples.
    pub rounds: NonZeroUsize,
    /// The learning rate of the first batch; it falls to 0 along half a cosine.
    pub rate: LearningRate,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Threads that compute gradients; the result does not depend on their number.
    pub threads: NonZeroUsize,
}

/// A learning rate of Adam, above 0 and at most 0.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningRate(f32);

impl LearningRate {
    /// This rate; `None` where it is out of range or no number.
    pub const fn new(rate: f32) -> Option<Self> {
        if rate > 0.0 && rate <= 0.1 { Some(Self(rate)) } else { None }
    }

    /// The rate.
    pub const fn get(self) -> f32 {
        self.0
    }
}

/// Hand-set: no match has tried another.
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

/// A text is no [`LearningRate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearningRateError;

impl fmt::Display for LearningRateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a number above 0, at most 0.1")
    }
}

impl std::error::Error for LearningRateError {}

impl FromStr for LearningRate {
    type Err = LearningRateError;

    fn from_str(text: &str) -> Result<Self, LearningRateError> {
        text.parse().ok().and_then(Self::new).ok_or(LearningRateError)
    }
}
