//! [`Run`]: a long task with a stop token and lines of progress. Its methods, such as `play` and `train`, are defined
//! next to the tasks that they run. [`number`] reads their limits from arguments.

use std::error::Error;
use std::fmt::Display;
use std::fs;
use std::io;
use std::num::NonZeroU64;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::builder::TypedValueParser;
use clap::value_parser;
use strum::VariantNames;

use super::record::{Games, SelfPlayGame, read_games};
use super::{GameFileError, GameReader, OpeningsError, SelfPlayError, TrainError};
use crate::arena::config::ConfigError;
use crate::board::Rule;
use crate::eval::Networks;
use crate::eval::network::Weights;
use crate::files::{self, OutputError};
use crate::picker::Evaluation;
use crate::tune::network::CheckpointError;

/// Maximum number of games of a run. A game's number has 32 bits.
pub const MOST_GAMES: u64 = 1_000_000_000;

/// Maximum number of nodes of a move: minutes of search.
pub const MOST_NODES: u64 = 1_000_000_000;

/// Maximum number of rounds of a fit or a training.
pub const MOST_ROUNDS: u64 = 10_000;

/// The parser of an argument that is a number within a range.
pub fn number<T>(range: RangeInclusive<u64>) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<NonZeroU64, Error: Error + Send + Sync> + Clone + Send + Sync + 'static,
{
    let read =
        |number: u64| -> Result<T, Box<dyn Error + Send + Sync>> { Ok(NonZeroU64::try_from(number)?.try_into()?) };
    value_parser!(u64).range(range).try_map(read)
}

/// The help of the argument for the rule of games.
pub(super) fn rule_help() -> String {
    format!("The rule of the games: {}", Rule::VARIANTS.join(", "))
}

