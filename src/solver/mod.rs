//! PROOFS: forced wins by continuous threats.
//!
//! Owns the solvers of continuous fours (VCF) and of continuous threats (VCT), the defences against threats, and the
//! points that prevent a threatened win. Uses the board with its threats. Must never know a weight, an evaluation or a
//! clock.

mod defence;
mod threatened;
mod vcf;
mod vct;

pub use defence::{five_blocks, fours, has_winning_fork, open_four_defences, trap_fours, winning_four};
pub use threatened::{Defences, ThreatSolver, ThreatenedWin, WinKind};
pub(crate) use vcf::vcf_moves;
pub use vcf::{Budget, Vcf};
pub use vct::Vct;
pub(crate) use vct::with_last_fours;

use crate::board::{Board, Point};

/// A salt for table keys that separates rules, sizes and kinds of search, because the keys of positions do not.
fn salt(board: &Board, kind: usize) -> u64 {
    let kind = (board.rule().index() as u64) << 16 | u64::from(board.size().side()) << 8 | kind as u64;
    // Fibonacci hashing: 2^64 / φ spreads the few bits over all.
    (kind + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The result of a solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// The side to move wins by this line: its moves and the forced replies in turn, up to the move that decides. Empty if
    /// it has a five.
    Win(Vec<Point>),
    /// The side to move has no such win.
    NoWin,
    /// Undecided: the budget ran out, the search was stopped, or it skipped fours (see [`Vcf::any`]).
    Unknown,
}
