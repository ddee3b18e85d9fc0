//! Bitboards: [`PointSet`], a set of points, and [`Rows`], the same set as words along all four directions.

use std::sync::OnceLock;

use super::{Direction, Point, STRIDE, Size};

/// A set of points, one bit each.
///
/// ```text
///         bit 0 1 2 3 …            words[y] bit x  =  the point (x, y)
/// words[0]    . . . .
/// words[1]    . . 1 .   ← (2, 1)
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointSet([u32; STRIDE]);

impl Default for PointSet {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl PointSet {
    /// The empty set.
    pub const EMPTY: Self = Self([0; STRIDE]);

    /// Every point of a board.
    pub fn all(size: Size) -> Self {
        let side = size.side() as usize;
        let mut words = [0; STRIDE];
        words[..side].fill(low_bits(side));
        Self(words)
    }

    /// Whether the point is in the set.
    pub const fn contains(&self, point: Point) -> bool {
        self.0[point.y() as usize] >> point.x() & 1 != 0
    }

    /// Adds a point.
    pub const fn insert(&mut self, point: Point) {
        self.0[point.y() as usize] |= 1 << point.x();
    }

    /// Removes a point.
    pub const fn remove(&mut self, point: Point) {
        self.0[point.y() as usize] &= !(1 << point.x());
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The points that both sets contain.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|y| self.0[y] & other.0[y]))
    }

    /// The points of either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|y| self.0[y] | other.0[y]))
    }

    /// The points of the set and their neighbours: all points up to two king's moves away, and the points three steps
    /// away along the eight rays. Some may lie off the board.
    ///
    /// ```text
    /// * . . * . . *
    /// . * * * * * .
    /// . * * * * * .
    /// * * * X * * *
    /// . * * * * * .
    /// . * * * * * .
    /// * . . * . . *
    /// ```
    #[must_use]
    pub fn neighbourhood(&self) -> Self {
        let row = |y: usize, dy: isize| y.checked_add_signed(dy).and_then(|y| self.0.get(y)).copied().unwrap_or(0);
        let beside = |word: u32, steps: u32| word << steps | word >> steps;
        Self(std::array::from_fn(|y| {
            let square = (-2..=2).fold(0, |word, dy| word | row(y, dy));
            let far = row(y, -3) | row(y, 3);
            square | beside(square, 1) | beside(square, 2) | beside(self.0[y], 3) | far | beside(far, 3)
        }))
    }

    /// The points row by row: y, then x.
    pub const fn iter(&self) -> Points {
        Points { words: self.0, y: 0 }
    }
}

/// The points of a [`PointSet`] row by row: y, then x.
#[derive(Clone, Debug)]
pub struct Points {
    /// The points not yet visited.
    words: [u32; STRIDE],
    /// The first row that may still hold points.
    y: usize,
}

impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        while let Some(word) = self.words.get_mut(self.y) {
            if *word != 0 {
                let x = word.trailing_zeros();
                *word &= *word - 1;
                return Point::new(x as u8, self.y as u8);
            }
            self.y += 1;
        }
        None
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::EMPTY;
        set.extend(points);
        set
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        points.into_iter().for_each(|point| self.insert(point));
    }
}

/// A set of points as words along each of the four directions, so that any line is one word.
///
/// The bit grows by one with each step along the direction. Lines are numbered
///
/// ```text
/// horizontal    line y            bit x
/// vertical      line x            bit y
/// diagonal      line x − y + 31   bit x
/// antidiagonal  line x + y        bit x
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows([[u32; LINES]; 4]);

/// Lines of one direction: 63 diagonals on the largest board, rounded up.
const LINES: usize = 64;

impl Rows {
    /// The empty set.
    pub const EMPTY: Self = Self([[0; LINES]; 4]);

    /// Every point of a board.
    pub fn all(size: Size) -> Self {
        static BOARDS: [OnceLock<Rows>; Size::MAX as usize + 1] = [const { OnceLock::new() }; Size::MAX as usize + 1];
        let board = BOARDS[size.side() as usize].get_or_init(|| {
            let mut rows = Self::EMPTY;
            size.points().for_each(|point| rows.insert(point));
            rows
        });
        board.clone()
    }

