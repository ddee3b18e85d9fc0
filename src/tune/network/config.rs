//! [`TrainConfig`]: the configuration of a training.

use std::num::NonZeroUsize;

use clap::Args;

use crate::board::Rule;
use crate::protocol::rule_number::parse_rule;
use crate::tune::MOST_THREADS;
use crate::tune::run::{MOST_ROUNDS, number, rule_help};
use crate::tune::sample::{RESULT_SHARE, parse_result_share};

/// Configuration of a training, and its arguments.
#[derive(Clone, Copy, Debug, Args)]
pub struct TrainConfig {
    /// The rule of the games.
    #[arg(long, default_value_t, value_parser = parse_rule, help = rule_help())]
    pub rule: Rule,
    /// The share of the game's result in a label, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t = RESULT_SHARE, value_parser = parse_result_share)]
    pub result_share: f32,
    /// Most samples of a game to train on, at random but the same in each round; all without this option
    #[arg(long, value_name = "N", value_parser = number::<NonZeroUsize>(1..=MOST_SAMPLES))]
    pub samples: Option<NonZeroUsize>,
    /// Rounds over all samples
    #[arg(long, default_value_t = ROUNDS, value_parser = number::<NonZeroUsize>(1..=MOST_ROUNDS))]
    pub rounds: NonZeroUsize,
    /// The learning rate of the first batch; it falls to 0 along half a cosine
    #[arg(long, default_value_t = LEARNING_RATE, value_parser = parse_learning_rate)]
    pub rate: f32,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Threads that compute gradients; their number does not change the result
    #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..=MOST_THREADS as u64))]
    pub threads: NonZeroUsize,
}

/// Two for each ply of the longest game.
const MOST_SAMPLES: u64 = 2048;

/// The usual number of rounds. Hand-set.
const ROUNDS: NonZeroUsize = NonZeroUsize::new(8).unwrap();

/// The usual learning rate of Adam for the first batch. Hand-set.
const LEARNING_RATE: f32 = 0.002;

/// Reads a learning rate from an argument.
pub(in crate::tune) fn parse_learning_rate(text: &str) -> Result<f32, &'static str> {
    let rate = text.parse().ok().filter(|&rate| rate > 0.0 && rate <= 0.1);
    rate.ok_or("expected a number above 0, at most 0.1")
}
