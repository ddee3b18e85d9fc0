//! Output to stdout, common to the engines and the other programs.

use std::io::{self, Write};

/// Prints a text, with colors only on a terminal. A pipe closed by its reader counts as success.
///
/// # Errors
/// When the text cannot be written.
pub fn print(text: &dyn std::fmt::Display) -> anyhow::Result<()> {
    match writeln!(anstream::stdout(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Whether the reader of stdout is gone. Outside Unix only the next write detects this.
pub fn is_unread() -> bool {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let stdout = io::stdout();
        let mut streams = [PollFd::new(&stdout, PollFlags::empty())];
        let is_told = poll(&mut streams, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|told| told > 0);
        is_told && streams[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
    }
    #[cfg(not(unix))]
    false
}
