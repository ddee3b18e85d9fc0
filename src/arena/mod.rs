//! MATCHES: engines as processes, a referee between them, a table at the end.
//!
//! Owns the talk with engines from the manager's side, clocks, schedules, records and statistics.
//! Uses the board (which knows the rules), lists of openings and the seeded generator. Must never know a picker, a
//! score or a weighting: an engine is a process, whoever built it.
//!
//! ```text
//! args ─► MatchConfig ─► Schedule ─► workers: Game ◄─► Engine ◄─► Process        (one thread and two engines each)
//!                           ▲                  │ GameRecord
//!                           └──── runner ◄─────┘ ─► Journal (a line of JSON) ─► Results ─► Report
//! ```

pub mod args;
pub mod clock;
pub mod config;
mod engine;
mod game;
mod group;
pub mod journal;
mod knockout;
pub mod live;
mod process;
pub mod record;
pub mod referee;
pub mod report;
pub mod runner;
mod schedule;
pub mod spec;
pub mod stats;
mod swap2;
mod text;
mod tree;
mod words;
