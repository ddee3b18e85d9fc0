//! [`Letters`]: points as people write them, `h8`.
//!
//! ```text
//!  5 . . . . .      files from the left, ranks from the bottom: a1 is the bottom left
//!  4 . . . . .      rank = size − y, so (0, 0), drawn at the top left, is a5 on this board
//!  3 . . . . .
//!  2 . X . . .      X is b2, the point (1, 3)
//!  1 . . . . .
//!    a b c d e
//! ```
//!
//! The documents, the Renju International Federation, RenLib's screen and Yixin-Board count in this way. Other programs
//! count ranks from the top; [`Ranks`] selects the direction.

use std::fmt;

use strum::{Display, EnumString, VariantNames};

use super::{MovesError, PointError, parse_comma};
use crate::board::{Point, Size};
use crate::text::{UnknownName, write_joined};

/// The number of letters of the alphabet: the files after `z` are `aa`, `ab`, …
const ALPHABET: u8 = 26;

/// The row in which a text counts rank 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive, parse_err_ty = UnknownName, parse_err_fn = unknown_ranks)]
pub enum Ranks {
    /// Rank 1 is the bottom row, as records, books and most boards have it.
    #[default]
    Bottom,
    /// Rank 1 is the top row, as in the texts of Rapfi and of the Gomocup judge.
    Top,
}

impl Ranks {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Bottom, Self::Top];
}

/// The error for an unknown order of ranks.
fn unknown_ranks(_: &str) -> UnknownName {
    UnknownName::of::<Ranks>("order of ranks")
}

/// The notation with letters for boards of one size.
///
/// ```
/// use tengen::board::{Point, Size};
/// use tengen::notation::{Letters, Ranks};
///
/// let letters = Letters::new(Size::FIFTEEN);
/// let point = letters.parse("H9")?;
/// assert_eq!(Point::new(7, 6), Some(point));
/// assert_eq!(letters.point(point).to_string(), "h9");
/// assert_eq!(letters.counted_from(Ranks::Top).point(point).to_string(), "h7");
/// # Ok::<(), tengen::notation::PointError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letters {
    size: Size,
    ranks: Ranks,
}

impl Letters {
    /// The letters of a board of this size, ranks from the bottom.
    pub const fn new(size: Size) -> Self {
        Self { size, ranks: Ranks::Bottom }
    }

    /// The same letters with another row for rank 1.
    pub const fn counted_from(self, ranks: Ranks) -> Self {
        Self { ranks, ..self }
    }

    /// The size of the board.
    pub const fn size(self) -> Size {
        self.size
    }

    /// The row in which rank 1 lies.
    pub const fn ranks(self) -> Ranks {
        self.ranks
    }

    /// The point in letters, `h8`.
    pub const fn point(self, point: Point) -> Label {
        Label { letters: self, point }
    }

    /// Points in letters, separated by spaces, `h8 i9`.
    pub const fn moves(self, points: &[Point]) -> Labels<'_> {
        Labels { letters: self, points }
    }

    /// The letters of a column, `h`.
    pub fn file(self, x: u8) -> String {
        let letter = char::from(b'a' + x % ALPHABET);
        if x < ALPHABET { letter.into() } else { format!("a{letter}") }
    }

    /// The rank of a row, counted from 1.
    pub const fn rank(self, y: u8) -> u8 {
        match self.ranks {
            Ranks::Bottom => self.size.side().saturating_sub(y),
            Ranks::Top => y + 1,
        }
    }

    /// Reads `h8`, in either case.
    ///
    /// # Errors
    /// When the text is not a file and a rank, or the point lies outside the board.
    pub fn parse(self, text: &str) -> Result<Point, PointError> {
        let digits = text.find(|c: char| c.is_ascii_digit()).ok_or(PointError::Letters)?;
        let (file, rank) = text.split_at(digits);
        let letter = |byte: u8| match byte.to_ascii_lowercase() {
            byte @ b'a'..=b'z' => Ok(byte - b'a'),
            _ => Err(PointError::Letters),
        };
        let x = match *file.as_bytes() {
            [one] => letter(one)?,
            [a, two] if a.eq_ignore_ascii_case(&b'a') => ALPHABET + letter(two)?,
            _ => return Err(PointError::Letters),
        };
        if !rank.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(PointError::Letters);
        }
        let side = self.size.side();
        let y = rank.parse::<u8>().ok().and_then(|rank| match self.ranks {
            Ranks::Bottom if rank > 0 => side.checked_sub(rank),
            Ranks::Bottom => None,
            Ranks::Top => rank.checked_sub(1),
        });
        y.and_then(|y| self.size.point(x, y)).ok_or(PointError::OffBoard)
    }

    /// Reads a list of points, `h8 i9 j10` or `h8i9j10`. A word such as `7,7` is read as `x,y`, the form of
    /// records and logs.
    ///
    /// # Errors
    /// When a word is not a point, or a point lies outside the board.
    pub fn parse_moves(self, text: &str) -> Result<Vec<Point>, MovesError> {
        let is_numbers = |word: &str| word.contains(',') && word.starts_with(|c: char| c.is_ascii_digit());
        let parse = |word: &str| match word {
            _ if !is_numbers(word) => self.parse(word),
            _ => parse_comma(word)
                .and_then(|point| if self.size.contains(point) { Ok(point) } else { Err(PointError::OffBoard) }),
        };
        let point = |word: &str| parse(word).map_err(|error| MovesError { word: word.to_owned(), error });
        text.split_whitespace().flat_map(points_of).map(point).collect()
    }

    /// Reads a list of points and passes, `h8 i9 -- j10` or `h8i9--j10`; `None` is a pass.
    ///
    /// # Errors
    /// Those of [`parse_moves`](Self::parse_moves).
    pub fn parse_moves_and_passes(self, text: &str) -> Result<Vec<Option<Point>>, MovesError> {
        let mut moves = Vec::new();
        for word in text.replace("--", " -- ").split_whitespace() {
            if is_pass(word) {
                moves.push(None);
            } else {
                moves.extend(self.parse_moves(word)?.into_iter().map(Some));
            }
        }
        Ok(moves)
    }
}

