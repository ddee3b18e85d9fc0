//! [`EngineSpec`]: the program of an engine, and what it may use.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use strum::{EnumString, VariantNames};
use thiserror::Error;

use super::{MOST_STONES, words};
use crate::opening::Procedure;
use crate::protocol::{DEFAULT_MEMORY, MOST_MILLISECONDS, MOST_THREADS, PLAUSIBLE_MEMORY};
use crate::text::{Quoted, Short, UnknownName};

/// The greatest `max_node`.
pub(in crate::arena) const MOST_NODES: u64 = 1_000_000_000_000_000;

/// The default limit from `START` to `OK`, in milliseconds.
const START_LIMIT: u64 = 10_000;

/// An engine of a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// The name, different from that of any other engine in the match.
    pub name: String,
    /// The program and its arguments, as given.
    pub cmd: String,
    /// The folder in which it runs. By default it is the program's own, as with every Gomocup manager.
    pub dir: Option<PathBuf>,
    /// Its time.
    pub time: TimeControl,
    /// Milliseconds from `START` to `OK`.
    pub start: u64,
    /// Milliseconds that must pass after the engine's last line before it gets a question, `START` or `RESTART`.
    pub grace: u64,
    /// The words in which it is asked about an opening.
    #[serde(default, skip_serializing_if = "EngineDialect::is_default")]
    pub dialect: EngineDialect,
    /// `INFO max_memory` in bytes, checked after each move on Linux; 0: no limit.
    pub memory: u64,
    /// Further lines `INFO key value` before each game: `max_node`, `max_depth`, `thread_num` and options.
    pub infos: Vec<(String, String)>,
}

/// The time that an engine has, all in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// For one move; 0 asks the engine to answer without thinking.
    pub turn: u64,
    /// For all moves of a game; 0: no limit.
    #[serde(rename = "match")]
    pub game: u64,
    /// Added to the time left for the game after each move.
    pub increment: u64,
    /// The time by which a move may be late. It allows for delays of the arena itself and is not sent to the engine.
    pub tolerance: u64,
}

/// One second a move, no limit for the game; the tolerance is Gomocup's.
impl Default for TimeControl {
    fn default() -> Self {
        Self { turn: 1000, game: 0, increment: 0, tolerance: 1000 }
    }
}

/// The words in which an engine is asked about an opening procedure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownName, parse_err_fn = unknown_dialect)]
pub enum EngineDialect {
    /// Gomocup's `SWAP2BOARD`; for every other procedure `OPENBOARD`, which is modelled on it.
    #[default]
    Gomocup,
    /// Yixin-Board's commands for Swap2 and Soosõrv's rule with eight fifth moves.
    Yixin,
}

fn unknown_dialect(_: &str) -> UnknownName {
    UnknownName::of::<EngineDialect>("dialect")
}

impl EngineDialect {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Whether it has words for the questions of the procedure.
    pub fn has_words_for(self, procedure: Procedure) -> bool {
        self == Self::Gomocup || [Procedure::Plain, Procedure::Swap2, Procedure::Soosorv8].contains(&procedure)
    }
}

/// Error returned when the description of an engine fails to parse, or its program cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SpecError {
    /// A word is not of the form `key=value`.
    #[error("expected key=value, got {}", Quoted(.0))]
    NoValue(String),
    /// The key is unknown.
    #[error("unknown key {}, expected one of {}, option.NAME", Quoted(.0), Key::VARIANTS.join(", "))]
    UnknownKey(String),
    /// The value of this key is not a whole number from 0 to this maximum.
    #[error("{} must be a whole number from 0 to {}", Short(.0), .1)]
    Number(String, u64),
    /// This key or its value holds a control character, which would be a command of its own or change the terminal.
    #[error("{} has a control character in its name or value", Quoted(.0))]
    Control(String),
    /// `cmd=` is missing, empty, or has an open quote.
    #[error("an engine needs cmd='program arguments', with every quote closed")]
    NoCommand,
    /// The dialect is unknown.
    #[error(transparent)]
    Dialect(#[from] UnknownName),
    /// Two engines have this name.
    #[error("two engines have the name {}; give one of them name=…", Quoted(.0))]
    SameName(String),
    /// The program is missing or cannot be run: the places that were tried.
    #[error("no such program: {0}")]
    NoProgram(String),
}

/// The keys of an engine's description, beside `option.NAME`.
#[derive(Clone, Copy, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase")]
enum Key {
    Name,
    Cmd,
    Dir,
    Turn,
    Match,
    Increment,
    Tolerance,
    Start,
    Grace,
    Nodes,
    Depth,
    Threads,
    Memory,
    Dialect,
}

impl EngineSpec {
    /// The help of an option that takes the description of an engine.
    pub(super) fn help() -> String {
        let keys = Key::VARIANTS.join(", ");
        format!(
            "An engine as KEY=VALUE words: {keys} (times in ms, memory in bytes or as 350M), and option.X=V, which is sent as INFO X V"
        )
    }

