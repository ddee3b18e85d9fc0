//! `windows`: the *winning combinations*, the five-cell spans that are still open to a side.
//!
//! Geometry of "五子棋几种算法详解", algorithm one (a 10 × 10 board has 192 combinations), with the numbers of the code
//! of "新手立体四子棋AI教程(2)". Total is the greater of attack and defence: "the higher of the two is the machine's
//! next move".

use super::Term;
use crate::threat::{Cell, LineWindow};

/// What a combination adds, by the side's stones in it.
const COMBINATION: [u32; 5] = [1, 5, 100, 5000, 100_000];

pub(super) fn term(window: LineWindow) -> Term {
    let span = |first: i8| {
        let mut stones = 0;
        for distance in first..=first + 4 {
            match window.cell(distance) {
                Cell::Own => stones += 1,
                Cell::Opponent | Cell::Off => return 0,
                Cell::Empty => {}
            }
        }
        COMBINATION[stones]
    };
    let weight = (-4..=0).map(span).sum();
    Term { own: weight, their: weight }
}
