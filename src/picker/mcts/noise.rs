//! Dirichlet noise on the root priors, which makes games of self-play differ.

use super::parameters::{NOISE_CONCENTRATION, NOISE_SHARE};
use super::tree::{NodeId, Tree};
use crate::rng::Rng;

/// Mixes noise into the root priors. It depends on the generator alone.
pub(super) fn add(tree: &Tree, rng: &mut Rng) {
    let count = tree.child_count(NodeId::ROOT);
    let noise = dirichlet(count, f64::from(NOISE_CONCENTRATION) / count.max(1) as f64, rng);
    for (child, noise) in tree.children_of(NodeId::ROOT).zip(noise) {
        tree.set_prior(child, tree.prior(child) * (1.0 - NOISE_SHARE) + noise as f32 * NOISE_SHARE);
    }
}

/// A draw from the symmetric Dirichlet distribution of this concentration: gamma variates divided by their sum.
fn dirichlet(count: usize, concentration: f64, rng: &mut Rng) -> Vec<f64> {
    let mut numbers: Vec<_> = (0..count).map(|_| gamma(concentration, rng)).collect();
    let sum: f64 = numbers.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    numbers.iter_mut().for_each(|number| *number /= sum);
    numbers
}

/// A gamma variate of this shape (G. Marsaglia and W. Tsang, "A simple method for generating gamma
/// variables", 2000). A shape below 1 is reduced to the shape one greater.
fn gamma(shape: f64, rng: &mut Rng) -> f64 {
    if shape < 1.0 {
        return gamma(shape + 1.0, rng) * positive(rng).powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let x = normal(rng);
        let v = (1.0 + c * x).powi(3);
        if v > 0.0 && positive(rng).ln() < 0.5 * x * x + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A normal variate (Box and Muller).
fn normal(rng: &mut Rng) -> f64 {
    (-2.0 * positive(rng).ln()).sqrt() * (std::f64::consts::TAU * rng.fraction()).cos()
}

/// A uniform variate above 0, up to 1.
fn positive(rng: &mut Rng) -> f64 {
    1.0 - rng.fraction()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_have_the_mean_and_the_variance_of_their_distribution() {
        let mut rng = Rng::new(5);
        let (count, concentration) = (20, 0.5);
        let drawn: Vec<_> = (0..2000).flat_map(|_| dirichlet(count, concentration, &mut rng)).collect();
        let mean = drawn.iter().sum::<f64>() / drawn.len() as f64;
        let variance = drawn.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / drawn.len() as f64;
        // 1/n, and (1/n)(1 − 1/n) / (n a + 1).
        let expected = 0.05 * 0.95 / (20.0 * concentration + 1.0);
        assert!((mean - 0.05).abs() < 1e-9 && (variance / expected - 1.0).abs() < 0.1, "{mean} {variance} {expected}");
    }

    #[test]
    fn gamma_numbers_have_the_mean_of_their_shape() {
        let mut rng = Rng::new(8);
        for shape in [0.1, 0.7, 1.0, 3.5] {
            let mean = (0..20_000).map(|_| gamma(shape, &mut rng)).sum::<f64>() / 20_000.0;
            assert!((mean / shape - 1.0).abs() < 0.1, "{shape}: {mean}");
        }
    }
}
