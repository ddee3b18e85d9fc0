//! [`Analysis`]: a position with a score for every move, as text and as JSON.

use serde_json::{Value, json};

use super::board::{Board, Position};
use super::draw::{Drawing, Paint, sign};
use super::geometry::Cell;
use super::picker::{Answer, PickerName, Reason, Scores, SearchInfo};
use crate::board::Color;
use crate::picker::Limits;
use crate::score::Score;

/// The answer of a picker about a position, with a score for every move.
#[derive(Clone, Debug)]
pub struct Analysis {
    position: Position,
    last: Option<Cell>,
    picker: PickerName,
    answer: Answer,
    info: Option<SearchInfo>,
}

impl Analysis {
    /// Asks the picker of this name for the scores of all moves; `None` if the game is over.
    pub fn ask(board: &Board, name: PickerName, limits: &Limits) -> Option<Self> {
        if board.outcome().is_some() {
            return None;
        }
        let mut info = None;
        let answer =
            name.build().answer(board.position(), limits, Scores::All, &mut |progress| info = Some(progress))?;
        let (position, last) = (*board.position(), board.moves().last().copied());
        Some(Self { position, last, picker: name, answer, info })
    }

    /// The text, with or without colors.
    pub fn text(&self, paint: Paint) -> String {
        let Self { position, last, picker, answer, info } = self;
        let (gravity, turn) = (position.gravity(), position.turn());
        let mut text = format!("gravity {gravity}, picker {picker}; {turn} ({}) to move\n\n", sign(turn));
        text += &format!("{}\n\n", Drawing::new(position, *last, paint));
        text += &format!("{turn} plays {}: {}\n\n", gravity.name(answer.cell), answer.reason);
        if let Some(info) = info {
            let names: Vec<_> = info.line.iter().map(|&cell| gravity.name(cell)).collect();
            text += &format!("pv {}\n\n", names.join(" "));
        }
        text += &format!("{:<8}{:<8}{:>8}", "move", "level", "score");
        for (cell, score) in &answer.moves {
            let score = score.map_or("-".to_owned(), |score| score.to_string());
            text += &format!("\n{:<8}{:<8}{score:>8}", gravity.name(*cell), cell.z());
        }
        text
    }

    /// The analysis as JSON. Moves are written as in the protocol. A score is a weight, or the score of a search, in which
    /// a win in n plies is 32,000 − n and a loss n − 32,000. It is `null` if none was found in time.
    pub fn to_json(&self) -> Value {
        let Self { position, picker, answer, info, .. } = self;
        let gravity = position.gravity();
        let name = |cell: Cell| gravity.name(cell);
        let stones = |color| position.stones(color).map(|cell| cell.to_string()).collect::<Vec<_>>();
        let moves = answer.moves.iter().map(|&(cell, score)| {
            let (value, plies) = (score.map(Score::value), score.and_then(Score::plies));
            json!({ "move": name(cell), "level": cell.z(), "score": value, "plies": plies })
        });
        let line = info.as_ref().map(|info| info.line.iter().map(|&cell| name(cell)).collect::<Vec<_>>());
        json!({
            "gravity": gravity.to_string(),
            "picker": picker.to_string(),
            "turn": position.turn().to_string(),
            "black": stones(Color::Black),
            "white": stones(Color::White),
            "choice": name(answer.cell),
            "reason": <&str>::from(answer.reason),
            "depth": match answer.reason { Reason::Search(depth) => Some(depth), _ => None },
            "nodes": answer.nodes,
            "pv": line,
            "moves": moves.collect::<Vec<_>>(),
        })
    }
}
