//! PSQ, Piskvork's form of a saved game, which the viewers of the field open.
//!
//! ```text
//! Piskvorky 15x15, 11:11, 0     width x height, the players' levels (11: an engine); 1 if the second player began
//! 8,8,0                         x and y counted from 1, milliseconds; stones of an opening took none
//! 9,9,103
//! shapes                        the first player
//! decimal
//! 0                             the result's code
//! ```
//!
//! A game that a person saves has no names. The judge of Gomocup writes the code -1 and one more line,
//! `WINNER,TOURNAMENT`, in which the winner is 1 or 2 in the order of the names, or 0 for a draw.
//!
//! Gomotur's form, REC, has the names first, then moves counted from 0, then the code; its board is 20 x 20.
//!
//! A name takes a line, and the first line that is not a move ends the moves. A name that looks like a move is escaped,
//! so every reader finds the names and this one reads them back unchanged:
//!
//! | name | line |
//! | --- | --- |
//! | looks like a move, `15,15,7`, or is empty | preceded by an apostrophe: `'15,15,7`, `'` |
//! | apostrophes followed by such a name | preceded by one more apostrophe |
//! | contains line ends or other control characters | with blanks instead |
//! | begins or ends with blanks | without them |

use std::fmt;

use super::{GameMoves, GameMovesError};
use crate::board::{Color, Point, Size};
use crate::text::{lines, without_mark};

/// The code of a game that the side to move lost on time: Piskvork takes no move after it.
const TIME_OUT: isize = 15;

/// Piskvork calls a draw when at most this number of points is empty.
const DRAWN_EMPTY_POINTS: usize = 25;

/// The first word of a saved game.
const FIRST_WORD: &str = "Piskvorky";

/// The result of a saved game: the number in its last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PsqResult {
    /// Played out.
    PlayedOut = 0,
    /// Lost on time.
    Time = TIME_OUT,
    /// Ended in another way (Piskvork's "not available").
    Other = -1,
}

/// A finished game of two engines. [`Display`](fmt::Display) writes the whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Psq<'a> {
    /// The size of the board.
    pub size: Size,
    /// Every stone with its time in milliseconds, in playing order.
    pub moves: Vec<(Point, u64)>,
    /// The names of black and white.
    pub players: [&'a str; 2],
    /// The result.
    pub result: PsqResult,
}

impl fmt::Display for Psq<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { size, moves, players: [black, white], result } = self;
        writeln!(f, "{FIRST_WORD} {size}x{size}, 11:11, 0")?;
        for (point, time) in moves {
            writeln!(f, "{},{},{time}", point.x() + 1, point.y() + 1)?;
        }
        writeln!(f, "{}\n{}\n{}", name_line(black), name_line(white), *result as i8)
    }
}

impl GameMoves {
    /// Whether a text begins like a saved game of Piskvork.
    pub fn is_psq(text: &str) -> bool {
        without_mark(text).starts_with(FIRST_WORD)
    }
}

/// A saved game of Piskvork with its times and the names of its players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    /// The moves.
    pub record: GameMoves,
    /// Milliseconds of each move; 0 if the line has no time.
    pub times: Vec<u64>,
    /// The names of black and white; empty if they are missing.
    pub players: [String; 2],
    /// The code of the result: 0 if the game was played out, 15 for time, other numbers for other failures of a player,
    /// -1 if the program did not know. It does not name the winner.
    pub end_code: Option<i32>,
    /// The winner by the line of the Gomocup judge; `Some(None)` is a draw, `None` means that there is no such line.
    pub judged: Option<Option<Color>>,
}

impl SavedGame {
    /// The winner by the code: the side that waited when the other one lost on time, or nobody if the game was played out on
    /// an almost full board. A row or a forbidden point counts for more, and so does the judge.
    pub fn winner_by_code(&self) -> Option<Option<Color>> {
        let moves = self.record.moves.len();
        let is_almost_full = moves + DRAWN_EMPTY_POINTS >= self.record.size.area();
        match self.end_code.map(|code| code as isize) {
            Some(TIME_OUT) => Some(Some(!Color::after(moves))),
            Some(0) if is_almost_full => Some(None),
            _ => None,
        }
    }

    /// Whether a side lost on time, by the code.
    pub fn is_lost_on_time(&self) -> bool {
        self.end_code.is_some_and(|code| code as isize == TIME_OUT)
    }

