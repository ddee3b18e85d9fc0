//! [`Record`]: the moves of a game and the size of its board, whatever form they were read from.

use std::fmt;

use super::{Letters, MovesError};
use crate::board::{Board, PlayError, Point, Rule, Size};
use crate::text::Quoted;

/// The moves of a game on a board of some size; black moved first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The size of the board.
    pub size: Size,
    /// The moves in their order.
    pub moves: Vec<Point>,
}

/// Why a text is no record, or a record no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// A word of a list of moves is no point.
    Moves(MovesError),
    /// The first line of a saved game is not `Piskvorky 15x15, …`.
    Header(String),
    /// The board of a saved game is no square of a size from 5 to 32.
    Shape(String),
    /// A line of a saved game begins like a move and is none; lines count from one.
    Line(usize, String),
    /// A move cannot be played on a board of this size; moves count from one.
    Play(usize, Size, Point, PlayError),
    /// The record has no such move; it has this many.
    NoMove(usize, usize),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Moves(error) => error.fmt(f),
            Self::Header(line) => write!(f, "line 1: expected \"Piskvorky 15x15, …\", found {}", Quoted(line)),
            Self::Shape(board) => {
                let board = Quoted(board);
                write!(f, "line 1: {board} is not a square board of {} to {} points a side", Size::MIN, Size::MAX)
            }
            Self::Line(number, line) => write!(f, "line {number}: expected x,y,milliseconds, found {}", Quoted(line)),
            Self::Play(number, size, point, error) => {
                write!(f, "move {number}, {}: {error}", Letters::new(*size).point(*point))
            }
            Self::NoMove(wanted, moves) => write!(f, "there is no move {wanted}: the record has {moves}"),
        }
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// Reads a list of moves in letters, `h8 i9 j10` or `h8i9j10`.
    ///
    /// # Errors
    /// When a word is not a point, or a point lies outside the board.
    pub fn from_moves(text: &str, letters: Letters) -> Result<Self, RecordError> {
        let moves = letters.parse_moves(text).map_err(RecordError::Moves)?;
        Ok(Self { size: letters.size(), moves })
    }

    /// The board before this move of the record was played, moves counting from one; with `None` the board after the
    /// last. One more than the number of moves means the same.
    ///
    /// # Errors
    /// When the record has no such move, or a move before it lies off the board or on another stone.
    pub fn board(&self, rule: Rule, before: Option<usize>) -> Result<Board, RecordError> {
        let played = match before {
            None => self.moves.len(),
            Some(number) if (1..=self.moves.len() + 1).contains(&number) => number - 1,
            Some(number) => return Err(RecordError::NoMove(number, self.moves.len())),
        };
        let mut board = Board::new(self.size, rule);
        for (number, &point) in (1..).zip(&self.moves[..played]) {
            board.try_play(point).map_err(|error| RecordError::Play(number, self.size, point, error))?;
        }
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_number_names_the_position_before_the_move() {
        let record = Record::from_moves("h8 i9 j10", Letters::new(Size::FIFTEEN)).unwrap();
        let stones = |before| record.board(Rule::Freestyle, before).map(|board| board.stone_count());
        assert_eq!(stones(None), Ok(3));
        assert_eq!(stones(Some(1)), Ok(0));
        assert_eq!(stones(Some(3)), Ok(2));
        assert_eq!(stones(Some(4)), Ok(3));
        assert_eq!(stones(Some(0)), Err(RecordError::NoMove(0, 3)));
        assert_eq!(stones(Some(5)), Err(RecordError::NoMove(5, 3)));
    }

    #[test]
    fn a_move_that_cannot_be_played_is_named() {
        let record = |text| {
            let record = Record::from_moves(text, Letters::new(Size::FIFTEEN))?;
            record.board(Rule::Freestyle, None).map(drop)
        };
        let error = |text| record(text).unwrap_err().to_string();
        assert_eq!(error("h8 h8"), "move 2, h8: the point is occupied");
        assert_eq!(error("h9 i1 h9"), "move 3, h9: the point is occupied");
        assert_eq!(error("h8 p1"), "\"p1\": the point lies outside the board");
    }
}
