//! [`Document`]: the weighting of one document. [`Formulas`]: the functions compiled from it.

use super::cells::Rays;
use super::table::{TermTable, Terms};
use super::{Weight, WeightAccumulator, Weights};
use crate::board::{Color, Point, Size};
use crate::threat::WindowChange;

/// The weighting of a document: numbers by window, and how weights are computed from their sums.
pub(super) trait Document {
    /// The title of the document.
    const TITLE: &'static str;

    /// The malus that a forbidden point adds to its attack.
    const FORBIDDEN: Weight = Weight(0);

    /// The term that one axis adds to the point in the middle of its window, for the side that sees the window. A
    /// window and its mirror image have the same term.
    fn term(rays: Rays) -> Term;

    /// A constant that a point adds to its own attack. No document adds one to the defence.
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
    #[inline]
    fn total(attack: u32, defence: u32) -> i64 {
        i64::from(attack) + i64::from(defence)
    }
}

/// The term of one axis of a point, for the side that sees its window.
///
/// The terms of the four axes are *added*. If a document's formula is more than a sum, its terms encode what the
/// formula needs, and [`Document::attack`] and [`Document::defence`] decode the sum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Term {
    /// Added to the attack of the side.
    pub(super) own: u32,
    /// Added to the defence of the other side.
    pub(super) their: u32,
}

/// A document as a value. The functions called for each stone loop over its windows, so an indirect call is paid once
/// per stone, not per window.
pub(super) struct Formulas {
    pub(super) title: &'static str,
    pub(super) forbidden: Weight,
    /// [`Document::term`], for the test of the tables.
    #[cfg(test)]
    pub(super) term: fn(Rays) -> Term,
    /// The terms of all windows.
    pub(super) fill: fn() -> TermTable,
    /// [`Document::bias`].
    pub(super) bias: fn(Point, Size) -> u32,
    /// The weights of a color in a sum.
    pub(super) weights: fn(Terms, Color) -> Weights,
    /// [`WeightAccumulator::push_by`].
    pub(super) push: fn(&mut WeightAccumulator, &[WindowChange]),
    /// [`WeightAccumulator::pop_by`].
    pub(super) pop: fn(&mut WeightAccumulator, &[WindowChange]),
    /// [`WeightAccumulator::settle_by`].
    pub(super) settle: fn(&mut WeightAccumulator),
}

impl Formulas {
    pub(super) const fn of<D: Document>() -> Self {
        Self {
            title: D::TITLE,
            forbidden: D::FORBIDDEN,
            #[cfg(test)]
            term: D::term,
            fill: TermTable::fill::<D>,
            bias: D::bias,
            weights: weights::<D>,
            push: WeightAccumulator::push_by::<D>,
            pop: WeightAccumulator::pop_by::<D>,
            settle: WeightAccumulator::settle_by::<D>,
        }
    }
}

fn weights<D: Document>(sum: Terms, side: Color) -> Weights {
    let (attack, defence) = (D::attack(sum.attack(side)), D::defence(sum.defence(side)));
    let total = D::total(attack, defence);
    Weights { attack: Weight(attack.into()), defence: Weight(defence.into()), total: Weight(total) }
}
