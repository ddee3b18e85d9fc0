//! [`Progress`]: generations that begin with random weights, measured by the yardstick of the learners.

use std::path::Path;
use std::time::Instant;

use super::StartName;
use super::folder::Folder;
use crate::board::Rule;
use crate::eval::network::Weights;
use crate::files::OutputFile;
use crate::rng::Rng;
use crate::tune::TrainError;
use crate::tune::loss::Losses;
use crate::tune::network::{Learner, Model, Origin};
use crate::tune::reinforce::{Log, LogLine, Work, Yardstick, cpu_time};
use crate::tune::run::{Run, RunError, read_network};

/// The measurements of generations that begin with random weights.
pub(super) struct Progress {
    log: Log,
    yardstick: Yardstick,
    /// The work up to the last measurement, and the clocks at that time.
    work: Work,
    since: Instant,
    cpu_since: f64,
}

impl Progress {
    /// Opens the measurements of a folder of which this number of generations is done. Without measurements, writes the
    /// random network and measures it. `None` if the generations begin with the built-in network.
    pub(super) fn open(folder: &Folder<'_>, done: usize, run: &Run<'_>) -> Result<Option<Self>, RunError> {
        let config = folder.config;
        match config.start {
            StartName::BuiltIn => return Ok(None),
            StartName::None => {}
        }
        let size = config.size.median();
        let (method, rule) = ("generations".to_owned(), config.rule.to_string());
        let first = LogLine::Run { method, seed: config.seed, rule, size: size.side(), rate: config.rate };
        let log = Log::open(folder.path.join("progress.jsonl"), first, Some(done as u64))?;
        let work = match log.lines.last() {
            Some(LogLine::Measured { work, .. }) => Some(*work),
            Some(LogLine::Run { .. }) | None => None,
        };
        let yardstick = Yardstick::new(config.rule, size);
        let mut progress =
            Self { log, yardstick, work: work.unwrap_or_default(), since: Instant::now(), cpu_since: cpu_seconds() };
        if work.is_none() {
            write_random(&folder.network(0), config.rule, config.seed)?;
            progress.measure(folder, 0, run)?;
        }
        // A kill between a step and its measurement leaves generations without one.
        for generation in progress.work.updates as usize + 1..=done {
            progress.measure(folder, generation, run)?;
        }
        Ok(Some(progress))
    }

    /// Measures the network of a generation.
    pub(super) fn measure(&mut self, folder: &Folder<'_>, generation: usize, run: &Run<'_>) -> Result<(), RunError> {
        if generation > 0 {
            let games =
                run.read_games(&[folder.file(generation, "games")], folder.config.rule, |game| game.plies.len())?;
            self.work.games += games.len() as u64;
            self.work.positions += games.iter().sum::<usize>() as u64;
        }
        self.work.updates = generation as u64;
        self.work.seconds += self.since.elapsed().as_secs_f64();
        self.work.cpu_seconds += cpu_seconds() - self.cpu_since;
        let result = self.yardstick.measure(&read_network(&folder.network(generation))?, generation as u64);
        run.report(format_args!("generation {generation}, {}: {result}", self.work));
        self.log.add(LogLine::Measured { work: self.work, losses: Losses::default(), result })?;
        (self.since, self.cpu_since) = (Instant::now(), cpu_seconds());
        Ok(())
    }
}

/// Writes a network of random weights without the classical priors.
fn write_random(path: &Path, rule: Rule, seed: u64) -> Result<(), RunError> {
    let model = Model::new(rule, &Origin::Nothing, &mut Rng::new(seed));
    let weights = Learner::new(model, 1).weights().ok_or(TrainError::Diverged(0))?;
    Ok(OutputFile::create(path, &Weights::KIND)?.write_whole(&weights.to_bytes())?)
}

/// The CPU time of the process in seconds; 0 on systems without such a clock.
fn cpu_seconds() -> f64 {
    cpu_time().map_or(0.0, |time| time.as_secs_f64())
}
