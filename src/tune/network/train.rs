//! [`train`]: the training of a network on games.

use std::fmt;
use std::num::NonZeroUsize;
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
use crate::tune::model::{chance_loss, move_loss};
use crate::tune::{GameRecord, ResultShare};

/// The parts of a batch, each with a gradient of its own; they are summed in order, so that the number of threads does
/// not change the result.
const SHARDS: usize = 4;

/// Samples of a batch.
const BATCH: usize = 1024;

/// Samples that are shuffled together: some 200 MB.
const CHUNK: usize = 50_000;

/// The number of games of which one is held out.
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

/// 0.002.
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
    /// The losses on the samples that are held out, at the end of a round; `None` before, and where there are none.
    pub held_out: Option<Loss>,
    /// The network in integers, at the end of a round.
    pub weights: Option<Weights>,
}

/// A trained network.
#[derive(Clone, Debug)]
pub struct Training {
    /// The network in integers.
    pub weights: Weights,
    /// The losses on the samples that are held out: of the floating-point network, and of the classical evaluation.
    pub held_out: [Loss; 2],
}

/// Why games cannot be trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainError {
    /// There are fewer samples than a batch has.
    TooFewSamples(usize),
    /// The losses of this round, counted from 1, are no finite numbers.
    Diverged(usize),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewSamples(count) => {
                write!(f, "{count} samples are positions of the rule, expected at least {BATCH}")
            }
            Self::Diverged(round) => write!(f, "the losses of round {round} are no finite numbers"),
        }
    }
}

impl std::error::Error for TrainError {}

/// Trains a network on games. `progress` receives the losses.
///
/// The training begins with the weights of another network, of this or another rule, where one is given.
///
/// The result depends on the games and the config alone, whatever the threads, on one platform.
///
/// # Errors
/// When there are too few samples, or the losses are no finite numbers.
pub fn train(
    config: &TrainConfig,
    games: &[GameRecord],
    start: Option<&Weights>,
    progress: &mut dyn FnMut(TrainReport),
) -> Result<Training, TrainError> {
    let is_held_out = |game: usize| game % HELD_OUT_EVERY == HELD_OUT_EVERY - 1;
    let samples = games.iter().map(|game| game.samples().count()).sum::<usize>();
    if samples < BATCH {
        return Err(TrainError::TooFewSamples(samples));
    }
    let held_out: Vec<_> = (0..games.len()).filter(|&game| is_held_out(game)).collect();
    let held_out = features(config, games, &held_out);
    let mut fitted: Vec<_> = (0..games.len()).filter(|&game| !is_held_out(game)).collect();
    let mut rng = Rng::new(config.seed);
    let mut trainer = Trainer::new(config, start, samples, &mut rng);
    for round in 1..=config.rounds.get() {
        rng.shuffle(&mut fitted);
        let per_game = samples.div_ceil(games.len()).max(1);
        for chunk in fitted.chunks((CHUNK / per_game).max(1)) {
            let mut samples = features(config, games, chunk);
            rng.shuffle(&mut samples);
            let fitted = trainer.batches(&samples);
            if !(fitted.chance.is_finite() && fitted.moves.is_finite()) {
                return Err(TrainError::Diverged(round));
            }
            progress(TrainReport { round, batches: trainer.batches, fitted, held_out: None, weights: None });
        }
        trainer.sum_all();
        let loss = (!held_out.is_empty()).then(|| loss(&trainer.model, &held_out));
        let (batches, fitted) = (trainer.batches, trainer.last);
        let weights = Some(trainer.weights(round)?);
        progress(TrainReport { round, batches, fitted, held_out: loss, weights });
    }
    let classical = classical_loss(config, &held_out);
    let weights = trainer.weights(config.rounds.get())?;
    Ok(Training { weights, held_out: [loss(&trainer.model, &held_out), classical] })
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
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
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
    last: Loss,
}

impl Trainer {
    fn new(config: &TrainConfig, start: Option<&Weights>, samples: usize, rng: &mut Rng) -> Self {
        let priors = |view: usize| classical::priors(config.rule, Color::ALL[view]);
        let model = match start {
            Some(start) => Model::from_weights(config.rule, start),
            None => Model::new(config.rule, &priors, rng),
        };
        let fitted = samples - samples / HELD_OUT_EVERY;
        Self {
            descent: Descent::new(&model),
            shards: (0..SHARDS).map(|_| Shard::new(&model)).collect(),
            threads: config.threads.get().min(SHARDS),
            first_rate: config.rate.get(),
            batches: 0,
            all_batches: (config.rounds.get() * fitted).div_ceil(BATCH),
            seen: vec![0; model.rows.len()],
            summed: vec![0; model.rows.len()],
            last: Loss::default(),
            model,
        }
    }

    /// The network in integers at the end of a round.
    fn weights(&self, round: usize) -> Result<Weights, TrainError> {
        self.model.quantized(&self.seen).map_err(|_| TrainError::Diverged(round))
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
        self.last = losses;
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

    /// Sums the rows of all windows.
    fn sum_all(&mut self) {
        self.model.sum_rows(0..self.model.rows.len() as u32);
    }
}

/// The mean losses of a model.
fn loss(model: &Model, samples: &[Features]) -> Loss {
    let (mut loss, mut forward) = (Loss::default(), Forward::new());
    let share = 1.0 / samples.len().max(1) as f32;
    for sample in samples {
        model.forward(sample, &mut forward);
        loss.chance += share * chance_loss(sample.label, forward.chance());
        loss.moves += share * move_loss(forward.chances[sample.best]);
    }
    loss
}

/// The mean losses of the classical evaluation and its priors.
fn classical_loss(config: &TrainConfig, samples: &[Features]) -> Loss {
    let priors = [0, 1].map(|view| classical::priors(config.rule, Color::ALL[view]));
    let mut loss = Loss::default();
    let share = 1.0 / samples.len().max(1) as f32;
    for sample in samples {
        loss.chance += share * chance_loss(sample.label, 1.0 / (1.0 + (-sample.classical).exp()));
        let (own, other) = (&priors[sample.mover.index()][0], &priors[(!sample.mover).index()][1]);
        let logits: Vec<_> = sample
            .candidates
            .iter()
            .map(|candidate| own[usize::from(candidate.kinds[0])] + other[usize::from(candidate.kinds[1])])
            .collect();
        let sum: f32 = logits.iter().map(|logit| logit.exp()).sum();
        loss.moves += share * move_loss(logits[sample.best].exp() / sum);
    }
    loss
}
