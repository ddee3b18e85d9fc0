//! [`Loss`]: the losses that training minimises, each with its value and its slope. Both trainings use them.

use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use strum::Display;

use crate::text::write_joined;

/// Minimum chance of a best move in a loss. It keeps the logarithm finite. Hand-set.
const MIN_MOVE_CHANCE: f32 = 1e-9;

/// Minimum distance of a chance to win from 0 and 1 in a loss. It keeps the logarithm finite. Hand-set.
const MIN_CHANCE: f32 = 1e-6;

/// A loss in natural units (nats).
///
/// A further loss is a variant with an arm in each method. Each training also computes what it predicts and adds its
/// gradient (`gradient.rs`), and the checkpoint needs a new version, because a point of the curve has more numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display)]
#[strum(serialize_all = "lowercase")]
pub enum Loss {
    /// Cross entropy of the chance to win, which is the logistic function of its logit.
    Chance,
    /// Cross entropy of the best move, whose chances are the softmax of the candidates' logits. It is a sum over them.
    Moves,
}

impl Loss {
    /// All losses.
    pub const ALL: [Self; 2] = [Self::Chance, Self::Moves];

    /// The predictions for some logits, in place.
    pub(super) fn predict(self, logits: &mut [f32]) {
        match self {
            Self::Chance => logits.iter_mut().for_each(|logit| *logit = 1.0 / (1.0 + (-*logit).exp())),
            Self::Moves => {
                let greatest = logits.iter().copied().fold(f32::MIN, f32::max);
                logits.iter_mut().for_each(|logit| *logit = (*logit - greatest).exp());
                let sum: f32 = logits.iter().sum();
                logits.iter_mut().for_each(|chance| *chance /= sum);
            }
        }
    }

    /// The loss of a prediction, given its target. Both lie between 0 and 1.
    pub(super) fn value(self, target: f32, predicted: f32) -> f32 {
        match self {
            Self::Chance => {
                let chance = predicted.clamp(MIN_CHANCE, 1.0 - MIN_CHANCE);
                -(target * chance.ln() + (1.0 - target) * (1.0 - chance).ln())
            }
            Self::Moves => -target * predicted.max(MIN_MOVE_CHANCE).ln(),
        }
    }

    /// The derivative of the loss by the logit of a prediction.
    pub(super) const fn slope(self, target: f32, predicted: f32) -> f32 {
        match self {
            // For a cross entropy of a logistic function or a softmax it is the error.
            Self::Chance | Self::Moves => predicted - target,
        }
    }
}

/// The chance to win for a logit.
pub(super) fn logistic(logit: f32) -> f32 {
    let mut chance = [logit];
    Loss::Chance.predict(&mut chance);
    chance[0]
}

/// A number for each loss: its mean over some samples.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Losses(pub(super) [f32; Loss::ALL.len()]);

impl Losses {
    /// Adds other losses, multiplied by their share in the mean.
    pub(super) fn add(&mut self, share: f32, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, loss)| *sum += share * loss);
    }

    /// Whether every loss is a finite number.
    pub(super) fn are_finite(self) -> bool {
        self.0.iter().all(|loss| loss.is_finite())
    }
}

impl Index<Loss> for Losses {
    type Output = f32;

    fn index(&self, loss: Loss) -> &f32 {
        &self.0[loss as usize]
    }
}

impl IndexMut<Loss> for Losses {
    fn index_mut(&mut self, loss: Loss) -> &mut f32 {
        &mut self.0[loss as usize]
    }
}

/// `chance 0.4476, moves 2.5186`.
impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(f, ", ", Loss::ALL.map(|loss| format!("{loss} {:.4}", self[loss])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_is_the_difference_quotient_of_the_value() {
        let step = 1e-2;
        for loss in Loss::ALL {
            let targets = if loss == Loss::Moves { [0.2, 0.7, 0.1] } else { [0.2, 0.7, 0.4] };
            let logits = [0.3, -1.0, 1.5];
            let sum_at = |moved: usize, by: f32| -> f32 {
                let mut predicted = logits;
                predicted[moved] += by;
                loss.predict(&mut predicted);
                std::iter::zip(targets, predicted).map(|(target, predicted)| loss.value(target, predicted)).sum()
            };
            let mut predicted = logits;
            loss.predict(&mut predicted);
            for at in 0..logits.len() {
                let quotient = (sum_at(at, step) - sum_at(at, -step)) / (2.0 * step);
                let slope = loss.slope(targets[at], predicted[at]);
                assert!((slope - quotient).abs() < 1e-3, "{loss}: {slope}, expected {quotient}");
            }
        }
    }
}
