//! The process above an engine on Linux. It is a *subreaper*, the parent of every orphan below it (`prctl(2)`,
//! `PR_SET_CHILD_SUBREAPER`), so whatever the engine starts stays below it, even processes that leave the group, start a
//! session or clear their environment. When the engine ends, when the arena asks for it, and when the arena itself is gone,
//! however it ended, the supervisor kills its children until none is left.
//!
//! ```text
//! tengen-arena ─► supervisor ─► engine ─► …        stdin, stdout: arena ◄─► engine
//!      ▲               │                           stderr of the engine ─► supervisor, which keeps its last line
//!      └── messages ───┘ (its stderr): started PID, or failed ERRNO TEXT; at the end said LINE, ended HOW
//! ```

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions};
use rustix::process::{getpid, getppid, kill_process, set_child_subreaper, set_parent_process_death_signal, wait};

use super::output::{LastLine, lock};
use super::{launch, tree};
use crate::platform;

/// Number of scans without a pause. They catch a process that forks endlessly between two of its forks.
const SCANS_AT_ONCE: u32 = 1000;

/// The pause between later scans, while the system still frees the memory of killed processes.
const SCAN_PAUSE: Duration = Duration::from_millis(1);

/// Maximum wait at the end of a match for processes that the system does not kill at once.
pub(super) const LAST_KILLS: Duration = Duration::from_secs(2);

/// The engine of a supervisor, and whether it has to end.
#[derive(Default)]
struct State {
    engine: Option<Pid>,
    is_ending: bool,
}

/// Runs an engine below this process, for the process `arena`. Returns when all processes of the engine have ended.
///
/// # Errors
/// When the system refuses a signal handler or the subreaper.
pub(super) fn supervise(arena: u32, command: &[OsString]) -> io::Result<()> {
    let state = Arc::new(Mutex::new(State::default()));
    let of_handler = Arc::clone(&state);
    platform::on_interrupt(move || {
        let mut state = lock(&of_handler);
        state.is_ending = true;
        end(&state);
    })?;
    // The arena sends the same signal. The system sends it when the thread that started this process ends.
    set_parent_process_death_signal(Some(Signal::TERM))?;
    if getppid().is_none_or(|parent| parent.as_raw_pid() as u32 != arena) {
        return Ok(());
    }
    set_child_subreaper(Some(getpid()))?;
    let (mut engine, last) = match start(command) {
        Ok(started) => started,
        Err(error) => {
            kill_children(Duration::MAX);
            let code = error.raw_os_error().unwrap_or_default();
            return writeln!(io::stderr(), "failed {code} {error}");
        }
    };
    let id = Pid::from_child(&engine);
    {
        let mut state = lock(&state);
        state.engine = Some(id);
        end(&state);
    }
    drop(engine.stdin.take());
    // The write fails if the arena is gone; the signal that ends the engine is on its way then.
    let _ = writeln!(io::stderr(), "started {id}");
    let status = reap_until(id);
    // The system may give its id to another process now.
    lock(&state).engine = None;
    kill_children(Duration::MAX);
    let how = status.map_or_else(|| "ended".to_owned(), launch::describe);
    write!(io::stderr(), "said {}\nended {how}\n", last.get())
}

/// Kills the engine if it has to end; [`supervise`] kills the rest.
fn end(state: &State) {
    if let Some(engine) = state.engine.filter(|_| state.is_ending) {
        let _ = kill_process(engine, Signal::KILL);
    }
}

/// Starts the engine in a group of its own on the streams of this process, which closes them: the output ends when the
/// engine's does.
fn start(command: &[OsString]) -> io::Result<(Child, LastLine)> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut engine = Command::new(program).args(arguments).process_group(0).stderr(Stdio::piped()).spawn()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    let errors = engine.stderr.take().ok_or(io::ErrorKind::BrokenPipe)?;
    Ok((engine, LastLine::of(errors)?))
}

/// Reaps children until this one has ended, and returns how.
fn reap_until(engine: Pid) -> Option<ExitStatus> {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((id, status))) if id == engine => return Some(ExitStatus::from_raw(status.as_raw())),
            Ok(_) | Err(Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

/// The processes below this one before it started any: a shell that becomes the arena (`exec`) passes on its own.
static EARLIER: OnceLock<Vec<u32>> = OnceLock::new();

/// Makes this process the parent of the orphans below it, if the system supports it.
pub(super) fn adopt_orphans() {
    EARLIER.get_or_init(|| tree::with_descendants(&[std::process::id()]));
    // On older systems the mark in the environment finds most of what is left.
    let _ = set_child_subreaper(Some(getpid()));
}

/// Kills the children of this process, except the earlier ones, until all are gone or this time has passed. The children
/// of a killed child become its own, so no process below a subreaper survives.
pub(super) fn kill_children(limit: Duration) {
    let earlier = EARLIER.get().map_or(&[][..], Vec::as_slice);
    let start = Instant::now();
    for scan in 0_u32.. {
        let mut children = tree::children(std::process::id());
        children.retain(|child| !earlier.contains(child));
        for &child in &children {
            let _ = Pid::from_raw(child as i32).map(|child| kill_process(child, Signal::KILL));
        }
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => break,
                Err(_) => return,
            }
        }
        // While an earlier child runs, `wait` never reports that all children have ended.
        if start.elapsed() > limit || (children.is_empty() && !earlier.is_empty()) {
            return;
        }
        if scan > SCANS_AT_ONCE {
            thread::sleep(SCAN_PAUSE);
        }
    }
}
