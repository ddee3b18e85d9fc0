//! [`Process`]: an engine as a process that is written to and read from, line by line.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{group, tree};
use crate::arena::config::EngineSpec;

/// Bytes of a line that are kept; the managers of the field cut there or earlier.
const LINE_LIMIT: usize = 4096;

/// Unread batches of lines after which the engine's output is held up.
const BATCHES_WAITING: usize = 1024;

/// The interval at which a wait checks whether the engine has ended or the match is interrupted.
const POLL: Duration = Duration::from_millis(50);

/// The longest wait for the last lines of an ended engine, and for the end of one that closed its output.
const LAST_OUTPUT: Duration = Duration::from_millis(500);

/// The time that an engine has to exit after `END`; the judge's.
const END_LIMIT: Duration = Duration::from_millis(500);

/// A line from the engine, and the time at which it was read.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) at: Instant,
    pub(super) text: String,
}

/// Why a line cannot be sent or received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProcessError {
    /// The deadline passed.
    Late,
    /// The engine has ended or closed its output: how.
    Ended(String),
    /// The match is interrupted.
    Interrupted,
}

/// A file of the lines of both directions with their times.
type Transcript = Arc<Mutex<File>>;

/// A running engine. A drop kills the engine and everything that it has started.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    batches: Receiver<Vec<Line>>,
    waiting: VecDeque<Line>,
    /// The last line of the error output.
    error_output: Arc<Mutex<String>>,
    error_reader: Option<JoinHandle<()>>,
    transcript: Option<(Transcript, Instant)>,
    tag: String,
    last_output: Option<Instant>,
    suspended: bool,
    reaped: bool,
}

impl Process {
    /// Starts an engine; both directions are copied to `transcript`.
    ///
    /// # Errors
    /// When the system refuses the process or a thread that reads its output.
    pub(super) fn spawn(spec: &EngineSpec, transcript: Option<File>) -> io::Result<Self> {
        static STARTED: AtomicU64 = AtomicU64::new(0);
        let tag = format!("{}-{}", std::process::id(), STARTED.fetch_add(1, Ordering::Relaxed));
        let mut command = Command::new(spec.program());
        command.args(spec.argv().into_iter().skip(1)).env(tree::TAG, &tag);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(folder) = spec.folder() {
            command.current_dir(folder);
        }
        group::separate(&mut command);
        let mut child = command.spawn()?;
        let (sender, batches) = mpsc::sync_channel(BATCHES_WAITING);
        let mut process = Self {
            stdin: child.stdin.take(),
            child,
            batches,
            waiting: VecDeque::new(),
            error_output: Arc::new(Mutex::new(String::new())),
            error_reader: None,
            transcript: transcript.map(|file| (Arc::new(Mutex::new(file)), Instant::now())),
            tag,
            last_output: None,
            suspended: false,
            reaped: false,
        };
        // Where a thread is refused, the drop kills the engine.
        process.start_readers(sender)?;
        Ok(process)
    }

    /// Starts the threads that read the engine's output and error output.
    fn start_readers(&mut self, sender: SyncSender<Vec<Line>>) -> io::Result<()> {
        if let Some(stdout) = self.child.stdout.take() {
            let transcript = self.transcript.clone();
            let reader = thread::Builder::new().name("engine output".to_owned());
            reader.spawn(move || read_lines(stdout, &sender, transcript.as_ref()))?;
        }
        if let Some(stderr) = self.child.stderr.take() {
            let last = Arc::clone(&self.error_output);
            let reader = thread::Builder::new().name("engine errors".to_owned());
            self.error_reader = Some(reader.spawn(move || keep_last_line(stderr, &last))?);
        }
        Ok(())
    }

    /// Writes lines in one piece, each ended by a lone LF as Linux managers do; returns the time of the write.
    pub(super) fn send(&mut self, lines: &[String]) -> Result<Instant, ProcessError> {
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        if let Some((file, start)) = &self.transcript {
            for line in lines {
                note(file, *start, Instant::now(), '>', line);
            }
        }
        let written = self.stdin.as_mut().map_or(Ok(()), |stdin| stdin.write_all(text.as_bytes()));
        if written.is_err() { Err(ProcessError::Ended(self.how_ended())) } else { Ok(Instant::now()) }
    }

    /// The lines that came without a request.
    pub(super) fn drain(&mut self) -> Vec<Line> {
        self.waiting.extend(self.batches.try_iter().flatten());
        let lines: Vec<_> = self.waiting.drain(..).collect();
        self.last_output = lines.last().map(|line| line.at).or(self.last_output);
        lines
    }