/// Whether a word is a pass: `--`, as Rapfi writes it, or `pass`.
fn is_pass(word: &str) -> bool {
    word == "--" || word.eq_ignore_ascii_case("pass")
}

/// A word cut before each letter that follows a digit: `h8i9` → `h8`, `i9`.
pub(super) fn points_of(word: &str) -> Vec<&str> {
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

/// Displays a point in letters.
#[derive(Clone, Copy, Debug)]
pub struct Label {
    letters: Letters,
    point: Point,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { letters, point } = self;
        write!(f, "{}{}", letters.file(point.x()), letters.rank(point.y()))
    }
}

/// Displays a list of points in letters.
#[derive(Clone, Copy, Debug)]
pub struct Labels<'a> {
    letters: Letters,
    points: &'a [Point],
}

impl fmt::Display for Labels<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_joined(f, " ", self.points.iter().map(|&point| self.letters.point(point)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(side: u8) -> Letters {
        Letters::new(Size::new(side).unwrap())
    }

    fn read(text: &str) -> Result<String, MovesError> {
        letters(15).parse_moves(text).map(|points| letters(15).moves(&points).to_string())
    }

    #[test]
    fn ranks_count_from_the_bottom() {
        for (side, x, y, bottom, top) in [
            (15, 7, 6, "h9", "h7"),
            (15, 7, 7, "h8", "h8"),
            (15, 2, 3, "c12", "c4"),
            (15, 0, 14, "a1", "a15"),
            (20, 7, 7, "h13", "h8"),
            (32, 31, 0, "af32", "af1"),
        ] {
            let (letters, point) = (letters(side), Point::new(x, y).unwrap());
            for (ranks, text) in [(Ranks::Bottom, bottom), (Ranks::Top, top)] {
                let letters = letters.counted_from(ranks);
                assert_eq!(letters.point(point).to_string(), text, "{side}, {ranks}");
                assert_eq!(letters.parse(&text.to_uppercase()), Ok(point), "{side}, {ranks}");
            }
        }
    }

    #[test]
    fn every_point_is_read_as_it_is_written() {
        for letters in [5, 15, 20, 32].map(letters).into_iter().flat_map(|l| Ranks::ALL.map(|r| l.counted_from(r))) {
            for point in letters.size().points() {
                assert_eq!(letters.parse(&letters.point(point).to_string()), Ok(point), "{letters:?}");
            }
        }
    }

    #[test]
    fn a_text_that_is_not_a_point_of_the_board_is_refused() {
        for ranks in Ranks::ALL {
            let read = |text: &str| letters(15).counted_from(ranks).parse(text);
            for text in ["", "h", "8", "h-1", "é1", "7 7", "7,7", "bb1", "h8x"] {
                assert_eq!(read(text), Err(PointError::Letters), "{text}");
            }
            for text in ["h0", "h16", "p1", "ag1", "h99999999999"] {
                assert_eq!(read(text), Err(PointError::OffBoard), "{text}");
            }
        }
    }

    #[test]
    fn moves_are_read_with_and_without_blanks() {
        assert_eq!(read("").as_deref(), Ok(""));
        assert_eq!(read(" h8\ti9  J10 ").as_deref(), Ok("h8 i9 j10"));
        assert_eq!(read("h8i9 j10o12").as_deref(), Ok("h8 i9 j10 o12"));
        assert_eq!(read("7,7 8,6 0,14").as_deref(), Ok("h8 i9 a1"));
    }

    #[test]
    fn passes_stand_among_the_moves() {
        let read = |text: &str| {
            let name = |played: Option<Point>| played.map_or("--".to_owned(), |p| letters(15).point(p).to_string());
            letters(15)
                .parse_moves_and_passes(text)
                .map(|moves| moves.into_iter().map(name).collect::<Vec<_>>().join(" "))
        };
        for text in ["h8 -- i9 --", "h8--i9--", "h8 Pass i9 pass", "h8 --i9--"] {
            assert_eq!(read(text).as_deref(), Ok("h8 -- i9 --"), "{text}");
        }
        assert!(read("h8 - i9").is_err());
    }

    #[test]
    fn a_word_that_is_not_a_point_is_named() {
        for text in ["h", "8", "h8,i9", "h8-i9", "é1", "h8é1", "h99", "7,15", "7,", "7,7,7"] {
            assert!(read(text).is_err(), "{text}");
        }
        assert_eq!(read("h8 x").unwrap_err().to_string(), "\"x\": expected a point such as h8");
        assert_eq!(read("h8h99").unwrap_err().to_string(), "\"h99\": the point lies outside the board");
    }

    #[test]
    fn ranks_have_names() {
        assert_eq!("Top".parse(), Ok(Ranks::Top));
        assert_eq!("bottom".parse(), Ok(Ranks::Bottom));
        assert_eq!("left".parse::<Ranks>().unwrap_err().to_string(), "unknown order of ranks, expected bottom or top");
    }
}
