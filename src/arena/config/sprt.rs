//! [`Sprt`]: the parameters of the test that stops a match of two engines.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The unit of a difference in strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloUnit {
    /// Elo of the logistic model, by the expected share of the points.
    #[default]
    Logistic,
    /// Normalized Elo, by the expected share in standard deviations of a game. Level pairs do not shrink it.
    Normalized,
}

impl EloUnit {
    /// The names of the hypotheses.
    const fn keys(self) -> [&'static str; 2] {
        match self {
            Self::Logistic => ["elo0", "elo1"],
            Self::Normalized => ["nelo0", "nelo1"],
        }
    }

    fn is_logistic(&self) -> bool {
        *self == Self::Logistic
    }
}

/// The hypotheses and the probabilities of error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The unit of the hypotheses. Records of earlier versions have only logistic ones.
    #[serde(default, skip_serializing_if = "EloUnit::is_logistic")]
    pub unit: EloUnit,
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
pub(crate) const MOST_ELO: f64 = 1000.0;

/// The greatest difference in normalized Elo points. Above 231.6 the iteration that finds the most likely distribution
/// cannot begin at the uniform one, because the five values have one sign there.
const MOST_NORMALIZED_ELO: f64 = 200.0;

/// The least probability of error: 1 in 10⁶.
const LEAST_ERROR: f64 = 1e-6;

/// Probabilities of error are below this: at 0.5 a test would accept any hypothesis.
const MOST_ERROR: f64 = 0.5;

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { unit, elo0, elo1, alpha, beta } = self;
        let [key0, key1] = unit.keys();
        write!(f, "{key0}={elo0} {key1}={elo1} alpha={alpha} beta={beta}")
    }
}

/// Error returned when the parameters of a test fail to parse or are out of bounds.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "expected elo0=E elo1=E from -{MOST_ELO} to {MOST_ELO}, or nelo0=E nelo1=E from -{MOST_NORMALIZED_ELO} to \
     {MOST_NORMALIZED_ELO}, the first below the second, and alpha=A beta=B from {LEAST_ERROR} to below {MOST_ERROR}"
)]
pub struct SprtError;

/// Reads `elo0=0 elo1=10 alpha=0.05 beta=0.05`; the values shown are the defaults. `nelo0=0 nelo1=5` are hypotheses in
/// normalized Elo.
impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        let mut sprt = Self { unit: EloUnit::Logistic, elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };
        let mut unit = None;
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').ok_or(SprtError)?;
            let value = value.parse().map_err(|_| SprtError)?;
            match key {
                "alpha" => sprt.alpha = value,
                "beta" => sprt.beta = value,
                _ => {
                    let of_key =
                        [EloUnit::Logistic, EloUnit::Normalized].into_iter().find(|unit| unit.keys().contains(&key));
                    sprt.unit = of_key.ok_or(SprtError)?;
                    // Both hypotheses have one unit.
                    if unit.replace(sprt.unit).is_some_and(|other| other != sprt.unit) {
                        return Err(SprtError);
                    }
                    let elo = if key == sprt.unit.keys()[0] { &mut sprt.elo0 } else { &mut sprt.elo1 };
                    *elo = value;
                }
            }
        }
        sprt.is_sensible().then_some(sprt).ok_or(SprtError)
    }
}

impl Sprt {
    /// Whether all numbers are within their bounds.
    pub fn is_sensible(&self) -> bool {
        let most = match self.unit {
            EloUnit::Logistic => MOST_ELO,
            EloUnit::Normalized => MOST_NORMALIZED_ELO,
        };
        let is_elo = |elo: f64| (-most..=most).contains(&elo);
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
            "nelo0=5 nelo1=5",
            "nelo1=201",
            "nelo0=0 elo1=5",
            "elo0=0 nelo1=5",
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

    #[test]
    fn a_test_is_read_as_written_in_both_units_and_in_records() {
        for text in ["elo0=-1 elo1=4 alpha=0.05 beta=0.1", "nelo0=0 nelo1=5 alpha=0.05 beta=0.05"] {
            let sprt: Sprt = text.parse().unwrap();
            assert_eq!(sprt.to_string(), text);
            assert_eq!(serde_json::from_str::<Sprt>(&serde_json::to_string(&sprt).unwrap()).unwrap(), sprt);
        }
        let of_earlier: Sprt = serde_json::from_str(r#"{"elo0":0.0,"elo1":10.0,"alpha":0.05,"beta":0.05}"#).unwrap();
        assert_eq!(of_earlier, "elo1=10".parse().unwrap());
        assert!(!serde_json::to_string(&of_earlier).unwrap().contains("unit"));
    }
}
