//! [`Survey`]: what a searcher asks at every node.

use super::classical::{self, Sum, Table};
use super::combination::{Combination, Combinations};
use crate::board::{Board, ByColor, Color, POINT_SLOTS, Point};
use crate::score::Score;
use crate::threat::{Census, Patterns, Threat, ThreatCache};

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
    sums: ByColor<[Sum; 2]>,
    /// Whether the sums are left as they are, because nobody asks for the evaluation before they are right again.
    is_paused: bool,
    /// The stones since the survey was made, and what each has changed.
    steps: Vec<Step>,
    changed: Vec<Was>,
}

/// A stone that can be taken back without a look-up.
#[derive(Clone)]
struct Step {
    point: Point,
    sums: ByColor<[Sum; 2]>,
    /// Where its part of `changed` begins.
    first: usize,
}

/// A point as it was before a stone.
#[derive(Clone, Copy)]
struct Was {
    point: Point,
    patterns: ByColor<Patterns>,
    kinds: ByColor<Combination>,
    is_empty: bool,
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
            is_paused: false,
            steps: Vec::new(),
            changed: Vec::new(),
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

    /// Stops to sum up the evaluation, which is most of the work, or goes on. Whoever pauses plays and takes back until
    /// the position is again as it was, and goes on then. Returns what was before.
    pub const fn pause(&mut self, is_paused: bool) -> bool {
        std::mem::replace(&mut self.is_paused, is_paused)
    }

    /// The evaluation for this color, which is to move.
    #[inline]
    pub fn score(&self, mover: Color) -> Score {
        self.table[mover].evaluate(&self.sums[mover][0], &self.sums[!mover][1])
    }

    /// How promising a move looks by the shapes that it makes and takes away, for the order of moves.
    #[inline]
    pub fn promise(&self, point: Point, mover: Color) -> i32 {
        let kinds = self.kinds[point.index()];
        let own = self.table[mover].worths[kinds[mover].index()];
        let other = self.table[!mover].worths[kinds[!mover].index()];
        i32::from(own.gain) + i32::from(other.denial)
    }

    /// What a stone of this color makes on an empty point.
    #[inline]
    pub fn threat(&self, point: Point, color: Color) -> Threat {
        self.table[color].worths[self.kinds[point.index()][color].index()].threat
    }

    /// Remembers the state before a stone, so that it can be [taken back](Self::step_back).
    #[inline]
    pub fn step(&mut self, point: Point) {
        self.steps.push(Step { point, sums: self.sums, first: self.changed.len() });
        self.take(point);
    }

    /// Follows new patterns of a point that sees the stone of this step.
    #[inline]
    pub fn follow(&mut self, point: Point, old: ByColor<Patterns>, new: ByColor<Patterns>, is_empty: bool) {
        self.changed.push(Was { point, patterns: old, kinds: self.kinds[point.index()], is_empty });
        if is_empty {
            self.set(point, new);
        }
    }

    /// Takes the last step back if it was on this point; `restore` is told the patterns of each point as they were. Tells
    /// whether it was.
    #[inline]
    pub fn step_back(&mut self, point: Point, mut restore: impl FnMut(Point, ByColor<Patterns>)) -> bool {
        if self.steps.last().is_none_or(|step| step.point != point) {
            return false;
        }
        let Some(step) = self.steps.pop() else { return false };
        for was in self.changed.drain(step.first..) {
            restore(was.point, was.patterns);
            if was.is_empty {
                let kinds = std::mem::replace(&mut self.kinds[was.point.index()], was.kinds);
                for color in Color::ALL {
                    let worths = &self.table[color].worths;
                    let [new, old] = [kinds[color], was.kinds[color]];
                    self.census.shift(was.point, color, worths[new.index()].threat, worths[old.index()].threat);
                }
            }
        }
        for color in Color::ALL {
            let kind = self.kinds[point.index()][color];
            self.census.enter(point, color, self.table[color].worths[kind.index()].threat);
        }
        self.sums = step.sums;
        true
    }

    /// Forgets the steps: the position changes in a way that they cannot take back.
    pub fn forget_steps(&mut self) {
        self.steps.clear();
        self.changed.clear();
    }

    /// Takes note of new patterns of an empty point.
    #[inline]
    pub fn set(&mut self, point: Point, patterns: ByColor<Patterns>) {
        for color in Color::ALL {
            let kind = self.combinations.of(patterns[color]);
            let old = std::mem::replace(&mut self.kinds[point.index()][color], kind);
            if kind != old {
                let weights = self.table[color];
                let (before, after) = (weights.worths[old.index()], weights.worths[kind.index()]);
                self.census.shift(point, color, before.threat, after.threat);
                if !self.is_paused {
                    let (before, after) = (&weights.shares[old.index()], &weights.shares[kind.index()]);
                    for role in 0..2 {
                        self.sums[color][role].shift(&before[role], &after[role]);
                    }
                }
            }
        }
    }

    /// A stone or a wall stands on the point now.
    #[inline]
    pub fn take(&mut self, point: Point) {
        for color in Color::ALL {
            let (weights, kind) = (self.table[color], self.kinds[point.index()][color]);
            self.census.leave(point, color, weights.worths[kind.index()].threat);
            if !self.is_paused {
                let shares = &weights.shares[kind.index()];
                self.sums[color].iter_mut().zip(shares).for_each(|(sum, share)| sum.subtract(share));
            }
        }
    }

    /// The point is empty again.
    #[inline]
    pub fn free(&mut self, point: Point, threats: &ThreatCache) {
        for color in Color::ALL {
            let kind = self.combinations.of(threats.patterns(point, color));
            self.kinds[point.index()][color] = kind;
            let weights = self.table[color];
            self.census.enter(point, color, weights.worths[kind.index()].threat);
            if !self.is_paused {
                let shares = &weights.shares[kind.index()];
                self.sums[color].iter_mut().zip(shares).for_each(|(sum, share)| sum.add(share));
            }
        }
    }
}
