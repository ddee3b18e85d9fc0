//! [`TerminalGame`]: a game against a person on a terminal. It takes lines and returns text; it touches no stream.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use super::board::{Board, Gravity};
use super::draw::{Drawing, Paint, sign};
use super::geometry::Cell;
use super::picker::{Answer, Picker, Scores};
use crate::board::{Color, Outcome};
use crate::picker::{Deadlines, Limits, SearchControl};

/// The commands that a person may type.
const COMMANDS: &str = "a move, undo, hint, new, swap, quit";

/// A game between a person and a picker. The person begins.
pub struct TerminalGame {
    board: Board,
    picker: Box<dyn Picker>,
    /// The color of the person.
    person: Color,
    /// The time of a move of the picker.
    time: Duration,
    paint: Paint,
    is_over: bool,
}

impl TerminalGame {
    /// A new game in which the person has black. The picker thinks for at most this time.
    pub fn new(gravity: Gravity, picker: Box<dyn Picker>, time: Duration, paint: Paint) -> Self {
        Self { board: Board::new(gravity), picker, person: Color::Black, time, paint, is_over: false }
    }

    /// Whether the person has left.
    pub const fn is_over(&self) -> bool {
        self.is_over
    }

    /// The text before the first line is typed.
    pub fn opening(&self) -> String {
        let (example, rule) = match self.gravity() {
            Gravity::On => ("1,2", "A stone drops to the lowest empty level of its column"),
            Gravity::Off => ("1,2,3", "A stone stays where it is put"),
        };
        format!(
            "Four in a row in a cube of 4 x 4 x 4 wins. {rule}.\nType a move such as {example} (x, y{}), or undo, hint, \
             new, swap, quit.\n\n{}",
            if self.gravity() == Gravity::On { "" } else { ", level" },
            self.picture()
        )
    }

    /// The prompt before a line.
    pub fn prompt(&self) -> String {
        let stone = sign(self.board.position().turn());
        if self.board.outcome().is_some() { "new, undo or quit> ".to_owned() } else { format!("your move ({stone})> ") }
    }

    /// Carries out a line that the person typed and returns the text to print.
    pub fn handle(&mut self, line: &str) -> String {
        match line.trim().to_ascii_lowercase().as_str() {
            "" => String::new(),
            "quit" | "exit" | "q" => {
                self.is_over = true;
                "Good bye.\n".to_owned()
            }
            "new" => {
                self.board = Board::new(self.gravity());
                self.picker.clear();
                self.reply(String::new())
            }
            "undo" => self.undo(),
            "swap" => {
                if self.board.outcome().is_some() {
                    return self.ended();
                }
                self.person = !self.person;
                self.reply(format!("You have {} now.\n", sign(self.person)))
            }
            "hint" => match self.ask() {
                Some(answer) if self.board.outcome().is_none() => {
                    format!("{}: {}\n", self.gravity().name(answer.cell), answer.reason)
                }
                _ => self.ended(),
            },
            "help" | "?" => format!("Type {COMMANDS}.\n"),
            text => self.play(text),
        }
    }

    fn gravity(&self) -> Gravity {
        self.board.position().gravity()
    }

    fn play(&mut self, text: &str) -> String {
        if self.board.outcome().is_some() {
            return self.ended();
        }
        let cell = match self.gravity().parse_move(text) {
            Ok(named) => self.board.position().landing(named),
            Err(error) => return format!("{error}; or {COMMANDS}.\n"),
        };
        match cell {
            Some(cell) => {
                self.board.play(cell);
                self.reply(String::new())
            }
            None => "No stone fits there.\n".to_owned(),
        }
    }

    /// Undoes the person's last move and the answer to it.
    fn undo(&mut self) -> String {
        let is_persons = |number: usize| (number % 2 == 0) == (self.person == Color::Black);
        let Some(last) = (0..self.board.moves().len()).rev().find(|&number| is_persons(number)) else {
            return "You have no move to take back.\n".to_owned();
        };
        while self.board.moves().len() > last {
            self.board.undo();
        }
        self.picture()
    }

    /// Lets the picker move if it is its turn. Returns the text, the move, the picture and how the game ended.
    fn reply(&mut self, mut text: String) -> String {
        let is_pickers = self.board.outcome().is_none() && self.board.position().turn() != self.person;
        if let Some(answer) = if is_pickers { self.ask() } else { None } {
            self.board.play(answer.cell);
            let _ = writeln!(text, "I play {}: {}.", self.gravity().name(answer.cell), answer.reason);
        }
        text + &self.picture()
    }

    fn ask(&mut self) -> Option<Answer> {
        let control = Arc::new(SearchControl::default());
        control.set_deadlines(Deadlines::within(self.time));
        let limits = Limits { control, ..Limits::default() };
        self.picker.answer(self.board.position(), &limits, Scores::Best, &mut |_| {})
    }

    fn picture(&self) -> String {
        let drawing = Drawing::new(self.board.position(), self.board.moves().last().copied(), self.paint);
        format!("{drawing}\n{}", self.ended())
    }

    /// How the game has ended; empty while it goes on.
    fn ended(&self) -> String {
        match self.board.outcome() {
            Some(Outcome::Row { winner }) if winner == self.person => "Four in a line: you win.\n".to_owned(),
            Some(Outcome::Row { .. }) => "Four in a line: I win.\n".to_owned(),
            Some(_) => "The cube is full: a draw.\n".to_owned(),
            None => String::new(),
        }
    }
}

/// Plays a list of moves, each `1,2`, or `1,2,3` without gravity.
///
/// # Errors
/// When a move fails to parse or cannot be played. The text names the number of the move, counted from one.
pub fn replay(gravity: Gravity, moves: &[String]) -> Result<Board, String> {
    let mut board = Board::new(gravity);
    for (number, text) in (1..).zip(moves) {
        let cell = |text: &str| -> Result<Cell, String> {
            if board.outcome().is_some() {
                return Err("the game is over before it".to_owned());
            }
            let named = gravity.parse_move(text).map_err(|error| error.to_string())?;
            board.position().landing(named).ok_or_else(|| "no stone fits there".to_owned())
        };
        let cell = cell(text).map_err(|error| format!("move {number}, {text}: {error}"))?;
        board.play(cell);
    }
    Ok(board)
}
