//! [`Adam`]: stochastic gradient descent with a rate for each number.

/// D. Kingma and J. Ba, "Adam: a method for stochastic optimization" (2015).
pub(super) struct Adam {
    /// What the rate of each number is multiplied by.
    scales: Vec<f32>,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    /// For as many numbers as there are scales of the rate.
    pub(super) fn new(scales: Vec<f32>) -> Self {
        let zeros = vec![0.0; scales.len()];
        Self { scales, mean: zeros.clone(), square: zeros, steps: 0 }
    }

    /// Moves numbers against their gradient.
    pub(super) fn step(&mut self, numbers: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let (fade_mean, fade_square) = (1.0 - 0.9f32.powi(self.steps), 1.0 - 0.999f32.powi(self.steps));
        let moments = self.mean.iter_mut().zip(&mut self.square).zip(&self.scales);
        for ((number, gradient), ((mean, square), scale)) in numbers.iter_mut().zip(gradient).zip(moments) {
            *mean += 0.1 * (gradient - *mean);
            *square += 0.001 * (gradient * gradient - *square);
            *number -= rate * scale * (*mean / fade_mean) / ((*square / fade_square).sqrt() + 1e-8);
        }
    }
}
