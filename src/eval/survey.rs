//! [`Survey`]: what a searcher asks at every node.

use super::classical::{self, Table, UNIT, Worth};
use crate::board::{Board, ByColor, Color, Point};
use crate::score::Score;
use crate::threat::{Census, Change, Patterns, ThreatCache};

/// Which empty points make which threats, and the evaluation: Σ over the empty points of what a stone of the mover
/// would make there, less the same for the other side. A threat is worth more to the side that may carry it out now, so
/// both have numbers of their own.
///
/// Moved with the windows, one look-up for each color and change.
#[derive(Clone)]
pub struct Survey {
    table: Table,
    census: Census,
    /// For each color: the sums as the side to move and as the other.
    sums: ByColor<[i32; 2]>,
}

/// Two surveys of the same rule are the same where their sets and sums are.
impl PartialEq for Survey {
    fn eq(&self, other: &Self) -> bool {
        self.census == other.census && self.sums == other.sums
    }
}

impl Survey {
    /// The survey of a position, from scratch. Fills the tables of the rule at their first use (some milliseconds).
    pub fn new(board: &Board, threats: &ThreatCache) -> Self {
        let mut survey =
            Self { table: classical::table(board.rule()), census: Census::default(), sums: ByColor::default() };
        for point in board.empty_points().iter() {
            survey.free(point, threats);
        }
        survey
    }

    /// The empty points of each threat.
    #[inline]
    pub const fn census(&self) -> &Census {
        &self.census
    }

    /// The evaluation for this color, which is to move.
    #[inline]
    pub fn score(&self, mover: Color) -> Score {
        Score::from_eval((self.sums[mover][0] - self.sums[!mover][1]) / UNIT)
    }

    /// How promising a move looks by the shapes that it makes and takes away, for the order of moves.
    #[inline]
    pub fn promise(&self, threats: &ThreatCache, point: Point, mover: Color) -> i32 {
        let own = self.worth(mover, threats.patterns(point, mover));
        let other = self.worth(!mover, threats.patterns(point, !mover));
        i32::from(own.gain) + i32::from(other.denial)
    }

    /// Follows changed windows.
    pub fn follow(&mut self, board: &Board, changes: &[Change]) {
        for change in changes {
            if change.old_patterns == change.new_patterns || !board.is_empty(change.point) {
                continue;
            }
            for color in Color::ALL {
                let (old, new) = (change.old_patterns[color], change.new_patterns[color]);
                if old != new {
                    let (old, new) = (self.worth(color, old), self.worth(color, new));
                    self.census.shift(change.point, color, old.threat, new.threat);
                    self.sums[color][0] += i32::from(new.mover) - i32::from(old.mover);
                    self.sums[color][1] += i32::from(new.other) - i32::from(old.other);
                }
            }
        }
    }

    /// A stone or a wall stands on the point now.
    #[inline]
    pub fn take(&mut self, point: Point, threats: &ThreatCache) {
        for color in Color::ALL {
            let worth = self.worth(color, threats.patterns(point, color));
            self.census.leave(point, color, worth.threat);
            self.sums[color][0] -= i32::from(worth.mover);
            self.sums[color][1] -= i32::from(worth.other);
        }
    }

    /// The point is empty again.
    #[inline]
    pub fn free(&mut self, point: Point, threats: &ThreatCache) {
        for color in Color::ALL {
            let worth = self.worth(color, threats.patterns(point, color));
            self.census.enter(point, color, worth.threat);
            self.sums[color][0] += i32::from(worth.mover);
            self.sums[color][1] += i32::from(worth.other);
        }
    }

    #[inline]
    fn worth(&self, color: Color, patterns: Patterns) -> Worth {
        self.table[color][patterns.bits() as usize]
    }
}
