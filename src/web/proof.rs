//! Proofs of forced wins.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use super::game::names;
use crate::board::Board;
use crate::explain::proof::{self, ForcedWin, ProofKind};
use crate::platform::{Instant, pause};

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

/// Looks for a forced win of the side to move.
pub(super) fn seek(board: &Board, kind: ProofKind, clock: &ProofClock) -> Value {
    let win = proof::seek(board, kind, &|| clock.must_stop(LONGEST));
    let result = win.name();
    let (moves, wins_in) = match win {
        ForcedWin::Found { moves, wins_in } => (moves, wins_in),
        ForcedWin::None | ForcedWin::Unknown => (Vec::new(), None),
    };
    json!({
        "result": result,
        "side": board.turn().to_string(),
        "moves": names(moves),
        "wins_in": wins_in,
        "time": clock.time(),
    })
}
