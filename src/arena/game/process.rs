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

use super::spec::EngineSpec;
use super::{group, tree};

/// How many bytes of a line are kept; the managers of the field cut there or earlier.
const LINE_LIMIT: usize = 4096;

/// How many unread batches of lines wait before the engine's output is held up.
const BATCHES_WAITING: usize = 1024;

/// How often a wait looks whether the engine has ended or the match is broken off.
const LOOK: Duration = Duration::from_millis(50);

/// How long an ended engine's last words, and the end of one that closed its output, are waited for at most.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// How long an engine may take to leave after `END`; the judge's time.
const END_LIMIT: Duration = Duration::from_millis(500);

/// A line from the engine, and when it was read.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) at: Instant,
    pub(super) text: String,
}

/// Why no line came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Silence {
    /// The deadline passed.
    Late,
    /// The engine has ended or closed its output: how.
    Ended(String),
    /// The match is broken off.
    Interrupted,
}

/// Both directions of an engine's talk with times, for finding out what went wrong.
type Transcript = Arc<Mutex<File>>;

/// A running engine. Dropping it kills it and everything that it has started.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    batches: Receiver<Vec<Line>>,
    waiting: VecDeque<Line>,
    errors: Arc<Mutex<String>>,
    errors_reader: Option<JoinHandle<()>>,
    transcript: Option<(Transcript, Instant)>,
    tag: String,
    last_output: Option<Instant>,
    suspended: bool,
    reaped: bool,
}

impl Process {
    /// Starts an engine; what it says goes to `transcript` too.
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
        let transcript = transcript.map(|file| (Arc::new(Mutex::new(file)), Instant::now()));
        let (sender, batches) = mpsc::sync_channel(BATCHES_WAITING);
        if let Some(stdout) = child.stdout.take() {
            let transcript = transcript.clone();
            thread::spawn(move || read_lines(stdout, &sender, transcript.as_ref()));
        }
        let errors = Arc::new(Mutex::new(String::new()));
        let errors_reader = child.stderr.take().map(|stderr| {
            let errors = Arc::clone(&errors);
            thread::spawn(move || keep_last_line(stderr, &errors))
        });
        let stdin = child.stdin.take();
        Ok(Self {
            child,
            stdin,
            batches,
            waiting: VecDeque::new(),
            errors,
            errors_reader,
            transcript,
            tag,
            last_output: None,
            suspended: false,
            reaped: false,
        })
    }

    /// Writes lines in one piece, each ended by a lone LF as Linux managers do; returns when that was done.
    pub(super) fn send(&mut self, lines: &[String]) -> Result<Instant, Silence> {
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        if let Some((file, start)) = &self.transcript {
            for line in lines {
                note(file, *start, Instant::now(), '>', line);
            }
        }
        let written = self.stdin.as_mut().map_or(Ok(()), |stdin| stdin.write_all(text.as_bytes()));
        if written.is_err() { Err(Silence::Ended(self.how_ended())) } else { Ok(Instant::now()) }
    }

    /// The lines that came unasked.
    pub(super) fn drain(&mut self) -> Vec<Line> {
        self.waiting.extend(self.batches.try_iter().flatten());
        let lines: Vec<_> = self.waiting.drain(..).collect();
        self.last_output = lines.last().map(|line| line.at).or(self.last_output);
        lines
    }

    /// The next line, waited for until the deadline.
    pub(super) fn receive(&mut self, deadline: Instant, interrupted: &AtomicBool) -> Result<Line, Silence> {
        loop {
            if let Some(line) = self.waiting.pop_front() {
                self.last_output = Some(line.at);
                return Ok(line);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.batches.recv_timeout(left.min(LOOK)) {
                Ok(batch) => self.waiting.extend(batch),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended(self.how_ended())),
                Err(RecvTimeoutError::Timeout) if interrupted.load(Ordering::Relaxed) => {
                    return Err(Silence::Interrupted);
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Silence::Late),
                Err(RecvTimeoutError::Timeout) if group::has_ended(&mut self.child) => {
                    match self.batches.recv_timeout(LAST_WORDS) {
                        Ok(batch) => self.waiting.extend(batch),
                        Err(_) => return Err(Silence::Ended(self.how_ended())),
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Waits until the engine has had this rest since its last line.
    pub(super) fn rest(&self, grace: Duration) {
        let left = self.last_output.map(|at| grace.saturating_sub(at.elapsed()));
        if let Some(left) = left.filter(|left| !left.is_zero()) {
            thread::sleep(left);
        }
    }

    /// Stops the engine until [`resume`](Self::resume).
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

    /// The memory of the engine and its descendants where the system tells; exact only above `limit`.
    pub(super) fn memory(&self, limit: u64) -> Option<u64> {
        tree::memory(self.child.id(), limit)
    }

    /// Asks the engine to leave, and kills what is still there after the judge's half second.
    pub(super) fn end(mut self) {
        self.resume();
        if self.send(&["END".to_owned()]).is_ok() {
            drop(self.stdin.take());
            wait(END_LIMIT, || group::has_ended(&mut self.child));
        }
    }

    /// How the engine ended, in words; it is killed if it has only closed its output.
    fn how_ended(&mut self) -> String {
        wait(LAST_WORDS, || group::has_ended(&mut self.child));
        let left = group::has_ended(&mut self.child);
        let status = self.reap();
        wait(LAST_WORDS, || self.errors_reader.as_ref().is_none_or(JoinHandle::is_finished));
        let how = match status {
            Some(status) if left => describe(status),
            _ => "closed its output".to_owned(),
        };
        let error = self.errors.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if error.is_empty() { how } else { format!("{how}: {error}") }
    }

    /// Kills the group and what has left it, and returns the engine's status the first time.
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

/// Waits until something holds, but not longer than this.
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
    // A transcript that cannot be written is not worth a match.
    let _ = file.lock().unwrap_or_else(PoisonError::into_inner).write_all(text.as_bytes());
}

/// Sends every line on until the output ends or nobody listens; lines that came at once go at once, so that a second
/// move cannot look like the answer to the next request.
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
    // Nobody may listen any more.
    let _ = sender.send(batch);
}

/// A line without its end, LF or CR LF, and without blanks at either side; `None` when there is no more. Bytes that
/// are no UTF-8 are replaced, and what is past the limit is forgotten.
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
