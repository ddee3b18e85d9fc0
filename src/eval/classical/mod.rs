//! [`Classical`]: the evaluation by the patterns of the empty points, fitted to self-play.
//!
//! ```text
//! each empty point, for each color ─► Combination of its four patterns, one of 1,365
//!                                     ├─► Contribution to a score and to 16 hidden units, summed over the points
//!                                     └─► prior of a move there
//! ```

mod combination;
mod weights;

pub use combination::Combination;
pub use weights::{Quantization, SCALE, UNITS, WeightsError, WeightsFault, check_weights};

use self::combination::Combinations;
use self::weights::{PointSum, Table};
use super::Evaluator;
use crate::board::{ByColor, Color, POINT_SLOTS, Point};
use crate::position::{Accumulator, ThreatBoard};
use crate::score::Score;
use crate::threat::{Delta, ThreatSets};

/// The sums of the classical evaluation over the empty points: what a stone of either side would make there. A threat is
/// worth more to the side that may carry it out now, so each color has a sum as the side to move and one as the other.
#[derive(Clone)]
pub struct Classical {
    combinations: &'static Combinations,
    table: Table,
    /// The combinations of every empty point; those under a stone are from before it was played.
    kinds: Box<[ByColor<Combination>; POINT_SLOTS]>,
    /// For each color: the sums as the side to move and as the other.
    sums: ByColor<[PointSum; 2]>,
    /// The stones pushed, and what each has replaced.
    stones: Vec<Undo>,
    /// The combinations that were replaced, those of the first stone first.
    replaced: Vec<(Point, ByColor<Combination>)>,
}

/// What takes a stone back.
#[derive(Clone, Copy)]
struct Undo {
    sums: ByColor<[PointSum; 2]>,
    /// Where its part of `replaced` begins.
    start: usize,
}

/// Equal where the sums are.
impl PartialEq for Classical {
    fn eq(&self, other: &Self) -> bool {
        self.sums == other.sums
    }
}

impl Accumulator for Classical {
    type Sets = ThreatSets;
    type Config = ();

    /// Fills the tables of the rule at their first use (some milliseconds).
    fn new((): (), threats: &ThreatBoard) -> Self {
        let mut classical = Self {
            combinations: Combinations::all(),
            table: weights::table(threats.board().rule()),
            kinds: Box::new([ByColor::default(); POINT_SLOTS]),
            sums: ByColor::default(),
            stones: Vec::new(),
            replaced: Vec::new(),
        };
        for point in threats.board().empty_points().iter() {
            for color in Color::ALL {
                let kind = classical.combinations.of(threats.patterns(point, color));
                classical.kinds[point.index()][color] = kind;
                let contributions = &classical.table[color].contributions[kind.index()];
                classical.sums[color].iter_mut().zip(contributions).for_each(|(sum, more)| sum.add(more));
            }
        }
        classical
    }

    fn config(&self) {}

    fn push(&mut self, delta: Delta<'_>, threats: &ThreatBoard) {
        self.stones.push(Undo { sums: self.sums, start: self.replaced.len() });
        let changes = threats.sets().last_changes();
        self.replaced.extend(changes.iter().map(|change| (change.point, self.kinds[change.point.index()])));
        for color in Color::ALL {
            let contributions = &self.table[color].contributions;
            // In locals, which the loop keeps in registers.
            let [mut mover, mut other] = self.sums[color];
            let [as_mover, as_other] = &contributions[self.kinds[delta.point.index()][color].index()];
            mover.subtract(as_mover);
            other.subtract(as_other);
            for change in changes {
                let kind = self.combinations.of(change.new.of(color));
                let old = std::mem::replace(&mut self.kinds[change.point.index()][color], kind);
                if kind != old {
                    let (before, after) = (&contributions[old.index()], &contributions[kind.index()]);
                    mover.shift(&before[0], &after[0]);
                    other.shift(&before[1], &after[1]);
                }
            }
            self.sums[color] = [mover, other];
        }
    }

    fn pop(&mut self, _: Delta<'_>) {
        let Some(Undo { sums, start }) = self.stones.pop() else { return };
        for (point, kinds) in self.replaced.drain(start..) {
            self.kinds[point.index()] = kinds;
        }
        self.sums = sums;
    }
}

impl Evaluator for Classical {
    #[inline]
    fn score(&self, mover: Color) -> Score {
        self.table[mover].evaluate(&self.sums[mover][0], &self.sums[!mover][1])
    }

    #[inline]
    fn move_prior(&self, point: Point, mover: Color) -> i32 {
        let kinds = self.kinds[point.index()];
        let own = self.table[mover].priors[kinds[mover].index()];
        let other = self.table[!mover].priors[kinds[!mover].index()];
        i32::from(own.attack) + i32::from(other.defence)
    }
}
