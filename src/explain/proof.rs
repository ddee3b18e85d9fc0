//! [`seek`]: the forced win of the side to move.

use strum::{Display, EnumString, VariantNames};

use crate::board::{Board, Point};
use crate::position::ThreatBoard;
use crate::solver::{Budget, Proof, Vcf, Vct, vcf_moves};
use crate::text::UnknownName;

/// The kind of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownName, parse_err_fn = unknown_kind)]
pub enum ProofKind {
    /// Victory by continuous fours.
    Vcf,
    /// Victory by continuous threats.
    Vct,
}

fn unknown_kind(_: &str) -> UnknownName {
    UnknownName::of::<ProofKind>("proof")
}

/// The result of [`seek`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ForcedWin {
    /// The side to move wins.
    Found {
        /// Its moves and the forced replies in turn, up to the move that decides; a five that can be made at once.
        moves: Vec<Point>,
        /// The number of its moves, the five included. `None` for a line of continuous threats, which may stop at a three.
        wins_in: Option<usize>,
    },
    /// The side to move has no such win.
    None,
    /// The proof was stopped, or the continuous fours exceed their budget.
    Unknown,
}

impl ForcedWin {
    /// The name of the result in JSON.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Found { .. } => "win",
            Self::None => "none",
            Self::Unknown => "unknown",
        }
    }
}

/// The limits of a proof by fours: less than a second.
const FOURS: Budget = Budget { nodes: 1_000_000, fours: 60 };

/// Looks for a forced win of the side to move. `must_stop` ends a proof by threats; one by fours has a budget instead.
pub fn seek(board: &Board, kind: ProofKind, must_stop: &dyn Fn() -> bool) -> ForcedWin {
    let side = board.turn();
    let mut threats = ThreatBoard::new(board.clone());
    let proof = match kind {
        ProofKind::Vcf => Vcf::default().shortest(&mut threats, FOURS),
        ProofKind::Vct => Vct::default().any(&mut threats, u64::MAX, must_stop),
    };
    match proof {
        // The solvers report no moves if a five can be made at once.
        Proof::Win(moves) if moves.is_empty() => {
            let five = board.empty_points().iter().find(|&point| board.wins(point, side));
            ForcedWin::Found { moves: five.into_iter().collect(), wins_in: Some(1) }
        }
        Proof::Win(moves) => {
            let wins_in = (kind == ProofKind::Vcf).then(|| vcf_moves(&moves));
            ForcedWin::Found { moves, wins_in }
        }
        Proof::NoWin => ForcedWin::None,
        Proof::Unknown => ForcedWin::Unknown,
    }
}
