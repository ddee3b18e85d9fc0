//! [`Moves`]: a list of moves as programs exchange it, `7,7 8,8`.

use std::fmt;
use std::str::FromStr;

use super::{Letters, Ranks};
use crate::board::{Point, PointError, Size};
use crate::text::Quoted;

/// Stones in playing order, written `7,7 8,8`: as the protocol writes points, so that no reader has to know the size of the
/// board. What people read is written by [`Letters`](super::Letters).
///
/// ```
/// use tengen::notation::Moves;
///
/// let moves: Moves = "7,7 8,8".parse()?;
/// assert_eq!(moves.to_string(), "7,7 8,8");
/// # Ok::<(), tengen::notation::MovesError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moves(pub Vec<Point>);

/// The letters of files that earlier versions wrote: ranks from the top, on a board of any size.
const EARLIER: Letters = match Size::new(Size::MAX) {
    Some(size) => Letters::new(size).counted_from(Ranks::Top),
    None => unreachable!(),
};

impl Moves {
    /// Reads a list as written, or the letters with ranks from the top that files of earlier versions hold.
    ///
    /// # Errors
    /// When a word is neither.
    pub fn parse_earlier(text: &str) -> Result<Self, MovesError> {
        EARLIER.parse_moves(text).map(Self)
    }
}

/// Error returned when a word in a list of moves is not a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovesError {
    /// The word.
    pub word: String,
    /// Why it is not a point.
    pub error: PointError,
}

impl fmt::Display for MovesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { word, error } = self;
        write!(f, "{}: {error}", Quoted(word))
    }
}

impl std::error::Error for MovesError {}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for point in &self.0 {
            write!(f, "{separator}{}", point.comma())?;
            separator = " ";
        }
        Ok(())
    }
}

impl FromStr for Moves {
    type Err = MovesError;

    fn from_str(text: &str) -> Result<Self, MovesError> {
        let point = |word: &str| Point::parse_comma(word).map_err(|error| MovesError { word: word.to_owned(), error });
        text.split_whitespace().map(point).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_as_they_are_written() {
        for text in ["", "7,7", "7,7 8,8 31,0"] {
            assert_eq!(text.parse::<Moves>().map(|moves| moves.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn letters_of_earlier_versions_count_ranks_from_the_top() {
        let read = |text| Moves::parse_earlier(text).map(|moves| moves.to_string());
        assert_eq!(read("h8 a1 af32 7,8").as_deref(), Ok("7,7 0,0 31,31 7,8"));
        assert!(read("h8 swap").is_err());
    }

    #[test]
    fn a_word_that_is_not_a_point_is_named() {
        let error = |text: &str| text.parse::<Moves>().unwrap_err().to_string();
        assert_eq!(error("7,7 h8"), "\"h8\": expected a point such as 7,7");
        assert_eq!(error("32,0"), "\"32,0\": the point lies outside the board");
    }
}
