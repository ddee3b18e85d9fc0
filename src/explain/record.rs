//! [`Record`]: a game as a list of moves, read from a line of moves or from a saved game of Piskvork.

use std::fmt;

use crate::board::{Board, PlayError, Point, PointError, Rule, Size};

/// The moves of a game on a board of some size; black moved first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The size of the board.
    pub size: Size,
    /// The moves in their order.
    pub moves: Vec<Point>,
}

/// Why a text is no record, or a record no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// A word of a line of moves is no point.
    Word(String, PointError),
    /// The first line of a saved game is not `Piskvorky 15x15, …`.
    Header(String),
    /// The board of a saved game is no square of a size from 5 to 32.
    Shape(String),
    /// A line of a saved game begins like a move and is none; lines count from one.
    Line(usize, String),
    /// A move cannot be played; moves count from one.
    Play(usize, Point, PlayError),
    /// The record has no such move; it has this many.
    NoMove(usize, usize),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(word, PointError::Syntax) => write!(f, "{word:?} is no point, expected one such as h8"),
            Self::Word(word, error) => write!(f, "{word:?}: {error}"),
            Self::Header(line) => write!(f, "line 1: expected \"Piskvorky 15x15, …\", found {line:?}"),
            Self::Shape(board) => {
                write!(f, "line 1: {board:?} is no square board of {} to {} points a side", Size::MIN, Size::MAX)
            }
            Self::Line(number, line) => write!(f, "line {number}: expected x,y,milliseconds, found {line:?}"),
            Self::Play(number, point, error) => write!(f, "move {number}, {point}: {error}"),
            Self::NoMove(wanted, moves) => write!(f, "there is no move {wanted}: the record has {moves}"),
        }
    }
}

impl std::error::Error for RecordError {}

impl Record {
    /// Reads a line of moves, `h8 i9 j10`. The blanks may be left out, as records of positions do: `h8i9j10`.
    ///
    /// # Errors
    /// When a word is no point. Whether the points lie on the board is seen when they are [played](Self::board).
    pub fn from_moves(text: &str, size: Size) -> Result<Self, RecordError> {
        let point = |word: &str| word.parse().map_err(|error| RecordError::Word(word.to_owned(), error));
        let moves = text.split_whitespace().flat_map(words).map(point).collect::<Result<_, _>>()?;
        Ok(Self { size, moves })
    }

    /// Whether a text is a saved game of Piskvork, by its first word.
    pub fn is_psq(text: &str) -> bool {
        text.trim_start_matches('\u{feff}').starts_with(PSQ_WORD)
    }

    /// Reads a saved game of Piskvork (`*.psq`), whose coordinates count from one:
    ///
    /// ```text
    /// Piskvorky 15x15, 11:11, 0       width x height, levels of the players, who began
    /// 8,8,0                           x,y,milliseconds
    /// 9,8,1504
    /// pbrain-one.zip                  names, result and whatever else may follow are not read
    /// ```
    ///
    /// # Errors
    /// When the first line is another, the board is no square of a supported size, or a line that begins with a number
    /// and a comma is no move.
    pub fn from_psq(text: &str) -> Result<Self, RecordError> {
        let mut lines = (1..).zip(text.trim_start_matches('\u{feff}').lines().map(str::trim));
        let (_, header) = lines.next().unwrap_or((1, ""));
        let size = header_size(header)?;
        let mut moves = Vec::new();
        for (number, line) in lines.filter(|(_, line)| !line.is_empty()).take_while(|(_, line)| is_move(line)) {
            moves.push(psq_move(line).ok_or_else(|| RecordError::Line(number, line.to_owned()))?);
        }
        Ok(Self { size, moves })
    }

    /// The board before this move of the record was played, moves counting from one; with `None` the board after the
    /// last. One more than the number of moves means the same.
    ///
    /// # Errors
    /// When the record has no such move, or a move before it lies off the board or on another stone.
    pub fn board(&self, rule: Rule, before: Option<usize>) -> Result<Board, RecordError> {
        let played = match before {
            None => self.moves.len(),
            Some(number) if (1..=self.moves.len() + 1).contains(&number) => number - 1,
            Some(number) => return Err(RecordError::NoMove(number, self.moves.len())),
        };
        let mut board = Board::new(self.size, rule);
        for (number, &point) in (1..).zip(&self.moves[..played]) {
            board.try_play(point).map_err(|error| RecordError::Play(number, point, error))?;
        }
        Ok(board)
    }
}

/// The first word of a saved game.
const PSQ_WORD: &str = "Piskvorky";

/// A word cut before each letter that follows a digit: `h8i9` → `h8`, `i9`.
fn words(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let is_cut = |at: &usize| bytes[at - 1].is_ascii_digit() && bytes[*at].is_ascii_alphabetic();
    let mut words = Vec::new();
    let mut start = 0;
    for cut in (1..bytes.len()).filter(is_cut) {
        words.push(&text[start..cut]);
        start = cut;
    }
    words.push(&text[start..]);
    words
}

