//! [`Guard`]: stops a running picker, and abandons a late one.
//!
//! ```text
//! epoch ── soft ────────── hard ────── hard + 15 ms: abandoned
//!             stop ──────────────────► stop + 60 ms: abandoned, or earlier by the hard deadline
//! ```

use std::sync::Arc;
use std::time::Duration;

use crate::board::Point;
use crate::picker::{Deadlines, Limits, SearchControl};
use crate::platform::Instant;

/// Time from a stop until the picker is abandoned. A search checks the clock every few milliseconds. The rest allows
/// for a busy machine.
pub(super) const STOP_GRACE: Duration = Duration::from_millis(60);

/// Time from the hard deadline until the picker is abandoned, at most half of the deadline. It is half of the margin
/// that the clock keeps at a limit of 60 ms.
pub(super) const HARD_GRACE: Duration = Duration::from_millis(15);

/// The deadlines of a running picker, and its stop token.
#[derive(Debug)]
pub(crate) struct Guard {
    control: Arc<SearchControl>,
    /// Whether a depth or node limit ends the search.
    has_work_limit: bool,
    /// The time at which the picker is abandoned.
    abandon_at: Option<Instant>,
}

impl Guard {
    pub(crate) fn new(limits: &Limits, deadlines: Deadlines, now: Instant) -> Self {
        let control = Arc::clone(&limits.control);
        let mut guard = Self { control, has_work_limit: limits.has_work_limit(), abandon_at: None };
        guard.set_deadlines(deadlines, now);
        guard
    }

    /// Sets the deadlines. They also apply to a running picker. A hard deadline in the past is a stop. New deadlines
    /// after a stop do not prolong the search.
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

    /// Stops the picker. A second stop does not prolong the first one's grace.
    pub(crate) fn stop(&mut self, now: Instant) {
        self.control.stop();
        let latest = now.checked_add(STOP_GRACE);
        self.abandon_at = self.abandon_at.into_iter().chain(latest).min();
    }

    /// Whether the picker ends without a further stop.
    pub(crate) fn is_bounded(&self) -> bool {
        self.has_work_limit || self.control.hard().is_some() || self.control.stopped()
    }

    /// The best point that the picker has reported.
    pub(crate) fn best(&self) -> Option<Point> {
        self.control.best()
    }

    /// The time at which the picker is abandoned. `None` means never.
    pub(crate) fn abandon_at(&self) -> Option<Instant> {
        self.abandon_at
    }

    /// Whether the picker must be abandoned now.
    pub(crate) fn is_late(&self, now: Instant) -> bool {
        self.abandon_at.is_some_and(|at| at <= now)
    }
}

/// Stops the picker at the end of its question, because an abandoned picker must not continue its search.
impl Drop for Guard {
    fn drop(&mut self) {
        self.control.stop();
    }
}
