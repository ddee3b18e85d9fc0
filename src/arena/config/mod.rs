//! WHICH MATCH: [`MatchConfig`] decides which games a match has and how they are played.
//!
//! Owns engines' descriptions, time controls, the choice of openings, and the command line and match files from which they
//! are read. The configuration heads the record, so that a resumed match and the shards of one match can be recognised.
//! Uses the board and lists of openings. Must never start a process, keep a result or read a clock.

pub mod args;
mod file;
mod openings;
mod spec;
mod sprt;
mod words;

use clap::Args;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

pub use openings::{BUILTIN, NAMED, NO_OPENINGS, OpeningsSource, load_openings};
pub(super) use spec::MOST_NODES;
pub use spec::{EngineDialect, EngineSpec, SpecError, TimeControl};
pub(crate) use sprt::MOST_ELO;
pub use sprt::{EloUnit, Sprt, SprtError};
use thiserror::Error;
pub use words::quoted;

use crate::board::{Color, Rule, Size};
use crate::fnv::Fnv1a;
use crate::notation::record::GameRecord;
use crate::opening::Procedure;
use crate::opening::lists::ListError;
use crate::protocol::rule_number::parse_rule;
use crate::shard::Shard;
use crate::text::{Quoted, Short, as_text};

/// Maximum number of games of a pairing.
const MOST_GAMES: usize = 1_000_000_000;

/// Maximum number of games of an encounter of a knockout, whose state is recomputed after each of them.
const MOST_GAMES_OF_ENCOUNTER: usize = 10_000;

/// Maximum number of stones at which a game can be a draw: the points of the largest board.
const MOST_STONES: usize = (Size::MAX as usize).pow(2);

/// Whether this system can suspend a process.
const CAN_SUSPEND: bool = cfg!(unix);

/// Which engines meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Two engines.
    Match,
    /// The first engine against each of the others.
    Gauntlet,
    /// Each against each.
    RoundRobin,
    /// The loser of an encounter is out.
    Knockout,
}

/// The conditions of every game, as options of the command line and as keys of the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Args)]
pub struct GameConfig {
    /// freestyle, standard, renju, caro, caro_overline, or Gomocup's number.
    #[arg(long, default_value = "freestyle", value_parser = parse_rule)]
    #[serde(with = "as_text")]
    pub rule: Rule,
    /// The side of the board.
    #[arg(long, default_value = "15")]
    #[serde(with = "as_text")]
    pub size: Size,
    /// A draw at this number of stones, unless the rule has a smaller one.
    #[arg(long, value_name = "STONES")]
    pub draw_after: Option<usize>,
    /// The procedure by which the engines open the games; plain: they do not. In older records true means Swap2.
    #[arg(skip = Procedure::Plain)]
    #[serde(default = "plain", alias = "swap2", serialize_with = "as_text::serialize", deserialize_with = "procedure")]
    pub procedure: Procedure,
    /// Suspend an engine from its start to its first move and on the opponent's turns, as the Gomocup judge does. Refused
    /// if the system cannot suspend a process.
    #[arg(long)]
    pub suspend: bool,
    /// Start the engines for every game.
    #[arg(long)]
    pub restart: bool,
    /// A line in place of a move loses the game, OK, MESSAGE and DEBUG excepted.
    #[arg(long)]
    pub strict: bool,
}

const fn plain() -> Procedure {
    Procedure::Plain
}

/// A procedure by its name, or by the flag of older records.
fn procedure<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Procedure, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Field {
        IsSwap2(bool),
        Name(String),
    }
    match Field::deserialize(deserializer)? {
        Field::IsSwap2(true) => Ok(Procedure::Swap2),
        Field::IsSwap2(false) => Ok(Procedure::Plain),
        Field::Name(name) => name.parse().map_err(D::Error::custom),
    }
}

/// A match of two engines, a tournament, or a shard of either.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchConfig {
    /// Which engines meet.
    pub format: Format,
    /// The engines. Their places in this list are their numbers.
    pub engines: Vec<EngineSpec>,
    /// The conditions of the games.
    #[serde(flatten)]
    pub game: GameConfig,
    /// Games of each pairing, two for each opening.
    pub games: usize,
    /// The openings.
    pub openings: OpeningsSource,
    /// The seed of the order of the openings; `None`: the order of the list.
    pub seed: Option<u64>,
    /// Whether openings that are used up come again, turned and mirrored.
    pub transform: bool,
    /// The test that stops a match of two.
    pub sprt: Option<Sprt>,
    /// The part of the match that is played here.
    #[serde(with = "as_text")]
    pub shard: Shard,
}

