//! WORDS: the line protocol of the flat engines for the cube.
//!
//! ```text
//! bytes ─► reader ─► lines ─► commands ─► session ─► lines ─► run ─► bytes
//!          thread             pure          │ ▲                the only writer
//!                                           ▼ │
//!                                          player
//! ```
//!
//! Reader, loop, clock and the answers to ABOUT and to unknown words are those of [`crate::protocol`]. A move is a column,
//! `x,y`; without gravity a cell, `x,y,z`. What each command does stands in docs/cube.md.

#![deny(clippy::panic, clippy::unwrap_used, clippy::expect_used, clippy::unreachable, clippy::indexing_slicing)]

mod command;
mod game;
mod session;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Instant;

use super::board::Gravity;
use super::player::{self, PickerSource};
use crate::protocol::{Input, serve};
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

impl From<Input> for Event {
    fn from(input: Input) -> Self {
        Self::Input(input)
    }
}

/// Runs the protocol until END, the end of the input, or a closed output, as [`crate::protocol::run`] does.
///
/// # Errors
/// When the system refuses a thread for the reader.
pub fn run(input: impl Read + Send + 'static, output: impl Write, setup: Setup) -> io::Result<()> {
    serve(input, output, setup.is_unread, |sender| {
        Session::new(setup, Arc::new(move |event| _ = sender.send(Event::Player(event))))
    })
}