/// The size in the first line of a saved game.
fn header_size(header: &str) -> Result<Size, RecordError> {
    let board = header.strip_prefix(PSQ_WORD).and_then(|rest| rest.split(',').next()).map(str::trim);
    let sides = board.and_then(|board| Some((board, board.split_once('x')?)));
    let (board, (width, height)) = sides.ok_or_else(|| RecordError::Header(header.to_owned()))?;
    match width.parse() {
        Ok(size) if width == height => Ok(size),
        _ => Err(RecordError::Shape(board.to_owned())),
    }
}

/// Whether a line of a saved game begins as a move does: a number and a comma.
fn is_move(line: &str) -> bool {
    let number = line.split_once(',').map(|(number, _)| number.trim().trim_start_matches('-'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reads `x,y` or `x,y,milliseconds`, both coordinates counting from one.
fn psq_move(line: &str) -> Option<Point> {
    let mut fields = line.split(',').map(|field| field.trim().parse::<i64>().ok());
    let mut coordinate = || u8::try_from(fields.next()??.checked_sub(1)?).ok();
    let point = Point::new(coordinate()?, coordinate()?)?;
    match (fields.next(), fields.next()) {
        (None | Some(Some(_)), None) => Some(point),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(text: &str) -> Vec<String> {
        let record = Record::from_moves(text, Size::FIFTEEN).unwrap();
        record.moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn moves_are_read_with_and_without_blanks() {
        assert_eq!(moves(""), Vec::<String>::new());
        assert_eq!(moves(" h8\ti9  J10 "), ["h8", "i9", "j10"]);
        assert_eq!(moves("h8i9 j10aa12"), ["h8", "i9", "j10", "aa12"]);
        for text in ["h", "8", "h8,i9", "h8-i9", "é1", "h8é1", "h99"] {
            assert!(Record::from_moves(text, Size::FIFTEEN).is_err(), "{text}");
        }
    }

    #[test]
    fn a_saved_game_counts_from_one_and_ends_where_the_moves_end() {
        let text =
            "Piskvorky 20x20, 11:0, 1\r\n1,1,0\r\n\r\n 20,3 , 1504\r\n8,8\r\nA.zip\r\nB.zip\r\n-1\r\n0,Freestyle_1\r\n";
        assert!(Record::is_psq(text));
        let record = Record::from_psq(text).unwrap();
        assert_eq!(record.size, Size::TWENTY);
        assert_eq!(record.moves, ["a1", "t3", "h8"].map(|point| point.parse().unwrap()));
    }

    #[test]
    fn a_saved_game_with_a_bad_line_is_refused_with_its_number() {
        let error = |text: &str| Record::from_psq(text).unwrap_err().to_string();
        assert!(error("").starts_with("line 1: expected"));
        assert!(error("Piskvorky\n").starts_with("line 1: expected"));
        assert!(error("Piskvorky 20x15, 0:0, 0").contains("\"20x15\" is no square board of 5 to 32"));
        assert!(error("Piskvorky 60x60, 0:0, 0").contains("\"60x60\" is no square board"));
        for line in ["8,x,0", "0,8,0", "8,-1,0", "8,8,0,0", "8,8,x", "33,1,0", "99999999999999999999,1,0", "8,"] {
            let text = format!("Piskvorky 15x15, 0:0, 0\n8,8,0\n{line}\n");
            assert_eq!(error(&text), format!("line 3: expected x,y,milliseconds, found {line:?}"));
        }
    }

    #[test]
    fn a_move_number_names_the_position_before_the_move() {
        let record = Record::from_moves("h8 i9 j10", Size::FIFTEEN).unwrap();
        let stones = |before| record.board(Rule::Freestyle, before).map(|board| board.stone_count());
        assert_eq!(stones(None), Ok(3));
        assert_eq!(stones(Some(1)), Ok(0));
        assert_eq!(stones(Some(3)), Ok(2));
        assert_eq!(stones(Some(4)), Ok(3));
        assert_eq!(stones(Some(0)), Err(RecordError::NoMove(0, 3)));
        assert_eq!(stones(Some(5)), Err(RecordError::NoMove(5, 3)));
    }

    #[test]
    fn a_move_that_cannot_be_played_is_named() {
        let error = |text| {
            let record = Record::from_moves(text, Size::FIFTEEN).unwrap();
            record.board(Rule::Freestyle, None).unwrap_err().to_string()
        };
        assert_eq!(error("h8 h8"), "move 2, h8: the point is occupied");
        assert_eq!(error("h8 p1"), "move 2, p1: the point lies outside the board");
    }
}