    /// The next line; waits until the deadline.
    pub(super) fn receive(&mut self, deadline: Instant, interrupted: &AtomicBool) -> Result<Line, ProcessError> {
        loop {
            if let Some(line) = self.waiting.pop_front() {
                self.last_output = Some(line.at);
                return Ok(line);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.batches.recv_timeout(left.min(POLL)) {
                Ok(batch) => self.waiting.extend(batch),
                Err(RecvTimeoutError::Disconnected) => return Err(ProcessError::Ended(self.how_ended())),
                Err(RecvTimeoutError::Timeout) if interrupted.load(Ordering::Relaxed) => {
                    return Err(ProcessError::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(ProcessError::Late),
                Err(RecvTimeoutError::Timeout) if group::has_ended(&mut self.child) => {
                    match self.batches.recv_timeout(LAST_OUTPUT) {
                        Ok(batch) => self.waiting.extend(batch),
                        Err(_) => return Err(ProcessError::Ended(self.how_ended())),
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Waits until this time has passed since the engine's last line.
    pub(super) fn rest(&self, grace: Duration) {
        let left = self.last_output.map(|at| grace.saturating_sub(at.elapsed()));
        if let Some(left) = left.filter(|left| !left.is_zero()) {
            thread::sleep(left);
        }
    }

    /// Suspends the engine until [`resume`](Self::resume).
    pub(super) fn suspend(&mut self) {
        if !self.suspended {
            group::suspend(&self.child);
            self.suspended = true;
        }
    }

    /// Lets a suspended engine go on.
    pub(super) fn resume(&mut self) {
        if self.suspended {
            group::resume(&self.child);
            self.suspended = false;
        }
    }

    /// The memory of the engine and its descendants where the system reports it; exact only above `limit`.
    pub(super) fn memory(&self, limit: u64) -> Option<u64> {
        tree::memory(self.child.id(), limit)
    }

    /// Sends `END`, and kills what still runs after [`END_LIMIT`].
    pub(super) fn end(mut self) {
        self.resume();
        if self.send(&["END".to_owned()]).is_ok() {
            drop(self.stdin.take());
            wait(END_LIMIT, || group::has_ended(&mut self.child));
        }
    }

    /// How the engine ended, in words; an engine that has only closed its output is killed.
    fn how_ended(&mut self) -> String {
        wait(LAST_OUTPUT, || group::has_ended(&mut self.child));
        let left = group::has_ended(&mut self.child);
        let status = self.reap();
        wait(LAST_OUTPUT, || self.error_reader.as_ref().is_none_or(JoinHandle::is_finished));
        let how = match status {
            Some(status) if left => describe(status),
            _ => "closed its output".to_owned(),
        };
        let error = self.error_output.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if error.is_empty() { how } else { format!("{how}: {error}") }
    }

    /// Kills the group and what has left it; returns the engine's status at the first call.
    fn reap(&mut self) -> Option<ExitStatus> {
        if self.reaped {
            return None;
        }
        self.reaped = true;
        let status = group::kill(&mut self.child);
        tree::kill_tagged(&self.tag);
        status.ok()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.reap();
    }
}

/// Waits until the condition holds, at most for this time.
fn wait(limit: Duration, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + limit;
    while !holds() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(1));
    }
}

fn describe(status: ExitStatus) -> String {
    status.code().map_or_else(|| status.to_string(), |code| format!("exited with status {code}"))
}

fn note(file: &Mutex<File>, start: Instant, at: Instant, sign: char, line: &str) {
    let text = format!("{:>10.3} {sign} {line}\n", at.saturating_duration_since(start).as_secs_f64() * 1e3);
    // A transcript that cannot be written does not end the match.
    let _ = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes());
}

/// Sends every line on until the output ends or the receiver is gone. Lines that came in one piece go in one batch, so
/// that a second move cannot pass for the answer to the next request.
fn read_lines(stdout: impl Read, sender: &SyncSender<Vec<Line>>, transcript: Option<&(Transcript, Instant)>) {
    let mut reader = BufReader::new(stdout);
    let mut batch = Vec::new();
    while let Some(text) = read_line(&mut reader) {
        let at = Instant::now();
        if !text.is_empty() {
            if let Some((file, start)) = transcript {
                note(file, *start, at, '<', &text);
            }
            batch.push(Line { at, text });
        }
        let more = reader.buffer().contains(&b'\n');
        if !more && !batch.is_empty() && sender.send(std::mem::take(&mut batch)).is_err() {
            return;
        }
    }
    // The receiver may be gone.
    let _ = sender.send(batch);
}

/// A line without its end, LF or CR LF, and without blanks at either side; `None` when there is no more. Bytes that
/// are no UTF-8 are replaced, and what is past the limit is dropped.
fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(LINE_LIMIT as u64).read_until(b'\n', &mut bytes).ok()?;
    if read == LINE_LIMIT && !bytes.ends_with(b"\n") {
        reader.skip_until(b'\n').ok()?;
    }
    (read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// Reads the error output to its end, so that it never blocks the engine, and keeps its last line.
fn keep_last_line(stderr: impl Read, last: &Mutex<String>) {
    let mut reader = BufReader::new(stderr);
    while let Some(text) = read_line(&mut reader) {
        if !text.is_empty() {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    }
}
