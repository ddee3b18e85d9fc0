//! The table of settings, and [`Settings`], which holds their values.
//!
//! A new setting is a variant of [`Info`], a row of [`Key::row`] and an arm of [`Key::read`] in this file, and a field of
//! [`Settings`] and an arm each of [`Settings::apply`] and [`Settings::value`] in `values.rs`. INFO, `tengen.toml`, the
//! arguments, `--help` and `config` use the table. A test checks the rows of the documentation. If a search reads the
//! setting, [`Limits`](crate::picker::Limits) has a field too.

mod values;

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

pub use values::Settings;

use strum::{EnumDiscriminants, EnumIter, EnumString, IntoEnumIterator, IntoStaticStr, VariantNames};

use super::coordinates::Coordinates;
use super::detail::Detail;
use super::time_limit::{MatchLeft, TurnLimit};
use crate::files::MEBIBYTE;
use crate::picker::{JudgeName, Level, PickerName};
use crate::weights::Weighting;

/// A setting: a key and its value, decoded once. The names of the keys are those of the variants, in snake case.
#[derive(Clone, Debug, PartialEq, Eq, EnumDiscriminants)]
#[strum_discriminants(name(Key), derive(PartialOrd, Ord, EnumString, EnumIter, IntoStaticStr))]
#[strum_discriminants(strum(serialize_all = "snake_case", ascii_case_insensitive), doc = "The key of a setting.")]
pub enum Info {
    /// The picker in use; an extension.
    Picker(PickerName),
    /// The weights in use; an extension.
    Weights(Weighting),
    /// The evaluation of a search; an extension.
    Evaluation(JudgeName),
    /// The file of the book in play, or `None` for no book; an extension.
    Book(Option<PathBuf>),
    /// The seed of the draws from the book; an extension.
    BookSeed(u64),
    /// The temperature of the policy's draws, in hundredths; an extension.
    Temperature(u32),
    /// The level of play; an extension.
    Level(Level),
    /// The level of play as a strength of 0 to 100.
    Strength(Level),
    /// The seed of the draws of a level; an extension.
    LevelSeed(u64),
    /// Threads of a search.
    ThreadNum(usize),
    /// Bytes of the whole process; `None` is the default.
    MaxMemory(Option<u64>),
    /// Bytes of the tables, sent in KiB. `None` means the rest of the process's memory.
    HashSize(Option<u64>),
    /// Whether the engine thinks on the opponent's time.
    Pondering(bool),
    /// Notation of points in texts; an extension.
    Coordinates(Coordinates),
    /// Detail of the search output.
    ShowDetail(Detail),
    /// A number whose meaning depends on the dialect.
    Rule(i64),
    /// Depth limit of a search in plies. `None` means unlimited.
    MaxDepth(Option<u32>),
    /// Node limit of a search. `None` means unlimited.
    MaxNode(Option<u64>),
    /// Time limit of one move.
    TimeoutTurn(TurnLimit),
    /// Total time limit of a game.
    TimeoutMatch(MatchLeft),
    /// Time left of the total limit.
    TimeLeft(MatchLeft),
    /// Increment: time added after each move.
    TimeIncrement(Duration),
    /// The file of the library, or `None` for no library; an extension.
    Library(Option<PathBuf>),
    /// Whether the library is used.
    #[strum_discriminants(strum(serialize = "usedatabase"))]
    UseDatabase(bool),
    /// Whether the library must not be changed.
    DatabaseReadonly(bool),
    /// Whether searches write their scores and proofs into the library; an extension.
    LibraryProofs(bool),
}

/// A row of the table of settings.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Sources that may set it.
    pub place: Place,
    /// Its values.
    pub values: Values,
    /// Description for `--help` and the documentation.
    pub help: &'static str,
}

