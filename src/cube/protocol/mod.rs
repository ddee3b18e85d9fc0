//! WORDS: the line protocol of the flat board, for the cube.
//!
//! ```text
//! bytes ─► reader ─► lines ─► commands ─► session ─► lines ─► run ─► bytes
//!          thread             pure          │ ▲                the only writer
//!                                           ▼ │
//!                                          player
//! ```
//!
//! The reader, the loop, the clock and the replies to ABOUT and to unknown commands are those of [`crate::protocol`]. A move
//! is a column `x,y`, or without gravity a cell `x,y,z`. docs/cube.md describes the commands.

#![deny(clippy::panic, clippy::unwrap_used, clippy::expect_used, clippy::unreachable, clippy::indexing_slicing)]

mod command;
mod game;
mod session;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::Instant;

use super::board::Gravity;
use super::geometry::CellError;
use super::player::PickerSource;
use crate::protocol::{Event, serve};
use session::Session;

/// The start of a session.
pub struct Setup {
    /// The name of the engine in the reply to ABOUT: ASCII without blanks.
    pub name: &'static str,
    /// The picker, until INFO changes it.
    pub picker: PickerSource,
    /// The gravity, until INFO changes it.
    pub gravity: Gravity,
    /// When the process started. The time since then counts against the first move.
    pub started: Instant,
    /// Returns whether nobody can read the output any more. It is called from time to time after the input has ended.
    pub is_unread: fn() -> bool,
}

/// Error returned when a command is refused; the text of an ERROR line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Refusal {
    #[error("unsupported board size, expected 4")]
    Size,
    #[error("no board, send START first")]
    NoBoard,
    #[error("board is full")]
    Full,
    #[error(transparent)]
    Cell(#[from] CellError),
    #[error("no room for a stone there")]
    Occupied,
    #[error("no stone is there")]
    Empty,
    #[error("expected 1 or 2 for the owner of a stone")]
    Owner,
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
