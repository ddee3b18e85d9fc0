//! [`Sums`]: the weights of one weighting at every point, moved with the windows.

use super::{Terms, Weight, Weighting, Weights};
use crate::board::{Board, ByColor, Color, Direction, POINT_SLOTS, Point};
use crate::threat::{Change, ThreatCache};

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
#[derive(Clone)]
pub struct Sums {
    weighting: Weighting,
    table: &'static [Terms],
    /// Points by rank.
    points: Box<[Point]>,
    /// Ranks by [`Point::index`].
    ranks: Box<[u16; POINT_SLOTS]>,
    /// Entries by rank.
    entries: Box<[Entry]>,
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

impl Sums {
    /// The sums of a position, from scratch. Fills the table of the weighting at its first use (some tens of milliseconds).
    pub fn new(weighting: Weighting, board: &Board, cache: &ThreatCache) -> Self {
        let size = board.size();
        let mut points: Box<[Point]> = size.points().collect();
        points.sort_by_key(|point| {
            let from_middle = |coordinate: u8| 2 * i32::from(coordinate) - i32::from(size.side() - 1);
            (from_middle(point.x()).pow(2) + from_middle(point.y()).pow(2), point.y(), point.x())
        });
        let mut ranks = Box::new([0; POINT_SLOTS]);
        for (rank, point) in points.iter().enumerate() {
            ranks[point.index()] = rank as u16;
        }
        let table = weighting.table();
        let entry = |(rank, &point): (i64, &Point)| {
            let bias = weighting.bias(point, size);
            let terms = Direction::ALL.map(|direction| table[cache.window(point, direction).index()]);
            let sums = terms.into_iter().fold(Terms([bias, bias, 0, 0]), Terms::plus);
            let base = LAST_RANK - rank - if board.is_empty(point) { 0 } else { TAKEN };
            let mut entry = Entry { sums, base, keys: ByColor::default() };
            entry.settle(|own, their| weighting.total(own, their));
            entry
        };
        Self { weighting, table, entries: (0..).zip(&points).map(entry).collect(), points, ranks }
    }

    /// The weighting.
    pub const fn weighting(&self) -> Weighting {
        self.weighting
    }

    /// Follows changed windows.
    pub fn follow(&mut self, changes: &[Change]) {
        // The weighting is asked once, so that each loop has one formula and the compiler can vectorise it.
        match self.weighting {
            Weighting::Shapes => self.follow_by(changes, |own, their| Weighting::Shapes.total(own, their)),
            Weighting::Windows => self.follow_by(changes, |own, their| Weighting::Windows.total(own, their)),
            Weighting::Grades => self.follow_by(changes, |own, their| Weighting::Grades.total(own, their)),
            Weighting::Decimal | Weighting::Counts | Weighting::Runs => {
                self.follow_by(changes, |own, their| i64::from(own) + i64::from(their));
            }
        }
    }

    #[inline]
    fn follow_by(&mut self, changes: &[Change], total: impl Fn(u32, u32) -> i64) {
        for change in changes {
            let (old, new) = (self.table[change.old.index()], self.table[change.new.index()]);
            let entry = &mut self.entries[self.ranks[change.point.index()] as usize];
            entry.sums = entry.sums.plus(new).minus(old);
            entry.settle(&total);
        }
    }

    /// Takes a point out of the choice: a stone or a wall stands there now.
    #[inline]
    pub fn take(&mut self, point: Point) {
        let rank = self.rank(point);
        self.entries[rank].rebase(-TAKEN);
    }

    /// Gives a point back to the choice.
    #[inline]
    pub fn free(&mut self, point: Point) {
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

    /// Whether these are the sums that [`new`](Self::new) would make; slow, for tests and debug builds.
    pub fn agrees_with(&self, board: &Board, cache: &ThreatCache) -> bool {
        let fresh = Self::new(self.weighting, board, cache);
        self.entries == fresh.entries
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