    /// Reads a saved game of Piskvork (`.psq`) with its times and names.
    ///
    /// # Errors
    /// When the first line is different, the board is not a square of a supported size, or a line that begins with a
    /// number and a comma is not a move.
    pub fn read(text: &str) -> Result<Self, GameMovesError> {
        let mut lines = (1..).zip(lines(text).map(str::trim));
        let (_, header) = lines.next().unwrap_or((1, ""));
        let size = header_size(header)?;
        let mut lines = lines.filter(|(_, line)| !line.is_empty());
        let (moves, times, end) = read_moves(&mut lines, 1)?;
        let end: Vec<_> = end.into_iter().chain(lines.map(|(_, line)| line)).collect();
        let is_second_black = header.rsplit(',').next().is_some_and(|began| began.trim() == "1");
        let (names, end) = match end[..] {
            [code] if code.parse::<i32>().is_ok() => (["", ""], &end[..]),
            _ => ([0, 1].map(|place| end.get(place).copied().unwrap_or_default()), end.get(2..).unwrap_or_default()),
        };
        let mut players = names.map(|name| name_of(name).to_owned());
        let mut judged = end.get(1).and_then(|line| winner_of(line));
        if is_second_black {
            players.reverse();
            judged = judged.map(|winner| winner.map(|color| !color));
        }
        let end_code = end.first().and_then(|code| code.parse().ok());
        Ok(Self { record: GameMoves { size, moves }, times, players, end_code, judged })
    }

    /// Reads a saved game of Gomotur (`.rec`). The first player is black.
    ///
    /// # Errors
    /// When a line that begins with a number and a comma is not a move.
    pub fn read_rec(text: &str) -> Result<Self, GameMovesError> {
        let mut lines = (1..).zip(lines(text).map(str::trim));
        let players = [(); 2].map(|()| lines.next().map_or(String::new(), |(_, line)| line.to_owned()));
        let (moves, times, end) = read_moves(&mut lines.filter(|(_, line)| !line.is_empty()), 0)?;
        let end_code = end.and_then(|code| code.parse().ok());
        Ok(Self { record: GameMoves { size: Size::TWENTY, moves }, times, players, end_code, judged: None })
    }
}

/// The points of moves, their times, and the line after the last one.
type MoveLines<'a> = (Vec<Point>, Vec<u64>, Option<&'a str>);

/// Reads the lines of moves whose coordinates count from `first`.
fn read_moves<'a>(
    lines: &mut impl Iterator<Item = (usize, &'a str)>,
    first: u8,
) -> Result<MoveLines<'a>, GameMovesError> {
    let (mut moves, mut times) = (Vec::new(), Vec::new());
    for (number, line) in lines {
        if !is_move(line) {
            return Ok((moves, times, Some(line)));
        }
        let (point, time) = read_move(line, first).ok_or_else(|| GameMovesError::Line(number, line.to_owned()))?;
        moves.push(point);
        times.push(time);
    }
    Ok((moves, times, None))
}

/// The winner in the line `WINNER,TOURNAMENT`, if the first player is black.
fn winner_of(line: &str) -> Option<Option<Color>> {
    match line.split_once(',')?.0.trim() {
        "0" => Some(None),
        "1" => Some(Some(Color::Black)),
        "2" => Some(Some(Color::White)),
        _ => None,
    }
}

/// The size in the first line of a saved game.
fn header_size(header: &str) -> Result<Size, GameMovesError> {
    let board = header.strip_prefix(FIRST_WORD).and_then(|rest| rest.split(',').next()).map(str::trim);
    let sides = board.and_then(|board| Some((board, board.split_once('x')?)));
    let (board, (width, height)) = sides.ok_or_else(|| GameMovesError::Header(header.to_owned()))?;
    match width.parse() {
        Ok(size) if width == height => Ok(size),
        _ => Err(GameMovesError::Shape(board.to_owned())),
    }
}

