//! FILES: opening, reading, locking and replacing files.
//!
//! Owns bounded reading, locks on files that are written, and files that appear complete or not at all. Knows nothing
//! of the contents: the caller gives the limit of what it reads and the [`Kind`] of what it writes.
//!
//! ```text
//! read    open, read, read_text    a regular file of limited size; never blocks on a pipe or device
//! write   OutputFile               NAME.part, renamed to NAME; NAME.lock keeps other processes away meanwhile
//!         write_new                the same for a file that does not exist yet
//!         open_locked              a file that grows, held by one process
//!         WholeLines               a file that grows by whole lines
//! look    settings_paths, find     beside the program, in the user's folders, in those of the system
//! ```

mod append;
mod input;
mod lock;
mod output;
#[cfg(feature = "programs")]
mod places;

pub use append::{Storage, WholeLines, continue_lines};
pub use input::{InputError, open, read, read_text};
pub(crate) use input::{read_from, take_first};
pub use lock::{Holder, beside, open_locked};
pub use output::{Kind, OutputError, OutputFile, create, write_new};
#[cfg(feature = "programs")]
pub use places::{find, settings_paths};

/// Bytes of a MiB.
pub(crate) const MEBIBYTE: u64 = 1 << 20;

/// The limit of an ordinary file that is read whole, in bytes: far more than a network, a saved game, a list of a
/// million openings or a log of generations needs.
pub const MOST_BYTES: u64 = 64 * MEBIBYTE;

/// Makes a write beyond the process's file size limit (`ulimit -f`) fail like a write to a full disk. Without it the
/// system kills the process with SIGXFSZ in the middle of a line. Binaries call it before they write.
///
/// It only installs a handler, which child processes do not inherit.
pub fn survive_size_limit() {
    #[cfg(unix)]
    {
        // Nothing reads the flag. A handled signal lets the write return its error.
        let flag = std::sync::Arc::default();
        if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag) {
            log::warn!("SIGXFSZ keeps its handler: {error}");
        }
    }
}
