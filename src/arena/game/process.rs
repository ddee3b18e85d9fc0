//! [`Process`]: an engine as a process that is written to and read from, line by line.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ChildStdin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::launch::Launched;
use super::output::{BATCHES_WAITING, LAST_OUTPUT, Line, Log, read_lines, wait};
use crate::arena::config::EngineSpec;

/// The interval at which a wait checks for the end of the engine and for an interrupt of the match.
const POLL: Duration = Duration::from_millis(50);

/// A wait that lasts this much longer than asked for means that the arena itself was stopped, as by Ctrl-Z.
const STOPPED: Duration = Duration::from_millis(500);

/// The interval at which a write is retried while the engine reads nothing.
const WRITE_POLL: Duration = Duration::from_millis(1);

/// The time that an engine has to exit after `END`, as with the Gomocup judge.
const END_LIMIT: Duration = Duration::from_millis(500);

/// The time in which an interrupt of the match may follow the end of an engine. A terminal that closes, like a cluster that
/// ends a job, signals each process, and the engine's signal may come first.
const ENDED_TOGETHER: Duration = Duration::from_millis(500);

/// The failure of a process to read a request or to answer it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProcessError {
    /// The deadline passed.
    Late,
    /// The deadline passed while the engine read nothing.
    Unread,
    /// The engine has ended or closed its output. Holds a description.
    Ended(String),
    /// The match is interrupted.
    Interrupted,
}

/// The match continues.
const NONE: u8 = 0;

/// Games in play are dropped and no game begins. Engines are asked to end.
const REQUESTED: u8 = 1;

/// Engines are killed without being asked.
const URGENT: u8 = 2;

/// A request that a match ends early, shared by its threads. It is never withdrawn.
#[derive(Debug, Default)]
pub struct Halt(AtomicU8);

impl Halt {
    /// Drops the games in play; their engines get `END` and the time that the protocol gives them to exit.
    pub fn request(&self) {
        self.0.fetch_max(REQUESTED, Ordering::Relaxed);
    }

    /// Drops the games in play and kills their engines.
    pub fn request_at_once(&self) {
        self.0.fetch_max(URGENT, Ordering::Relaxed);
    }

    /// Whether the match has to end.
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed) > NONE
    }

    /// Whether engines are killed without being asked.
    pub fn is_urgent(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= URGENT
    }
}

/// A running engine. Dropping it kills the engine and everything that it has started.
#[derive(Debug)]
pub(super) struct Process {
    stdin: Option<ChildStdin>,
    batches: Receiver<Vec<Line>>,
    waiting: VecDeque<Line>,
    log: Option<Arc<Log>>,
    last_output: Option<Instant>,
    /// The time at which the last request was sent.
    sent: Instant,
    /// The time for which the arena was stopped since then.
    stopped: Duration,
    /// The time at which `END` was sent.
    asked_to_end: Option<Instant>,
    halt: Arc<Halt>,
    pub(super) launched: Launched,
}

impl Process {
    /// Starts an engine, below `supervisor` if one is given. Both directions are copied to `log`. Every wait for the
    /// engine ends early once `halt` is requested.
    ///
    /// # Errors
    /// When the system refuses the process or a thread that reads its output.
    pub(super) fn spawn(
        spec: &EngineSpec,
        supervisor: Option<&Path>,
        log: Option<Log>,
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
            log: log.map(Arc::new),
            last_output: None,
            sent: Instant::now(),
            stopped: Duration::ZERO,
            asked_to_end: None,
            halt,
            launched,
        };
        // If the system refuses the thread, the drop kills the engine.
        if let Some(stdout) = stdout {
            let log = process.log.clone();
            let reader = thread::Builder::new().name("engine output".to_owned());
            reader.spawn(move || read_lines(stdout, &sender, log.as_deref()))?;
        }
        Ok(process)
    }

    /// Writes lines in one piece until the deadline, each ended by a lone LF as Linux managers do. Returns the times before
    /// and after the write.
    pub(super) fn send(&mut self, lines: &[String], deadline: Instant) -> Result<(Instant, Instant), ProcessError> {
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        self.stopped = Duration::ZERO;
        let start = Instant::now();
        if let Some(log) = &self.log {
            lines.iter().for_each(|line| log.note(start, '>', line));
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
        self.sent = Instant::now();
        Ok((start, self.sent))
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

    /// Takes the waiting lines, which came without a request.
    pub(super) fn drain(&mut self) -> Vec<Line> {
        let batches = self.batches.try_iter().take(BATCHES_WAITING);
        self.waiting.extend(batches.flatten());
        let lines: Vec<_> = self.waiting.drain(..).collect();
        self.last_output = lines.last().map(|line| line.at).or(self.last_output);
        lines
    }

    /// The next line, if it was read before the deadline. The time for which the arena was stopped does not count: the
    /// deadline moves, and the line is dated back, at most to the request.
    pub(super) fn receive(&mut self, deadline: Instant) -> Result<Line, ProcessError> {
        loop {
            let deadline = deadline + self.stopped;
            if self.halt.is_requested() {
                return Err(ProcessError::Interrupted);
            }
            if let Some(line) = self.waiting.pop_front() {
                self.last_output = Some(line.at);
                let at = line.at.checked_sub(self.stopped).unwrap_or(line.at).max(self.sent.min(line.at));
                return if line.at <= deadline { Ok(Line { at, ..line }) } else { Err(ProcessError::Late) };
            }
            let begin = Instant::now();
            let left = deadline.saturating_duration_since(begin);
            let received = self.batches.recv_timeout(left.min(POLL));
            let overslept = begin.elapsed().saturating_sub(left.min(POLL));
            if overslept >= STOPPED {
                self.stopped += overslept;
            }
            match received {
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
        wait(ENDED_TOGETHER, || self.halt.is_requested());
        if self.halt.is_requested() { ProcessError::Interrupted } else { ProcessError::Ended(how) }
    }

    /// Waits until the engine's last line is as old as `grace`, or the match is interrupted.
    pub(super) fn rest(&self, grace: Duration) {
        while let Some(at) = self.last_output {
            let left = grace.saturating_sub(at.elapsed());
            if left.is_zero() || self.halt.is_requested() {
                return;
            }
            thread::sleep(left.min(POLL));
        }
    }

    /// Sends `END` and closes the engine's input, once. An engine that reads nothing gets no `END`.
    pub(super) fn ask_to_end(&mut self) {
        if self.asked_to_end.is_none() {
            self.launched.resume();
            let now = Instant::now();
            let _ = self.send(&["END".to_owned()], now);
            drop(self.stdin.take());
            self.asked_to_end = Some(now);
        }
    }

    /// Waits until the engine has ended, at most [`END_LIMIT`] after [`ask_to_end`](Self::ask_to_end). Kills what is left,
    /// at once if the halt is urgent.
    pub(super) fn end(mut self) {
        self.ask_to_end();
        let left = self.asked_to_end.map_or(Duration::ZERO, |at| END_LIMIT.saturating_sub(at.elapsed()));
        wait(left, || self.halt.is_urgent() || self.launched.has_ended());
    }
}

/// Makes writes return at once, so that they can have a deadline. Only Unix supports it; elsewhere a write waits until the
/// engine reads or ends.
fn never_block(stdin: &ChildStdin) -> io::Result<()> {
    #[cfg(unix)]
    rustix::io::ioctl_fionbio(stdin, true)?;
    #[cfg(not(unix))]
    let _ = stdin;
    Ok(())
}
