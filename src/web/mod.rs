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

mod details;
mod failure;
mod files;
mod game;
mod guests;
mod library;
mod message;
mod opening;
pub mod page_files;
mod proof;
mod puzzles;
mod reasons;
pub mod report;
mod server;
mod session;
mod think;
mod threats;
mod tree;

pub use failure::Failure;
pub use library::SharedLibrary;
pub use message::LONGEST_MESSAGE;
pub use server::{ListenAddress, ListenError, PORT, Password, PasswordError, Server, ServerConfig, ServerError};
pub use session::{Session, SessionConfig, Sink};
