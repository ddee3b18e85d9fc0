//! PSQ, Piskvork's form of a saved game, which the viewers of the field open.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0     width x height, the players' levels (11: an engine), the side that began
//! 8,8,0                         x and y counted from 1, milliseconds; stones of an opening took none
//! 9,9,103
//! shapes                        the first player
//! decimal
//! 0                             the result's code
//! ```

use std::fmt;

use super::{Record, RecordError};
use crate::board::{Point, Size};

/// The first word of a saved game.
const FIRST_WORD: &str = "Piskvorky";

/// How a saved game ended: the number in its last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PsqResult {
    /// 0: played out.
    PlayedOut,
    /// 9: lost on time.
    Time,
    /// −1: ended in another way (Piskvork's "not available").
    Other,
}

impl PsqResult {
    const fn code(self) -> i8 {
        match self {
            Self::PlayedOut => 0,
            Self::Time => 9,
            Self::Other => -1,
        }
    }
}

/// A finished game of two engines, to be written; [`Display`](fmt::Display) is the whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Psq<'a> {
    /// The size of the board.
    pub size: Size,
    /// Every stone with its time in milliseconds, in playing order.
    pub moves: Vec<(Point, u64)>,
    /// The names of black and white.
    pub players: [&'a str; 2],
    /// How the game ended.
    pub result: PsqResult,
}

impl fmt::Display for Psq<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, moves, players: [black, white], result } = self;
        writeln!(f, "{FIRST_WORD} {size}x{size}, 11:11, 0")?;
        for (point, time) in moves {
            writeln!(f, "{},{},{time}", point.x() + 1, point.y() + 1)?;
        }
        writeln!(f, "{black}\n{white}\n{}", result.code())
    }
}

impl Record {
    /// Whether a text is a saved game of Piskvork, by its first word.
    pub fn is_psq(text: &str) -> bool {
        text.trim_start_matches('\u{feff}').starts_with(FIRST_WORD)
    }

    /// Reads a saved game of Piskvork (`*.psq`), whose coordinates count from one:
    ///
    /// ```text
    /// Piskvorky 15x15, 11:11, 0       width x height, levels of the players, the side that began
    /// 8,8,0                           x,y,milliseconds
    /// 9,8,1504
    /// pbrain-one.zip                  names, result and whatever else may follow are not read
    /// ```
    ///
    /// # Errors
    /// When the first line is another, the board is no square of a supported size, or a line that begins with a number
    /// and a comma is no move.
    pub fn from_psq(text: &str) -> Result<Self, RecordError> {
        SavedGame::read(text).map(|saved| saved.record)
    }
}

/// A saved game of Piskvork with what it says beside the moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// The moves.
    pub record: Record,
    /// Milliseconds of each move; 0 where the line has none.
    pub times: Vec<u64>,
    /// The two lines behind the moves: the names of black and white; empty where they are missing.
    pub players: [String; 2],
}

impl SavedGame {
    /// Reads a saved game with its times and names.
    ///
    /// # Errors
    /// Those of [`Record::from_psq`].
    pub fn read(text: &str) -> Result<Self, RecordError> {
        let mut lines = (1..).zip(text.trim_start_matches('\u{feff}').lines().map(str::trim));
        let (_, header) = lines.next().unwrap_or((1, ""));
        let size = header_size(header)?;
        let (mut moves, mut times) = (Vec::new(), Vec::new());
        let mut lines = lines.filter(|(_, line)| !line.is_empty()).peekable();
        while let Some((number, line)) = lines.next_if(|(_, line)| is_move(line)) {
            let (point, time) = read_move(line).ok_or_else(|| RecordError::Line(number, line.to_owned()))?;
            moves.push(point);
            times.push(time);
        }
        let mut name = || lines.next().map_or(String::new(), |(_, line)| line.to_owned());
        let players = [name(), name()];
        Ok(Self { record: Record { size, moves }, times, players })
    }
}

/// The size in the first line of a saved game.
fn header_size(header: &str) -> Result<Size, RecordError> {
    let board = header.strip_prefix(FIRST_WORD).and_then(|rest| rest.split(',').next()).map(str::trim);
    let sides = board.and_then(|board| Some((board, board.split_once('x')?)));
    let (board, (width, height)) = sides.ok_or_else(|| RecordError::Header(header.to_owned()))?;
    match width.parse() {
        Ok(size) if width == height => Ok(size),
        _ => Err(RecordError::Shape(board.to_owned())),
    }
}

/// Whether a line begins as a move does: a number and a comma.
fn is_move(line: &str) -> bool {
    let number = line.split_once(',').map(|(number, _)| number.trim().trim_start_matches('-'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reads `x,y` or `x,y,milliseconds`, both coordinates counting from one.
fn read_move(line: &str) -> Option<(Point, u64)> {
    let mut fields = line.split(',').map(|field| field.trim().parse::<i64>().ok());
    let mut coordinate = || u8::try_from(fields.next()??.checked_sub(1)?).ok();
    let point = Point::new(coordinate()?, coordinate()?)?;
    match (fields.next(), fields.next()) {
        (None, None) => Some((point, 0)),
        (Some(Some(time)), None) => Some((point, u64::try_from(time).unwrap_or(0))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Letters;
    use super::*;

    #[test]
    fn a_saved_game_counts_from_one_and_ends_where_the_moves_end() {
        let text =
            "Piskvorky 20x20, 11:0, 1\r\n1,1,0\r\n\r\n 20,3 , 1504\r\n8,8\r\nA.zip\r\nB.zip\r\n-1\r\n0,Freestyle_1\r\n";
        assert!(Record::is_psq(text));
        let record = Record::from_psq(text).unwrap();
        assert_eq!(record.size, Size::TWENTY);
        assert_eq!(record.moves, Letters::new(Size::TWENTY).parse_moves("a20 t18 h13").unwrap());
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
    fn a_game_is_read_as_it_was_written() {
        let moves: Vec<Point> = Letters::new(Size::FIFTEEN).parse_moves("h8 o1 a15").unwrap();
        let timed = moves.iter().copied().zip([0, 103, 7]).collect();
        let psq = Psq { size: Size::FIFTEEN, moves: timed, players: ["1,2,3", "two"], result: PsqResult::Time };
        let text = psq.to_string();
        assert_eq!(text, "Piskvorky 15x15, 11:11, 0\n8,8,0\n15,15,103\n1,1,7\n1,2,3\ntwo\n9\n");
        let named = Psq { players: ["one", "two"], ..psq };
        let saved = SavedGame::read(&named.to_string()).unwrap();
        assert_eq!((&saved.times[..], saved.players), (&[0, 103, 7][..], ["one", "two"].map(str::to_owned)));
        assert_eq!(saved.record, Record { size: Size::FIFTEEN, moves });
    }
}
