//! [`InputEnd`]: the end of the input, and the time that the last question may outlive it.

use std::time::{Duration, Instant};

/// Maximum time that a limited question may run after the end of the input if its output still has a reader. Scripts
/// write all lines at once and then wait for a long search.
const GRACE: Duration = Duration::from_secs(3600);

/// The end of the input.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InputEnd {
    pub(super) has_come: bool,
    /// The time at which the last question is stopped. `None` before the end of the input and after the stop.
    pub(super) stop_at: Option<Instant>,
}

impl InputEnd {
    /// Records the end of the input.
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
