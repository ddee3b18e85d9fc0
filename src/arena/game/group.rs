//! Signals to the process group of an engine. Everything that the engine starts belongs to it, unless it leaves on
//! purpose, and is suspended with it.

use std::io;
use std::process::{Child, Command, ExitStatus};

/// Puts the process to be started into a group of its own.
pub(super) fn separate(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Suspends everything in the group of this number. Systems other than Unix cannot; there the configuration refuses it.
pub(super) fn suspend(group: u32) {
    #[cfg(unix)]
    signal(group, rustix::process::Signal::STOP);
    #[cfg(not(unix))]
    let _ = group;
}

/// Lets the group go on.
pub(super) fn resume(group: u32) {
    #[cfg(unix)]
    signal(group, rustix::process::Signal::CONT);
    #[cfg(not(unix))]
    let _ = group;
}

/// Whether the process has ended. It stays unreaped until [`kill`], so that its group cannot be taken for another.
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

/// Asks a supervisor to end, also one that the engine has stopped.
pub(super) fn ask_to_end(supervisor: &Child) {
    #[cfg(unix)]
    {
        signal(supervisor.id(), rustix::process::Signal::TERM);
        signal(supervisor.id(), rustix::process::Signal::CONT);
    }
    #[cfg(not(unix))]
    let _ = supervisor;
}

/// Kills what is left of the group and returns how the child ended.
pub(super) fn kill(child: &mut Child) -> io::Result<ExitStatus> {
    #[cfg(unix)]
    signal(child.id(), rustix::process::Signal::KILL);
    #[cfg(not(unix))]
    child.kill()?;
    child.wait()
}

#[cfg(unix)]
fn signal(group: u32, signal: rustix::process::Signal) {
    // A group that is gone already needs no signal.
    let group = rustix::process::Pid::from_raw(group as i32);
    let _ = group.map(|group| rustix::process::kill_process_group(group, signal));
}
