//! [`Guard`]: when a picker that runs must stop, and when it is abandoned.
//!
//! ```text
//! epoch ── soft ────────── hard ────── hard + 15 ms: abandoned
//!             stop ──────────────────► stop + 60 ms: abandoned, or earlier where the hard deadline says so
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::board::Point;
use crate::picker::{Deadlines, Limits, SearchControl};

/// The time from a stop to the picker's answer; after it the picker is abandoned. The search looks at the clock every
/// few milliseconds; the rest is for a busy machine.
pub(super) const STOP_GRACE: Duration = Duration::from_millis(60);

/// The time from the hard deadline to the picker's answer: half of the margin that the clock leaves of a limit of 60 ms.
/// After a deadline shorter than twice this time it is half of the deadline.
pub(super) const HARD_GRACE: Duration = Duration::from_millis(15);

/// The deadlines of a running picker, and its stop token.
#[derive(Debug)]
pub(crate) struct Guard {
    control: Arc<SearchControl>,
    /// Whether depth or nodes end the search.
    has_work_limit: bool,
    /// When the picker is abandoned.
    abandon_at: Option<Instant>,
}

impl Guard {
    pub(crate) fn new(limits: &Limits, deadlines: Deadlines, now: Instant) -> Self {
        let control = Arc::clone(&limits.control);
        let mut guard = Self { control, has_work_limit: limits.has_work_limit(), abandon_at: None };
        guard.set_deadlines(deadlines, now);
        guard
    }

    /// Sets the deadlines, also while the picker runs. A hard deadline that has passed is a stop. After a stop only the
    /// control is changed, so that later deadlines do not prolong the search.
    pub(crate) fn set_deadlines(&mut self, deadlines: Deadlines, now: Instant) {
        self.control.set_deadlines(deadlines);
        if self.control.stopped() {
            return;
        }
        let Some(hard) = deadlines.hard else {
            self.abandon_at = None;
            return;
        };
        match self.control.epoch().checked_add(hard) {
            Some(due) if due <= now => self.stop(now),
            due => self.abandon_at = due.and_then(|due| due.checked_add(HARD_GRACE.min(hard / 2))),
        }
    }

    /// Stops the picker. A second stop does not prolong the grace of the first.
    pub(crate) fn stop(&mut self, now: Instant) {
        self.control.stop();
        let latest = now.checked_add(STOP_GRACE);
        self.abandon_at = self.abandon_at.into_iter().chain(latest).min();
    }

    /// Whether the picker ends without a stop, or has been stopped.
    pub(crate) fn is_bounded(&self) -> bool {
        self.has_work_limit || self.control.hard().is_some() || self.control.stopped()
    }

    /// The best point that the picker has reported.
    pub(crate) fn best(&self) -> Option<Point> {
        self.control.best()
    }

    /// When the picker is abandoned; `None` is never.
    pub(crate) fn abandon_at(&self) -> Option<Instant> {
        self.abandon_at
    }

    /// Whether the picker is to be abandoned now.
    pub(crate) fn is_late(&self, now: Instant) -> bool {
        self.abandon_at.is_some_and(|at| at <= now)
    }
}

/// Stops the picker, whatever ends its question: an abandoned one must not go on searching.
impl Drop for Guard {
    fn drop(&mut self) {
        self.control.stop();
    }
}
