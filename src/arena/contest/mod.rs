//! A MATCH FROM ITS FIRST GAME TO ITS REPORT: [`Contest`].
//!
//! Owns what connects the other modules: a record that is begun or resumed, the workers and their engines, the test
//! that stops a match early, and how the match ended. Uses all of them. Must never read an argument or write to a
//! stream; the binary does both.

mod pool;
mod runner;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use runner::{MatchEvent, RunError, RunOptions};

use super::config::{ConfigError, Format, MatchConfig, load_openings};
use super::journal::{Journal, JournalError, MatchRecord};
use super::report::MatchReport;
use super::stats::results::sequential;
use super::stats::sprt::SprtDecision;
use crate::notation::Letters;
use crate::opening::lists::Opening;

/// The interval at which the SPRT is computed; games after its decision are not counted.
const SPRT_INTERVAL: Duration = Duration::from_millis(250);

/// The files of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchFiles {
    /// The record to begin; must not exist.
    pub record: Option<PathBuf>,
    /// The record to go on with, or to begin if it does not exist.
    pub resume: Option<PathBuf>,
    /// The folder for PSQ files.
    pub psq: Option<PathBuf>,
}

/// Why a match cannot begin.
#[derive(Debug)]
pub enum ContestError {
    /// The record cannot be read or written.
    Journal(JournalError),
    /// The match of the record cannot be played, or its openings cannot be read.
    Config(ConfigError),
    /// The record is of another match than the options: these parts of the configuration differ.
    OtherMatch(PathBuf, Vec<String>),
    /// The record is of a match with another format.
    OtherFormat(PathBuf),
    /// The openings of this name are not those with which the match began.
    OpeningsChanged(PathBuf, String),
    /// Neither options nor a record describe a match.
    NoMatch,
}

impl fmt::Display for ContestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Journal(error) => error.fmt(f),
            Self::Config(error) => error.fmt(f),
            Self::OtherMatch(path, keys) => {
                write!(f, "{}: the record is of another match: {} differ", path.display(), keys.join(", "))
            }
            Self::OtherFormat(path) => write!(f, "{}: the record is of another kind of match", path.display()),
            Self::OpeningsChanged(path, name) => {
                write!(f, "{}: the openings {name} have changed since the match began", path.display())
            }
            Self::NoMatch => f.write_str("neither engines nor a record are given"),
        }
    }
}

impl std::error::Error for ContestError {}

impl From<JournalError> for ContestError {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

/// How a match ended, in the order in which a script asks: the first that applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The match was interrupted.
    Interrupted,
    /// An engine lost a game by failing as a program, and that was to be a failure.
    Forfeits,
    /// The SPRT accepted H0.
    H0,
    /// The SPRT accepted neither hypothesis.
    Undecided,
    /// All games are played, or the SPRT accepted H1.
    Finished,
}

/// What counts as a failure besides the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forfeits {
    /// Forfeits are results like others.
    Count,
    /// A forfeit makes the match [`Conclusion::Forfeits`].
    Fail,
}

/// A match with its record and openings, ready to be played.
///
/// Two games on a small board between engines that are shell scripts; the options are those of `tengen-arena`.
///
/// ```
/// # #[cfg(unix)] {
/// use tengen::arena::config::args;
/// use tengen::arena::contest::{Contest, MatchEvent, MatchFiles, RunOptions};
///
/// let words = [
///     "tengen-arena", "match", "--games", "2", "--size", "5", "--openings", "none",
///     "--engine", "name=one", "dir=.", "cmd=/bin/sh tests/engines/scripted.sh sound",
///     "--engine", "name=two", "dir=.", "cmd=/bin/sh tests/engines/scripted.sh sound",
/// ];
/// let parsed = args::parse(&words.map(Into::into))?;
/// let (format, options) = parsed.action.play().expect("a match and no table");
/// let mut contest = Contest::prepare(format, parsed.described(format, options)?, &MatchFiles::default())?;
/// let options = RunOptions { jobs: 1, transcripts: None, supervisor: None, halt: Default::default() };
/// let mut games = 0;
/// contest.play(&options, |event, _| games += usize::from(matches!(event, MatchEvent::Game(_))))?;
/// assert_eq!(games, 2);
/// println!("{}", contest.report());
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Contest {
    journal: Journal,
    played: MatchRecord,
    openings: Vec<Opening>,
}