    /// Reads `key=value` words. Later words override earlier ones, so the words for all engines come first.
    ///
    /// # Errors
    /// At the first word that is not understood, or without a command.
    pub fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Result<Self, SpecError> {
        let mut spec = Self {
            name: String::new(),
            cmd: String::new(),
            dir: None,
            time: TimeControl::default(),
            start: START_LIMIT,
            grace: 0,
            dialect: EngineDialect::default(),
            memory: DEFAULT_MEMORY,
            infos: Vec::new(),
        };
        for word in words {
            let (key, value) = word.split_once('=').ok_or_else(|| SpecError::NoValue(word.to_owned()))?;
            spec.set(key, value)?;
        }
        let program = spec.argv().into_iter().next().ok_or(SpecError::NoCommand)?;
        if spec.name.is_empty() {
            let path = Path::new(&program);
            // An extension of digits is part of a version number.
            let ending = path.extension().unwrap_or_default().as_encoded_bytes();
            let is_version = !ending.is_empty() && ending.iter().all(u8::is_ascii_digit);
            let name = if is_version { path.file_name() } else { path.file_stem() };
            let name = name.unwrap_or_default().to_string_lossy();
            spec.name = name.strip_prefix("pbrain-").unwrap_or(&name).to_owned();
        }
        Ok(spec)
    }

    /// Checks that the names differ.
    ///
    /// # Errors
    /// At the first name that an earlier engine has.
    pub(super) fn check_names(engines: &[Self]) -> Result<(), SpecError> {
        let mut names = HashSet::new();
        let same = engines.iter().find(|engine| !names.insert(&engine.name));
        same.map_or(Ok(()), |engine| Err(SpecError::SameName(engine.name.clone())))
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        if !matches!(key, "cmd" | "dir") && key.chars().chain(value.chars()).any(char::is_control) {
            return Err(SpecError::Control(key.to_owned()));
        }
        if let Some(option) = key.strip_prefix("option.").filter(|option| !option.is_empty()) {
            self.add_info(option, value);
            return Ok(());
        }
        let up_to = |number: Option<u64>, most| {
            number.filter(|&number| number <= most).ok_or_else(|| SpecError::Number(key.to_owned(), most))
        };
        let number = |most| up_to(value.parse().ok(), most);
        let time = || number(MOST_MILLISECONDS);
        match key.parse().map_err(|_| SpecError::UnknownKey(key.to_owned()))? {
            Key::Name => value.clone_into(&mut self.name),
            Key::Cmd => value.clone_into(&mut self.cmd),
            Key::Dir => self.dir = Some(value.into()),
            Key::Turn => self.time.turn = time()?,
            Key::Match => self.time.game = time()?,
            Key::Increment => self.time.increment = time()?,
            Key::Tolerance => self.time.tolerance = time()?,
            Key::Start => self.start = time()?,
            Key::Grace => self.grace = time()?,
            Key::Nodes => self.add_info("max_node", &number(MOST_NODES)?.to_string()),
            Key::Depth => self.add_info("max_depth", &number(MOST_STONES as u64)?.to_string()),
            Key::Threads => self.add_info("thread_num", &number(MOST_THREADS)?.to_string()),
            Key::Memory => self.memory = up_to(bytes(value), PLAUSIBLE_MEMORY)?,
            Key::Dialect => self.dialect = value.parse()?,
        }
        Ok(())
    }

    /// Adds an `INFO` line. It replaces an older one with the same key.
    pub(in crate::arena) fn add_info(&mut self, key: &str, value: &str) {
        self.infos.retain(|(old, _)| old != key);
        self.infos.push((key.to_owned(), value.to_owned()));
    }

    /// The program and its arguments as separate words, by the quoting rules of this system; empty if the command is empty
    /// or has an open quote.
    pub fn argv(&self) -> Vec<String> {
        words::split(&self.cmd).unwrap_or_default()
    }

    /// The program as it is started. A path with a slash is made absolute, because the engine may run in another folder. A
    /// bare name is looked up in `PATH`.
    pub fn program(&self) -> PathBuf {
        let program = PathBuf::from(self.argv().into_iter().next().unwrap_or_default());
        if program.components().count() < 2 { program } else { std::path::absolute(&program).unwrap_or(program) }
    }

    /// Checks that the program can be started, without starting it.
    ///
    /// # Errors
    /// When no executable file has its name.
    pub fn check_program(&self) -> Result<(), SpecError> {
        let program = self.program();
        let is_there = if program.is_absolute() {
            is_program(&program)
        } else {
            let beside = std::env::current_exe().ok().and_then(|own| own.parent().map(Path::to_path_buf));
            let path = std::env::var_os("PATH").unwrap_or_default();
            let folders = beside.filter(|_| cfg!(windows)).into_iter().chain(std::env::split_paths(&path));
            folders.map(|folder| folder.join(&program)).any(|file| is_program(&file))
        };
        if is_there { Ok(()) } else { Err(SpecError::NoProgram(self.tried())) }
    }

