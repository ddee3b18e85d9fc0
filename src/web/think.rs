//! The limits of a search for the page, and its reports and answers as JSON.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::game::names;
use super::message::{Effort, LONGEST_TIME};
use crate::board::Color;
use crate::explain::{Explanation, verdict};
use crate::notation::Comma;
use crate::picker::{Answer, Deadlines, Decision, Level, Limits, Line, PickerName, Reason, SearchControl, SearchInfo};
use crate::platform::Instant;
use crate::player::Answered;
use crate::score::Score;

/// The time of a game that is kept for sending an answer to the page.
const MARGIN: Duration = Duration::from_millis(100);

impl Effort {
    /// The limits of a search that starts now; `threads` if the page leaves the number open.
    pub(super) fn limits(self, threads: usize) -> Limits {
        Limits {
            depth: (self.depth > 0).then_some(self.depth),
            nodes: (self.nodes > 0).then_some(self.nodes),
            memory: (self.memory > 0).then_some(self.memory << 20),
            level: Level::new(self.level).unwrap_or_default(),
            seed: self.seed,
            threads: if self.threads > 0 { self.threads } else { threads },
            control: Arc::new(SearchControl::since(Instant::now())),
            ..Limits::default()
        }
    }

    /// The deadlines of the answer: the time of the move, and those of a game's clock. A search limited only by nodes or
    /// depth ends after an hour.
    pub(super) fn deadlines(self) -> Deadlines {
        let ms = Duration::from_millis;
        let turn = (self.time > 0).then(|| ms(self.time));
        if self.left == 0 {
            return Deadlines::within(turn.unwrap_or(ms(LONGEST_TIME)));
        }
        let Deadlines { soft, hard } = Deadlines::of_match(ms(self.left).saturating_sub(MARGIN), ms(self.increment));
        Deadlines { soft, hard: hard.into_iter().chain(turn).min() }
    }
}

/// The report of a search with this side to move.
pub(super) fn report(info: &SearchInfo, turn: Color) -> Value {
    let line = |line: &Line| {
        let mut value = score(line.score, turn);
        value["moves"] = names(line.points.iter().copied()).join(" ").into();
        value
    };
    json!({
        "depth": info.depth,
        "seldepth": info.seldepth,
        "nodes": info.nodes,
        "nps": info.nps(),
        "time": info.time.as_millis() as u64,
        "hashfull": info.hashfull,
        "lines": info.lines.iter().map(line).collect::<Vec<_>>(),
    })
}

/// How far a search is between two reports.
pub(super) fn progress(control: &SearchControl) -> Value {
    let (nodes, time) = (control.nodes(), control.elapsed());
    let nps = nodes as f64 / time.as_secs_f64().max(f64::EPSILON);
    json!({ "nodes": nodes, "nps": nps as u64, "time": time.as_millis() as u64 })
}

/// A score as the protocol writes it, for the side to move, and as a verdict.
fn score(score: Score, turn: Color) -> Value {
    json!({ "score": score.to_string(), "verdict": verdict::of_score(score, turn) })
}

/// An answered question about a move: the point, and why it was chosen.
pub(super) fn chosen(picker: PickerName, answered: Answered) -> Option<Value> {
    let turn = answered.position.board().turn();
    let info = answered.info.as_ref().map(|info| report(info, turn));
    let explanation = Explanation::new(picker, answered)?;
    let mut value = match explanation.choice.reason {
        Reason::Search { score: of_search, .. } => score(of_search, turn),
        _ => json!({}),
    };
    value["point"] = Comma(explanation.choice.point).to_string().into();
    value["why"] = explanation.to_json();
    value["text"] = explanation.to_string().into();
    value["info"] = info.into();
    Some(value)
}

/// Adds to the answer of an interrupted search the score that it last reported for this move. The page has seen it.
pub(super) fn with_reason(given: Answer, info: Option<&SearchInfo>) -> Answer {
    let led = info.and_then(|info| Some((info, info.lines.first()?)));
    match (given.reason, given.decision, led) {
        (Reason::Unfinished, Decision::Move(point), Some((info, line))) if line.points.first() == Some(&point) => {
            Answer { reason: Reason::Search { score: line.score, depth: info.depth }, nodes: info.nodes, ..given }
        }
        _ => given,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_comma;

    #[test]
    fn every_search_ends_within_the_hour() {
        let hour = Deadlines::within(Duration::from_secs(3600));
        for effort in [Effort { nodes: 1 << 63, ..Effort::default() }, Effort { depth: u32::MAX, ..Effort::default() }]
        {
            assert_eq!(effort.check(1).unwrap().deadlines(), hour, "{effort:?}");
        }
        let short = Effort { nodes: 1 << 63, time: 20, ..Effort::default() };
        assert_eq!(short.deadlines(), Deadlines::within(Duration::from_millis(20)));
    }

    #[test]
    fn a_search_that_is_cut_off_says_what_it_reported_of_its_move() {
        let [best, other] = ["7,7", "8,8"].map(|name| parse_comma(name).unwrap());
        let info = SearchInfo {
            depth: 11,
            seldepth: 15,
            nodes: 1234,
            time: Duration::from_secs(1),
            hashfull: 0,
            lines: vec![Line { score: Score::from_eval(40), points: vec![best] }],
            moves: Vec::new(),
        };
        let cut = |point| Answer { decision: Decision::Move(point), reason: Reason::Unfinished, nodes: 0 };
        let told = with_reason(cut(best), Some(&info));
        assert_eq!(told.reason, Reason::Search { score: Score::from_eval(40), depth: 11 });
        assert_eq!(told.nodes, 1234);
        assert_eq!(with_reason(cut(other), Some(&info)), cut(other), "nothing was reported of it");
        assert_eq!(with_reason(cut(best), None), cut(best));
    }
}
