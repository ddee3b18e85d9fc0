//! `grades`: the best row that the stone would make on the four axes, from the list 五子 100 … 单子 0 of "五子棋几种算法详解".
//!
//! Attack is the grade plus one ("and the score obtained is increased by one"), defence the grade. Total is the greater
//! of the two: 将所有的分值汇总。取最高分作为这个位置的估分, "gather all the scores; take the highest as the estimate of this place". So an
//! own five, 101, comes before the other side's, 100.

use super::cells::Rays;
use super::document::{Document, Term};

/// The grades by rank. A term counts the axes of each rank in its own four bits, so the highest bit of a sum gives
/// the best grade.
const GRADES: [u32; 8] = [0, 30, 40, 50, 60, 70, 80, 100];
const RANK_BITS: u32 = 4;

/// The weighting `grades`.
pub(super) struct Grades;

impl Document for Grades {
    const TITLE: &'static str = "五子棋几种算法详解, the list of grades";

    #[inline]
    fn term(rays: Rays) -> Term {
        let row = rays.row_after();
        let rank = match (row.length, row.open_ends) {
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
    fn attack(sum: u32) -> u32 {
        grade(sum) + 1
    }

    #[inline]
    fn defence(sum: u32) -> u32 {
        grade(sum)
    }

    #[inline]
    fn total(attack: u32, defence: u32) -> i64 {
        attack.max(defence).into()
    }
}

/// The grade of the highest rank in a sum.
#[inline]
fn grade(sum: u32) -> u32 {
    GRADES[(u32::BITS - sum.leading_zeros()).div_ceil(RANK_BITS) as usize % GRADES.len()]
}
