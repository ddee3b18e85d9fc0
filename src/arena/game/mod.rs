//! ONE GAME: two engines as processes, a clock for each, and the referee between them.
//!
//! Owns everything between the start of a process and the record of a finished game: requests and responses, deadlines,
//! suspension, memory checks, and forfeits. Uses the board for the rules, the opening procedures and the configuration.
//! Must never know which game comes next or what a result means.
//!
//! ```text
//! play ─► Engine ─► Process ─► reader thread       bytes → lines with the time at which they came
//!   │        │          └────► Launched            the processes: supervisor (Linux) ─► engine ─► its children
//!   │        └────► EngineClock                    the time after which the next move is lost
//!   └──► board::Referee                            stones → outcome
//!
//! Guest ─► Engine                                  one engine alone, asked by the keeper of the game
//! ```

mod clock;
mod engine;
mod group;
mod guest;
mod inquiry;
mod launch;
mod messages;
mod output;
mod play;
mod process;
#[cfg(target_os = "linux")]
mod supervisor;
mod tree;

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

pub use engine::{Abort, EngineError};
pub(super) use engine::{Engine, EngineOptions};
pub use group::end_with_this_process;
pub use guest::{Guest, GuestAnswer, GuestLimits};
pub(super) use play::play;
pub use process::Halt;

/// The program that supervises engines: this one, even if its file has been replaced since. This process becomes the parent
/// of the orphans below it. `None` on systems other than Linux.
pub fn supervisor() -> Option<PathBuf> {
    #[cfg(target_os = "linux")]
    supervisor::adopt_orphans();
    cfg!(target_os = "linux").then(|| "/proc/self/exe".into())
}

/// Runs an engine as the supervisor above it, for the process `parent`. Returns when all its processes have ended.
///
/// # Errors
/// When the system refuses a signal handler or the subreaper, or has no supervisors.
pub fn supervise(parent: u32, command: &[OsString]) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    return supervisor::supervise(parent, command);
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (parent, command);
        Err(io::Error::other("this system has no supervisors"))
    }
}

/// Kills the engines that have killed their supervisor, on Linux.
pub fn kill_leftovers() {
    #[cfg(target_os = "linux")]
    supervisor::kill_children(supervisor::LAST_KILLS);
}
