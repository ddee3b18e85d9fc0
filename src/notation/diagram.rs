//! [`Diagram`]: a board as a picture, and back.
//!
//! ```text
//!    a b c d e
//!  5 . . . . .      y = 0 is the top row, which has the greatest rank
//!  4 . X O . .      X black   O white   # wall   . empty
//!  3 . . . . .
//!  2 . . . . .
//!  1 . . . . .
//! ```

use std::fmt;

use thiserror::Error;

use super::Letters;
use crate::board::{Board, Color, Occupant, Point, Rule, Size};

/// A board as a picture, with marks of the caller's choice on its points.
pub struct Diagram<'a, F> {
    board: &'a Board,
    mark: F,
}

impl<'a, M: fmt::Display, F: Fn(Point) -> Option<M>> Diagram<'a, F> {
    /// The picture of a board. Where `mark` returns a sign, it is drawn in place of the occupant; it should be one
    /// column wide.
    pub const fn new(board: &'a Board, mark: F) -> Self {
        Self { board, mark }
    }
}

impl Occupant {
    /// Its sign in a picture.
    pub const fn sign(self) -> char {
        match self {
            Self::Empty => '.',
            Self::Stone(Color::Black) => 'X',
            Self::Stone(Color::White) => 'O',
            Self::Wall => '#',
        }
    }
}

impl<M: fmt::Display, F: Fn(Point) -> Option<M>> fmt::Display for Diagram<'_, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.board.size();
        let letters = Letters::new(size);
        write!(f, "   ")?;
        for x in 0..size.side() {
            write!(f, "{:<2}", letters.file(x))?;
        }
        for y in 0..size.side() {
            write!(f, "\n{:>2}", letters.rank(y))?;
            for point in (0..size.side()).filter_map(|x| size.point(x, y)) {
                match (self.mark)(point) {
                    Some(mark) => write!(f, " {mark}")?,
                    None => write!(f, " {}", self.board.at(point).sign())?,
                }
            }
        }
        Ok(())
    }
}

/// Its picture without marks.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Diagram::new(self, |_| None::<char>).fmt(f)
    }
}

/// Error returned when a picture is not a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DiagramError {
    /// The rows are not a square of a size from 5 to 32.
    #[error("expected a square of 5 to 32 rows")]
    Shape,
    /// A sign other than `X`, `O`, `#` and `.`.
    #[error("unknown sign {0:?}, expected X, O, # or .")]
    Sign(char),
}

/// Reads a picture. The line of files and the ranks are optional. White is to move if black has more stones, else
/// black.
///
/// # Errors
/// When the picture is not square or holds an unknown sign.
pub fn parse_diagram(text: &str, rule: Rule) -> Result<Board, DiagramError> {
    let is_rank = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let is_files = |line: &str| line.trim_start().starts_with("a b");
    let rows: Vec<Vec<char>> = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !is_files(line))
        .map(|line| line.split_whitespace().filter(|word| !is_rank(word)).flat_map(str::chars).collect())
        .collect();
    let side = u8::try_from(rows.len()).map_err(|_| DiagramError::Shape)?;
    let size = Size::new(side).ok_or(DiagramError::Shape)?;
    if rows.iter().any(|row| row.len() != rows.len()) {
        return Err(DiagramError::Shape);
    }
    let mut board = Board::new(size, rule);
    for (point, sign) in size.points().zip(rows.into_iter().flatten()) {
        match sign {
            '.' => {}
            'X' | 'x' => board.place(point, Color::Black),
            'O' | 'o' => board.place(point, Color::White),
            '#' => board.wall(point),
            other => return Err(DiagramError::Sign(other)),
        }
    }
    let black_moves = board.stones(Color::Black).len() <= board.stones(Color::White).len();
    board.set_turn(if black_moves { Color::Black } else { Color::White });
    Ok(board)
}

#[cfg(test)]
mod tests {
    use super::super::parse_comma;
    use super::*;

    const PICTURE: &str = "   a b c d e \n 5 . . . . .\n 4 . X O . .\n 3 . . X # .\n 2 . . . . .\n 1 . . . . O";

    #[test]
    fn a_picture_is_read_as_it_is_drawn() {
        let board = parse_diagram(PICTURE, Rule::Freestyle).unwrap();
        assert_eq!(board.to_string(), PICTURE);
        let at = |point| board.at(parse_comma(point).unwrap());
        assert_eq!(at("1,1"), Occupant::Stone(Color::Black));
        assert_eq!(at("3,2"), Occupant::Wall);
        assert_eq!(board.turn(), Color::Black);
    }

    #[test]
    fn a_picture_that_is_no_board_is_refused() {
        assert_eq!(parse_diagram(". .\n. .", Rule::Freestyle).unwrap_err(), DiagramError::Shape);
        assert_eq!(parse_diagram(&PICTURE.replace('#', "?"), Rule::Freestyle).unwrap_err(), DiagramError::Sign('?'));
    }
}
