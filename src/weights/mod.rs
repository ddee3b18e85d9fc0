//! THE DOCUMENTED WEIGHTS: the attack and defence weights of an empty point, one file a document.
//!
//! Owns the documents' formulas, their list, their tables and the [`WeightAccumulator`] of a position. Uses the board,
//! the windows, and the trait of accumulators. Must never decide which points are forbidden (the position does), nor
//! know a score or a search.
//!
//! A new weighting is one file like `decimal.rs`, its `mod` line, and one variant of [`Weighting`], which the compiler
//! follows to its formulas. The tests fail until it has a naive twin.

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
use std::sync::OnceLock;

use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use crate::text::UnknownName;

pub use accumulator::{WeightAccumulator, WeightedPosition};

use document::Formulas;
use table::TermTable;

/// A documented scheme that gives every empty point its weights, in the order of the documents.
///
/// ```
/// use tengen::weights::Weighting;
///
/// assert_eq!("Decimal".parse(), Ok(Weighting::Decimal));
/// assert_eq!(Weighting::default().to_string(), "shapes");
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, IntoStaticStr, VariantArray, VariantNames,
)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive, parse_err_ty = UnknownName, parse_err_fn = unknown_weights)]
pub enum Weighting {
    /// The eight rays of the point, each with its shape.
    #[default]
    Shapes,
    /// One decimal digit for each priority.
    Decimal,
    /// The open winning combinations through the point.
    Windows,
    /// The best row on the four axes, graded 100 to 0.
    Grades,
    /// The counts of the four axes, w1 to w9.
    Counts,
    /// The live and dead runs next to the point.
    Runs,
}

fn unknown_weights(_: &str) -> UnknownName {
    UnknownName::of::<Weighting>("weights")
}

/// A weight by a documented weighting. Unlike a search score it has no unit, and it cannot express a loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Weight(pub i64);

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The weights of a point for one side.
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
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// The functions compiled from its document.
    const fn formulas(self) -> &'static Formulas {
        match self {
            Self::Shapes => const { &Formulas::of::<shapes::Shapes>() },
            Self::Decimal => const { &Formulas::of::<decimal::Decimal>() },
            Self::Windows => const { &Formulas::of::<windows::Windows>() },
            Self::Grades => const { &Formulas::of::<grades::Grades>() },
            Self::Counts => const { &Formulas::of::<counts::Counts>() },
            Self::Runs => const { &Formulas::of::<runs::Runs>() },
        }
    }

    /// The name by which options and the protocol choose it, in lower case.
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The title of its document, in the document's language.
    pub const fn title(self) -> &'static str {
        self.formulas().title
    }

    /// The malus that a forbidden point adds to its attack.
    pub const fn forbidden(self) -> Weight {
        self.formulas().forbidden
    }

    /// Fills a table of terms and drops it, for benches. The first accumulator of a weighting fills the table and keeps
    /// it.
    pub fn fill_table(self) {
        drop((self.formulas().fill)());
    }

    /// The terms of all windows, filled at the first use (one to two milliseconds) and kept.
    fn table(self) -> &'static TermTable {
        static TABLES: [OnceLock<TermTable>; Weighting::ALL.len()] = [const { OnceLock::new() }; Weighting::ALL.len()];
        TABLES[self as usize].get_or_init(self.formulas().fill)
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
