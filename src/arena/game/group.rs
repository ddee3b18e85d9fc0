//! The process group of an engine. Everything that the engine starts belongs to it, unless it leaves on purpose, and is
//! suspended and killed with it.

use std::io;
use std::process::{Child, Command, ExitStatus};

/// Puts the process to be started into a group of its own.
pub(super) fn separate(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Suspends everything in the group. Systems other than Unix cannot; there the configuration refuses it.
pub(super) fn suspend(child: &Child) {
    #[cfg(unix)]
    signal(child, rustix::process::Signal::STOP);
    #[cfg(not(unix))]
    let _ = child;
}

/// Lets the group go on.
pub(super) fn resume(child: &Child) {
    #[cfg(unix)]
    signal(child, rustix::process::Signal::CONT);
    #[cfg(not(unix))]
    let _ = child;
}

/// Whether the engine itself has ended. It stays unreaped until [`kill`], so that its group cannot be taken for
/// another.
pub(super) fn has_ended(child: &mut Child) -> bool {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
    }
    #[cfg(not(unix))]
    !matches!(child.try_wait(), Ok(None))
}

/// Kills what is left of the group and returns how the engine ended.
pub(super) fn kill(child: &mut Child) -> io::Result<ExitStatus> {
    #[cfg(unix)]
    signal(child, rustix::process::Signal::KILL);
    #[cfg(not(unix))]
    child.kill()?;
    child.wait()
}

#[cfg(unix)]
fn signal(child: &Child, signal: rustix::process::Signal) {
    // A group that is gone already needs no signal.
    let _ = rustix::process::kill_process_group(rustix::process::Pid::from_child(child), signal);
}
