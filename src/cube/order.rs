//! [`MoveWorth`]: the order of quiet moves in the search and in the proof.

use super::board::Position;
use super::geometry::{Cell, LINES_THROUGH};

/// The worth of a line with 0, 1 and 2 stones of the side to move, to a move on it. Hand-set: it changes the order of
/// moves, and never a proof.
const OWN_LINE: [u32; 3] = [2, 9, 12];

/// The worth of a line with 0, 1 and 2 stones of the other side, to a move that blocks it. Hand-set likewise.
const OTHER_LINE: [u32; 3] = [1, 4, 9];

/// The lines of a position by owner and number of stones.
pub(super) struct MoveWorth {
    own: [u128; 3],
    other: [u128; 3],
}

impl MoveWorth {
    /// The lines as the side to move sees them.
    pub(super) fn new(position: &Position) -> Self {
        let lines = |color| std::array::from_fn(|stones| position.lines_of(color, stones).0);
        Self { own: lines(position.turn()), other: lines(!position.turn()) }
    }

    /// The worth of a move: the sum over the lines through its cell.
    pub(super) fn of(&self, cell: Cell) -> u32 {
        let through = LINES_THROUGH[cell.index()].0;
        let sum = |lines: &[u128; 3], worth: &[u32; 3]| -> u32 {
            std::iter::zip(lines, worth).map(|(lines, worth)| (lines & through).count_ones() * worth).sum()
        };
        sum(&self.own, &OWN_LINE) + sum(&self.other, &OTHER_LINE)
    }
}
