//! [`Stones`]: up to twelve points in playing order, as a `Copy` value.

use std::fmt;

use crate::board::Point;
use crate::notation::Comma;
use crate::text::write_joined;

/// Maximum number of stones of an answer: black's fifth moves under Yamaguchi's rule.
pub const MOST_STONES: usize = 12;

/// Up to twelve points in playing order.
///
/// ```
/// use tengen::board::Size;
/// use tengen::opening::Stones;
///
/// let stones: Stones = Size::FIFTEEN.points().take(2).collect();
/// assert_eq!((stones.len(), stones.to_string().as_str()), (2, "0,0 1,0"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stones {
    points: [Option<Point>; MOST_STONES],
}

impl Stones {
    /// No stones.
    pub const NONE: Self = Self { points: [None; MOST_STONES] };

    /// The stones in their order.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.points.iter().map_while(|point| *point)
    }

    /// The number of stones.
    pub fn len(&self) -> usize {
        self.iter().count()
    }

    /// Whether there are no stones.
    pub const fn is_empty(&self) -> bool {
        self.points[0].is_none()
    }

    /// Whether one of the stones lies on this point.
    pub fn contains(&self, point: Point) -> bool {
        self.iter().any(|other| other == point)
    }
}

/// The first twelve of the points.
impl FromIterator<Point> for Stones {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut stones = Self::NONE;
        stones.points.iter_mut().zip(points).for_each(|(slot, point)| *slot = Some(point));
        stones
    }
}

impl fmt::Debug for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{self}]")
    }
}

/// `7,7 7,6 8,5`.
impl fmt::Display for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(f, " ", self.iter().map(Comma))
    }
}
