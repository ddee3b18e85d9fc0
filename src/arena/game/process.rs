//! [`Process`]: an engine as a process that is written to and read from, line by line.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::halt::Halt;
use super::launch::{self, Launched};
use super::output::{BATCHES_WAITING, Line, Transcript, read_lines};
use crate::arena::config::EngineSpec;

/// The interval at which a wait checks whether the engine has ended or the match is interrupted.
const POLL: Duration = Duration::from_millis(50);

/// The interval at which a write is tried again while the engine reads nothing.
const WRITE_POLL: Duration = Duration::from_millis(1);

/// The longest wait for the last lines of an ended engine.
const LAST_OUTPUT: Duration = Duration::from_millis(500);

/// The time that an engine has to exit after `END`; the judge's.
const END_LIMIT: Duration = Duration::from_millis(500);

/// The time in which an interrupt of the match may follow the end of an engine. A job that is ended, or a terminal that is
/// closed, sends a signal to each of its processes, and the engine's may come first.
const ENDED_TOGETHER: Duration = Duration::from_millis(500);

/// Why a line cannot be sent or received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProcessError {
    /// The deadline passed.
    Late,
    /// The deadline passed while the engine read nothing.
    Unread,
    /// The engine has ended or closed its output: how.
    Ended(String),
    /// The match is interrupted.
    Interrupted,
}

/// A running engine. A drop kills the engine and everything that it has started.
#[derive(Debug)]
pub(super) struct Process {
    stdin: Option<ChildStdin>,
    batches: Receiver<Vec<Line>>,
    waiting: VecDeque<Line>,
    transcript: Option<Arc<Transcript>>,
    last_output: Option<Instant>,
    /// When `END` was sent.
    asked_to_end: Option<Instant>,
    halt: Arc<Halt>,
    launched: Launched,
}

impl Process {
    /// Starts an engine, below a supervisor if a program that can be one is given; both directions are copied to
    /// `transcript`. What waits for the engine ends early once `halt` is requested.
    ///
    /// # Errors
    /// When the system refuses the process or a thread that reads its output.
    pub(super) fn spawn(
        spec: &EngineSpec,
        supervisor: Option<&Path>,
        transcript: Option<File>,
        halt: Arc<Halt>,
    ) -> io::Result<Self> {
        static STARTED: AtomicU64 = AtomicU64::new(0);
        let tag = format!("{}-{}", std::process::id(), STARTED.fetch_add(1, Ordering::Relaxed));
        let (launched, stdin, stdout) = Launched::start(spec, tag, supervisor)?;
        if let Some(stdin) = &stdin {
            never_block(stdin)?;
        }
        let (sender, batches) = mpsc::sync_channel(BATCHES_WAITING);
        let process = Self {
            stdin,
            batches,
            waiting: VecDeque::new(),
            transcript: transcript.map(|file| Arc::new(Transcript::new(file))),
            last_output: None,
            asked_to_end: None,
            halt,
            launched,
        };
        // Where the thread is refused, the drop kills the engine.
        if let Some(stdout) = stdout {
            process.start_reader(stdout, sender)?;
        }
        Ok(process)
    }

    /// Starts the thread that reads the engine's output.
    fn start_reader(&self, stdout: ChildStdout, sender: SyncSender<Vec<Line>>) -> io::Result<()> {
        let transcript = self.transcript.clone();
        let reader = thread::Builder::new().name("engine output".to_owned());
        reader.spawn(move || read_lines(stdout, &sender, transcript.as_deref())).map(drop)
    }

    /// Writes lines in one piece, each ended by a lone LF as Linux managers do, until the deadline; returns the times
    /// before and after the write.
    pub(super) fn send(&mut self, lines: &[String], deadline: Instant) -> Result<(Instant, Instant), ProcessError> {
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        let start = Instant::now();
        if let Some(transcript) = &self.transcript {
            lines.iter().for_each(|line| transcript.note(start, '>', line));
        }
        let mut rest = text.as_bytes();
        while let Some(stdin) = self.stdin.as_mut().filter(|_| !rest.is_empty()) {
            match stdin.write(rest) {
                Ok(written) if written > 0 => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.await_reader(deadline)?,
                Ok(_) | Err(_) => return Err(self.ended()),
            }
        }
        Ok((start, Instant::now()))
    }

