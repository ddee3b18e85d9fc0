//! The win that the side not to move threatens, and the points that prevent it.

use std::time::Duration;

use serde_json::{Value, json};

use super::game::names;
use super::proof::ProofClock;
use crate::board::Board;
use crate::position::ThreatBoard;
use crate::solver::{ThreatSolver, ThreatenedWin};

/// Maximum time of an answer. Set by hand.
const LONGEST: Duration = Duration::from_secs(10);

/// Looks for the threat of the side not to move and for the points that prevent it. `report` receives the threat as soon
/// as it is known; the answer repeats it.
pub(super) fn seek(board: Board, is_continuous: bool, clock: &ProofClock, report: impl FnOnce(Value)) -> Value {
    let must_stop = || clock.must_stop(LONGEST);
    let side = !board.turn();
    let mut threats = ThreatBoard::new(board);
    let mut solver = ThreatSolver::default();
    let (result, kind, line) = match solver.threatened(&mut threats, &must_stop) {
        ThreatenedWin::Win { kind, line } => ("win", Some(kind.to_string()), line),
        ThreatenedWin::Nothing => ("none", None, Vec::new()),
        ThreatenedWin::Unknown => ("unknown", None, Vec::new()),
    };
    let mut fields =
        json!({ "side": side.to_string(), "result": result, "how": kind, "moves": names(line.iter().copied()) });
    report(fields.clone());
    let defences = kind.map(|_| solver.defences(&mut threats, &line, &must_stop)).unwrap_or_default();
    // A five does not end a continuous game, and its walls may or may not stop the threat. Such points are reported as
    // undecided.
    let goes_on = |point| is_continuous && threats.board().wins(point, !side);
    let (fives, holding): (Vec<_>, Vec<_>) = defences.points.iter().partition(|&point| goes_on(point));
    fields["holds"] = names(holding).into();
    fields["open"] = names(defences.undecided.iter().chain(fives)).into();
    fields["time"] = clock.time().into();
    fields
}
