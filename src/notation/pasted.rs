//! [`read_pasted`]: the moves of a text that a person pastes, in any of the usual forms, or of a link to a position.
//!
//! ```text
//! h8i9   h8 i9 j10   1. h8 2. i9   h8,i9       letters: files from the left, ranks counted from one
//! 7,7 8,8                                      x,y from zero, as programs write them
//! http://…/#/renju/15/h8i9                     our link: rule, size, moves
//! https://…/#/h8i9                             a link of gomocalc: moves
//! ```
//!
//! The character after a number decides its meaning: `1.` or `1)` numbers a move, `7,` begins `x,y`. A comma after a point
//! separates. `7,7,8,8` is refused, because it could be read in two ways.

use std::ops::Range;

use thiserror::Error;

use super::letters::points_of;
use super::{Letters, MovesError, PointError, parse_comma};
use crate::board::{Point, Rule, Size};
use crate::text::Quoted;

/// The sign at which the address of a link ends and the position begins.
const LINK: &str = "#/";

/// The end of the rule in the link of a continuous game.
const CONTINUOUS: &str = "-continuous";

/// The moves of a pasted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pasted {
    /// The size of the board.
    pub size: Size,
    /// The rule of a link, and whether its game continues after a five.
    pub rule: Option<(Rule, bool)>,
    /// The moves with their places in the text.
    pub moves: Vec<(Point, Range<usize>)>,
}

/// Error returned when a word of a pasted text is not a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct PastedError {
    /// The place of the word in the text, in bytes.
    pub place: Range<usize>,
    /// The word and the problem.
    pub problem: PastedProblem,
}

/// A problem of a pasted text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PastedProblem {
    /// A word is not a point.
    #[error(transparent)]
    Point(#[from] MovesError),
    /// The rule of a link is unknown.
    #[error("{}: expected a rule such as renju", Quoted(.0))]
    Rule(String),
    /// The size of a link is not that of a board.
    #[error("{}: expected a size from {} to {}", Quoted(.0), Size::MIN, Size::MAX)]
    Size(String),
}

/// A part of the text, with its place.
#[derive(Clone, Copy)]
struct Part<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Part<'a> {
    fn place(self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    /// The part from this byte on.
    fn from(self, byte: usize) -> Self {
        Self { text: &self.text[byte..], at: self.at + byte }
    }

    fn to(self, byte: usize) -> Self {
        Self { text: &self.text[..byte], at: self.at }
    }

    /// The parts before and behind the first separator; all and nothing without one.
    fn cut(self, separator: char) -> (Self, Self) {
        match self.text.find(separator) {
            Some(byte) => (self.to(byte), self.from(byte + separator.len_utf8())),
            None => (self, self.from(self.text.len())),
        }
    }

    fn digits(self) -> usize {
        self.text.bytes().take_while(u8::is_ascii_digit).count()
    }

    /// The part behind the number of a move, `1.` or `1)`.
    fn without_number(self) -> Self {
        let digits = self.digits();
        let signs = self.text[digits..].bytes().take_while(|sign| matches!(sign, b'.' | b')')).count();
        if digits > 0 && signs > 0 { self.from(digits + signs) } else { self }
    }

    fn error(self, problem: impl Into<PastedProblem>) -> PastedError {
        PastedError { place: self.place(), problem: problem.into() }
    }

    fn point_error(self, error: PointError) -> PastedError {
        self.error(MovesError { word: self.text.to_owned(), error })
    }
}

