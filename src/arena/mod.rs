//! MATCHES: engines as processes, a referee between them, a table at the end.
//!
//! Owns the manager's side of the protocol, clocks, schedules, the files of matches and statistics. Uses the board (which
//! knows the rules), notation, the openings and their procedures and the seeded generator. Must never know a picker, a score
//! or a weighting: every engine is a process, Tengen's too.
//!
//! ```text
//! args ─► MatchConfig ─► Contest ─► Schedule ─► workers: game::play ◄─► Engine ◄─► Process    (one thread and two
//!                          ▲                        │ GameRecord                               engines each)
//!                          └──────── runner ◄───────┘ ─► Journal (a line of JSON) ─► Results ─► Report
//! ```
//!
//! A module uses modules above it in this list: [`config`], [`journal`], [`stats`], [`game`], `schedule`,
//! [`report`], [`contest`].

pub mod config;
pub mod contest;
pub mod game;
pub mod journal;
pub mod report;
mod schedule;
pub mod stats;
