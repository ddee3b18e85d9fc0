//! [`Transcript`]: lines of the protocol, and what the engine picks last when it is sent them.

use std::fmt;
use std::time::Instant;

use crate::board::{Rule, Size};
use crate::picker::{Choice, PickerName, SearchInfo};
use crate::player::Answered;
use crate::protocol::{self, Command, CommandReader, Info, Replay, Setup, StoneList};
use crate::weights::{WeightedPosition, Weighting};

/// Lines that a manager sends, played to a session of the engine: the position is the one that the session thinks in,
/// after all that the lines say of rule, colors, walls and takebacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    lines: String,
    picker: PickerName,
    weighting: Weighting,
}

/// What was picked last, and where.
pub struct Pick {
    /// The position as the picker got it.
    pub position: WeightedPosition,
    /// The picker.
    pub picker: PickerName,
    /// What it answered.
    pub choice: Choice,
    /// The last progress of a search.
    pub search: Option<SearchInfo>,
}

/// Why lines lead to no pick.
#[derive(Debug)]
pub enum TranscriptError {
    /// A line that the protocol does not know or refuses, with its number, counted from one.
    Line(usize, String),
    /// A list that ends in this line holds one that is no stone, or lies off the board.
    List(usize),
    /// A list that begins and does not end.
    Open,
    /// What the session says of lines that the position refuses.
    Refused(String),
    /// Nothing was picked: the board is full.
    NoPick,
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(number, line) => write!(f, "line {number}: the protocol has no such command: {line:?}"),
            Self::List(number) => write!(f, "line {number}: a line of this list is no stone on the board"),
            Self::Open => f.write_str("a list is not ended by DONE"),
            Self::Refused(reply) => write!(f, "the engine answers {reply:?}"),
            Self::NoPick => f.write_str("no empty point is left"),
        }
    }
}

impl std::error::Error for TranscriptError {}

impl Transcript {
    /// Reads lines of the protocol. Size, rule, weighting and picker hold until the lines name others; where they name
    /// several pickers the last one picks throughout.
    ///
    /// A position that the lines set up without asking for a move (`YXBOARD`, `TAKEBACK`) is asked for one. END is
    /// passed over.
    ///
    /// # Errors
    /// When the protocol does not know or refuses a line, or a list holds a bad one or is not ended.
    pub fn parse(
        text: &str,
        size: Size,
        rule: Rule,
        weighting: Weighting,
        picker: PickerName,
    ) -> Result<Self, TranscriptError> {
        let mut transcript = Self { lines: format!("START {size}\nINFO rule {}\n", rule.number()), picker, weighting };
        let mut reader = CommandReader::default();
        let mut size = size;
        let mut asks = false;
        for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
            let bad_line = || TranscriptError::Line(number, line.to_owned());
            match reader.read(line) {
                None => {}
                Some(Command::Refused(_) | Command::Unknown | Command::Foreign) => return Err(bad_line()),
                Some(Command::Info(Info::Picker(name))) => {
                    transcript.picker = name;
                    continue;
                }
                Some(Command::End) => continue,
                Some(Command::Board(list) | Command::YxBoard(list)) if !fits(&list, size) => {
                    return Err(TranscriptError::List(number));
                }
                Some(Command::Begin | Command::Turn(_) | Command::Board(_) | Command::NBest(_)) => asks = true,
                Some(command) => {
                    if let Command::Start(other) = command {
                        size = other;
                    }
                    asks &= !changes_the_game(&command);
                }
            }
            transcript.lines.extend([line, "\n"]);
        }
        if reader.read("DONE").is_some() {
            return Err(TranscriptError::Open);
        }
        if !asks {
            transcript.lines.push_str("BEGIN\n");
        }
        Ok(transcript)
    }

    /// Sends the lines to a session and takes the last pick.
    ///
    /// # Errors
    /// When the session refuses a line, or nothing is picked.
    pub fn play(self) -> Result<Pick, TranscriptError> {
        let setup = Setup::new(self.weighting, self.picker, Instant::now());
        let Replay { replies, answered } = protocol::replay(self.lines.lines(), setup);
        if let Some(refusal) = replies.into_iter().find(|reply| reply.starts_with("ERROR")) {
            return Err(TranscriptError::Refused(refusal));
        }
        let Answered { position, answer, info } = answered.ok_or(TranscriptError::NoPick)?;
        let choice = answer.choice().ok_or(TranscriptError::NoPick)?;
        Ok(Pick { position, picker: self.picker, choice, search: info })
    }
}

/// Whether every line of a list was good and lies on the board.
fn fits(list: &StoneList, size: Size) -> bool {
    list.error.is_none() && list.stones.iter().all(|&(point, _)| size.contains(point))
}

/// Whether a command leads to another position without asking for a move there.
fn changes_the_game(command: &Command) -> bool {
    matches!(
        command,
        Command::Start(_) | Command::Restart | Command::Play(_) | Command::Takeback(_) | Command::YxBoard(_)
    )
}
