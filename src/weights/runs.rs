//! `runs`: "五子棋简易AI算法". Each of the eight rays adds by the unbroken run of the side's stones that begins beside
//! the point. A run is live if the cell after it is empty, and dead if that cell is blocked.

use super::cells::{Cells, Rays};
use super::document::{Document, Term};

/// Weights by the length of a run with an empty cell after it. Longer runs add nothing.
const LIVE: [u32; 5] = [0, 50, 150, 500, 3000];
/// Weights by the length of a run with a blocked cell after it.
const DEAD: [u32; 5] = [0, 30, 90, 300, 3000];

/// The weighting `runs`.
pub(super) struct Runs;

impl Document for Runs {
    const TITLE: &'static str = "五子棋简易AI算法";

    #[inline]
    fn term(rays: Rays) -> Term {
        let weight = ray(rays.forward) + ray(rays.backward);
        Term { own: weight, their: weight }
    }
}

#[inline]
fn ray(cells: Cells) -> u32 {
    let length = cells.run();
    let weights = if cells.is_open_behind(length) { LIVE } else { DEAD };
    weights.get(length as usize).copied().unwrap_or(0)
}
