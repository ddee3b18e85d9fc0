//! THE DOCUMENTED WEIGHTS: the attack and defence weights of an empty point, one file a document.
//!
//! Owns the six weightings, their formulas, their tables and the [`WeightAccumulator`] of a position.
//! Uses the windows and nothing else of the shapes. Must never know a rule's forbidden points, a score or a search.

mod accumulator;
mod counts;
mod decimal;
mod grades;
mod runs;
mod shapes;
mod windows;

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

pub use accumulator::{WeightAccumulator, WeightedPosition};

use crate::board::{Point, Size};
use crate::threat::{Cell, LineWindow};

/// A documented scheme that gives every empty point its weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Weighting {
    /// Eight rays and nine shapes: "五子棋估值算法" (maxuewei2, 2015).
    #[default]
    Shapes,
    /// One decimal digit for each priority.
    Decimal,
    /// The open winning combinations through the point.
    Windows,
    /// The best shape on the four axes, graded 100 to 0.
    Grades,
    /// The counts of the four axes, w1 to w9.
    Counts,
    /// The runs beside the point, live and dead.
    Runs,
}

/// A weight of a weighting. It is no search score: it has no unit and no loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Weight(pub i64);

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a weighting says of a point for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// What the side gains by playing there.
    pub attack: Weight,
    /// What the other side would gain there.
    pub defence: Weight,
    /// What the picker goes by, made of both as the weighting has it.
    pub total: Weight,
}

/// What one axis adds to a point for the side that sees its window.
///
/// The four axes are *added*, so a weighting whose formula is no plain sum codes its terms such that nothing is lost, and
/// decodes the sum: [`Weighting::attack`], [`Weighting::defence`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Term {
    own: u32,
    their: u32,
}

impl Weighting {
    /// All six, in the order of the documents.
    pub const ALL: [Self; 6] = [Self::Shapes, Self::Decimal, Self::Windows, Self::Grades, Self::Counts, Self::Runs];

    fn term(self, window: LineWindow) -> Term {
        match self {
            Self::Shapes => shapes::term(window),
            Self::Decimal => decimal::term(window),
            Self::Windows => windows::term(window),
            Self::Grades => grades::term(window),
            Self::Counts => counts::term(window),
            Self::Runs => runs::term(window),
        }
    }

    /// What a point adds to its own attack wherever the stones are.
    fn bias(self, point: Point, size: Size) -> u32 {
        match self {
            Self::Counts => counts::bias(point, size),
            _ => 0,
        }
    }

    /// The attack weight in a sum of four terms.
    #[inline]
    fn attack(self, sum: u32) -> u32 {
        match self {
            Self::Shapes => shapes::attack(sum),
            Self::Grades => grades::attack(sum),
            Self::Decimal | Self::Windows | Self::Counts | Self::Runs => sum,
        }
    }

    /// The defence weight in a sum of four terms.
    #[inline]
    fn defence(self, sum: u32) -> u32 {
        match self {
            Self::Shapes => shapes::defence(sum),
            Self::Grades => grades::defence(sum),
            Self::Decimal | Self::Windows | Self::Counts | Self::Runs => sum,
        }
    }

    /// The total of both sums.
    #[inline]
    fn total(self, own: u32, their: u32) -> i64 {
        let (attack, defence) = (self.attack(own), self.defence(their));
        match self {
            Self::Windows => attack.max(defence).into(),
            _ => i64::from(attack) + i64::from(defence),
        }
    }

    /// What a point forbidden to the side to move adds to its attack.
    pub const fn forbidden(self) -> Weight {
        match self {
            Self::Counts => counts::FORBIDDEN,
            _ => Weight(0),
        }
    }

    /// The terms of all windows, filled at the first use (some tens of milliseconds) and kept.
    fn table(self) -> &'static [Terms] {
        static TABLES: [OnceLock<Box<[Terms]>>; Weighting::ALL.len()] =
            [const { OnceLock::new() }; Weighting::ALL.len()];
        TABLES[self as usize].get_or_init(|| {
            let terms: Vec<_> = LineWindow::all().map(|window| self.term(window)).collect();
            let both = |window: LineWindow| {
                let (black, white) = (terms[window.index()], terms[window.swapped().index()]);
                Terms([black.own, white.own, white.their, black.their])
            };
            LineWindow::all().map(both).collect()
        })
    }
}

/// The terms of one window as black sees it: black's attack, white's attack, black's defence (against white's stones),
/// white's defence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Terms([u32; 4]);

impl Terms {
    #[inline]
    fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|slot| self.0[slot].wrapping_add(other.0[slot])))
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|slot| self.0[slot].wrapping_sub(other.0[slot])))
    }
}

impl fmt::Display for Weighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Shapes => "shapes",
            Self::Decimal => "decimal",
            Self::Windows => "windows",
            Self::Grades => "grades",
            Self::Counts => "counts",
            Self::Runs => "runs",
        })
    }
}

/// Why a text names no weighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightingError;

impl fmt::Display for WeightingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown weights, expected shapes, decimal, windows, grades, counts or runs")
    }
}

impl std::error::Error for WeightingError {}

impl FromStr for Weighting {
    type Err = WeightingError;

    fn from_str(text: &str) -> Result<Self, WeightingError> {
        let named = |weighting: &Self| text.eq_ignore_ascii_case(&weighting.to_string());
        Self::ALL.into_iter().find(named).ok_or(WeightingError)
    }
}

/// The unbroken row through the middle of a window once its side has played there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RunAfter {
    length: u32,
    open_ends: u32,
}

impl RunAfter {
    fn of(window: LineWindow) -> Self {
        let ray = |sign: i8| {
            let stones = (1..=5).take_while(|distance| window.cell(sign * distance) == Cell::Own).count() as i8;
            let is_open = stones < 5 && window.cell(sign * (stones + 1)) == Cell::Empty;
            (stones as u32, u32::from(is_open))
        };
        let ((before, open_before), (after, open_after)) = (ray(-1), ray(1));
        Self { length: 1 + before + after, open_ends: open_before + open_after }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weightings_are_named_as_they_are_shown() {
        for weighting in Weighting::ALL {
            assert_eq!(weighting.to_string().to_uppercase().parse(), Ok(weighting));
        }
        assert_eq!("shape".parse::<Weighting>(), Err(WeightingError));
    }
}
