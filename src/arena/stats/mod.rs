//! WHAT RESULTS MEAN: Elo with its interval, likelihood of superiority, SPRT, ratings of many engines.
//!
//! Owns the sums of games and the estimates from them. Uses records. Must never know a process, a schedule or the form of a
//! table: everything here is a pure function of numbers.
//!
//! The two games of one opening are one sample, because the same color wins a lopsided opening twice. Such a pair counts 0, ½,
//! 1, 1½ or 2 points, and the five counts are a *pentanomial* sample.

pub mod openings;
pub mod pentanomial;
pub mod rating;
pub mod results;
pub mod sprt;

/// The number of standard deviations to either side that hold 95 % of a normal distribution.
pub(crate) const NORMAL_95: f64 = 1.959_964;

/// The Elo points of one unit of ln(odds).
pub(super) const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Normalized Elo points for a mean of one standard deviation of a game above one half. Where all games are decided and
/// independent, small differences have the same number of points in both units.
pub(super) const NORMALIZED_ELO: f64 = 2.0 * ELO_PER_LOGIT;

/// The expected share of the points of an engine that is stronger by this number of Elo points (logistic model).
pub fn share(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The inverse of [`share`]; infinite at 0 and 1.
pub fn elo(share: f64) -> f64 {
    ELO_PER_LOGIT * (share / (1.0 - share)).ln()
}

/// The probability that a standard normal variable is below `z`; the error is below 1e-7 (Abramowitz and Stegun,
/// "Handbook of Mathematical Functions", 7.1.26).
pub(crate) fn normal_cdf(z: f64) -> f64 {
    const TERMS: [f64; 5] = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let polynomial = TERMS.iter().rev().fold(0.0, |sum, term| (sum + term) * t);
    let above = polynomial * (-x * x).exp() / 2.0;
    if z < 0.0 { above } else { 1.0 - above }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        for (z, expected) in
            [(0.0, 0.5), (1.0, 0.841_344_7), (-1.0, 0.158_655_3), (1.96, 0.975_002_1), (-3.0, 0.001_349_9)]
        {
            assert!((normal_cdf(z) - expected).abs() < 2e-7, "{z}: {}", normal_cdf(z));
        }
        assert!((elo(0.75) - 190.8485).abs() < 1e-3);
        assert!((share(elo(0.3)) - 0.3).abs() < 1e-12);
        assert_eq!(elo(1.0), f64::INFINITY);
    }
}
