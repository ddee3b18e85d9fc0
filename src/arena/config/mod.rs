//! [`MatchConfig`]: all that decides which games a match has and how they are played. It heads the record, so that a
//! resumed match and the shards of one match are known as such.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::spec::{EngineSpec, SpecError};
use super::stats::sprt::Sprt;
use super::text;
use crate::board::{Rule, Size};
use crate::opening::lists::{self, ListError, Opening};

/// Who plays whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Two engines.
    Match,
    /// The first engine against each of the others.
    Gauntlet,
    /// Each against each.
    RoundRobin,
    /// Who loses an encounter is out.
    Knockout,
}

/// How games are played, the engines and openings aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conduct {
    /// The rule.
    #[serde(with = "text")]
    pub rule: Rule,
    /// The size of the board.
    #[serde(with = "text")]
    pub size: Size,
    /// The number of stones at which a game is a draw, if the rule has none that is smaller.
    pub draw_after: Option<usize>,
    /// Whether the engines open the games themselves, by Swap2.
    pub swap2: bool,
    /// Whether an engine is suspended while it is not its turn.
    pub suspend: bool,
    /// Whether engines are started anew for every game.
    pub restart: bool,
    /// Whether any line before the move that is not for people loses the game.
    pub strict: bool,
}

/// Which part of a match is played here: `2/8` is the second of eight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Counted from 0.
    pub index: usize,
    /// How many there are.
    pub count: usize,
}

impl Shard {
    /// The whole match.
    pub const WHOLE: Self = Self { index: 0, count: 1 };

    /// Whether the games of this opening belong to the shard.
    pub const fn has(self, opening: usize) -> bool {
        opening % self.count == self.index
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

/// Why a text is no shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardError;

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected K/N with K from 1 to N")
    }
}

impl std::error::Error for ShardError {}

impl std::str::FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (number, count) = text.split_once('/').ok_or(ShardError)?;
        let (number, count): (usize, usize) =
            (number.parse().map_err(|_| ShardError)?, count.parse().map_err(|_| ShardError)?);
        if (1..=count).contains(&number) { Ok(Self { index: number - 1, count }) } else { Err(ShardError) }
    }
}

/// From where the openings come, and a fingerprint by which a changed file is noticed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningsSource {
    /// `builtin`, `none`, or the path of a file.
    pub name: String,
    /// The number of openings.
    pub count: usize,
    /// FNV-1a of all stones.
    pub fingerprint: String,
}

/// The built-in openings for the rule and size of the match.
pub const BUILTIN: &str = "builtin";

/// Games that begin on an empty board.
pub const NO_OPENINGS: &str = "none";

/// A match, tournament or shard of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchConfig {
    /// Who plays whom.
    pub format: Format,
    /// The engines; their places in this list are their numbers.
    pub engines: Vec<EngineSpec>,
    /// How games are played.
    #[serde(flatten)]
    pub conduct: Conduct,
    /// Games of each pairing, two for each opening.
    pub games: usize,
    /// The openings.
    pub openings: OpeningsSource,
    /// The seed of the order of the openings; `None`: as they stand.
    pub seed: Option<u64>,
    /// Whether openings that are used up come again turned and mirrored.
    pub transform: bool,
    /// The test that stops a match of two.
    pub sprt: Option<Sprt>,
    /// Which part of it.
    #[serde(with = "text")]
    pub shard: Shard,
}

