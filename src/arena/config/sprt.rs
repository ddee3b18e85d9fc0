//! [`Sprt`]: the parameters of the test that stops a match of two engines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The hypotheses, in logistic Elo points, and the probabilities of error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// H0: the first engine is stronger by this, or less.
    pub elo0: f64,
    /// H1: the first engine is stronger by this, or more.
    pub elo1: f64,
    /// The probability of accepting H1 where H0 holds.
    pub alpha: f64,
    /// The probability of accepting H0 where H1 holds.
    pub beta: f64,
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta } = self;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta}")
    }
}

/// Why a text is no test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SprtError;

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected elo0=E elo1=E with elo0 < elo1, and alpha=A beta=B between 0 and 0.5")
    }
}

impl std::error::Error for SprtError {}

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
        let small = |p: f64| p > 0.0 && p < 0.5;
        let sensible = sprt.elo0 < sprt.elo1 && (sprt.elo1 - sprt.elo0).is_finite();
        if sensible && small(sprt.alpha) && small(sprt.beta) { Ok(sprt) } else { Err(SprtError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn senseless_tests_are_refused() {
        for text in ["elo0=5 elo1=5", "alpha=0", "beta=1", "elo2=3", "elo1", "elo1=x", "elo1=inf"] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
