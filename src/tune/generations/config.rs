//! [`GenerationsConfig`]: the options of a folder of generations.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use clap::Args;
use clap::builder::TypedValueParser;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantNames};

use crate::arena::config::{BUILTIN, MOST_ELO};
use crate::board::Rule;
use crate::protocol::rule_number::parse_rule;
use crate::text::{UnknownName, as_text};
use crate::tune::network::parse_learning_rate;
use crate::tune::run::{MOST_GAMES, MOST_NODES, MOST_ROUNDS, number, rule_help};
use crate::tune::sample::{RESULT_SHARE, parse_result_share};
use crate::tune::{SelfPlayPicker, Sizes};

/// Maximum number of generations.
pub const MOST_GENERATIONS: u64 = 10_000;

/// Maximum gain in Elo.
const MOST_GAIN: u64 = MOST_ELO as u64;

/// The parser of the number of games of a match, which come in pairs.
fn match_games() -> impl TypedValueParser<Value = NonZeroU32> {
    let pairs = |games: NonZeroU32| if games.get() % 2 == 0 { Ok(games) } else { Err("expected an even number") };
    number::<NonZeroU32>(2..=MOST_GAMES).try_map(pairs)
}

/// The network with which the generations begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive)]
#[strum(parse_err_ty = UnknownName, parse_err_fn = unknown_start)]
pub enum StartName {
    /// The network of the program.
    #[default]
    BuiltIn,
    /// Random weights without the classical priors.
    None,
}

fn unknown_start(_: &str) -> UnknownName {
    UnknownName::of::<StartName>("start")
}

/// The openings of a folder of an earlier version.
fn builtin() -> String {
    BUILTIN.to_owned()
}

/// Configuration of the generations, as arguments and as the JSON file in their folder.
#[derive(Clone, Debug, PartialEq, Args, Serialize, Deserialize)]
pub struct GenerationsConfig {
    /// The rule of the games.
    #[arg(long, default_value_t, value_parser = parse_rule, help = rule_help())]
    #[serde(with = "as_text")]
    pub rule: Rule,
    /// The first network: built-in, or none, which means random weights
    #[arg(long, value_name = "NAME", default_value_t)]
    #[serde(with = "as_text", default)]
    pub start: StartName,
    /// The board size of self-play, or a list of sizes
    #[arg(long, default_value = "15,20")]
    #[serde(with = "as_text")]
    pub size: Sizes,
    /// Games of a generation
    #[arg(long, default_value = "20000", value_parser = number::<NonZeroU32>(1..=MOST_GAMES))]
    pub games: NonZeroU32,
    /// Nodes of search for each move of self-play
    #[arg(long, default_value = "1000", value_parser = number::<NonZeroU64>(1..=MOST_NODES))]
    pub nodes: NonZeroU64,
    /// The search of self-play: search, or mcts, whose visits the network learns
    #[arg(long, value_name = "NAME", default_value_t)]
    #[serde(with = "as_text", default)]
    pub picker: SelfPlayPicker,
    /// Number of last generations whose games a network is trained on
    #[arg(long, default_value = "3", value_parser = number::<NonZeroUsize>(1..=MOST_GENERATIONS))]
    pub window: NonZeroUsize,
    /// Rounds of the training over all samples
    #[arg(long, default_value = "3", value_parser = number::<NonZeroUsize>(1..=MOST_ROUNDS))]
    pub rounds: NonZeroUsize,
    /// The learning rate of the first batch; it falls to 0
    #[arg(long, default_value = "0.001", value_parser = parse_learning_rate)]
    #[serde(with = "as_text")]
    pub rate: f32,
    /// The share of the game's result in a label
    #[arg(long, default_value_t = RESULT_SHARE, value_parser = parse_result_share)]
    #[serde(with = "as_text")]
    pub result_share: f32,
    /// Maximum number of games of the match
    #[arg(long, default_value = "2000", value_parser = match_games())]
    pub match_games: NonZeroU32,
    /// The openings of the match on 15 x 15: a file, builtin or 26
    #[arg(long, value_name = "LIST", default_value = BUILTIN)]
    #[serde(default = "builtin")]
    pub openings: String,
    /// Nodes for each move of the match
    #[arg(long, default_value = "8000", value_parser = number::<NonZeroU64>(1..=MOST_NODES))]
    pub match_nodes: NonZeroU64,
    /// Elo: the network is taken if the test accepts this gain rather than none
    #[arg(long, default_value = "10", value_parser = number::<NonZeroU32>(1..=MOST_GAIN))]
    pub gain: NonZeroU32,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}