/// Why a match cannot be played.
#[derive(Debug)]
pub enum ConfigError {
    /// An engine's description.
    Engine(SpecError),
    /// Too few or too many engines for the format.
    Engines(Format, usize),
    /// An odd number of games, or none.
    Games(usize),
    /// SPRT is for two engines.
    Sprt,
    /// A knockout cannot be split.
    Shard,
    /// There are no built-in openings for this rule and size.
    NoBuiltin(Rule, Size),
    /// `builtin:NAME` is not the rule of the match.
    WrongBuiltin(String, Rule),
    /// The file of openings cannot be read.
    Read(String, std::io::Error),
    /// The file of openings is wrong.
    List(String, ListError),
    /// The file has no openings.
    Empty(String),
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(error) => error.fmt(f),
            Self::Engines(Format::Match, count) => write!(f, "a match has two engines, got {count}"),
            Self::Engines(_, count) => write!(f, "a tournament needs two engines or more, got {count}"),
            Self::Games(games) => write!(f, "{games} games: each opening is played twice, so the number must be even"),
            Self::Sprt => f.write_str("--sprt is for a match of two engines"),
            Self::Shard => f.write_str("a knockout cannot be split into shards"),
            Self::NoBuiltin(rule, size) => write!(f, "there are no built-in openings for {rule} on {size} × {size}"),
            Self::WrongBuiltin(name, rule) => write!(f, "builtin:{name} is not the rule of the match, {rule}"),
            Self::Read(path, error) => write!(f, "{path}: {error}"),
            Self::List(path, error) => write!(f, "{path}, {error}"),
            Self::Empty(path) => write!(f, "{path}: no openings"),
        }
    }
}

impl std::error::Error for ConfigError {}

impl From<SpecError> for ConfigError {
    fn from(error: SpecError) -> Self {
        Self::Engine(error)
    }
}

impl MatchConfig {
    /// Checks that the match makes sense.
    ///
    /// # Errors
    /// The first reason why it does not.
    pub fn check(&self) -> Result<(), ConfigError> {
        let count = self.engines.len();
        if count < 2 || self.format == Format::Match && count > 2 {
            return Err(ConfigError::Engines(self.format, count));
        }
        for (number, engine) in self.engines.iter().enumerate() {
            if self.engines[..number].iter().any(|other| other.name == engine.name) {
                return Err(SpecError::SameName(engine.name.clone()).into());
            }
        }
        if self.games == 0 || self.games % 2 != 0 {
            return Err(ConfigError::Games(self.games));
        }
        if self.sprt.is_some() && count != 2 {
            return Err(ConfigError::Sprt);
        }
        if self.format == Format::Knockout && self.shard != Shard::WHOLE {
            return Err(ConfigError::Shard);
        }
        Ok(())
    }

    /// What all shards of the match have in common, as a short text.
    pub fn fingerprint(&self) -> String {
        let whole = Self { shard: Shard::WHOLE, ..self.clone() };
        let text = serde_json::to_string(&whole).unwrap_or_default();
        format!("{:016x}", fnv(text.bytes()))
    }
}

/// Reads the openings of a match.
///
/// # Errors
/// When there are none, or the file is wrong.
pub fn load_openings(name: &str, rule: Rule, size: Size) -> Result<(OpeningsSource, Vec<Opening>), ConfigError> {
    let wrong = |error| ConfigError::List(name.to_owned(), error);
    let openings = match name.split_once(':').unwrap_or((name, "")) {
        (NO_OPENINGS, "") => vec![Opening::new()],
        (BUILTIN, wanted) => {
            if !wanted.is_empty() && wanted.parse() != Ok(rule) {
                return Err(ConfigError::WrongBuiltin(wanted.to_owned(), rule));
            }
            let text = lists::builtin(rule, size).ok_or(ConfigError::NoBuiltin(rule, size))?;
            lists::parse_list(text, rule, size).map_err(wrong)?
        }
        _ => {
            let bytes = std::fs::read(name).map_err(|error| ConfigError::Read(name.to_owned(), error))?;
            lists::parse_list(&String::from_utf8_lossy(&bytes), rule, size).map_err(wrong)?
        }
    };
    if openings.is_empty() {
        return Err(ConfigError::Empty(name.to_owned()));
    }
    let stones = openings.iter().flat_map(|opening| opening.iter().map(|point| point.index()).chain([usize::MAX]));
    let fingerprint = format!("{:016x}", fnv(stones.flat_map(|stone| (stone as u64).to_le_bytes())));
    Ok((OpeningsSource { name: name.to_owned(), count: openings.len(), fingerprint }, openings))
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo): short, and the same on every machine and in every version.
fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}
