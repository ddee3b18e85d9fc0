//! [`Transcript`]: lines of the protocol and the explanation of their last answer.

use std::time::Instant;

use thiserror::Error;

use super::Explanation;
use crate::board::{Rule, Size};
use crate::protocol::rule_number::RuleInfo;
use crate::protocol::{self, Command, CommandReader, Info, Refusal, ReplayTime, Reply, Settings, Setup, StoneList};
use crate::text::{Quoted, lines};

/// Lines as a manager sends them. A session of the engine carries them out, so rule, colors, walls and takebacks have the
/// same meaning as in a game.
#[derive(Clone, Debug)]
pub struct Transcript {
    lines: String,
    settings: Settings,
}

/// Error returned when lines of the protocol cannot be explained.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TranscriptError {
    /// The protocol has no such command, or refuses its argument; lines count from one.
    #[error("line {}: the protocol has no such command: {}", .0, Quoted(.1))]
    Line(usize, String),
    /// The list that ends in this line holds a line that is not a stone on the board.
    #[error("line {0}: this list has a line that is not a stone on the board")]
    List(usize),
    /// The last list is not ended by DONE.
    #[error("a list is not ended by DONE")]
    Open,
    /// The session refuses a command in its position.
    #[error("the engine answers {:?}", Reply::Error(.0.clone()).to_string())]
    Refused(Refusal),
    /// The last question is one of an opening procedure, whose answer is not a single move.
    #[error("the last question is about an opening, and only moves are explained")]
    Opening,
}

impl Transcript {
    /// Reads lines of the protocol. Size, rule and settings hold until the lines set others. If the lines set the picker, the
    /// last one answers every question.
    ///
    /// If the lines change the position after the last question (`YXBOARD`, `TAKEBACK`), a BEGIN is added. END and what is
    /// about tables and libraries is ignored, so no file is changed.
    ///
    /// # Errors
    /// When a line is not a command or has an invalid argument, or a list holds an invalid line or has no end.
    pub fn parse(text: &str, size: Size, rule: Rule, settings: Settings) -> Result<Self, TranscriptError> {
        let start = format!("START {size}\nINFO rule {}\n", RuleInfo::from(rule).number());
        let mut transcript = Self { lines: start, settings };
        let mut reader = CommandReader::default();
        let mut size = size;
        let mut asks = false;
        // The lines of the command that is being read: its path or its list follows on further ones.
        let mut unread: Vec<&str> = Vec::new();
        for (number, line) in (1..).zip(lines(text)) {
            let bad_line = || TranscriptError::Line(number, line.to_owned());
            unread.push(line);
            // If the line yields two commands, the first is a refusal.
            match reader.read(line).into_iter().next() {
                None => continue,
                Some(Command::Refused(_) | Command::Unknown | Command::Foreign) => return Err(bad_line()),
                Some(Command::Info(Info::Picker(name))) => {
                    transcript.settings.picker = name;
                    unread.clear();
                }
                // These commands do not belong to the position.
                Some(Command::End | Command::Info(Info::Library(_) | Info::LibraryProofs(_))) => unread.clear(),
                Some(command) if command.is_about_files() => unread.clear(),
                Some(Command::Board(list) | Command::YxBoard(list)) if !fits(&list, size) => {
                    return Err(TranscriptError::List(number));
                }
                Some(command) => {
                    if let Command::Start(other) = command {
                        size = other;
                    }
                    asks = command.asks() || asks && !command.changes_the_position();
                }
            }
            transcript.lines.extend(unread.drain(..).flat_map(|line| [line, "\n"]));
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
    pub fn explain(self, time: ReplayTime) -> Result<Explanation, TranscriptError> {
        let picker = self.settings.picker;
        // An explanation changes no file.
        let settings = Settings { library: None, keeps_proofs: false, ..self.settings };
        let setup = Setup::new(settings, Instant::now());
        let answered = protocol::replay(self.lines.lines(), setup, time).map_err(TranscriptError::Refused)?;
        // The last line asks and the session refuses a full board, so no move means an answer about an opening.
        answered.and_then(|answered| Explanation::new(picker, answered)).ok_or(TranscriptError::Opening)
    }
}

/// Whether every line of a list is a stone on the board.
fn fits(list: &StoneList, size: Size) -> bool {
    list.error.is_none() && list.stones.iter().all(|&(point, _)| size.contains(point))
}
