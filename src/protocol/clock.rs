//! [`Clock`]: converts the manager's time limits into the deadlines of a move.

use std::time::{Duration, Instant};

use super::ReplayTime;
use super::settings::Info;
use super::time_limit::{MatchLeft, TurnLimit};
use crate::picker::Deadlines;

/// Default `timeout_turn` after the manager has set another limit: the value of Gomocup's leagues.
pub(super) const DEFAULT_TURN: Duration = Duration::from_secs(30);

/// Limit of a move if the manager sets no limit at all. A person waits five seconds for a first answer.
pub(crate) const UNNAMED_TURN: TurnLimit = TurnLimit::Within(Duration::from_secs(5));

/// Safety margin of a move's limit in per cent, for delays of pipes and the scheduler.
const TURN_MARGIN_PER_CENT: u32 = 3;

/// Minimum of this margin.
const MIN_TURN_MARGIN: Duration = Duration::from_millis(30);

/// Maximum of this margin. It is also at most half of the limit, so that a short limit leaves time for a search.
const MAX_TURN_MARGIN: Duration = Duration::from_millis(100);

/// Margin of limits below twice this time. If the limit is this time or less, the answer is immediate.
const SHORT_TURN_MARGIN: Duration = Duration::from_millis(5);

/// Reserve of the game's time that is never spent, because the manager may count time that the engine cannot measure.
const MATCH_RESERVE: Duration = Duration::from_millis(300);

/// Allowance for the part of the start that the process cannot measure, such as loading and page faults. Some managers
/// count it.
const START_ALLOWANCE: Duration = Duration::from_millis(50);

/// Maximum start time that counts. After a longer start the process was probably suspended while the manager's clock
/// was stopped.
const LONGEST_START: Duration = Duration::from_millis(500);

/// The time of a game: the manager's reports, and the time used by searches since the last report.
///
/// The clock runs only while a question runs, because a manager may suspend the process at other times.
#[derive(Clone, Debug)]
pub struct Clock {
    /// `None` until the manager sets it.
    turn: Option<TurnLimit>,
    /// The limit of a move until the manager sets any limit.
    unnamed: TurnLimit,
    /// Whether the manager has set a time, depth or node limit.
    is_limited: bool,
    total: MatchLeft,
    increment: Duration,
    reported: Option<Reported>,
    /// Time used by the moves of this game. Only used if the manager has not sent `time_left`.
    used: Duration,
    /// Sum of the increments of these moves.
    gained: Duration,
    /// Age of the process at the start of the session. `None` after the first move, which is charged for it.
    start: Option<Duration>,
    /// Fixed time of every move. Overrides the manager's limits.
    fixed: Option<Duration>,
}

/// A `time_left` report, and the time used and gained since its arrival.
#[derive(Clone, Copy, Debug)]
struct Reported {
    left: MatchLeft,
    at: Instant,
    used: Duration,
    gained: Duration,
    /// True until a move is answered after the report.
    is_fresh: bool,
}

impl Clock {
    /// The clock of a process with the age `start`. Moves have the limit `unnamed` until the manager sets a limit.
    pub fn new(start: Duration, unnamed: TurnLimit) -> Self {
        Self {
            turn: None,
            unnamed,
            is_limited: false,
            total: MatchLeft::Unlimited,
            increment: Duration::ZERO,
            reported: None,
            used: Duration::ZERO,
            gained: Duration::ZERO,
            start: Some(start.min(LONGEST_START)),
            fixed: None,
        }
    }

    /// The clock of a replay. If the lines set no limit, the clock sets none, and the player limits the move.
    pub(super) fn of_replay(start: Duration, time: ReplayTime) -> Self {
        let clock = Self::new(start, TurnLimit::Unlimited);
        match time {
            ReplayTime::OfLines(_) => clock,
            ReplayTime::Fixed(time) => Self { fixed: Some(time), ..clock },
        }
    }

    /// Applies a setting that arrived at `at`. Settings other than limits are ignored. A depth or node limit counts as
    /// a limit, like a time limit.
    pub fn take(&mut self, info: &Info, at: Instant) {
        match *info {
            Info::TimeoutTurn(limit) => self.turn = Some(limit),
            Info::TimeoutMatch(total) => self.total = total,
            Info::TimeLeft(left) => {
                let (used, gained) = (Duration::ZERO, Duration::ZERO);
                self.reported = Some(Reported { left, at, used, gained, is_fresh: true });
            }
            Info::TimeIncrement(increment) => {
                self.increment = increment;
                return;
            }
            Info::MaxDepth(_) | Info::MaxNode(_) => {}
            _ => return,
        }
        self.is_limited = true;
    }

    /// Whether the manager has set a limit.
    pub fn is_limited(&self) -> bool {
        self.is_limited
    }

    /// Starts a new game. A `time_left` that arrived after the last move stays valid, because Yixin-Board sends it
    /// before START.
    pub fn new_game(&mut self) {
        self.used = Duration::ZERO;
        self.gained = Duration::ZERO;
        self.reported = self.reported.filter(|reported| reported.is_fresh);
    }

