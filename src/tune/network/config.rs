//! [`TrainConfig`]: the configuration of a training.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use clap::Args;

use crate::board::Rule;
use crate::protocol::rule_number::parse_rule;
use crate::tune::run::{MOST_ROUNDS, number};
use crate::tune::{MOST_THREADS, ResultShare};

/// Configuration of a training, also as arguments.
#[derive(Clone, Copy, Debug, Args)]
pub struct TrainConfig {
    /// The rule of the games: freestyle, standard, renju, caro_overline, caro
    #[arg(long, default_value_t, value_parser = parse_rule)]
    pub rule: Rule,
    /// The share of the game's result in a label, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t)]
    pub result_share: ResultShare,
    /// Rounds over all samples
    #[arg(long, default_value = "8", value_parser = number::<NonZeroUsize>(1..=MOST_ROUNDS))]
    pub rounds: NonZeroUsize,
    /// The learning rate of the first batch; it falls to 0 along half a cosine
    #[arg(long, default_value_t)]
    pub rate: LearningRate,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads that compute gradients; their number does not change the result
    #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..=MOST_THREADS as u64))]
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
