//! Lists of openings: the carried ones, and the texts from which others are read.

use std::fmt;

use crate::board::{Board, PlayError, Point, Rule, Size};

/// The stones with which a game begins, in playing order, black first.
pub type Opening = Vec<Point>;

/// A list that the program carries.
#[derive(Clone, Copy, Debug)]
struct Carried {
    rules: &'static [Rule],
    size: Size,
    text: &'static str,
}

/// Each opening was found by random play and kept for being near even, or is one of renju's 26.
const CARRIED: [Carried; 5] = [
    Carried { rules: &[Rule::Freestyle], size: Size::FIFTEEN, text: include_str!("data/freestyle15.txt") },
    Carried { rules: &[Rule::Freestyle], size: Size::TWENTY, text: include_str!("data/freestyle20.txt") },
    Carried { rules: &[Rule::Standard], size: Size::FIFTEEN, text: include_str!("data/standard15.txt") },
    Carried { rules: &[Rule::Renju], size: Size::FIFTEEN, text: include_str!("data/renju15.txt") },
    Carried { rules: &[Rule::Caro, Rule::CaroOverline], size: Size::FIFTEEN, text: include_str!("data/caro15.txt") },
];

/// The text of the list carried for a rule and a size, or `None` where there is none.
pub fn carried(rule: Rule, size: Size) -> Option<&'static str> {
    CARRIED.iter().find(|list| list.size == size && list.rules.contains(&rule)).map(|list| list.text)
}

/// Why a text is no list of openings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: OpeningError,
}

/// Why a line is no opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningError {
    /// The line has none of the known forms.
    Syntax,
    /// A stone cannot stand where it is put.
    Play(PlayError),
    /// The game is over before the opening is.
    GameOver,
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for ListError {}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax => {
                f.write_str("expected points (h8 i9 or h8i9), offsets (0,0, 1,-2), or id | plies | points | …")
            }
            Self::Play(error) => error.fmt(f),
            Self::GameOver => f.write_str("the game would be over before the opening is"),
        }
    }
}

impl std::error::Error for OpeningError {}

/// Reads a list: one opening a line; blank lines and lines that begin with `#` are skipped.
///
/// # Errors
/// The first line that is no opening on a board of this size under this rule.
pub fn parse_list(text: &str, rule: Rule, size: Size) -> Result<Vec<Opening>, ListError> {
    let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim).zip(1..);
    let openings = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    openings.map(|(text, line)| parse(text, rule, size).map_err(|reason| ListError { line, reason })).collect()
}

/// Reads one opening: points with or without blanks between them, `h8 i9 j10` or `h8i9j10`; Piskvork's offsets
/// from the centre, `0,0, 1,-2`; or columns between bars, the third of which holds points.
///
/// # Errors
/// When the line has none of these forms, or the stones cannot be played one after the other.
pub fn parse(text: &str, rule: Rule, size: Size) -> Result<Opening, OpeningError> {
    let points = match text.split('|').nth(2) {
        Some(column) => read_points(column),
        None if text.contains(',') => read_offsets(text, size),
        None => read_points(text),
    }?;
    let mut board = Board::new(size, rule);
    for &point in &points {
        board.check_empty(point).map_err(OpeningError::Play)?;
        if board.outcome_of(point, board.turn()).is_some() {
            return Err(OpeningError::GameOver);
        }
        board.play(point);
    }
    Ok(points)
}

/// `h8 i9` or `h8i9`: a point ends where a letter follows a digit.
fn read_points(text: &str) -> Result<Opening, OpeningError> {
    let mut points = Opening::new();
    for word in text.split_whitespace() {
        let mut rest = word;
        while !rest.is_empty() {
            let digits = rest.find(|c: char| c.is_ascii_digit()).ok_or(OpeningError::Syntax)?;
            let length = rest[digits..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |end| digits + end);
            points.push(rest[..length].parse().map_err(|_| OpeningError::Syntax)?);
            rest = &rest[length..];
        }
    }
    if points.is_empty() { Err(OpeningError::Syntax) } else { Ok(points) }
}

/// Pairs of offsets from the point (side / 2, side / 2), all between commas.
fn read_offsets(text: &str, size: Size) -> Result<Opening, OpeningError> {
    let numbers: Result<Vec<i32>, _> = text.trim_end_matches([',', ' ']).split(',').map(|n| n.trim().parse()).collect();
    let numbers = numbers.map_err(|_| OpeningError::Syntax)?;
    if numbers.len() % 2 != 0 {
        return Err(OpeningError::Syntax);
    }
    let middle = i32::from(size.side() / 2);
    let coordinate = |offset: i32| offset.checked_add(middle).and_then(|value| u8::try_from(value).ok());
    let point = |pair: &[i32]| size.point(coordinate(pair[0])?, coordinate(pair[1])?);
    numbers.chunks_exact(2).map(|pair| point(pair).ok_or(OpeningError::Play(PlayError::OffBoard))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Result<String, OpeningError> {
        let points = parse(text, Rule::Freestyle, Size::FIFTEEN)?;
        Ok(points.iter().map(Point::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn every_form_of_a_line_is_read() {
        assert_eq!(names("h8 i9 j10").as_deref(), Ok("h8 i9 j10"));
        assert_eq!(names("h8i9j10").as_deref(), Ok("h8 i9 j10"));
        assert_eq!(names("0,0, 1,1, 2,2").as_deref(), Ok("h8 i9 j10"));
        assert_eq!(names("-7,-7,7,-7").as_deref(), Ok("a1 o1"));
        assert_eq!(names("x-001 | 3 | h8 i9 j10 | 57 | even | somewhere").as_deref(), Ok("h8 i9 j10"));
    }

    #[test]
    fn lines_that_are_no_opening_are_refused_with_the_reason() {
        for text in ["h", "8", "h8 x", "0,0,1", "0;0", "h8 99", "a | b | | c"] {
            assert_eq!(names(text), Err(OpeningError::Syntax), "{text}");
        }
        assert_eq!(names("8,0, 0,0"), Err(OpeningError::Play(PlayError::OffBoard)));
        assert_eq!(names("h8 p1"), Err(OpeningError::Play(PlayError::OffBoard)));
        assert_eq!(names("h8 h8"), Err(OpeningError::Play(PlayError::Occupied)));
        assert_eq!(names("a1 a2 b1 b2 c1 c2 d1 d2 e1"), Err(OpeningError::GameOver));
        let list = parse_list("# a comment\n\nh8\nh8 h8\n", Rule::Freestyle, Size::FIFTEEN);
        assert_eq!(list, Err(ListError { line: 4, reason: OpeningError::Play(PlayError::Occupied) }));
    }

    #[test]
    fn the_carried_lists_are_valid_and_without_repeats() {
        for list in CARRIED {
            for &rule in list.rules {
                let text = carried(rule, list.size).unwrap();
                let mut openings = parse_list(text, rule, list.size).unwrap();
                assert!(openings.len() >= 40, "{rule} {}", list.size);
                openings.sort();
                openings.dedup();
                assert_eq!(openings.len(), text.lines().filter(|line| !line.starts_with('#')).count());
                for (line, text) in text.lines().enumerate().filter(|(_, text)| !text.starts_with('#')) {
                    assert!(text.ends_with("(self-made)") || text.contains("| RIF 26: "), "{}: {text}", line + 1);
                }
            }
        }
        assert!(carried(Rule::Renju, Size::TWENTY).is_none());
    }
}
