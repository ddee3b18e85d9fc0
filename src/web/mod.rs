//! THE BOARD IN A BROWSER: the page, and the sessions that answer it.
//!
//! Owns the page, its server, the messages between both, the sessions that answer them, and the report of a match as one
//! page. Uses the player, `explain`, the solvers, the opening procedures, the library and the guests of the arena. Only
//! `server` knows sockets and HTTP: a session takes lines of JSON and gives lines of JSON.
//!
//! ```text
//! page ── line ─► Session ─► Worker, one thread ─┬─ view, point, read … ───────────► answer at once
//!   ▲                          ▲                 ├─ Player  ─► a picker's thread ───┐
//!   │                          │                 ├─ Guest   ─► an engine's thread ──┤
//!   │                          │                 ├─ proofs  ─► a thread ────────────┤
//!   │                          │                 └─ library ─► a thread for files ──┤
//!   └──────── line ────────────┴─────────── events ◄────────────────────────────────┘
//! ```
//!
//! The page owns the game: each message holds the whole position, so nothing is lost when a session ends. A session runs
//! one job at a time; a new job ends the one before.

#[cfg(not(feature = "programs"))]
mod absent;
mod details;
mod failure;
mod files;
mod game;
#[cfg(feature = "programs")]
mod guests;
#[cfg(feature = "programs")]
mod library;
mod message;
mod opening;
#[cfg(feature = "programs")]
pub mod page_files;
mod proof;
mod puzzles;
mod reasons;
#[cfg(feature = "programs")]
pub mod report;
#[cfg(feature = "programs")]
mod server;
mod session;
mod think;
mod threats;
mod tree;

#[cfg(not(feature = "programs"))]
use absent::{guests, library};
pub use failure::Failure;
pub use library::SharedLibrary;
pub use message::LONGEST_MESSAGE;
#[cfg(feature = "programs")]
pub use server::{
    ListenAddress, ListenError, PORT, Password, PasswordError, Server, ServerConfig, ServerError, running_board,
};
pub use session::{InlineSession, Session, SessionConfig, Sink};