/// Error returned when a configuration does not describe a match that can be played.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The description of an engine.
    #[error(transparent)]
    Engine(#[from] SpecError),
    /// A match does not have exactly two engines.
    #[error("a match has two engines, got {0}")]
    TwoEngines(usize),
    /// A tournament has fewer than two engines.
    #[error("a tournament needs two engines or more, got {0}")]
    Engines(usize),
    /// The number of games is odd, 0, or above the maximum of the format.
    #[error("{1} games: each opening is played twice, so the number must be even, from 2 to {most}", most = most_games(*.0))]
    Games(Format, usize),
    /// The number of stones for a draw is 0 or greater than any board.
    #[error("a draw after {0} stones: the number must be from 1 to {MOST_STONES}")]
    DrawAfter(usize),
    /// The hypotheses or errors of the SPRT are out of bounds.
    #[error("--sprt: {0}")]
    SprtBounds(SprtError),
    /// The SPRT is set for more than two engines.
    #[error("--sprt is for a match of two engines")]
    Sprt,
    /// A knockout cannot be split.
    #[error("a knockout cannot be split into shards")]
    Shard,
    /// The board is too small for the opening procedure.
    #[error("--procedure {0} needs a board of {side} x {side} or more", side = .0.least_side())]
    SmallBoard(Procedure),
    /// The dialect of the engine of this name has no commands for the opening procedure.
    #[error("--procedure {1}: the dialect of {engine} has no words for it", engine = Quoted(.0))]
    Dialect(String, Procedure),
    /// The system cannot suspend a process.
    #[error("--suspend: this system cannot suspend a process")]
    Suspend,
    /// There are no built-in openings for this rule and size.
    #[error("no built-in openings for {0} on {1} × {1}")]
    NoBuiltin(Rule, Size),
    /// `builtin:NAME` is not the rule of the match.
    #[error("builtin:{name} is not the rule of the match, {1}", name = Short(.0))]
    WrongBuiltin(String, Rule),
    /// The file of openings cannot be read.
    #[error("{0}: {1}")]
    Read(String, std::io::Error),
    /// The file of openings does not parse.
    #[error("{0}, {1}")]
    List(String, ListError),
    /// The file has no openings.
    #[error("{0}: no openings")]
    Empty(String),
}

impl MatchConfig {
    /// Checks that the match can be played.
    ///
    /// # Errors
    /// The first reason why it cannot.
    pub fn check(&self) -> Result<(), ConfigError> {
        let count = self.engines.len();
        if count < 2 || self.format == Format::Match && count > 2 {
            return Err(match self.format {
                Format::Match => ConfigError::TwoEngines(count),
                _ => ConfigError::Engines(count),
            });
        }
        EngineSpec::check_names(&self.engines)?;
        if self.games % 2 != 0 || !(2..=most_games(self.format)).contains(&self.games) {
            return Err(ConfigError::Games(self.format, self.games));
        }
        if let Some(stones) = self.game.draw_after.filter(|stones| !(1..=MOST_STONES).contains(stones)) {
            return Err(ConfigError::DrawAfter(stones));
        }
        if self.sprt.is_some_and(|sprt| !sprt.is_sensible()) {
            return Err(ConfigError::SprtBounds(SprtError));
        }
        if self.sprt.is_some() && count != 2 {
            return Err(ConfigError::Sprt);
        }
        if self.format == Format::Knockout && self.shard != Shard::WHOLE {
            return Err(ConfigError::Shard);
        }
        let GameConfig { procedure, size, .. } = self.game;
        if !procedure.fits(size) {
            return Err(ConfigError::SmallBoard(procedure));
        }
        if let Some(engine) = self.engines.iter().find(|engine| !engine.dialect.has_words_for(procedure)) {
            return Err(ConfigError::Dialect(engine.name.clone(), procedure));
        }
        check_suspension(self.game, CAN_SUSPEND)
    }

    /// The color that this engine played in a game.
    pub fn color_of(&self, engine: usize, game: &GameRecord) -> Color {
        if self.engines.get(engine).is_some_and(|engine| engine.name == game.black) {
            Color::Black
        } else {
            Color::White
        }
    }

    /// A short text that differs between matches and is the same for all shards of one.
    pub fn fingerprint(&self) -> String {
        let whole = Self { shard: Shard::WHOLE, ..self.clone() };
        let text = serde_json::to_string(&whole).unwrap_or_default();
        format!("{:016x}", Fnv1a::of(text.as_bytes()))
    }
}

/// Maximum number of games of a pairing or an encounter.
const fn most_games(format: Format) -> usize {
    match format {
        Format::Knockout => MOST_GAMES_OF_ENCOUNTER,
        Format::Match | Format::Gauntlet | Format::RoundRobin => MOST_GAMES,
    }
}

