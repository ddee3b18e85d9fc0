//! [`Generations`]: how far the generations of networks have come, and which step is next.
//!
//! ```text
//! best network ─► games ─► training on the last generations' games ─► match against the best ─► taken, or not ─┐
//!      ▲                                                                                                       │
//!      └───────────────────────────────────────────────────────────────────────────────────────────────────────┘
//! ```
//!
//! Each step that is done is a line of a log. A run that was killed reads it and goes on.

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// A step that is done: a line of the log.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// The network of a generation is trained.
    Trained {
        /// The number of the generation, counted from one.
        generation: usize,
        /// The losses on held-out games, of the chance to win and of the moves; `None` where no game was held out.
        held_out: Option<[f32; 2]>,
    },
    /// The match of a generation is over.
    Tested {
        /// The number of the generation.
        generation: usize,
        /// Whether its network is the best from now on.
        taken: bool,
    },
}

/// The step that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// To play the games of this generation and to train its network.
    Train(usize),
    /// To play the match of this generation against the best network.
    Test(usize),
}

/// How far the generations have come.
///
/// ```
/// use tengen::tune::{Generations, NextStep};
///
/// let log = "{\"trained\":{\"generation\":1,\"held_out\":null}}\n{\"tested\":{\"generation\":1,\"taken\":true}}\n{\"tra";
/// let (generations, length) = Generations::read(log)?;
/// assert_eq!((generations.best(), generations.next()), (Some(1), NextStep::Train(2)));
/// assert_eq!(&log[length..], "{\"tra", "the line that a kill has cut");
/// # Ok::<(), tengen::tune::LogError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Generations {
    /// The last generation whose network is trained, and the last that is tested; 0 for none.
    trained: usize,
    tested: usize,
    best: Option<usize>,
}

impl Generations {
    /// Reads a log; also the number of its bytes up to the last whole line, since a line that a kill has cut is not a step.
    ///
    /// # Errors
    /// When a line is not a step, or not one that can come next.
    pub fn read(log: &str) -> Result<(Self, usize), LogError> {
        let length = log.rfind('\n').map_or(0, |end| end + 1);
        let steps = log[..length].lines().enumerate();
        let generations =
            steps.map(|(line, text)| (line + 1, text)).try_fold(Self::default(), |so_far, (line, text)| {
                let step = serde_json::from_str(text).map_err(|error| LogError { line, error: Some(error) })?;
                so_far.after(step).ok_or(LogError { line, error: None })
            })?;
        Ok((generations, length))
    }

    /// The state after a step; `None` where it cannot come here.
    #[must_use]
    pub fn after(self, step: Step) -> Option<Self> {
        match (step, self.next()) {
            (Step::Trained { generation, .. }, NextStep::Train(next)) if generation == next => {
                Some(Self { trained: generation, ..self })
            }
            (Step::Tested { generation, taken }, NextStep::Test(next)) if generation == next => {
                Some(Self { tested: generation, best: if taken { Some(generation) } else { self.best }, ..self })
            }
            _ => None,
        }
    }

    /// The step that is due.
    pub const fn next(self) -> NextStep {
        if self.tested < self.trained { NextStep::Test(self.trained) } else { NextStep::Train(self.trained + 1) }
    }

    /// The generations that are done.
    pub const fn done(self) -> usize {
        self.tested
    }

    /// The generation whose network was taken last; `None` where the built-in one is the best.
    pub const fn best(self) -> Option<usize> {
        self.best
    }

    /// The generations whose games a network is trained on: the last ones, `window` of them.
    pub fn window(generation: usize, window: usize) -> RangeInclusive<usize> {
        (generation + 1).saturating_sub(window).max(1)..=generation
    }
}

/// A line of a log that cannot be read.
#[derive(Debug)]
pub struct LogError {
    line: usize,
    /// `None` where the line is a step that cannot come there.
    error: Option<serde_json::Error>,
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            Some(error) => write!(f, "line {}: {error}", self.line),
            None => write!(f, "line {}: a step is missing", self.line),
        }
    }
}

impl std::error::Error for LogError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_is_trained_then_tested() {
        let start = Generations::default();
        assert_eq!(start.next(), NextStep::Train(1));
        assert_eq!(start.after(Step::Tested { generation: 1, taken: true }), None);
        assert_eq!(start.after(Step::Trained { generation: 2, held_out: None }), None);
        let trained = start.after(Step::Trained { generation: 1, held_out: None }).unwrap();
        assert_eq!((trained.next(), trained.done()), (NextStep::Test(1), 0));
        let lost = trained.after(Step::Tested { generation: 1, taken: false }).unwrap();
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
