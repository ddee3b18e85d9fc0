//! [`Run::reinforce`]: learning by playing, from random weights to a network file.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::checkpoint::Checkpoint;
use super::config::{AlgorithmName, ReinforceConfig, ReinforceExtent};
use super::log::{Log, curves_of};
use super::worker::Worker;
use super::yardstick::{LogLine, Work, Yardstick};
use super::{ActorCritic, Algorithm, Dqn, PolicyGradient, Session, Update, cpu_time};
use crate::eval::network::Weights;
use crate::files::{Kind, OutputFile, beside};
use crate::rng::Rng;
use crate::tune::TrainError;
use crate::tune::loss::Losses;
use crate::tune::network::{Learner, Model, Origin};
use crate::tune::plot::elo_curves;
use crate::tune::run::{Run, RunError, cannot_read, read_checkpoint};

/// Time between two lines of progress.
const PROGRESS_EVERY: Duration = Duration::from_secs(2);

/// Games after which the learning rate has fallen to 1 / √2, after three times as many to 1 / 2. A constant rate of 0.005 leaves
/// the share of own fives of the policy gradients between 96 and 99 %.
const RATE_GAMES: f32 = 10_000.0;

/// The files of a learner.
#[derive(Clone, Copy, Debug)]
pub struct ReinforceFiles<'a> {
    /// The network file, rewritten at each measurement. The checkpoint is `NAME.checkpoint`, the log `NAME.jsonl`.
    pub network: &'a Path,
    /// The picture of the curves of all logs in the folder of the network, if wanted.
    pub plot: Option<&'a Path>,
}

/// A learner with its algorithm and workers, between two rounds.
pub(super) struct ReinforceTrainer {
    config: ReinforceConfig,
    pub(super) learner: Learner,
    algorithm: Box<dyn Algorithm>,
    workers: Vec<Worker>,
    pub(super) work: Work,
}

impl ReinforceTrainer {
    /// A trainer before its first game, with random weights and this number of workers.
    pub(super) fn new(config: ReinforceConfig, workers: usize) -> Self {
        let ReinforceConfig { algorithm, rule, size, seed, .. } = config;
        let model = Model::new(rule, &Origin::Nothing, &mut Rng::new(seed));
        let learner = Learner::new(model, workers);
        let algorithm: Box<dyn Algorithm> = match algorithm {
            AlgorithmName::PolicyGradient => Box::<PolicyGradient>::default(),
            AlgorithmName::ActorCritic => Box::<ActorCritic>::default(),
            AlgorithmName::Dqn => Box::new(Dqn::new(&learner)),
        };
        let workers = (0..workers).map(|_| Worker::new(&learner, rule, size)).collect();
        Self { config, learner, algorithm, workers, work: Work::default() }
    }

    /// Continues as from a checkpoint; `None` if its parts do not fit.
    pub(super) fn resume(mut self, checkpoint: Checkpoint) -> Option<Self> {
        let Checkpoint { config, work, state, rest } = checkpoint;
        let mut rest = &rest[..];
        self.learner.set_state(state)?;
        self.algorithm.load(&mut rest)?;
        let ReinforceConfig { rule, size, .. } = config;
        self.workers.iter_mut().for_each(|worker| *worker = Worker::new(&self.learner, rule, size));
        self.work = work;
        rest.is_empty().then_some(self)
    }

    pub(super) fn checkpoint(&mut self) -> Checkpoint {
        let mut rest = Vec::new();
        self.algorithm.save(&mut rest);
        Checkpoint { config: self.config, work: self.work, state: self.learner.state(), rest }
    }

    /// Plays some games, learns from them, and returns the mean losses.
    pub(super) fn update(&mut self) -> Losses {
        let (start, cpu) = (Instant::now(), cpu_time());
        let Self { config, learner, algorithm, workers, work } = self;
        let rate = config.rate / (1.0 + work.games as f32 / RATE_GAMES).sqrt();
        let mut session = Session { learner, workers, games: work.games, seed: config.seed, rate };
        let Update { games, positions, losses } = algorithm.update(&mut session);
        work.updates += 1;
        work.games += games;
        work.positions += positions;
        let seconds = start.elapsed().as_secs_f64();
        work.seconds += seconds;
        let all_busy = seconds * workers.len() as f64;
        work.cpu_seconds +=
            cpu.zip(cpu_time()).map_or(all_busy, |(start, end)| end.saturating_sub(start).as_secs_f64());
        losses
    }

    /// The network; an error if its numbers are not finite.
    pub(super) fn weights(&mut self) -> Result<Weights, RunError> {
        let updates = self.work.updates as usize;
        self.learner.weights().ok_or(RunError::Train(TrainError::Diverged(updates)))
    }
}

