//! Lists of openings, built in or read from text. `notation` parses their lines; this module checks the stones against
//! the rules.
//!
//! The built-in lists (`data/*.txt`, one for each rule and size) come from two sources, which the last column of each
//! line names. "RIF 26" is one of the 26 openings of the Renju International Federation. "Rapfi-filtered random
//! (self-made)" was made for this project: stones placed at random, kept where the engine Rapfi evaluates the position
//! as near even. The fourth column is that evaluation for black, and the fifth its class.

use thiserror::Error;

use crate::board::{Board, PlayError, Point, Rule, Size};
use crate::notation::{Letters, OpeningSyntaxError, opening_lines, parse_opening};

/// The stones that begin a game, in playing order, black first.
pub type Opening = Vec<Point>;

/// A built-in list.
#[derive(Clone, Copy, Debug)]
struct Builtin {
    rules: &'static [Rule],
    size: Size,
    text: &'static str,
}

const BUILTIN: [Builtin; 5] = [
    Builtin { rules: &[Rule::Freestyle], size: Size::FIFTEEN, text: include_str!("data/freestyle15.txt") },
    Builtin { rules: &[Rule::Freestyle], size: Size::TWENTY, text: include_str!("data/freestyle20.txt") },
    Builtin { rules: &[Rule::Standard], size: Size::FIFTEEN, text: include_str!("data/standard15.txt") },
    Builtin { rules: &[Rule::Renju], size: Size::FIFTEEN, text: include_str!("data/renju15.txt") },
    Builtin { rules: &[Rule::Caro, Rule::CaroOverline], size: Size::FIFTEEN, text: include_str!("data/caro15.txt") },
];

/// The text of the built-in list for a rule and a size, if there is one.
pub fn builtin(rule: Rule, size: Size) -> Option<&'static str> {
    BUILTIN.iter().find(|list| list.size == size && list.rules.contains(&rule)).map(|list| list.text)
}

/// Error returned when a list of openings is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct ListError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: OpeningError,
}

/// Error returned when a line is not an opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// The line has none of the known forms.
    #[error("{}", OpeningSyntaxError::Form)]
    Syntax,
    /// A stone cannot be played on its point.
    #[error(transparent)]
    Play(PlayError),
    /// A stone of the opening ends the game.
    #[error("the game would be over before the opening is")]
    GameOver,
}

impl From<OpeningSyntaxError> for OpeningError {
    fn from(error: OpeningSyntaxError) -> Self {
        match error {
            OpeningSyntaxError::Form => Self::Syntax,
            OpeningSyntaxError::OffBoard => Self::Play(PlayError::OffBoard),
        }
    }
}

/// Reads a list: one opening a line; blank lines and lines that begin with `#` are skipped.
///
/// # Errors
/// The first line that is not an opening on a board of this size under this rule.
pub fn parse_list(text: &str, rule: Rule, letters: Letters) -> Result<Vec<Opening>, ListError> {
    let openings = opening_lines(text);
    openings.map(|(line, text)| parse(text, rule, letters).map_err(|reason| ListError { line, reason })).collect()
}

/// Reads one opening in any of the forms of [`parse_opening`].
///
/// # Errors
/// When the line has none of these forms, the stones cannot be played one after the other, or one ends the game.
pub fn parse(text: &str, rule: Rule, letters: Letters) -> Result<Opening, OpeningError> {
    let points = parse_opening(text, letters)?;
    let mut board = Board::new(letters.size(), rule);
    for &point in &points {
        board.check_empty(point).map_err(OpeningError::Play)?;
        if board.outcome_of(point, board.turn()).is_some() {
            return Err(OpeningError::GameOver);
        }
        board.play(point);
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: Letters = Letters::new(Size::FIFTEEN);

    fn names(text: &str) -> Result<String, OpeningError> {
        let points = parse(text, Rule::Freestyle, LETTERS)?;
        Ok(LETTERS.moves(&points).to_string())
    }

    #[test]
    fn lines_that_are_no_opening_are_refused_with_the_reason() {
        assert_eq!(names("h8 x"), Err(OpeningError::Syntax));
        assert_eq!(names("8,0, 0,0"), Err(OpeningError::Play(PlayError::OffBoard)));
        assert_eq!(names("h8 p1"), Err(OpeningError::Play(PlayError::OffBoard)));
        assert_eq!(names("0,0, 1,1").as_deref(), Ok("h8 i7"));
        assert_eq!(names("h8 h8"), Err(OpeningError::Play(PlayError::Occupied)));
        assert_eq!(names("a1 a2 b1 b2 c1 c2 d1 d2 e1"), Err(OpeningError::GameOver));
        let list = parse_list("# a comment\n\nh8\nh8 h8\n", Rule::Freestyle, LETTERS);
        assert_eq!(list, Err(ListError { line: 4, reason: OpeningError::Play(PlayError::Occupied) }));
    }

    #[test]
    fn the_builtin_lists_are_valid_and_without_repeats() {
        for list in BUILTIN {
            for &rule in list.rules {
                let text = builtin(rule, list.size).unwrap();
                let mut openings = parse_list(text, rule, Letters::new(list.size)).unwrap();
                assert!(openings.len() >= 40, "{rule} {}", list.size);
                openings.sort();
                openings.dedup();
                assert_eq!(openings.len(), text.lines().filter(|line| !line.starts_with('#')).count());
                for (line, text) in text.lines().enumerate().filter(|(_, text)| !text.starts_with('#')) {
                    assert!(text.ends_with("(self-made)") || text.contains("| RIF 26: "), "{}: {text}", line + 1);
                }
            }
        }
        assert!(builtin(Rule::Renju, Size::TWENTY).is_none());
    }
}
