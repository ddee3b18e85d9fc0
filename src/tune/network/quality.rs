//! [`Quality`]: what a model comes to on samples that it was not trained on.

use std::fmt;

use super::features::Features;
use super::model::{Forward, Model};
use crate::board::{Color, Rule};
use crate::eval::classical;
use crate::tune::fit::Loss;
use crate::tune::model::{chance_loss, logistic, softmax};

/// What an evaluation and its move priors come to on some samples.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quality {
    /// The mean losses.
    pub loss: Loss,
    /// How often no candidate has a greater chance than the best move, 0 to 1.
    pub first: f32,
    /// How often at most two have.
    pub first_three: f32,
}

/// Qualities on the same samples, which were held out.
#[derive(Clone, Copy, Debug)]
pub struct HeldOut {
    /// Of the network in floating point.
    pub network: Quality,
    /// Of its weights rounded to those of the file.
    pub rounded: Quality,
    /// Of the classical evaluation and its move priors.
    pub classical: Quality,
}

impl fmt::Display for Quality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { loss: Loss { chance, moves }, first, first_three } = self;
        let [first, first_three] = [first, first_three].map(|share| 100.0 * share);
        write!(f, "chance {chance:.4}, moves {moves:.4}, best move first {first:.1} %, in three {first_three:.1} %")
    }
}

impl Quality {
    /// The quality of a model.
    pub(super) fn of(model: &Model, samples: &[Features]) -> Self {
        let (mut quality, mut forward) = (Self::default(), Forward::new());
        for sample in samples {
            model.forward(sample, &mut forward);
            quality.add(sample, forward.chance(), &forward.chances);
        }
        quality.mean(samples.len())
    }

    /// The quality of the classical evaluation.
    pub(super) fn of_classical(rule: Rule, samples: &[Features]) -> Self {
        let priors = Color::ALL.map(|color| classical::priors(rule, color));
        let mut quality = Self::default();
        for sample in samples {
            let (own, other) = (&priors[sample.mover.index()][0], &priors[(!sample.mover).index()][1]);
            let prior = |kinds: [u16; 2]| own[usize::from(kinds[0])] + other[usize::from(kinds[1])];
            let mut chances: Vec<_> = sample.candidates.iter().map(|candidate| prior(candidate.kinds)).collect();
            softmax(&mut chances);
            quality.add(sample, logistic(sample.classical), &chances);
        }
        quality.mean(samples.len())
    }

    /// Adds what is said of a sample: the chance to win, and of each candidate to be the best.
    fn add(&mut self, sample: &Features, chance: f32, chances: &[f32]) {
        let best = chances[sample.best];
        let better = chances.iter().filter(|&&chance| chance > best).count();
        self.loss.chance += chance_loss(sample.label, chance);
        self.loss.moves += sample.move_loss(chances);
        self.first += f32::from(u8::from(better == 0));
        self.first_three += f32::from(u8::from(better < 3));
    }

    /// The mean of what was added for this number of samples.
    fn mean(self, samples: usize) -> Self {
        let [chance, moves, first, first_three] =
            [self.loss.chance, self.loss.moves, self.first, self.first_three].map(|sum| sum / samples as f32);
        Self { loss: Loss { chance, moves }, first, first_three }
    }
}
