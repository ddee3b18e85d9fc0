//! [`GameMoves`]: the moves of a game and the size of its board, read from any form.

use thiserror::Error;

use super::{Letters, MovesError};
use crate::board::{Board, DrawRule, Outcome, PlayError, Point, Rule, Size};
use crate::text::Quoted;

/// The moves of a game on a board of some size; black moved first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameMoves {
    /// The size of the board.
    pub size: Size,
    /// The moves in playing order.
    pub moves: Vec<Point>,
}

/// Error returned when a text does not hold the moves of a game, or when they cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameMovesError {
    /// A word of a list of moves is not a point.
    #[error(transparent)]
    Moves(#[from] MovesError),
    /// The first line of a saved game is not `Piskvorky 15x15, …`.
    #[error("line 1: expected \"Piskvorky 15x15, …\", found {}", Quoted(.0))]
    Header(String),
    /// The board of a saved game is not a square of 5 to 32 points a side.
    #[error("line 1: {} is not a square board of {} to {} points a side", Quoted(.0), Size::MIN, Size::MAX)]
    Shape(String),
    /// This line of a saved game, counted from one, begins like a move but fails to parse.
    #[error("line {}: expected x,y,milliseconds, found {}", .0, Quoted(.1))]
    Line(usize, String),
    /// This move, counted from one, cannot be played on a board of this size.
    #[error("move {}, {}: {}", .0, Letters::new(*.1).point(*.2), .3)]
    Play(usize, Size, Point, PlayError),
    /// The requested move number, and the number of moves, which is smaller.
    #[error("the record has no move {0}, its last move is {1}")]
    NoMove(usize, usize),
}

impl GameMoves {
    /// Reads a list of moves in letters, `h8 i9 j10` or `h8i9j10`.
    ///
    /// # Errors
    /// When a word is not a point, or a point lies outside the board.
    pub fn from_letters(text: &str, letters: Letters) -> Result<Self, GameMovesError> {
        let moves = letters.parse_moves(text)?;
        Ok(Self { size: letters.size(), moves })
    }

    /// The board before this move, counted from one. `None`, or one more than the number of moves, gives the board
    /// after the last move.
    ///
    /// # Errors
    /// When the game has fewer moves, or a move before this one lies off the board or on another stone.
    pub fn board(&self, rule: Rule, before: Option<usize>) -> Result<Board, GameMovesError> {
        let played = match before {
            None => self.moves.len(),
            Some(number) if (1..=self.moves.len() + 1).contains(&number) => number - 1,
            Some(number) => return Err(GameMovesError::NoMove(number, self.moves.len())),
        };
        let mut board = Board::new(self.size, rule);
        for (number, &point) in (1..).zip(&self.moves[..played]) {
            board.try_play(point).map_err(|error| GameMovesError::Play(number, self.size, point, error))?;
        }
        Ok(board)
    }

    /// The number of the move that ended the game, counted from one, and the result; `None` if the game could go on. Moves
    /// after the end count for nothing.
    ///
    /// A record may end where the Gomocup judge called a [draw](DrawRule::gomocup). A game that went on was not judged so.
    ///
    /// # Errors
    /// When a move lies off the board or on another stone.
    ///
    /// ```
    /// use tengen::board::{Color, Outcome, Rule, Size};
    /// use tengen::notation::{GameMoves, Letters};
    ///
    /// let game = GameMoves::from_letters("a1 a3 b1 b3 c1 c3 d1 d3 e1", Letters::new(Size::FIFTEEN))?;
    /// assert_eq!(game.end(Rule::Freestyle)?, Some((9, Outcome::Row { winner: Color::Black })));
    /// # Ok::<(), tengen::notation::GameMovesError>(())
    /// ```
    pub fn end(&self, rule: Rule) -> Result<Option<(usize, Outcome)>, GameMovesError> {
        self.board(rule, None)?;
        let mut board = Board::new(self.size, rule);
        for (number, &point) in (1..).zip(&self.moves) {
            let is_last = number == self.moves.len();
            let draws = if is_last { DrawRule::gomocup(rule, self.size) } else { DrawRule::FULL_BOARD };
            if let Some(outcome) = draws.outcome_of(&board, point) {
                return Ok(Some((number, outcome)));
            }
            board.play(point);
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;

    #[test]
    fn a_move_number_names_the_position_before_the_move() {
        let record = GameMoves::from_letters("h8 i9 j10", Letters::new(Size::FIFTEEN)).unwrap();
        let stones = |before| record.board(Rule::Freestyle, before).map(|board| board.stone_count());
        assert_eq!(stones(None), Ok(3));
        assert_eq!(stones(Some(1)), Ok(0));
        assert_eq!(stones(Some(3)), Ok(2));
        assert_eq!(stones(Some(4)), Ok(3));
        assert_eq!(stones(Some(0)), Err(GameMovesError::NoMove(0, 3)));
        assert_eq!(stones(Some(5)), Err(GameMovesError::NoMove(5, 3)));
    }

    #[test]
    fn a_move_that_cannot_be_played_is_named() {
        let record = |text| {
            let record = GameMoves::from_letters(text, Letters::new(Size::FIFTEEN))?;
            record.board(Rule::Freestyle, None).map(drop)
        };
        let error = |text| record(text).unwrap_err().to_string();
        assert_eq!(error("h8 h8"), "move 2, h8: the point is occupied");
        assert_eq!(error("h9 i1 h9"), "move 3, h9: the point is occupied");
        assert_eq!(error("h8 p1"), "\"p1\": the point lies outside the board");
    }
    #[test]
    fn a_game_ends_at_its_first_row_or_where_a_judge_may_have_stopped_it() {
        let end = |side, text: &str, rule| {
            let record = GameMoves::from_letters(text, Letters::new(Size::new(side).unwrap())).unwrap();
            record.end(rule).map(|end| end.map(|(number, outcome)| (number, outcome.winner())))
        };
        let row = "a1 a3 b1 b3 c1 c3 d1 d3 e1";
        assert_eq!(end(15, row, Rule::Freestyle), Ok(Some((9, Some(Color::Black)))));
        assert_eq!(end(15, &format!("{row} o1"), Rule::Freestyle), Ok(Some((9, Some(Color::Black)))));
        assert_eq!(end(15, &row[..row.len() - 3], Rule::Freestyle), Ok(None));
        let error = end(15, &format!("{row} e1"), Rule::Freestyle).unwrap_err();
        assert_eq!(error.to_string(), "move 10, e1: the point is occupied");
        // On 6 × 6 a renju game is a draw at 11 stones, unless it went on.
        let drawn = "a1 b1 c1 d1 e1 f1 a3 b3 c3 d3 e3";
        assert_eq!(end(6, drawn, Rule::Renju), Ok(Some((11, None))));
        assert_eq!(end(6, drawn, Rule::Freestyle), Ok(None));
        assert_eq!(end(6, &format!("{drawn} f3"), Rule::Renju), Ok(Some((12, None))));
        assert_eq!(end(6, &format!("{drawn} f3 a5"), Rule::Renju).unwrap().map(|(number, _)| number), Some(13));
    }
}
