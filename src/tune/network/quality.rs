//! [`Quality`]: how well a model predicts held-out samples.

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

impl Quality {
    /// The quality of a model.
    pub(super) fn of(model: &Model, samples: &[Labelled]) -> Self {
        let (mut quality, mut forward) = (Self::default(), Forward::new());
        for sample in samples {
            model.forward(&sample.features, &mut forward);
            quality.add(sample, forward.chance(), &forward.chances);
        }
        quality.mean(samples.len())
    }

    /// The quality of the classical evaluation.
    pub(super) fn of_classical(rule: Rule, samples: &[Labelled]) -> Self {
        let priors = Color::ALL.map(|color| classical::priors(rule, color));
        let mut quality = Self::default();
        for sample in samples {
            let (own, other) =
                (&priors[sample.features.mover.index()][0], &priors[(!sample.features.mover).index()][1]);
            let prior = |candidate: &Candidate| {
                let [own_kind, other_kind] = candidate.combinations;
                own[own_kind.index()] + other[other_kind.index()]
            };
            let mut chances: Vec<_> = sample.features.candidates.iter().map(prior).collect();
            Loss::Moves.predict(&mut chances);
            quality.add(sample, logistic(sample.features.classical), &chances);
        }
        quality.mean(samples.len())
    }

    /// Adds the predictions for a sample: the chance to win, and for each candidate the chance to be the best.
    fn add(&mut self, sample: &Labelled, chance: f32, chances: &[f32]) {
        let best = chances[sample.best];
        let better = chances.iter().filter(|&&chance| chance > best).count();
        self.losses[Loss::Chance] += Loss::Chance.value(sample.label, chance);
        self.losses[Loss::Moves] += sample.move_loss(chances);
        self.first += f32::from(u8::from(better == 0));
        self.first_three += f32::from(u8::from(better < 3));
    }

    /// The mean over this number of samples.
    fn mean(self, samples: usize) -> Self {
        let count = samples as f32;
        let losses = Losses(self.losses.0.map(|sum| sum / count));
        Self { losses, first: self.first / count, first_three: self.first_three / count }
    }
}