    /// Waits a moment for an engine that does not read.
    fn await_reader(&self, deadline: Instant) -> Result<(), ProcessError> {
        if self.halt.is_requested() {
            return Err(ProcessError::Interrupted);
        }
        if Instant::now() >= deadline {
            return Err(ProcessError::Unread);
        }
        thread::sleep(WRITE_POLL);
        Ok(())
    }

    /// The lines that came without a request. Of an engine that never stops writing they are those that wait now.
    pub(super) fn drain(&mut self) -> Vec<Line> {
        let batches = self.batches.try_iter().take(BATCHES_WAITING);
        self.waiting.extend(batches.flatten());
        let lines: Vec<_> = self.waiting.drain(..).collect();
        self.last_output = lines.last().map(|line| line.at).or(self.last_output);
        lines
    }

    /// The next line, if it was read before the deadline.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<Line, ProcessError> {
        loop {
            if self.halt.is_requested() {
                return Err(ProcessError::Interrupted);
            }
            if let Some(line) = self.waiting.pop_front() {
                self.last_output = Some(line.at);
                return if line.at <= deadline { Ok(line) } else { Err(ProcessError::Late) };
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.batches.recv_timeout(left.min(POLL)) {
                Ok(batch) => self.waiting.extend(batch),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(ProcessError::Late),
                Err(RecvTimeoutError::Timeout) if self.launched.has_ended() => {
                    match self.batches.recv_timeout(LAST_OUTPUT) {
                        Ok(batch) => self.waiting.extend(batch),
                        Err(_) => return Err(self.ended()),
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// The error of an engine that has ended, unless the match ends with it.
    fn ended(&mut self) -> ProcessError {
        let how = self.launched.how_ended();
        launch::wait(ENDED_TOGETHER, || self.halt.is_requested());
        if self.halt.is_requested() { ProcessError::Interrupted } else { ProcessError::Ended(how) }
    }

    /// Waits until this time has passed since the engine's last line, or the match is interrupted.
    pub(super) fn rest(&self, grace: Duration) {
        while let Some(at) = self.last_output {
            let left = grace.saturating_sub(at.elapsed());
            if left.is_zero() || self.halt.is_requested() {
                return;
            }
            thread::sleep(left.min(POLL));
        }
    }

    /// Suspends the engine until [`resume`](Self::resume).
    pub(super) fn suspend(&mut self) {
        self.launched.suspend();
    }

    /// Lets a suspended engine go on.
    pub(super) fn resume(&mut self) {
        self.launched.resume();
    }

    /// The memory of the engine and its descendants where the system reports it; exact only above `limit`.
    pub(super) fn memory(&self, limit: u64) -> Option<u64> {
        self.launched.memory(limit)
    }

    /// Sends `END` and closes the engine's input, once. An engine that reads nothing gets no `END`.
    pub(super) fn ask_to_end(&mut self) {
        if self.asked_to_end.is_none() {
            self.resume();
            let now = Instant::now();
            let _ = self.send(&["END".to_owned()], now);
            drop(self.stdin.take());
            self.asked_to_end = Some(now);
        }
    }

    /// Waits until the engine has ended, at most [`END_LIMIT`] after [`ask_to_end`](Self::ask_to_end) and not when
    /// the match has to end at once; kills what is left.
    pub(super) fn end(mut self) {
        self.ask_to_end();
        let left = self.asked_to_end.map_or(Duration::ZERO, |at| END_LIMIT.saturating_sub(at.elapsed()));
        launch::wait(left, || self.halt.is_urgent() || self.launched.has_ended());
    }
}

/// Makes writes return instead of waiting for the engine, so that they have a deadline. Only Unix can; elsewhere a
/// write waits until the engine reads or ends.
fn never_block(stdin: &ChildStdin) -> io::Result<()> {
    #[cfg(unix)]
    rustix::io::ioctl_fionbio(stdin, true)?;
    #[cfg(not(unix))]
    let _ = stdin;
    Ok(())
}
