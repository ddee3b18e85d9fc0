//! `decimal`: every priority has a decimal digit of its own, so that a sum over four axes never reaches the next.
//!
//! By the run after, over the four axes. The greatest total, 4 · 10^9 + 4 · 10^8, does not fit 32 bits: the document's
//! remark on the width of its integer holds for one axis only.

use super::{RunAfter, Term};
use crate::threat::LineWindow;

pub(super) fn term(window: LineWindow) -> Term {
    let run = RunAfter::of(window);
    let (own, their) = match (run.length, run.open_ends) {
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
