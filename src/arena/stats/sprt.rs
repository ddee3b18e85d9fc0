//! The sequential test that stops a match as soon as one hypothesis is accepted. [`Sprt`] holds its parameters.
//!
//! Generalised SPRT for pentanomial samples: the log-likelihood ratio of the most likely distributions whose means are
//! the two hypotheses' (Van den Bergh, "The Generalized Sequential Probability Ratio Test for multinomial models",
//! <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>; fishtest's `LLRcalc`). Wald's bounds.

use serde::Serialize;

use super::pentanomial::Pentanomial;
use super::share;
use crate::arena::config::Sprt;

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

impl Sprt {
    /// The log-likelihood ratio of a sample; 0 for an empty one.
    pub fn llr(&self, sample: &Pentanomial) -> f64 {
        if sample.pairs() == 0 {
            return 0.0;
        }
        let counts = sample.counts.map(|count| (count as f64).max(NEARLY_NONE));
        let total: f64 = counts.iter().sum();
        let (s0, s1) = (share(self.elo0), share(self.elo1));
        let (x0, x1) = (multiplier(&counts, s0), multiplier(&counts, s1));
        // The most likely probabilities are p / (1 + x · (a − s)).
        let ratio = |kind: usize| {
            let a = kind as f64 / 4.0;
            (1.0 + x0 * (a - s0)).ln() - (1.0 + x1 * (a - s1)).ln()
        };
        let weight: f64 = counts.iter().enumerate().map(|(kind, count)| count * ratio(kind)).sum();
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

/// The x for which the probabilities p / (1 + x · (a − s)) have the mean s.
fn multiplier(counts: &[f64; 5], s: f64) -> f64 {
    let slope = |x: f64| -> f64 {
        let term = |(kind, count): (usize, &f64)| {
            let distance = kind as f64 / 4.0 - s;
            count * distance / (1.0 + x * distance)
        };
        counts.iter().enumerate().map(term).sum()
    };
    // Between these bounds all probabilities are positive, and the slope falls from +∞ to −∞.
    let (mut low, mut high) = (-1.0 / (1.0 - s), 1.0 / s);
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

    #[test]
    fn the_test_stops_at_the_first_pair_that_decides() {
        let sprt: Sprt = "elo0=0 elo1=50 alpha=0.05 beta=0.05".parse().unwrap();
        let won = sprt.run(&[4; 200]);
        assert_eq!(won.decision, Some(SprtDecision::H1));
        assert!(won.pairs < 100 && sprt.run(&vec![4; won.pairs - 1]).decision.is_none());
        assert_eq!(sprt.run(&[0; 200]).decision, Some(SprtDecision::H0));
        assert_eq!(sprt.run(&[]).decision, None);
        assert!((won.upper - 2.944_439).abs() < 1e-6 && (won.lower + 2.944_439).abs() < 1e-6);
    }
}
