//! The lines of opening lists: [`opening_lines`] finds them, [`parse_opening`] reads one.

use thiserror::Error;

use super::{Letters, PointError};
use crate::board::{Point, Size};
use crate::text::lines;

/// Error returned when a line of an opening list fails to parse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OpeningSyntaxError {
    /// The line has none of the known forms.
    #[error("expected points (h8 i9 or h8i9), offsets (0,0, 1,-2), or id | plies | points | …")]
    Form,
    /// A point lies outside the board.
    #[error("{}", PointError::OffBoard)]
    OffBoard,
}

/// The lines of a list that hold openings, with their numbers counted from 1. Skips blank lines, comments that begin
/// with `#`, and a byte order mark.
pub fn opening_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(lines(text).map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Reads one opening in one of three forms. The caller checks whether its stones can be played.
///
/// ```text
/// h8 i9 j10                       points, with or without the blanks
/// 0,0, 1,1, 2,2                   Piskvork's offsets (x, y) from the point (side / 2, side / 2)
/// id | plies | h8 i9 j10 | …      columns between bars; the third holds points
/// ```
///
/// # Errors
/// When the line has none of these forms, or a point lies outside the board.
pub fn parse_opening(text: &str, letters: Letters) -> Result<Vec<Point>, OpeningSyntaxError> {
    match text.split('|').nth(2) {
        Some(column) => points(column, letters),
        None if text.contains(',') => offsets(text, letters.size()),
        None => points(text, letters),
    }
}

fn points(text: &str, letters: Letters) -> Result<Vec<Point>, OpeningSyntaxError> {
    let points = letters.parse_moves(text).map_err(|error| match error.error {
        PointError::Letters | PointError::Numbers => OpeningSyntaxError::Form,
        PointError::OffBoard => OpeningSyntaxError::OffBoard,
    })?;
    if points.is_empty() { Err(OpeningSyntaxError::Form) } else { Ok(points) }
}

fn offsets(text: &str, size: Size) -> Result<Vec<Point>, OpeningSyntaxError> {
    let numbers: Result<Vec<i32>, _> = text.trim_end_matches([',', ' ']).split(',').map(|n| n.trim().parse()).collect();
    let numbers = numbers.map_err(|_| OpeningSyntaxError::Form)?;
    if numbers.len() % 2 != 0 {
        return Err(OpeningSyntaxError::Form);
    }
    let middle = i32::from(size.side() / 2);
    let coordinate = |offset: i32| offset.checked_add(middle).and_then(|value| u8::try_from(value).ok());
    let point = |pair: &[i32]| size.point(coordinate(pair[0])?, coordinate(pair[1])?);
    numbers.chunks_exact(2).map(|pair| point(pair).ok_or(OpeningSyntaxError::OffBoard)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: Letters = Letters::new(Size::FIFTEEN);

    fn read(text: &str) -> Result<String, OpeningSyntaxError> {
        parse_opening(text, LETTERS).map(|points| LETTERS.moves(&points).to_string())
    }

    #[test]
    fn every_form_of_a_line_is_read() {
        assert_eq!(read("h8 i9 j10").as_deref(), Ok("h8 i9 j10"));
        assert_eq!(read("h8i9j10").as_deref(), Ok("h8 i9 j10"));
        assert_eq!(read("0,0, 1,1, 2,2").as_deref(), Ok("h8 i7 j6"));
        assert_eq!(read("-7,-7,7,-7").as_deref(), Ok("a15 o15"));
        assert_eq!(read("x-001 | 3 | h8 i9 j10 | 57 | even | somewhere").as_deref(), Ok("h8 i9 j10"));
    }

    #[test]
    fn lines_without_a_form_and_points_off_the_board_are_told_apart() {
        for text in ["h", "8", "h8 x", "0,0,1", "0;0", "h8 99", "a | b | | c", ""] {
            assert_eq!(read(text), Err(OpeningSyntaxError::Form), "{text}");
        }
        for text in ["8,0, 0,0", "2147483647,0", "h8 p1", "h8h99"] {
            assert_eq!(read(text), Err(OpeningSyntaxError::OffBoard), "{text}");
        }
    }

    #[test]
    fn comments_and_blank_lines_keep_their_numbers() {
        let lines: Vec<_> = opening_lines("\u{feff}# a comment\n\n h8 \r\n#\ni9").collect();
        assert_eq!(lines, [(3, "h8"), (5, "i9")]);
    }
}
