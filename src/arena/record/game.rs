//! [`GameRecord`]: a finished game, as one line of JSON.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::GameId;
use crate::board::{Color, Size};
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
    /// None: a draw.
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

    /// The points of an engine with this color: 2 for a win, 1 for a draw (胜积2分,和积1分,负积0分).
    pub const fn points(self, color: Color) -> u32 {
        match (self, color) {
            (Self::Draw, _) => 1,
            (Self::Black, Color::Black) | (Self::White, Color::White) => 2,
            (Self::Black | Self::White, _) => 0,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
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
    /// Lines, but none that answers.
    Nonsense,
    /// A move without a request.
    Unasked,
    /// More memory than allowed.
    Memory,
    /// `START` was not answered with `OK`.
    Start,
}

impl End {
    /// All, in the order of tables.
    pub const ALL: [Self; 10] = [
        Self::Row,
        Self::Foul,
        Self::Draw,
        Self::Time,
        Self::Crash,
        Self::Illegal,
        Self::Nonsense,
        Self::Unasked,
        Self::Memory,
        Self::Start,
    ];

    /// Whether the loser failed as a program: the game was not played out.
    pub const fn is_forfeit(self) -> bool {
        !matches!(self, Self::Row | Self::Foul | Self::Draw)
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Row => "row",
            Self::Foul => "foul",
            Self::Draw => "draw",
            Self::Time => "time",
            Self::Crash => "crash",
            Self::Illegal => "illegal",
            Self::Nonsense => "nonsense",
            Self::Unasked => "unasked",
            Self::Memory => "memory",
            Self::Start => "start",
        })
    }
}

/// A line of an engine that was no answer: a message, or one that means nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineLine {
    /// The number of stones on the board at the request.
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
    /// Why the game ended.
    pub end: End,
    /// The same in words, with the line of the engine that explains it.
    pub detail: String,
    /// The stones put down before the engines moved; with a procedure those of the negotiation.
    #[serde(with = "as_text")]
    pub opening: Moves,
    /// The answers to the questions of the opening procedure in order, each behind the name of its engine.
    #[serde(default, alias = "swap2", skip_serializing_if = "Vec::is_empty")]
    pub negotiation: Vec<String>,
    /// The moves that followed. A foul is the last of them; a move that could not be played is not.
    #[serde(with = "as_text")]
    pub moves: Moves,
    /// Milliseconds of each of those moves.
    pub times: Vec<u64>,
    /// The engines' lines that were no answers.
    pub said: Vec<EngineLine>,
    /// Milliseconds of the whole game.
    pub wall: u64,
}

impl GameRecord {
    /// Whether two records hold the same game: everything but times and lines of text is compared.
    pub fn same_play(&self, other: &Self) -> bool {
        let play = |game: &Self| (game.winner, game.end, game.opening.clone(), game.moves.clone());
        (&self.black, &self.white) == (&other.black, &other.white) && play(self) == play(other)
    }

    /// The game in Piskvork's form; the stones of the opening took no time.
    pub fn to_psq(&self, size: Size) -> Psq<'_> {
        let times = self.opening.0.iter().map(|_| 0).chain(self.times.iter().copied());
        let result = match self.end {
            End::Row | End::Foul | End::Draw => PsqResult::PlayedOut,
            End::Time => PsqResult::Time,
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

    #[test]
    fn a_record_is_one_line_and_reads_back() {
        let record = GameRecord {
            game: GameId { first: 0, second: 3, opening: 17, leg: Leg::Reversed },
            black: "b \"quoted\"".to_owned(),
            white: "a".to_owned(),
            winner: Winner::White,
            end: End::Foul,
            detail: "33".to_owned(),
            opening: "7,7 8,8".parse().unwrap(),
            negotiation: Vec::new(),
            moves: "0,0 14,14".parse().unwrap(),
            times: vec![3, 1000],
            said: vec![EngineLine { ply: 2, text: "MESSAGE depth 3".to_owned() }],
            wall: 1004,
        };
        let line = serde_json::to_string(&record).unwrap();
        assert!(line.starts_with(r#"{"game":"0-3.17b","black":"b \"quoted\"","white":"a","winner":"white""#), "{line}");
        assert!(!line.contains('\n') && line.contains(r#""moves":"0,0 14,14""#), "{line}");
        assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), record);
    }
}
