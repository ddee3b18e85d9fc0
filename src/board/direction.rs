//! [`Direction`]: the four directions of rows, and arrays that they index.

use std::ops::{Index, IndexMut};

use strum::Display;

/// The four directions in which a row can lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display)]
#[strum(serialize_all = "lowercase")]
pub enum Direction {
    /// Along a row: x grows.
    Horizontal,
    /// Along a column: y grows.
    Vertical,
    /// x and y grow together.
    Diagonal,
    /// x grows while y falls.
    Antidiagonal,
}

impl Direction {
    /// All four, in the order of [`Direction::index`].
    pub const ALL: [Self; 4] = [Self::Horizontal, Self::Vertical, Self::Diagonal, Self::Antidiagonal];

    /// The change of (x, y) per step.
    pub const fn delta(self) -> (i8, i8) {
        match self {
            Self::Horizontal => (1, 0),
            Self::Vertical => (0, 1),
            Self::Diagonal => (1, 1),
            Self::Antidiagonal => (1, -1),
        }
    }

    /// 0..=3.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// One value for each direction, indexed by [`Direction`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByDirection<T>(pub [T; 4]);

impl<T> Index<Direction> for ByDirection<T> {
    type Output = T;

    fn index(&self, direction: Direction) -> &T {
        &self.0[direction.index()]
    }
}

impl<T> IndexMut<Direction> for ByDirection<T> {
    fn index_mut(&mut self, direction: Direction) -> &mut T {
        &mut self.0[direction.index()]
    }
}
