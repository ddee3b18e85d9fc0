//! The process above an engine on Linux. Whatever the engine starts stays below it, also what leaves the group, takes a
//! session of its own or clears its environment: it is a *subreaper*, the parent of every orphan below it
//! (`prctl(2)`, `PR_SET_CHILD_SUBREAPER`). When the engine ends, when the arena asks for it, and when the arena itself is
//! gone, however it ended, the supervisor kills what is left, until it has no child.
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
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions};
use rustix::process::{getpid, getppid, kill_process, set_child_subreaper, set_parent_process_death_signal, wait};

use super::output::keep_last_line;
use super::{launch, tree};

/// The longest wait for the last line of the error output when every process below is gone.
const LAST_OUTPUT: Duration = Duration::from_millis(500);

/// Scans that follow each other without a pause: a process that forks without end is met between two forks.
const SCANS_AT_ONCE: u32 = 1000;

/// The pause between two later scans, while the system still frees the memory of killed processes.
const SCAN_PAUSE: Duration = Duration::from_millis(1);

/// The engine of a supervisor, and whether it has to end.
#[derive(Default)]
struct State {
    engine: Option<Pid>,
    is_ending: bool,
}

/// Runs an engine below this process and returns when nothing of it is left. `arena` is the process that asks for it.
///
/// # Errors
/// When the system refuses a signal handler or the subreaper.
pub fn supervise(arena: u32, command: &[OsString]) -> io::Result<()> {
    let state = Arc::new(Mutex::new(State::default()));
    let of_handler = Arc::clone(&state);
    ctrlc::set_handler(move || {
        let mut state = of_handler.lock().unwrap_or_else(PoisonError::into_inner);
        state.is_ending = true;
        end(&state);
    })
    .map_err(io::Error::other)?;
    // The signal that the arena sends too. It is sent when the thread that started this process ends.
    set_parent_process_death_signal(Some(Signal::TERM))?;
    if getppid().is_none_or(|parent| parent.as_raw_pid() as u32 != arena) {
        return Ok(());
    }
    set_child_subreaper(Some(getpid()))?;
    let (mut engine, reader, last) = match start(command) {
        Ok(started) => started,
        Err(error) => {
            kill_children(Duration::MAX);
            let code = error.raw_os_error().unwrap_or_default();
            return writeln!(io::stderr(), "failed {code} {error}");
        }
    };
    let id = Pid::from_child(&engine);
    {
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        state.engine = Some(id);
        end(&state);
    }
    drop(engine.stdin.take());
    // An arena that is gone reads nothing; the signal that ends the engine is on its way.
    let _ = writeln!(io::stderr(), "started {id}");
    let status = reap_until(id);
    // Its number may be given to another process from now on.
    state.lock().unwrap_or_else(PoisonError::into_inner).engine = None;
    kill_children(Duration::MAX);
    launch::wait(LAST_OUTPUT, || reader.is_finished());
    let last = last.lock().unwrap_or_else(PoisonError::into_inner);
    let how = status.map_or_else(|| "ended".to_owned(), launch::describe);
    write!(io::stderr(), "said {last}\nended {how}\n")
}

/// Kills the engine if it has to end; [`supervise`] goes on with the rest.
fn end(state: &State) {
    if let Some(engine) = state.engine.filter(|_| state.is_ending) {
        let _ = kill_process(engine, Signal::KILL);
    }
}

/// Starts the engine in a group of its own on the streams of this process, which lets go of them: the output ends when
/// the engine's does.
fn start(command: &[OsString]) -> io::Result<(Child, thread::JoinHandle<()>, Arc<Mutex<String>>)> {
    let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut engine = Command::new(program).args(arguments).process_group(0).stderr(Stdio::piped()).spawn()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&nothing)?;
    rustix::stdio::dup2_stdout(&nothing)?;
    let last = Arc::new(Mutex::new(String::new()));
    let of_reader = Arc::clone(&last);
    let errors = engine.stderr.take();
    let reader = thread::Builder::new().name("engine errors".to_owned());
    let reader = reader.spawn(move || {
        if let Some(errors) = errors {
            keep_last_line(errors, &of_reader);
        }
    });
    Ok((engine, reader?, last))
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

/// Makes this process the parent of the orphans below it, where the system can.
pub fn adopt_orphans() {
    // Older systems cannot; the mark in the environment finds most of what is left.
    let _ = set_child_subreaper(Some(getpid()));
}

/// Kills the children of this process until it has none, or this time has passed. Those of a killed child become its
/// own, so that nothing below a subreaper is left.
pub fn kill_children(limit: Duration) {
    let start = Instant::now();
    for scan in 0_u32.. {
        for child in tree::children(std::process::id()) {
            let _ = Pid::from_raw(child as i32).map(|child| kill_process(child, Signal::KILL));
        }
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => break,
                Err(_) => return,
            }
        }
        if start.elapsed() > limit {
            return;
        }
        if scan > SCANS_AT_ONCE {
            thread::sleep(SCAN_PAUSE);
        }
    }
}