/// Reads a pasted text. Size and ranks are those of `letters` unless the text is a link, whose ranks count from the
/// bottom.
///
/// ```
/// use tengen::board::Size;
/// use tengen::notation::{Letters, read_pasted};
///
/// let letters = Letters::new(Size::FIFTEEN);
/// let pasted = read_pasted("1. h8 2. i9", letters)?;
/// assert_eq!((pasted.moves.len(), &pasted.moves[1].1), (2, &(9..11)));
/// assert_eq!(read_pasted("http://localhost/#/renju/13/g7", letters)?.size.side(), 13);
/// # Ok::<(), tengen::notation::PastedError>(())
/// ```
///
/// # Errors
/// At the first word that is not a move, or a rule or size of a link.
pub fn read_pasted(text: &str, letters: Letters) -> Result<Pasted, PastedError> {
    let whole = Part { text, at: 0 };
    let Some(start) = text.find(LINK) else {
        return Ok(Pasted { size: letters.size(), rule: None, moves: moves_of(whole, letters)? });
    };
    let link = whole.from(start + LINK.len());
    if !link.text.contains('/') {
        let letters = Letters::new(letters.size());
        return Ok(Pasted { size: letters.size(), rule: None, moves: moves_of(link, letters)? });
    }
    let (name, rest) = link.cut('/');
    let (number, rest) = rest.cut('/');
    let (rule, continuous) = match name.text.strip_suffix(CONTINUOUS) {
        Some(rule) => (rule, true),
        None => (name.text, false),
    };
    let rule = rule.parse().map_err(|_| name.error(PastedProblem::Rule(name.text.to_owned())))?;
    let number = number.to(number.text.trim_end().len());
    let size = number.text.parse().map_err(|_| number.error(PastedProblem::Size(number.text.to_owned())))?;
    Ok(Pasted { size, rule: Some((rule, continuous)), moves: moves_of(rest, Letters::new(size))? })
}

/// Whether a character stands between words. A comma may be part of one.
fn is_separator(sign: char) -> bool {
    sign.is_whitespace() || matches!(sign, ';' | '，' | '、' | '；')
}

fn moves_of(list: Part<'_>, letters: Letters) -> Result<Vec<(Point, Range<usize>)>, PastedError> {
    let mut moves = Vec::new();
    let mut rest = list;
    loop {
        rest = rest.from(rest.text.len() - rest.text.trim_start_matches(is_separator).len());
        if rest.text.is_empty() {
            return Ok(moves);
        }
        let end = rest.text.find(is_separator).unwrap_or(rest.text.len());
        read_word(rest.to(end), letters, &mut moves)?;
        rest = rest.from(end);
    }
}

