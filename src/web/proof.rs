//! Proofs of forced wins.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::game::names;
use super::message::ProofKind;
use crate::board::Board;
use crate::platform::{Instant, pause};
use crate::position::ThreatBoard;
use crate::solver::{Budget, Proof, Vcf, Vct, vcf_moves};

/// The time of a proof, and the flag that ends it early.
pub(super) struct ProofClock {
    started: Instant,
    stop: Arc<AtomicBool>,
}

impl ProofClock {
    pub(super) fn start(stop: Arc<AtomicBool>) -> Self {
        Self { started: Instant::now(), stop }
    }

    /// Whether a proof with this maximum time must end.
    pub(super) fn must_stop(&self, longest: Duration) -> bool {
        pause();
        self.stop.load(Ordering::Relaxed) || self.started.elapsed() > longest
    }

    /// Milliseconds since the start.
    pub(super) fn time(&self) -> u64 {
        self.started.elapsed().as_millis() as u64
    }
}

/// Maximum time of a VCT proof. Half of the labelled wins take 3 ms.
const LONGEST: Duration = Duration::from_secs(20);

/// The limits of a VCF proof: less than a second.
const FOURS: Budget = Budget { nodes: 1_000_000, fours: 60 };

/// Looks for a forced win of the side to move.
pub(super) fn seek(board: Board, how: ProofKind, clock: &ProofClock) -> Value {
    let side = board.turn();
    let five = board.empty_points().iter().find(|&point| board.wins(point, side));
    let mut threats = ThreatBoard::new(board);
    let proof = match how {
        ProofKind::Vcf => Vcf::default().shortest(&mut threats, FOURS),
        ProofKind::Vct => Vct::default().any(&mut threats, u64::MAX, &|| clock.must_stop(LONGEST)),
    };
    let (result, moves, wins_in) = match proof {
        // The solvers report no moves if a five can be made at once.
        Proof::Win(moves) if moves.is_empty() => ("win", five.into_iter().collect(), Some(1)),
        // A line of continuous threats may stop at a three, so that its length is unknown.
        Proof::Win(moves) => {
            let wins_in = (how == ProofKind::Vcf).then(|| vcf_moves(&moves));
            ("win", moves, wins_in)
        }
        Proof::NoWin => ("none", Vec::new(), None),
        Proof::OutOfBudget => ("unknown", Vec::new(), None),
    };
    json!({
        "result": result,
        "side": side.to_string(),
        "moves": names(moves),
        "wins_in": wins_in,
        "time": clock.time(),
    })
}
