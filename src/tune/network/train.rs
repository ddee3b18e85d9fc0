//! [`train`]: the training of a network on games.

use std::fmt;
use std::ops::ControlFlow;
use std::panic;
use std::thread;

use super::checkpoint::Checkpoint;
use super::config::TrainConfig;
use super::features::{Extractor, Features};
use super::quality::{HeldOut, Quality};
use super::trainer::{BATCH, Trainer};
use crate::eval::network::Weights;
use crate::fnv::Fnv1a;
use crate::rng::Rng;
use crate::tune::GameRecord;
use crate::tune::fit::Loss;

/// Samples that are shuffled together: some 200 MB.
const CHUNK: usize = 50_000;

/// The number of games of which one is held out, by chance. Hand-set.
const HELD_OUT_EVERY: usize = 20;

/// What a part of the training has come to.
pub struct TrainReport<'a> {
    /// The round, counted from 1.
    pub round: usize,
    /// The losses so far, a point for each part; the last one is of this part.
    pub curve: &'a [CurvePoint],
    /// What the round has come to, where this report ends it.
    pub end: Option<&'a RoundEnd>,
    /// What a killed training goes on from.
    pub checkpoint: &'a mut dyn FnMut() -> Checkpoint,
}

/// The losses of a part of the training.
#[derive(Clone, Copy, Debug)]
pub struct CurvePoint {
    /// The batches of the whole training up to here.
    pub batches: usize,
    /// The losses on the samples of the part, each batch before its step.
    pub fitted: Loss,
    /// The losses on the samples that are held out, where the part ends a round and there are any.
    pub held_out: Option<Loss>,
}

/// What a round of training has come to.
#[derive(Clone, Debug)]
pub struct RoundEnd {
    /// The qualities on the samples that are held out; `None` where there are none.
    pub held_out: Option<HeldOut>,
    /// The network in integers.
    pub weights: Weights,
}

/// Why games cannot be trained on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrainError {
    /// The number of samples that are positions of the rule and not held out is below that of a batch.
    TooFewSamples(usize),
    /// The losses or the parameters of this round, counted from 1, are no finite numbers.
    Diverged(usize),
    /// The checkpoint is of a training with other games, another config or another start.
    OtherTraining,
    /// The caller has stopped it.
    Stopped,
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewSamples(count) => {
                write!(f, "{count} samples are positions of the rule, expected at least {BATCH} beside those held out")
            }
            Self::OtherTraining => f.write_str(
                "the checkpoint is of a training with other games, options or another network to begin with",
            ),
            Self::Stopped => f.write_str("the training was stopped"),
            Self::Diverged(round) => write!(f, "the losses of round {round} are no finite numbers"),
        }
    }
}

impl std::error::Error for TrainError {}

/// Trains a network on games, and returns what the last round has come to. `progress` receives the losses, and the network
/// after each round; it may stop the training.
///
/// The training begins with the weights of another network, of this or another rule, where one is given. From a checkpoint
/// it goes on and comes to the same network as without a pause.
///
/// The result depends on the games, the config and the start alone, whatever the threads, on one platform.
///
/// # Errors
/// When there are too few samples, the checkpoint is of another training, the numbers are no longer finite, or `progress`
/// stops it.
///
/// # Panics
/// When a thread panics.
pub fn train(
    config: &TrainConfig,
    games: &[GameRecord],
    start: Option<&Weights>,
    checkpoint: Option<Checkpoint>,
    progress: &mut dyn FnMut(TrainReport<'_>) -> ControlFlow<()>,
) -> Result<RoundEnd, TrainError> {
    // Not every twentieth: the games of two runs take turns.
    let is_held_out = |game: usize| Rng::new(game as u64).below(HELD_OUT_EVERY) == 0;
    let (held_out, fitted): (Vec<_>, Vec<_>) = (0..games.len()).partition(|&game| is_held_out(game));
    let held_out = features(config, games, &held_out);
    let classical = (!held_out.is_empty()).then(|| Quality::of_classical(config.rule, &held_out));
    let samples = fitted.iter().map(|&game| games[game].samples().count()).sum::<usize>();
    if samples < BATCH {
        return Err(TrainError::TooFewSamples(samples));
    }
    let games_of_chunk = (CHUNK / samples.div_ceil(fitted.len())).max(1);
    let chunks = fitted.len().div_ceil(games_of_chunk);
    let training = fingerprint(config, games, start);
    let mut trainer = Trainer::new(config, start, samples);
    let mut done = 0;
    if let Some(checkpoint) = checkpoint {
        if checkpoint.training != training || checkpoint.chunks as usize >= config.rounds.get() * chunks {
            return Err(TrainError::OtherTraining);
        }
        done = checkpoint.chunks as usize;
        trainer.set_state(checkpoint.state).ok_or(TrainError::OtherTraining)?;
    }
    loop {
        let (round, chunk) = (done / chunks + 1, done % chunks);
        let order = shuffled(config.seed, round, &fitted);
        let chosen = order.chunks(games_of_chunk).nth(chunk).unwrap_or_default();
        let samples = shuffled(config.seed, games.len() + done, &features(config, games, chosen));
        trainer.fit(&samples).ok_or(TrainError::Diverged(round))?;
        done += 1;
        let is_round = done % chunks == 0;
        let end = is_round.then(|| trainer.end(&held_out, classical).ok_or(TrainError::Diverged(round))).transpose()?;
        let curve = trainer.curve().to_vec();
        let mut checkpoint = || Checkpoint { training, chunks: done as u64, state: trainer.state() };
        let report = TrainReport { round, curve: &curve, end: end.as_ref(), checkpoint: &mut checkpoint };
        if progress(report).is_break() {
            return Err(TrainError::Stopped);
        }
        if let Some(end) = end.filter(|_| round == config.rounds.get()) {
            return Ok(end);
        }
    }
}

/// The items in an order of their own for each seed and number.
fn shuffled<T: Clone>(seed: u64, number: usize, items: &[T]) -> Vec<T> {
    let mut items = items.to_vec();
    Rng::new(seed ^ Rng::new(number as u64).next_u64()).shuffle(&mut items);
    items
}

/// What tells a training from others: all that decides its result.
fn fingerprint(config: &TrainConfig, games: &[GameRecord], start: Option<&Weights>) -> u64 {
    let TrainConfig { rule, result_share, rounds, rate, seed, threads: _ } = *config;
    let mut hash = Fnv1a::default();
    hash.add_bytes(format!("{rule} {result_share} {rounds} {rate} {seed}").as_bytes());
    hash.add_bytes(&start.map(Weights::to_bytes).unwrap_or_default());
    for game in games {
        hash.add_word(u64::from(game.number));
        game.plies.iter().for_each(|ply| hash.add_word(ply.point.index() as u64));
    }
    hash.get()
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