/// Whether a line begins like a move: with a number and a comma.
fn is_move(line: &str) -> bool {
    let number = line.split_once(',').map(|(number, _)| number.trim().trim_start_matches('-'));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A name as a line of the file.
fn name_line(name: &str) -> String {
    let line: String = name.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    let line = line.trim();
    let mark = if is_marked(line) { "'" } else { "" };
    format!("{mark}{line}")
}

/// The name in a line of the file.
fn name_of(line: &str) -> &str {
    line.strip_prefix('\'').filter(|name| is_marked(name)).unwrap_or(line)
}

/// Whether a name is escaped: whether the text after its own apostrophes is empty or looks like a move.
fn is_marked(name: &str) -> bool {
    let rest = name.trim_start_matches('\'');
    rest.is_empty() || is_move(rest)
}

/// Reads `x,y` or `x,y,milliseconds`, both coordinates counting from `first`.
fn read_move(line: &str, first: u8) -> Option<(Point, u64)> {
    let mut fields = line.split(',').map(str::trim);
    let mut coordinate = || fields.next()?.parse::<u8>().ok()?.checked_sub(first);
    let point = Point::new(coordinate()?, coordinate()?)?;
    match (fields.next(), fields.next()) {
        (None, None) => Some((point, 0)),
        (Some(time), None) => Some((point, read_time(time)?)),
        _ => None,
    }
}

/// Reads milliseconds. Negative numbers count as 0.
fn read_time(time: &str) -> Option<u64> {
    match time.strip_prefix('-') {
        Some(below) => below.parse::<u64>().ok().map(|_| 0),
        None => time.parse().ok(),
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
        assert!(GameMoves::is_psq(text));
        let record = SavedGame::read(text).unwrap().record;
        assert_eq!(record.size, Size::TWENTY);
        assert_eq!(record.moves, Letters::new(Size::TWENTY).parse_moves("a20 t18 h13").unwrap());
    }

    #[test]
    fn the_line_of_the_judge_names_the_winner_in_the_order_of_the_players() {
        let saved = |began: u8, end: &str| {
            let saved = SavedGame::read(&format!("Piskvorky 15x15, 11:11, {began}\n8,8,0\n{end}")).unwrap();
            (saved.players.map(|name| name.to_lowercase()), saved.end_code, saved.judged)
        };
        let (names, turned) = (["a", "b"].map(str::to_owned), ["b", "a"].map(str::to_owned));
        let judged = |winner: u8| format!("A\nB\n-1\n{winner},Freestyle_1\n");
        assert_eq!(saved(0, &judged(0)), (names.clone(), Some(-1), Some(None)));
        assert_eq!(saved(0, &judged(1)), (names.clone(), Some(-1), Some(Some(Color::Black))));
        assert_eq!(saved(0, &judged(2)), (names.clone(), Some(-1), Some(Some(Color::White))));
        assert_eq!(saved(1, &judged(2)), (turned.clone(), Some(-1), Some(Some(Color::Black))));
        assert_eq!(saved(0, &judged(3)), (names.clone(), Some(-1), None));
        assert_eq!(saved(1, "A\nB\n15\n"), (turned, Some(15), None));
        assert_eq!(saved(0, "A\nB\nx\n"), (names, None, None));
    }

    #[test]
    fn the_code_names_the_winner_of_a_game_lost_on_time_and_of_an_almost_full_board() {
        let winner = |moves: usize, end: &str| {
            let size = Size::new(10).unwrap();
            let points = size.points().take(moves).map(|point| format!("{},{},0\n", point.x() + 1, point.y() + 1));
            let text = format!("Piskvorky 10x10, 11:11, 0\n{}a\nb\n{end}\n", points.collect::<String>());
            SavedGame::read(&text).unwrap().winner_by_code()
        };
        // White was to move after one stone.
        assert_eq!((winner(1, "15"), winner(2, "15")), (Some(Some(Color::Black)), Some(Some(Color::White))));
        assert_eq!((winner(74, "0"), winner(75, "0"), winner(75, "-1")), (None, Some(None), None));
        assert_eq!((winner(1, "3"), winner(1, "x")), (None, None));
    }

    #[test]
    fn a_game_that_a_person_saved_has_a_code_and_no_names() {
        let saved = SavedGame::read("Piskvorky 15x15, 0:0, 0\n8,8,0\n-1\n").unwrap();
        assert_eq!((saved.players, saved.end_code), (["", ""].map(str::to_owned), Some(-1)));
    }

    #[test]
    fn a_game_of_gomotur_counts_from_zero_after_the_names() {
        let saved = SavedGame::read_rec("\r\nB.zip\r\n0,0,5\r\n19,19,7\r\n15\r\n").unwrap();
        let moves = Letters::new(Size::TWENTY).parse_moves("a20 t1").unwrap();
        assert_eq!(saved.record, GameMoves { size: Size::TWENTY, moves });
        assert_eq!((saved.players, saved.end_code), (["", "B.zip"].map(str::to_owned), Some(15)));
        let error = SavedGame::read_rec("A\nB\n0,0,5\n0,x,5").unwrap_err().to_string();
        assert_eq!(error, "line 4: expected x,y,milliseconds, found \"0,x,5\"");
    }

    #[test]
    fn a_saved_game_with_a_bad_line_is_refused_with_its_number() {
        let error = |text: &str| SavedGame::read(text).unwrap_err().to_string();
        assert!(error("").starts_with("line 1: expected"));
        assert!(error("Piskvorky\n").starts_with("line 1: expected"));
        assert!(error("Piskvorky 20x15, 0:0, 0").contains("\"20x15\" is not a square board of 5 to 32"));
        assert!(error("Piskvorky 60x60, 0:0, 0").contains("\"60x60\" is not a square board"));
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
        assert_eq!(text, "Piskvorky 15x15, 11:11, 0\n8,8,0\n15,15,103\n1,1,7\n'1,2,3\ntwo\n15\n");
        let saved = SavedGame::read(&text).unwrap();
        assert_eq!((&saved.times[..], saved.players), (&[0, 103, 7][..], ["1,2,3", "two"].map(str::to_owned)));
        assert_eq!(saved.record, GameMoves { size: Size::FIFTEEN, moves });
    }

    fn names(black: &str, white: &str) -> [String; 2] {
        let moves = vec![(Size::FIFTEEN.centre(), 5)];
        let psq = Psq { size: Size::FIFTEEN, moves, players: [black, white], result: PsqResult::PlayedOut };
        let saved = SavedGame::read(&psq.to_string()).unwrap();
        assert_eq!((saved.record.moves.len(), saved.times), (1, vec![5]), "{psq}");
        saved.players
    }

    #[test]
    fn names_that_look_like_moves_and_empty_names_come_back_as_names() {
        for (black, white) in [("15,15,7", ""), ("", "15,15,7"), ("", ""), ("-1,", "'"), ("''8,8", "'x"), ("0", "9")] {
            assert_eq!(names(black, white), [black, white]);
        }
        assert_eq!(names("a\r\nb\t", "\u{b}"), ["a  b", ""]);
    }

    #[test]
    fn line_ends_of_every_kind_are_read() {
        let text = "\u{feff}Piskvorky 15x15, 11:11, 0\r8,8,0\r9,9,103\rone\rtwo\r0\r";
        let saved = SavedGame::read(text).unwrap();
        assert_eq!(saved, SavedGame::read(&text.replace('\r', "\n")).unwrap());
        assert_eq!((saved.record.moves.len(), saved.players), (2, ["one", "two"].map(str::to_owned)));
    }

    #[test]
    fn an_error_cuts_the_line_that_it_quotes() {
        let long = "9".repeat(1_000_000);
        for text in [long.clone(), format!("Piskvorky {long}x{long}"), format!("Piskvorky 15x15,\n{long},8,0")] {
            let error = SavedGame::read(&text).unwrap_err().to_string();
            assert!(error.len() < 200 && error.contains('…'), "{error}");
        }
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config { cases: 500, failure_persistence: None, ..Default::default() })]

        #[test]
        fn whatever_is_written_reads_back(
            side in Size::MIN..=Size::MAX,
            moves in proptest::collection::vec((proptest::arbitrary::any::<(u8, u8)>(), proptest::arbitrary::any::<u64>()), 0..30),
            black in "(')*([0-9, -]{0,6}|\\PC{0,12}|.{0,6})",
            white in "(')*([0-9, -]{0,6}|\\PC{0,12}|.{0,6})",
        ) {
            let size = Size::new(side).unwrap();
            let point = |(x, y)| size.point(x % side, y % side).unwrap();
            let moves: Vec<_> = moves.into_iter().map(|(at, time)| (point(at), time)).collect();
            let psq = Psq { size, moves: moves.clone(), players: [&black, &white], result: PsqResult::Other };
            let saved = SavedGame::read(&psq.to_string()).unwrap();
            proptest::prop_assert_eq!(saved.record.size, size);
            proptest::prop_assert!(saved.record.moves.into_iter().zip(saved.times).eq(moves));
            // What the form cannot hold: control characters, and blanks at the ends.
            let held = |name: &str| name.replace(char::is_control, " ").trim().to_owned();
            proptest::prop_assert_eq!(saved.players, [held(&black), held(&white)]);
        }
    }
}
