//! [`Generations`]: the progress of the generations of networks, and the next step.
//!
//! ```text
//! best network ─► games ─► training on the last generations' games ─► match against the best ─► taken, or not ─┐
//!      ▲                                                                                                       │
//!      └───────────────────────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! The log has a line for each step done. A killed run reads it and continues.

mod config;
mod contest;
mod folder;
mod progress;

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use super::Losses;

pub use config::{GenerationsConfig, MOST_GENERATIONS, StartName};

/// A step done: a line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepDone {
    /// The network of a generation is trained.
    Trained {
        /// The number of the generation, counted from one.
        generation: usize,
        /// The losses on held-out games; `None` if no game was held out.
        held_out: Option<Losses>,
    },
    /// The match of a generation is over.
    Tested {
        /// The number of the generation.
        generation: usize,
        /// Whether its network becomes the best.
        taken: bool,
    },
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Play the games of this generation and train its network.
    Train(usize),
    /// Play the match of this generation against the best network.
    Test(usize),
}

/// The progress of the generations.
///
/// ```
/// use tengen::tune::{Generations, NextStep};
///
/// let log = "{\"trained\":{\"generation\":1,\"held_out\":null}}\n{\"tested\":{\"generation\":1,\"taken\":true}}\n{\"tra";
/// let (generations, length) = Generations::read(log)?;
/// assert_eq!((generations.best(), generations.next()), (Some(1), NextStep::Train(2)));
/// assert_eq!(&log[length..], "{\"tra", "a line that a kill has cut");
/// # Ok::<(), tengen::tune::LogError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generations {
    /// The last trained and the last tested generation. 0 means none yet.
    trained: usize,
    tested: usize,
    best: Option<usize>,
}

impl Generations {
    /// Reads a log. Also returns the number of its bytes up to the last whole line, because a line that a kill has cut is not
    /// a step.
    ///
    /// # Errors
    /// When a line is not a step, or not a step that can come next.
    pub fn read(log: &str) -> Result<(Self, usize), LogError> {
        let length = log.rfind('\n').map_or(0, |end| end + 1);
        let mut generations = Self::default();
        for (line, text) in (1..).zip(log[..length].lines()) {
            let step = serde_json::from_str(text).map_err(|error| LogError::Syntax(line, error))?;
            generations = generations.after(step).ok_or(LogError::Missing(line))?;
        }
        Ok((generations, length))
    }

    /// The state after a step; `None` if the step cannot come next.
    #[must_use]
    pub fn after(self, step: StepDone) -> Option<Self> {
        match (step, self.next()) {
            (StepDone::Trained { generation, .. }, NextStep::Train(next)) if generation == next => {
                Some(Self { trained: generation, ..self })
            }
            (StepDone::Tested { generation, taken }, NextStep::Test(next)) if generation == next => {
                Some(Self { tested: generation, best: if taken { Some(generation) } else { self.best }, ..self })
            }
            _ => None,
        }
    }

    /// The next step.
    pub const fn next(self) -> NextStep {
        if self.tested < self.trained { NextStep::Test(self.trained) } else { NextStep::Train(self.trained + 1) }
    }

    /// Number of generations done.
    pub const fn done(self) -> usize {
        self.tested
    }

    /// The generation of the best network; `None` if it is the first one.
    pub const fn best(self) -> Option<usize> {
        self.best
    }

    /// The generations whose games a network is trained on: the last `window` ones.
    pub fn window(generation: usize, window: usize) -> RangeInclusive<usize> {
        (generation + 1).saturating_sub(window).max(1)..=generation
    }
}

/// Error returned when a log cannot be read. Lines are counted from 1.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The line is not a step.
    #[error("line {0}: {1}")]
    Syntax(usize, serde_json::Error),
    /// The step of this line cannot come next.
    #[error("line {0}: a step is missing")]
    Missing(usize),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_is_trained_then_tested() {
        let start = Generations::default();
        assert_eq!(start.next(), NextStep::Train(1));
        assert_eq!(start.after(StepDone::Tested { generation: 1, taken: true }), None);
        assert_eq!(start.after(StepDone::Trained { generation: 2, held_out: None }), None);
        let trained = start.after(StepDone::Trained { generation: 1, held_out: None }).unwrap();
        assert_eq!((trained.next(), trained.done()), (NextStep::Test(1), 0));
        let lost = trained.after(StepDone::Tested { generation: 1, taken: false }).unwrap();
        assert_eq!((lost.best(), lost.done(), lost.next()), (None, 1, NextStep::Train(2)));
    }

    #[test]
    fn a_log_with_a_missing_step_or_another_text_is_refused_by_its_line() {
        let trained = "{\"trained\":{\"generation\":1,\"held_out\":[0.5,2.0]}}\n";
        for (log, error) in
            [(format!("{trained}{trained}"), "line 2: a step is missing"), ("x\n".into(), "line 1: expected")]
        {
            let found = Generations::read(&log).unwrap_err().to_string();
            assert!(found.starts_with(error), "{found}");
        }
    }

    #[test]
    fn a_window_holds_the_last_generations() {
        assert_eq!([Generations::window(1, 3), Generations::window(5, 3)], [1..=1, 3..=5]);
    }
}
