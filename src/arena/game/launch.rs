//! [`Launched`]: the processes of an engine, started and ended together.
//!
//! On Linux a [supervisor](super::supervisor) runs above the engine, if the caller names its program. Without it the engine
//! is a child of the arena: its own children belong to its process group, unless they leave on purpose; on Linux the mark in
//! the environment finds those that left and kept it. On Windows the engine belongs to a job, which no process leaves.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::Duration;

use super::group::{self, Job};
use super::output::{LAST_OUTPUT, LastLine, wait};
use super::tree;
use crate::arena::config::EngineSpec;

/// Maximum wait for a supervisor that has been asked to end. A slower one finishes by itself.
const SUPERVISOR_LIMIT: Duration = Duration::from_secs(10);

/// The bytes of a supervisor's last messages that are read: two lines.
const MESSAGES_LIMIT: u64 = 1 << 16;

/// The subcommand of the arena that runs a supervisor, and its option.
pub(super) const SUPERVISE: [&str; 2] = ["supervise", "--arena"];

/// The processes of an engine. Dropping it kills them all.
#[derive(Debug)]
pub(super) struct Launched {
    /// The engine, or the supervisor above it.
    child: Child,
    /// Kills the processes that the engine has started. `None` once the engine is reaped.
    job: Option<Job>,
    /// The id of the engine's process and of its group.
    engine: u32,
    errors: Errors,
    tag: String,
    is_suspended: bool,
    is_reaped: bool,
}

/// The source of the last line of the error output.
#[derive(Debug)]
enum Errors {
    /// The messages of a supervisor.
    Supervisor(BufReader<ChildStderr>),
    /// The error output itself.
    Reader(LastLine),
}

impl Launched {
    /// Starts an engine, below `supervisor` if one is given.
    ///
    /// # Errors
    /// When the system refuses a process or a thread.
    pub(super) fn start(
        spec: &EngineSpec,
        tag: String,
        supervisor: Option<&Path>,
    ) -> io::Result<(Self, Option<ChildStdin>, Option<ChildStdout>)> {
        let mut command = Command::new(supervisor.unwrap_or(&spec.program()));
        if supervisor.is_some() {
            command.args(SUPERVISE).arg(std::process::id().to_string()).arg("--").arg(spec.program());
        }
        command.args(spec.argv().into_iter().skip(1)).env(tree::TAG, &tag);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = spec.folder() {
            command.current_dir(folder);
        }
        group::separate(&mut command);
        let mut child = command.spawn()?;
        let job = Some(Job::of(&child));
        let streams = (child.stdin.take(), child.stdout.take());
        let stderr = child.stderr.take().ok_or(io::ErrorKind::BrokenPipe)?;
        let started = match supervisor {
            Some(_) => engine_below(stderr),
            None => LastLine::of(stderr).map(|last| (child.id(), Errors::Reader(last))),
        };
        match started {
            Ok((engine, errors)) => {
                let launched = Self { child, job, engine, errors, tag, is_suspended: false, is_reaped: false };
                Ok((launched, streams.0, streams.1))
            }
            Err(error) => {
                let _ = group::kill(&mut child);
                Err(error)
            }
        }
    }

    /// Suspends the engine's group until [`resume`](Self::resume).
    pub(super) fn suspend(&mut self) {
        if !self.is_suspended {
            group::suspend(self.engine);
            self.is_suspended = true;
        }
    }

    /// Resumes a suspended engine.
    pub(super) fn resume(&mut self) {
        if self.is_suspended {
            group::resume(self.engine);
            self.is_suspended = false;
        }
    }

    /// The memory of the engine and its descendants, exact only above `limit`; `None` if the system does not report it.
    pub(super) fn memory(&self, limit: u64) -> Option<u64> {
        match self.errors {
            Errors::Supervisor(_) => tree::memory(&tree::children(self.child.id()), limit),
            Errors::Reader(_) => tree::memory(&[self.engine], limit),
        }
    }

    /// Whether the engine has ended.
    pub(super) fn has_ended(&mut self) -> bool {
        group::has_ended(&mut self.child)
    }

    /// Describes how the engine ended, with the last line of its error output. Kills an engine that has only closed its
    /// output.
    pub(super) fn how_ended(&mut self) -> String {
        wait(LAST_OUTPUT, || group::has_ended(&mut self.child));
        let left = group::has_ended(&mut self.child);
        let status = self.reap();
        let (last, how) = self.last_words(status);
        let how = if left { how } else { "closed its output".to_owned() };
        if last.is_empty() { how } else { format!("{how}: {last}") }
    }

    /// The last line of the error output, and how the engine ended.
    fn last_words(&mut self, status: Option<ExitStatus>) -> (String, String) {
        let how = status.map_or_else(|| "ended".to_owned(), describe);
        match &mut self.errors {
            Errors::Reader(last) => (last.get(), how),
            Errors::Supervisor(messages) if status.is_some() => {
                let mut text = String::new();
                // A killed supervisor has not written these messages.
                let _ = messages.take(MESSAGES_LIMIT).read_to_string(&mut text);
                let message = |word: &str| text.lines().find_map(|line| line.strip_prefix(word)).map(str::to_owned);
                let killed = || format!("its supervisor ended: {how}");
                (message("said ").unwrap_or_default(), message("ended ").unwrap_or_else(killed))
            }
            Errors::Supervisor(_) => (String::new(), how),
        }
    }

    /// Kills whatever belongs to the engine. The first call returns the status of the child, if it has ended.
    fn reap(&mut self) -> Option<ExitStatus> {
        if self.is_reaped {
            return None;
        }
        self.is_reaped = true;
        let status = match self.errors {
            Errors::Reader(_) => group::kill(&mut self.child).ok(),
            Errors::Supervisor(_) => {
                group::ask_to_end(&self.child);
                wait(SUPERVISOR_LIMIT, || group::has_ended(&mut self.child));
                self.child.try_wait().ok().flatten()
            }
        };
        self.job = None;
        tree::kill_tagged(&self.tag, self.child.id());
        status
    }
}

impl Drop for Launched {
    fn drop(&mut self) {
        self.reap();
    }
}

/// Waits for the first message of a supervisor: the id of the engine's process.
fn engine_below(stderr: ChildStderr) -> io::Result<(u32, Errors)> {
    let mut messages = BufReader::new(stderr);
    let mut line = String::new();
    messages.by_ref().take(MESSAGES_LIMIT).read_line(&mut line)?;
    let words: Vec<_> = line.trim_end().splitn(3, ' ').collect();
    match words[..] {
        ["started", id] => {
            let id = id.parse().map_err(io::Error::other)?;
            Ok((id, Errors::Supervisor(messages)))
        }
        ["failed", "0", text] => Err(io::Error::other(text)),
        ["failed", code, _] => Err(io::Error::from_raw_os_error(code.parse().map_err(io::Error::other)?)),
        _ => Err(io::Error::other(format!("its supervisor failed: {}", line.trim_end()))),
    }
}

/// The end of a process without an error, as [`describe`] words it.
pub(super) const ENDED_WELL: &str = "exited with status 0";

/// The end of a process in words.
pub(super) fn describe(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("exited with status {code}"))
}
