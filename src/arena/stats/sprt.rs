//! The sequential test that stops a match as soon as one hypothesis is accepted. [`Sprt`] holds its parameters.
//!
//! Generalised SPRT for pentanomial samples: the log-likelihood ratio of the most likely distributions whose means are
//! the two hypotheses' (Van den Bergh, "The Generalized Sequential Probability Ratio Test for multinomial models",
//! <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>; fishtest's `LLRcalc`). Wald's bounds.

use serde::Serialize;

use super::pentanomial::Pentanomial;
use super::{NORMALIZED_ELO, share};
use crate::arena::config::{EloUnit, Sprt};

/// The accepted hypothesis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum SprtDecision {
    /// The first engine is not better by `elo1`.
    H0,
    /// The first engine is better than `elo0`.
    H1,
}

/// The state of the test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SprtProgress {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// H0 is accepted at this ratio or below.
    pub lower: f64,
    /// H1 is accepted at this ratio or above.
    pub upper: f64,
    /// The accepted hypothesis, if any.
    pub decision: Option<SprtDecision>,
    /// The number of pairs, in the order of the match, up to the decision; without one, of all pairs.
    pub pairs: usize,
}

/// Replaces a count of 0, so that no kind of pair counts as impossible (fishtest).
const NEARLY_NONE: f64 = 1e-3;

/// Halvings of the interval that holds the multiplier, more than the bits of a double's mantissa.
const HALVINGS: usize = 60;

/// Maximum number of steps to the most likely distribution of a hypothesis in normalized Elo. Some five are usual.
const STEPS: usize = 20;

/// The change of a probability below which the steps end.
const CONVERGED: f64 = 1e-12;

/// The shares of the points of the five kinds of pairs.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Sprt {
    /// The log-likelihood ratio of a sample; 0 for an empty one.
    pub fn llr(&self, sample: &Pentanomial) -> f64 {
        if sample.pairs() == 0 {
            return 0.0;
        }
        let counts = sample.counts.map(|count| (count as f64).max(NEARLY_NONE));
        let total: f64 = counts.iter().sum();
        let most_likely = |elo: f64| match self.unit {
            EloUnit::Logistic => most_likely(&counts, SHARES.map(|a| a - share(elo))),
            EloUnit::Normalized => most_likely_normalized(&counts, elo),
        };
        let [null, other] = [self.elo0, self.elo1].map(most_likely);
        let weight: f64 = counts.iter().zip(null.iter().zip(other)).map(|(count, (p, q))| count * (q / p).ln()).sum();
        weight * sample.pairs() as f64 / total
    }

    /// Runs the test over pairs, given by their half points, in the order of the match.
    pub fn run(&self, pairs: &[usize]) -> SprtProgress {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        let mut sample = Pentanomial::default();
        let mut progress = SprtProgress { llr: 0.0, lower, upper, decision: None, pairs: pairs.len() };
        for (number, &half_points) in pairs.iter().enumerate() {
            sample.add(half_points);
            progress.llr = self.llr(&sample);
            if progress.llr >= upper || progress.llr <= lower {
                progress.decision = Some(if progress.llr > 0.0 { SprtDecision::H1 } else { SprtDecision::H0 });
                progress.pairs = number + 1;
                break;
            }
        }
        progress
    }
}

/// The most likely distribution in which these values have the mean 0: p / (1 + x · value) for the share p of each count.
fn most_likely(counts: &[f64; 5], values: [f64; 5]) -> [f64; 5] {
    let total: f64 = counts.iter().sum();
    let x = multiplier(counts, &values);
    std::array::from_fn(|kind| counts[kind] / total / (1.0 + x * values[kind]))
}

/// The most likely distribution of pairs with this difference in normalized Elo: the mean is `t` standard deviations
/// above one half.
///
/// The standard deviation depends on the distribution. Each step takes the condition as linear around the last
/// distribution. With mean m and deviation s it then says that `a - 1/2 - t · s · (1 + ((a - m) / s)²) / 2` has the mean 0,
/// because the last factor has the mean 1 there.
fn most_likely_normalized(counts: &[f64; 5], elo: f64) -> [f64; 5] {
    // In standard deviations of a pair's share, which is the mean of two games.
    let t = elo / NORMALIZED_ELO * std::f64::consts::SQRT_2;
    let mut found = [0.2; 5];
    for _ in 0..STEPS {
        let mean: f64 = found.iter().zip(SHARES).map(|(p, a)| p * a).sum();
        let deviation = found.iter().zip(SHARES).map(|(p, a)| p * (a - mean).powi(2)).sum::<f64>().sqrt();
        let values = SHARES.map(|a| a - 0.5 - t * deviation * (1.0 + ((a - mean) / deviation).powi(2)) / 2.0);
        let next = most_likely(counts, values);
        let change = found.iter().zip(next).map(|(p, q)| (p - q).abs()).fold(0.0, f64::max);
        found = next;
        if change < CONVERGED {
            break;
        }
    }
    found
}

