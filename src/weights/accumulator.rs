//! [`WeightAccumulator`]: the weights of every empty point by one weighting, updated with the windows.

use super::document::Document;
use super::table::{TermTable, Terms};
use super::{Weight, Weighting, Weights};
use crate::board::{Board, ByColor, Color, Direction, POINT_SLOTS, Point, Size};
use crate::position::{Accumulator, Position, ThreatBoard};
use crate::rng::Rng;
use crate::threat::{Delta, LineWindow, ThreatCache, WindowChange};

/// The sums of the four axes' terms of every point for both colors, and the keys that order the empty points.
///
/// Points are numbered in the order in which ties are broken:
///
/// ```text
/// rank      0       1       2      …            ranks of a 5 × 5 board:   20  12   9  13  21
/// point    c3      c2      b3      …            nearest the middle,       14   5   1   6  15
/// black   1200     750    (stone)  …            then the lesser y,        10   2   0   3  11
/// white    900    2400    (stone)  …            then the lesser x         16   7   4   8  17
///                                                                         22  18  19  …
/// ```
///
/// A key is the total with 1023 − rank in the ten bits below it, so the greatest key is the greatest total with the
/// lowest rank. An occupied point keeps the sums it had before its stone was played, as its windows do.
pub struct WeightAccumulator {
    weighting: Weighting,
    table: &'static TermTable,
    /// Points by rank.
    points: Box<[Point]>,
    /// Ranks by [`Point::index`].
    ranks: Box<[u16; POINT_SLOTS]>,
    /// Entries by rank.
    entries: Box<[Entry]>,
}

/// The data of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// The sums of the four axes' terms.
    sum: Terms,
    /// The key of a total of 0, minus [`TAKEN`] if the point is occupied.
    base: i64,
    /// The point's key for each color when that color is to move.
    keys: ByColor<i64>,
}

/// A number greater than any key. It makes the keys of occupied points negative.
const TAKEN: i64 = 1 << 60;

/// Bits of the rank in a key.
const RANK_BITS: u32 = POINT_SLOTS.ilog2();

/// The last rank. Keys hold `LAST_RANK − rank`, so that the point nearest the middle has the greatest number.
const LAST_RANK: i64 = POINT_SLOTS as i64 - 1;

impl Entry {
    /// Computes the keys from the sums.
    #[inline]
    fn settle<D: Document>(&mut self) {
        let key = |side| {
            let total = D::total(D::attack(self.sum.attack(side)), D::defence(self.sum.defence(side)));
            (total << RANK_BITS) + self.base
        };
        self.keys = ByColor(Color::ALL.map(key));
    }

    /// Marks the point as occupied or empty.
    #[inline]
    fn rebase(&mut self, by: i64) {
        self.base += by;
        self.keys.0.iter_mut().for_each(|key| *key += by);
    }

    const fn is_empty(self) -> bool {
        self.base >= 0
    }
}

/// Compares the weighting, the empty points and their sums.
impl PartialEq for WeightAccumulator {
    fn eq(&self, other: &Self) -> bool {
        let visible = |entry: &Entry| entry.is_empty().then_some(*entry);
        self.weighting == other.weighting && self.entries.iter().map(visible).eq(other.entries.iter().map(visible))
    }
}

impl Accumulator for WeightAccumulator {
    type Sets = ();
    type Config = Weighting;

    /// Fills the table of the weighting at its first use (one to two milliseconds).
    fn new(weighting: Weighting, threats: &ThreatBoard<()>) -> Self {
        Self::from_windows(weighting, threats.board(), threats.cache())
    }

    fn config(&self) -> Weighting {
        self.weighting
    }

    #[inline]
    fn push(&mut self, delta: Delta<'_>, (): ()) {
        let rank = self.rank(delta.point);
        self.entries[rank].rebase(-TAKEN);
        (self.weighting.formulas().push)(self, delta.windows);
    }

