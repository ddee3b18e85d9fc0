//! THE BOARD IN A BROWSER: the page, and the sessions that answer it.
//!
//! Owns the page, the messages between page and server, what a session does with them, and the report of a match as one
//! page. Uses the player, `explain`, the solvers, the opening procedures and the guests of the arena. Must never know a
//! socket or HTTP: a session takes lines of JSON and gives lines of JSON; `src/bin/tengen-board` carries them.
//!
//! ```text
//! page ── line ─► Session ─► Worker, one thread ─┬─ view, point, read … ───────────► answer at once
//!   ▲                          ▲                 ├─ Player  ─► a picker's thread ───┐
//!   │                          │                 ├─ Guest   ─► an engine's thread ──┤
//!   │                          │                 └─ proof   ─► a thread ────────────┤
//!   └──────── line ────────────┴─────────── events ◄────────────────────────────────┘
//! ```
//!
//! The game is the page's: each message holds the whole position, so that nothing is lost where a session ends. A session
//! does one long thing at a time; another one ends it.

mod files;
mod game;
mod guests;
mod look;
mod message;
mod opening;
pub mod page;
mod proof;
pub mod report;
mod session;
mod think;

pub use message::{Failure, LONGEST_MESSAGE};
pub use session::{Config, Session, Sink};
