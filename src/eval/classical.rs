//! [`Evaluation`]: what every empty point is worth to either side, by the patterns that a stone would make there.

use std::sync::OnceLock;

use crate::board::{Board, ByColor, Color, Direction, Point, Rule};
use crate::score::Score;
use crate::threat::{Change, Pattern, Patterns, Threat, ThreatCache};

/// What a point adds to the evaluation for the color of the patterns: where that color is to move, and where it is not.
type Worth = [i16; 2];

/// The worth of every combination of four patterns for both colors.
type Table = ByColor<Box<[Worth]>>;

/// The evaluation of a position: Σ over the empty points of what a stone of the mover would make there, less the same
/// for the other side. A threat is worth more to the side that may carry it out now, so both have tables of their own.
///
/// Moved with the windows; read in a nanosecond.
#[derive(Clone)]
pub struct Evaluation {
    table: &'static Table,
    /// For each color: the sums as the side to move and as the other.
    sums: ByColor<[i32; 2]>,
}

impl Evaluation {
    /// The evaluation of a position, from scratch.
    pub fn new(board: &Board, cache: &ThreatCache) -> Self {
        let mut evaluation = Self { table: table(board.rule()), sums: ByColor::default() };
        for point in board.empty_points().iter() {
            evaluation.free(point, cache);
        }
        evaluation
    }

    /// The score for this color, which is to move.
    #[inline]
    pub fn score(&self, mover: Color) -> Score {
        Score::from_eval((self.sums[mover][0] - self.sums[!mover][1]) / UNIT)
    }

    /// Follows one changed window of an empty point.
    #[inline]
    pub fn follow(&mut self, change: &Change) {
        for color in Color::ALL {
            let (old, new) = (change.old_patterns[color], change.new_patterns[color]);
            if old != new {
                let (old, new) = (self.worth(color, old), self.worth(color, new));
                for slot in 0..2 {
                    self.sums[color][slot] += i32::from(new[slot]) - i32::from(old[slot]);
                }
            }
        }
    }

    /// A stone or a wall stands on the point now.
    #[inline]
    pub fn take(&mut self, point: Point, cache: &ThreatCache) {
        for color in Color::ALL {
            let worth = self.worth(color, cache.patterns(point, color));
            for slot in 0..2 {
                self.sums[color][slot] -= i32::from(worth[slot]);
            }
        }
    }

    /// The point is empty again.
    #[inline]
    pub fn free(&mut self, point: Point, cache: &ThreatCache) {
        for color in Color::ALL {
            let worth = self.worth(color, cache.patterns(point, color));
            for slot in 0..2 {
                self.sums[color][slot] += i32::from(worth[slot]);
            }
        }
    }

    /// Whether these are the sums that [`new`](Self::new) would make; slow, for tests and debug builds.
    pub fn agrees_with(&self, board: &Board, cache: &ThreatCache) -> bool {
        self.sums == Self::new(board, cache).sums
    }

    #[inline]
    fn worth(&self, color: Color, patterns: Patterns) -> Worth {
        self.table[color][patterns.bits() as usize]
    }
}

/// Table units in one unit of a score.
const UNIT: i32 = 8;

/// The table of a rule, filled at its first use and kept.
fn table(rule: Rule) -> &'static Table {
    static TABLES: [OnceLock<Table>; Rule::ALL.len()] = [const { OnceLock::new() }; Rule::ALL.len()];
    TABLES[rule.index()].get_or_init(|| {
        let table = |_| (0..=u16::MAX).map(|bits| worth(Patterns::from_bits(bits))).collect();
        ByColor(Color::ALL.map(table))
    })
}

fn worth(patterns: Patterns) -> Worth {
    let line = |direction| -> i32 {
        match patterns.get(direction) {
            Pattern::Dead | Pattern::Overline => 0,
            Pattern::One => 2,
            Pattern::OpenOne => 6,
            Pattern::Two => 10,
            Pattern::OpenTwo => 24,
            Pattern::Three => 30,
            Pattern::OpenThree => 70,
            Pattern::Four => 80,
            Pattern::DoubleFour | Pattern::OpenFour | Pattern::Five => 150,
        }
    };
    let lines = Direction::ALL.into_iter().map(line).sum::<i32>();
    let (mover, other) = match Threat::of(patterns) {
        Threat::Nothing | Threat::OpenThree | Threat::Four => (0, 0),
        Threat::DoubleThree => (260, 100),
        Threat::FourThree => (900, 250),
        Threat::DoubleFour => (1200, 300),
        Threat::OpenFour => (1200, 300),
        Threat::Five => (2000, 400),
    };
    [(lines + mover) as i16, (lines * 3 / 4 + other) as i16]
}
