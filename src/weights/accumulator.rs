//! [`WeightAccumulator`]: the weights of every empty point by one weighting, moved with the windows.

use super::{Terms, Weight, Weighting, Weights};
use crate::board::{ByColor, Color, Direction, POINT_SLOTS, Point, Size};
use crate::position::{Accumulator, Position, ThreatBoard};
use crate::threat::{Delta, LineWindow, WindowChange};

/// Attack and defence of every point for both colors, and the keys that order the empty ones.
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
/// A key is the total with 1023 − rank in the ten bits below it, so the greatest key is the first greatest total.
///
/// The sums of a point on which a stone stands are those from before it was played, as its windows are.
#[derive(Clone)]
pub struct WeightAccumulator {
    weighting: Weighting,
    table: &'static [Terms],
    /// Points by rank.
    points: Box<[Point]>,
    /// Ranks by [`Point::index`].
    ranks: Box<[u16; POINT_SLOTS]>,
    /// Entries by rank.
    entries: Box<[Entry]>,
}

/// Equal where the choice is: the keys of the empty points, and which points are empty.
impl PartialEq for WeightAccumulator {
    fn eq(&self, other: &Self) -> bool {
        let visible = |entry: &Entry| (entry.keys[Color::Black] >= 0).then_some((entry.sums, entry.keys));
        self.weighting == other.weighting && self.entries.iter().map(visible).eq(other.entries.iter().map(visible))
    }
}

/// What is kept of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    /// The sums of the four axes' terms.
    sums: Terms,
    /// The key of a total of 0; less by [`TAKEN`] where the point is not empty.
    base: i64,
    /// The keys for the color to move.
    keys: ByColor<i64>,
}

/// More than any key, so that the keys of points that are not empty are negative.
const TAKEN: i64 = 1 << 60;

/// Bits of the rank in a key.
const RANK_BITS: u32 = POINT_SLOTS.ilog2();

/// The last rank, from which keys count: the nearest point has the greatest number.
const LAST_RANK: i64 = POINT_SLOTS as i64 - 1;

impl Entry {
    /// Makes the keys of the sums; `total` is the formula of the weighting.
    #[inline]
    fn settle(&mut self, total: impl Fn(u32, u32) -> i64) {
        let Terms([black, white, black_defence, white_defence]) = self.sums;
        let key = |own, their| (total(own, their) << RANK_BITS) + self.base;
        self.keys = ByColor([key(black, black_defence), key(white, white_defence)]);
    }

    /// Moves the point in or out of the choice.
    #[inline]
    fn rebase(&mut self, by: i64) {
        self.base += by;
        self.keys.0.iter_mut().for_each(|key| *key += by);
    }
}

impl Accumulator for WeightAccumulator {
    type Sets = ();
    type Config = Weighting;

    /// Fills the table of the weighting at its first use (some tens of milliseconds).
    fn new(weighting: Weighting, threats: &ThreatBoard<()>) -> Self {
        let size = threats.board().size();
        let points = by_rank(size);
        let mut ranks = Box::new([0; POINT_SLOTS]);
        for (rank, point) in (0..).zip(&points) {
            ranks[point.index()] = rank;
        }
        let table = weighting.table();
        let entry = |(rank, &point): (i64, &Point)| {
            let bias = weighting.bias(point, size);
            let term = |direction| table[threats.cache().window(point, direction).index()];
            let sums = Direction::ALL.map(term).into_iter().fold(Terms([bias, bias, 0, 0]), Terms::plus);
            let base = LAST_RANK - rank - if threats.board().is_empty(point) { 0 } else { TAKEN };
            let mut entry = Entry { sums, base, keys: ByColor::default() };
            entry.settle(|own, their| weighting.total(own, their));
            entry
        };
        Self { weighting, table, entries: (0..).zip(&points).map(entry).collect(), points, ranks }
    }

    fn config(&self) -> Weighting {
        self.weighting
    }

    #[inline]
    fn push(&mut self, delta: Delta<'_>, (): ()) {
        self.take(delta.point);
        self.follow(delta.windows, |change| (change.old, change.new));
    }

    #[inline]
    fn pop(&mut self, delta: Delta<'_>) {
        self.follow(delta.windows, |change| (change.new, change.old));
        self.free(delta.point);
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

    /// Follows changed windows; `step` tells which way.
    #[inline]
    fn follow(&mut self, windows: &[WindowChange], step: impl Fn(&WindowChange) -> (LineWindow, LineWindow)) {
        // The weighting is asked once, so that each loop has one formula and the compiler can vectorise it.
        match self.weighting {
            Weighting::Shapes => self.follow_by(windows, step, |own, their| Weighting::Shapes.total(own, their)),
            Weighting::Windows => self.follow_by(windows, step, |own, their| Weighting::Windows.total(own, their)),
            Weighting::Grades => self.follow_by(windows, step, |own, their| Weighting::Grades.total(own, their)),
            Weighting::Decimal | Weighting::Counts | Weighting::Runs => {
                self.follow_by(windows, step, |own, their| i64::from(own) + i64::from(their));
            }
        }
    }

    #[inline]
    fn follow_by(
        &mut self,
        windows: &[WindowChange],
        step: impl Fn(&WindowChange) -> (LineWindow, LineWindow),
        total: impl Fn(u32, u32) -> i64,
    ) {
        for change in windows {
            let (old, new) = step(change);
            let (old, new) = (self.table[old.index()], self.table[new.index()]);
            let entry = &mut self.entries[self.ranks[change.point.index()] as usize];
            entry.sums = entry.sums.plus(new).minus(old);
            entry.settle(&total);
        }
    }

    /// Takes a point out of the choice: a stone or a wall stands there now.
    #[inline]
    fn take(&mut self, point: Point) {
        let rank = self.rank(point);
        self.entries[rank].rebase(-TAKEN);
    }

    /// Gives a point back to the choice.
    #[inline]
    fn free(&mut self, point: Point) {
        let rank = self.rank(point);
        self.entries[rank].rebase(TAKEN);
    }

    /// The weights of an empty point for a side, or `None` where the point is taken.
    pub fn weights(&self, point: Point, side: Color) -> Option<Weights> {
        let Entry { sums: Terms(sum), keys, .. } = self.entries[self.rank(point)];
        let key = keys[side];
        (key >= 0).then(|| Weights {
            attack: Weight(self.weighting.attack(sum[side.index()]).into()),
            defence: Weight(self.weighting.defence(sum[2 + side.index()]).into()),
            total: Weight(key >> RANK_BITS),
        })
    }

    /// The empty point with the greatest total for a side, the first by rank among equals; `None` when all are taken.
    pub fn greatest(&self, side: Color) -> Option<Point> {
        let key = greatest_of(&self.entries, side);
        (key >= 0).then(|| self.point(key))
    }

    /// The empty points from the greatest total to the least for a side, equals by rank. Sorts: some microseconds.
    pub fn ranking(&self, side: Color) -> Vec<Point> {
        let mut keys: Vec<_> = self.entries.iter().map(|entry| entry.keys[side]).filter(|&key| key >= 0).collect();
        keys.sort_unstable_by_key(|&key| std::cmp::Reverse(key));
        keys.into_iter().map(|key| self.point(key)).collect()
    }

    #[inline]
    fn rank(&self, point: Point) -> usize {
        self.ranks[point.index()] as usize
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
