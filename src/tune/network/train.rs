//! [`train`]: the training of a network on games.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::panic;
use std::thread;

use super::checkpoint::Checkpoint;
use super::config::TrainConfig;
use super::labelled::Labelled;
use super::model::Model;
use super::quality::{HeldOut, QualitySum};
use super::trainer::{BATCH, Trainer};
use crate::eval::network::Weights;
use crate::fnv::Fnv1a;
use crate::rng::Rng;
use crate::tune::loss::Losses;
use crate::tune::sample::Replay;
use crate::tune::{GameFileError, GameSource, Sample, SelfPlayGame};

/// Number of samples shuffled together. They take some 200 MB.
const CHUNK: usize = 50_000;

/// Number of held-out games measured together: some 50 MB of samples.
const MEASURED_GAMES: usize = 512;

/// One game in this number is held out at random. Hand-set.
const HELD_OUT_EVERY: usize = 20;

/// Makes this draw independent of those of self-play, which begin with the same seed and number.
const HELD_OUT_DRAW: u64 = 0x4845_4C44_4F55_5405;

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
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A file of games cannot be read.
    #[error(transparent)]
    Games(#[from] GameFileError),
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

/// The games of a training.
pub struct TrainingGames<'a> {
    /// The games that the network is trained on.
    pub fitted: &'a mut dyn GameSource,
    /// The games that it is measured on. Without them, one game in twenty is not fitted and serves instead.
    pub held_out: Option<&'a mut dyn GameSource>,
}

/// Trains a network on games and returns the result of the last round. `progress` receives the losses, and the network
/// after each round. It may stop the training before its last part.
///
/// Training starts from `start`, which may be a network for another rule, or from random weights and the classical
/// priors if it is `None`. With a checkpoint it resumes, and yields the same network as without a pause.
///
/// On one platform the result depends only on the games, the config and the start, not on the threads.
///
/// Memory: some 50,000 samples, 200 MB, and 8 bytes a game, beside what the sources need.
///
/// # Errors
/// When a game cannot be read, there are too few samples, the checkpoint belongs to another training, the numbers are
/// not finite, or `progress` stops it before its last part.
///
/// # Panics
/// When a thread panics.
pub fn train(
    config: &TrainConfig,
    games: TrainingGames<'_>,
    start: Option<&Weights>,
    checkpoint: Option<Checkpoint>,
    progress: &mut dyn FnMut(TrainReport<'_>) -> ControlFlow<()>,
) -> Result<RoundEnd, TrainError> {
    let TrainingGames { fitted: source, mut held_out } = games;
    let all = 0..source.count() as u32;
    // By run and number: a network that is trained further, with more files, must not be measured on games that it knows.
    let is_measured = |&game: &u32| held_out.is_none() && is_held_out(source.run_and_number(game as usize));
    let (measured, fitted): (Vec<_>, Vec<_>) = all.partition(is_measured);
    let measured = held_out.as_ref().map_or(measured, |source| (0..source.count() as u32).collect());
    let training = fingerprint(config, source, &mut held_out, start)?;
    let samples = count_samples(config, source, &fitted)?;
    if samples < BATCH {
        return Err(TrainError::TooFewSamples(samples, BATCH));
    }
    // Chunks have equal numbers of games, because each advances the learning rate by the same amount.
    let games_of_chunk = fitted.len().div_ceil(samples.div_ceil(CHUNK));
    let chunks = fitted.len().div_ceil(games_of_chunk);
    let mut trainer = Trainer::new(config, start);
    let mut done = 0;
    if let Some(checkpoint) = checkpoint {
        if checkpoint.training != training || checkpoint.chunks as usize >= config.rounds.get() * chunks {
            return Err(TrainError::OtherTraining);
        }
        done = checkpoint.chunks as usize;
        trainer.learner.set_state(checkpoint.state).ok_or(TrainError::OtherTraining)?;
        trainer.curve = checkpoint.curve;
    }
    let mut classical = None;
    loop {
        let (round, chunk) = (done / chunks + 1, done % chunks);
        let order = shuffled(config.seed, round, fitted.clone());
        let chosen = order.chunks(games_of_chunk).nth(chunk).unwrap_or_default();
        let samples = shuffled(config.seed, source.count() + done, labelled(config, source, chosen)?);
        let all = config.rounds.get() * chunks;
        trainer.fit(&samples, &|share| (done as f32 + share) / all as f32).ok_or(TrainError::Diverged(round))?;
        drop(samples);
        done += 1;
        let end = if done % chunks == 0 {
            let weights = trainer.learner.weights().ok_or(TrainError::Diverged(round))?;
            let source = held_out.as_deref_mut().unwrap_or(&mut *source);
            let model = &trainer.learner.model;
            let parts = measured.chunks(MEASURED_GAMES);
            let held_out = measure(config, source, parts, model, &weights, &mut classical)?;
            if let Some(last) = trainer.curve.last_mut() {
                last.held_out = held_out.map(|held_out| held_out.network.losses);
            }
            Some(RoundEnd { held_out, weights })
        } else {
            None
        };
        let curve = trainer.curve.clone();
        let mut checkpoint =
            || Checkpoint { training, chunks: done as u64, state: trainer.learner.state(), curve: curve.clone() };
        let report = TrainReport { round, curve: &curve, end: end.as_ref(), checkpoint: &mut checkpoint };
        let is_stopped = progress(report).is_break();
        match end.filter(|_| round == config.rounds.get()) {
            Some(end) => return Ok(end),
            None if is_stopped => return Err(TrainError::Stopped),
            None => {}
        }
    }
}

/// Whether a game is held out unless other games are, by its run and number.
pub(super) fn is_held_out((run, number): (u64, u32)) -> bool {
    Rng::numbered(run ^ HELD_OUT_DRAW, number.into()).below(HELD_OUT_EVERY) == 0
}

/// The qualities on all samples of the held-out games, which come in parts; `None` without samples. `classical` keeps that
/// of the classical evaluation for the next round.
pub(super) fn measure<'a>(
    config: &TrainConfig,
    source: &mut dyn GameSource,
    parts: impl Iterator<Item = &'a [u32]>,
    model: &Model,
    weights: &Weights,
    classical: &mut Option<QualitySum>,
) -> Result<Option<HeldOut>, GameFileError> {
    // Trainings that take different samples are measured on the same ones.
    let config = &TrainConfig { samples: None, ..*config };
    let integers = Model::from_weights(config.rule, weights);
    let (mut network, mut rounded, mut fresh) = (QualitySum::default(), QualitySum::default(), QualitySum::default());
    for part in parts {
        let samples = labelled(config, source, part)?;
        network.add(model, &samples);
        rounded.add(&integers, &samples);
        if classical.is_none() {
            fresh.add_classical(config.rule, &samples);
        }
    }
    let classical = classical.get_or_insert(fresh).mean();
    let qualities = network.mean().zip(rounded.mean()).zip(classical);
    Ok(qualities.map(|((network, rounded), classical)| HeldOut { network, rounded, classical }))
}

