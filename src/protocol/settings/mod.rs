//! [`Settings`]: the table of settings, and the struct that holds their values.
//!
//! A new setting is a variant of [`Info`], a row of [`Key::row`], a field of [`Settings`], and an arm each of
//! [`Key::read`], [`Settings::apply`] and [`Settings::value`], all in this file. INFO, `tengen.toml`, the arguments,
//! `--help` and `config` use the table. A test checks the rows of the documentation. If a search reads the setting,
//! [`Limits`] has a field too.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use strum::{EnumDiscriminants, EnumIter, EnumString, IntoEnumIterator, IntoStaticStr, VariantNames};

use super::coordinates::{Coordinates, Labels};
use super::detail::{Detail, View};
use super::memory::{DEFAULT_MEMORY, MemoryBudget};
use super::rule_number::{Dialect, RuleInfo};
use super::time_limit::{MatchLeft, TurnLimit};
use crate::board::{PointSet, Size};
use crate::files::MEBIBYTE;
use crate::picker::{Evaluation, JudgeName, Limits, PickerName, SearchControl};
use crate::weights::Weighting;

/// A setting: a key and its value, decoded once. The names of the keys are those of the variants, in snake case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumDiscriminants)]
#[strum_discriminants(name(Key), derive(PartialOrd, Ord, EnumString, EnumIter, IntoStaticStr))]
#[strum_discriminants(strum(serialize_all = "snake_case", ascii_case_insensitive), doc = "The key of a setting.")]
pub enum Info {
    /// The picker in use; an extension.
    Picker(PickerName),
    /// The weights in use; an extension.
    Weights(Weighting),
    /// The evaluation of a search; an extension.
    Evaluation(JudgeName),
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
}

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
        use Values::{Count, Names, Number, Switch};
        const MEMORY: Values = Count { unit: "bytes", file_unit: "MiB of the process", most: PLAUSIBLE_MEMORY / MEBIBYTE };
        const THREADS: Values = Count { unit: "threads", file_unit: "", most: MOST_THREADS };
        let (place, values, help) = match self {
            Self::Picker => (Place::Argument("picker"), Names(|| texts(PickerName::VARIANTS)), "what chooses the moves"),
            Self::Weights => (Place::Argument("weights"), Names(|| texts(Weighting::ALL)), "the documented weights"),
            Self::Evaluation => (Place::Argument("evaluation"), Names(|| texts(JudgeName::VARIANTS)), "evaluation; rollouts are for `mcts`"),
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
            Self::ThreadNum => Info::ThreadNum(usize::try_from(natural()?).unwrap_or(usize::MAX)),
            Self::MaxMemory => Info::MaxMemory(plausible(natural()?.saturating_mul(unit))),
            Self::HashSize => Info::HashSize(plausible(natural()?.saturating_mul(KIBIBYTE))),
            Self::Pondering => Info::Pondering(match (form, text) {
                (Form::Info, _) => [false, true].get(natural()? as usize).copied().ok_or_else(no_switch)?,
                (Form::File, _) => text.parse().map_err(|_| no_switch())?,
            }),
            Self::Coordinates => Info::Coordinates(text.parse().map_err(ValueError::new)?),
            Self::ShowDetail => Info::ShowDetail(Detail::from_show_detail(number()?).ok_or_else(invalid)?),
            Self::Rule => Info::Rule(i64::try_from(natural()?).unwrap_or(i64::MAX)),
            Self::MaxDepth => Info::MaxDepth(limit(number()?).map(|depth| u32::try_from(depth).unwrap_or(u32::MAX))),
            Self::MaxNode => Info::MaxNode(limit(number()?)),
            Self::TimeoutTurn => Info::TimeoutTurn(TurnLimit::from_timeout_turn(number()?).ok_or_else(invalid)?),
            Self::TimeoutMatch => Info::TimeoutMatch(MatchLeft::from_timeout_match(number()?).ok_or_else(invalid)?),
            Self::TimeLeft => Info::TimeLeft(MatchLeft::from_time_left(number()?)),
            Self::TimeIncrement => Info::TimeIncrement(Duration::from_millis(natural()?)),
        })
    }
}

impl Info {
    /// Parses the text after the word INFO. `None` for an unknown key or an invalid value, because INFO is never
    /// answered, not even with an error.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let key: Key = words.next()?.parse().ok()?;
        key.read(words.next()?, Form::Info).ok()
    }
}

