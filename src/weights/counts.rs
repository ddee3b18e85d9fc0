//! `counts`: the last article of "五子棋几种算法详解" (`FindQz`, w1 to w9).
//!
//! Scores the row that the stone would make on each axis. A row shorter than five with a closed end adds nothing (the
//! document compares the signed count, which is negative for it).

use super::Weight;
use super::cells::Rays;
use super::document::{Document, Term};
use crate::board::{Point, Size};

/// The weighting `counts`.
pub(super) struct Counts;

impl Document for Counts {
    const TITLE: &'static str = "五子棋几种算法详解, last article";

    /// w9: the malus of a point forbidden to black.
    const FORBIDDEN: Weight = Weight(-100_000_000);

    #[inline]
    fn term(rays: Rays) -> Term {
        let row = rays.row_after();
        let (own, their) = match (row.length, row.open_ends) {
            (5.., _) => (10_000_000, 50_000),
            (4, 2) => (10_000, 5_000),
            (3, 2) => (1_000, 500),
            (2, 2) => (100, 50),
            _ => (0, 0),
        };
        Term { own, their }
    }

    /// One for the centre point of an odd board.
    fn bias(point: Point, size: Size) -> u32 {
        u32::from(size.side() % 2 == 1 && point == size.centre())
    }
}
