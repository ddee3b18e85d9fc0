//! [`Transcript`]: lines of the protocol, whose last question is explained.

use std::fmt;
use std::time::Instant;

use super::Explanation;

use crate::board::{Rule, Size};
use crate::picker::{Evaluation, PickerName};
use crate::protocol::{self, Command, CommandReader, Info, Options, Refusal, ReplayTime, Reply, Setup, StoneList};
use crate::text::{Quoted, lines};
use crate::weights::Weighting;

/// Lines as a manager sends them. A session of the engine carries them out, so that rule, colors, walls and takebacks
/// mean what they mean in a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    lines: String,
    picker: PickerName,
    weighting: Weighting,
}

/// Why lines have no explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TranscriptError {
    /// The protocol has no such command, or refuses its argument; lines count from one.
    Line(usize, String),
    /// The list that ends in this line holds a line that is no stone on the board.
    List(usize),
    /// The last list is not ended by DONE.
    Open,
    /// The session refuses a command in its position.
    Refused(Refusal),
    /// The last question is one of an opening procedure: its answer is no single move.
    Opening,
}

impl fmt::Display for TranscriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(number, line) => write!(f, "line {number}: the protocol has no such command: {}", Quoted(line)),
            Self::List(number) => write!(f, "line {number}: a line of this list is no stone on the board"),
            Self::Open => f.write_str("a list is not ended by DONE"),
            Self::Refused(refusal) => write!(f, "the engine answers {:?}", Reply::Error(*refusal).to_string()),
            Self::Opening => f.write_str("the last question is about an opening, and only moves are explained"),
        }
    }
}

impl std::error::Error for TranscriptError {}

impl Transcript {
    /// Reads lines of the protocol. Size, rule, weighting and picker hold until the lines set others; where the lines set
    /// the picker, the last one answers every question.
    ///
    /// Where the lines change the position after the last question (`YXBOARD`, `TAKEBACK`), a BEGIN is added. END is
    /// ignored, and so are commands about files.
    ///
    /// # Errors
    /// When a line is no command or has an invalid argument, or a list holds an invalid line or has no end.
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
        for (number, line) in (1..).zip(lines(text)) {
            let bad_line = || TranscriptError::Line(number, line.to_owned());
            // Where there are two, the first is refused.
            match reader.read(line).into_iter().next() {
                None => {}
                Some(Command::Refused(_) | Command::Unknown | Command::Foreign) => return Err(bad_line()),
                Some(Command::Info(Info::Picker(name))) => {
                    transcript.picker = name;
                    continue;
                }
                // A file on the disk of who explains is none of the position's.
                Some(Command::End | Command::HashDump(_) | Command::HashLoad(_)) => continue,
                Some(Command::Board(list) | Command::YxBoard(list)) if !fits(&list, size) => {
                    return Err(TranscriptError::List(number));
                }
                Some(
                    Command::Begin
                    | Command::Turn(_)
                    | Command::Board(_)
                    | Command::NBest(_)
                    | Command::SearchDefend
                    | Command::Balance(_)
                    | Command::Swap2Step(_)
                    | Command::Swap2Board(_)
                    | Command::OpenBoard(_)
                    | Command::Soosorv(..),
                ) => asks = true,
                Some(command) => {
                    if let Command::Start(other) = command {
                        size = other;
                    }
                    asks &= !changes_the_game(&command);
                }
            }
            transcript.lines.extend([line, "\n"]);
        }
        if !reader.read("DONE").is_empty() {
            return Err(TranscriptError::Open);
        }
        if !asks {
            transcript.lines.push_str("BEGIN\n");
        }
        Ok(transcript)
    }

    /// Sends the lines to a session and explains its last answer.
    ///
    /// # Errors
    /// When the session refuses a line, or the last question is about an opening.
    pub fn explain(self, time: ReplayTime, evaluation: Evaluation) -> Result<Explanation, TranscriptError> {
        let setup = Setup::new(self.weighting, self.picker, Instant::now());
        let setup = Setup { options: Options { evaluation, ..Options::default() }, ..setup };
        let answered = protocol::replay(self.lines.lines(), setup, time).map_err(TranscriptError::Refused)?;
        // The last line asks, and a full board is refused: no move means an answer about an opening.
        answered.and_then(|answered| Explanation::new(self.picker, answered)).ok_or(TranscriptError::Opening)
    }
}

/// Whether every line of a list is a stone on the board.
fn fits(list: &StoneList, size: Size) -> bool {
    list.error.is_none() && list.stones.iter().all(|&(point, _)| size.contains(point))
}

/// Whether a command changes the position without a question about the new one.
fn changes_the_game(command: &Command) -> bool {
    matches!(
        command,
        Command::Start(_) | Command::Restart | Command::Play(_) | Command::Takeback(_) | Command::YxBoard(_)
    )
}
