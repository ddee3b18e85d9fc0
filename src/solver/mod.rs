//! PROOFS: forced wins by continuous threats.
//!
//! Owns the solvers of continuous fours (VCF) and of continuous threats (VCT), and what answers a threat. Uses surveyed
//! positions. Must never know a book, an evaluation or a clock.

mod defence;
mod vcf;
mod vct;

pub use defence::{decides, defences, unanswerable};
pub use vcf::{Budget, Vcf};
pub use vct::Vct;

use crate::board::Point;

/// What a solver has found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The side to move wins by this line: its moves and the forced replies in turn, up to the move that decides.
    /// Empty where a five can be made at once.
    Win(Vec<Point>),
    /// No such win exists.
    NoWin,
    /// The budget ran out before an answer.
    OutOfBudget,
}
