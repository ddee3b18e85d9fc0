//! [`Run::find_openings`]: near-even openings for matches and training, found by the engine's own search.
//!
//! A match decides little if the same color wins both games of an opening. An opening is kept if the search sees
//! neither side ahead, and if the two games of a pair of the engine against itself have different winners, or only one
//! is drawn.
//!
//! ```text
//! seed, number ─► random stones ─► new, of these numbers and this shard?
//!              ─► short search, wide range of the chance ─► long search, range ─► pair of games ─► line of the file
//! ```
//!
//! An earlier file can take the place of the random stones: its openings are judged again, by a longer search.

mod candidate;
mod file;
mod judge;

use std::collections::BTreeMap;
use std::fmt;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::{io, thread};

use clap::Args;
use strum::{Display, EnumString, VariantNames};

pub(super) use self::candidate::symmetry_class;
use self::candidate::{Candidate, Candidates};
use self::file::{Earlier, OpeningsFile};
use self::judge::{Judge, Judgement};
use super::GameError;
use super::run::{MOST_NODES, Run, RunError, number, rule_help};
use super::selfplay::{Engine, MOST_THREADS, engine_signature};
use crate::board::{Rule, Size};
use crate::protocol::rule_number::parse_rule;
use crate::shard::Shard;
use crate::text::UnknownName;

/// Maximum number of openings of a file.
const MOST_OPENINGS: u64 = 1_000_000;

/// Configuration of a search for openings, also as arguments. With the engine it determines the file, whatever the threads.
#[derive(Clone, Copy, Debug, Args)]
pub struct OpeningsConfig {
    /// The rule of the games.
    #[arg(long, default_value_t, value_parser = parse_rule, help = rule_help())]
    pub rule: Rule,
    /// The board size
    #[arg(long, default_value_t = Size::FIFTEEN)]
    pub size: Size,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The numbers of the openings to find; no opening of one half is the image of one of the other
    #[arg(long, default_value_t)]
    pub numbers: Numbers,
    /// The part of the openings to find: 2/8 is the second of eight
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    pub shard: Shard,
    /// Nodes of the search that judges an opening
    #[arg(long, default_value = "100000", value_parser = number::<NonZeroU64>(1..=MOST_NODES))]
    pub nodes: NonZeroU64,
    /// The range of the chance to win in percent
    #[arg(long, value_name = "LOW..HIGH", default_value_t)]
    pub chance: ChanceRange,
    /// Nodes of each move of the pair of games
    #[arg(long, default_value = "20000", value_parser = number::<NonZeroU64>(1..=MOST_NODES))]
    pub pair_nodes: NonZeroU64,
    /// Openings in the complete file
    #[arg(long, default_value = "500", value_parser = number::<NonZeroU32>(1..=MOST_OPENINGS))]
    pub count: NonZeroU32,
    /// Threads to search on
    #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..=MOST_THREADS as u64))]
    pub threads: NonZeroUsize,
}

/// The halves of all openings. An opening and its images belong to the same half.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
#[strum(parse_err_ty = UnknownName, parse_err_fn = unknown_numbers)]
pub enum Numbers {
    /// For training, tuning and the built-in lists.
    #[default]
    Even,
    /// For matches that judge. Nothing else may use them.
    Odd,
}

/// The error for an unknown name of a half.
fn unknown_numbers(_: &str) -> UnknownName {
    UnknownName::of::<Numbers>("half of the numbers")
}

/// A range of the chance to win in percent, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChanceRange {
    low: u8,
    high: u8,
}

impl ChanceRange {
    /// Whether this chance, 0 to 1, lies at most `margin` percent outside the range.
    fn contains(self, chance: f32, margin: u8) -> bool {
        let share = |percent: u8| f32::from(percent) / 100.0;
        (share(self.low) - share(margin)..=share(self.high) + share(margin)).contains(&chance)
    }
}

impl Default for ChanceRange {
    fn default() -> Self {
        Self { low: 43, high: 57 }
    }
}

impl fmt::Display for ChanceRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.low, self.high)
    }
}

/// Error returned when a [`ChanceRange`] fails to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected LOW..HIGH in percent, 0 to 100")]
pub struct ChanceRangeError;

impl FromStr for ChanceRange {
    type Err = ChanceRangeError;

    fn from_str(text: &str) -> Result<Self, ChanceRangeError> {
        let percent = |text: &str| text.parse().ok().filter(|&percent| percent <= 100).ok_or(ChanceRangeError);
        let (low, high) = text.split_once("..").ok_or(ChanceRangeError)?;
        let (low, high) = (percent(low)?, percent(high)?);
        if low <= high { Ok(Self { low, high }) } else { Err(ChanceRangeError) }
    }
}

/// Error returned when a search for openings ends early. The file keeps what was found.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file cannot be read or written, or another process writes to it.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// The file was begun with other settings, which are in its first lines.
    #[error("{} was begun with other settings: {}", .0.display(), .1)]
    OtherSettings(PathBuf, String),
    /// This line, counted from 1, is not an opening of these settings.
    #[error("{}, line {}: not an opening of these settings", .0.display(), .1)]
    Line(PathBuf, usize),
    /// The search of an opening has failed.
    #[error("opening {0}: {1}")]
    Search(u64, GameError),
}

