//! [`Survey`]: what a searcher asks at every node.

use super::classical::{self, Sum, Table};
use super::combination::{Combination, Combinations};
use crate::board::{Board, ByColor, Color, POINT_SLOTS, Point};
use crate::score::Score;
use crate::threat::{Census, PatternChange, PatternPair, Threat, ThreatCache};

/// Which empty points make which threats, and the sums of the evaluation over the empty points: what a stone of either
/// side would make there. A threat is worth more to the side that may carry it out now, so each color has a sum as the
/// side to move and one as the other.
///
/// Moved with the windows, one look-up for each color and change.
#[derive(Clone)]
pub struct Survey {
    combinations: &'static Combinations,
    table: Table,
    /// The combinations of every point, right for the empty ones while the sums are not paused.
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
    stone: Point,
    sums: ByColor<[Sum; 2]>,
    /// Where its part of `changed` begins.
    first: usize,
}

/// A point as it was before a stone.
#[derive(Clone, Copy)]
struct Was {
    point: Point,
    patterns: PatternPair,
    kinds: ByColor<Combination>,
    is_empty: bool,
    /// Whether its threats may have changed.
    is_sharp: bool,
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

    /// Follows a stone on a point, and what it makes of the points that see it, so that it can be
    /// [taken back](Self::step_back).
    pub fn step(&mut self, stone: Point, seen: &[PatternChange], board: &Board, threats: &ThreatCache) {
        self.steps.push(Step { stone, sums: self.sums, first: self.changed.len() });
        self.take(stone, threats);
        self.changed.extend(seen.iter().map(|change| Was {
            point: change.point,
            patterns: change.old,
            kinds: self.kinds[change.point.index()],
            is_empty: board.is_empty(change.point),
            is_sharp: change.is_sharp,
        }));
        self.follow(seen, board);
    }

    /// Takes the last step back if its stone was on this point; the windows of the cache are the caller's. Tells whether
    /// it was.
    pub fn step_back(&mut self, stone: Point, threats: &mut ThreatCache) -> bool {
        if self.steps.last().is_none_or(|step| step.stone != stone) {
            return false;
        }
        let Some(step) = self.steps.pop() else { return false };
        for was in self.changed.drain(step.first..) {
            let patterns = threats.restore(was.point, was.patterns);
            if was.is_empty {
                if was.is_sharp {
                    self.census.shift(was.point, patterns, was.patterns);
                }
                self.kinds[was.point.index()] = was.kinds;
            }
        }
        self.census.enter(stone, threats.both_patterns(stone));
        self.sums = step.sums;
        true
    }

    /// Forgets the steps: the position changes in a way that they cannot take back.
    pub fn forget_steps(&mut self) {
        self.steps.clear();
        self.changed.clear();
    }

    /// Follows new patterns, those of the empty points.
    pub fn follow(&mut self, seen: &[PatternChange], board: &Board) {
        let seen = seen.iter().filter(|change| board.is_empty(change.point));
        for change in seen.clone().filter(|change| change.is_sharp) {
            self.census.shift(change.point, change.old, change.new);
        }
        if self.is_paused {
            return;
        }
        for color in Color::ALL {
            let shares = &self.table[color].shares;
            // In locals, which the loop keeps in registers.
            let [mut mover, mut other] = self.sums[color];
            for change in seen.clone() {
                let kind = self.combinations.of(change.new.of(color));
                let old = std::mem::replace(&mut self.kinds[change.point.index()][color], kind);
                if kind != old {
                    let (before, after) = (&shares[old.index()], &shares[kind.index()]);
                    mover.shift(&before[0], &after[0]);
                    other.shift(&before[1], &after[1]);
                }
            }
            self.sums[color] = [mover, other];
        }
    }

    /// A stone or a wall stands on the point now.
    pub fn take(&mut self, point: Point, threats: &ThreatCache) {
        self.census.leave(point, threats.both_patterns(point));
        if !self.is_paused {
            for color in Color::ALL {
                let shares = &self.table[color].shares[self.kinds[point.index()][color].index()];
                self.sums[color].iter_mut().zip(shares).for_each(|(sum, share)| sum.subtract(share));
            }
        }
    }

    /// The point is empty again.
    pub fn free(&mut self, point: Point, threats: &ThreatCache) {
        let patterns = threats.both_patterns(point);
        self.census.enter(point, patterns);
        if !self.is_paused {
            for color in Color::ALL {
                let kind = self.combinations.of(patterns.of(color));
                self.kinds[point.index()][color] = kind;
                let shares = &self.table[color].shares[kind.index()];
                self.sums[color].iter_mut().zip(shares).for_each(|(sum, share)| sum.add(share));
            }
        }
    }
}
