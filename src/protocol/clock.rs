//! [`Clock`]: from the limits that a manager sends to the deadlines of a move.

use std::time::{Duration, Instant};

use crate::picker::Deadlines;

/// The number by which Piskvork and c-gomoku-cli say "unlimited".
const UNLIMITED: i64 = i32::MAX as i64;

/// Yixin-Board's unlimited `timeout_turn`.
const YIXIN_UNLIMITED_TURN: i64 = 2_000_000;

/// Yixin-Board's unlimited `timeout_match`.
const YIXIN_UNLIMITED_MATCH: i64 = 100_000_000;

/// The limit of a move where none was sent: that of Gomocup's leagues.
const DEFAULT_TURN: TurnLimit = TurnLimit::Within(Duration::from_secs(30));

/// A move is answered this part of its limit before it runs out, for the way through pipes and schedulers …
const TURN_MARGIN_PER_CENT: u32 = 3;

/// … but at least so much before,
const MIN_TURN_MARGIN: Duration = Duration::from_millis(30);

/// … and at most so much. Of a short limit half is enough, so that there is something to think with, …
const MAX_TURN_MARGIN: Duration = Duration::from_millis(100);

/// … but no less than this: a shorter limit is answered at once.
const SHORT_TURN_MARGIN: Duration = Duration::from_millis(5);

/// What a plan leaves of the time of a game: a manager may count up to this much that we do not see.
const MATCH_RESERVE: Duration = Duration::from_millis(300);

/// Managers that count the start of the process count more of it than we see ourselves: loading, page faults.
const START_ALLOWANCE: Duration = Duration::from_millis(50);

/// A start that took longer did not: the process was suspended meanwhile, and the manager's clock with it.
const LONGEST_START: Duration = Duration::from_millis(500);

/// A move may plan with this part of the time of a game: a long game has some thirty moves a side that need thought.
const MATCH_SHARE: u32 = 25;

/// A move that needs it may take this many shares.
const SHARES_AT_MOST: u32 = 4;

/// The limit of one move, `timeout_turn`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnLimit {
    /// 0: as fast as possible, without search.
    Instant,
    /// So much.
    Within(Duration),
    /// None.
    Unlimited,
}

impl TurnLimit {
    /// Decodes `INFO timeout_turn`, in milliseconds; `None` for a negative number, which means nothing.
    pub fn from_timeout_turn(milliseconds: i64) -> Option<Self> {
        match milliseconds {
            0 => Some(Self::Instant),
            YIXIN_UNLIMITED_TURN | UNLIMITED.. => Some(Self::Unlimited),
            _ => Some(Self::Within(Duration::from_millis(u64::try_from(milliseconds).ok()?))),
        }
    }
}

/// What is left for the moves of a game, `time_left` or `timeout_match`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchLeft {
    /// Nothing, or less: a move must come at once.
    Overdrawn,
    /// So much.
    Left(Duration),
    /// No limit.
    Unlimited,
}

impl MatchLeft {
    /// Decodes `INFO timeout_match`, in milliseconds: 0 is no limit, a negative number means nothing.
    pub fn from_timeout_match(milliseconds: i64) -> Option<Self> {
        match milliseconds {
            ..0 => None,
            0 | YIXIN_UNLIMITED_MATCH => Some(Self::Unlimited),
            _ => Some(Self::from_time_left(milliseconds)),
        }
    }

    /// Decodes `INFO time_left`, in milliseconds: 0 and less are overdrawn.
    pub fn from_time_left(milliseconds: i64) -> Self {
        match u64::try_from(milliseconds) {
            _ if milliseconds >= UNLIMITED => Self::Unlimited,
            Ok(left) if left > 0 => Self::Left(Duration::from_millis(left)),
            _ => Self::Overdrawn,
        }
    }

    /// What is left once some time was gained and some was used.
    fn after(self, gained: Duration, used: Duration) -> Self {
        match self {
            Self::Left(left) => match left.saturating_add(gained).saturating_sub(used) {
                Duration::ZERO => Self::Overdrawn,
                left => Self::Left(left),
            },
            Self::Overdrawn | Self::Unlimited => self,
        }
    }
}