/// The values of the settings. They persist across the games of a session until INFO changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The picker in use.
    pub picker: PickerName,
    /// The weights in use.
    pub weighting: Weighting,
    /// The evaluation of a search, and its networks.
    pub evaluation: Evaluation,
    /// Requested threads of a search. The cores and the memory may reduce them.
    pub threads: usize,
    /// Bytes of the whole process.
    pub memory: u64,
    /// Bytes of the tables. `None` means the rest of the process's memory.
    pub hash_size: Option<u64>,
    /// Whether the engine thinks on the opponent's time.
    pub pondering: bool,
    /// Notation of points in texts.
    pub coordinates: Coordinates,
    /// Detail of the search output.
    pub detail: Detail,
    /// The rule of the game.
    pub rule: RuleInfo,
    /// The manager's dialect for rules and points.
    pub dialect: Dialect,
    /// Depth limit of a search in plies.
    pub depth: Option<u32>,
    /// Node limit of a search.
    pub nodes: Option<u64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            picker: PickerName::default(),
            weighting: Weighting::default(),
            evaluation: Evaluation::default(),
            threads: 1,
            memory: DEFAULT_MEMORY,
            hash_size: None,
            pondering: false,
            coordinates: Coordinates::default(),
            detail: Detail::default(),
            rule: RuleInfo::default(),
            dialect: Dialect::default(),
            depth: None,
            nodes: None,
        }
    }
}

impl Settings {
    /// Applies a setting. Time settings are ignored, because the clock handles them.
    pub fn apply(&mut self, info: Info) {
        match info {
            Info::Picker(name) => self.picker = name,
            Info::Weights(weighting) => self.weighting = weighting,
            Info::Evaluation(name) => self.evaluation.name = name,
            Info::ThreadNum(threads) => self.threads = threads.max(1),
            Info::MaxMemory(bytes) => self.memory = bytes.unwrap_or(DEFAULT_MEMORY),
            Info::HashSize(bytes) => self.hash_size = bytes,
            Info::Pondering(pondering) => self.pondering = pondering,
            Info::Coordinates(coordinates) => self.coordinates = coordinates,
            Info::ShowDetail(detail) => self.detail = detail,
            Info::Rule(number) => self.rule = RuleInfo::from_number(number, self.dialect),
            Info::MaxDepth(depth) => self.depth = depth,
            Info::MaxNode(nodes) => self.nodes = nodes,
            Info::TimeoutTurn(_) | Info::TimeoutMatch(_) | Info::TimeLeft(_) | Info::TimeIncrement(_) => {}
        }
    }

    /// The value of a key in the form of the file. `None` for an absent limit and for the times, which the clock keeps.
    pub fn value(&self, key: Key) -> Option<String> {
        match key {
            Key::Picker => Some(self.picker.to_string()),
            Key::Weights => Some(self.weighting.to_string()),
            Key::Evaluation => Some(self.evaluation.name.to_string()),
            Key::ThreadNum => Some(self.threads.to_string()),
            Key::MaxMemory => Some((self.memory / MEBIBYTE).to_string()),
            Key::HashSize => self.hash_size.map(|bytes| (bytes / KIBIBYTE).to_string()),
            Key::Pondering => Some(self.pondering.to_string()),
            Key::Coordinates => Some(self.coordinates.to_string()),
            Key::ShowDetail => Some((self.detail as u8).to_string()),
            Key::Rule => Some(self.rule.number().to_string()),
            Key::MaxDepth => self.depth.map(|depth| depth.to_string()),
            Key::MaxNode => self.nodes.map(|nodes| nodes.to_string()),
            Key::TimeoutTurn | Key::TimeoutMatch | Key::TimeLeft | Key::TimeIncrement => None,
        }
    }

    /// Format of the reports about a board of this size.
    pub(super) fn view(&self, size: Size) -> View {
        let labels = Labels { coordinates: self.coordinates, dialect: self.dialect, size };
        View { detail: self.detail, labels }
    }

    /// Number of hardware threads. Counted only if more than one thread is requested, because counting reads system
    /// files and would delay the first OK.
    pub(super) fn cores() -> usize {
        static CORES: OnceLock<usize> = OnceLock::new();
        *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZeroUsize::get))
    }

    fn budget(&self) -> MemoryBudget {
        let threads = if self.threads > 1 { self.threads.min(Self::cores()) } else { 1 };
        MemoryBudget::new(self.memory, threads)
    }

    /// Maximum table size in Yixin-Board's unit: the base-2 logarithm of its KiB, rounded down.
    pub(super) fn table_kilobytes_log2(&self) -> u32 {
        (self.budget().tables() / KIBIBYTE).checked_ilog2().unwrap_or(0)
    }

    /// The limits of a search.
    pub fn limits(&self, control: SearchControl) -> Limits {
        let budget = self.budget();
        let tables = self.hash_size.map_or(budget.tables(), |hash| hash.min(budget.tables()));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            memory: Some(usize::try_from(tables).unwrap_or(usize::MAX)),
            evaluation: self.evaluation,
            threads: budget.threads(),
            left_out: PointSet::EMPTY,
            control: Arc::new(control),
        }
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
