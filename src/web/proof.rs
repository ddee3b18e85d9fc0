//! Proofs of forced wins, on a thread of their own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Failure;
use super::game::names;
use super::message::ProofKind;
use crate::board::Board;
use crate::position::ThreatBoard;
use crate::solver::{Budget, Proof, Vcf, Vct};

/// Maximum time of a VCT proof. Half of the labelled wins take 3 ms.
const LONGEST: Duration = Duration::from_secs(20);

/// The limits of a VCF proof: less than a second.
const FOURS: Budget = Budget { nodes: 1_000_000, fours: 60 };

/// Looks for a forced win of the side to move and passes the result to `tell`.
///
/// # Errors
/// When the system refuses a thread.
pub(super) fn start(
    board: Board,
    how: ProofKind,
    stop: Arc<AtomicBool>,
    tell: impl FnOnce(Value) + Send + 'static,
) -> Result<(), Failure> {
    let work = move || tell(seek(board, how, &stop));
    let thread = thread::Builder::new().name("proof".to_owned()).spawn(work);
    thread.map(drop).map_err(|error| Failure::System(error.to_string()))
}

fn seek(board: Board, how: ProofKind, stop: &AtomicBool) -> Value {
    let started = Instant::now();
    let side = board.turn();
    let five = board.empty_points().iter().find(|&point| board.wins(point, side));
    let mut threats = ThreatBoard::new(board);
    let proof = match how {
        ProofKind::Vcf => Vcf::default().shortest(&mut threats, FOURS),
        ProofKind::Vct => {
            let must_stop = || stop.load(Ordering::Relaxed) || started.elapsed() > LONGEST;
            Vct::default().any(&mut threats, u64::MAX, &must_stop)
        }
    };
    let (result, moves) = match proof {
        // The solvers report no moves if a five can be made at once.
        Proof::Win(moves) if moves.is_empty() => ("win", five.into_iter().collect()),
        Proof::Win(moves) => ("win", moves),
        Proof::NoWin => ("none", Vec::new()),
        Proof::OutOfBudget => ("unknown", Vec::new()),
    };
    json!({
        "result": result,
        "side": side.to_string(),
        "moves": names(moves),
        "time": started.elapsed().as_millis() as u64,
    })
}
