//! Time management: [`Deadlines`], and the share of the clock of each part of a search.
//!
//! ```text
//! time of a move     soft = hard: all of it is used
//! time of a game     soft = left / 16 + increment, at most left / 4; hard = 4 · soft; no iteration begins after a share
//!                    of soft
//! ```
//!
//! The protocol's clock knows margins and what the manager has sent; it divides no time itself.

use std::time::Duration;

use super::SearchControl;
use crate::board::Point;
use crate::score::Score;

/// A move gets the time of the game divided by this number as its soft deadline. Set by hand.
const MATCH_PARTS: u32 = 16;

/// The hard deadline divided by the soft one, in a game with a clock. Set by hand.
const HARD_PER_SOFT: u32 = 4;

/// Share of the soft deadline, in per cent, after which no iteration begins, by the number of iterations since the best
/// move changed. It is low because an iteration may take as long as all before it. Set by hand.
const STABLE_PER_CENT: [u32; 6] = [130, 100, 85, 70, 60, 50];

/// Share of the soft deadline, in per cent, after which a search with one move to choose begins no iteration, and a tree
/// search ends. What they do until then fills the table or the tree for the next move. Set by hand.
pub(super) const ONLY_MOVE_PER_CENT: u32 = 10;

/// Share of the soft deadline that a tree search uses, in per cent, if its best move is still that of its last report.
/// Otherwise it uses all. Set by hand.
pub(super) const STEADY_TREE_PER_CENT: u32 = 60;

/// The share is multiplied by 1 + `FALL_WEIGHT` · the fall of the chance to win, which is 0 to 1. Set by hand.
const FALL_WEIGHT: f32 = 4.0;

/// The least and the greatest such factor. Set by hand.
const FALL_FACTOR: (f32, f32) = (0.8, 1.8);

/// The proof of a win by continuous threats at the root takes at most one part in this number of the time and of the
/// nodes, and no longer than [`LONGEST_PART`]. Set by hand.
pub(super) const VCT_PARTS: u32 = 25;

/// Moving the tree of the last move to its new root takes at most one part in this number of the time, and no longer
/// than [`LONGEST_PART`]. Set by hand.
pub(super) const REROOT_PARTS: u32 = 10;

/// Maximum time of such a part. The search sends its first report after the part, and a person who has allowed an hour
/// for the move waits for that report. Set by hand.
const LONGEST_PART: Duration = Duration::from_secs(1);

/// Share of the time for choosing a color, in per cent; the rest is for two more stones. Set by hand.
pub(super) const COLOR_PER_CENT: u32 = 60;

/// A question waits for the pondering search to return its tables for at most one part in this number of its hard
/// deadline. Set by hand.
const PONDER_PARTS: u32 = 4;

/// The longest such wait, also without a deadline. Set by hand.
const MAX_PONDER_GRACE: Duration = Duration::from_millis(60);

/// The deadlines of a search, counted from when its question was read. `None` means no deadline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadlines {
    /// Soft: the time that the search aims at. No iteration begins after it; in a game with a clock, none begins after
    /// a share of it, which may exceed 100 %. It may be later than the hard deadline.
    pub soft: Option<Duration>,
    /// Hard: the search ends.
    pub hard: Option<Duration>,
}

impl Deadlines {
    /// No deadline.
    pub const NONE: Self = Self { soft: None, hard: None };

    /// All of this time, and no more.
    pub const fn within(time: Duration) -> Self {
        Self { soft: Some(time), hard: Some(time) }
    }

    /// The deadlines of one move of a game with this much time left. All of it may be spent by an unstable search. Other
    /// searches leave enough for a clock with less time than its increment to recover.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tengen::picker::Deadlines;
    ///
    /// let seconds = Duration::from_secs;
    /// let deadlines = Deadlines::of_match(seconds(80), seconds(1));
    /// assert_eq!(deadlines, Deadlines { soft: Some(seconds(6)), hard: Some(seconds(24)) });
    /// ```
    pub fn of_match(left: Duration, increment: Duration) -> Self {
        let soft = (left / MATCH_PARTS).saturating_add(increment).min(left / HARD_PER_SOFT);
        Self { soft: Some(soft), hard: Some(soft * HARD_PER_SOFT) }
    }

    /// How long a question with these deadlines waits for the pondering search to return its tables.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tengen::picker::Deadlines;
    ///
    /// let milliseconds = Duration::from_millis;
    /// assert_eq!(Deadlines::within(milliseconds(100)).ponder_grace(), milliseconds(25));
    /// assert_eq!(Deadlines::NONE.ponder_grace(), milliseconds(60));
    /// ```
    pub fn ponder_grace(&self) -> Duration {
        self.hard.map_or(MAX_PONDER_GRACE, |hard| MAX_PONDER_GRACE.min(hard / PONDER_PARTS))
    }

    /// Whether the search must answer at once.
    pub fn is_instant(&self) -> bool {
        self.hard == Some(Duration::ZERO)
    }
}

/// How much the iterations of a search agree. A search whose best move stays the same ends early; one whose score falls
/// goes on.
#[derive(Debug, Default)]
pub(super) struct Stability {
    best: Option<Point>,
    /// Iterations since the best move changed.
    kept: usize,
    /// Chance to win, 0 to 1: the mean of the iterations, in which the last one weighs as much as all others together.
    mean: Option<f32>,
    /// How far the chance of the last iteration is below the mean of those before it.
    fall: f32,
}

