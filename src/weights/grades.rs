//! `grades`: the best shape on the four axes, from the list 五子 100 … 单子 0 of "五子棋几种算法详解".
//!
//! Attack is the grade plus one ("and the score obtained is increased by one"), defence the grade.

use super::{RunAfter, Term};
use crate::threat::LineWindow;

/// The grades by rank. A term counts the axes of each rank in four bits of its own, so the highest bit of a sum tells
/// the best grade.
const GRADES: [u32; 8] = [0, 30, 40, 50, 60, 70, 80, 100];
const RANK_BITS: u32 = 4;

pub(super) fn term(window: LineWindow) -> Term {
    let run = RunAfter::of(window);
    let rank = match (run.length, run.open_ends) {
        (5.., _) => 7,
        (4, 2) => 6,
        (3, 2) => 5,
        (4, 1) => 4,
        (3, 1) => 3,
        (2, 2) => 2,
        (2, 1) => 1,
        _ => return Term::default(),
    };
    let one = 1 << (RANK_BITS * (rank - 1));
    Term { own: one, their: one }
}

#[inline]
pub(super) fn attack(sum: u32) -> u32 {
    defence(sum) + 1
}

#[inline]
pub(super) fn defence(sum: u32) -> u32 {
    GRADES[(u32::BITS - sum.leading_zeros()).div_ceil(RANK_BITS) as usize % GRADES.len()]
}