/// Reads a word without blanks: points in letters with or without commas, or one `x,y`, each with or without a number.
fn read_word(word: Part<'_>, letters: Letters, moves: &mut Vec<(Point, Range<usize>)>) -> Result<(), PastedError> {
    let mut rest = word;
    while !rest.text.is_empty() {
        rest = rest.without_number();
        if rest.digits() > 0 {
            let pair = rest.to(rest.text.trim_end_matches(',').len());
            let point = parse_comma(pair.text).map_err(|error| pair.point_error(error))?;
            if !letters.size().contains(point) {
                return Err(pair.point_error(PointError::OffBoard));
            }
            moves.push((point, pair.place()));
            return Ok(());
        }
        let (piece, after) = rest.cut(',');
        let mut at = piece.at;
        for text in points_of(piece.text) {
            let part = Part { text, at };
            // A number alone, as in "1. h8", leaves nothing.
            if !text.is_empty() {
                moves.push((letters.parse(text).map_err(|error| part.point_error(error))?, part.place()));
            }
            at += text.len();
        }
        rest = after;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::notation::{Comma, Ranks};

    fn read(text: &str) -> Result<String, PastedError> {
        let letters = Letters::new(Size::FIFTEEN);
        let points = |pasted: Pasted| pasted.moves.into_iter().map(|(point, _)| point).collect::<Vec<_>>();
        read_pasted(text, letters).map(|pasted| letters.moves(&points(pasted)).to_string())
    }

    #[test]
    fn moves_are_read_in_every_usual_form() {
        for text in [
            "h8i9j10",
            "h8 i9 j10",
            "H8I9J10",
            "1. h8 2. i9 3. j10",
            "1.h8 2.i9 3.j10",
            "1. h8 i9 2. j10",
            "1. h8 1... i9 2. j10",
            "1) h8; 2) i9; 3) j10",
            "1.h8,2.i9,3.j10",
            "h8,i9,j10",
            "h8, i9,\nj10,",
            "h8，i9、j10",
            "7,7 8,6 9,5",
            "7,7, 8,6, 9,5",
            "1. 7,7 2. 8,6 3. 9,5",
            "7,7;8,6;9,5",
            "h8 8,6 j10",
            "https://gomocalc.com/#/h8i9j10",
            "  http://127.0.0.1:7315/?password=secret#/freestyle/15/h8i9j10\n",
        ] {
            assert_eq!(read(text).as_deref(), Ok("h8 i9 j10"), "{text}");
        }
        for text in ["", " \n", "1.", "https://gomocalc.com/#/", "http://x/#/renju/15/", "http://x/#/renju/15"] {
            assert_eq!(read(text).as_deref(), Ok(""), "{text}");
        }
    }

    #[test]
    fn the_first_word_that_is_not_a_move_is_named_with_its_place() {
        for (text, word, problem) in [
            ("h8 i9 x j10", "x", "expected a point such as h8"),
            ("h16 h1 h16", "h16", "the point lies outside the board"),
            ("h1h16", "h16", "the point lies outside the board"),
            ("7,7 15,0", "15,0", "the point lies outside the board"),
            ("7,7,8,8", "7,7,8,8", "expected a point such as 7,7"),
            ("7, 7", "7", "expected a point such as 7,7"),
            ("h8 9 i9", "9", "expected a point such as 7,7"),
            ("h8-i9", "h8-i9", "expected a point such as h8"),
            ("h8 -- i9", "--", "expected a point such as h8"),
            ("黑h8", "黑h8", "expected a point such as h8"),
            ("h8,黑,i9", "黑", "expected a point such as h8"),
            ("http://x/#/h8i99", "i99", "the point lies outside the board"),
            ("http://x/#/chess/15/h8", "chess", "expected a rule such as renju"),
            ("http://x/#/renju/99/h8", "99", "expected a size from 5 to 32"),
            ("http://x/#/renju/9/h8j10", "j10", "the point lies outside the board"),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(&text[error.place.clone()], word, "{text}");
            assert_eq!(error.to_string(), format!("{word:?}: {problem}"), "{text}");
        }
    }

    #[test]
    fn a_link_states_rule_and_size_and_counts_from_the_bottom() {
        let letters = Letters::new(Size::TWENTY).counted_from(Ranks::Top);
        let pasted = read_pasted("x#/caro_overline-continuous/15/a1", letters).unwrap();
        assert_eq!((pasted.size, pasted.rule), (Size::FIFTEEN, Some((Rule::CaroOverline, true))));
        assert_eq!(pasted.moves, [(Point::new(0, 14).unwrap(), 31..33)]);
        let pasted = read_pasted("x#/a1", letters).unwrap();
        assert_eq!((pasted.size, pasted.rule), (Size::TWENTY, None));
        assert_eq!(pasted.moves, [(Point::new(0, 19).unwrap(), 3..5)]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

        #[test]
        fn points_are_read_from_each_form_that_they_are_written_in(
            side in Size::MIN..=Size::MAX,
            places in prop::collection::vec(0..1024usize, 0..40),
            form in 0..7u8,
        ) {
            let size = Size::new(side).unwrap();
            let letters = Letters::new(size);
            let all: Vec<_> = size.points().collect();
            let points: Vec<_> = places.iter().map(|place| all[place % all.len()]).collect();
            let named = points.iter().map(|&point| letters.point(point).to_string());
            let text = match form {
                0 => named.collect::<String>(),
                1 => named.collect::<Vec<_>>().join(" "),
                2 => named.collect::<Vec<_>>().join(","),
                3 => named.enumerate().map(|(place, name)| format!("{}. {name} ", place + 1)).collect(),
                4 => points.iter().map(|&point| format!("{} ", Comma(point))).collect(),
                5 => points.iter().map(|&point| format!("{}, ", Comma(point))).collect(),
                _ => format!("http://x/#/renju/{side}/{}", named.collect::<String>()),
            };
            let pasted = read_pasted(&text, letters).unwrap();
            prop_assert_eq!(pasted.moves.iter().map(|&(point, _)| point).collect::<Vec<_>>(), points);
            for (point, place) in pasted.moves {
                let word = &text[place];
                let read = if form == 4 || form == 5 { parse_comma(word) } else { letters.parse(word) };
                prop_assert_eq!(read, Ok(point));
            }
        }

        #[test]
        fn any_text_is_read_or_refused_at_a_place_in_it(text in "[a-p0-9,.)#/ 黑，-]{0,20}") {
            if let Err(error) = read_pasted(&text, Letters::new(Size::FIFTEEN)) {
                prop_assert!(text.get(error.place).is_some());
            }
        }
    }
}