impl Contest {
    /// Begins the match that the options describe, or resumes the one on record.
    ///
    /// `described` is the match of the options. It may be missing where a record is resumed: the match is then the
    /// record's. Where both exist they must agree.
    ///
    /// # Errors
    /// When the record cannot be used, or is of another match.
    pub fn prepare(
        format: Format,
        described: Option<(MatchConfig, Vec<Opening>)>,
        files: &MatchFiles,
    ) -> Result<Self, ContestError> {
        match (&files.resume, described) {
            (Some(path), described) => {
                Self::resume(path, format, described.map(|(config, _)| config), files.psq.clone())
            }
            (None, None) => Err(ContestError::NoMatch),
            (None, Some((config, openings))) => {
                let journal = Journal::create(files.record.as_deref(), files.psq.clone(), &config)?;
                Ok(Self { journal, played: MatchRecord { config, games: BTreeMap::new() }, openings })
            }
        }
    }

    fn resume(
        path: &Path,
        format: Format,
        described: Option<MatchConfig>,
        psq: Option<PathBuf>,
    ) -> Result<Self, ContestError> {
        let (journal, played) = Journal::resume(path, psq, described.as_ref())?;
        match described {
            Some(config) if config != played.config => {
                return Err(ContestError::OtherMatch(path.to_owned(), differing_keys(&config, &played.config)));
            }
            None if played.config.format != format => return Err(ContestError::OtherFormat(path.to_owned())),
            _ => {}
        }
        played.config.check().map_err(ContestError::Config)?;
        let MatchConfig { openings: recorded, game, .. } = &played.config;
        let letters = Letters::new(game.size).counted_from(recorded.ranks);
        let (source, openings) = load_openings(&recorded.name, game.rule, letters).map_err(ContestError::Config)?;
        if source != *recorded {
            return Err(ContestError::OpeningsChanged(path.to_owned(), recorded.name.clone()));
        }
        Ok(Self { journal, played, openings })
    }

    /// The match and the games so far.
    pub const fn played(&self) -> &MatchRecord {
        &self.played
    }

    /// Plays the games that are missing and writes each to the record as it ends. The match stops early when its SPRT
    /// is decided or `halt` of the options is set. `show` is called for each game, and at intervals without one.
    ///
    /// # Errors
    /// When a worker or an engine cannot be started, or the record cannot be written. [`played`](Self::played) keeps
    /// the games that were finished.
    pub fn play(
        &mut self,
        options: &RunOptions,
        mut show: impl FnMut(&MatchEvent, &MatchRecord),
    ) -> Result<(), RunError<JournalError>> {
        let Self { journal, played, openings } = self;
        let config = played.config.clone();
        let mut computed = Instant::now();
        runner::run(played, openings.clone(), options, |event, played| {
            if let MatchEvent::Game(game) = event {
                journal.write(game, &config)?;
            }
            show(event, played);
            if computed.elapsed() >= SPRT_INTERVAL {
                computed = Instant::now();
                if is_decided(played) {
                    options.halt.request();
                }
            }
            Ok(())
        })
    }

    /// The report of the games so far.
    pub fn report(&self) -> MatchReport {
        MatchReport::new(std::slice::from_ref(&self.played), &[self.played.config.shard])
    }
}

impl Conclusion {
    /// The conclusion of a match with this report.
    pub fn of(report: &MatchReport, config: &MatchConfig, is_interrupted: bool, forfeits: Forfeits) -> Self {
        match report.decision() {
            _ if is_interrupted => Self::Interrupted,
            _ if forfeits == Forfeits::Fail && report.has_forfeits() => Self::Forfeits,
            Some(SprtDecision::H0) => Self::H0,
            None if config.sprt.is_some() => Self::Undecided,
            Some(SprtDecision::H1) | None => Self::Finished,
        }
    }
}

/// Whether the SPRT of a match has accepted a hypothesis.
fn is_decided(played: &MatchRecord) -> bool {
    let progress = sequential(played, |opening| played.config.shard.has(opening));
    progress.is_some_and(|(progress, _)| progress.decision.is_some())
}

/// The keys in which the configuration on record differs from the options.
fn differing_keys(described: &MatchConfig, recorded: &MatchConfig) -> Vec<String> {
    let value = |config| serde_json::to_value(config).unwrap_or_default();
    let (described, recorded) = (value(described), value(recorded));
    let keys = recorded.as_object().into_iter().flatten();
    keys.filter(|(key, value)| described.get(key) != Some(value)).map(|(key, _)| key.clone()).collect()
}

#[cfg(test)]
mod tests;
