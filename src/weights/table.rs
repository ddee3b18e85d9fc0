//! [`TermTable`]: window → terms for both colors.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::cells::{HALVES, Halves};
use super::document::{Document, Term};
use crate::board::ByColor;
use crate::threat::LineWindow;

/// A sum of terms for one side: its attack in the low 32 bits, its defence in the high 32 bits.
///
/// Sums are added and subtracted as whole numbers modulo 2^64. No attack and no defence reaches 2^32, so nothing is
/// carried from one to the other in a sum of four terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sum(u64);

impl Sum {
    #[inline]
    pub(super) const fn new(own: u32, their: u32) -> Self {
        Self(own as u64 | (their as u64) << 32)
    }

    /// The side's own terms: its attack.
    #[inline]
    pub(super) const fn own(self) -> u32 {
        self.0 as u32
    }

    /// The other side's terms: the side's defence.
    #[inline]
    pub(super) const fn their(self) -> u32 {
        (self.0 >> 32) as u32
    }

    #[inline]
    #[must_use]
    pub(super) const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    #[inline]
    #[must_use]
    pub(super) const fn minus(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

/// The terms of every window for both colors, as black sees the windows.
///
/// ```text
/// window ─► row, 2 bytes (265 KB in all) ─► black's terms, white's terms, 16 bytes
/// ```
///
/// Few rows are different, and fewer are common, so they stay in the first-level cache and all in the second-level.
pub(super) struct TermTable {
    /// The number of a row, by the number of the window.
    numbers: Box<[u16]>,
    rows: Vec<ByColor<Sum>>,
}

impl TermTable {
    /// The terms of a document: one to two milliseconds.
    pub(super) fn fill<D: Document>() -> Self {
        let halves = Halves::new();
        let mut terms = Distinct::default();
        let mut by_window = vec![0; LineWindow::COUNT];
        for before in 0..HALVES {
            // The other half of the table is its mirror image.
            for after in 0..=before {
                let number = terms.number(D::term(halves.rays(before, after)));
                by_window[before * HALVES + after] = number;
                by_window[after * HALVES + before] = number;
            }
        }
        let count = terms.values.len();
        let mut rows = Vec::new();
        let mut numbers_of_pairs = vec![UNSEEN; count * count];
        let number = |(&black, swapped): (&u16, usize)| {
            let (black, white) = (usize::from(black), usize::from(by_window[swapped]));
            let number = &mut numbers_of_pairs[black * count + white];
            if *number == UNSEEN {
                *number = rows.len() as u16;
                rows.push(row(terms.values[black], terms.values[white]));
            }
            *number
        };
        let numbers = by_window.iter().zip(halves.swapped()).map(number).collect();
        Self { numbers, rows }
    }

    /// What an axis adds to the point in the middle of its window, for each color.
    #[inline]
    pub(super) fn terms(&self, window: LineWindow) -> ByColor<Sum> {
        self.rows[usize::from(self.numbers[window.index()])]
    }
}

/// No number yet.
const UNSEEN: u16 = u16::MAX;

fn row(black: Term, white: Term) -> ByColor<Sum> {
    ByColor([Sum::new(black.own, white.their), Sum::new(white.own, black.their)])
}

/// Terms numbered in the order in which they come first.
#[derive(Default)]
struct Distinct {
    values: Vec<Term>,
    numbers: HashMap<u64, u16, BuildHasherDefault<Mix>>,
}

impl Distinct {
    fn number(&mut self, term: Term) -> u16 {
        *self.numbers.entry(Sum::new(term.own, term.their).0).or_insert_with(|| {
            self.values.push(term);
            (self.values.len() - 1) as u16
        })
    }
}

/// Multiplies by 2^64 / golden ratio (Knuth, *The Art of Computer Programming*, 6.4) and folds the high half down: the
/// tables of the standard library choose by low and high bits.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(self.0 ^ u64::from(byte)));
    }

    fn write_u64(&mut self, number: u64) {
        let product = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = product ^ product >> 32;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::Weighting;
    use super::*;

    #[test]
    fn a_table_holds_the_terms_of_each_window_and_of_its_swapped_view() {
        let halves = Halves::new();
        for &weighting in Weighting::ALL {
            let table = weighting.table();
            for window in LineWindow::all().step_by(17) {
                let [black, white] = [window, window.swapped()].map(|seen| (weighting.0.term)(halves.rays_of(seen)));
                assert_eq!(table.terms(window), row(black, white), "{weighting} {window}");
            }
        }
    }
}