impl Stability {
    /// Adds the result of an iteration.
    pub(super) fn add(&mut self, best: Option<Point>, score: Score) {
        self.kept = if best == self.best { self.kept + 1 } else { 0 };
        self.best = best;
        let chance = score.win_chance();
        let mean = self.mean.unwrap_or(chance);
        (self.mean, self.fall) = (Some((mean + chance) / 2.0), mean - chance);
    }

    /// The share of the soft deadline that the search should use, in per cent.
    pub(super) fn per_cent(&self) -> u32 {
        let (least, greatest) = FALL_FACTOR;
        let factor = (1.0 + FALL_WEIGHT * self.fall).clamp(least, greatest);
        (STABLE_PER_CENT[self.kept.min(STABLE_PER_CENT.len() - 1)] as f32 * factor) as u32
    }
}

impl SearchControl {
    /// Whether the search should begin no further iteration, if it may use this share of the soft deadline. The share
    /// applies only in a game with a clock: otherwise time that a move saves is lost, so the whole soft deadline is
    /// used. A part of a search uses no more than its soft deadline, because the rest of the search needs the time.
    /// Reads the clock.
    pub(super) fn is_spent(&self, per_cent: u32) -> bool {
        let Some(soft) = self.soft() else { return false };
        let is_of_game = self.hard() != Some(soft);
        let per_cent = if self.is_part() { per_cent.min(100) } else { per_cent };
        self.elapsed() >= if is_of_game { share(soft, per_cent) } else { soft }
    }

    /// Whether half of the earlier deadline has passed. Another iteration would probably not finish in time. Reads the
    /// clock.
    pub fn is_half_spent(&self) -> bool {
        self.earlier_deadline().is_some_and(|time| self.elapsed() >= time / 2)
    }

    /// The earlier deadline, which is what the search aims at; `None` without a clock.
    pub(super) fn earlier_deadline(&self) -> Option<Duration> {
        self.soft().into_iter().chain(self.hard()).min()
    }

    /// When a part of the search that begins now should end, counted from the epoch; `None` without a clock.
    pub(super) fn end_of_part(&self, parts: u32) -> Option<Duration> {
        self.earlier_deadline().map(|time| self.elapsed() + (time / parts).min(LONGEST_PART))
    }
}

/// A share of a time in per cent. It divides first, so that no time overflows.
pub(super) fn share(time: Duration, per_cent: u32) -> Duration {
    (time / 100).saturating_mul(per_cent)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::platform::Instant;

    /// The shares of the soft deadline after iterations with these best moves, given as columns, and scores.
    fn shares(iterations: &[(u8, i32)]) -> Vec<u32> {
        let mut stability = Stability::default();
        let share = |&(x, score): &(u8, i32)| {
            stability.add(Point::new(x, 7), Score::from_eval(score));
            stability.per_cent()
        };
        iterations.iter().map(share).collect()
    }

    #[test]
    fn a_search_uses_less_time_the_longer_it_keeps_its_move() {
        assert_eq!(shares(&[(7, 0); 8]), [130, 100, 85, 70, 60, 50, 50, 50]);
        assert_eq!(shares(&[(7, 0), (7, 0), (8, 0), (8, 0), (7, 0)]), [130, 100, 130, 100, 130]);
    }

    #[test]
    fn a_search_uses_more_time_if_its_chance_falls_and_less_if_it_rises() {
        let share = |score| shares(&[(7, 0), (7, 0), (7, score)])[2];
        assert_eq!([share(-400), share(0), share(400)], [153, 85, 68], "the factor has limits");
        // A chance of 38 % is 12 % below 50 %.
        assert_eq!(share(-100), 126);
        // It counts against the mean, which comes nearer with each iteration.
        assert_eq!(shares(&[(7, 0), (7, 0), (7, -100), (7, -100)])[3], 87);
    }

    #[test]
    fn a_clock_with_less_time_than_its_increment_recovers() {
        let increment = Duration::from_secs(10);
        let mut left = increment;
        for _ in 0..5 {
            let Deadlines { soft: Some(soft), hard: Some(hard) } = Deadlines::of_match(left, increment) else {
                panic!()
            };
            assert!(soft < hard && hard <= left);
            left = left - soft + increment;
        }
        assert!(left > 3 * increment, "{left:?}");
    }

    #[test]
    fn the_share_applies_to_the_time_of_a_game_alone() {
        let seconds = Duration::from_secs;
        let begun = |hard| {
            let control = SearchControl::since(Instant::now() - seconds(12));
            control.set_deadlines(Deadlines { soft: Some(seconds(10)), hard: Some(seconds(hard)) });
            Arc::new(control)
        };
        let spent = |control: &SearchControl| [50, 100, 200].map(|per_cent| control.is_spent(per_cent));
        assert_eq!(spent(&begun(40)), [true, true, false]);
        assert_eq!(spent(&begun(10)), [true; 3], "the time of a move");
        let control = SearchControl::since(Instant::now() - seconds(3));
        control.set_deadlines(Deadlines { soft: Some(seconds(10)), hard: Some(seconds(5)) });
        assert_eq!([20, 50].map(|per_cent| control.is_spent(per_cent)), [true, false], "a game with a limit for moves");
        assert!(control.is_half_spent());
        // 80 % of the soft deadline, and no share above it.
        assert_eq!(spent(&SearchControl::part(begun(40), 80)), [true; 3]);
    }
}
