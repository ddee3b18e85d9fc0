//! WORDS: the line protocol of the flat engines for the cube.
//!
//! ```text
//! bytes ─► reader ─► lines ─► commands ─► session ─► lines ─► run ─► bytes
//!          thread             pure          │ ▲                the only writer
//!                                           ▼ │
//!                                          player
//! ```
//!
//! Reader, clock and the answers to ABOUT and to unknown words are those of [`crate::protocol`]. A move is a column,
//! `x,y`; without gravity a cell, `x,y,z`. What each command does stands in docs/cube.md.

#![deny(clippy::panic, clippy::unwrap_used, clippy::expect_used, clippy::unreachable, clippy::indexing_slicing)]

mod command;
mod game;
mod session;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::board::Gravity;
use super::player::{self, PickerSource};
use crate::protocol::{Input, WAITING_EVENTS, reader, write_line};
use session::Session;

/// The start of a session.
pub struct Setup {
    /// What ABOUT calls the engine: ASCII without blanks.
    pub name: &'static str,
    /// The picker until INFO changes it.
    pub picker: PickerSource,
    /// The gravity until INFO changes it.
    pub gravity: Gravity,
    /// When the process started: the time since then counts against the first move.
    pub started: Instant,
    /// Whether nobody can read the output any more. It is asked now and then once the input has ended.
    pub is_unread: fn() -> bool,
}

/// The input of a session.
enum Event {
    Input(Input),
    Player(player::Event),
}

/// The interval at which the output is looked at while a question outlives the input.
const OUTPUT_CHECK: Duration = Duration::from_millis(200);

/// Runs the protocol until END, the end of the input, or a closed output, as [`crate::protocol::run`] does.
///
/// # Errors
/// When the system refuses a thread for the reader.
pub fn run(input: impl Read + Send + 'static, mut output: impl Write, setup: Setup) -> io::Result<()> {
    let (sender, events) = mpsc::sync_channel(WAITING_EVENTS);
    let lines = sender.clone();
    reader::spawn(input, move |input| lines.send(Event::Input(input)).is_ok())?;
    let is_unread = setup.is_unread;
    // After the end of the session the event is dropped.
    let mut session = Session::new(setup, Arc::new(move |event| _ = sender.send(Event::Player(event))));
    while !session.has_ended() {
        let check_at = session.outlives_input().then(|| Instant::now() + OUTPUT_CHECK);
        let event = match session.wake_at().into_iter().chain(check_at).min() {
            Some(at) => events.recv_timeout(at.saturating_duration_since(Instant::now())),
            None => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match event {
            Ok(event) => session.handle(event),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        session.tick(Instant::now());
        if session.outlives_input() && is_unread() {
            return Ok(());
        }
        for reply in session.take_replies() {
            log::debug!("<- {reply}");
            if write_line(&mut output, &reply).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}