    /// The program for an error, with the places where it is looked up and the given folder.
    pub(in crate::arena) fn tried(&self) -> String {
        let program = self.program();
        let place = if program.is_absolute() {
            ""
        } else if cfg!(windows) {
            " (looked up beside this program and in PATH)"
        } else {
            " (looked up in PATH)"
        };
        let folder = self.dir.as_ref().map_or_else(String::new, |dir| format!(" in the folder {}", dir.display()));
        format!("{}{place}{folder}", program.display())
    }

    /// The folder in which the engine runs: the given one, or the program's if its path is known.
    pub fn folder(&self) -> Option<PathBuf> {
        let own = || self.program().parent().map(Path::to_path_buf).filter(|folder| !folder.as_os_str().is_empty());
        self.dir.clone().or_else(own)
    }
}

/// Whether a file is executable. Windows adds the ending of a program.
#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file() || file.with_extension("exe").is_file()
}

/// Whether a file is executable.
#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// A number of bytes, such as `4096`, `350M` or `1G`.
fn bytes(text: &str) -> Option<u64> {
    let (digits, shift) = match text.char_indices().last()? {
        (last, 'k' | 'K') => (&text[..last], 10),
        (last, 'm' | 'M') => (&text[..last], 20),
        (last, 'g' | 'G') => (&text[..last], 30),
        _ => (text, 0),
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_describe_an_engine_and_later_ones_win() {
        let words = "turn=100 depth=3 memory=80M cmd=./a/pbrain-x nodes=7 turn=50 option.style=2 depth=5";
        let spec = EngineSpec::parse(words.split(' ')).unwrap();
        assert_eq!((spec.name.as_str(), spec.time.turn, spec.memory), ("x", 50, 80 << 20));
        let infos: Vec<_> = spec.infos.iter().map(|(key, value)| format!("{key} {value}")).collect();
        assert_eq!(infos, ["max_node 7", "style 2", "max_depth 5"]);
        assert!(spec.program().is_absolute() && spec.folder().unwrap().ends_with("a"));
        assert_eq!(EngineSpec::parse(["cmd=sh x.sh"]).unwrap().folder(), None);
        for (cmd, name) in [("./pbrain-a-1.2", "a-1.2"), ("b.EXE", "b"), ("a.2b", "a"), ("run.sh", "run")] {
            assert_eq!(EngineSpec::parse([&*format!("cmd={cmd}")]).unwrap().name, name);
        }
    }

    #[test]
    fn wrong_words_are_named() {
        let error = |words: &str| EngineSpec::parse(words.split(' ')).unwrap_err();
        assert_eq!(error("cmd"), SpecError::NoValue("cmd".to_owned()));
        assert_eq!(error("cmd=a turns=1"), SpecError::UnknownKey("turns".to_owned()));
        assert_eq!(error("cmd=a turn=fast"), SpecError::Number("turn".to_owned(), 2_147_483_647));
        assert_eq!(error("name=a"), SpecError::NoCommand);
        assert_eq!(error("cmd='a"), SpecError::NoCommand);
        assert_eq!(error("cmd=a dialect=Yixin-Board"), unknown_dialect("").into());
    }

    #[test]
    fn every_number_has_a_bound_that_the_error_names() {
        for (key, most) in [
            ("turn", MOST_MILLISECONDS),
            ("match", MOST_MILLISECONDS),
            ("increment", MOST_MILLISECONDS),
            ("tolerance", MOST_MILLISECONDS),
            ("start", MOST_MILLISECONDS),
            ("grace", MOST_MILLISECONDS),
            ("memory", PLAUSIBLE_MEMORY),
            ("nodes", MOST_NODES),
            ("depth", MOST_STONES as u64),
            ("threads", MOST_THREADS),
        ] {
            let parse = |number: u128| EngineSpec::parse(["cmd=a", &format!("{key}={number}")]);
            assert!(parse(most.into()).is_ok(), "{key}");
            for number in [u128::from(most) + 1, u64::MAX.into(), u128::MAX] {
                let message = parse(number).unwrap_err().to_string();
                assert_eq!(message, format!("{key} must be a whole number from 0 to {most}"));
            }
        }
    }

    #[test]
    fn control_characters_reach_neither_a_terminal_nor_an_engine() {
        for word in ["name=\u{1b}[2J", "option.a=1\nTURN 0,0", "option.a\rb=1"] {
            let error = EngineSpec::parse(["cmd=a", word]).unwrap_err();
            assert!(matches!(error, SpecError::Control(_)) && !error.to_string().contains(char::is_control), "{error}");
        }
    }
}
