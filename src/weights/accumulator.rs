//! [`WeightAccumulator`]: the weights of every empty point by one weighting, moved with the windows.

use super::document::Document;
use super::table::{Sum, TermTable};
use super::{Weight, Weighting, Weights};
use crate::board::{ByColor, Color, Direction, POINT_SLOTS, Point, Size};
use crate::position::{Accumulator, Position, ThreatBoard};
use crate::threat::{Delta, LineWindow, WindowChange};

/// The sums of the four axes' terms of every point, for both colors.
///
/// Points are numbered in the order in which ties are broken:
///
/// ```text
/// rank      0       1       2      …            ranks of a 5 × 5 board:   20  12   9  13  21
/// point    c3      c2      b3      …            nearest the middle,       14   5   1   6  15
/// black   1200     750     300     …            then the lesser y,        10   2   0   3  11
/// white    900    2400     100     …            then the lesser x         16   7   4   8  17
/// taken      0       0      −1     …                                      22  18  19  …
/// ```
///
/// A stone adds to the sums of the at most forty points that see it; totals are made of the sums when the greatest is
/// asked for. The sums of a point on which a stone stands are those from before it was played, as its windows are.
#[derive(Clone)]
pub struct WeightAccumulator {
    weighting: Weighting,
    table: &'static TermTable,
    /// Points by rank.
    points: Box<[Point]>,
    /// Ranks by [`Point::index`].
    ranks: Box<[u16; POINT_SLOTS]>,
    /// Sums by rank, as many as `taken`.
    sums: ByColor<Box<[Sum]>>,
    /// By rank: [`FREE`], or [`TAKEN`] where the point is not empty. Its length is a multiple of [`LANES`]; what lies
    /// behind the last point is taken.
    taken: Box<[i32]>,
}

/// The bits that an empty point adds to its total.
const FREE: i32 = 0;

/// The bits that a point with a stone or a wall adds to its total, which makes it less than every other.
const TAKEN: i32 = -1;

/// The number of points compared side by side: two vectors of 128 bits.
const LANES: usize = 8;

/// Equal where the choice is: the sums of the empty points, and which points are empty.
impl PartialEq for WeightAccumulator {
    fn eq(&self, other: &Self) -> bool {
        let are_equal = |rank: usize| {
            self.taken[rank] == TAKEN
                || Color::ALL.into_iter().all(|side| self.sums[side][rank] == other.sums[side][rank])
        };
        self.weighting == other.weighting && self.taken == other.taken && (0..self.taken.len()).all(are_equal)
    }
}

impl Accumulator for WeightAccumulator {
    type Sets = ();
    type Config = Weighting;

    /// Fills the table of the weighting at its first use (some milliseconds).
    fn new(weighting: Weighting, threats: &ThreatBoard<()>) -> Self {
        let size = threats.board().size();
        let points = by_rank(size);
        let slots = points.len().next_multiple_of(LANES);
        let mut accumulator = Self {
            weighting,
            table: weighting.table(),
            ranks: Box::new([0; POINT_SLOTS]),
            sums: ByColor([0, 1].map(|_| vec![Sum::default(); slots].into_boxed_slice())),
            taken: vec![TAKEN; slots].into_boxed_slice(),
            points,
        };
        for (rank, &point) in (0..).zip(&accumulator.points) {
            accumulator.ranks[point.index()] = rank;
            let rank = usize::from(rank);
            accumulator.taken[rank] = if threats.board().is_empty(point) { FREE } else { TAKEN };
            let bias = Sum::new((weighting.0.bias)(point, size), 0);
            for side in Color::ALL {
                let term = |direction| accumulator.table.terms(threats.cache().window(point, direction))[side];
                accumulator.sums[side][rank] = Direction::ALL.into_iter().map(term).fold(bias, Sum::plus);
            }
        }
        accumulator
    }

    fn config(&self) -> Weighting {
        self.weighting
    }

    #[inline]
    fn push(&mut self, delta: Delta<'_>, (): ()) {
        self.taken[self.rank(delta.point)] = TAKEN;
        self.follow(delta.windows, |change| (change.old, change.new));
    }

    #[inline]
    fn pop(&mut self, delta: Delta<'_>) {
        self.follow(delta.windows, |change| (change.new, change.old));
        self.taken[self.rank(delta.point)] = FREE;
    }
}

/// The points of a board in the order in which ties are broken: nearest the middle, then the lesser y, then x.
fn by_rank(size: Size) -> Box<[Point]> {
    let mut points: Box<[Point]> = size.points().collect();
    points.sort_by_key(|point| {
        let from_middle = |coordinate: u8| 2 * i32::from(coordinate) - i32::from(size.side() - 1);
        (from_middle(point.x()).pow(2) + from_middle(point.y()).pow(2), point.y(), point.x())
    });
    points
}

impl WeightAccumulator {
    /// The weighting.
    pub const fn weighting(&self) -> Weighting {
        self.weighting
    }

