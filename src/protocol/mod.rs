//! WORDS: the line protocol of Gomocup and Piskvork, and what Yixin-Board adds to it.
//!
//! ```text
//! bytes ─► reader ─► lines ─► command ─► commands ─► session ─► replies ─► run ─► bytes
//!          thread             pure                   │     ▲               the only writer
//!                                                    ▼     │
//!                                                    player
//! ```
//!
//! Owns the words, the clock, the order in which commands are answered, and every byte that is written while the
//! protocol runs. Uses the player. Nothing below knows of it.
//!
//! No input may kill it: what would panic is denied below.

#![deny(clippy::panic, clippy::unwrap_used, clippy::expect_used, clippy::unreachable, clippy::indexing_slicing)]
#![cfg_attr(test, allow(clippy::panic, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing))]

mod clock;
mod command;
mod game;
mod info;
mod list;
mod options;
mod preload;
mod progress;
mod reader;
mod reply;
mod session;
mod vocabulary;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Instant;

pub use clock::{Clock, MatchLeft, TurnLimit};
pub use command::{Command, CommandError, CommandReader};
pub use info::Info;
pub use list::{ListError, Owner, PointList, StoneList};
pub use progress::Detail;
pub use reply::{Message, Refusal, Reply};

use crate::picker::PickerName;
use crate::player::{self, Answered, PickerSource, Player};
use crate::weights::Weighting;
use session::Session;

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

/// What the session takes in.
enum Event {
    /// A line was read.
    Line { text: String, at: Instant },
    /// Nothing more will be read.
    InputEnded,
    /// A picker reports or answers.
    Player(player::Event),
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
    let Setup { weighting, picker, started } = setup;
    // Where the session has ended, nobody waits for the event.
    let sink = Arc::new(move |event| _ = sender.send(Event::Player(event)));
    let mut session = Session::new(weighting, started, Player::threaded(picker, sink));
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

/// What a session answers to some lines, without a clock or a thread: each question is answered before the next line is
/// read, so that no command hastens it.
pub struct Replay {
    /// The replies, one a line.
    pub replies: Vec<String>,
    /// What was answered last, where a question came.
    pub answered: Option<Answered>,
}

/// Plays lines to a session of its own.
pub fn replay<'a>(lines: impl IntoIterator<Item = &'a str>, setup: Setup) -> Replay {
    let Setup { weighting, picker, started } = setup;
    let mut session = Session::new(weighting, started, Player::inline(picker));
    let events = lines.into_iter().map(|line| Event::Line { text: line.to_owned(), at: Instant::now() });
    for event in events.chain([Event::InputEnded]) {
        session.handle(event);
    }
    let replies = session.take_replies().iter().map(ToString::to_string).collect();
    Replay { replies, answered: session.take_answered() }
}

/// One line, one write: some managers lose what comes in pieces.
fn write_line(output: &mut impl Write, reply: &Reply) -> io::Result<()> {
    let line = format!("{reply}\n");
    output.write_all(line.as_bytes())?;
    output.flush()
}
