//! PROOFS: forced wins by continuous threats.
//!
//! Owns the solvers of continuous fours (VCF) and of continuous threats (VCT), and what answers a threat. Uses the board
//! with its threats. Must never know a weight, an evaluation or a clock.

mod defence;
mod vcf;
mod vct;

pub use defence::{five_blocks, has_winning_fork, open_four_defences, winning_four};
pub use vcf::{Budget, Vcf};
pub use vct::Vct;

use crate::board::{Board, Point};

/// What keeps apart in a table what is known of positions under other rules, on other sizes and in other kinds of
/// search: the keys of positions hold none of these.
fn salt(board: &Board, kind: usize) -> u64 {
    let kind = (board.rule().index() as u64) << 16 | u64::from(board.size().side()) << 8 | kind as u64;
    // The multiplier of Fibonacci hashing, 2^64 / φ, spreads the few bits over all.
    (kind + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

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
