//! The clock and the threads of the operating system.

use std::io;
use std::num::NonZeroUsize;
use std::thread;
pub use std::time::Instant;

use super::Work;

/// Starts a thread of this name.
///
/// # Errors
/// When the system refuses a thread.
pub fn spawn(name: &str, work: Work) -> io::Result<()> {
    thread::Builder::new().name(name.to_owned()).spawn(work).map(drop)
}

/// The number of threads that run at the same time.
pub fn most_threads() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Lets a worker in a browser read its messages. On a system other threads do that.
#[inline]
pub const fn pause() {}
