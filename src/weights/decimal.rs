//! `decimal`: each priority has its own decimal digit, so a sum over four axes never reaches the next priority.
//!
//! Scores the row that the stone would make on each axis. The greatest total, 4 · 10^9 + 4 · 10^8, does not fit 32
//! bits: the document's remark on the width of its integer holds for one axis only.

use super::cells::Rays;
use super::document::{Document, Term};

/// The weighting `decimal`.
pub(super) struct Decimal;

impl Document for Decimal {
    const TITLE: &'static str = "an untitled article on a score whose decimal digits are priorities";

    #[inline]
    fn term(rays: Rays) -> Term {
        let row = rays.row_after();
        let (own, their) = match (row.length, row.open_ends) {
            (5.., _) => (1_000_000_000, 100_000_000),
            (4, 2) => (10_000_000, 100_000),
            (4, 1) => (1_000_000, 1_000),
            (3, 2) => (10_000, 0),
            (3, 1) => (100, 0),
            (2, 2) => (10, 0),
            (2, 1) => (1, 0),
            _ => (0, 0),
        };
        Term { own, their }
    }
}
