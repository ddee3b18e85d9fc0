//! [`Adam`]: stochastic gradient descent with adaptive steps. Also how parameters begin, and how they are rounded.

use crate::rng::Rng;

/// Decay of the mean of the gradient, β₁. Recommended by Kingma and Ba.
const BETA_1: f64 = 0.9;

/// Decay of the mean of the squared gradient, β₂. Recommended by Kingma and Ba.
const BETA_2: f64 = 0.999;

/// Keeps the division finite where no gradient was seen, ε. Recommended by Kingma and Ba.
const EPSILON: f32 = 1e-8;

/// How some parameters move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The number of this step of these parameters, from 1. It decides the bias correction of the moments, which begin at 0.
    pub(super) number: u32,
    /// Factor of the learning rate.
    pub(super) scale: f32,
    /// Share of a parameter that decays in a step, per unit of the learning rate.
    pub(super) decay: f32,
}

impl Step {
    /// A step at the full learning rate without decay.
    pub(super) const fn full(number: u32) -> Self {
        Self { number, scale: 1.0, decay: 0.0 }
    }

    /// Divisors that remove the bias of the moments.
    fn corrections(self) -> [f32; 2] {
        let number = i32::try_from(self.number).unwrap_or(i32::MAX);
        [BETA_1, BETA_2].map(|beta| 1.0 - (beta as f32).powi(number))
    }
}

/// The state of the descent: the moments of the gradient for each parameter.
///
/// D. Kingma and J. Ba, "Adam: a method for stochastic optimization" (2015), algorithm 1, with the decay of I. Loshchilov
/// and F. Hutter, "Decoupled weight decay regularization" (2019).
pub(super) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
}

impl Adam {
    /// The descent of this number of parameters.
    pub(super) fn new(parameters: usize) -> Self {
        Self { mean: vec![0.0; parameters], square: vec![0.0; parameters] }
    }

    /// The means of the gradients and of their squares.
    pub(super) fn moments(&mut self) -> [&mut [f32]; 2] {
        [&mut self.mean, &mut self.square]
    }

    /// Moves some parameters against their gradient; `first` is the number of the first of them.
    #[inline]
    pub(super) fn descend(&mut self, first: usize, parameters: &mut [f32], gradient: &[f32], rate: f32, step: Step) {
        const MEAN_UPDATE: f32 = (1.0 - BETA_1) as f32;
        const SQUARE_UPDATE: f32 = (1.0 - BETA_2) as f32;

        let [by_mean, by_square] = step.corrections();
        let end = first + parameters.len();
        let moments = self.mean[first..end].iter_mut().zip(&mut self.square[first..end]);
        for ((parameter, gradient), (mean, square)) in parameters.iter_mut().zip(gradient).zip(moments) {
            *mean += MEAN_UPDATE * (gradient - *mean);
            *square += SQUARE_UPDATE * (gradient * gradient - *square);
            let direction = *mean / by_mean / ((*square / by_square).sqrt() + EPSILON);
            *parameter -= rate * (step.scale * direction + step.decay * *parameter);
        }
    }
}

/// A random initial parameter between −`greatest` and `greatest`.
pub(super) fn random(rng: &mut Rng, greatest: f32) -> f32 {
    (rng.below(20_001) as f32 / 10_000.0 - 1.0) * greatest
}

/// A parameter as an integer: multiplied by the scale, rounded, and clamped to ±`greatest`.
pub(super) fn quantize(parameter: f32, scale: f32, greatest: f32) -> f32 {
    (parameter * scale).round().clamp(-greatest, greatest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_the_learning_rate_whatever_the_gradient() {
        let mut adam = Adam::new(4);
        let mut parameters = [1.0, 1.0, 1.0, 1.0];
        adam.descend(0, &mut parameters[..2], &[1e3, -1e-3], 0.01, Step::full(1));
        adam.descend(2, &mut parameters[2..3], &[1.0], 0.01, Step { scale: 0.5, ..Step::full(1) });
        adam.descend(3, &mut parameters[3..], &[0.0], 0.01, Step { decay: 2.0, ..Step::full(1) });
        for (parameter, expected) in parameters.into_iter().zip([0.99, 1.01, 0.995, 0.98]) {
            assert!((parameter - expected).abs() < 1e-5, "{parameters:?}");
        }
    }

    #[test]
    fn the_descent_ends_in_the_minimum() {
        let mut adam = Adam::new(2);
        let mut parameters = [3.0f32, -2.0];
        for round in 0..2000 {
            let gradient = [parameters[0] - 1.0, 100.0 * (parameters[1] - 0.5)];
            let rate = 0.01 * (1.0 - round as f32 / 2000.0);
            adam.descend(0, &mut parameters, &gradient, rate, Step::full(round + 1));
        }
        assert!((parameters[0] - 1.0).abs() < 1e-3 && (parameters[1] - 0.5).abs() < 1e-3, "{parameters:?}");
    }
}
