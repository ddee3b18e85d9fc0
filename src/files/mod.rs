//! FILES: how a file is opened, read, locked and replaced.
//!
//! Owns the bounds of what is read, the lock on what is written, and the file that appears whole or not at all. Knows
//! nothing of what the bytes mean: whoever reads a form names its bound, and whoever writes one names its [`Kind`].
//!
//! ```text
//! read    open, read, read_text    a regular file within a bound; no pipe or device is waited for
//! write   OutputFile               NAME.part, renamed to NAME; NAME.lock keeps other processes away meanwhile
//!         open_locked              a file that grows, held by one process
//! ```

mod input;
mod lock;
mod output;

pub use input::{InputError, open, read, read_from, read_text};
pub use lock::{Holder, open_locked};
pub use output::{Kind, OutputError, OutputFile, create};

/// Bytes of a MiB.
pub const MEBIBYTE: u64 = 1 << 20;

/// Lets a write beyond the process's limit of file sizes (`ulimit -f`) fail like a write to a full disk. Without this the
/// system ends the process by SIGXFSZ, in the middle of a line. A binary calls it before it writes.
///
/// Only a handler is installed, which processes that this one starts do not inherit.
pub fn survive_size_limit() {
    #[cfg(unix)]
    {
        // The flag is read by nobody: a signal that is handled lets the write return its error.
        let flag = std::sync::Arc::default();
        if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, flag) {
            log::warn!("SIGXFSZ keeps its handler: {error}");
        }
    }
}
