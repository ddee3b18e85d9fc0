//! [`Adam`]: stochastic gradient descent with a step of its own for each parameter.

/// Decay of the mean of the gradient, β₁: the value that Kingma and Ba recommend.
const BETA_1: f64 = 0.9;

/// Decay of the mean of the squared gradient, β₂: the value that Kingma and Ba recommend.
const BETA_2: f64 = 0.999;

/// What keeps the division finite where no gradient was seen, ε: the value that Kingma and Ba recommend.
const EPSILON: f32 = 1e-8;

/// How one parameter moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The factor of the learning rate.
    pub(super) scale: f32,
    /// The share of the parameter that decays in each step, per unit of the learning rate.
    pub(super) decay: f32,
}

/// The state of the descent.
///
/// D. Kingma and J. Ba, "Adam: a method for stochastic optimization" (2015), algorithm 1, with the decay of I. Loshchilov
/// and F. Hutter, "Decoupled weight decay regularization" (2019).
pub(super) struct Adam {
    parameter_steps: Vec<Step>,
    mean: Vec<f32>,
    square: Vec<f32>,
    /// Steps taken.
    count: i32,
}

impl Adam {
    /// The descent of as many parameters as there are steps.
    pub(super) fn new(steps: Vec<Step>) -> Self {
        let zeros = vec![0.0; steps.len()];
        Self { parameter_steps: steps, mean: zeros.clone(), square: zeros, count: 0 }
    }

    /// The means of the gradients and of their squares.
    pub(super) fn moments(&mut self) -> [&mut [f32]; 2] {
        [&mut self.mean, &mut self.square]
    }

    /// Goes on as after this number of steps.
    pub(super) fn set_steps(&mut self, steps: i32) {
        self.count = steps;
    }

    /// Moves the parameters against their gradient.
    pub(super) fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32) {
        self.count += 1;
        let corrections = Corrections::after(self.count);
        let moments = self.mean.iter_mut().zip(&mut self.square).zip(&self.parameter_steps);
        for ((parameter, gradient), ((mean, square), step)) in parameters.iter_mut().zip(gradient).zip(moments) {
            let direction = corrections.direction(mean, square, *gradient);
            *parameter -= rate * (step.scale * direction + step.decay * *parameter);
        }
    }
}

/// What divides out the bias of the moments, which begin at 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corrections {
    mean: f32,
    square: f32,
}

impl Corrections {
    /// The corrections in the step with this number, counted from 1.
    pub(super) fn after(steps: i32) -> Self {
        Self { mean: 1.0 - (BETA_1 as f32).powi(steps), square: 1.0 - (BETA_2 as f32).powi(steps) }
    }

    /// Takes a gradient into the moments of a parameter, and returns the direction in which it moves, against the sign.
    #[inline]
    pub(super) fn direction(self, mean: &mut f32, square: &mut f32, gradient: f32) -> f32 {
        const MEAN_UPDATE: f32 = (1.0 - BETA_1) as f32;
        const SQUARE_UPDATE: f32 = (1.0 - BETA_2) as f32;

        *mean += MEAN_UPDATE * (gradient - *mean);
        *square += SQUARE_UPDATE * (gradient * gradient - *square);
        *mean / self.mean / ((*square / self.square).sqrt() + EPSILON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_the_learning_rate_whatever_the_gradient() {
        let step = Step { scale: 1.0, decay: 0.0 };
        let mut adam = Adam::new(vec![step, step, Step { scale: 0.5, decay: 0.0 }, Step { scale: 1.0, decay: 2.0 }]);
        let mut parameters = [1.0, 1.0, 1.0, 1.0];
        adam.step(&mut parameters, &[1e3, -1e-3, 1.0, 0.0], 0.01);
        for (parameter, expected) in parameters.into_iter().zip([0.99, 1.01, 0.995, 0.98]) {
            assert!((parameter - expected).abs() < 1e-5, "{parameters:?}");
        }
    }

    #[test]
    fn the_descent_ends_in_the_minimum() {
        let mut adam = Adam::new(vec![Step { scale: 1.0, decay: 0.0 }; 2]);
        let mut parameters = [3.0f32, -2.0];
        for round in 0..2000 {
            let gradient = [parameters[0] - 1.0, 100.0 * (parameters[1] - 0.5)];
            adam.step(&mut parameters, &gradient, 0.01 * (1.0 - round as f32 / 2000.0));
        }
        assert!((parameters[0] - 1.0).abs() < 1e-3 && (parameters[1] - 0.5).abs() < 1e-3, "{parameters:?}");
    }
}