    /// Follows changed windows; `step` gives the window to subtract and the one to add.
    #[inline]
    fn follow(&mut self, windows: &[WindowChange], step: impl Fn(&WindowChange) -> (LineWindow, LineWindow)) {
        for change in windows {
            let (old, new) = step(change);
            let (old, new) = (self.table.terms(old), self.table.terms(new));
            let rank = self.rank(change.point);
            for side in Color::ALL {
                let sum = &mut self.sums[side][rank];
                *sum = sum.plus(new[side]).minus(old[side]);
            }
        }
    }

    /// The weights of an empty point for a side, or `None` where the point is taken.
    pub fn weights(&self, point: Point, side: Color) -> Option<Weights> {
        self.weights_of(self.rank(point), side)
    }

    fn weights_of(&self, rank: usize, side: Color) -> Option<Weights> {
        (self.taken[rank] == FREE).then(|| (self.weighting.0.weights)(self.sums[side][rank]))
    }

    /// The empty point with the greatest total for a side, the first by rank among equals; `None` when all are taken.
    ///
    /// Makes the total of every point, four or eight at once where they fit 32 bits: about a hundred nanoseconds.
    pub fn greatest(&self, side: Color) -> Option<Point> {
        (self.weighting.0.first_greatest)(&self.sums[side], &self.taken).map(|rank| self.points[rank])
    }

    /// The empty points from the greatest total to the least for a side, equals by rank. Sorts: some microseconds.
    pub fn ranking(&self, side: Color) -> Vec<Point> {
        let total = |rank| Some((self.weights_of(rank, side)?.total, self.points[rank]));
        let mut points: Vec<_> = (0..self.points.len()).filter_map(total).collect();
        points.sort_by_key(|&(total, _)| std::cmp::Reverse(total));
        points.into_iter().map(|(_, point)| point).collect()
    }

    #[inline]
    fn rank(&self, point: Point) -> usize {
        self.ranks[point.index()].into()
    }
}

/// The first rank of the greatest total among those that are not taken.
///
/// Each lane keeps the first of its own greatest totals, so that the compiler compares all lanes at once.
pub(super) fn first_greatest<D: Document>(sums: &[Sum], taken: &[i32]) -> Option<usize> {
    let mut greatest = [D::Total::from(TAKEN); LANES];
    let mut chunks = [0_i32; LANES];
    for (number, (sums, taken)) in (0..).zip(sums.chunks_exact(LANES).zip(taken.chunks_exact(LANES))) {
        for lane in 0..LANES {
            let sum = sums[lane];
            let total = D::total(D::attack(sum.own()), D::defence(sum.their())) | D::Total::from(taken[lane]);
            let is_greater = total > greatest[lane];
            greatest[lane] = if is_greater { total } else { greatest[lane] };
            chunks[lane] = if is_greater { number } else { chunks[lane] };
        }
    }
    let lanes = (0..LANES).map(|lane| (greatest[lane].into(), chunks[lane] as usize * LANES + lane));
    let (total, rank): (i64, usize) = lanes.min_by_key(|&(total, rank)| (std::cmp::Reverse(total), rank))?;
    (total >= 0).then_some(rank)
}

/// A position with the weights of its empty points: what the greedy picker reads.
pub type WeightedPosition = Position<WeightAccumulator>;

impl WeightedPosition {
    /// The weighting in use.
    pub fn weighting(&self) -> Weighting {
        self.accumulator().weighting()
    }

    /// Changes the weighting in use; the sums are made from scratch.
    pub fn set_weighting(&mut self, weighting: Weighting) {
        if self.weighting() != weighting {
            *self = self.with(weighting);
        }
    }

    /// The weights of an empty point for the side to move; `None` where the point is not empty.
    pub fn weights(&self, point: Point) -> Option<Weights> {
        self.weights_for(point, self.board().turn())
    }

    /// [`weights`](Self::weights) for either side.
    pub fn weights_for(&self, point: Point, side: Color) -> Option<Weights> {
        let mut weights = self.accumulator().weights(point, side)?;
        let Weight(malus) = self.weighting().forbidden();
        if malus != 0 && self.is_forbidden(point, side) {
            weights.attack.0 += malus;
            weights.total.0 += malus;
        }
        Some(weights)
    }

    /// The point that the weighting in use plays for the side to move: the centre of an empty board, else the greatest
    /// total, ties to the point nearest the middle. A forbidden point only where nothing else is left. `None` on a
    /// full board.
    pub fn greatest(&self) -> Option<Point> {
        let side = self.board().turn();
        let centre = self.board().size().centre();
        if self.board().stone_count() == 0 && self.board().is_empty(centre) {
            return Some(centre);
        }
        let greatest = self.accumulator().greatest(side)?;
        if !self.is_forbidden(greatest, side) {
            return Some(greatest);
        }
        let allowed = |point: &Point| !self.is_forbidden(*point, side);
        self.accumulator().ranking(side).into_iter().find(allowed).or(Some(greatest))
    }

    /// The empty points in the order in which the weighting in use prefers them for the side to move, forbidden points
    /// last.
    pub fn ranking(&self) -> Vec<Point> {
        let side = self.board().turn();
        let ranking = self.accumulator().ranking(side);
        let (forbidden, mut allowed): (Vec<_>, Vec<_>) =
            ranking.into_iter().partition(|&point| self.is_forbidden(point, side));
        allowed.extend(forbidden);
        allowed
    }
}
