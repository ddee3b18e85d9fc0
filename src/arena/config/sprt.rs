//! [`Sprt`]: the parameters of the test that stops a match of two engines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The hypotheses, in logistic Elo points, and the probabilities of error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// H0: the first engine is stronger by this, or less.
    pub elo0: f64,
    /// H1: the first engine is stronger by this, or more.
    pub elo1: f64,
    /// The probability of accepting H1 when H0 holds.
    pub alpha: f64,
    /// The probability of accepting H0 when H1 holds.
    pub beta: f64,
}

/// The greatest difference in Elo points: at 1,000 the stronger engine has 99.7 % of the points.
const MOST_ELO: f64 = 1000.0;

/// The least probability of error: 1 in 10⁶.
const LEAST_ERROR: f64 = 1e-6;

/// Probabilities of error are below this: at 0.5 a test would accept any hypothesis.
const MOST_ERROR: f64 = 0.5;

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta } = self;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}")
    }
}

/// Error returned when the parameters of a test fail to parse or are out of bounds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "expected elo0=E elo1=E with elo0 < elo1, both from {least} to {MOST_ELO}, and alpha=A beta=B from {LEAST_ERROR} to \
     below {MOST_ERROR}",
    least = -MOST_ELO
)]
pub struct SprtError;

/// Reads `elo0=0 elo1=10 alpha=0.05 beta=0.05`; the values shown are the defaults.
impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let mut sprt = Self { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').ok_or(SprtError)?;
            let value = value.parse().map_err(|_| SprtError)?;
            match key {
                "elo0" => sprt.elo0 = value,
                "elo1" => sprt.elo1 = value,
                "alpha" => sprt.alpha = value,
                "beta" => sprt.beta = value,
                _ => return Err(SprtError),
            }
        }
        sprt.is_sensible().then_some(sprt).ok_or(SprtError)
    }
}

impl Sprt {
    /// Whether all numbers are within their bounds.
    pub fn is_sensible(&self) -> bool {
        let is_elo = |elo: f64| (-MOST_ELO..=MOST_ELO).contains(&elo);
        let is_error = |p: f64| (LEAST_ERROR..MOST_ERROR).contains(&p);
        is_elo(self.elo0) && is_elo(self.elo1) && self.elo0 < self.elo1 && is_error(self.alpha) && is_error(self.beta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senseless_tests_are_refused() {
        for text in [
            "elo0=5 elo1=5",
            "alpha=0",
            "beta=1",
            "elo2=3",
            "elo1",
            "elo1=x",
            "elo1=inf",
            "elo1=1e308",
            "elo0=-1e4",
            "elo0=nan",
        ] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
        for text in ["alpha=1e-300", "beta=nan", "alpha=0.5"] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
        let widest: Sprt = "elo0=-1000 elo1=1000 alpha=1e-6 beta=0.499".parse().unwrap();
        let progress = widest.run(&[0, 4, 2, 2, 1, 3, 0, 0, 0, 4]);
        assert!(progress.llr.is_finite() && progress.lower.is_finite() && progress.upper.is_finite(), "{progress:?}");
    }
}