    /// The deadlines of a question under the current limits, counted from `began`, when the question was read.
    pub fn deadlines(&self, began: Instant) -> Deadlines {
        if let Some(time) = self.fixed {
            return Deadlines::within(time);
        }
        let turn =
            match self.turn.unwrap_or(if self.is_limited { TurnLimit::Within(DEFAULT_TURN) } else { self.unnamed }) {
                TurnLimit::Instant => Some(Duration::ZERO),
                TurnLimit::Within(limit) => Some(limit.saturating_sub(turn_margin(limit))),
                TurnLimit::Unlimited => None,
            };
        let reported = self.reported.as_ref().filter(|_| self.total != MatchLeft::UnlimitedByYixin);
        let (left, since) = match reported {
            Some(reported) => {
                let left = reported.left.after(reported.gained, reported.used);
                (left, reported.at.saturating_duration_since(began))
            }
            None => (self.total.after(self.gained, self.used), Duration::ZERO),
        };
        let Deadlines { soft, hard } = match left {
            MatchLeft::Overdrawn => Deadlines::within(Duration::ZERO),
            MatchLeft::Left(left) => {
                let spendable = left.saturating_sub(MATCH_RESERVE);
                let Deadlines { soft, hard } = Deadlines::of_match(spendable, self.increment);
                // A report that came during the search counts from its arrival. Without time the answer is due at once.
                let from = if spendable.is_zero() { Duration::ZERO } else { since };
                let later = |time: Option<Duration>| time.map(|time| time.saturating_add(from));
                Deadlines { soft: later(soft), hard: later(hard) }
            }
            MatchLeft::Unlimited | MatchLeft::UnlimitedByYixin => Deadlines::NONE,
        };
        let start = self.start.map_or(Duration::ZERO, |start| start + START_ALLOWANCE);
        let before = |time: Option<Duration>| time.map(|time| time.saturating_sub(start));
        // With a clock of the game, time that a move saves helps later moves: its soft deadline applies, whatever the
        // limit of the move is. Without one, saved time is lost, and the whole limit of the move is used.
        Deadlines { soft: before(soft.or(turn)), hard: before(turn.into_iter().chain(hard).min()) }
    }

    /// Records the answer at `ended` to a question that was read at `began`.
    pub fn answered(&mut self, began: Instant, ended: Instant) {
        self.start = None;
        self.used = self.used.saturating_add(ended.saturating_duration_since(began));
        self.gained = self.gained.saturating_add(self.increment);
        if let Some(reported) = &mut self.reported {
            let since = ended.saturating_duration_since(began.max(reported.at));
            reported.used = reported.used.saturating_add(since);
            reported.gained = reported.gained.saturating_add(self.increment);
            reported.is_fresh = false;
        }
    }
}