/// Error returned when a [`Run`] ends early.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be read, or not parsed.
    #[error("cannot read {}", .0.display())]
    Read(PathBuf, #[source] Box<dyn Error + Send + Sync>),
    /// A file or a folder cannot be written.
    #[error("cannot write {}", .0.display())]
    Write(PathBuf, #[source] io::Error),
    /// An output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A file of games cannot be read or written.
    #[error(transparent)]
    Games(#[from] GameFileError),
    /// Self-play has failed.
    #[error(transparent)]
    SelfPlay(#[from] SelfPlayError),
    /// A search for openings has failed.
    #[error(transparent)]
    Openings(#[from] OpeningsError),
    /// A fit or a training has failed.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A network belongs to another rule than the expected one.
    #[error("{}: it is a network of {recorded}, expected {wanted}", .path.display())]
    NetworkRule {
        /// The file.
        path: PathBuf,
        /// Its rule.
        recorded: Rule,
        /// The expected rule.
        wanted: Rule,
    },
    /// A network would be measured on games of a seed that it is trained on.
    #[error("{} and {} have seed {}; hold out games of a seed of their own", .0.display(), .1.display(), .2)]
    SameSeed(PathBuf, PathBuf, u64),
    /// This checkpoint would be overwritten.
    #[error("{}: an earlier run left this checkpoint; continue it with --resume, or delete the file to begin a new run", .0.display())]
    Begun(PathBuf),
    /// The folder of generations was begun with these options.
    #[error("{} was begun with other options: {}", .0.display(), .1.trim())]
    OtherOptions(PathBuf, String),
    /// Another run writes to this folder.
    #[error("another run uses {}", .0.display())]
    InUse(PathBuf),
    /// The initial network of a training is the file that it writes; it could not be resumed from this file.
    #[error("{}: the training would replace the network that it starts with; name another file to write", .0.display())]
    StartIsOutput(PathBuf),
    /// The openings of the matches cannot be read.
    #[error(transparent)]
    MatchOpenings(#[from] ConfigError),
    /// A program of the package is missing.
    #[error("{} is missing: build all programs of the package", .0.display())]
    Program(PathBuf),
    /// A program cannot be started.
    #[error("cannot start tengen-arena")]
    Arena(#[source] io::Error),
    /// An engine has forfeited games of a match, so its result says nothing of the networks.
    #[error("an engine forfeited games of {}; without this file the next run repeats the match", .0.display())]
    Forfeits(PathBuf),
    /// A match has failed.
    #[error("tengen-arena: {0}")]
    Match(ExitStatus),
}

/// A long task, which can be halted and reports its progress.
pub struct Run<'a> {
    /// If set, the task ends at the next point from which it can be resumed.
    pub halt: &'a AtomicBool,
    /// Receives lines of progress.
    pub report: &'a dyn Fn(&dyn Display),
    /// Receives the state of the task every few seconds. A later one replaces it.
    pub progress: &'a dyn Fn(&dyn Display),
}

impl Run<'_> {
    /// Whether the task must end.
    pub fn is_halted(&self) -> bool {
        self.halt.load(Ordering::Relaxed)
    }

    pub(super) fn report(&self, line: impl Display) {
        (self.report)(&line);
    }

    /// Opens files of games, and reports unfinished games at their ends.
    pub(super) fn open_games(&self, paths: &[PathBuf], rule: Rule) -> Result<Games, RunError> {
        let games = read_games(paths, rule)?;
        games.files().iter().filter_map(GameReader::tail_note).for_each(|note| self.report(note));
        Ok(games)
    }

    /// Reads files of games, and reports unfinished games at their ends.
    pub(super) fn read_games<T>(
        &self,
        paths: &[PathBuf],
        rule: Rule,
        each: impl Fn(SelfPlayGame) -> T,
    ) -> Result<Vec<T>, RunError> {
        Ok(self.open_games(paths, rule)?.map(|game| game.map(&each)).collect::<Result<_, _>>()?)
    }
}

/// The evaluation by a network file, or by the built-in network.
///
/// # Errors
/// When the file cannot be read, or is the network of another rule.
pub fn evaluation(network: Option<&Path>, rule: Rule) -> Result<Evaluation, RunError> {
    let Some(path) = network else { return Ok(Evaluation::default()) };
    let weights = read_network(path)?;
    if weights.rule != rule {
        return Err(RunError::NetworkRule { path: path.to_owned(), recorded: weights.rule, wanted: rule });
    }
    let mut networks = Networks::none();
    networks.insert(weights);
    // Like the built-in networks it is kept until the process ends.
    Ok(Evaluation { available: Box::leak(Box::new(networks)), ..Evaluation::default() })
}

/// Reads a network file.
pub(super) fn read_network(path: &Path) -> Result<Weights, RunError> {
    let bytes = files::read(path, files::MOST_BYTES).map_err(cannot_read(path))?;
    Weights::from_bytes(&bytes).map_err(cannot_read(path))
}

/// Makes a folder, unless it exists.
pub(super) fn create_folder(path: &Path) -> Result<(), RunError> {
    fs::create_dir_all(path).map_err(|error| RunError::Write(path.to_owned(), error))
}

/// Turns the cause of a failed reading into an error that names the file.
pub(super) fn cannot_read<E: Into<Box<dyn Error + Send + Sync>>>(path: &Path) -> impl Fn(E) -> RunError + '_ {
    |error| RunError::Read(path.to_owned(), error.into())
}

/// The checkpoint from which a run continues; `None` for a new run. Without `resume` an existing checkpoint is an error,
/// because the new run would overwrite it.
pub(super) fn read_checkpoint<T>(
    path: &Path,
    most_bytes: u64,
    resume: bool,
    parse: impl FnOnce(&[u8]) -> Result<T, CheckpointError>,
) -> Result<Option<T>, RunError> {
    match if_exists(files::read(path, most_bytes)).map_err(cannot_read(path))? {
        Some(_) if !resume => Err(RunError::Begun(path.to_owned())),
        bytes => bytes.map(|bytes| parse(&bytes)).transpose().map_err(cannot_read(path)),
    }
}

/// The contents of a file; `None` if it does not exist.
pub(super) fn if_exists<T>(read: io::Result<T>) -> io::Result<Option<T>> {
    match read {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}