    #[inline]
    fn pop(&mut self, delta: Delta<'_>) {
        (self.weighting.formulas().pop)(self, delta.windows);
        let rank = self.rank(delta.point);
        self.entries[rank].rebase(TAKEN);
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
    /// The sums of a position, computed from its windows from scratch. For accumulators that contain this one.
    pub(crate) fn from_windows(weighting: Weighting, board: &Board, cache: &ThreatCache) -> Self {
        let size = board.size();
        let points = by_rank(size);
        let table = weighting.table();
        let entry = |(rank, &point): (i64, &Point)| {
            let terms = |direction| table.terms(cache.window(point, direction));
            let bias = Terms::of_attack((weighting.formulas().bias)(point, size));
            let sum = Direction::ALL.into_iter().map(terms).fold(bias, Terms::plus);
            let base = LAST_RANK - rank - if board.is_empty(point) { 0 } else { TAKEN };
            Entry { sum, base, keys: ByColor::default() }
        };
        let entries = (0..).zip(&points).map(entry).collect();
        let mut accumulator = Self { weighting, table, points, ranks: Box::new([0; POINT_SLOTS]), entries };
        for (rank, point) in (0..).zip(&accumulator.points) {
            accumulator.ranks[point.index()] = rank;
        }
        (weighting.formulas().settle)(&mut accumulator);
        accumulator
    }

    /// The weighting.
    pub const fn weighting(&self) -> Weighting {
        self.weighting
    }

    /// Applies the changed windows of a stone by the formula of a document.
    pub(super) fn push_by<D: Document>(&mut self, windows: &[WindowChange]) {
        self.follow::<D>(windows, |change| (change.old, change.new));
    }

    /// Takes back the changed windows of a stone by the formula of a document.
    pub(super) fn pop_by<D: Document>(&mut self, windows: &[WindowChange]) {
        self.follow::<D>(windows, |change| (change.new, change.old));
    }

    /// Computes the keys of all points by the formula of a document.
    pub(super) fn settle_by<D: Document>(&mut self) {
        self.entries.iter_mut().for_each(Entry::settle::<D>);
    }

    /// Applies changed windows. `step` returns the window to subtract and the window to add.
    #[inline]
    fn follow<D: Document>(
        &mut self,
        windows: &[WindowChange],
        step: impl Fn(&WindowChange) -> (LineWindow, LineWindow),
    ) {
        // Local pointers stay in registers. The compiler must assume that a store to an entry changes the fields of
        // `self`.
        let (table, ranks, entries) = (self.table.by_number(), &*self.ranks, &mut *self.entries);
        for change in windows {
            let (old, new) = step(change);
            let entry = &mut entries[usize::from(ranks[change.point.index()])];
            entry.sum = entry.sum.plus(table[new.index()]).minus(table[old.index()]);
            entry.settle::<D>();
        }
    }

    /// The weights of an empty point for a side, or `None` if the point is occupied.
    pub fn weights(&self, point: Point, side: Color) -> Option<Weights> {
        let rank = self.rank(point);
        let entry = self.entries[rank];
        // A point off the board has rank 0 too.
        (entry.is_empty() && self.points[rank] == point).then(|| (self.weighting.formulas().weights)(entry.sum, side))
    }

    /// The empty point with the greatest total for a side; among equals the lowest rank. `None` on a full board.
    ///
    /// Cost: compares every point, some tens of nanoseconds.
    pub fn greatest(&self, side: Color) -> Option<Point> {
        let key = greatest_of(&self.entries, side);
        (key >= 0).then(|| self.point(key))
    }

    /// The empty points for a side from the greatest total to the least, equals by rank. Cost: some microseconds.
    pub fn ranking(&self, side: Color) -> Vec<Point> {
        let mut keys: Vec<_> = self.entries.iter().map(|entry| entry.keys[side]).filter(|&key| key >= 0).collect();
        keys.sort_unstable_by_key(|&key| std::cmp::Reverse(key));
        keys.into_iter().map(|key| self.point(key)).collect()
    }

    /// A random empty point. Its probability is proportional to its total for a side; totals below 1 count as 1. `None`
    /// on a full board.
    ///
    /// Cost: reads every point, some hundreds of nanoseconds.
    pub fn draw(&self, side: Color, rng: &mut Rng) -> Option<Point> {
        let mut sums = [0; POINT_SLOTS];
        let mut sum = 0;
        for (place, entry) in sums.iter_mut().zip(&self.entries) {
            let key = entry.keys[side];
            sum += if entry.is_empty() { (key >> RANK_BITS).max(1) as usize } else { 0 };
            *place = sum;
        }
        if sum == 0 {
            return None;
        }
        let drawn = rng.below(sum);
        // The sums grow only at empty points, so the first sum beyond the drawn number belongs to one.
        let rank = sums[..self.entries.len()].partition_point(|&sum| sum <= drawn);
        self.points.get(rank).copied()
    }

    #[inline]
    fn rank(&self, point: Point) -> usize {
        self.ranks[point.index()].into()
    }

    #[inline]
    fn point(&self, key: i64) -> Point {
        self.points[(LAST_RANK - (key & LAST_RANK)) as usize]
    }
}

/// The greatest key of a side; four independent maxima let the processor overlap the comparisons.
#[inline]
fn greatest_of(entries: &[Entry], side: Color) -> i64 {
    let mut lanes = [i64::MIN; 4];
    let chunks = entries.chunks_exact(lanes.len());
    for entry in chunks.remainder() {
        lanes[0] = lanes[0].max(entry.keys[side]);
    }
    for chunk in chunks {
        for (lane, entry) in lanes.iter_mut().zip(chunk) {
            *lane = (*lane).max(entry.keys[side]);
        }
    }
    lanes.into_iter().fold(i64::MIN, i64::max)
}

/// A position with the weights of its empty points. The greedy picker reads it.
pub type WeightedPosition = Position<WeightAccumulator>;

impl WeightedPosition {
    /// The weighting in use.
    pub fn weighting(&self) -> Weighting {
        self.accumulator().weighting()
    }

