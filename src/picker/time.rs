//! Time management: [`Deadlines`], and the share of the clock of each part of a search.
//!
//! ```text
//! time of a move     soft = hard: all of it is used
//! time of a game     soft = left / 25 + increment, hard = 4 · soft; a steady search ends at 60 % of soft
//! ```
//!
//! The protocol's clock knows margins and what the manager has sent; it divides no time itself.

use std::time::Duration;

use super::SearchControl;

/// A move gets the time of the game divided by this number as its soft deadline. A long game has some thirty moves a side
/// that are not forced. Set by hand.
const MATCH_PARTS: u32 = 25;

/// The hard deadline of a move in a game with a clock, in soft ones. Set by hand.
const SOFT_DEADLINES: u32 = 4;

/// Share of the soft deadline, in per cent, after which a search ends if the last iteration did not change its best move.
/// Applies to the time of a game: saved time of a single move is lost. Set by hand.
const STEADY_PER_CENT: u32 = 60;

/// The proof of a win by continuous threats at the root takes at most one part in this number of the time and of the
/// nodes, and no longer than [`LONGEST_PART`]. Set by hand.
pub(super) const VCT_PARTS: u32 = 25;

/// Moving the tree of the last move to its new root takes at most one part in this number of the time, and no longer
/// than [`LONGEST_PART`]. Set by hand.
pub(super) const REROOT_PARTS: u32 = 10;

/// Such a part takes no longer than this, because the search reports only after it, and a person who has given an hour
/// waits for the first line. Set by hand.
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
    /// Soft: the search begins no further iteration.
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

    /// The deadlines of one move of a game with this much time left. All of it may be spent.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tengen::picker::Deadlines;
    ///
    /// let seconds = Duration::from_secs;
    /// let deadlines = Deadlines::of_match(seconds(100), seconds(1));
    /// assert_eq!(deadlines, Deadlines { soft: Some(seconds(5)), hard: Some(seconds(20)) });
    /// ```
    pub fn of_match(left: Duration, increment: Duration) -> Self {
        let soft = (left / MATCH_PARTS).saturating_add(increment).min(left);
        Self { soft: Some(soft), hard: Some(soft.saturating_mul(SOFT_DEADLINES).min(left)) }
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

impl SearchControl {
    /// Whether the search should begin no further iteration; `is_steady` says that the last one kept its best move. Reads
    /// the clock.
    pub fn is_spent(&self, is_steady: bool) -> bool {
        let (Some(soft), elapsed) = (self.soft(), self.elapsed()) else { return false };
        let is_shared = self.hard() != Some(soft);
        elapsed >= if is_shared && is_steady { soft * STEADY_PER_CENT / 100 } else { soft }
    }

    /// Whether half of the soft deadline has passed. Another iteration would probably not finish in time. Reads the
    /// clock.
    pub fn is_half_spent(&self) -> bool {
        self.soft().is_some_and(|soft| self.elapsed() >= soft / 2)
    }

    /// When a part of the search that begins now should end, counted from the epoch; `None` without a clock.
    pub(super) fn end_of_part(&self, parts: u32) -> Option<Duration> {
        self.soft().or(self.hard()).map(|time| self.elapsed() + (time / parts).min(LONGEST_PART))
    }
}

/// A share of a time in per cent. It divides first, so that no time overflows.
pub(super) fn share(time: Duration, per_cent: u32) -> Duration {
    (time / 100).saturating_mul(per_cent)
}
