//! The answers as JSON.

use serde_json::{Value, json};

use super::queue::Job;
use crate::board::{Board, Color, Outcome, Point, PointSet};
use crate::explain::proof::{ForcedWin, ProofKind};
use crate::explain::{reason_name, verdict};
use crate::notation::Letters;
use crate::picker::{Choice, Report, SearchInfo};
use crate::weights::{WeightedPosition, Weights};

/// Names points in the answers to a query.
#[derive(Clone, Copy)]
struct Names(Letters);

impl Names {
    fn point(self, point: Point) -> Value {
        self.0.point(point).to_string().into()
    }

    fn points(self, points: impl IntoIterator<Item = Point>) -> Value {
        points.into_iter().map(|point| self.point(point)).collect()
    }
}

fn names(job: &Job) -> Names {
    Names(Letters::new(job.board.size()))
}

/// The fields that all answers about a position share.
fn head(job: &Job, is_final: bool) -> Value {
    json!({
        "id": job.query.id,
        "turn": job.turn,
        "side": job.board.turn().to_string(),
        "is_final": is_final,
    })
}

/// The answer about a position in which the game is over.
pub(super) fn over(job: &Job, outcome: Outcome) -> Value {
    let mut value = head(job, true);
    value["over"] = json!({ "winner": outcome.winner().map(|winner| winner.to_string()) });
    value
}

/// The answer about a waiting position that was cancelled.
pub(super) fn cancelled(id: &str, turn: usize) -> Value {
    json!({ "id": id, "turn": turn, "is_final": true, "cancelled": true })
}

/// The answer to an action.
pub(super) fn done(id: &str, action: &str, positions: Option<usize>) -> Value {
    let mut value = json!({ "id": id, "action": action });
    if let Some(positions) = positions {
        value["positions"] = positions.into();
    }
    value
}

/// A report during a search; `None` without candidates.
pub(super) fn progress(job: &Job, report: &Report) -> Option<Value> {
    let mut value = head(job, false);
    add_report(&mut value, job, report);
    value.get("candidates").is_some().then_some(value)
}

/// The final answer of a picker; without a move if the picker found none.
pub(super) fn chosen(job: &Job, choice: Option<Choice>, report: Option<&Report>) -> Value {
    let mut value = head(job, true);
    let Some(Choice { point, reason, nodes }) = choice else { return value };
    value["move"] = names(job).point(point);
    value["reason"] = reason_name(reason).into();
    if let Some(report) = report {
        add_report(&mut value, job, report);
    }
    value["nodes"] = nodes.into();
    value
}

/// Adds the fields of a report.
fn add_report(value: &mut Value, job: &Job, report: &Report) {
    let (names, turn) = (names(job), job.board.turn());
    match report {
        Report::Search(info) => add_search(value, info, names, turn),
        Report::Weights(points) => {
            let candidate = |&(point, weights)| with_weights(json!({ "move": names.point(point) }), weights);
            value["candidates"] = points.iter().map(candidate).collect();
        }
        Report::Book { point, reason } => {
            let mut candidate = json!({ "move": names.point(*point), "line": names.points([*point]) });
            if let Some(score) = reason.score {
                candidate["score"] = score.value().into();
                candidate["verdict"] = verdict::of_score(score, turn);
                value["verdict"] = candidate["verdict"].clone();
            }
            value["candidates"] = json!([candidate]);
        }
    }
}

fn add_search(value: &mut Value, info: &SearchInfo, names: Names, turn: Color) {
    value["depth"] = info.depth.into();
    value["seldepth"] = info.seldepth.into();
    value["nodes"] = info.nodes.into();
    value["time"] = (info.time.as_millis() as u64).into();
    if let Some(best) = info.lines.first() {
        value["verdict"] = verdict::of_score(best.score, turn);
    }
    let candidates = info.lines.iter().filter(|line| !line.points.is_empty()).map(|line| {
        let mut candidate = json!({
            "move": names.point(line.points[0]),
            "score": line.score.value(),
            "verdict": verdict::of_score(line.score, turn),
            "line": names.points(line.points.iter().copied()),
        });
        if let Some(statistics) = info.moves.iter().find(|known| known.point == line.points[0]) {
            candidate["visits"] = statistics.visits.into();
            candidate["prior"] = statistics.prior().into();
            candidate["value"] = statistics.value().into();
        }
        candidate
    });
    value["candidates"] = candidates.collect();
}

fn with_weights(mut value: Value, weights: Weights) -> Value {
    value["attack"] = weights.attack.0.into();
    value["defence"] = weights.defence.0.into();
    value["total"] = weights.total.0.into();
    value
}

/// The weights of all empty points for the side to move.
pub(super) fn weights(job: &Job, position: &WeightedPosition) -> Value {
    let names = names(job);
    let row = |point| Some(with_weights(json!({ "point": names.point(point) }), position.weights(point)?));
    job.board.empty_points().iter().filter_map(row).collect()
}

/// The points forbidden to black, whoever is to move.
pub(super) fn forbidden(job: &Job, board: &Board) -> Value {
    let points: PointSet = board.empty_points().iter().filter(|&point| board.foul(point).is_some()).collect();
    names(job).points(points.iter())
}

/// A forced win of the side to move.
pub(super) fn proof(job: &Job, kind: ProofKind, win: ForcedWin) -> Value {
    let mut value = json!({ "kind": kind.to_string(), "result": win.name() });
    if let ForcedWin::Found { moves, wins_in } = win {
        value["line"] = names(job).points(moves);
        if let Some(wins_in) = wins_in {
            value["wins_in"] = wins_in.into();
        }
    }
    value
}
