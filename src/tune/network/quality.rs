//! [`Quality`]: how well a model predicts held-out samples; [`QualitySum`] measures it.

use std::fmt;

use super::features::Candidate;
use super::labelled::Labelled;
use super::model::{Forward, Model};
use crate::board::{Color, Rule};
use crate::eval::classical;
use crate::tune::loss::{Loss, Losses, logistic};

/// How well an evaluation and its move priors predict some samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quality {
    /// The mean losses.
    pub losses: Losses,
    /// Share of samples in which no candidate has a greater chance than the best move, 0 to 1.
    pub first: f32,
    /// Share of samples in which at most two candidates have.
    pub first_three: f32,
}

/// Qualities on the same held-out samples.
#[derive(Clone, Copy, Debug)]
pub struct HeldOut {
    /// The network in floating point.
    pub network: Quality,
    /// The network with the integers of its file.
    pub rounded: Quality,
    /// The classical evaluation and its move priors.
    pub classical: Quality,
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, first_three] = [self.first, self.first_three].map(|share| 100.0 * share);
        write!(f, "{}, best move first {first:.1} %, in three {first_three:.1} %", self.losses)
    }
}

/// Qualities summed over samples, in parts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct QualitySum {
    losses: [f64; Loss::ALL.len()],
    first: usize,
    first_three: usize,
    samples: usize,
}

impl QualitySum {
    /// Adds the predictions of a model.
    pub(super) fn add(&mut self, model: &Model, samples: &[Labelled]) {
        let mut forward = Forward::new();
        for sample in samples {
            model.forward(&sample.features, &mut forward);
            self.add_sample(sample, forward.chance(), &forward.chances);
        }
    }

    /// Adds the predictions of the classical evaluation.
    pub(super) fn add_classical(&mut self, rule: Rule, samples: &[Labelled]) {
        let priors = Color::ALL.map(|color| classical::priors(rule, color));
        for sample in samples {
            let [own, other] = &priors[sample.features.mover.index()];
            let prior = |candidate: &Candidate| {
                let [own_kind, other_kind] = candidate.combinations;
                own[own_kind.index()] + other[other_kind.index()]
            };
            let mut chances: Vec<_> = sample.features.candidates.iter().map(prior).collect();
            Loss::Moves.predict(&mut chances);
            self.add_sample(sample, logistic(sample.classical), &chances);
        }
    }

    /// Adds the predictions for a sample: the chance to win, and for each candidate the chance to be the best.
    fn add_sample(&mut self, sample: &Labelled, chance: f32, chances: &[f32]) {
        let best = chances[sample.best];
        let better = chances.iter().filter(|&&chance| chance > best).count();
        let mut losses = Losses::default();
        losses[Loss::Chance] = Loss::Chance.value(sample.label, chance);
        losses[Loss::Moves] = sample.move_loss(chances);
        self.losses.iter_mut().zip(losses.0).for_each(|(sum, loss)| *sum += f64::from(loss));
        self.first += usize::from(better == 0);
        self.first_three += usize::from(better < 3);
        self.samples += 1;
    }

    /// The mean; `None` without samples.
    pub(super) fn mean(&self) -> Option<Quality> {
        let mean = |sum: f64| (sum / self.samples as f64) as f32;
        let share = |count: usize| mean(count as f64);
        (self.samples > 0).then(|| Quality {
            losses: Losses(self.losses.map(mean)),
            first: share(self.first),
            first_three: share(self.first_three),
        })
    }
}
