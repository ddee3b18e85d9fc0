//! [`Settings`]: the values of the settings.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::thread;

use super::{Info, KIBIBYTE, Key, OFF};
use crate::board::{PointSet, Size};
use crate::files::MEBIBYTE;
use crate::library::book::{Book, BookFileError};
use crate::picker::{BookInPlay, BookRole, Evaluation, Level, Limits, PickerName, SearchControl};
use crate::protocol::coordinates::{Coordinates, Labels};
use crate::protocol::detail::{Detail, View};
use crate::protocol::memory::{DEFAULT_MEMORY, MemoryBudget};
use crate::protocol::rule_number::{Dialect, RuleInfo};
use crate::rng::Rng;
use crate::weights::Weighting;

/// The values of the settings. They persist across the games of a session until INFO changes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The picker in use.
    pub picker: PickerName,
    /// The weights in use.
    pub weighting: Weighting,
    /// The evaluation of a search, and its networks.
    pub evaluation: Evaluation,
    /// The book in play.
    pub book: Option<Arc<Book>>,
    /// The seed of the draws from the book.
    pub book_seed: u64,
    /// The temperature of the policy's draws, in hundredths.
    pub temperature: u32,
    /// The level of play.
    pub level: Level,
    /// The seed of the draws of a level.
    pub level_seed: u64,
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
    /// The file of the library.
    pub library: Option<PathBuf>,
    /// Whether the library is used.
    pub uses_database: bool,
    /// Whether the library must not be changed.
    pub is_database_readonly: bool,
    /// Whether searches write their scores and proofs into the library.
    pub keeps_proofs: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            picker: PickerName::default(),
            weighting: Weighting::default(),
            evaluation: Evaluation::default(),
            book: None,
            book_seed: 0,
            temperature: 0,
            level: Level::FULL,
            level_seed: 0,
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
            library: None,
            uses_database: true,
            is_database_readonly: false,
            keeps_proofs: false,
        }
    }
}

impl Settings {
    /// Applies a setting. Time settings are ignored, because the clock handles them, and a book is left to
    /// [`open_book`](Self::open_book).
    pub fn apply(&mut self, info: &Info) {
        match *info {
            Info::Picker(name) => self.picker = name,
            Info::Weights(weighting) => self.weighting = weighting,
            Info::Evaluation(name) => self.evaluation.name = name,
            Info::BookSeed(seed) => self.book_seed = seed,
            Info::Temperature(hundredths) => self.temperature = hundredths,
            Info::Level(level) | Info::Strength(level) => self.level = level,
            Info::LevelSeed(seed) => self.level_seed = seed,
            Info::ThreadNum(threads) => self.threads = threads.max(1),
            Info::MaxMemory(bytes) => self.memory = bytes.unwrap_or(DEFAULT_MEMORY),
            Info::HashSize(bytes) => self.hash_size = bytes,
            Info::Pondering(pondering) => self.pondering = pondering,
            Info::Coordinates(coordinates) => self.coordinates = coordinates,
            Info::ShowDetail(detail) => self.detail = detail,
            Info::Rule(number) => self.rule = RuleInfo::from_number(number, self.dialect),
            Info::MaxDepth(depth) => self.depth = depth,
            Info::MaxNode(nodes) => self.nodes = nodes,
            Info::Library(ref path) => self.library.clone_from(path),
            Info::UseDatabase(is_used) => self.uses_database = is_used,
            Info::DatabaseReadonly(is_readonly) => self.is_database_readonly = is_readonly,
            Info::LibraryProofs(are_kept) => self.keeps_proofs = are_kept,
            Info::TimeoutTurn(_) | Info::TimeoutMatch(_) | Info::TimeLeft(_) | Info::TimeIncrement(_) => {}
            Info::Book(_) => {}
        }
    }

    /// Applies the setting of a book: reads the file, or plays without a book.
    ///
    /// # Errors
    /// When the file is not read as a book. The book in play stays.
    pub fn open_book(&mut self, path: Option<&Path>) -> Result<(), BookFileError> {
        self.book = path.map(|path| Book::open(path).map(Arc::new)).transpose()?;
        Ok(())
    }

    /// The seed of the draws of a level in the game of this number of the session.
    pub(in crate::protocol) const fn seed_of_game(&self, game: u64) -> u64 {
        Rng::numbered(self.level_seed, game).next_u64()
    }

    /// A note for the user if the picker cannot follow a setting.
    pub fn note(&self) -> Option<String> {
        let picker = self.picker;
        let has_no_level = self.level < Level::FULL && picker == PickerName::Greedy;
        let level =
            || format!("level {} needs picker {}; picker {picker} has no levels", self.level, PickerName::Search);
        self.evaluation.note(picker).or_else(|| has_no_level.then(level))
    }