/// The time of a game as the manager tells it and as it passes.
///
/// Nothing runs while no think runs: a manager may suspend the process then.
#[derive(Clone, Debug)]
pub struct Clock {
    turn: TurnLimit,
    total: MatchLeft,
    increment: Duration,
    reported: Option<Reported>,
    /// Of the own clock: thinks of this game, and the increments of its moves.
    used: Duration,
    gained: Duration,
    /// The age of the process at its first command, until the first think has paid for it.
    start: Option<Duration>,
}

/// A `time_left`, and what happened since it came.
#[derive(Clone, Copy, Debug)]
struct Reported {
    left: MatchLeft,
    at: Instant,
    used: Duration,
    gained: Duration,
    /// Whether no think has ended since.
    is_fresh: bool,
}

impl Clock {
    /// The clock of a process that began to listen so long after its start.
    pub fn new(start: Duration) -> Self {
        Self {
            turn: DEFAULT_TURN,
            total: MatchLeft::Unlimited,
            increment: Duration::ZERO,
            reported: None,
            used: Duration::ZERO,
            gained: Duration::ZERO,
            start: Some(start.min(LONGEST_START)),
        }
    }

    /// `INFO timeout_turn`.
    pub fn set_turn(&mut self, limit: TurnLimit) {
        self.turn = limit;
    }

    /// `INFO timeout_match`.
    pub fn set_total(&mut self, total: MatchLeft) {
        self.total = total;
    }

    /// `INFO time_increment`.
    pub fn set_increment(&mut self, increment: Duration) {
        self.increment = increment;
    }

    /// `INFO time_left`, true at the moment when it came.
    pub fn report(&mut self, left: MatchLeft, at: Instant) {
        let (used, gained) = (Duration::ZERO, Duration::ZERO);
        self.reported = Some(Reported { left, at, used, gained, is_fresh: true });
    }

    /// A new game begins. A `time_left` that came after the last move is its first: Yixin-Board sends it before START.
    pub fn new_game(&mut self) {
        self.used = Duration::ZERO;
        self.gained = Duration::ZERO;
        self.reported = self.reported.filter(|reported| reported.is_fresh);
    }

    /// The deadlines of a think that began then, as things stand now.
    pub fn deadlines(&self, began: Instant) -> Deadlines {
        let turn = match self.turn {
            TurnLimit::Instant => Some(Duration::ZERO),
            TurnLimit::Within(limit) => Some(limit.saturating_sub(turn_margin(limit))),
            TurnLimit::Unlimited => None,
        };
        let (left, since) = match &self.reported {
            Some(reported) => {
                let left = reported.left.after(reported.gained, reported.used);
                (left, reported.at.saturating_duration_since(began))
            }
            None => (self.total.after(self.gained, self.used), Duration::ZERO),
        };
        let (share, most) = match left {
            MatchLeft::Overdrawn => (Some(Duration::ZERO), Some(Duration::ZERO)),
            MatchLeft::Left(left) => {
                let spendable = left.saturating_sub(MATCH_RESERVE);
                let share = (spendable / MATCH_SHARE).saturating_add(self.increment).min(spendable);
                let most = share.saturating_mul(SHARES_AT_MOST).min(spendable);
                // Counted from the report where it came during the think; without time the answer is due at once.
                let from = if spendable.is_zero() { Duration::ZERO } else { since };
                (Some(share.saturating_add(from)), Some(most.saturating_add(from)))
            }
            MatchLeft::Unlimited => (None, None),
        };
        let start = self.start.map_or(Duration::ZERO, |start| start + START_ALLOWANCE);
        let earlier = |one: Option<Duration>, other: Option<Duration>| {
            one.into_iter().chain(other).min().map(|time| time.saturating_sub(start))
        };
        Deadlines { soft: earlier(turn, share), hard: earlier(turn, most) }
    }

    /// A think has ended with a move.
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

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// A clock whose start is paid for.
    fn clock() -> Clock {
        let mut clock = Clock::new(Duration::ZERO);
        let now = Instant::now();
        clock.answered(now, now);
        clock.new_game();
        clock
    }

    fn turn(milliseconds: i64) -> Deadlines {
        let mut clock = clock();
        clock.set_turn(TurnLimit::from_timeout_turn(milliseconds).unwrap());
        clock.deadlines(Instant::now())
    }

