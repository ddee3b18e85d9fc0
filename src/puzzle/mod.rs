//! PUZZLES: positions with exactly one winning move.
//!
//! Owns what a puzzle is, its line of text, and the [`PuzzleFinder`] that proves it. Uses the board with its threats and the
//! solvers. Must never know how the positions were made, or the page that shows them.

mod finder;

use std::fmt;
use std::str::FromStr;

pub use self::finder::PuzzleFinder;
use crate::board::{Board, Point, Rule, Size};
use crate::notation::Letters;
use crate::solver::WinKind;

/// The grades, as the number of the winner's moves. The last grade includes all longer puzzles.
pub const GRADES: [usize; 5] = [2, 3, 4, 5, 6];

/// The size of the boards of puzzles.
pub const SIZE: Size = Size::FIFTEEN;

/// A position with its solution. Its line of text:
///
/// ```text
/// vcf 3 | h8 i9 h9 h10 | i7 g9 j6       kind, moves of the winner | the game up to here | the solution
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// How the side to move wins.
    pub kind: WinKind,
    /// The moves of the winner against the defence of the solution, its five included.
    pub length: usize,
    /// The moves that lead to the position.
    pub moves: Vec<Point>,
    /// The moves of both sides up to the one that decides. The first is the only move that wins.
    pub solution: Vec<Point>,
}

impl Puzzle {
    /// The place of the puzzle in [`GRADES`].
    pub fn grade(&self) -> usize {
        GRADES.iter().rposition(|&least| least <= self.length).unwrap_or(0)
    }

    /// The board of the puzzle under its rule.
    pub fn board(&self, rule: Rule) -> Board {
        let mut board = Board::new(SIZE, rule);
        self.moves.iter().for_each(|&point| board.play(point));
        board
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = Letters::new(SIZE);
        let Self { kind, length, moves, solution } = self;
        write!(f, "{kind} {length} | {} | {}", letters.moves(moves), letters.moves(solution))
    }
}

/// Error returned when a line is not a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected KIND LENGTH | MOVES | SOLUTION")]
pub struct PuzzleError;

impl FromStr for Puzzle {
    type Err = PuzzleError;

    fn from_str(text: &str) -> Result<Self, PuzzleError> {
        let mut columns = text.split('|').map(str::trim);
        let mut column = || columns.next().ok_or(PuzzleError);
        let (kind, length) = column()?.split_once(' ').ok_or(PuzzleError)?;
        let read = |text: &str| Letters::new(SIZE).parse_moves(text).map_err(|_| PuzzleError);
        Ok(Self {
            kind: kind.parse().map_err(|_| PuzzleError)?,
            length: length.parse().map_err(|_| PuzzleError)?,
            moves: read(column()?)?,
            solution: read(column()?)?,
        })
    }
}

/// The puzzles of a file: one a line; lines that begin with `#` are skipped.
///
/// # Errors
/// When a line is not a puzzle.
pub fn parse_puzzles(text: &str) -> Result<Vec<Puzzle>, PuzzleError> {
    text.lines().filter(|line| !line.starts_with('#')).map(str::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_is_read_as_written() {
        let line = "vcf 3 | h8 i9 h9 h10 | i7 g9 j6";
        let puzzle: Puzzle = line.parse().unwrap();
        assert_eq!((puzzle.kind, puzzle.length, puzzle.grade()), (WinKind::Vcf, 3, 1));
        assert_eq!(puzzle.to_string(), line);
        for text in ["", "vcf | h8 | h9", "vcx 3 | h8 | h9", "vcf 3 | h8", "vcf 3 | z99 | h9"] {
            assert_eq!(text.parse::<Puzzle>(), Err(PuzzleError), "{text}");
        }
        assert_eq!([2, 5, 6, 20].map(|length| Puzzle { length, ..puzzle.clone() }.grade()), [0, 3, 4, 4]);
    }
}
