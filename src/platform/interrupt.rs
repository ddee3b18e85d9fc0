//! The signals that ask a program to end.

use std::io;

/// Calls `handler` at each Ctrl-C, SIGTERM and SIGHUP, in a thread of its own. A program that `nohup` has started goes on
/// when its terminal closes: a SIGHUP that is ignored stays ignored.
///
/// # Errors
/// When the system refuses the thread or a handler.
#[cfg(unix)]
pub fn on_interrupt(mut handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let hangup = Some(SIGHUP).filter(|&signal| !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))?;
    super::spawn("interrupt", Box::new(move || signals.forever().for_each(|_| handler())))
}

/// Calls `handler` at each Ctrl-C and when the console closes, in a thread of its own.
///
/// # Errors
/// When the system refuses the thread or the handler.
#[cfg(windows)]
pub fn on_interrupt(handler: impl FnMut() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(handler).map_err(io::Error::other)
}

/// Whether this process ignores a signal. False on systems without `/proc`.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
