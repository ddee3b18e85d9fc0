//! [`Classical`]: an evaluation by the patterns of the empty points, fitted to self-play.
//!
//! ```text
//! each empty point, for each color ─► Combination of its four patterns, one of 1,365
//!                                     ├─► Contribution to a score and to 16 hidden units, summed over the points
//!                                     └─► prior of a move there
//! ```

mod combination;
mod weights;

use multiversion::multiversion;

pub(super) use combination::ByPatterns;
pub use combination::Combination;
pub use weights::priors;
pub use weights::{Quantization, UNITS, WeightsError, WeightsFault, check_weights, weight_files};

use self::combination::Combinations;
use self::weights::{PointSum, Table};
use super::{Evaluator, MovePriors};
use crate::board::{ByColor, Color, POINT_SLOTS, Point};
use crate::position::{Accumulator, ThreatBoard};
use crate::score::Score;
use crate::threat::{Delta, PatternChange, ThreatSets};

/// The accumulator of the classical evaluation: for each color the sum of the contributions of the empty points.
pub struct Classical {
    combinations: &'static Combinations,
    table: Table,
    /// Combinations by point. A point under a stone has those from before the stone.
    kinds: Box<[ByColor<Combination>; POINT_SLOTS]>,
    /// The sums over the empty points.
    sums: ByColor<PointSum>,
    /// An undo entry for each stone pushed.
    stones: Vec<Undo>,
    /// The replaced combinations of all stones, oldest first.
    replaced: Vec<(Point, ByColor<Combination>)>,
}

/// The undo entry of a stone.
#[derive(Clone, Copy)]
struct Undo {
    /// The sums before the stone.
    sums: ByColor<PointSum>,
    /// The start of its part of `replaced`.
    start: usize,
}

/// Equal if the sums are.
impl PartialEq for Classical {
    fn eq(&self, other: &Self) -> bool {
        self.sums == other.sums
    }
}

impl Accumulator for Classical {
    type Sets = ThreatSets;
    type Config = ();

    const IS_LAZY: bool = true;

    /// Fills the tables of the rule at the first use (some milliseconds).
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
                classical.sums[color].add(&classical.table[color].contributions[kind.index()]);
            }
        }
        classical
    }

    fn config(&self) {}

    fn push(&mut self, delta: Delta<'_>, changes: &[PatternChange]) {
        self.stones.push(Undo { sums: self.sums, start: self.replaced.len() });
        self.replaced.extend(changes.iter().map(|change| (change.point, self.kinds[change.point.index()])));
        push_kinds(self.combinations, &self.table, &mut self.kinds, &mut self.sums, delta.point, changes);
    }

    fn pop(&mut self, _: Delta<'_>) {
        let Some(Undo { sums, start }) = self.stones.pop() else { return };
        for &(point, kinds) in &self.replaced[start..] {
            self.kinds[point.index()] = kinds;
        }
        self.replaced.truncate(start);
        self.sums = sums;
    }
}

/// Adds a stone.
#[multiversion(targets("x86_64+avx2"))]
fn push_kinds(
    combinations: &Combinations,
    table: &Table,
    kinds: &mut [ByColor<Combination>; POINT_SLOTS],
    sums: &mut ByColor<PointSum>,
    stone: Point,
    changes: &[PatternChange],
) {
    for color in Color::ALL {
        let contributions = &table[color].contributions;
        // A local, which the loop keeps in registers.
        let mut sum = sums[color];
        sum.subtract(&contributions[kinds[stone.index()][color].index()]);
        for change in changes {
            let kind = combinations.of(change.new.of(color));
            let old = std::mem::replace(&mut kinds[change.point.index()][color], kind);
            if kind != old {
                sum.shift(&contributions[old.index()], &contributions[kind.index()]);
            }
        }
        sums[color] = sum;
    }
}

impl Classical {
    /// The combinations of both colors on an empty point.
    #[inline]
    fn kinds(&self, point: Point) -> ByColor<Combination> {
        self.kinds[point.index()]
    }
}

impl Evaluator for Classical {
    #[inline]
    fn score(&self, _: &ThreatSets, mover: Color) -> Score {
        self.table[mover].evaluate(&self.sums[mover], &self.sums[!mover])
    }

    #[inline]
    fn move_priors(&self, _: &ThreatSets, mover: Color) -> impl MovePriors {
        let (own, other) = (&self.table[mover].priors, &self.table[!mover].priors);
        move |point: Point| {
            let kinds = self.kinds(point);
            i32::from(own[kinds[mover].index()].attack) + i32::from(other[kinds[!mover].index()].defence)
        }
    }
}
