//! [`Command`]: what a line asks for, and [`CommandReader`]: lines in, commands out. Pure.

use std::fmt;

use crate::cube::board::Gravity;
use crate::protocol::Info;

/// The lines of a BOARD that are kept: one for each cell, and as many with an error. The first error alone is reported.
const MOST_LINES: usize = 2 * crate::cube::geometry::CELLS;

/// A command of the manager. Moves are texts until the session reads them: it knows the gravity.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// `START 4`: an empty cube.
    Start,
    /// `RESTART`: an empty cube.
    Restart,
    /// `BEGIN`: the engine moves.
    Begin,
    /// `TURN x,y`: the opponent's stone; the engine moves.
    Turn(String),
    /// `PLAY x,y`: the engine's stone, chosen by the manager.
    Play(String),
    /// `TAKEBACK x,y`: the highest stone of a column goes; without gravity that on a cell.
    Takeback(String),
    /// `BOARD … DONE`: a whole position; the engine moves.
    Board(Vec<String>),
    /// `YXBOARD … DONE`: a whole position and no answer.
    YxBoard(Vec<String>),
    /// `INFO key value`: a setting of the flat engine that holds here, too.
    Info(Info),
    /// `INFO gravity on|off`.
    Gravity(Gravity),
    /// An INFO that sets nothing.
    Idle,
    /// `ABOUT`.
    About,
    /// `STOP`, `YXSTOP`: the search ends with its move.
    Stop,
    /// `END`.
    End,
    /// A known command with an invalid argument.
    Refused(CommandError),
    /// An unknown command.
    Unknown,
}

impl Command {
    /// Whether a search that runs must end with its move first: the command changes the game, or its reply must follow
    /// the move.
    pub(super) const fn waits_for_the_move(&self) -> bool {
        matches!(
            self,
            Self::Start
                | Self::Restart
                | Self::Begin
                | Self::Turn(_)
                | Self::Play(_)
                | Self::Takeback(_)
                | Self::Board(_)
                | Self::YxBoard(_)
                | Self::Refused(_)
        )
    }
}

/// Why the argument of a command is invalid, whatever the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommandError {
    /// START with another size than 4.
    Size,
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unsupported board size, expected 4")
    }
}

/// The lines between BOARD and DONE.
#[derive(Debug)]
struct List {
    /// The command that they will be.
    command: fn(Vec<String>) -> Command,
    lines: Vec<String>,
}

impl List {
    const fn of(command: fn(Vec<String>) -> Command) -> Self {
        Self { command, lines: Vec::new() }
    }
}

/// Folds lines into commands: the lines from BOARD to DONE are one. Inside a list INFO is a command of its own; any
/// other known word drops the list and is a command. Blank lines are ignored.
#[derive(Debug, Default)]
pub(super) struct CommandReader {
    /// The list that is open.
    list: Option<List>,
}

impl CommandReader {
    /// Takes one line; returns the command that it completes, if it completes one.
    pub(super) fn read(&mut self, line: &str) -> Option<Command> {
        let line = line.trim();
        if line.is_empty() {
            return None;
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let text = || rest.to_owned();
        let command = match word.to_ascii_uppercase().as_str() {
            "INFO" => return Some(info(rest)),
            "DONE" => return self.list.take().map(|list| (list.command)(list.lines)),
            "BOARD" => {
                self.list = Some(List::of(Command::Board));
                return None;
            }
            "YXBOARD" => {
                self.list = Some(List::of(Command::YxBoard));
                return None;
            }
            "START" | "RECTSTART" => start(rest),
            "RESTART" => Command::Restart,
            "BEGIN" => Command::Begin,
            "TURN" => Command::Turn(text()),
            "PLAY" => Command::Play(text()),
            "TAKEBACK" => Command::Takeback(text()),
            "ABOUT" => Command::About,
            "STOP" | "YXSTOP" => Command::Stop,
            "END" => Command::End,
            _ => match &mut self.list {
                Some(List { lines, .. }) => {
                    if lines.len() < MOST_LINES {
                        lines.push(line.to_owned());
                    }
                    return None;
                }
                None => return Some(Command::Unknown),
            },
        };
        self.list = None;
        Some(command)
    }
}

/// `4`, `4 4` or `4,4`.
fn start(rest: &str) -> Command {
    let mut sides = rest.split([',', ' ', '\t']).filter(|side| !side.is_empty());
    let is_four = |side: &str| side == "4";
    let is_cube = sides.next().is_some_and(is_four) && sides.next().is_none_or(is_four) && sides.next().is_none();
    if is_cube { Command::Start } else { Command::Refused(CommandError::Size) }
}

fn info(rest: &str) -> Command {
    let mut words = rest.split_whitespace();
    let is_gravity = words.next().is_some_and(|key| key.eq_ignore_ascii_case("gravity"));
    let gravity = words.next().and_then(|value| value.parse().ok()).filter(|_| is_gravity);
    match gravity {
        Some(gravity) => Command::Gravity(gravity),
        None => Info::parse(rest).map_or(Command::Idle, Command::Info),
    }
}
