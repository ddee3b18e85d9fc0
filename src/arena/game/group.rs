//! All processes of an engine: a process group, or a job on Windows. Processes that the engine starts belong to the
//! group, unless they leave it on purpose, and are killed with it. A group is suspended as a whole.

use std::io;
use std::process::{Child, Command, ExitStatus};

/// Makes a command start its process in a group of its own, which Ctrl-C at this program's terminal does not reach.
pub(super) fn separate(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        /// `CREATE_NEW_PROCESS_GROUP`.
        const NEW_GROUP: u32 = 0x200;
        std::os::windows::process::CommandExt::creation_flags(command, NEW_GROUP);
    }
    #[cfg(not(any(unix, windows)))]
    let _ = command;
}

/// The job of an engine on Windows: its process and everything that the process starts after [`Job::of`]. Dropping the
/// job kills them all. On other systems the type is empty.
#[derive(Debug)]
pub(super) struct Job {
    #[cfg(windows)]
    _job: Option<win32job::Job>,
}

impl Job {
    /// Puts a process that has just been started into a job. Windows 7 refuses if this program is in a job itself.
    #[cfg(windows)]
    pub(super) fn of(child: &Child) -> Self {
        use std::os::windows::io::AsRawHandle;
        let job = killing_job().ok();
        Self { _job: job.filter(|job| job.assign_process(child.as_raw_handle() as isize).is_ok()) }
    }

    /// Other systems have no jobs.
    #[cfg(not(windows))]
    pub(super) const fn of(_: &Child) -> Self {
        Self {}
    }
}

/// On Windows, ends the processes that this process starts from now on together with it, however it ends. Other systems do
/// nothing.
pub fn end_with_this_process() {
    #[cfg(windows)]
    {
        let job = killing_job().and_then(|job| job.assign_current_process().map(|()| job));
        // The system closes the handle when this process has ended. Older systems have no job within a job.
        let _ = job.map(win32job::Job::into_handle);
    }
}

/// A job that kills its processes when its handle is closed.
#[cfg(windows)]
fn killing_job() -> Result<win32job::Job, win32job::JobError> {
    win32job::Job::create_with_limit_info(win32job::ExtendedLimitInfo::new().limit_kill_on_job_close())
}

/// Suspends every process of the group. Only Unix supports it; elsewhere the configuration refuses it.
pub(super) fn suspend(group: u32) {
    #[cfg(unix)]
    signal(group, rustix::process::Signal::STOP);
    #[cfg(not(unix))]
    let _ = group;
}

/// Resumes every process of the group.
pub(super) fn resume(group: u32) {
    #[cfg(unix)]
    signal(group, rustix::process::Signal::CONT);
    #[cfg(not(unix))]
    let _ = group;
}

/// Whether the process has ended. It stays unreaped until [`kill`], so that its id is not given to another group.
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

/// Asks a supervisor to end, even if the engine has stopped it.
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
    // The signal fails if the group is gone already.
    let group = rustix::process::Pid::from_raw(group as i32);
    let _ = group.map(|group| rustix::process::kill_process_group(group, signal));
}
