//! A MATCH FROM ITS FIRST GAME TO ITS REPORT: [`Contest`].
//!
//! Connects the other modules: begins or resumes a record, runs the workers and their engines, stops a match early by
//! its SPRT, and reports how the match ended. Uses all of them. Must never read an argument or write to a stream; the
//! binary does both.

mod pool;
mod runner;

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use runner::RunOptions;
use strum::FromRepr;
use thiserror::Error;

use super::config::args::MatchFiles;
use super::config::{ConfigError, Format, MatchConfig, load_openings};
use super::game::Abort;
use super::journal::{Journal, JournalError, MatchRecord};
use super::report::MatchReport;
use super::stats::results::sequential;
use super::stats::sprt::{SprtDecision, SprtProgress};
use crate::notation::Letters;
use crate::notation::record::GameRecord;
use crate::opening::lists::Opening;
use crate::shard::Shard;

/// The interval at which the SPRT is computed; games after its decision are not counted.
const SPRT_INTERVAL: Duration = Duration::from_millis(250);

/// Error returned when a match cannot begin, or stops before its end.
#[derive(Debug, Error)]
pub enum ContestError {
    /// The record cannot be read or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The match of the record cannot be played, or its openings cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The record belongs to another match than the options; the keys of the configuration that differ.
    #[error("{}: the record is of another match: {} differ", .0.display(), .1.join(", "))]
    OtherMatch(PathBuf, Vec<String>),
    /// The record belongs to a match with another format.
    #[error("{}: the record is of another kind of match", .0.display())]
    OtherFormat(PathBuf),
    /// The openings of this name have changed since the match began.
    #[error("{}: the openings {} have changed since the match began", .0.display(), .1)]
    OpeningsChanged(PathBuf, String),
    /// Neither options nor a record describe a match.
    #[error("neither engines nor a record are given")]
    NoMatch,
    /// An engine cannot be run as the match asks.
    #[error(transparent)]
    Engine(#[from] Abort),
    /// The thread of this worker, counted from 1, cannot be started.
    #[error("the thread of worker {0} cannot be started: {1}")]
    Worker(usize, io::Error),
}

/// The end of a match, as its exit status. If several apply, the first in this list counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromRepr)]
#[repr(u8)]
pub enum Conclusion {
    /// The match was interrupted by a signal.
    Interrupted = 130,
    /// An engine lost a game by failing as a program, and the caller counts that as a failure.
    Forfeits = 5,
    /// The SPRT accepted H0.
    H0 = 3,
    /// The SPRT accepted neither hypothesis.
    Undecided = 4,
    /// All games are played, or the SPRT accepted H1.
    Finished = 0,
}

/// The effect of forfeits on the conclusion of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forfeits {
    /// Forfeits are results like any other.
    Count,
    /// A forfeit makes the match [`Conclusion::Forfeits`].
    Fail,
}

/// A match with its record and openings, ready to be played.
///
/// Two games on a small board between engines that are shell scripts, with the options of `tengen-arena`.
///
/// ```
/// # #[cfg(unix)] {
/// use tengen::arena::config::args::{self, Task};
/// use tengen::arena::contest::{Contest, RunOptions};
///
/// let words = [
///     "tengen-arena", "match", "--games", "2", "--size", "5", "--openings", "none",
///     "--engine", "name=one", "dir=.", "cmd=/bin/sh tests/engines/scripted.sh sound",
///     "--engine", "name=two", "dir=.", "cmd=/bin/sh tests/engines/scripted.sh sound",
/// ];
/// let Task::Play(task) = args::parse(&words.map(Into::into))? else { panic!("a match and no table") };
/// let mut contest = Contest::prepare(task.format, task.described()?, &task.options.files)?;
/// let options = RunOptions { jobs: 1, transcripts: None, supervisor: None, halt: Default::default() };
/// let mut games = 0;
/// contest.play(&options, |game, _| games += usize::from(game.is_some()))?;
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
    /// `described` is the match of the options. Without it the match is that of the resumed record; with both, they must
    /// agree.
    ///
    /// # Errors
    /// When the record cannot be used, or belongs to another match.
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
                Ok(Self { journal, played: MatchRecord::new(config), openings })
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
        played.config.check()?;
        let MatchConfig { openings: recorded, game, .. } = &played.config;
        let letters = Letters::new(game.size).counted_from(recorded.ranks);
        let (source, openings) = load_openings(&recorded.name, game.rule, letters)?;
        if source != *recorded {
            return Err(ContestError::OpeningsChanged(path.to_owned(), recorded.name.clone()));
        }
        Ok(Self { journal, played, openings })
    }

    /// The match and the games so far.
    pub const fn played(&self) -> &MatchRecord {
        &self.played
    }

    /// Plays the games that are missing and writes each to the record as it ends. The match stops early when `halt` of the
    /// options is requested or, unless it is a shard, when its SPRT is decided. `show` is called for each game, and with
    /// `None` at intervals without one.
    ///
    /// # Errors
    /// When a worker or an engine cannot be started, or the record cannot be written. [`played`](Self::played) keeps the
    /// finished games.
    pub fn play(
        &mut self,
        options: &RunOptions,
        mut show: impl FnMut(Option<&GameRecord>, &MatchRecord),
    ) -> Result<(), ContestError> {
        let Self { journal, played, openings } = self;
        if is_decided(played) {
            return Ok(());
        }
        let config = played.config.clone();
        let (mut computed, mut games) = (Instant::now(), played.games.len());
        runner::run(played, openings.clone(), options, |game, played| {
            game.map_or(Ok(()), |game| journal.write(game, &config))?;
            show(game, played);
            if played.games.len() > games && computed.elapsed() >= SPRT_INTERVAL {
                if is_decided(played) {
                    options.halt.request();
                }
                // A long match must not spend its time on the test, beside engines that are timed.
                (computed, games) = (Instant::now(), played.games.len());
            }
            Ok(())
        })
    }

    /// The report of the games so far.
    pub fn report(&self) -> MatchReport {
        MatchReport::of_shard(&self.played)
    }
}

impl Conclusion {
    /// The conclusion of a match with this report.
    pub fn of(report: &MatchReport, config: &MatchConfig, is_interrupted: bool, forfeits: Forfeits) -> Self {
        match report.decision() {
            _ if is_interrupted => Self::Interrupted,
            _ if forfeits == Forfeits::Fail && report.has_forfeits() => Self::Forfeits,
            Some(SprtDecision::H0) => Self::H0,
            None if config.sprt.is_some() && config.shard == Shard::WHOLE => Self::Undecided,
            Some(SprtDecision::H1) | None => Self::Finished,
        }
    }
}

/// Whether the SPRT of a match has accepted a hypothesis. A shard plays all its games: the test counts the pairs of all
/// shards in their order.
fn is_decided(played: &MatchRecord) -> bool {
    let has_decision = |(progress, _): (SprtProgress, usize)| progress.decision.is_some();
    played.config.shard == Shard::WHOLE && sequential(played).is_some_and(has_decision)
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
