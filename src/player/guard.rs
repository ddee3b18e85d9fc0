//! [`Guard`]: sees to the end of a picker that runs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::board::Point;
use crate::picker::{Deadlines, Limits, SearchControl};

/// The time that a picker has after a stop to hand in its answer; then it is left behind.
const STOP_GRACE: Duration = Duration::from_millis(60);

/// The time that a picker has after its hard deadline: half of the margin that a limit of 60 ms leaves. After a shorter
/// deadline it has half of that deadline.
const HARD_GRACE: Duration = Duration::from_millis(15);

/// The deadlines of a running picker, and the stop token by which it is told to end.
#[derive(Debug)]
pub(super) struct Guard {
    control: Arc<SearchControl>,
    /// When the question was read: the deadlines count from there.
    began: Instant,
    /// Whether a limit ends the search without the clock.
    has_limit: bool,
    /// When the picker is left behind.
    abandon_at: Option<Instant>,
}

impl Guard {
    pub(super) fn new(limits: &Limits, deadlines: Deadlines, now: Instant) -> Self {
        let control = Arc::clone(&limits.control);
        let has_limit = limits.depth.is_some() || limits.nodes.is_some();
        let mut guard = Self { began: control.epoch(), control, has_limit, abandon_at: None };
        guard.set_deadlines(deadlines, now);
        guard
    }

    /// Sets the deadlines, also while the picker runs.
    pub(super) fn set_deadlines(&mut self, deadlines: Deadlines, now: Instant) {
        self.control.set_deadlines(deadlines);
        if self.control.stopped() {
            // The stop has set the end already.
            return;
        }
        let Some(hard) = deadlines.hard else {
            self.abandon_at = None;
            return;
        };
        match self.began.checked_add(hard) {
            Some(due) if due <= now => self.stop(now),
            due => self.abandon_at = due.and_then(|due| due.checked_add(HARD_GRACE.min(hard / 2))),
        }
    }

    /// Asks for the answer now.
    pub(super) fn stop(&mut self, now: Instant) {
        self.control.stop();
        let latest = now.checked_add(STOP_GRACE);
        self.abandon_at = self.abandon_at.into_iter().chain(latest).min();
    }

    /// Whether the picker ends without being stopped.
    pub(super) fn is_bounded(&self) -> bool {
        self.has_limit || self.control.hard().is_some() || self.control.stopped()
    }

    /// The best point that the picker has reported.
    pub(super) fn best(&self) -> Option<Point> {
        self.control.best()
    }

    /// When the picker is left behind.
    pub(super) fn abandon_at(&self) -> Option<Instant> {
        self.abandon_at
    }

    /// Whether the picker is to be left behind now.
    pub(super) fn is_late(&self, now: Instant) -> bool {
        self.abandon_at.is_some_and(|at| at <= now)
    }
}

/// However a question ends, its picker is told to stop.
impl Drop for Guard {
    fn drop(&mut self) {
        self.control.stop();
    }
}
