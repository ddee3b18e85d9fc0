//! WORDS: the line protocol of Gomocup and Piskvork, and what Yixin-Board adds to it.
//!
//! ```text
//! bytes ─► reader ─► lines ─► command ─► commands ─► session ─► replies ─► run ─► bytes
//!          thread             pure                   │     ▲               the only writer
//!                                                    ▼     │
//!                                                    think: the picker, on a thread where it needs one
//! ```
//!
//! Owns the words, the clock, the order in which things are answered, and every byte that is written while the
//! protocol runs. Uses the position, the weightings, the openings and the pickers. Nothing below knows of it.
//!
//! No input may kill it: what would panic is denied below.

#![deny(clippy::panic, clippy::unwrap_used, clippy::expect_used, clippy::unreachable, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

mod clock;
mod command;
mod detail;
mod game;
mod info;
mod list;
mod options;
mod reader;
mod reply;
mod session;
mod think;
mod vocabulary;
mod warmth;

use std::io::{self, Read, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Instant;

pub use clock::{Clock, Deadlines, MatchLeft, TurnLimit};
pub use command::{Command, CommandError, CommandReader};
pub use detail::Detail;
pub use info::Info;
pub use list::{ListFlaw, Owner, PointList, StoneList};
pub use reply::{Message, Refusal, Reply};

use crate::opening::swap2::Answer;
use crate::picker::{Picker, PickerName, Report};
use crate::weights::Weighting;
use session::Session;
use think::ThinkId;

/// Makes a picker; again where one was lost to a panic or a hang.
pub type PickerSource = Box<dyn FnMut() -> Box<dyn Picker>>;

/// With what a session begins.
pub struct Setup {
    /// The weights in use until INFO changes them.
    pub weighting: Weighting,
    /// Who chooses until INFO changes it.
    pub picker: PickerSource,
    /// When the process started: the first move pays for the time since then.
    pub started: Instant,
}

impl Setup {
    /// A session with a picker of the house.
    pub fn new(weighting: Weighting, picker: PickerName, started: Instant) -> Self {
        Self { weighting, picker: Box::new(move || picker.build()), started }
    }
}

/// What the session hears of.
enum Event {
    /// A line was read.
    Line { text: String, at: Instant },
    /// Nothing more will be read.
    InputEnded,
    /// A think has progressed.
    Report { id: ThinkId, report: Report },
    /// A think has ended. Without a picker it panicked; without an answer it found none.
    Picked { id: ThinkId, picker: Option<Box<dyn Picker>>, answer: Option<Answer> },
}

/// Lines that may wait for the session; the reader waits where there are more, so that memory stays bounded.
const WAITING_EVENTS: usize = 1024;

/// Speaks the protocol until END, the end of the input, or a closed output.
///
/// `input` is read on a thread of its own, which may outlive the call, as may a picker that hangs. Each reply is one
/// write, flushed. A closed output ends the session quietly: the manager is gone.
///
/// # Errors
/// When the system gives no thread for the reader.
pub fn run(input: impl Read + Send + 'static, mut output: impl Write, setup: Setup) -> io::Result<()> {
    let (sender, events) = mpsc::sync_channel(WAITING_EVENTS);
    reader::spawn(input, sender.clone())?;
    let mut session = Session::new(setup, sender);
    while !session.has_ended() {
        let event = match session.wake_at() {
            Some(at) => events.recv_timeout(at.saturating_duration_since(Instant::now())),
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match event {
            Ok(event) => session.handle(event),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        session.tick(Instant::now());
        for reply in session.take_replies() {
            log::debug!("<- {reply}");
            if write_line(&mut output, &reply).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// One line, one write: some managers lose what comes in pieces.
fn write_line(output: &mut impl Write, reply: &Reply) -> io::Result<()> {
    let line = format!("{reply}\n");
    output.write_all(line.as_bytes())?;
    output.flush()
}