/// Refuses a suspension that would do nothing.
const fn check_suspension(game: GameConfig, is_supported: bool) -> Result<(), ConfigError> {
    if game.suspend && !is_supported { Err(ConfigError::Suspend) } else { Ok(()) }
}

/// A match for tests.
#[cfg(test)]
pub(super) mod sample {
    use super::*;
    use crate::notation::Letters;

    /// Four games of each pairing from an empty board; the engines are named 0, 1, 2, …
    pub(in crate::arena) fn config(format: Format, engines: usize) -> MatchConfig {
        let engine = |number| EngineSpec::parse([&*format!("name={number}"), "cmd=x"]).unwrap();
        MatchConfig {
            format,
            engines: (0..engines).map(engine).collect(),
            game: GameConfig {
                rule: Rule::Freestyle,
                size: Size::FIFTEEN,
                draw_after: None,
                procedure: Procedure::Plain,
                suspend: false,
                restart: false,
                strict: false,
            },
            games: 4,
            openings: load_openings(NO_OPENINGS, Rule::Freestyle, Letters::new(Size::FIFTEEN)).unwrap().0,
            seed: None,
            transform: false,
            sprt: None,
            shard: Shard::WHOLE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::sample::config;
    use super::*;

    fn match_of(engines: usize) -> MatchConfig {
        config(Format::Match, engines)
    }

    #[test]
    fn a_procedure_needs_words_in_the_dialect_of_every_engine() {
        let mut config = match_of(2);
        config.engines[1].dialect = EngineDialect::Yixin;
        for &procedure in Procedure::ALL {
            config.game.procedure = procedure;
            let speaks = ["plain", "swap2", "soosorv-8"].contains(&procedure.name());
            assert_eq!(config.check().is_ok(), speaks, "{procedure}");
        }
        config.game.procedure = Procedure::Rif;
        let error = config.check().unwrap_err().to_string();
        assert_eq!(error, "--procedure rif: the dialect of \"1\" has no words for it");
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let config = match_of(2);
        assert!(config.check().is_ok());
        assert!(matches!(match_of(1).check(), Err(ConfigError::TwoEngines(1))));
        assert!(matches!(match_of(3).check(), Err(ConfigError::TwoEngines(3))));
        let twins =
            MatchConfig { engines: vec![config.engines[0].clone(), config.engines[0].clone()], ..config.clone() };
        assert!(matches!(twins.check(), Err(ConfigError::Engine(SpecError::SameName(_)))));
        assert!(matches!(MatchConfig { games: 3, ..config.clone() }.check(), Err(ConfigError::Games(_, 3))));
        let shard = Shard { index: 0, count: 2 };
        let split = MatchConfig { format: Format::Knockout, shard, ..config };
        assert!(matches!(split.check(), Err(ConfigError::Shard)));
    }

    #[test]
    fn numbers_have_bounds_that_the_error_names() {
        let error = |config: MatchConfig| config.check().unwrap_err().to_string();
        let config = match_of(2);
        assert!(MatchConfig { games: MOST_GAMES, ..config.clone() }.check().is_ok());
        assert!(error(MatchConfig { games: usize::MAX - 1, ..config.clone() }).contains("from 2 to 1000000000"));
        let knockout = MatchConfig { format: Format::Knockout, games: 200_000_000, ..config.clone() };
        assert!(error(knockout).contains("from 2 to 10000"));
        for stones in [0, 1025, usize::MAX] {
            let game = GameConfig { draw_after: Some(stones), ..config.game };
            assert!(error(MatchConfig { game, ..config.clone() }).contains("from 1 to 1024"), "{stones}");
        }
        let sprt = Sprt { elo1: 1e308, .."elo0=0".parse().unwrap() };
        assert!(error(MatchConfig { sprt: Some(sprt), ..config }).contains("from -1000 to 1000"));
    }

    #[test]
    fn suspension_is_refused_where_the_system_has_none() {
        let game = match_of(2).game;
        let suspended = GameConfig { suspend: true, ..game };
        assert!(check_suspension(game, false).is_ok() && check_suspension(suspended, true).is_ok());
        let error = check_suspension(suspended, false).unwrap_err();
        assert_eq!(error.to_string(), "--suspend: this system cannot suspend a process");
    }

    #[test]
    fn the_shards_of_a_match_have_one_fingerprint() {
        let config = match_of(2);
        let shard = MatchConfig { shard: Shard { index: 1, count: 2 }, ..config.clone() };
        assert_eq!(config.fingerprint(), shard.fingerprint());
        assert_ne!(config.fingerprint(), MatchConfig { games: 6, ..config.clone() }.fingerprint());
    }
}
