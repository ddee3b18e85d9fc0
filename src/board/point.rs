//! Places on a board: [`Size`], [`Point`], and the [`Symmetry`] of a square.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use thiserror::Error;

use super::Direction;

/// The greatest side of a board, and the distance between two rows in every array that a [`Point`] indexes.
pub const STRIDE: usize = 32;

/// Number of slots in an array indexed by [`Point::index`].
pub const POINT_SLOTS: usize = STRIDE * STRIDE;

/// The side of a square board, 5 to 32 points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Size(u8);

impl Size {
    /// The smallest board: the smallest on which five in a row exist.
    pub const MIN: u8 = 5;
    /// The largest board: a row of stones fits one 32-bit word.
    pub const MAX: u8 = STRIDE as u8;
    /// The board of renju and of most leagues.
    pub const FIFTEEN: Self = Self(15);
    /// The board of Gomocup's freestyle league.
    pub const TWENTY: Self = Self(20);

    /// The size with this side, or `None` outside 5..=32.
    pub const fn new(side: u8) -> Option<Self> {
        if side >= Self::MIN && side <= Self::MAX { Some(Self(side)) } else { None }
    }

    /// The number of points along one side.
    pub const fn side(self) -> u8 {
        self.0
    }

    /// The number of points on the board.
    pub const fn area(self) -> usize {
        self.0 as usize * self.0 as usize
    }

    /// Whether the point lies on a board of this size.
    pub const fn contains(self, point: Point) -> bool {
        point.x() < self.0 && point.y() < self.0
    }

    /// The point at these coordinates if they lie on the board.
    pub const fn point(self, x: u8, y: u8) -> Option<Point> {
        if x < self.0 && y < self.0 { Point::new(x, y) } else { None }
    }

    /// The centre (天元); on an even board the point (side / 2, side / 2).
    pub const fn centre(self) -> Point {
        let middle = self.0 / 2;
        match Point::new(middle, middle) {
            Some(point) => point,
            None => unreachable!(),
        }
    }

    /// Every point, row by row: (0,0), (1,0), …
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.0).flat_map(move |y| (0..self.0).filter_map(move |x| Point::new(x, y)))
    }
}

/// Error returned when a text is not a board size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("unsupported board size, expected {} to {}", Size::MIN, Size::MAX)]
pub struct SizeError;

impl FromStr for Size {
    type Err = SizeError;

    fn from_str(text: &str) -> Result<Self, SizeError> {
        text.parse().ok().and_then(Self::new).ok_or(SizeError)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A point of the board: the same value on any size, and `Option<Point>` is no larger.
///
/// `x` counts from the left and `y` from the top, both from zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(NonZeroU16);

const _: () = assert!(size_of::<Option<Point>>() == size_of::<Point>());

impl Point {
    /// The point at these coordinates, or `None` if one of them is 32 or more.
    pub const fn new(x: u8, y: u8) -> Option<Self> {
        if x as usize >= STRIDE || y as usize >= STRIDE {
            return None;
        }
        match NonZeroU16::new(1 + y as u16 * STRIDE as u16 + x as u16) {
            Some(code) => Some(Self(code)),
            None => None,
        }
    }

    /// The point with this [`index`](Self::index), or `None` if it is out of range.
    pub const fn from_index(index: usize) -> Option<Self> {
        if index >= POINT_SLOTS {
            return None;
        }
        match NonZeroU16::new(1 + index as u16) {
            Some(code) => Some(Self(code)),
            None => None,
        }
    }

    /// The point with this [`index`](Self::index) modulo [`POINT_SLOTS`].
    #[inline]
    pub(crate) const fn from_index_wrapping(index: usize) -> Self {
        match Self::from_index(index % POINT_SLOTS) {
            Some(point) => point,
            None => unreachable!(),
        }
    }

    /// The column, counted from the left.
    pub const fn x(self) -> u8 {
        (self.index() % STRIDE) as u8
    }

    /// The row, counted from the top.
    pub const fn y(self) -> u8 {
        (self.index() / STRIDE) as u8
    }

    /// The slot in an array of [`POINT_SLOTS`]: 32 · y + x.
    pub const fn index(self) -> usize {
        // The mask does not change the value. It lets the compiler remove bounds checks.
        (self.0.get() as usize - 1) & (POINT_SLOTS - 1)
    }

    /// The point `distance` steps along `direction` (negative: against it) on a board of this size.
    pub const fn step(self, direction: Direction, distance: i8, size: Size) -> Option<Self> {
        let (dx, dy) = direction.delta();
        let x = self.x() as i8 + dx * distance;
        let y = self.y() as i8 + dy * distance;
        if x < 0 || y < 0 {
            return None;
        }
        size.point(x as u8, y as u8)
    }

    /// The distance in king's moves.
    pub const fn distance(self, other: Self) -> u8 {
        let dx = self.x().abs_diff(other.x());
        let dy = self.y().abs_diff(other.y());
        if dx > dy { dx } else { dy }
    }
}

/// The coordinates, `x,y`.
impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x(), self.y())
    }
}

/// The eight rotations and reflections of a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All eight. The first is the identity.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..8).map(Self)
    }

    /// The image of a point of a board of this size.
    pub fn apply(self, point: Point, size: Size) -> Point {
        // Twice the distance from the middle of the board, which may lie between two points.
        let last = size.side() as i8 - 1;
        let from_middle = |place: u8| 2 * place as i8 - last;
        let (x, y) = self.apply_to_step((from_middle(point.x()), from_middle(point.y())));
        let place = |from_middle: i8| ((from_middle + last) / 2) as u8;
        size.point(place(x), place(y)).unwrap_or(point)
    }

    /// The symmetry that moves no point.
    pub const fn identity() -> Self {
        Self(0)
    }

    /// The symmetry that reverses this one.
    #[must_use]
    pub const fn inverse(self) -> Self {
        // With the diagonal last, the two reflections change places.
        if self.0 & 4 == 0 { self } else { Self(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1) }
    }

    /// The image of a step between two points, (x, y).
    pub(crate) const fn apply_to_step(self, (mut x, mut y): (i8, i8)) -> (i8, i8) {
        if self.0 & 1 != 0 {
            x = -x;
        }
        if self.0 & 2 != 0 {
            y = -y;
        }
        if self.0 & 4 != 0 { (y, x) } else { (x, y) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_has_its_coordinates_and_its_index() {
        let size = Size::new(Size::MAX).unwrap();
        for point in size.points() {
            assert_eq!(size.point(point.x(), point.y()), Some(point));
            assert_eq!(Point::from_index(point.index()), Some(point));
        }
        assert_eq!(Point::from_index(POINT_SLOTS), None);
    }

    #[test]
    fn the_centre_of_an_even_board_is_right_of_and_below_its_middle() {
        assert_eq!(Point::new(7, 7), Some(Size::FIFTEEN.centre()));
        assert_eq!(Point::new(10, 10), Some(Size::TWENTY.centre()));
    }

    #[test]
    fn the_inverse_of_a_symmetry_reverses_it() {
        for (symmetry, point) in Symmetry::all().flat_map(|symmetry| Size::TWENTY.points().map(move |p| (symmetry, p)))
        {
            let image = symmetry.apply(point, Size::TWENTY);
            assert_eq!(symmetry.inverse().apply(image, Size::TWENTY), point, "{symmetry:?}");
        }
    }

    #[test]
    fn the_eight_symmetries_differ() {
        let point = Size::FIFTEEN.point(3, 5).unwrap();
        let mut images: Vec<_> = Symmetry::all().map(|symmetry| symmetry.apply(point, Size::FIFTEEN)).collect();
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
