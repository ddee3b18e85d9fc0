//! Points and moves as programs exchange them, `7,7` and `7,7 8,8`: [`Comma`], [`parse_comma`], [`Moves`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Letters, PointError, Ranks};
use crate::board::{Point, Size};
use crate::text::{Quoted, write_joined};

/// A point shown as `x,y`.
///
/// ```
/// use tengen::board::Size;
/// use tengen::notation::{Comma, parse_comma};
///
/// let point = parse_comma("7,7")?;
/// assert_eq!(point, Size::FIFTEEN.centre());
/// assert_eq!(Comma(point).to_string(), "7,7");
/// # Ok::<(), tengen::notation::PointError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comma(pub Point);

impl fmt::Display for Comma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.0.x(), self.0.y())
    }
}

/// Reads `x,y`; blanks are allowed round the numbers.
///
/// # Errors
/// When the text is not two whole numbers with a comma between them, or one is outside 0..=31.
pub fn parse_comma(text: &str) -> Result<Point, PointError> {
    let (x, y) = text.split_once(',').ok_or(PointError::Numbers)?;
    let number = |text: &str| text.trim().parse::<i64>().map_err(|_| PointError::Numbers);
    let (x, y) = (number(x)?, number(y)?);
    let coordinate = |value: i64| u8::try_from(value).map_err(|_| PointError::OffBoard);
    Point::new(coordinate(x)?, coordinate(y)?).ok_or(PointError::OffBoard)
}

/// Stones in playing order, written `7,7 8,8`. The reader need not know the size of the board.
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

/// The letters in files of earlier versions: ranks from the top, on a board of any size.
const EARLIER: Letters = match Size::new(Size::MAX) {
    Some(size) => Letters::new(size).counted_from(Ranks::Top),
    None => unreachable!(),
};

impl Moves {
    /// Reads a list of `x,y`, or of letters with ranks from the top as in files of earlier versions.
    ///
    /// # Errors
    /// When a word is neither.
    pub(crate) fn parse_earlier(text: &str) -> Result<Self, MovesError> {
        EARLIER.parse_moves(text).map(Self)
    }
}

/// Error returned when a word in a list of moves is not a point.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}: {error}", Quoted(.word))]
pub struct MovesError {
    /// The word.
    pub word: String,
    /// What is wrong with it.
    pub error: PointError,
}

impl fmt::Display for Moves {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(f, " ", self.0.iter().copied().map(Comma))
    }
}

impl FromStr for Moves {
    type Err = MovesError;

    fn from_str(text: &str) -> Result<Self, MovesError> {
        let point = |word: &str| parse_comma(word).map_err(|error| MovesError { word: word.to_owned(), error });
        text.split_whitespace().map(point).collect::<Result<_, _>>().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_as_they_are_written() {
        let size = Size::new(Size::MAX).unwrap();
        for point in size.points() {
            assert_eq!(parse_comma(&Comma(point).to_string()), Ok(point));
        }
        assert_eq!(parse_comma(" 7 ,\t7 "), Ok(Size::FIFTEEN.centre()));
    }

    #[test]
    fn text_that_is_not_a_point_is_refused() {
        for text in ["", "7", "7,", ",7", "a,b", "-1,3", "32,0", "7,7,7", "99999999999999999999,0"] {
            assert!(parse_comma(text).is_err(), "{text}");
        }
    }

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
