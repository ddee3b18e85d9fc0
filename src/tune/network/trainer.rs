//! [`Trainer`]: a training in progress.

use super::config::TrainConfig;
use super::labelled::Labelled;
use super::learner::Learner;
use super::model::{Model, Origin};
use super::train::CurvePoint;
use crate::board::Color;
use crate::eval::classical;
use crate::eval::network::Weights;
use crate::rng::Rng;
use crate::tune::loss::Losses;

/// Samples of a batch. Hand-set.
pub(super) const BATCH: usize = 1024;

/// A training in progress.
pub(super) struct Trainer {
    pub(super) learner: Learner,
    first_rate: f32,
    /// Number of batches of the whole training.
    all_batches: usize,
    /// The losses so far, a point for each part of a round.
    pub(super) curve: Vec<CurvePoint>,
}

impl Trainer {
    /// A training with this number of samples a round, before its first batch.
    pub(super) fn new(config: &TrainConfig, start: Option<&Weights>, samples: usize) -> Self {
        let priors = |view: usize| classical::priors(config.rule, Color::ALL[view]);
        let model = match start {
            Some(start) => Model::from_weights(config.rule, start),
            None => Model::new(config.rule, &Origin::Classical(&priors), &mut Rng::new(config.seed)),
        };
        // The rests of a network of the same rule are kept, even for windows that are rare in these games. Under
        // another rule a window may have another pattern, and its rest would be wrong.
        let keeps_rests = start.is_some_and(|start| start.rule == config.rule);
        let learner = Learner::new(model, config.threads.get());
        Self {
            learner: if keeps_rests { learner.keep_rests() } else { learner },
            first_rate: config.rate,
            all_batches: (config.rounds.get() * samples).div_ceil(BATCH),
            curve: Vec::new(),
        }
    }

    /// Takes a step for each batch of the samples and adds the mean losses to the curve; `None` if they are not finite.
    pub(super) fn fit(&mut self, samples: &[Labelled]) -> Option<()> {
        let mut fitted = Losses::default();
        for batch in samples.chunks(BATCH) {
            let losses = self.learner.step(batch, self.rate());
            fitted.add(batch.len() as f32 / samples.len() as f32, losses);
        }
        self.curve.push(CurvePoint { batches: self.learner.batches(), fitted, held_out: None });
        fitted.are_finite().then_some(())
    }

    /// The learning rate of the next batch.
    fn rate(&self) -> f32 {
        let done = (self.learner.batches() as f32 / self.all_batches as f32).min(1.0);
        self.first_rate * 0.5 * (1.0 + (std::f32::consts::PI * done).cos())
    }
}
