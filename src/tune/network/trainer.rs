//! [`Trainer`]: a training in progress.

use std::thread;

use super::checkpoint::{State, TENSORS};
use super::config::TrainConfig;
use super::descent::Descent;
use super::features::{Features, NO_ROW};
use super::gradient::Shard;
use super::model::{Model, Row};
use super::quality::{HeldOut, Quality};
use super::quantize::MIN_SEEN;
use super::train::{CurvePoint, RoundEnd};
use crate::board::Color;
use crate::eval::classical;
use crate::eval::network::Weights;
use crate::rng::Rng;
use crate::tune::loss::Losses;

/// Number of parts of a batch. Their gradients are summed in order, so the number of threads does not change the
/// result.
const SHARDS: usize = 4;

/// Samples of a batch. Hand-set.
pub(super) const BATCH: usize = 1024;

/// A training in progress.
pub(super) struct Trainer {
    model: Model,
    descent: Descent,
    shards: Vec<Shard>,
    threads: usize,
    first_rate: f32,
    /// Number of batches so far, and of the whole training.
    batches: usize,
    all_batches: usize,
    /// For each window the number of points of samples that showed it, plus [`MIN_SEEN`] if its initial rest is kept in any
    /// case.
    seen: Vec<u32>,
    /// For each window the last batch that showed it.
    summed: Vec<u32>,
    /// The losses so far, a point for each part of a round.
    pub(super) curve: Vec<CurvePoint>,
}

impl Trainer {
    /// A training with this number of samples a round, before its first batch.
    pub(super) fn new(config: &TrainConfig, start: Option<&Weights>, samples: usize) -> Self {
        let priors = |view: usize| classical::priors(config.rule, Color::ALL[view]);
        let model = match start {
            Some(start) => Model::from_weights(config.rule, start),
            None => Model::new(config.rule, &priors, &mut Rng::new(config.seed)),
        };
        // The rests of a network of the same rule are kept, even for windows that are rare in these games. Under
        // another rule a window may have another pattern, and its rest would be wrong.
        let keeps_rests = start.is_some_and(|start| start.rule == config.rule);
        let seen = |rest: &Row| if keeps_rests && rest.iter().any(|&number| number != 0.0) { MIN_SEEN } else { 0 };
        Self {
            descent: Descent::new(&model),
            shards: (0..SHARDS).map(|_| Shard::new(&model)).collect(),
            threads: config.threads.get().min(SHARDS),
            first_rate: config.rate,
            batches: 0,
            all_batches: (config.rounds.get() * samples).div_ceil(BATCH),
            seen: model.rest.iter().map(seen).collect(),
            summed: vec![0; model.rows.len()],
            curve: Vec::new(),
            model,
        }
    }

    /// Takes a step for each batch of the samples and adds the mean losses to the curve; `None` if they are not finite.
    pub(super) fn fit(&mut self, samples: &[Features]) -> Option<()> {
        let fitted = self.batches(samples);
        self.curve.push(CurvePoint { batches: self.batches, fitted, held_out: None });
        fitted.are_finite().then_some(())
    }

    /// The result of the round; `None` if the parameters are not finite. `classical` is the quality of the classical
    /// evaluation on the held-out samples, if there are any.
    pub(super) fn end(&mut self, held_out: &[Features], classical: Option<Quality>) -> Option<RoundEnd> {
        self.model.sum_all_rows();
        let weights = self.model.quantized(&self.seen)?;
        let held_out = classical.map(|classical| HeldOut {
            network: Quality::of(&self.model, held_out),
            rounded: Quality::of(&Model::from_weights(self.model.rule, &weights), held_out),
            classical,
        });
        if let Some(last) = self.curve.last_mut() {
            last.held_out = held_out.map(|held_out| held_out.network.losses);
        }
        Some(RoundEnd { held_out, weights })
    }

    /// The state on which the next batches depend.
    pub(super) fn state(&mut self) -> State {
        let tensors = self.tensors().map(|tensor| tensor.to_vec()).into();
        let Self { batches, ref seen, ref curve, .. } = *self;
        State { batches: batches as u64, tensors, seen: seen.clone(), curve: curve.clone() }
    }

    /// Restores a state; `None` without a change if it belongs to another kind of network.
    pub(super) fn set_state(&mut self, state: State) -> Option<()> {
        let State { batches, tensors, seen, curve } = state;
        let lengths = self.tensors().map(|tensor| tensor.len());
        if !lengths.into_iter().eq(tensors.iter().map(Vec::len)) || seen.len() != self.seen.len() {
            return None;
        }
        self.tensors().into_iter().zip(&tensors).for_each(|(own, other)| own.copy_from_slice(other));
        (self.batches, self.seen, self.curve) = (batches as usize, seen, curve);
        self.descent.set_steps(self.batches);
        self.summed.fill(0);
        self.model.sum_all_rows();
        Some(())
    }

    /// The parameters and their moments.
    fn tensors(&mut self) -> [&mut [f32]; TENSORS] {
        let Model { rest, shared, heads, .. } = &mut self.model;
        let [a, b, c, d, e, f] = self.descent.moments();
        [rest.as_flattened_mut(), shared.as_flattened_mut(), heads, a, b, c, d, e, f]
    }

    /// The learning rate of the next batch.
    fn rate(&self) -> f32 {
        let done = (self.batches as f32 / self.all_batches as f32).min(1.0);
        self.first_rate * 0.5 * (1.0 + (std::f32::consts::PI * done).cos())
    }

    /// Takes a step for each batch of the samples and returns their mean losses.
    fn batches(&mut self, samples: &[Features]) -> Losses {
        let mut losses = Losses::default();
        for batch in samples.chunks(BATCH) {
            self.batch(batch);
            let share = batch.len() as f32 / samples.len() as f32;
            self.shards.iter().for_each(|shard| losses.add(share, shard.losses));
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
        self.shards[used..].iter_mut().for_each(|shard| shard.losses = Losses::default());
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
