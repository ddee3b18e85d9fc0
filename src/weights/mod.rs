//! THE DOCUMENTED WEIGHTS: the attack and defence weights of an empty point, one file a document.
//!
//! Owns the documents' formulas, their list, their tables and the [`WeightAccumulator`] of a position. Uses the board,
//! the windows, and the trait of accumulators. Must never decide which points are forbidden (the position does), nor
//! know a score or a search.
//!
//! A new weighting is one file like `decimal.rs`, its `mod` line, and one name in [`Weighting::ALL`]. The tests fail
//! until it has a naive twin.

mod accumulator;
mod cells;
mod document;
mod table;

mod counts;
mod decimal;
mod grades;
mod runs;
mod shapes;
mod windows;

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use crate::text::UnknownName;

pub use accumulator::{WeightAccumulator, WeightedPosition};

use document::{Document, Formulas};
use table::TermTable;

/// A documented scheme that gives every empty point its weights. The default is `shapes`.
///
/// ```
/// use tengen::weights::Weighting;
///
/// assert_eq!("Decimal".parse(), Ok(Weighting::DECIMAL));
/// assert_eq!(Weighting::default().to_string(), "shapes");
/// ```
#[derive(Clone, Copy)]
pub struct Weighting(&'static Formulas);

/// A weight by a documented weighting. Unlike a search score it has no unit, and it cannot express a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Weight(pub i64);

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The weights of a point for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// The value of the point for the side itself.
    pub attack: Weight,
    /// The value of denying the point to the other side.
    pub defence: Weight,
    /// The number that the picker compares, computed from both by the formula of the weighting.
    pub total: Weight,
}

impl Weighting {
    /// All weightings, in the order of the documents.
    pub const ALL: &'static [Self] =
        &[Self::SHAPES, Self::DECIMAL, Self::WINDOWS, Self::GRADES, Self::COUNTS, Self::RUNS];

    const fn of<D: Document>() -> Self {
        Self(const { &Formulas::of::<D>() })
    }

    /// The name by which options and the protocol choose it, in lower case.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// The title of its document, in the document's language.
    pub const fn title(self) -> &'static str {
        self.0.title
    }

    /// The names of all weightings.
    pub const NAMES: [&'static str; Self::ALL.len()] = {
        let mut names = [""; Self::ALL.len()];
        let mut place = 0;
        while place < names.len() {
            names[place] = Self::ALL[place].name();
            place += 1;
        }
        names
    };

    /// The malus that a forbidden point adds to its attack.
    pub const fn forbidden(self) -> Weight {
        self.0.forbidden
    }

    /// Fills a table of terms and drops it, for benches. The first accumulator of a weighting fills the table and keeps
    /// it.
    pub fn fill_table(self) {
        drop((self.0.fill)());
    }

    /// The terms of all windows, filled at the first use (one to two milliseconds) and kept.
    ///
    /// # Panics
    /// When the weighting is missing in [`ALL`](Self::ALL).
    fn table(self) -> &'static TermTable {
        static TABLES: [OnceLock<TermTable>; Weighting::ALL.len()] = [const { OnceLock::new() }; Weighting::ALL.len()];
        let place = Self::ALL.iter().position(|&other| other == self).expect("every weighting is in the list");
        TABLES[place].get_or_init(self.0.fill)
    }
}

/// Weightings are equal where their names are.
impl PartialEq for Weighting {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Weighting {}

impl Default for Weighting {
    fn default() -> Self {
        Self::SHAPES
    }
}

impl fmt::Debug for Weighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Weighting({})", self.name())
    }
}

impl fmt::Display for Weighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Weighting {
    type Err = UnknownName;

    /// Reads a name, in upper or lower case.
    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let named = |weighting: &Self| text.eq_ignore_ascii_case(weighting.name());
        Self::ALL.iter().copied().find(named).ok_or(UnknownName::new("weights", &Self::NAMES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weighting_is_found_by_its_own_name_in_any_case() {
        for &weighting in Weighting::ALL {
            assert_eq!(weighting.name().parse(), Ok(weighting));
            assert_eq!(weighting.to_string().to_uppercase().parse(), Ok(weighting));
            assert!(weighting.name().bytes().all(|byte| byte.is_ascii_lowercase()), "{weighting}");
            assert!(!weighting.title().is_empty(), "{weighting}");
        }
    }

    #[test]
    fn no_name_is_given_twice() {
        for (number, weighting) in Weighting::ALL.iter().enumerate() {
            assert!(!Weighting::ALL[..number].contains(weighting), "{weighting}");
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_those_of_the_list() {
        let names = "shapes, decimal, windows, grades, counts or runs";
        assert_eq!("shape".parse::<Weighting>().unwrap_err().to_string(), format!("unknown weights, expected {names}"));
    }
}