/// The x for which the probabilities p / (1 + x · value) give the values the mean 0; 0 if all values have one sign.
fn multiplier(counts: &[f64; 5], values: &[f64; 5]) -> f64 {
    let slope = |x: f64| -> f64 { counts.iter().zip(values).map(|(count, v)| count * v / (1.0 + x * v)).sum() };
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    let greatest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || greatest <= 0.0 {
        return 0.0;
    }
    // Between these bounds all probabilities are positive, and the slope falls from +∞ to −∞.
    let (mut low, mut high) = (-1.0 / greatest, -1.0 / least);
    for _ in 0..HALVINGS {
        let middle = (low + high) / 2.0;
        if slope(middle) > 0.0 { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For many pairs the ratio approaches N · (s1 − s0) · (2s − s0 − s1) / (2σ²).
    #[test]
    fn the_ratio_is_near_its_normal_approximation() {
        let sprt: Sprt = "elo0=0 elo1=10".parse().unwrap();
        let sample = Pentanomial { counts: [600, 2000, 4600, 2100, 700] };
        let (mean, variance) = sample.moments();
        let (s0, s1) = (share(0.0), share(10.0));
        let approximation = sample.pairs() as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        assert!((sprt.llr(&sample) / approximation - 1.0).abs() < 0.02, "{} {approximation}", sprt.llr(&sample));
    }

    /// For many pairs and small differences the ratio approaches N · (t1 − t0) · (2t − t0 − t1) / 2, with the mean in standard
    /// deviations of a pair above one half.
    #[test]
    fn the_ratio_in_normalized_elo_is_near_its_normal_approximation() {
        let sprt: Sprt = "nelo0=0 nelo1=10".parse().unwrap();
        let sample = Pentanomial { counts: [600, 2000, 4600, 2100, 700] };
        let (mean, variance) = sample.moments();
        let (t, t1) = ((mean - 0.5) / variance.sqrt(), 10.0 / NORMALIZED_ELO * 2.0_f64.sqrt());
        let approximation = sample.pairs() as f64 * t1 * (2.0 * t - t1) / 2.0;
        assert!((sprt.llr(&sample) / approximation - 1.0).abs() < 0.02, "{} {approximation}", sprt.llr(&sample));
    }

    /// The most likely distribution, found by trying: no neighbour that meets the condition as well is likelier.
    #[test]
    fn the_distribution_of_a_hypothesis_meets_it_and_none_near_it_is_likelier() {
        let counts = [30.0, 5.0, 120.0, 9.0, 61.0];
        let deviations = |p: &[f64; 5]| {
            let mean: f64 = p.iter().zip(SHARES).map(|(p, a)| p * a).sum();
            let variance: f64 = p.iter().zip(SHARES).map(|(p, a)| p * (a - mean).powi(2)).sum();
            (mean - 0.5) / (2.0 * variance).sqrt()
        };
        let likelihood = |p: &[f64; 5]| -> f64 { counts.iter().zip(p).map(|(count, p)| count * p.ln()).sum() };
        for elo in [-200.0, -40.0, 0.0, 5.0, 80.0, 200.0] {
            let found = most_likely_normalized(&counts, elo);
            let target = elo / NORMALIZED_ELO;
            assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{elo}: {found:?}");
            assert!((deviations(&found) - target).abs() < 1e-9, "{elo}: {found:?}");
            let mut rng = crate::rng::Rng::new(5);
            for _ in 0..1000 {
                let mut near = found.map(|p| p * (1.0 + 0.02 * (rng.fraction() - 0.5)));
                // The weights of the worst and the best pairs are then moved until the condition holds again.
                let (mut low, mut high) = (-0.05, 0.05);
                let moved = |by: f64| {
                    let mut p = near;
                    (p[0], p[4]) = (p[0] * (1.0 - by), p[4] * (1.0 + by));
                    let total: f64 = p.iter().sum();
                    p.map(|p| p / total)
                };
                for _ in 0..60 {
                    let middle = (low + high) / 2.0;
                    if deviations(&moved(middle)) < target { low = middle } else { high = middle }
                }
                near = moved(low);
                assert!((deviations(&near) - target).abs() < 1e-9);
                assert!(likelihood(&near) <= likelihood(&found) + 1e-9, "{elo}: {near:?} {found:?}");
            }
        }
    }

    #[test]
    fn the_test_stops_at_the_first_pair_that_decides() {
        let sprt: Sprt = "elo0=0 elo1=50 alpha=0.05 beta=0.05".parse().unwrap();
        let won = sprt.run(&[4; 200]);
        assert_eq!(won.decision, Some(SprtDecision::H1));
        assert!(won.pairs < 100 && sprt.run(&vec![4; won.pairs - 1]).decision.is_none());
        assert_eq!(sprt.run(&[0; 200]).decision, Some(SprtDecision::H0));
        assert_eq!(sprt.run(&[]).decision, None);
        for text in ["nelo0=0 nelo1=5", "nelo0=-5 nelo1=0", "nelo0=-200 nelo1=200", "nelo0=150 nelo1=200"] {
            let sprt: Sprt = text.parse().unwrap();
            assert_eq!(sprt.run(&[4; 9000]).decision, Some(SprtDecision::H1), "{text}");
            assert_eq!(sprt.run(&[0; 9000]).decision, Some(SprtDecision::H0), "{text}");
            let level = sprt.run(&[2; 9000]);
            assert!(level.llr.is_finite(), "{text}: {level:?}");
            let mixed: Vec<_> = (0..9000).map(|number| [4, 0, 2, 2, 4, 2][number % 6]).collect();
            assert_eq!(
                sprt.run(&mixed).decision,
                Some(if sprt.elo1 > 100.0 && sprt.elo0 > 0.0 { SprtDecision::H0 } else { SprtDecision::H1 }),
                "{text}"
            );
        }
        assert!((won.upper - 2.944_439).abs() < 1e-6 && (won.lower + 2.944_439).abs() < 1e-6);
    }
}