fn turn_margin(limit: Duration) -> Duration {
    (limit * TURN_MARGIN_PER_CENT / 100).clamp(MIN_TURN_MARGIN, MAX_TURN_MARGIN).min(SHORT_TURN_MARGIN.max(limit / 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn micros(microseconds: u64) -> Duration {
        Duration::from_micros(microseconds)
    }

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// A clock after the first move.
    fn clock() -> Clock {
        let mut clock = Clock::new(Duration::ZERO, UNNAMED_TURN);
        let now = Instant::now();
        clock.answered(now, now);
        clock.new_game();
        clock
    }

    fn turn(milliseconds: i64) -> Deadlines {
        let mut clock = clock();
        clock.take(&Info::TimeoutTurn(TurnLimit::from_timeout_turn(milliseconds).unwrap()), Instant::now());
        clock.deadlines(Instant::now())
    }

    #[test]
    fn the_limit_of_a_move_keeps_a_margin_and_never_underflows() {
        for short in [0, 1, 5] {
            assert!(turn(short).is_instant(), "{short}");
        }
        assert_eq!(turn(8).hard, Some(ms(3)));
        assert_eq!(turn(20).hard, Some(ms(10)));
        assert_eq!(turn(60).hard, Some(ms(30)));
        assert_eq!(turn(100).hard, Some(ms(70)));
        assert_eq!(turn(1000).hard, Some(ms(970)));
        assert_eq!(turn(2000).hard, Some(ms(1940)));
        assert_eq!(turn(30_000).hard, Some(ms(29_900)));
        assert_eq!(turn(2_000_000).hard, None);
    }

    #[test]
    fn time_left_is_ignored_if_yixin_board_sets_no_limit() {
        let mut clock = clock();
        for (total, left, is_unlimited) in [(100_000_000, 99_990_000, true), (180_000, 170_000, false)] {
            clock.take(&Info::TimeoutTurn(TurnLimit::Unlimited), Instant::now());
            clock.take(&Info::TimeoutMatch(MatchLeft::from_timeout_match(total).unwrap()), Instant::now());
            clock.take(&Info::TimeLeft(MatchLeft::from_time_left(left)), Instant::now());
            assert_eq!(clock.deadlines(Instant::now()) == Deadlines::NONE, is_unlimited, "{total}");
        }
    }

    #[test]
    fn without_any_limit_a_move_has_five_seconds_and_thirty_beside_another_limit() {
        let hard = |clock: &Clock| clock.deadlines(Instant::now()).hard;
        assert_eq!(hard(&clock()), Some(ms(4_900)));
        let mut clock = clock();
        assert!(!clock.is_limited());
        clock.take(&Info::MaxDepth(None), Instant::now());
        assert!(clock.is_limited());
        assert_eq!(hard(&clock), Some(ms(29_900)));
        clock.take(&Info::TimeoutTurn(TurnLimit::Unlimited), Instant::now());
        assert_eq!(hard(&clock), None);
    }

    #[test]
    fn the_time_of_the_game_bounds_a_move_whatever_the_turn_allows() {
        let mut clock = clock();
        let now = Instant::now();
        for overdrawn in [0, -500, 1, 300] {
            clock.take(&Info::TimeLeft(MatchLeft::from_time_left(overdrawn)), now);
            assert!(clock.deadlines(now).is_instant(), "{overdrawn}");
        }
        clock.take(&Info::TimeLeft(MatchLeft::from_time_left(1000)), now);
        assert_eq!(clock.deadlines(now), Deadlines { soft: Some(micros(43_750)), hard: Some(ms(175)) });
        clock.take(&Info::TimeLeft(MatchLeft::Unlimited), now);
        assert_eq!(clock.deadlines(now).hard, Some(ms(29_900)));
    }

    #[test]
    fn a_move_saves_time_of_the_game_even_if_its_own_limit_is_shorter() {
        let mut clock = clock();
        let now = Instant::now();
        clock.take(&Info::TimeoutTurn(TurnLimit::Within(ms(5000))), now);
        assert_eq!(clock.deadlines(now), Deadlines::within(ms(4900)));
        clock.take(&Info::TimeLeft(MatchLeft::from_time_left(120_300)), now);
        assert_eq!(clock.deadlines(now), Deadlines { soft: Some(ms(7500)), hard: Some(ms(4900)) });
    }

    #[test]
    fn an_own_clock_counts_where_no_time_left_comes() {
        let mut clock = clock();
        let began = Instant::now();
        clock.take(&Info::TimeoutMatch(MatchLeft::from_timeout_match(10_300).unwrap()), Instant::now());
        assert_eq!(clock.deadlines(began).soft, Some(ms(625)));
        clock.answered(began, began + ms(5000));
        assert_eq!(clock.deadlines(began).soft, Some(micros(312_500)));
        clock.new_game();
        assert_eq!(clock.deadlines(began).soft, Some(ms(625)));
        clock.answered(began, began + ms(60_000));
        assert!(clock.deadlines(began).is_instant());
    }

    #[test]
    fn a_time_left_holds_until_a_move_and_is_then_counted_down() {
        let mut clock = clock();
        let began = Instant::now();
        clock.take(&Info::TimeLeft(MatchLeft::from_time_left(10_300)), began);
        clock.new_game();
        assert_eq!(clock.deadlines(began).soft, Some(ms(625)), "it came before START");
        clock.answered(began, began + ms(5000));
        assert_eq!(clock.deadlines(began).soft, Some(micros(312_500)));
        clock.new_game();
        assert_eq!(clock.deadlines(began).soft, Some(ms(29_900)), "no time was reported for the next game");
    }

    #[test]
    fn a_time_left_during_a_search_counts_from_its_arrival() {
        let mut clock = clock();
        let began = Instant::now();
        clock.take(&Info::TimeLeft(MatchLeft::from_time_left(1000)), began + ms(700));
        assert_eq!(clock.deadlines(began).soft, Some(micros(743_750)));
        clock.take(&Info::TimeLeft(MatchLeft::from_time_left(100)), began + ms(700));
        assert!(clock.deadlines(began).is_instant());
    }

    #[test]
    fn the_first_move_pays_for_the_start_of_the_process_but_not_for_a_suspension() {
        let mut clock = Clock::new(ms(20), UNNAMED_TURN);
        let began = Instant::now();
        clock.take(&Info::TimeoutTurn(TurnLimit::Within(ms(1000))), Instant::now());
        assert_eq!(clock.deadlines(began).hard, Some(ms(900)));
        clock.answered(began, began);
        assert_eq!(clock.deadlines(began).hard, Some(ms(970)));
        assert_eq!(Clock::new(ms(5000), UNNAMED_TURN).deadlines(began).hard, Some(ms(4_350)));
    }

    #[test]
    fn increments_are_counted() {
        let mut clock = clock();
        let began = Instant::now();
        clock.take(&Info::TimeIncrement(ms(100)), Instant::now());
        clock.take(&Info::TimeLeft(MatchLeft::from_time_left(1300)), began);
        assert_eq!(clock.deadlines(began).soft, Some(micros(162_500)));
        clock.answered(began, began + ms(100));
        assert_eq!(clock.deadlines(began).soft, Some(micros(162_500)));
    }
}
