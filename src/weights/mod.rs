//! THE DOCUMENTED WEIGHTS: the attack and defence weights of an empty point, one file a document.
//!
//! Owns the documents' formulas, the list of them, their tables and the [`WeightAccumulator`] of a position. Uses the
//! board, the windows and nothing else of the shapes, and the accumulator's trait. Must never decide which points a rule
//! forbids (the position answers that), nor know a score or a search.
//!
//! A further weighting is one file like `decimal.rs`, its `mod` line, and one name in [`Weighting::ALL`]. The tests fail
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

pub use accumulator::{WeightAccumulator, WeightedPosition};

use document::{Document, Formulas};
use table::TermTable;

/// A documented scheme that gives every empty point its weights; `shapes` where none is chosen.
///
/// ```
/// use tengen::weights::Weighting;
///
/// assert_eq!("Decimal".parse(), Ok(Weighting::DECIMAL));
/// assert_eq!(Weighting::default().to_string(), "shapes");
/// ```
#[derive(Clone, Copy)]
pub struct Weighting(&'static Formulas);

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
    /// What the picker compares, made of both by the formula of the weighting.
    pub total: Weight,
}

impl Weighting {
    /// All of them, in the order of the documents: the one list.
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

    /// The names of all, as a sentence lists them: `shapes, decimal or runs`.
    pub fn names() -> String {
        let mut names: Vec<_> = Self::ALL.iter().map(|weighting| weighting.name()).collect();
        let last = names.pop().unwrap_or_default();
        format!("{} or {last}", names.join(", "))
    }

    /// What a point forbidden to the side to move adds to its attack.
    pub const fn forbidden(self) -> Weight {
        self.0.forbidden
    }

    /// Fills a table of its terms and drops it. The first accumulator of a weighting does the same and keeps it; benches
    /// measure it here.
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

/// A text that names no weighting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightingError;

impl fmt::Display for WeightingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown weights, expected {}", Weighting::names())
    }
}

impl std::error::Error for WeightingError {}

impl FromStr for Weighting {
    type Err = WeightingError;

    /// Reads a name, in upper or lower case.
    fn from_str(text: &str) -> Result<Self, WeightingError> {
        let named = |weighting: &Self| text.eq_ignore_ascii_case(weighting.name());
        Self::ALL.iter().copied().find(named).ok_or(WeightingError)
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
        assert_eq!("shape".parse::<Weighting>(), Err(WeightingError));
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
        assert_eq!(WeightingError.to_string(), format!("unknown weights, expected {names}"));
    }
}
