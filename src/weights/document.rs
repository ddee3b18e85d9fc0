//! [`Document`]: what one file of this folder says of its document, and the [`Formulas`] that are compiled from it.

use super::accumulator::first_greatest;
use super::cells::Rays;
use super::table::{Sum, TermTable};
use super::{Weight, Weights};
use crate::board::{Point, Size};

/// A document's weighting: window → numbers, and how totals are made of their sums.
pub(super) trait Document {
    /// The name of the option's value: one word in lower case.
    const NAME: &'static str;

    /// The title of the document.
    const TITLE: &'static str;

    /// What a point forbidden to the side to move adds to its attack.
    const FORBIDDEN: Weight = Weight(0);

    /// The type of totals: `i32` where they fit, so that four are compared at once, else `i64`.
    type Total: Total;

    /// What one axis adds to the point in the middle of its window, for the side that sees the window. A line has
    /// no direction: the term of a window is that of its mirror image.
    fn term(rays: Rays) -> Term;

    /// What a point adds to its own attack wherever the stones are.
    fn bias(_point: Point, _size: Size) -> u32 {
        0
    }

    /// The attack weight in a sum of four terms.
    #[inline]
    fn attack(sum: u32) -> u32 {
        sum
    }

    /// The defence weight in a sum of four terms.
    #[inline]
    fn defence(sum: u32) -> u32 {
        sum
    }

    /// The total of an attack and a defence weight; not negative.
    fn total(attack: u32, defence: u32) -> Self::Total;
}

/// What one axis adds to a point for the side that sees its window.
///
/// The four axes are *added*, so a weighting whose formula is no plain sum codes its terms such that nothing is lost, and
/// decodes the sum: [`Document::attack`], [`Document::defence`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Term {
    /// Added to the attack of the side.
    pub(super) own: u32,
    /// Added to the defence of the other side.
    pub(super) their: u32,
}

/// An integer that holds the totals of a weighting, and −1.
pub(super) trait Total: Copy + PartialOrd + From<i32> + Into<i64> + std::ops::BitOr<Output = Self> {}

impl Total for i32 {}
impl Total for i64 {}

/// A document as a value. Each function holds a whole loop of the document's formula, so a call through its pointer is
/// paid once a board or once a point that is shown, never once a window.
pub(super) struct Formulas {
    pub(super) name: &'static str,
    pub(super) title: &'static str,
    pub(super) forbidden: Weight,
    /// [`Document::term`], for the test of the tables.
    #[cfg(test)]
    pub(super) term: fn(Rays) -> Term,
    /// The terms of all windows.
    pub(super) fill: fn() -> TermTable,
    /// [`Document::bias`].
    pub(super) bias: fn(Point, Size) -> u32,
    /// The weights in a sum.
    pub(super) weights: fn(Sum) -> Weights,
    /// [`first_greatest`].
    pub(super) first_greatest: fn(&[Sum], &[i32]) -> Option<usize>,
}

impl Formulas {
    pub(super) const fn of<D: Document>() -> Self {
        Self {
            name: D::NAME,
            title: D::TITLE,
            forbidden: D::FORBIDDEN,
            #[cfg(test)]
            term: D::term,
            fill: TermTable::fill::<D>,
            bias: D::bias,
            weights: weights::<D>,
            first_greatest: first_greatest::<D>,
        }
    }
}

fn weights<D: Document>(sum: Sum) -> Weights {
    let (attack, defence) = (D::attack(sum.own()), D::defence(sum.their()));
    let total = D::total(attack, defence).into();
    Weights { attack: Weight(attack.into()), defence: Weight(defence.into()), total: Weight(total) }
}
