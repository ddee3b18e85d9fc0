//! [`TermTable`]: window → terms for both colors.

use super::cells::{HALVES, Halves};
use super::document::{Document, Term};
use crate::board::Color;
use crate::threat::LineWindow;

/// The terms of one window, or their sums, from black's view: black's attack, white's attack, black's defence, white's
/// defence. All four are added at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Terms([u32; 4]);

impl Terms {
    /// The terms that black and white see.
    const fn new(black: Term, white: Term) -> Self {
        Self([black.own, white.own, white.their, black.their])
    }

    /// The same attack for both colors, and no defence.
    pub(super) const fn of_attack(attack: u32) -> Self {
        Self([attack, attack, 0, 0])
    }

    /// The attack of a color.
    #[inline]
    pub(super) const fn attack(self, side: Color) -> u32 {
        self.0[side.index()]
    }

    /// The defence of a color.
    #[inline]
    pub(super) const fn defence(self, side: Color) -> u32 {
        self.0[2 + side.index()]
    }

    #[inline]
    #[must_use]
    pub(super) fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|slot| self.0[slot].wrapping_add(other.0[slot])))
    }

    #[inline]
    #[must_use]
    pub(super) fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|slot| self.0[slot].wrapping_sub(other.0[slot])))
    }
}

/// The terms of every window for both colors, as black sees the windows: 2 MB.
pub(super) struct TermTable(Box<[Terms]>);

impl TermTable {
    /// The terms of a document: one to two milliseconds.
    pub(super) fn fill<D: Document>() -> Self {
        let halves = Halves::new();
        let seen = for_lines(Term::default(), |before, after| D::term(halves.rays(before, after)));
        let terms = |before, after| {
            let black = seen[number(before, after)];
            let white = seen[number(halves.swapped(before), halves.swapped(after))];
            Terms::new(black, white)
        };
        Self(for_lines(Terms::default(), terms))
    }

    /// The terms that an axis adds to the point in the middle of its window.
    #[inline]
    pub(super) fn terms(&self, window: LineWindow) -> Terms {
        self.0[window.index()]
    }

    /// The terms by the number of the window.
    #[inline]
    pub(super) fn by_number(&self) -> &[Terms] {
        &self.0
    }
}

/// The number of the window with these halves before and after the point.
const fn number(before: usize, after: usize) -> usize {
    before * HALVES + after
}

/// Fills a table over all windows by a function of the halves before and after the point. A window and its mirror image
/// have the same value, so the function is called once for both.
fn for_lines<T: Copy>(start: T, of: impl Fn(usize, usize) -> T) -> Box<[T]> {
    let mut table = vec![start; LineWindow::COUNT].into_boxed_slice();
    for before in 0..HALVES {
        for after in 0..=before {
            let value = of(before, after);
            table[number(before, after)] = value;
            table[number(after, before)] = value;
        }
    }
    table
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
                let [black, white] =
                    [window, window.swapped()].map(|seen| (weighting.formulas().term)(halves.rays_of(seen)));
                assert_eq!(table.terms(window), Terms::new(black, white), "{weighting} {window}");
            }
        }
    }
}
