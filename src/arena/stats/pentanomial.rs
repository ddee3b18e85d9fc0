//! [`Pentanomial`]: pairs of games by their points, and the difference in Elo that follows from them.

use std::cmp::Ordering;

use serde::Serialize;

use super::{NORMAL_95, NORMALIZED_ELO, elo, normal_cdf};

/// The pairs of a pairing by the points of its first engine: 0, ½, 1, 1½ and 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Pentanomial {
    /// The number of pairs of each kind.
    pub counts: [u64; 5],
}

/// The difference in strength estimated from a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The first engine's share of the points.
    pub share: f64,
    /// The difference in Elo points (logistic); infinite when the engine took all points or none.
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The difference in normalized Elo points, and half the width of its 95 % interval; `None` if all pairs are alike.
    pub normalized: Option<[f64; 2]>,
    /// The likelihood that it is the stronger engine.
    pub los: f64,
}

impl Pentanomial {
    /// Counts a pair by its half points, 0 to 4.
    pub fn add(&mut self, half_points: usize) {
        self.counts[half_points.min(4)] += 1;
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean and the variance of a pair's share of the points, 0 to 1.
    pub(super) fn moments(&self) -> (f64, f64) {
        let pairs = self.pairs() as f64;
        let share = |kind: usize| kind as f64 / 4.0;
        let weigh = |value: &dyn Fn(f64) -> f64| {
            let sum: f64 = self.counts.iter().enumerate().map(|(kind, &count)| value(share(kind)) * count as f64).sum();
            sum / pairs
        };
        let mean = weigh(&|share| share);
        (mean, weigh(&|share| (share - mean).powi(2)))
    }

    /// The difference in strength; `None` without pairs.
    ///
    /// The mean share is assumed to be normally distributed with the variance of the sample, as in fishtest (Van den Bergh,
    /// "Comments on Normalized Elo", <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>). If all pairs are
    /// alike, that variance is 0 and does not measure the error. The interval is then that of Clopper and Pearson for N
    /// samples of N: another kind of pair has a probability of at most 1 − 0.025^(1/N), taken at its worst.
    pub fn estimate(&self) -> Option<Estimate> {
        let pairs = self.pairs() as f64;
        if pairs == 0.0 {
            return None;
        }
        let (mean, variance) = self.moments();
        let error = (variance / pairs).sqrt();
        // The variance of a game is twice that of the mean of two.
        let deviations = (mean - 0.5) / (2.0 * variance).sqrt();
        let normalized =
            (variance > 0.0).then(|| [NORMALIZED_ELO * deviations, NORMALIZED_ELO * NORMAL_95 / (2.0 * pairs).sqrt()]);
        let (low, high, los) = if variance > 0.0 {
            (mean - NORMAL_95 * error, mean + NORMAL_95 * error, normal_cdf((mean - 0.5) / error))
        } else {
            let other_kind = 1.0 - 0.025_f64.powf(1.0 / pairs);
            // With a uniform prior for the probability of such a pair.
            let unlike = 0.5_f64.powf(pairs + 1.0);
            let los = match mean.total_cmp(&0.5) {
                Ordering::Less => unlike,
                Ordering::Equal => 0.5,
                Ordering::Greater => 1.0 - unlike,
            };
            (mean - other_kind * mean, mean + other_kind * (1.0 - mean), los)
        };
        let bounded = |share: f64| elo(share.clamp(0.0, 1.0));
        Some(Estimate { share: mean, elo: elo(mean), low: bounded(low), high: bounded(high), normalized, los })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The reference values were worked out by hand.
    #[test]
    fn a_sample_gives_the_elo_of_its_mean() {
        let sample = Pentanomial { counts: [10, 20, 40, 20, 10] };
        let estimate = sample.estimate().unwrap();
        assert!(estimate.elo.abs() < 1e-9 && (estimate.los - 0.5).abs() < 1e-6);
        // Variance (2·10·0.25 + 2·20·0.0625) / 100 = 0.075; error √(0.075 / 100) = 0.027386; 0.5 + 0.053676.
        assert!((estimate.high - 37.44).abs() < 0.02, "{estimate:?}");
        assert!((estimate.high + estimate.low).abs() < 1e-9);
        let better = Pentanomial { counts: [5, 20, 40, 25, 10] }.estimate().unwrap();
        // Mean 0.5375, variance 0.353125 − 0.5375² = 0.064219: Elo 26.11, LOS Φ(0.0375 / 0.025341) = Φ(1.4798).
        assert!((better.elo - 26.11).abs() < 0.02 && (better.los - 0.93053).abs() < 2e-5, "{better:?}");
        // 0.0375 / √(2 · 0.064219) = 0.104636 deviations of a game; 800 / ln 10 = 347.436 points each.
        // 1.96 / √200 games = 0.138590 deviations.
        let [points, half] = better.normalized.unwrap();
        assert!((points - 36.354).abs() < 1e-2 && (half - 48.15).abs() < 1e-2, "{better:?}");
    }

    #[test]
    fn level_pairs_shrink_elo_and_leave_normalized_elo() {
        // Half of the pairs of the first sample are level, three quarters of the second. Its mean is nearer to one half, but
        // its games also differ less.
        let [few, many] =
            [[10, 0, 50, 0, 40], [5, 0, 75, 0, 20]].map(|counts| Pentanomial { counts }.estimate().unwrap());
        assert!((many.elo / few.elo - 0.5).abs() < 0.02, "{few:?} {many:?}");
        let ratio = many.normalized.unwrap()[0] / few.normalized.unwrap()[0];
        assert!((ratio - 0.5_f64.sqrt()).abs() < 0.05, "{ratio}");
    }

    #[test]
    fn independent_decided_games_have_the_same_points_in_both_units() {
        // A share of 0.51, pairs of independent games: 0.49², 2 · 0.49 · 0.51, 0.51².
        let sample = Pentanomial { counts: [2401, 0, 4998, 0, 2601] }.estimate().unwrap();
        assert!((sample.normalized.unwrap()[0] / sample.elo - 1.0).abs() < 0.01, "{sample:?}");
    }

    #[test]
    fn a_clean_sweep_is_infinite_but_its_lower_end_is_not() {
        let sweep = Pentanomial { counts: [0, 0, 0, 0, 50] }.estimate().unwrap();
        assert_eq!((sweep.elo, sweep.high), (f64::INFINITY, f64::INFINITY));
        assert!(sweep.low > 400.0 && sweep.low < 500.0, "{sweep:?}");
        let even = Pentanomial { counts: [0, 0, 50, 0, 0] }.estimate().unwrap();
        assert!(even.elo == 0.0 && (even.high - 24.7).abs() < 0.1, "{even:?}");
        assert_eq!(Pentanomial::default().estimate(), None);
    }
}
