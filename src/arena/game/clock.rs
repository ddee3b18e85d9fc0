//! [`EngineClock`]: the time of one engine in one game, as Gomocup keeps it.

use std::time::Duration;

use crate::arena::config::TimeControl;

/// The `time_left` that managers send when a game has no limit.
const NO_LIMIT: u64 = 2_147_483_647;

/// The time that an engine has left in a game.
#[derive(Clone, Debug)]
pub(super) struct EngineClock {
    control: TimeControl,
    /// The time left for the game; `None`: no limit. A `Guest` sets it before each question.
    pub(super) left: Option<Duration>,
}

impl EngineClock {
    /// The clock at the start of a game.
    pub(super) fn new(control: TimeControl) -> Self {
        Self { control, left: (control.game > 0).then(|| Duration::from_millis(control.game)) }
    }

    /// The value of `INFO time_left`.
    pub(super) fn time_left(&self) -> u64 {
        self.left.map_or(NO_LIMIT, |left| left.as_millis() as u64)
    }

    /// The time after which the next move is lost: the smaller of both limits, plus the tolerance.
    pub(super) fn patience(&self) -> Duration {
        let turn = Duration::from_millis(self.control.turn);
        self.left.map_or(turn, |left| turn.min(left)) + Duration::from_millis(self.control.tolerance)
    }

    /// Subtracts the time of a move from the time left for the game, and adds the increment.
    pub(super) fn spend(&mut self, elapsed: Duration) {
        let increment = Duration::from_millis(self.control.increment);
        self.left = self.left.map(|left| left.saturating_sub(elapsed) + increment);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_limit_holds_and_the_increment_comes_after_the_move() {
        let mut clock = EngineClock::new(TimeControl { turn: 500, game: 800, increment: 50, tolerance: 100 });
        assert_eq!((clock.time_left(), clock.patience()), (800, Duration::from_millis(600)));
        clock.spend(Duration::from_millis(450));
        assert_eq!((clock.time_left(), clock.patience()), (400, Duration::from_millis(500)));
        clock.spend(Duration::from_millis(499));
        assert_eq!((clock.time_left(), clock.patience()), (50, Duration::from_millis(150)));
    }

    #[test]
    fn without_a_limit_for_the_game_the_managers_number_is_sent() {
        let mut clock = EngineClock::new(TimeControl { turn: 0, game: 0, increment: 9, tolerance: 1000 });
        clock.spend(Duration::from_secs(5));
        assert_eq!((clock.time_left(), clock.patience()), (2_147_483_647, Duration::from_secs(1)));
    }
}