    /// Adds a point to its four lines.
    pub fn insert(&mut self, point: Point) {
        for direction in Direction::ALL {
            let (line, bit) = place(point, direction);
            self.0[direction.index()][line] |= 1 << bit;
        }
    }

    /// Removes a point from its four lines.
    pub fn remove(&mut self, point: Point) {
        for direction in Direction::ALL {
            let (line, bit) = place(point, direction);
            self.0[direction.index()][line] &= !(1 << bit);
        }
    }

    /// Moves a point of this set, on its four lines, to another set.
    #[inline]
    pub(crate) fn move_to(&mut self, other: &mut Self, point: Point) {
        for direction in Direction::ALL {
            let (line, bit) = place(point, direction);
            self.0[direction.index()][line] &= !(1 << bit);
            other.0[direction.index()][line] |= 1 << bit;
        }
    }

    /// Whether the point is in the set.
    pub const fn contains(&self, point: Point) -> bool {
        self.0[0][point.y() as usize] >> point.x() & 1 != 0
    }

    /// The line through a point: bit [`bit`] of the word is the point itself.
    pub fn line(&self, point: Point, direction: Direction) -> u32 {
        self.0[direction.index()][place(point, direction).0]
    }

    /// The same set as a [`PointSet`].
    pub fn set(&self) -> PointSet {
        let mut words = [0; STRIDE];
        words.copy_from_slice(&self.0[Direction::Horizontal.index()][..STRIDE]);
        PointSet(words)
    }
}

/// The bit of a point in its line.
pub const fn bit(point: Point, direction: Direction) -> u32 {
    place(point, direction).1
}

/// The line of a point in a direction, and its bit there.
const fn place(point: Point, direction: Direction) -> (usize, u32) {
    let (x, y) = (point.x() as usize, point.y() as usize);
    match direction {
        Direction::Horizontal => (y, x as u32),
        Direction::Vertical => (x, y as u32),
        Direction::Diagonal => (x + (STRIDE - 1) - y, x as u32),
        Direction::Antidiagonal => (x + y, x as u32),
    }
}

/// A word with the lowest `count` bits set, at most 32.
const fn low_bits(count: usize) -> u32 {
    ((1u64 << count) - 1) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_along_any_direction_is_the_next_bit_of_the_same_line() {
        let size = Size::new(Size::MAX).unwrap();
        for direction in Direction::ALL {
            for point in size.points() {
                if let Some(next) = point.step(direction, 1, size) {
                    let ((line, bit), (next_line, next_bit)) = (place(point, direction), place(next, direction));
                    assert_eq!((next_line, next_bit), (line, bit + 1));
                }
            }
        }
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let size = Size::TWENTY;
        let all = PointSet::all(size);
        assert_eq!(all.iter().collect::<Vec<_>>(), size.points().collect::<Vec<_>>());
        assert_eq!(Rows::all(size).set(), all);
        let mut rows = Rows::all(size);
        let mut set = all;
        for point in size.points().step_by(3) {
            rows.remove(point);
            set.remove(point);
            assert!(!rows.contains(point) && !set.contains(point));
        }
        assert_eq!(rows.set(), set);
        assert_eq!(set.len(), set.iter().count());
        assert_eq!(set, set.iter().collect());
    }

    #[test]
    fn the_neighbourhood_is_two_steps_any_way_and_three_along_rays() {
        let size = Size::TWENTY;
        for stone in [(0, 0), (9, 9), (18, 3)].map(|(x, y)| size.point(x, y).unwrap()) {
            let near = PointSet::from_iter([stone]).neighbourhood();
            for point in size.points() {
                let (dx, dy) = (point.x().abs_diff(stone.x()), point.y().abs_diff(stone.y()));
                let on_ray = dx == dy || dx == 0 || dy == 0;
                let distance = point.distance(stone);
                assert_eq!(near.contains(point), distance <= 2 || distance == 3 && on_ray, "{stone:?} {point:?}");
            }
        }
    }
}