    /// Changes the weighting in use and computes the sums from scratch.
    pub fn set_weighting(&mut self, weighting: Weighting) {
        if self.weighting() != weighting {
            *self = self.with(weighting);
        }
    }

    /// The weights of an empty point for the side to move; `None` if the point is occupied.
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

    /// The move of the weighting in use: the centre of an empty board, else the greatest total. Ties go to the point
    /// nearest the middle. A forbidden point is returned only if every empty point is forbidden. `None` on a full
    /// board.
    pub fn greatest(&self) -> Option<Point> {
        let side = self.board().turn();
        if let Some(centre) = self.first_move() {
            return Some(centre);
        }
        let greatest = self.accumulator().greatest(side)?;
        if !self.is_forbidden(greatest, side) {
            return Some(greatest);
        }
        let allowed = |point: &Point| !self.is_forbidden(*point, side);
        self.accumulator().ranking(side).into_iter().find(allowed).or(Some(greatest))
    }

    /// The empty points in the order of the weighting in use for the side to move, forbidden points last. On an empty board
    /// the centre is the first.
    pub fn ranking(&self) -> Vec<Point> {
        let side = self.board().turn();
        let ranking = self.accumulator().ranking(side);
        let (forbidden, mut allowed): (Vec<_>, Vec<_>) =
            ranking.into_iter().partition(|&point| self.is_forbidden(point, side));
        allowed.extend(forbidden);
        if let Some(centre) = self.first_move() {
            allowed.sort_by_key(|&point| point != centre);
        }
        allowed
    }

    /// The centre of a board without stones, if it is empty.
    fn first_move(&self) -> Option<Point> {
        let centre = self.board().size().centre();
        (self.board().stone_count() == 0 && self.board().is_empty(centre)).then_some(centre)
    }
}