    /// The value of a key in the form of the file. `None` for an absent limit and for the times, which the clock keeps.
    pub fn value(&self, key: Key) -> Option<String> {
        match key {
            Key::Picker => Some(self.picker.to_string()),
            Key::Weights => Some(self.weighting.to_string()),
            Key::Evaluation => Some(self.evaluation.name.to_string()),
            Key::Book => Some(path(self.book.as_ref().and_then(|book| book.path()))),
            Key::BookSeed => Some(self.book_seed.to_string()),
            Key::Temperature => Some(self.temperature.to_string()),
            Key::Level => Some(self.level.to_string()),
            Key::Strength => Some(self.level.strength().to_string()),
            Key::LevelSeed => Some(self.level_seed.to_string()),
            Key::ThreadNum => Some(self.threads.to_string()),
            Key::MaxMemory => Some((self.memory / MEBIBYTE).to_string()),
            Key::HashSize => self.hash_size.map(|bytes| (bytes / KIBIBYTE).to_string()),
            Key::Pondering => Some(self.pondering.to_string()),
            Key::Coordinates => Some(self.coordinates.to_string()),
            Key::ShowDetail => Some((self.detail as u8).to_string()),
            Key::Rule => Some(self.rule.number().to_string()),
            Key::MaxDepth => self.depth.map(|depth| depth.to_string()),
            Key::MaxNode => self.nodes.map(|nodes| nodes.to_string()),
            Key::Library => Some(path(self.library.as_deref())),
            Key::UseDatabase => Some(self.uses_database.to_string()),
            Key::DatabaseReadonly => Some(self.is_database_readonly.to_string()),
            Key::LibraryProofs => Some(self.keeps_proofs.to_string()),
            Key::TimeoutTurn | Key::TimeoutMatch | Key::TimeLeft | Key::TimeIncrement => None,
        }
    }

    /// Format of the reports about a board of this size.
    pub(in crate::protocol) fn view(&self, size: Size) -> View {
        let labels = Labels { coordinates: self.coordinates, dialect: self.dialect, size };
        View { detail: self.detail, labels }
    }

    /// Number of hardware threads. Counted only if more than one thread is requested, because counting reads system
    /// files and would delay the first OK.
    pub(in crate::protocol) fn cores() -> usize {
        static CORES: OnceLock<usize> = OnceLock::new();
        *CORES.get_or_init(|| thread::available_parallelism().map_or(1, NonZeroUsize::get))
    }

    fn budget(&self) -> MemoryBudget {
        let threads = if self.threads > 1 { self.threads.min(Self::cores()) } else { 1 };
        MemoryBudget::new(self.memory, threads)
    }

    /// Maximum table size in Yixin-Board's unit: the base-2 logarithm of its KiB, rounded down.
    pub(in crate::protocol) fn table_kilobytes_log2(&self) -> u32 {
        (self.budget().tables() / KIBIBYTE).checked_ilog2().unwrap_or(0)
    }

    /// The limits of a search.
    pub fn limits(&self, control: SearchControl) -> Limits {
        self.limits_within(self.budget(), control)
    }

    /// The limits of each of several searches at once, which share the memory, and the number of the searches: fewer than
    /// requested if the memory has no room for their threads.
    pub fn shared_limits(&self, searches: usize) -> (Limits, usize) {
        let threads = self.budget().threads();
        let all = MemoryBudget::new(self.memory, threads.saturating_mul(searches));
        let searches = (all.threads() / threads).max(1);
        let limits = self.limits_within(all, SearchControl::default());
        (Limits { memory: limits.memory.map(|bytes| bytes / searches), threads, ..limits }, searches)
    }

    fn limits_within(&self, budget: MemoryBudget, control: SearchControl) -> Limits {
        let book_bytes = self.book.as_ref().map_or(0, |book| book.bytes() as u64);
        let rest = budget.tables().saturating_sub(book_bytes);
        let tables = self.hash_size.map_or(rest, |hash| hash.min(rest));
        Limits {
            depth: self.picker.depth_limit(self.depth),
            nodes: self.nodes,
            memory: Some(usize::try_from(tables).unwrap_or(usize::MAX)),
            evaluation: self.evaluation,
            threads: budget.threads(),
            temperature: self.temperature,
            level: self.level,
            seed: self.level_seed,
            left_out: PointSet::EMPTY,
            book: self.book_in_play(),
            control: Arc::new(control),
        }
    }

    /// The book in the first game of a session.
    pub(in crate::protocol) fn book_in_play(&self) -> Option<BookInPlay> {
        let book = Arc::clone(self.book.as_ref()?);
        Some(BookInPlay { book, seed: self.book_seed, game: 0, role: BookRole::Answers })
    }
}

/// The path of a file in the form of the file of settings.
fn path(path: Option<&Path>) -> String {
    path.map_or(OFF.to_owned(), |path| path.display().to_string())
}
