//! [`train`]: the training of a network on games.

use std::fmt;
use std::ops::ControlFlow;
use std::panic;
use std::thread;

use super::checkpoint::Checkpoint;
use super::config::TrainConfig;
use super::labelled::Labelled;
use super::quality::{HeldOut, Quality};
use super::trainer::{BATCH, Trainer};
use crate::eval::network::Weights;
use crate::fnv::Fnv1a;
use crate::rng::Rng;
use crate::tune::SelfPlayGame;
use crate::tune::loss::Losses;
use crate::tune::sample::Replay;

/// Number of samples shuffled together. They take some 200 MB.
const CHUNK: usize = 50_000;

/// One game in this number is held out at random. Hand-set.
const HELD_OUT_EVERY: usize = 20;

/// Progress report, sent after each part of the training.
pub struct TrainReport<'a> {
    /// The round, counted from 1.
    pub round: usize,
    /// The losses so far, with a point for each part.
    pub curve: &'a [CurvePoint],
    /// The result of the round, if this part ends it.
    pub end: Option<&'a RoundEnd>,
    /// Returns the state from which a killed training resumes.
    pub checkpoint: &'a mut dyn FnMut() -> Checkpoint,
}

/// The losses of the part, and the quality at the end of a round.
impl fmt::Display for TrainReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {:2}", self.round)?;
        if let Some(CurvePoint { batches, fitted, .. }) = self.curve.last() {
            write!(f, ", batch {batches}: {fitted}")?;
        }
        if let Some(HeldOut { network, .. }) = self.end.and_then(|end| end.held_out) {
            write!(f, "\nround {:2}: held out: {network}", self.round)?;
        }
        Ok(())
    }
}

/// The losses of a part of the training.
#[derive(Clone, Copy, Debug)]
pub struct CurvePoint {
    /// Number of batches of the whole training so far.
    pub batches: usize,
    /// Training losses over this part, each batch measured before its gradient step.
    pub fitted: Losses,
    /// The losses on the held-out samples, if the part ends a round and there are any.
    pub held_out: Option<Losses>,
}

/// Result of a round of training.
#[derive(Clone, Debug)]
pub struct RoundEnd {
    /// The qualities on the held-out samples; `None` without such samples.
    pub held_out: Option<HeldOut>,
    /// The network in integers.
    pub weights: Weights,
}

/// Error returned when a training of a network, or a fit of the classical weights, has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrainError {
    /// There are fewer training samples than one batch needs. Holds both numbers, the samples first.
    #[error("{0} training samples of the rule, expected at least {1}")]
    TooFewSamples(usize, usize),
    /// The losses or the parameters of this round, counted from 1, are not finite.
    #[error("the losses of round {0} are not finite")]
    Diverged(usize),
    /// The checkpoint belongs to a training with other games, another config or another initial network.
    #[error("the checkpoint belongs to a training with other games, options or another initial network")]
    OtherTraining,
    /// The caller has stopped the training.
    #[error("the training was stopped")]
    Stopped,
}

/// Trains a network on games and returns the result of the last round. `progress` receives the losses, and the network
/// after each round. It may stop the training.
///
/// Training starts from `start`, which may be a network for another rule, or from random weights if it is `None`.
/// With a checkpoint it resumes, and yields the same network as without a pause.
///
/// On one platform the result depends only on the games, the config and the start, not on the threads.
///
/// # Errors
/// When there are too few samples, the checkpoint belongs to another training, the numbers are not finite, or `progress`
/// stops it.
///
/// # Panics
/// When a thread panics.
pub fn train(
    config: &TrainConfig,
    games: &[SelfPlayGame],
    start: Option<&Weights>,
    checkpoint: Option<Checkpoint>,
    progress: &mut dyn FnMut(TrainReport<'_>) -> ControlFlow<()>,
) -> Result<RoundEnd, TrainError> {
    // Hold out at random: if the games of two runs alternate, every twentieth game would come from the same run.
    let is_held_out = |game: usize| Rng::new(game as u64).below(HELD_OUT_EVERY) == 0;
    let (held_out, fitted): (Vec<_>, Vec<_>) = (0..games.len()).partition(|&game| is_held_out(game));
    let held_out = features(config, games, &held_out);
    let classical = (!held_out.is_empty()).then(|| Quality::of_classical(config.rule, &held_out));
    let samples = fitted.iter().map(|&game| games[game].samples().count()).sum::<usize>();
    if samples < BATCH {
        return Err(TrainError::TooFewSamples(samples, BATCH));
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
        trainer.learner.set_state(checkpoint.state).ok_or(TrainError::OtherTraining)?;
        trainer.curve = checkpoint.curve;
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
        let curve = trainer.curve.clone();
        let mut checkpoint =
            || Checkpoint { training, chunks: done as u64, state: trainer.learner.state(), curve: curve.clone() };
        let report = TrainReport { round, curve: &curve, end: end.as_ref(), checkpoint: &mut checkpoint };
        if progress(report).is_break() {
            return Err(TrainError::Stopped);
        }
        if let Some(end) = end.filter(|_| round == config.rounds.get()) {
            return Ok(end);
        }
    }
}

/// The items in a random order that depends on the seed and the number.
fn shuffled<T: Clone>(seed: u64, number: usize, items: &[T]) -> Vec<T> {
    let mut items = items.to_vec();
    Rng::numbered(seed, number as u64).shuffle(&mut items);
    items
}

/// A hash of everything that decides the result of a training.
fn fingerprint(config: &TrainConfig, games: &[SelfPlayGame], start: Option<&Weights>) -> u64 {
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
fn features(config: &TrainConfig, games: &[SelfPlayGame], chosen: &[usize]) -> Vec<Labelled> {
    let of = |chosen: &[usize]| {
        let mut replay = Replay::new(config.rule);
        let samples = chosen.iter().flat_map(|&game| games[game].samples());
        samples.filter_map(|sample| Labelled::of_sample(&mut replay, &sample, config.result_share)).collect::<Vec<_>>()
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
