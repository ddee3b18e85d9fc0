//! [`train`]: the training of a network on games.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic;
use std::str::FromStr;
use std::thread;

use super::descent::Descent;
use super::features::{Extractor, Features, NO_ROW};
use super::gradient::Shard;
use super::model::{Forward, Model};
use crate::board::{Color, Rule};
use crate::eval::classical;
use crate::eval::network::Weights;
use crate::rng::Rng;
use crate::tune::fit::Loss;
use crate::tune::model::{chance_loss, logistic, move_loss, softmax};
use crate::tune::{GameRecord, ResultShare};

/// The parts of a batch, each with a gradient of its own; they are summed in order, so that the number of threads does
/// not change the result.
const SHARDS: usize = 4;

/// Samples of a batch. Hand-set: no match has tried another.
const BATCH: usize = 1024;

/// Samples that are shuffled together: some 200 MB.
const CHUNK: usize = 50_000;

/// The number of games of which one is held out. Hand-set.
const HELD_OUT_EVERY: usize = 20;

/// How to train.
#[derive(Clone, Copy, Debug)]
pub struct TrainConfig {
    /// The rule of the games.
    pub rule: Rule,
    /// The share of the game's result in a label.
    pub result_share: ResultShare,
    /// Rounds over all samples.
    pub rounds: NonZeroUsize,
    /// The learning rate of the first batch; it falls to 0 along half a cosine.
    pub rate: LearningRate,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Threads that compute gradients; the result does not depend on their number.
    pub threads: NonZeroUsize,
}

/// A learning rate of Adam, above 0 and at most 0.1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningRate(f32);

impl LearningRate {
    /// This rate; `None` where it is out of range or no number.
    pub const fn new(rate: f32) -> Option<Self> {
        if rate > 0.0 && rate <= 0.1 { Some(Self(rate)) } else { None }
    }

    /// The rate.
    pub const fn get(self) -> f32 {
        self.0
    }
}

/// Hand-set: no match has tried another.
impl Default for LearningRate {
    fn default() -> Self {
        Self(0.002)
    }
}

impl fmt::Display for LearningRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A text is no [`LearningRate`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LearningRateError;

impl fmt::Display for LearningRateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a number above 0, at most 0.1")
    }
}

impl std::error::Error for LearningRateError {}

impl FromStr for LearningRate {
    type Err = LearningRateError;

    fn from_str(text: &str) -> Result<Self, LearningRateError> {
        text.parse().ok().and_then(Self::new).ok_or(LearningRateError)
    }
}

/// What a part of the training has come to.
#[derive(Clone, Debug)]
pub struct TrainReport {
    /// The round, counted from 1.
    pub round: usize,
    /// The batches of the whole training so far.
    pub batches: usize,
    /// The losses on the samples since the last report, each batch before its step.
    pub fitted: Loss,
    /// What the round has come to, where this report ends it.
    pub end: Option<RoundEnd>,
}

/// What a round of training has come to.
#[derive(Clone, Debug)]
pub struct RoundEnd {
    /// The losses on the samples that are held out; `None` where there are none.
    pub held_out: Option<HeldOut>,
    /// The network in integers.
    pub weights: Weights,
}

/// Losses on the same samples, which were held out.
#[derive(Clone, Copy, Debug)]
pub struct HeldOut {
    /// Of the network in floating point.
    pub network: Loss,
    /// Of the classical evaluation and its move priors.
    pub classical: Loss,
}

/// Why games cannot be trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainError {
    /// The number of samples that are positions of the rule and not held out is below that of a batch.
    TooFewSamples(usize),
    /// The losses or the parameters of this round, counted from 1, are no finite numbers.
    Diverged(usize),
    /// The caller has stopped it.
    Stopped,
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewSamples(count) => {
                write!(f, "{count} samples are positions of the rule, expected at least {BATCH} beside those held out")
            }
            Self::Stopped => f.write_str("the training was stopped"),
            Self::Diverged(round) => write!(f, "the losses of round {round} are no finite numbers"),
        }
    }
}

impl std::error::Error for TrainError {}

