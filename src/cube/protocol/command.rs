//! [`Command`] and [`CommandReader`], which turns lines into commands. It touches no stream.

use super::Refusal;
use crate::cube::board::Gravity;
use crate::cube::geometry::CELLS;
use crate::protocol::Info;

/// Maximum number of lines kept of a BOARD: one for each cell, and as many with an error.
const MOST_LINES: usize = 2 * CELLS;

/// A command of the manager. Moves stay text until the session reads them, because it knows the gravity.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// `START 4`: starts a game on an empty cube.
    Start,
    /// `RESTART`: starts another game.
    Restart,
    /// `BEGIN`: asks for a move.
    Begin,
    /// `TURN x,y`: plays the opponent's stone and asks for a move.
    Turn(String),
    /// `PLAY x,y`: plays a stone for the engine.
    Play(String),
    /// `TAKEBACK x,y`: removes the highest stone of a column, or without gravity the stone on a cell.
    Takeback(String),
    /// `BOARD … DONE`: sets up a position and asks for a move.
    Board(Vec<String>),
    /// `YXBOARD … DONE`: sets up a position.
    YxBoard(Vec<String>),
    /// `INFO key value`: a setting of the flat engine that also applies here.
    Info(Info),
    /// `INFO gravity on|off`.
    Gravity(Gravity),
    /// An INFO that sets nothing.
    Idle,
    /// `ABOUT`.
    About,
    /// `STOP`, `YXSTOP`: ends the search with its move.
    Stop,
    /// `END`.
    End,
    /// A known command with an invalid argument.
    Refused(Refusal),
    /// An unknown command.
    Unknown,
}

impl Command {
    /// Whether a running search must first end with its move: the command changes the game, or its reply must follow the
    /// move.
    pub(super) const fn waits_for_the_move(&self) -> bool {
        match self {
            Self::Start | Self::Restart | Self::Begin | Self::Turn(_) | Self::Play(_) | Self::Takeback(_) => true,
            Self::Board(_) | Self::YxBoard(_) | Self::Refused(_) => true,
            Self::Info(_) | Self::Gravity(_) | Self::Idle | Self::About | Self::Stop | Self::End | Self::Unknown => {
                false
            }
        }
    }
}

/// The command that a list will become, and its lines so far.
type OpenList = (fn(Vec<String>) -> Command, Vec<String>);

/// Folds lines into commands. The lines from BOARD to DONE are one command. Inside a list INFO is a command of its own;
/// any other known word drops the list. Blank lines are ignored.
#[derive(Debug, Default)]
pub(super) struct CommandReader {
    list: Option<OpenList>,
}

impl CommandReader {
    /// Reads a line and returns the command that it completes, if any.
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
            "DONE" => return self.list.take().map(|(command, lines)| command(lines)),
            "BOARD" => {
                self.list = Some((Command::Board, Vec::new()));
                return None;
            }
            "YXBOARD" => {
                self.list = Some((Command::YxBoard, Vec::new()));
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
                Some((_, lines)) => {
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
    if is_cube { Command::Start } else { Command::Refused(Refusal::Size) }
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