impl Run<'_> {
    /// Learns by playing until the games or the minutes are over. At each measurement it writes the network, a line of the
    /// log, the checkpoint and the picture. With `resume` it continues from an existing checkpoint. Returns
    /// whether it came to its end; a halted run leaves a checkpoint.
    ///
    /// # Errors
    /// When a file cannot be read or written, a checkpoint exists without `resume` or belongs to a run with other options,
    /// or the numbers are not finite.
    pub fn reinforce(
        &self,
        files: ReinforceFiles<'_>,
        config: &ReinforceConfig,
        extent: &ReinforceExtent,
        resume: bool,
    ) -> Result<bool, RunError> {
        let mut outputs = Outputs::create(files)?;
        let mut trainer = ReinforceTrainer::new(*config, extent.workers.get());
        let path = &outputs.checkpoint_path;
        let checkpoint = read_checkpoint(path, Checkpoint::MOST_BYTES, resume, Checkpoint::from_bytes)?;
        let done = checkpoint.as_ref().map(|checkpoint| checkpoint.work.updates);
        if let Some(checkpoint) = checkpoint {
            if checkpoint.config != *config {
                let begun = serde_json::to_string(&checkpoint.config).map_err(cannot_read(files.network))?;
                return Err(RunError::OtherOptions(files.network.to_owned(), begun));
            }
            let damaged = || cannot_read(files.network)("the checkpoint does not fit the options");
            trainer = trainer.resume(checkpoint).ok_or_else(damaged)?;
        }
        let ReinforceConfig { algorithm, rule, size, rate, seed } = *config;
        let method = algorithm.to_string();
        let first = LogLine::Run { method, seed, rule: rule.to_string(), size: size.side(), rate };
        let mut log = Log::open(beside(files.network, ".jsonl"), first, done)?;
        let mut yardstick = Yardstick::new(rule, size);
        self.report(format_args!("Elo of the rungs: {}", yardstick.rungs()));
        let mut last = Instant::now();
        let mut losses = Losses::default();
        let mut rounds = 0.0;
        // A resumed run was measured when its checkpoint was written, unless it was halted.
        let mut next = next_measurement(&log, extent, trainer.work.seconds);
        loop {
            let is_over = self.is_halted() || is_over(&trainer.work, extent);
            if trainer.work.seconds >= next || is_over && !self.is_halted() {
                let weights = trainer.weights()?;
                outputs.network.write_whole(&weights.to_bytes())?;
                if !log.holds(&trainer.work) {
                    let result = yardstick.measure(&weights, trainer.work.updates);
                    self.report(format_args!("{}: {result}", trainer.work));
                    let mut mean = Losses::default();
                    mean.add(1.0 / f32::max(rounds, 1.0), losses);
                    log.add(LogLine::Measured { work: trainer.work, losses: mean, result })?;
                }
                (losses, rounds) = (Losses::default(), 0.0);
                next = trainer.work.seconds + 60.0 * extent.every.get() as f64;
                outputs.checkpoint.write_whole(&trainer.checkpoint().to_bytes())?;
                outputs.draw()?;
            }
            if is_over {
                break;
            }
            losses.add(1.0, trainer.update());
            rounds += 1.0;
            if last.elapsed() >= PROGRESS_EVERY {
                last = Instant::now();
                let mut mean = Losses::default();
                mean.add(1.0 / rounds, losses);
                (self.progress)(&format_args!("{}: {mean}", trainer.work));
            }
        }
        if self.is_halted() {
            outputs.checkpoint.write_whole(&trainer.checkpoint().to_bytes())?;
        }
        Ok(!self.is_halted())
    }
}

/// Whether the games or the minutes are over.
fn is_over(work: &Work, extent: &ReinforceExtent) -> bool {
    let minutes = extent.minutes.map_or(f64::INFINITY, |minutes| minutes.get() as f64);
    work.games >= extent.games.get() || work.seconds >= 60.0 * minutes
}

/// The seconds of learning at which the next measurement is due.
fn next_measurement(log: &Log, extent: &ReinforceExtent, now: f64) -> f64 {
    match log.lines.last() {
        Some(LogLine::Measured { work, .. }) => work.seconds + 60.0 * extent.every.get() as f64,
        Some(LogLine::Run { .. }) | None => now,
    }
}

/// The open outputs of a run. They are opened first, so that a long run does not fail at its end and no other run takes the
/// files.
struct Outputs<'a> {
    network: OutputFile,
    checkpoint: OutputFile,
    checkpoint_path: PathBuf,
    plot: Option<OutputFile>,
    /// The folder of the network.
    folder: &'a Path,
}

impl<'a> Outputs<'a> {
    fn create(files: ReinforceFiles<'a>) -> Result<Self, RunError> {
        let checkpoint_path = beside(files.network, ".checkpoint");
        let folder = files.network.parent().filter(|folder| !folder.as_os_str().is_empty());
        Ok(Self {
            network: OutputFile::create(files.network, &Weights::KIND)?,
            checkpoint: OutputFile::create(&checkpoint_path, &Checkpoint::KIND)?,
            checkpoint_path,
            plot: files.plot.map(|plot| OutputFile::create(plot, &Kind::SVG)).transpose()?,
            folder: folder.unwrap_or(Path::new(".")),
        })
    }

    /// Draws the curves of all runs in the folder.
    fn draw(&mut self) -> Result<(), RunError> {
        if let Some(plot) = &mut self.plot {
            plot.write_whole(elo_curves(&curves_of(self.folder)?).as_bytes())?;
        }
        Ok(())
    }
}
