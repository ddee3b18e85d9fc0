//! [`GameRecord`]: a finished game, as one line of JSON.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::text;
use crate::board::{Color, Size};
use crate::notation::{Moves, Psq, PsqResult};

/// Which game of a match: the same number in every run of it, on whatever machine.
///
/// Written `0-1.17a`: engines 0 and 1 of the match, opening 17, first of its two games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// The engine that comes first in the pairing.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// The number of the opening in the order of the match.
    pub opening: usize,
    /// Which of the opening's two games.
    pub leg: Leg,
}

/// The two games of an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leg {
    /// The pairing's first engine is black, or opens the game in Swap2.
    Straight,
    /// The other one.
    Reversed,
}

impl Leg {
    /// Both, in playing order.
    pub const ALL: [Self; 2] = [Self::Straight, Self::Reversed];
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let leg = if self.leg == Leg::Straight { 'a' } else { 'b' };
        write!(f, "{}-{}.{}{leg}", self.first, self.second, self.opening)
    }
}

/// Why a text is no number of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameIdError;

impl fmt::Display for GameIdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected the number of a game such as 0-1.17a")
    }
}

impl std::error::Error for GameIdError {}

impl FromStr for GameId {
    type Err = GameIdError;

    fn from_str(text: &str) -> Result<Self, GameIdError> {
        let read = || {
            let (text, leg) = match text.strip_suffix('a') {
                Some(text) => (text, Leg::Straight),
                None => (text.strip_suffix('b')?, Leg::Reversed),
            };
            let (pairing, opening) = text.split_once('.')?;
            let (first, second) = pairing.split_once('-')?;
            let id =
                Self { first: first.parse().ok()?, second: second.parse().ok()?, opening: opening.parse().ok()?, leg };
            Some(id)
        };
        read().ok_or(GameIdError)
    }
}

/// Who has won.
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
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum End {
    /// A winning row.
    Row,
    /// Black played on a forbidden point.
    Foul,
    /// A full board, or as many stones as make a draw.
    Draw,
    /// No answer in time.
    Time,
    /// The engine ended, or closed its output.
    Crash,
    /// A point outside the board or on a stone.
    Illegal,
    /// Lines that are no answer, and none that is.
    Nonsense,
    /// A second move that nobody asked for.
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

/// A line that an engine wrote for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// The number of stones on the board when it was asked.
    pub ply: usize,
    /// The line.
    pub text: String,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of the match.
    #[serde(with = "text")]
    pub game: GameId,
    /// The name of the engine that played black.
    pub black: String,
    /// The name of the engine that played white.
    pub white: String,
    /// Who has won.
    pub winner: Winner,
    /// Why it ended.
    pub end: End,
    /// The same in words, with what the engine said.
    pub detail: String,
    /// The stones put down before the engines moved; in Swap2 those of the procedure.
    #[serde(with = "text")]
    pub opening: Moves,
    /// The answers to Swap2's questions, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub swap2: Vec<String>,
    /// The moves that followed, the last one too if it was a foul; not if it could not be played.
    #[serde(with = "text")]
    pub moves: Moves,
    /// Milliseconds of each of those moves.
    pub times: Vec<u64>,
    /// The engines' lines for people, and noise.
    pub said: Vec<Said>,
    /// Milliseconds that the whole game took.
    pub wall: u64,
}

impl GameRecord {
    /// Whether two records tell of the same game: all but the clock's share and the words.
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
            opening: "h8 i9".parse().unwrap(),
            swap2: Vec::new(),
            moves: "a1 o15".parse().unwrap(),
            times: vec![3, 1000],
            said: vec![Said { ply: 2, text: "MESSAGE depth 3".to_owned() }],
            wall: 1004,
        };
        let line = serde_json::to_string(&record).unwrap();
        assert!(line.starts_with(r#"{"game":"0-3.17b","black":"b \"quoted\"","white":"a","winner":"white""#), "{line}");
        assert!(!line.contains('\n') && line.contains(r#""moves":"a1 o15""#), "{line}");
        assert_eq!(serde_json::from_str::<GameRecord>(&line).unwrap(), record);
        assert!("0-1.2".parse::<GameId>().is_err());
    }
}