    #[test]
    fn numbers_that_mean_something_else_are_decoded() {
        assert_eq!(TurnLimit::from_timeout_turn(-5), None);
        assert_eq!(TurnLimit::from_timeout_turn(0), Some(TurnLimit::Instant));
        assert_eq!(TurnLimit::from_timeout_turn(1), Some(TurnLimit::Within(ms(1))));
        for unlimited in [2_000_000, 2_147_483_647, i64::MAX] {
            assert_eq!(TurnLimit::from_timeout_turn(unlimited), Some(TurnLimit::Unlimited));
        }
        assert_eq!(MatchLeft::from_timeout_match(-1), None);
        assert_eq!(MatchLeft::from_timeout_match(0), Some(MatchLeft::Unlimited));
        assert_eq!(MatchLeft::from_timeout_match(2_147_483_647), Some(MatchLeft::Unlimited));
        for overdrawn in [0, -500, i64::MIN] {
            assert_eq!(MatchLeft::from_time_left(overdrawn), MatchLeft::Overdrawn);
        }
        assert_eq!(MatchLeft::from_time_left(2_147_483_647), MatchLeft::Unlimited);
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
    fn nothing_sent_is_thirty_seconds() {
        assert_eq!(clock().deadlines(Instant::now()).hard, Some(ms(29_900)));
    }

    #[test]
    fn the_time_of_the_game_bounds_a_move_whatever_the_turn_allows() {
        let mut clock = clock();
        let now = Instant::now();
        for overdrawn in [0, -500, 1, 300] {
            clock.report(MatchLeft::from_time_left(overdrawn), now);
            assert!(clock.deadlines(now).is_instant(), "{overdrawn}");
        }
        clock.report(MatchLeft::from_time_left(1000), now);
        assert_eq!(clock.deadlines(now), Deadlines { soft: Some(ms(28)), hard: Some(ms(112)) });
        clock.report(MatchLeft::Unlimited, now);
        assert_eq!(clock.deadlines(now).hard, Some(ms(29_900)));
    }

    #[test]
    fn an_own_clock_runs_where_no_time_left_comes() {
        let mut clock = clock();
        let began = Instant::now();
        clock.set_total(MatchLeft::from_timeout_match(10_300).unwrap());
        assert_eq!(clock.deadlines(began).soft, Some(ms(400)));
        clock.answered(began, began + ms(5000));
        assert_eq!(clock.deadlines(began).soft, Some(ms(200)));
        clock.new_game();
        assert_eq!(clock.deadlines(began).soft, Some(ms(400)));
        clock.answered(began, began + ms(60_000));
        assert!(clock.deadlines(began).is_instant());
    }

    #[test]
    fn a_time_left_holds_until_a_move_and_is_then_counted_down() {
        let mut clock = clock();
        let began = Instant::now();
        clock.report(MatchLeft::from_time_left(10_300), began);
        clock.new_game();
        assert_eq!(clock.deadlines(began).soft, Some(ms(400)), "it came before START");
        clock.answered(began, began + ms(5000));
        assert_eq!(clock.deadlines(began).soft, Some(ms(200)));
        clock.new_game();
        assert_eq!(clock.deadlines(began).soft, Some(ms(29_900)), "the next game has told nothing yet");
    }

    #[test]
    fn a_time_left_in_the_middle_of_a_think_counts_from_there() {
        let mut clock = clock();
        let began = Instant::now();
        clock.report(MatchLeft::from_time_left(1000), began + ms(700));
        assert_eq!(clock.deadlines(began).soft, Some(ms(728)));
        clock.report(MatchLeft::from_time_left(100), began + ms(700));
        assert!(clock.deadlines(began).is_instant());
    }

    #[test]
    fn the_first_move_pays_for_the_start_of_the_process_but_not_for_a_suspension() {
        let mut clock = Clock::new(ms(20));
        let began = Instant::now();
        clock.set_turn(TurnLimit::Within(ms(1000)));
        assert_eq!(clock.deadlines(began).hard, Some(ms(900)));
        clock.answered(began, began);
        assert_eq!(clock.deadlines(began).hard, Some(ms(970)));
        assert_eq!(Clock::new(ms(5000)).deadlines(began).hard, Some(ms(29_350)));
    }

    #[test]
    fn increments_are_counted() {
        let mut clock = clock();
        let began = Instant::now();
        clock.set_increment(ms(100));
        clock.report(MatchLeft::from_time_left(1300), began);
        assert_eq!(clock.deadlines(began).soft, Some(ms(140)));
        clock.answered(began, began + ms(100));
        assert_eq!(clock.deadlines(began).soft, Some(ms(140)));
    }
}
