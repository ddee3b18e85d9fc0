//! [`Color`]: black and white, and arrays that they index.

use std::ops::{Index, IndexMut, Not};

use strum::{Display, EnumString, VariantNames};

use crate::text::UnknownName;

/// The color of a stone. Black has the first move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownName, parse_err_fn = unknown_color)]
pub enum Color {
    /// Moves first, and has forbidden points in renju.
    Black,
    /// Moves second.
    White,
}

fn unknown_color(_: &str) -> UnknownName {
    UnknownName::of::<Color>("color")
}

impl Color {
    /// Black, white.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// The side to move after this number of moves.
    pub const fn after(moves: usize) -> Self {
        Self::ALL[moves % 2]
    }

    /// 0 for black, 1 for white.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }
}

/// One value for each color, indexed by [`Color`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ByColor<T>(pub [T; 2]);

impl<T> Index<Color> for ByColor<T> {
    type Output = T;

    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}
