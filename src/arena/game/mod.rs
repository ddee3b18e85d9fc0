//! ONE GAME: two engines as processes, a clock for each, and the referee between them.
//!
//! Owns everything between the start of a process and the record of a finished game: requests and responses, deadlines,
//! suspension, memory checks, and the reasons for which an engine loses without playing on. Uses the board for the
//! rules, the opening procedures and the configuration. Must never know which game comes next or what a result means.
//!
//! ```text
//! play ─► Engine ─► Process ─► reader thread       bytes → lines with the time at which they came
//!   │        │          └────► Launched            the processes: supervisor (Linux) ─► engine ─► what it starts
//!   │        └────► Clock                          when the next move is lost on time
//!   └──► Referee                                   stones → outcome
//!
//! Guest ─► Engine                                    one engine alone, asked by whoever keeps the game
//! ```

mod clock;
mod engine;
mod group;
mod guest;
mod halt;
mod inquiry;
mod launch;
mod messages;
mod negotiate;
mod output;
mod play;
mod process;
mod referee;
#[cfg(target_os = "linux")]
pub mod supervisor;
mod tree;

pub(super) use engine::{Engine, EngineOptions};
#[cfg(windows)]
pub use group::end_with_this_process;
pub use guest::{Guest, GuestAnswer, GuestError, GuestLimits};
pub use halt::Halt;
pub(super) use play::{GameError, play};
pub use referee::Referee;
