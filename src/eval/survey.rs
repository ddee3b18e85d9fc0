//! [`Survey`]: what a searcher asks at every node.

use super::classical::{self, Combination, Combinations, Table, UNIT, Worth};
use crate::board::{Board, ByColor, Color, POINT_SLOTS, Point};
use crate::score::Score;
use crate::threat::{Census, Change, Patterns, Threat, ThreatCache};

/// Which empty points make which threats, and the evaluation: Σ over the empty points of what a stone of the mover
/// would make there, less the same for the other side. A threat is worth more to the side that may carry it out now, so
/// both have numbers of their own.
///
/// Moved with the windows, one look-up for each color and change.
#[derive(Clone)]
pub struct Survey {
    combinations: &'static Combinations,
    table: Table,
    /// The combinations of every point, right for the empty ones.
    kinds: Box<[ByColor<Combination>; POINT_SLOTS]>,
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
        let mut survey = Self {
            combinations: Combinations::all(),
            table: classical::table(board.rule()),
            kinds: Box::new([ByColor::default(); POINT_SLOTS]),
            census: Census::default(),
            sums: ByColor::default(),
        };
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
    pub fn promise(&self, point: Point, mover: Color) -> i32 {
        let kinds = self.kinds[point.index()];
        let (own, other) = (self.worth(mover, kinds[mover]), self.worth(!mover, kinds[!mover]));
        i32::from(own.gain) + i32::from(other.denial)
    }

    /// What a stone of this color makes on an empty point.
    #[inline]
    pub fn threat(&self, point: Point, color: Color) -> Threat {
        self.worth(color, self.kinds[point.index()][color]).threat
    }

    /// Follows a changed window.
    pub fn follow(&mut self, board: &Board, change: &Change) {
        if !change.keeps_patterns() && board.is_empty(change.point) {
            self.set(change.point, change.new_patterns);
        }
    }

    /// Takes note of new patterns of an empty point.
    #[inline]
    pub fn set(&mut self, point: Point, patterns: ByColor<Patterns>) {
        for color in Color::ALL {
            let kind = self.combinations.of(patterns[color]);
            let old = std::mem::replace(&mut self.kinds[point.index()][color], kind);
            let (old, new) = (self.worth(color, old), self.worth(color, kind));
            self.census.shift(point, color, old.threat, new.threat);
            self.sums[color][0] += i32::from(new.mover) - i32::from(old.mover);
            self.sums[color][1] += i32::from(new.other) - i32::from(old.other);
        }
    }

    /// A stone or a wall stands on the point now.
    #[inline]
    pub fn take(&mut self, point: Point) {
        for color in Color::ALL {
            let worth = self.worth(color, self.kinds[point.index()][color]);
            self.census.leave(point, color, worth.threat);
            self.sums[color][0] -= i32::from(worth.mover);
            self.sums[color][1] -= i32::from(worth.other);
        }
    }

    /// The point is empty again.
    #[inline]
    pub fn free(&mut self, point: Point, threats: &ThreatCache) {
        for color in Color::ALL {
            let kind = self.combinations.of(threats.patterns(point, color));
            self.kinds[point.index()][color] = kind;
            let worth = self.worth(color, kind);
            self.census.enter(point, color, worth.threat);
            self.sums[color][0] += i32::from(worth.mover);
            self.sums[color][1] += i32::from(worth.other);
        }
    }

    #[inline]
    fn worth(&self, color: Color, kind: Combination) -> Worth {
        self.table[color][kind.index()]
    }
}