/// Trains a network on games, and returns what the last round has come to. `progress` receives the losses, and the network
/// after each round; it may stop the training.
///
/// The training begins with the weights of another network, of this or another rule, where one is given.
///
/// The result depends on the games and the config alone, whatever the threads, on one platform.
///
/// # Errors
/// When there are too few samples, the numbers are no longer finite, or `progress` stops it.
///
/// # Panics
/// When a thread panics.
pub fn train(
    config: &TrainConfig,
    games: &[GameRecord],
    start: Option<&Weights>,
    progress: &mut dyn FnMut(TrainReport) -> ControlFlow<()>,
) -> Result<RoundEnd, TrainError> {
    let is_held_out = |game: usize| game % HELD_OUT_EVERY == HELD_OUT_EVERY - 1;
    let (held_out, mut fitted): (Vec<_>, Vec<_>) = (0..games.len()).partition(|&game| is_held_out(game));
    let held_out = features(config, games, &held_out);
    let classical = (!held_out.is_empty()).then(|| classical_loss(config, &held_out));
    let samples = fitted.iter().map(|&game| games[game].samples().count()).sum::<usize>();
    if samples < BATCH {
        return Err(TrainError::TooFewSamples(samples));
    }
    let games_of_chunk = (CHUNK / samples.div_ceil(fitted.len())).max(1);
    let mut rng = Rng::new(config.seed);
    let mut trainer = Trainer::new(config, start, samples, &mut rng);
    let mut round = 1;
    loop {
        rng.shuffle(&mut fitted);
        let mut chunks = fitted.chunks(games_of_chunk).peekable();
        while let Some(chunk) = chunks.next() {
            let mut samples = features(config, games, chunk);
            rng.shuffle(&mut samples);
            let fitted = trainer.batches(&samples);
            if !(fitted.chance.is_finite() && fitted.moves.is_finite()) {
                return Err(TrainError::Diverged(round));
            }
            let end = match chunks.peek() {
                Some(_) => None,
                None => Some(trainer.end(&held_out, classical).ok_or(TrainError::Diverged(round))?),
            };
            let report = TrainReport { round, batches: trainer.batches, fitted, end: end.clone() };
            if progress(report).is_break() {
                return Err(TrainError::Stopped);
            }
            if let Some(end) = end.filter(|_| round == config.rounds.get()) {
                return Ok(end);
            }
        }
        round += 1;
    }
}

/// The features of some games.
fn features(config: &TrainConfig, games: &[GameRecord], chosen: &[usize]) -> Vec<Features> {
    let of = |chosen: &[usize]| {
        let mut extractor = Extractor::new(config.rule);
        let samples = chosen.iter().flat_map(|&game| games[game].samples());
        samples.filter_map(|sample| extractor.features(&sample, config.result_share)).collect::<Vec<_>>()
    };
    let part = chosen.len().div_ceil(config.threads.get()).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> = chosen.chunks(part).map(|part| scope.spawn(move || of(part))).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
            .collect()
    })
}

/// A training in progress.
struct Trainer {
    model: Model,
    descent: Descent,
    shards: Vec<Shard>,
    threads: usize,
    first_rate: f32,
    /// The batches so far, and those of the whole training.
    batches: usize,
    all_batches: usize,
    /// By window: the points of samples that showed it.
    seen: Vec<u32>,
    /// By window: the last batch whose samples showed it.
    summed: Vec<u32>,
}

impl Trainer {
    fn new(config: &TrainConfig, start: Option<&Weights>, samples: usize, rng: &mut Rng) -> Self {
        let priors = |view: usize| classical::priors(config.rule, Color::ALL[view]);
        let model = match start {
            Some(start) => Model::from_weights(config.rule, start),
            None => Model::new(config.rule, &priors, rng),
        };
        Self {
            descent: Descent::new(&model),
            shards: (0..SHARDS).map(|_| Shard::new(&model)).collect(),
            threads: config.threads.get().min(SHARDS),
            first_rate: config.rate.get(),
            batches: 0,
            all_batches: (config.rounds.get() * samples).div_ceil(BATCH),
            seen: vec![0; model.rows.len()],
            summed: vec![0; model.rows.len()],
            model,
        }
    }