impl Run<'_> {
    /// Adds openings to a file until it holds the wanted number. The file is begun if it does not exist. With an earlier file
    /// only openings of that file are added.
    ///
    /// Cost: some 20 s of one thread for an opening of 15 × 15 with the default nodes.
    ///
    /// # Errors
    /// When the file cannot be written or was begun with other settings, the earlier one cannot be read or is of other
    /// openings, or a search fails.
    pub fn find_openings(
        &self,
        path: &Path,
        earlier: Option<&Path>,
        config: &OpeningsConfig,
        engine: Engine,
    ) -> Result<(), RunError> {
        let signature = engine_signature(config.rule, engine)?;
        let earlier = earlier.map(|earlier| Earlier::read(earlier, config)).transpose()?;
        let earlier = earlier.as_ref();
        let mut file = OpeningsFile::open(path, config, signature, earlier)?;
        let wanted = config.count.get() as usize;
        if file.count() < wanted {
            let mut searched = 0;
            let mut new = Candidates::new(config);
            let candidates: Box<dyn Iterator<Item = Candidate> + Send> = match earlier {
                Some(earlier) => {
                    let mut rest = earlier.only(new)?;
                    rest.retain(|candidate| file.last_number().is_none_or(|last| last < candidate.number));
                    Box::new(rest.into_iter())
                }
                None => {
                    file.last_number().into_iter().for_each(|last| new.skip_past(last));
                    Box::new(new)
                }
            };
            judge_candidates(config, engine, candidates, self.halt, &mut |candidate, judgement| {
                searched += 1;
                if judgement.is_kept() {
                    file.add(candidate, judgement)?;
                    self.report(format_args!("{}: {} openings of {searched}", path.display(), file.count()));
                }
                Ok(file.count() < wanted)
            })?;
        }
        self.report(format_args!("{}: {} openings", path.display(), file.count()));
        Ok(())
    }
}

/// Judges candidates on several threads, and passes them to `take` in the order of their numbers until it returns false
/// or the run is halted.
fn judge_candidates(
    config: &OpeningsConfig,
    engine: Engine,
    candidates: impl Iterator<Item = Candidate> + Send,
    halt: &AtomicBool,
    take: &mut dyn FnMut(&Candidate, &Judgement) -> Result<bool, OpeningsError>,
) -> Result<(), OpeningsError> {
    let is_done = AtomicBool::new(false);
    let must_stop = || halt.load(Ordering::Relaxed) || is_done.load(Ordering::Relaxed);
    let candidates = Mutex::new(candidates.enumerate());
    let (judged_tx, judged_rx) = mpsc::channel();
    let work = |judged_tx: mpsc::Sender<_>| {
        let _guard = StopOnPanic(&is_done);
        let mut judge = Judge::new(config, engine);
        while !must_stop() {
            let next = candidates.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some((place, candidate)) = next else { break };
            let judgement = judge.judge(&candidate, &must_stop);
            let is_failed = judgement.is_err();
            // The receiver stops listening once it has enough.
            if judged_tx.send((place, candidate, judgement)).is_err() || is_failed {
                break;
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..config.threads.get())
            .map(|_| {
                let judged_tx = judged_tx.clone();
                scope.spawn(|| work(judged_tx))
            })
            .collect();
        drop(judged_tx);
        let mut waiting = BTreeMap::new();
        let mut next = 0;
        let mut receive = || -> Result<(), OpeningsError> {
            for (place, candidate, judgement) in &judged_rx {
                waiting.insert(place, (candidate, judgement));
                while let Some((candidate, judgement)) = waiting.remove(&next) {
                    let judgement = judgement.map_err(|error| OpeningsError::Search(candidate.number, error))?;
                    let Some(judgement) = judgement else { return Ok(()) };
                    if !take(&candidate, &judgement)? {
                        return Ok(());
                    }
                    next += 1;
                }
            }
            Ok(())
        };
        let received = receive();
        is_done.store(true, Ordering::Relaxed);
        threads.into_iter().for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        received
    })
}

/// Ends the work of the other threads if this one panics.
struct StopOnPanic<'a>(&'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_chances_is_read_as_written() {
        for text in ["43..57", "0..100", "50..50"] {
            assert_eq!(text.parse::<ChanceRange>().map(|range| range.to_string()).as_deref(), Ok(text));
        }
        for text in ["57..43", "43", "43-57", "0..101", "..", "-1..5", "a..b"] {
            assert_eq!(text.parse::<ChanceRange>(), Err(ChanceRangeError), "{text}");
        }
        let range = ChanceRange::default();
        assert_eq!([0.42, 0.44, 0.56, 0.58].map(|chance| range.contains(chance, 0)), [false, true, true, false]);
        assert!(range.contains(0.29, 15) && !range.contains(0.27, 15) && !range.contains(0.73, 15));
    }
}
