//! The fit of the classical evaluation: [`fit`], a regression of its weights to samples.
//!
//! ```text
//! sample ─► counts of combinations, candidates ─► forward, gradient ─► Adam ─► integers ─► weight files
//! ```

mod features;
mod gradient;
mod model;
mod task;
mod weight_files;

use std::fmt;
use std::num::NonZeroUsize;

use clap::Args;

use super::Sample;
use super::adam::{Adam, Step};
use super::loss::{Loss, Losses};
use super::network::TrainError;
use super::run::{MOST_ROUNDS, number, rule_help};
use super::sample::{RESULT_SHARE, Replay, parse_result_share};
use crate::board::Rule;
use crate::protocol::rule_number::parse_rule;
use crate::rng::Rng;
use features::Features;
use model::{LAYERS_START, Model, WIDTH};

pub use weight_files::WeightFile;

/// Learning rate of the first round. It falls linearly to 0. Hand-set.
const LEARNING_RATE: f32 = 0.004;

/// Samples of a batch. Hand-set.
const BATCH: usize = 256;

/// Minimum number of samples of a fit: one batch.
pub const MIN_SAMPLES: usize = BATCH;

/// Samples of a block, some ten games, that are held out or fitted together. A game belongs to the block of its first
/// sample. Samples of one game resemble each other, so a game in both parts would make the held-out losses too small.
/// Hand-set.
const BLOCK: usize = 400;

/// One block in this number is held out. Hand-set.
const HELD_OUT_EVERY: usize = 20;

/// Configuration of a fit, and its arguments.
#[derive(Clone, Copy, Debug, Args)]
pub struct FitConfig {
    /// The rule of the games.
    #[arg(long, default_value_t, value_parser = parse_rule, help = rule_help())]
    pub rule: Rule,
    /// The share of the game's result in a label, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t = RESULT_SHARE, value_parser = parse_result_share)]
    pub result_share: f32,
    /// Rounds over all samples
    #[arg(long, default_value = "20", value_parser = number::<NonZeroUsize>(1..=MOST_ROUNDS))]
    pub rounds: NonZeroUsize,
    /// The seed of the initial parameters and of the order of the samples
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

/// Result of a round.
#[derive(Clone, Copy, Debug)]
pub struct RoundReport {
    /// The round, counted from 1.
    pub round: usize,
    /// The losses on the fitted samples, each batch before its step.
    pub fitted: Losses,
    /// The losses on the held-out samples after the round; `None` without such samples.
    pub held_out: Option<Losses>,
}

/// `round  2: chance 0.4476, held out 0.4508; moves 2.5186, held out 2.5473`.
impl fmt::Display for RoundReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {:2}", self.round)?;
        for (index, loss) in Loss::ALL.into_iter().enumerate() {
            let held_out = self.held_out.map_or("-".to_owned(), |losses| format!("{:.4}", losses[loss]));
            let mark = if index == 0 { ':' } else { ';' };
            write!(f, "{mark} {loss} {:.4}, held out {held_out}", self.fitted[loss])?;
        }
        Ok(())
    }
}

/// Fitted weights.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The weight files of the rule.
    pub files: Vec<WeightFile>,
    /// Number of samples fitted or held out.
    pub samples: usize,
    /// Number of samples skipped because they are not positions of the rule, or their best move is not a candidate.
    pub skipped: usize,
}

/// The features of the samples: those to fit, and those held out.
fn split(config: &FitConfig, games: &[Vec<Sample>]) -> [Vec<Features>; 2] {
    let mut split = [Vec::new(), Vec::new()];
    let mut replay = Replay::new(config.rule);
    let mut first = 0;
    for game in games {
        let features = game.iter().filter_map(|sample| Features::of(&mut replay, sample, config.result_share));
        split[usize::from(is_held_out(first))].extend(features);
        first += game.len();
    }
    split
}

/// Whether the game with this first sample, counted from 0 over all games, is held out.
const fn is_held_out(first: usize) -> bool {
    first / BLOCK % HELD_OUT_EVERY == HELD_OUT_EVERY - 1
}

/// Fits the weights of a rule to the samples of games. `progress` receives the losses after each round.
///
/// The result depends only on the samples and the config. Cost: some 15 µs a sample and round on one thread.
///
/// # Errors
/// Before the first round, if there are too few samples; after a round, if the losses are not finite.
pub fn fit(config: &FitConfig, games: &[Vec<Sample>], progress: &dyn Fn(RoundReport)) -> Result<Fit, TrainError> {
    let [mut fitted, held_out] = split(config, games);
    let samples = fitted.len() + held_out.len();
    if samples < MIN_SAMPLES {
        return Err(TrainError::TooFewSamples(samples, MIN_SAMPLES));
    }
    let mut rng = Rng::new(config.seed);
    let mut model = Model::new(config.rule, &mut rng);
    let mut adam = Adam::new(model.parameters.len());
    let first_steps = model.row_steps(&fitted);
    let mut number = 0;
    for round in 0..config.rounds.get() {
        rng.shuffle(&mut fitted);
        let rate = LEARNING_RATE * (1.0 - round as f32 / config.rounds.get() as f32);
        let mut losses = Losses::default();
        for batch in fitted.chunks(BATCH) {
            let (gradient, batch_losses) = model.gradient(batch);
            number += 1;
            let (rows, others) = model.parameters.split_at_mut(LAYERS_START);
            let rows = rows.chunks_exact_mut(WIDTH).zip(gradient.chunks_exact(WIDTH));
            for (index, ((row, gradient), &step)) in rows.zip(&first_steps).enumerate() {
                adam.descend(index * WIDTH, row, gradient, rate, Step { number, ..step });
            }
            adam.descend(LAYERS_START, others, &gradient[LAYERS_START..], rate, Step::full(number));
            model.sum_parts();
            losses.add(batch.len() as f32 / fitted.len() as f32, batch_losses);
        }
        if !losses.are_finite() {
            return Err(TrainError::Diverged(round + 1));
        }
        let held_out = (!held_out.is_empty()).then(|| model.losses(&held_out));
        progress(RoundReport { round: round + 1, fitted: losses, held_out });
    }
    let skipped = games.iter().map(Vec::len).sum::<usize>() - samples;
    Ok(Fit { files: model.weight_files(), samples, skipped })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;
    use crate::notation::parse_comma;
    use crate::tune::VisitShares;

    #[test]
    fn a_game_is_held_out_whole_or_not_at_all() {
        let point = |name: &str| parse_comma(name).unwrap();
        let moves = vec![point("7,7"), point("8,8")];
        let sample = Sample {
            size: Size::FIFTEEN,
            moves,
            best: point("9,9"),
            visits: VisitShares::default(),
            chance: 0.5,
            result: None,
        };
        let config =
            FitConfig { rule: Rule::Freestyle, result_share: RESULT_SHARE, rounds: NonZeroUsize::MIN, seed: 1 };
        // The last game begins in the last block of twenty and ends in the first one after it.
        let games = [vec![sample.clone(); 19 * BLOCK - 1], vec![sample.clone(); 5], vec![sample; 2 * BLOCK]];
        assert_eq!(split(&config, &games).map(|part| part.len()), [19 * BLOCK + 4, 2 * BLOCK]);
    }
}
