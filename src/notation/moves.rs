//! [`Moves`]: a list of moves, `h8 i9 j10`.

use std::fmt;
use std::str::FromStr;

use crate::board::{Point, PointError};

/// Stones in playing order, written `h8 i9 j10`; read with or without the blanks.
///
/// ```
/// use tengen::notation::Moves;
///
/// let moves: Moves = "h8i9 J10".parse()?;
/// assert_eq!(moves.to_string(), "h8 i9 j10");
/// # Ok::<(), tengen::notation::MovesError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moves(pub Vec<Point>);

/// A word in a list of moves that is no point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovesError {
    /// The word.
    pub word: String,
    /// Why it is no point.
    pub error: PointError,
}

impl fmt::Display for MovesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { word, error } = self;
        match error {
            PointError::Syntax => write!(f, "{word:?} is no point, expected one such as h8"),
            PointError::OffBoard => write!(f, "{word:?}: {error}"),
        }
    }
}

impl std::error::Error for MovesError {}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for point in &self.0 {
            write!(f, "{separator}{point}")?;
            separator = " ";
        }
        Ok(())
    }
}

impl FromStr for Moves {
    type Err = MovesError;

    fn from_str(text: &str) -> Result<Self, MovesError> {
        let point = |word: &str| word.parse().map_err(|error| MovesError { word: word.to_owned(), error });
        text.split_whitespace().flat_map(points_of).map(point).collect::<Result<_, _>>().map(Self)
    }
}

/// A word cut before each letter that follows a digit: `h8i9` → `h8`, `i9`.
fn points_of(word: &str) -> Vec<&str> {
    let bytes = word.as_bytes();
    let is_cut = |at: &usize| bytes[at - 1].is_ascii_digit() && bytes[*at].is_ascii_alphabetic();
    let mut points = Vec::new();
    let mut start = 0;
    for cut in (1..bytes.len()).filter(is_cut) {
        points.push(&word[start..cut]);
        start = cut;
    }
    points.push(&word[start..]);
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, MovesError> {
        text.parse::<Moves>().map(|moves| moves.to_string())
    }

    #[test]
    fn moves_are_read_with_and_without_blanks() {
        assert_eq!(read("").as_deref(), Ok(""));
        assert_eq!(read(" h8\ti9  J10 ").as_deref(), Ok("h8 i9 j10"));
        assert_eq!(read("h8i9 j10aa12").as_deref(), Ok("h8 i9 j10 aa12"));
    }

    #[test]
    fn a_word_that_is_no_point_is_named() {
        for text in ["h", "8", "h8,i9", "h8-i9", "é1", "h8é1", "h99"] {
            assert!(read(text).is_err(), "{text}");
        }
        assert_eq!(read("h8 x").unwrap_err().to_string(), "\"x\" is no point, expected one such as h8");
        assert_eq!(read("h8h99").unwrap_err().to_string(), "\"h99\": the point lies outside the board");
    }
}
