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

/// Maximum number of samples of a batch. Hand-set.
pub(super) const BATCH: usize = 1024;

/// A training in progress.
pub(super) struct Trainer {
    pub(super) learner: Learner,
    first_rate: f32,
    /// The losses so far, a point for each part of a round.
    pub(super) curve: Vec<CurvePoint>,
}

impl Trainer {
    /// A training before its first batch.
    pub(super) fn new(config: &TrainConfig, start: Option<&Weights>) -> Self {
        let priors = |view: usize| classical::priors(config.rule, Color::ALL[view]);
        let model = match start {
            Some(start) => Model::from_weights(config.rule, start),
            None => Model::new(config.rule, &Origin::Priors(&priors), &mut Rng::new(config.seed)),
        };
        // The rests of a network of the same rule are kept, even for windows that are rare in these games. Under
        // another rule a window may have another pattern, and its rest would be wrong.
        let keeps_rests = start.is_some_and(|start| start.rule == config.rule);
        let learner = Learner::new(model, config.threads.get());
        Self {
            learner: if keeps_rests { learner.keep_rests() } else { learner },
            first_rate: config.rate,
            curve: Vec::new(),
        }
    }

    /// Takes a step for each batch of the samples and adds the mean losses to the curve; `None` if they are not finite. The
    /// batches are nearly equal in size: Adam's step is as long after a batch of one sample as after a full one.
    /// `progress` converts a share of these samples to the share of the whole training.
    pub(super) fn fit(&mut self, samples: &[Labelled], progress: &dyn Fn(f32) -> f32) -> Option<()> {
        let mut fitted = Losses::default();
        let mut taken = 0;
        let batches = samples.len().div_ceil(BATCH).max(1);
        for batch in samples.chunks(samples.len().div_ceil(batches).max(1)) {
            let rate = self.rate(progress(taken as f32 / samples.len() as f32));
            let losses = self.learner.step(batch, rate);
            fitted.add(batch.len() as f32 / samples.len() as f32, losses);
            taken += batch.len();
        }
        self.curve.push(CurvePoint { batches: self.learner.batches(), fitted, held_out: None });
        fitted.are_finite().then_some(())
    }

    /// The learning rate after a share of the training: half a cosine that falls to 0.
    fn rate(&self, done: f32) -> f32 {
        self.first_rate * 0.5 * (1.0 + (std::f32::consts::PI * done).cos())
    }
}