/// Sources of a setting. INFO accepts every key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// INFO only.
    Info,
    /// Also `tengen.toml`, under this name.
    File(&'static str),
    /// Also `tengen.toml` and the arguments, under this name.
    Argument(&'static str),
}

/// The values of a setting.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// One of these names.
    Names(fn() -> Vec<String>),
    /// A number of this unit.
    Number(&'static str),
    /// A number of `unit` in INFO. In the file a number of `file_unit` from 1 to `most`.
    Count {
        /// The unit in INFO.
        unit: &'static str,
        /// The unit in the file.
        file_unit: &'static str,
        /// The greatest number in the file.
        most: u64,
    },
    /// 0 or 1; in the file `false` or `true`.
    Switch,
    /// The path of a file, which may hold blanks, or `off`.
    File,
}

/// The value that stands for no file.
const OFF: &str = "off";

/// Error returned when a value of a setting is invalid. The text describes the expected values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ValueError(String);

impl ValueError {
    fn new(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// Maximum number of threads, far above the number of cores of a machine. If the system refuses the signal stack of a
/// thread, the runtime library aborts the process; Linux does so with some 16,000 threads (`vm.max_map_count`).
pub const MOST_THREADS: u64 = 1024;

/// Maximum plausible memory, 1 TiB. INFO reads a larger value as the default, and the file refuses it.
pub const PLAUSIBLE_MEMORY: u64 = 1 << 40;

/// Bytes of a KiB, the unit of `hash_size`.
const KIBIBYTE: u64 = 1 << 10;

/// Text form of a value. INFO counts memory in bytes and writes switches as 0 and 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Info,
    File,
}

impl Key {
    /// All keys.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::iter()
    }

    /// The table row of this key.
    #[rustfmt::skip]
    pub const fn row(self) -> Row {
        use Values::{Count, File, Names, Number, Switch};
        const MEMORY: Values = Count { unit: "bytes", file_unit: "MiB of the process", most: PLAUSIBLE_MEMORY / MEBIBYTE };
        const LEVELS: Values = Count { unit: "1 to 10", file_unit: "", most: 10 };
        const THREADS: Values = Count { unit: "threads", file_unit: "", most: MOST_THREADS };
        let (place, values, help) = match self {
            Self::Picker => (Place::Argument("picker"), Names(|| texts(PickerName::VARIANTS)), "what chooses the moves"),
            Self::Weights => (Place::Argument("weights"), Names(|| texts(Weighting::ALL)), "the documented weights"),
            Self::Evaluation => (Place::Argument("evaluation"), Names(|| texts(JudgeName::VARIANTS)), "evaluation; rollouts are for `mcts`"),
            Self::Book => (Place::Argument("book"), File, "a book to play by"),
            Self::BookSeed => (Place::File("book_seed"), Number("a number"), "seed of the draws from the book"),
            Self::Temperature => (Place::File("temperature"), Number("hundredths"), "temperature of the draws of `policy`"),
            Self::Level => (Place::Argument("level"), LEVELS, "strength of play against people"),
            Self::Strength => (Place::Info, Number("0 to 100"), "the level as a share of full strength"),
            Self::LevelSeed => (Place::File("level_seed"), Number("a number"), "seed of the draws of a level"),
            Self::ThreadNum => (Place::File("threads"), THREADS, "threads of a search"),
            Self::MaxMemory => (Place::File("memory"), MEMORY, "memory of the whole process"),
            Self::HashSize => (Place::Info, Number("KiB"), "memory of the tables"),
            Self::Pondering => (Place::File("pondering"), Switch, "think on the opponent's time"),
            Self::Coordinates => (Place::File("coordinates"), Names(|| texts(Coordinates::VARIANTS)), "how texts write points"),
            Self::ShowDetail => (Place::Info, Number("0 to 3"), "what a search prints"),
            Self::Rule => (Place::Info, Number("a bit mask"), "the rule of the game"),
            Self::MaxDepth => (Place::Info, Number("plies"), "depth limit of a search"),
            Self::MaxNode => (Place::Info, Number("nodes, of `mcts` playouts"), "node limit of a search"),
            Self::TimeoutTurn => (Place::Info, Number("ms"), "time of one move"),
            Self::TimeoutMatch => (Place::Info, Number("ms"), "time of all moves of a game"),
            Self::TimeLeft => (Place::Info, Number("ms"), "time left of the game"),
            Self::TimeIncrement => (Place::Info, Number("ms"), "time added after each move"),
            Self::Library => (Place::Argument("library"), File, "the library of the database commands"),
            Self::UseDatabase => (Place::Info, Switch, "use the library"),
            Self::DatabaseReadonly => (Place::Info, Switch, "refuse changes of the library"),
            Self::LibraryProofs => (Place::File("library_proofs"), Switch, "write what searches find into the library"),
        };
        Row { place, values, help }
    }

    /// The name in INFO.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The key of this name in `tengen.toml`.
    pub fn of_file(name: &str) -> Option<Self> {
        Self::iter().find(|key| matches!(key.row().place, Place::File(own) | Place::Argument(own) if own == name))
    }

    /// Reads a value of `tengen.toml` or of an argument.
    ///
    /// # Errors
    /// If the value is invalid or out of range.
    pub fn parse(self, text: &str) -> Result<Info, ValueError> {
        self.read(text, Form::File)
    }

    fn read(self, text: &str, form: Form) -> Result<Info, ValueError> {
        let invalid = || ValueError::new("expected a number");
        let no_switch = || ValueError::new("expected true or false");
        let number = || saturating(text).ok_or_else(invalid);
        let natural = || number().and_then(|number| u64::try_from(number).map_err(|_| invalid()));
        let switch = || match form {
            Form::Info => [false, true].get(natural()? as usize).copied().ok_or_else(no_switch),
            Form::File => text.parse().map_err(|_| no_switch()),
        };
        if let (Form::File, Values::Count { most, .. }) = (form, self.row().values) {
            let is_in_range = natural().is_ok_and(|number| (1..=most).contains(&number));
            is_in_range
                .then_some(())
                .ok_or_else(|| ValueError::new(format_args!("expected a number from 1 to {most}")))?;
        }
        let unit = if form == Form::Info { 1 } else { MEBIBYTE };
        Ok(match self {
            Self::Picker => Info::Picker(text.parse().map_err(ValueError::new)?),
            Self::Weights => Info::Weights(text.parse().map_err(ValueError::new)?),
            Self::Evaluation => Info::Evaluation(text.parse().map_err(ValueError::new)?),
            Self::Book => Info::Book(file(text)),
            Self::BookSeed => Info::BookSeed(natural()?),
            Self::Temperature => Info::Temperature(u32::try_from(natural()?).unwrap_or(u32::MAX)),
            Self::Level => {
                Info::Level(Level::new(natural()?).ok_or_else(|| ValueError::new("expected a number from 1 to 10"))?)
            }
            Self::Strength => Info::Strength(Level::of_strength(natural()?)),
            Self::LevelSeed => Info::LevelSeed(natural()?),
            Self::ThreadNum => Info::ThreadNum(usize::try_from(natural()?).unwrap_or(usize::MAX)),
            Self::MaxMemory => Info::MaxMemory(plausible(natural()?.saturating_mul(unit))),
            Self::HashSize => Info::HashSize(plausible(natural()?.saturating_mul(KIBIBYTE))),
            Self::Pondering => Info::Pondering(switch()?),
            Self::Coordinates => Info::Coordinates(text.parse().map_err(ValueError::new)?),
            Self::ShowDetail => Info::ShowDetail(Detail::from_show_detail(number()?).ok_or_else(invalid)?),
            Self::Rule => Info::Rule(i64::try_from(natural()?).unwrap_or(i64::MAX)),
            Self::MaxDepth => Info::MaxDepth(limit(number()?).map(|depth| u32::try_from(depth).unwrap_or(u32::MAX))),
            Self::MaxNode => Info::MaxNode(limit(number()?)),
            Self::TimeoutTurn => Info::TimeoutTurn(TurnLimit::from_timeout_turn(number()?).ok_or_else(invalid)?),
            Self::TimeoutMatch => Info::TimeoutMatch(MatchLeft::from_timeout_match(number()?).ok_or_else(invalid)?),
            Self::TimeLeft => Info::TimeLeft(MatchLeft::from_time_left(number()?)),
            Self::TimeIncrement => Info::TimeIncrement(Duration::from_millis(natural()?)),
            Self::Library => Info::Library(file(text)),
            Self::UseDatabase => Info::UseDatabase(switch()?),
            Self::DatabaseReadonly => Info::DatabaseReadonly(switch()?),
            Self::LibraryProofs => Info::LibraryProofs(switch()?),
        })
    }
}

/// The path of a file; `None` for [`OFF`] or nothing.
fn file(text: &str) -> Option<PathBuf> {
    (!text.is_empty() && !text.eq_ignore_ascii_case(OFF)).then(|| text.into())
}

impl Info {
    /// Parses the text after the word INFO. `None` for an unknown key or an invalid value, because INFO is never
    /// answered, not even with an error.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (key, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let key: Key = key.parse().ok()?;
        let value = match key.row().values {
            Values::File => rest.trim(),
            Values::Names(_) | Values::Number(_) | Values::Count { .. } | Values::Switch => {
                rest.split_whitespace().next()?
            }
        };
        key.read(value, Form::Info).ok()
    }
}

fn texts<T: ToString>(all: impl IntoIterator<Item = T>) -> Vec<String> {
    all.into_iter().map(|name| name.to_string()).collect()
}

/// 0 and negative numbers mean no limit (c-gomoku-cli, Yixin-Board).
fn limit(number: i64) -> Option<u64> {
    u64::try_from(number).ok().filter(|number| *number > 0)
}

/// `None` for 0 and for implausible amounts.
fn plausible(bytes: u64) -> Option<u64> {
    (1..=PLAUSIBLE_MEMORY).contains(&bytes).then_some(bytes)
}

/// Parses an integer. A value beyond 64 bits saturates.
fn saturating(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let extreme = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(extreme))
}

#[cfg(test)]
mod tests;
