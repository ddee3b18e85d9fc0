//! PROOFS: forced wins by continuous threats.
//!
//! Owns the solvers of continuous fours (VCF) and of continuous threats (VCT), the defences against threats, and the
//! points that prevent a threatened win. Uses the board with its threats. Must never know a weight, an evaluation or a
//! clock.

mod defence;
mod threatened;
mod vcf;
mod vct;

pub use defence::{five_blocks, fours, has_winning_fork, open_four_defences, winning_four};
pub use threatened::{Defences, ThreatSolver, ThreatenedWin, WinKind};
pub(crate) use vcf::vcf_moves;
pub use vcf::{Budget, Vcf};
pub use vct::Vct;

use crate::board::{Board, Point};
use crate::position::ThreatBoard;

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
    /// The budget ran out first.
    OutOfBudget,
}

/// Completes the line of a win by threats, which may stop at an undefended three or before its last continuous fours.
/// Returns the number of the winner's moves up to the five, and the line up to the deciding move; `None` if the budget for
/// these fours runs out. The position is restored.
pub(crate) fn complete(
    threats: &mut ThreatBoard,
    mut line: Vec<Point>,
    vcf: &mut Vcf,
    budget: Budget,
) -> Option<(usize, Vec<Point>)> {
    let attacker = threats.board().turn();
    line.iter().for_each(|&point| threats.play(point));
    let turn = threats.board().turn();
    threats.set_turn(attacker);
    let rest = vcf.shortest(threats, budget);
    threats.set_turn(turn);
    for _ in &line {
        threats.undo();
    }
    let Proof::Win(rest) = rest else { return None };
    let moves = line.len().div_ceil(2) + vcf_moves(&rest);
    if turn == attacker {
        line.extend(rest);
    }
    Some((moves, line))
}
