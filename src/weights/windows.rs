//! `windows`: the *winning combinations*, the five-cell spans that are still open to a side.
//!
//! Geometry of "五子棋几种算法详解", algorithm one (a 10 × 10 board has 192 combinations), with the numbers of the code
//! of "新手立体四子棋AI教程(2)". Total is the greater of attack and defence: "the higher of the two is the machine's
//! next move".

use super::cells::Rays;
use super::document::{Document, Term};

/// What a combination adds, by the side's stones in it.
const COMBINATION: [u32; 5] = [1, 5, 100, 5000, 100_000];

/// The weighting `windows`.
pub(super) struct Windows;

impl Document for Windows {
    const TITLE: &'static str = "五子棋几种算法详解, algorithm one; numbers of 新手立体四子棋AI教程(2)";

    #[inline]
    fn term(rays: Rays) -> Term {
        let combination = |first| rays.forward.open_span(first).map_or(0, |stones| COMBINATION[stones]);
        let weight = (-4..=0).map(combination).sum();
        Term { own: weight, their: weight }
    }

    #[inline]
    fn total(attack: u32, defence: u32) -> i64 {
        attack.max(defence).into()
    }
}
