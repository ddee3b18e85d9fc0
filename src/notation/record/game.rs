//! [`GameRecord`]: a finished game as one line of JSON.

use serde::{Deserialize, Serialize};
use strum::Display;

use super::GameId;
use crate::board::{Color, Outcome, Size};
use crate::notation::{Moves, Psq, PsqResult};
use crate::text::as_text;

/// The winner of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// Black.
    Black,
    /// White.
    White,
    /// Nobody: a draw.
    Draw,
}

impl Winner {
    /// The winner of this color.
    pub const fn color(color: Color) -> Self {
        match color {
            Color::Black => Self::Black,
            Color::White => Self::White,
        }
    }

    /// The points of the engine that played this color: 2 for a win, 1 for a draw (胜积2分,和积1分,负积0分).
    pub const fn points(self, color: Color) -> u32 {
        match (self, color) {
            (Self::Draw, _) => 1,
            (Self::Black, Color::Black) | (Self::White, Color::White) => 2,
            (Self::Black | Self::White, _) => 0,
        }
    }
}

/// The reason for which a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum GameEnd {
    /// A winning row.
    Row,
    /// Black played on a forbidden point.
    Foul,
    /// A full board, or the number of stones at which the match calls a draw.
    Draw,
    /// No answer in time.
    Time,
    /// The engine ended, or closed its output.
    Crash,
    /// A point outside the board or on a stone.
    Illegal,
    /// The engine wrote lines, but no answer.
    Nonsense,
    /// A move without a request.
    Unasked,
    /// More memory than allowed.
    Memory,
    /// `START` was not answered with `OK`.
    Start,
}

impl From<Outcome> for GameEnd {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Row { .. } => Self::Row,
            Outcome::Foul { .. } => Self::Foul,
            Outcome::Draw => Self::Draw,
        }
    }
}

impl GameEnd {
    /// Whether the game ended early because the loser failed as a program.
    pub const fn is_forfeit(self) -> bool {
        !matches!(self, Self::Row | Self::Foul | Self::Draw)
    }
}

/// A line of an engine that did not answer a request: a message, or a line without meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineLine {
    /// The number of stones on the board when the engine was asked.
    pub ply: usize,
    /// The line.
    pub text: String,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of the game.
    #[serde(with = "as_text")]
    pub game: GameId,
    /// The name of the engine that played black.
    pub black: String,
    /// The name of the engine that played white.
    pub white: String,
    /// The winner.
    pub winner: Winner,
    /// The reason for which the game ended.
    pub end: GameEnd,
    /// The reason in words, with the line of the engine that explains it.
    pub detail: String,
    /// The stones placed before the engines moved; under a procedure, the stones of the negotiation.
    #[serde(with = "as_text")]
    pub opening: Moves,
    /// The answers to the questions of the opening procedure in their order, each after the name of its engine. Older
    /// records call the field `swap2`.
    #[serde(default, alias = "swap2", skip_serializing_if = "Vec::is_empty")]
    pub negotiation: Vec<String>,
    /// The moves after the opening. A foul is among them, as the last; a move that could not be played is not.
    #[serde(with = "as_text")]
    pub moves: Moves,
    /// The time of each of these moves in milliseconds.
    pub times: Vec<u64>,
    /// The engines' lines that did not answer a request.
    pub said: Vec<EngineLine>,
    /// The time of the whole game in milliseconds.
    pub wall: u64,
}

impl GameRecord {
    /// What was played: the result, the opening and the moves.
    pub const fn play(&self) -> (Winner, GameEnd, [&Moves; 2]) {
        (self.winner, self.end, [&self.opening, &self.moves])
    }

    /// Whether two records hold the same game. Times and lines of text are not compared.
    pub fn same_play(&self, other: &Self) -> bool {
        (&self.black, &self.white, self.play()) == (&other.black, &other.white, other.play())
    }

    /// The name of the engine that lost; `None` for a draw.
    pub fn loser(&self) -> Option<&str> {
        match self.winner {
            Winner::Draw => None,
            Winner::Black => Some(&self.white),
            Winner::White => Some(&self.black),
        }
    }

    /// The game in Piskvork's format. The stones of the opening have the time 0.
    pub fn to_psq(&self, size: Size) -> Psq<'_> {
        let times = self.opening.0.iter().map(|_| 0).chain(self.times.iter().copied());
        let turn = Color::after(self.opening.0.len() + self.moves.0.len());
        let result = match self.end {
            GameEnd::Row | GameEnd::Foul | GameEnd::Draw => PsqResult::PlayedOut,
            // The code says that the side to move lost. A question of an opening may have been asked of the other.
            GameEnd::Time if self.winner == Winner::color(!turn) => PsqResult::Time,
            _ => PsqResult::Other,
        };
        let stones = self.opening.0.iter().chain(&self.moves.0).copied();
        Psq { size, moves: stones.zip(times).collect(), players: [&self.black, &self.white], result }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Leg;
    use super::*;

    fn record() -> GameRecord {
        GameRecord {
            game: GameId { first: 0, second: 3, opening: 17, leg: Leg::Reversed },
            black: "b \"quoted\"".to_owned(),
            white: "a".to_owned(),
            winner: Winner::White,
            end: GameEnd::Foul,
            detail: "33".to_owned(),
            opening: "7,7 8,8".parse().unwrap(),
            negotiation: Vec::new(),
            moves: "0,0 14,14".parse().unwrap(),
            times: vec![3, 1000],
            said: vec![EngineLine { ply: 2, text: "depth 3".to_owned() }],
            wall: 1004,
        }
    }

    #[test]
    fn the_time_of_the_side_that_is_not_to_move_has_no_code() {
        // After four stones black is to move.
        let result = |winner| GameRecord { winner, end: GameEnd::Time, ..record() }.to_psq(Size::FIFTEEN).result;
        assert_eq!([Winner::White, Winner::Black].map(result), [PsqResult::Time, PsqResult::Other]);
    }

    #[test]
    fn a_record_is_one_line_and_reads_back() {
        let record = record();
        let line = serde_json::to_string(&record).unwrap();
        assert!(line.starts_with(r#"{"game":"0-3.17b","black":"b \"quoted\"","white":"a","winner":"white""#), "{line}");
        assert!(!line.contains('\n') && line.contains(r#""moves":"0,0 14,14""#), "{line}");
        assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), record);
    }
}