    /// What the round has come to; `None` where the parameters are no finite numbers.
    fn end(&mut self, held_out: &[Features], classical: Option<Loss>) -> Option<RoundEnd> {
        self.model.sum_rows(0..self.model.rows.len() as u32);
        let held_out = classical.map(|classical| HeldOut { network: loss(&self.model, held_out), classical });
        Some(RoundEnd { held_out, weights: self.model.quantized(&self.seen)? })
    }

    /// The learning rate of the next batch.
    fn rate(&self) -> f32 {
        let done = (self.batches as f32 / self.all_batches as f32).min(1.0);
        self.first_rate * 0.5 * (1.0 + (std::f32::consts::PI * done).cos())
    }

    /// Takes a step for each batch of the samples, and returns their mean losses.
    fn batches(&mut self, samples: &[Features]) -> Loss {
        let mut losses = Loss::default();
        for batch in samples.chunks(BATCH) {
            self.batch(batch);
            let share = batch.len() as f32 / samples.len() as f32;
            for shard in &self.shards {
                losses.chance += share * shard.loss.chance;
                losses.moves += share * shard.loss.moves;
            }
        }
        losses
    }

    fn batch(&mut self, samples: &[Features]) {
        self.sum_rows_of(samples);
        let samples: Vec<_> = samples.iter().collect();
        let (share, model) = (1.0 / samples.len() as f32, &self.model);
        let parts: Vec<_> = samples.chunks(samples.len().div_ceil(SHARDS)).collect();
        let mut work: Vec<_> = self.shards.iter_mut().zip(parts).collect();
        let used = work.len();
        thread::scope(|scope| {
            let per_thread = work.len().div_ceil(self.threads);
            for part in work.chunks_mut(per_thread) {
                scope.spawn(move || part.iter_mut().for_each(|(shard, samples)| shard.compute(model, samples, share)));
            }
        });
        let rate = self.rate();
        self.descent.step(&mut self.model, &self.shards[..used], rate);
        self.shards[used..].iter_mut().for_each(|shard| shard.loss = Loss::default());
        self.batches += 1;
    }

    /// Sums the rows that the samples read.
    fn sum_rows_of(&mut self, samples: &[Features]) {
        let mut touched = Vec::new();
        let batch = self.batches as u32 + 1;
        for &row in samples.iter().flat_map(|sample| sample.points.as_flattened().as_flattened()) {
            if row != NO_ROW {
                let row_index = row as usize;
                self.seen[row_index] = self.seen[row_index].saturating_add(1);
                if std::mem::replace(&mut self.summed[row_index], batch) != batch {
                    touched.push(row);
                }
            }
        }
        self.model.sum_rows(touched.into_iter());
    }
}

/// The mean losses of a model.
fn loss(model: &Model, samples: &[Features]) -> Loss {
    let (mut loss, mut forward) = (Loss::default(), Forward::new());
    let share = 1.0 / samples.len() as f32;
    for sample in samples {
        model.forward(sample, &mut forward);
        loss.chance += share * chance_loss(sample.label, forward.chance());
        loss.moves += share * move_loss(forward.chances[sample.best]);
    }
    loss
}

/// The mean losses of the classical evaluation and its priors.
fn classical_loss(config: &TrainConfig, samples: &[Features]) -> Loss {
    let priors = Color::ALL.map(|color| classical::priors(config.rule, color));
    let mut loss = Loss::default();
    let share = 1.0 / samples.len() as f32;
    for sample in samples {
        loss.chance += share * chance_loss(sample.label, logistic(sample.classical));
        let (own, other) = (&priors[sample.mover.index()][0], &priors[(!sample.mover).index()][1]);
        let prior = |kinds: [u16; 2]| own[usize::from(kinds[0])] + other[usize::from(kinds[1])];
        let mut chances: Vec<_> = sample.candidates.iter().map(|candidate| prior(candidate.kinds)).collect();
        softmax(&mut chances);
        loss.moves += share * move_loss(chances[sample.best]);
    }
    loss
}
