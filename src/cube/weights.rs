//! [`Weights`]: the documented weights of the cube, kept up to date as stones are placed and removed.
//!
//! The document is the second part of a Chinese tutorial on four in a row in a cube ("a beginner's tutorial on an AI for
//! three-dimensional four in a row, 2: the evaluation function", March 2018). The value of a line to a side:
//!
//! ```text
//! stones of the side  0   1    2      3       4      and 0 with a stone of the other side
//! value               1   5  100  5,000 100,000
//! ```
//!
//! The position value of a side is the sum over all 76 lines. The point value of a cell is the sum over the four or seven
//! lines through it. The document's code lists some diagonals twice and omits others; here every line counts once.

use super::board::Position;
use super::geometry::{CELLS, Cell, LINE_CELLS, LINES, LINES_THROUGH};
use crate::board::{ByColor, Color};

/// The value of a line to a side by the number of its stones, if the other side has none on it.
pub const LINE_VALUES: [i32; 5] = [1, 5, 100, 5_000, 100_000];

/// The sums of the weights over a position.
///
/// A stone changes the values of the lines through its cell for both sides, and the point values of the cells on those
/// lines: at most 7 × 2 × 4 additions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// The stones of each color in each line.
    stones: [ByColor<u8>; LINES],
    points: ByColor<[i32; CELLS]>,
    totals: ByColor<i32>,
}

impl Weights {
    /// Sums the weights of a position from scratch.
    pub fn new(position: &Position) -> Self {
        let through = LINES_THROUGH.map(|lines| lines.len() as i32 * LINE_VALUES[0]);
        let (points, totals) = (ByColor([through; 2]), ByColor([LINES as i32 * LINE_VALUES[0]; 2]));
        let mut weights = Self { stones: [ByColor([0; 2]); LINES], points, totals };
        for color in Color::ALL {
            position.stones(color).for_each(|cell| weights.add(cell, color));
        }
        weights
    }

    /// The position value of a side.
    pub fn total(&self, side: Color) -> i32 {
        self.totals[side]
    }

    /// The point value of a cell for a side.
    pub fn point(&self, cell: Cell, side: Color) -> i32 {
        self.points[side][cell.index()]
    }

    /// The point values of both sides together.
    pub fn both(&self, cell: Cell) -> i32 {
        self.point(cell, Color::Black) + self.point(cell, Color::White)
    }

    /// Adds a stone.
    pub fn add(&mut self, cell: Cell, color: Color) {
        self.change(cell, color, |stones| stones + 1);
    }

    /// Removes a stone.
    pub fn remove(&mut self, cell: Cell, color: Color) {
        self.change(cell, color, |stones| stones - 1);
    }

    fn change(&mut self, cell: Cell, color: Color, count: impl Fn(u8) -> u8) {
        for line in LINES_THROUGH[cell.index()] {
            let before = self.stones[line];
            self.stones[line][color] = count(before[color]);
            let after = self.stones[line];
            for side in Color::ALL {
                let difference = value(after, side) - value(before, side);
                if difference != 0 {
                    self.totals[side] += difference;
                    for cell in LINE_CELLS[line] {
                        self.points[side][cell.index()] += difference;
                    }
                }
            }
        }
    }
}

/// The value of a line to a side.
fn value(stones: ByColor<u8>, side: Color) -> i32 {
    if stones[!side] > 0 { 0 } else { LINE_VALUES[usize::from(stones[side])] }
}
