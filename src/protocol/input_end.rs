//! [`InputEnd`]: the end of the input, and how long its last question may outlive it.

use std::time::{Duration, Instant};

/// The time from the end of the input to that of a question that has limits and is still read: scripts write their lines
/// at once and wait for a long search.
const GRACE: Duration = Duration::from_secs(3600);

/// Whether and when the input has ended.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InputEnd {
    at: Option<Instant>,
    is_stopped: bool,
}

impl InputEnd {
    /// The input ends now.
    pub(super) fn comes(&mut self, now: Instant) {
        self.at = Some(now);
    }

    /// Whether it has ended.
    pub(super) fn has_come(self) -> bool {
        self.at.is_some()
    }

    /// When the last question is stopped; `None` before the end and once it is.
    pub(super) fn stop_at(self) -> Option<Instant> {
        self.at.filter(|_| !self.is_stopped)?.checked_add(GRACE)
    }

    /// The last question is stopped.
    pub(super) fn stopped(&mut self) {
        self.is_stopped = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_question_of_an_input_is_bounded_and_stopped_once() {
        let (mut end, now) = (InputEnd::default(), Instant::now());
        assert_eq!((end.has_come(), end.stop_at()), (false, None));
        end.comes(now);
        assert_eq!((end.has_come(), end.stop_at()), (true, Some(now + GRACE)));
        end.stopped();
        assert_eq!((end.has_come(), end.stop_at()), (true, None));
    }
}
