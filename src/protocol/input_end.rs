//! [`InputEnd`]: the end of the input, and how long its last question may outlive it.

use std::time::{Duration, Instant};

/// The time from the end of the input to that of a question that has limits and is still read: scripts write their lines
/// at once and wait for a long search.
const GRACE: Duration = Duration::from_secs(3600);

/// The end of the input.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InputEnd {
    pub(super) has_come: bool,
    /// When the last question is stopped; `None` before the end and once it is.
    pub(super) stop_at: Option<Instant>,
}

impl InputEnd {
    /// The input ends now.
    pub(super) fn comes(&mut self, now: Instant) {
        *self = Self { has_come: true, stop_at: now.checked_add(GRACE) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_question_of_an_input_is_bounded_and_stopped_once() {
        let (mut end, now) = (InputEnd::default(), Instant::now());
        assert_eq!((end.has_come, end.stop_at), (false, None));
        end.comes(now);
        assert_eq!((end.has_come, end.stop_at), (true, Some(now + GRACE)));
        end.stop_at = None;
        assert_eq!((end.has_come, end.stop_at), (true, None));
    }
}
