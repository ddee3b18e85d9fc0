//! [`ReinforceConfig`]: the options of a learner.

use std::num::{NonZeroU64, NonZeroUsize};

use clap::Args;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantNames};

use crate::board::{Rule, Size};
use crate::protocol::rule_number::parse_rule;
use crate::text::{UnknownName, as_text};
use crate::tune::MOST_THREADS;
use crate::tune::network::parse_learning_rate;
use crate::tune::run::{MOST_GAMES, number, rule_help};

/// The sides of the boards on which a learner may play.
const SIDES: std::ops::RangeInclusive<u8> = 7..=20;

/// Maximum number of minutes: a year.
const MOST_MINUTES: u64 = 60 * 24 * 366;

/// The usual learning rate of Adam. On 9 × 9 it is better than 0.002 for the policy gradient and DQN, and level for the
/// actor-critic: `docs/lab/learning.md`.
const LEARNING_RATE: f32 = 0.005;

/// The algorithms of learning by playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive)]
#[strum(parse_err_ty = UnknownName, parse_err_fn = unknown_algorithm)]
pub enum AlgorithmName {
    /// REINFORCE with a baseline (Williams 1992).
    PolicyGradient,
    /// The asynchronous advantage actor-critic, A3C (Mnih and others 2016).
    ActorCritic,
    /// Double deep Q-learning (Mnih and others 2015, van Hasselt and others 2016).
    Dqn,
}

fn unknown_algorithm(_: &str) -> UnknownName {
    UnknownName::of::<AlgorithmName>("algorithm")
}

/// The options that determine a run, which a resumed run must repeat.
#[derive(Clone, Copy, Debug, PartialEq, Args, Serialize, Deserialize)]
pub struct ReinforceConfig {
    /// The algorithm: policy-gradient, actor-critic or dqn
    #[arg(long, value_name = "NAME")]
    #[serde(with = "as_text")]
    pub algorithm: AlgorithmName,
    /// The rule of the games.
    #[arg(long, default_value_t, value_parser = parse_rule, help = rule_help())]
    #[serde(with = "as_text")]
    pub rule: Rule,
    /// The side of the board, 7 to 20
    #[arg(long, default_value = "9", value_parser = parse_size)]
    #[serde(with = "as_text")]
    pub size: Size,
    /// The learning rate of Adam for the first games; it falls with the root of their number
    #[arg(long, default_value_t = LEARNING_RATE, value_parser = parse_learning_rate)]
    #[serde(with = "as_text")]
    pub rate: f32,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// How far a run learns, with how many workers, and how often it is measured. A resumed run may change all of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
pub struct ReinforceExtent {
    /// Maximum number of games, over all resumptions
    #[arg(long, default_value = "1000000000", value_parser = number::<NonZeroU64>(1..=MOST_GAMES))]
    pub games: NonZeroU64,
    /// Maximum number of minutes of learning, over all resumptions, without the measurements
    #[arg(long, value_name = "N", value_parser = number::<NonZeroU64>(1..=MOST_MINUTES))]
    pub minutes: Option<NonZeroU64>,
    /// Minutes of learning between two measurements
    #[arg(long, value_name = "N", default_value = "1", value_parser = number::<NonZeroU64>(1..=MOST_MINUTES))]
    pub every: NonZeroU64,
    /// Threads that play and learn. Only actor-critic gives another result with another number
    #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..=MOST_THREADS as u64))]
    pub workers: NonZeroUsize,
}

/// Reads the side of a board from an argument.
fn parse_size(text: &str) -> Result<Size, &'static str> {
    let size = text.parse().ok().filter(|size: &Size| SIDES.contains(&size.side()));
    size.ok_or("expected a side from 7 to 20")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_sizes_are_read_and_others_are_refused() {
        for name in AlgorithmName::VARIANTS {
            assert_eq!(name.parse::<AlgorithmName>().unwrap().to_string(), *name);
        }
        let error = "a3c".parse::<AlgorithmName>().unwrap_err().to_string();
        assert_eq!(error, "unknown algorithm, expected policy-gradient, actor-critic or dqn");
        assert_eq!(parse_size("7").map(Size::side), Ok(7));
        assert!(["6", "21", "x", ""].iter().all(|text| parse_size(text).is_err()));
    }
}
