//! [`Header`]: the settings of a file of games.

use std::fmt;
use std::num::NonZeroU64;

use clap::Args;

use crate::board::{Rule, Size};
use crate::protocol::rule_number::parse_rule;
use crate::shard::Shard;
use crate::tune::Sizes;
use crate::tune::run::{MOST_NODES, number, rule_help};

/// The settings that determine a game of self-play by an engine, together with the number of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Args)]
pub struct GameSettings {
    /// The rule of the games.
    #[arg(long, default_value_t, value_parser = parse_rule, help = rule_help())]
    pub rule: Rule,
    /// The board size, or a list: with 15,15,20 one game in three is played on 20 × 20
    #[arg(long = "size", value_name = "SIZE", default_value = "15")]
    pub sizes: Sizes,
    /// Nodes of search for each move
    #[arg(long, default_value = "2000", value_parser = number::<NonZeroU64>(1..=MOST_NODES))]
    pub nodes: NonZeroU64,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// A checksum that differs between engines that play differently: see
/// [`engine_signature`](crate::tune::engine_signature).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineSignature(pub u32);

/// Eight hexadecimal digits.
impl fmt::Display for EngineSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

/// The header of a file of games. A run that resumes the file must have the same header. The number of games is not part of
/// it, because a longer run begins with the games of a shorter one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// The settings that determine a game.
    pub settings: GameSettings,
    /// The part of the games that the file holds.
    pub shard: Shard,
    /// The engine that played.
    pub engine: EngineSignature,
}

impl Header {
    /// Whether the file may hold a game with this number on this board.
    pub(super) fn has(&self, number: u32, size: Size) -> bool {
        self.shard.has(number as usize) && self.settings.sizes.contains(size)
    }

    /// The first setting that differs: its name, its value here, and the other's.
    pub(super) fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let settings = self.named().into_iter().zip(other.named());
        let mut differing = settings.filter(|(own, other)| own.1 != other.1);
        differing.next().map(|((name, own), (_, other))| (name, own, other))
    }

    fn named(&self) -> [(&'static str, String); 6] {
        let GameSettings { rule, sizes, nodes, seed } = self.settings;
        [
            ("rule", rule.to_string()),
            ("size", sizes.to_string()),
            ("nodes", nodes.to_string()),
            ("seed", seed.to_string()),
            ("shard", self.shard.to_string()),
            ("engine", self.engine.to_string()),
        ]
    }
}

/// The settings in one line.
impl fmt::Display for Header {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let settings = self.named().map(|(name, value)| format!("{name} {value}"));
        f.write_str(&settings.join(", "))
    }
}
