//! [`Sums`]: the weights of one book at every point, moved with the windows.

use super::{Book, Terms, Weight, Weights};
use crate::board::{Board, ByColor, Color, Direction, POINT_SLOTS, Point};
use crate::threat::{Change, ThreatCache};

/// Attack and defence of every point for both colors, and the totals of the empty ones.
///
/// Totals lie in the order in which ties are broken, so the picker takes the first greatest of one array:
///
/// ```text
/// rank      0       1       2      …            ranks of a 5 × 5 board:   20  12   9  13  21
/// point    c3      c2      b3      …            nearest the middle,       14   5   1   6  15
/// black   1200     750    (stone)  …            then the lesser y,        10   2   0   3  11
/// white    900    2400    (stone)  …            then the lesser x         16   7   4   8  17
///                                                                         22  18  19  …
/// ```
#[derive(Clone)]
pub struct Sums {
    book: Book,
    table: &'static [Terms],
    /// Points by rank.
    points: Box<[Point]>,
    /// Ranks by [`Point::index`].
    ranks: Box<[u16; POINT_SLOTS]>,
    /// Sums of the four terms by rank, in the order of [`Terms`].
    sums: Box<[[i64; 4]]>,
    /// Totals by rank for the color to move; [`TAKEN`] where the point is not empty.
    totals: ByColor<Box<[i64]>>,
}

/// Less than any total.
const TAKEN: i64 = i64::MIN;

impl Sums {
    /// The sums of a position, from scratch. Fills the table of the book at its first use (some tens of milliseconds).
    pub fn new(book: Book, board: &Board, cache: &ThreatCache) -> Self {
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
        let blank = vec![TAKEN; size.area()].into_boxed_slice();
        let mut sums = Self {
            book,
            table: book.table(),
            sums: vec![[0; 4]; size.area()].into_boxed_slice(),
            totals: ByColor([blank.clone(), blank]),
            points,
            ranks,
        };
        for point in size.points() {
            let bias = book.bias(point, size);
            let mut sum = [bias, bias, 0, 0];
            for direction in Direction::ALL {
                let terms = sums.table[cache.window(point, direction).index()].0;
                sum.iter_mut().zip(terms).for_each(|(sum, term)| *sum += i64::from(term));
            }
            sums.sums[sums.rank(point)] = sum;
            if board.is_empty(point) {
                sums.free(point);
            }
        }
        sums
    }

    /// The book.
    pub const fn book(&self) -> Book {
        self.book
    }

    /// Follows one changed window.
    #[inline]
    pub fn follow(&mut self, change: &Change) {
        let rank = self.rank(change.point);
        let (old, new) = (self.table[change.old.index()].0, self.table[change.new.index()].0);
        let sum = &mut self.sums[rank];
        for slot in 0..4 {
            sum[slot] += i64::from(new[slot]) - i64::from(old[slot]);
        }
        if self.totals[Color::Black][rank] != TAKEN {
            self.settle(rank);
        }
    }

    /// Takes a point out of the choice: a stone or a wall stands there now.
    #[inline]
    pub fn take(&mut self, point: Point) {
        let rank = self.rank(point);
        for color in Color::ALL {
            self.totals[color][rank] = TAKEN;
        }
    }

    /// Gives a point back to the choice.
    pub fn free(&mut self, point: Point) {
        self.settle(self.rank(point));
    }

    /// The weights of an empty point for a side, or `None` where the point is taken.
    pub fn weights(&self, point: Point, side: Color) -> Option<Weights> {
        let rank = self.rank(point);
        let total = self.totals[side][rank];
        let sum = &self.sums[rank];
        (total != TAKEN).then(|| Weights {
            attack: Weight(self.book.attack(sum[side.index()])),
            defence: Weight(self.book.defence(sum[2 + side.index()])),
            total: Weight(total),
        })
    }

    /// The empty point with the greatest total for a side, the first by rank among equals; `None` when all are taken.
    pub fn greatest(&self, side: Color) -> Option<Point> {
        let totals = &self.totals[side];
        let greatest = greatest_of(totals);
        if greatest == TAKEN {
            return None;
        }
        totals.iter().position(|&total| total == greatest).map(|rank| self.points[rank])
    }

    /// The empty points from the greatest total to the least for a side, equals by rank. Sorts: some microseconds.
    pub fn ranking(&self, side: Color) -> Vec<Point> {
        let totals = &self.totals[side];
        let mut ranks: Vec<_> = (0..totals.len()).filter(|&rank| totals[rank] != TAKEN).collect();
        ranks.sort_by_key(|&rank| (std::cmp::Reverse(totals[rank]), rank));
        ranks.into_iter().map(|rank| self.points[rank]).collect()
    }

    /// Whether these are the sums that [`new`](Self::new) would make; slow, for tests and debug builds.
    pub fn agrees_with(&self, board: &Board, cache: &ThreatCache) -> bool {
        let fresh = Self::new(self.book, board, cache);
        self.sums == fresh.sums && self.totals == fresh.totals
    }

    #[inline]
    fn rank(&self, point: Point) -> usize {
        self.ranks[point.index()] as usize
    }

    #[inline]
    fn settle(&mut self, rank: usize) {
        let sum = self.sums[rank];
        for color in Color::ALL {
            let (attack, defence) = (self.book.attack(sum[color.index()]), self.book.defence(sum[2 + color.index()]));
            self.totals[color][rank] = self.book.total(attack, defence);
        }
    }
}

/// The greatest of an array; four independent maxima let the processor overlap the comparisons.
#[inline]
fn greatest_of(totals: &[i64]) -> i64 {
    let mut lanes = [TAKEN; 4];
    let chunks = totals.chunks_exact(lanes.len());
    for &total in chunks.remainder() {
        lanes[0] = lanes[0].max(total);
    }
    for chunk in chunks {
        for (lane, &total) in lanes.iter_mut().zip(chunk) {
            *lane = (*lane).max(total);
        }
    }
    lanes.into_iter().fold(TAKEN, i64::max)
}