/// The items in a random order that depends on the seed and the number.
fn shuffled<T>(seed: u64, number: usize, mut items: Vec<T>) -> Vec<T> {
    Rng::numbered(seed, number as u64).shuffle(&mut items);
    items
}

/// A hash that identifies a training: its options except the threads, its initial network, and the numbers and moves of
/// its games. Reads all games.
fn fingerprint(
    config: &TrainConfig,
    source: &mut dyn GameSource,
    held_out: &mut Option<&mut dyn GameSource>,
    start: Option<&Weights>,
) -> Result<u64, GameFileError> {
    let TrainConfig { rule, result_share, samples, rounds, rate, seed, threads: _ } = *config;
    let mut hash = Fnv1a::default();
    hash.add_bytes(format!("{rule} {result_share} {rounds} {rate} {seed}").as_bytes());
    hash.add_bytes(&start.map(Weights::to_bytes).unwrap_or_default());
    let mut add_games = |source: &mut dyn GameSource| {
        (0..source.count()).try_for_each(|index| {
            let game = source.game(index)?;
            hash.add_word(u64::from(game.number));
            game.plies.iter().for_each(|ply| hash.add_word(ply.point.index() as u64));
            Ok(())
        })
    };
    add_games(source)?;
    if let Some(held_out) = held_out {
        add_games(&mut **held_out)?;
        // Where the games held out begin.
        hash.add_word(held_out.count() as u64);
    }
    if let Some(samples) = samples {
        hash.add_bytes(format!("samples {samples}").as_bytes());
    }
    Ok(hash.get())
}

/// The number of samples of some games. Reads them.
fn count_samples(config: &TrainConfig, source: &mut dyn GameSource, chosen: &[u32]) -> Result<usize, GameFileError> {
    chosen.iter().map(|&index| Ok(chosen_samples(config, index, &source.game(index as usize)?).len())).sum()
}

/// The samples of a game, or some of them at random.
pub(super) fn chosen_samples(config: &TrainConfig, index: u32, game: &SelfPlayGame) -> Vec<Sample> {
    /// Makes the draw independent of the orders of [`shuffled`].
    const DRAW: u64 = 0x5341_4D50_4C45_0001;
    let samples: Vec<_> = game.samples().collect();
    let most = config.samples.map_or(samples.len(), NonZeroUsize::get);
    if samples.len() <= most {
        return samples;
    }
    let mut chosen = shuffled(config.seed ^ DRAW, index as usize, (0..samples.len()).collect());
    chosen.truncate(most);
    // Their order lets each position be reached from the one before.
    chosen.sort_unstable();
    chosen.into_iter().map(|number| samples[number].clone()).collect()
}

/// The labelled positions of some games.
pub(super) fn labelled(
    config: &TrainConfig,
    source: &mut dyn GameSource,
    chosen: &[u32],
) -> Result<Vec<Labelled>, GameFileError> {
    let of_game = |&index| Ok(chosen_samples(config, index, &source.game(index as usize)?));
    let games: Vec<Vec<Sample>> = chosen.iter().map(of_game).collect::<Result<_, GameFileError>>()?;
    let of = |games: &[Vec<Sample>]| {
        let mut replay = Replay::new(config.rule);
        let samples = games.iter().flatten();
        samples.filter_map(|sample| Labelled::of_sample(&mut replay, sample, config.result_share)).collect::<Vec<_>>()
    };
    let part = games.len().div_ceil(config.threads.get()).max(1);
    Ok(thread::scope(|scope| {
        let workers: Vec<_> = games.chunks(part).map(|part| scope.spawn(move || of(part))).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic)))
            .collect()
    }))
}
