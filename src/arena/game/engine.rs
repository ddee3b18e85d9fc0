//! [`Engine`]: one engine of a worker. Starts the process when needed, sends requests and checks the answers.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::clock::EngineClock;
use super::inquiry::{Inquiry, Reading};
use super::launch::ENDED_WELL;
use super::messages::{self, Response};
use super::output::{Line, Log};
use super::process::{Halt, Process, ProcessError};
use crate::arena::config::{EngineSpec, GameConfig};
use crate::board::Point;
use crate::notation::record::GameEnd;
use crate::opening::{Negotiation, ProcedureAnswer};
use crate::protocol::rule_number::RuleInfo;

/// Maximum number of non-answer lines kept per move. Older lines are dropped.
const LINES_KEPT: usize = 20;

/// The size of these lines in bytes.
const BYTES_KEPT: usize = 16 << 10;

/// Error returned when an engine does not answer.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The engine loses the game because it failed or broke a rule: the reason, and a description.
    #[error("{1}")]
    Forfeit(GameEnd, String),
    /// The game has no result.
    #[error(transparent)]
    Abort(#[from] Abort),
}

/// Error returned when a game ends without a result.
#[derive(Debug, Error)]
pub enum Abort {
    /// The match was interrupted, or the question given up.
    #[error("interrupted")]
    Interrupted,
    /// The engine of this name cannot be started: the program that was tried, and the error.
    #[error("engine {0:?} cannot be started: {1}: {2}")]
    Spawn(String, String, io::Error),
    /// The transcript of an engine cannot be written.
    #[error("the transcript {} cannot be written: {}", .0.display(), .1)]
    Transcript(PathBuf, io::Error),
}

/// The conditions under which a match runs its engines, the same for each of them.
#[derive(Clone, Debug)]
pub(in crate::arena) struct EngineOptions {
    /// The program that supervises engines, if any.
    pub(in crate::arena) supervisor: Option<PathBuf>,
    /// The file to which the engine's processes append their transcripts.
    pub(in crate::arena) transcripts: Option<PathBuf>,
    /// Ends every wait for the engine.
    pub(in crate::arena) halt: Arc<Halt>,
    /// Whether to send the rule number of a continuous game, which goes on after a five.
    pub(in crate::arena) continuous: bool,
}

/// One engine, with its process while it runs.
#[derive(Debug)]
pub(in crate::arena) struct Engine {
    pub(super) spec: EngineSpec,
    game: GameConfig,
    options: EngineOptions,
    process: Option<Process>,
    pub(super) clock: EngineClock,
    other_lines: VecDeque<String>,
    /// Whether the answer to START is still missing.
    is_start_open: bool,
}

impl Engine {
    /// An engine that has not been started yet.
    pub(in crate::arena) fn new(spec: EngineSpec, game: GameConfig, options: EngineOptions) -> Self {
        let clock = EngineClock::new(spec.time);
        Self { spec, game, options, process: None, clock, other_lines: VecDeque::new(), is_start_open: false }
    }

    /// Whether its process has been started and has not failed since.
    pub(super) const fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Takes the lines without an answer that came since the last call.
    pub(super) fn take_other_lines(&mut self) -> VecDeque<String> {
        std::mem::take(&mut self.other_lines)
    }

    /// Prepares the engine for a game: a process, a board, limits and a full clock.
    ///
    /// With `--suspend` the process is suspended from its start until its first request, as under the Gomocup judge. Its
    /// answer to START is then read with the answer to that request.
    pub(super) fn new_game(&mut self) -> Result<(), EngineError> {
        self.clock = EngineClock::new(self.spec.time);
        self.other_lines.clear();
        if self.game.restart {
            self.end();
        }
        let is_old = self.process.is_some();
        match self.begin(messages::start(self.game.size)) {
            // A program for one game, which ends with the game before this one.
            Err(EngineError::Forfeit(GameEnd::Crash, how)) if is_old && how.starts_with(ENDED_WELL) => {
                self.end();
                self.begin(messages::start(self.game.size))
            }
            begun => begun,
        }
    }

    /// Clears the engine's board during a game without resetting the clock: by `RESTART`, or in a new process if the
    /// engine does not answer with `OK`. `BOARD` alone is not enough: many engines add its stones to those that they
    /// have.
    pub(super) fn restart(&mut self) -> Result<(), EngineError> {
        match self.begin("RESTART".to_owned()) {
            Err(EngineError::Forfeit(..)) => self.begin(messages::start(self.game.size)),
            begun => begun,
        }
    }

    /// Sends a line that empties the board and is answered by `OK`, then the limits and the rule.
    fn begin(&mut self, line: String) -> Result<(), EngineError> {
        let grace = Duration::from_millis(self.spec.grace);
        let suspend = self.game.suspend;
        let process = self.process()?;
        if suspend {
            process.launched.suspend();
        }
        process.rest(grace);
        process.drain();
        self.is_start_open = true;
        let deadline = Instant::now() + Duration::from_millis(self.spec.start);
        self.prepare(&[line], deadline)?;
        if !suspend {
            self.await_ok(deadline)?;
        }
        let rule = RuleInfo { rule: self.game.rule, continuous: self.options.continuous };
        let infos = messages::game_infos(&self.spec, rule);
        let deadline = Instant::now() + Duration::from_millis(self.spec.start);
        self.prepare(&infos, deadline)
    }

    /// The process of the engine, started if it does not run.
    fn process(&mut self) -> Result<&mut Process, Abort> {
        match &mut self.process {
            Some(process) => Ok(process),
            empty => {
                let EngineOptions { supervisor, transcripts, halt, .. } = &self.options;
                let log = |path: &PathBuf| Log::open(path).map_err(|error| Abort::Transcript(path.clone(), error));
                let log = transcripts.as_ref().map(log).transpose()?;
                let process = Process::spawn(&self.spec, supervisor.as_deref(), log, Arc::clone(halt));
                let cannot_start = |error| Abort::Spawn(self.spec.name.clone(), self.spec.tried(), error);
                Ok(empty.insert(process.map_err(cannot_start)?))
            }
        }
    }

    /// Writes lines that prepare a game, within the limit of START.
    fn prepare(&mut self, lines: &[String], deadline: Instant) -> Result<(), EngineError> {
        let sent = self.process.as_mut().map_or(Ok(()), |process| process.send(lines, deadline).map(drop));
        sent.map_err(|error| match error {
            ProcessError::Unread => {
                self.forfeit(GameEnd::Start, format!("did not read what prepares a game in {} ms", self.spec.start))
            }
            error => self.failed(error, Duration::ZERO),
        })
    }

    /// Waits for the answer to START.
    fn await_ok(&mut self, deadline: Instant) -> Result<(), EngineError> {
        while self.is_start_open {
            let Some(process) = &mut self.process else { return Ok(()) };
            let line = match process.receive(deadline) {
                Ok(line) => line,
                Err(ProcessError::Late) => return Err(self.no_ok()),
                Err(error) => return Err(self.failed(error, Duration::ZERO)),
            };
            self.read_start_answer(&Response::parse(&line.text), &line.text)?;
            if self.is_start_open {
                self.keep_line(line.text);
            }
        }
        Ok(())
    }

    fn no_ok(&mut self) -> EngineError {
        let last = self.other_lines.back().map_or_else(|| "nothing".to_owned(), |line| format!("{line:?}"));
        self.forfeit(GameEnd::Start, format!("no OK to START in {} ms, but {last}", self.spec.start))
    }

    /// Closes START if the line answers it; a refusal loses the game.
    fn read_start_answer(&mut self, response: &Response, line: &str) -> Result<(), EngineError> {
        match response {
            Response::Ok => self.is_start_open = false,
            Response::Refusal if self.is_start_open => {
                return Err(self.forfeit(GameEnd::Start, format!("answered START with {line:?}")));
            }
            _ => {}
        }
        Ok(())
    }

    /// Asks for a move.
    pub(super) fn ask_move(&mut self, request: &[String]) -> Result<(Point, Duration), EngineError> {
        self.ask(request, |response, _| response.point())
    }

    /// Asks the next question of an opening procedure in the engine's dialect. The answer may be illegal.
    pub(super) fn ask_opening(
        &mut self,
        negotiation: &Negotiation,
    ) -> Result<(ProcedureAnswer, Duration), EngineError> {
        let Some((mut inquiry, mut request)) = Inquiry::new(negotiation, self.spec.dialect) else {
            let procedure = negotiation.procedure();
            return Err(self.forfeit(GameEnd::Nonsense, format!("no words for {procedure}")));
        };
        let mut time = Duration::ZERO;
        loop {
            let (reading, taken) = self.ask(&request, |response, line| inquiry.read(response, line))?;
            time += taken;
            match reading {
                Reading::Answer(answer) => return Ok((answer, time)),
                Reading::Ask(next) => request = next,
                Reading::OffBoard(line) => {
                    return Err(self.forfeit(GameEnd::Illegal, format!("answered {line:?}, off the board")));
                }
            }
        }
    }

    /// Writes a request and waits for a line that answers it, until the clock runs out.
    ///
    /// Other lines are kept for the record; in a strict match an unrecognised line loses the game. A move sent before
    /// the request loses.
    fn ask<T>(
        &mut self,
        request: &[String],
        mut read: impl FnMut(&Response, &str) -> Option<T>,
    ) -> Result<(T, Duration), EngineError> {
        let (sending, start) = self.send_request(request)?;
        let mut unknown = None;
        loop {
            let line = self.next_line(start, unknown.as_deref())?;
            let response = Response::parse(&line.text);
            if line.at < sending && response.stones().is_some() {
                return Err(self.unasked(&line));
            }
            self.read_start_answer(&response, &line.text)?;
            let answer = read(&response, &line.text);
            if response == Response::OffBoard || answer.is_some() {
                let time = self.stop_clock(&line, start);
                let Some(answer) = answer else {
                    return Err(self.forfeit(GameEnd::Illegal, format!("played {}, off the board", line.text)));
                };
                self.check_memory()?;
                return Ok((answer, time));
            }
            if !matches!(response, Response::Message | Response::Ok) {
                if self.game.strict {
                    let detail = format!("wrote {:?} in place of a move", line.text);
                    return Err(self.forfeit(GameEnd::Nonsense, detail));
                }
                unknown = Some(line.text.clone());
            }
            self.keep_line(line.text);
        }
    }

    /// Resumes the engine and writes the time left and the request. Returns the times before and after the write.
    fn send_request(&mut self, request: &[String]) -> Result<(Instant, Instant), EngineError> {
        let patience = self.clock.patience();
        let Some(process) = &mut self.process else { return Err(self.not_running()) };
        let early = process.drain();
        if let Some(line) = early.iter().find(|line| Response::parse(&line.text).stones().is_some()) {
            return Err(self.unasked(line));
        }
        // What the engine wrote after its last move.
        early.into_iter().for_each(|line| self.keep_line(line.text));
        let Some(process) = &mut self.process else { return Err(self.not_running()) };
        process.rest(Duration::from_millis(self.spec.grace));
        process.launched.resume();
        let lines = [&[format!("INFO time_left {}", self.clock.time_left())], request].concat();
        let sent = process.send(&lines, Instant::now() + patience);
        sent.map_err(|error| self.failed(error, patience))
    }

    /// Forfeits the game of an engine that moved without a request.
    fn unasked(&mut self, line: &Line) -> EngineError {
        self.forfeit(GameEnd::Unasked, format!("played {} unasked", line.text))
    }

    fn not_running(&mut self) -> EngineError {
        self.forfeit(GameEnd::Crash, "not running".to_owned())
    }

    /// The next line within the clock's patience; `unknown` is the last unrecognised line.
    fn next_line(&mut self, start: Instant, unknown: Option<&str>) -> Result<Line, EngineError> {
        let patience = self.clock.patience();
        let Some(process) = &mut self.process else { return Err(self.not_running()) };
        process.receive(start + patience).map_err(|error| match (error, unknown) {
            (ProcessError::Late, Some(line)) => self.forfeit(GameEnd::Nonsense, format!("no move, but {line:?}")),
            (error, _) => self.failed(error, patience),
        })
    }

    /// Suspends the engine if the match does so, and takes the time of its answer off the clock.
    fn stop_clock(&mut self, line: &Line, start: Instant) -> Duration {
        if let Some(process) = self.process.as_mut().filter(|_| self.game.suspend) {
            process.launched.suspend();
        }
        let time = line.at.saturating_duration_since(start);
        self.clock.spend(time);
        time
    }

    fn check_memory(&mut self) -> Result<(), EngineError> {
        let limit = self.spec.memory;
        let used = self.process.as_ref().filter(|_| limit > 0).and_then(|process| process.launched.memory(limit));
        match used.filter(|&used| used > limit) {
            Some(used) => Err(self.forfeit(GameEnd::Memory, format!("held {} of {} KiB", used >> 10, limit >> 10))),
            None => Ok(()),
        }
    }

    fn keep_line(&mut self, line: String) {
        self.other_lines.push_back(line);
        let mut bytes: usize = self.other_lines.iter().map(String::len).sum();
        while self.other_lines.len() > LINES_KEPT || bytes > BYTES_KEPT {
            bytes -= self.other_lines.pop_front().map_or(bytes, |line| line.len());
        }
    }

    /// Kills the process and returns the forfeit. The next game starts a new process.
    pub(super) fn forfeit(&mut self, end: GameEnd, detail: String) -> EngineError {
        self.process = None;
        EngineError::Forfeit(end, detail)
    }

    /// The error of an engine whose process failed; `patience` is the time that was allowed.
    fn failed(&mut self, error: ProcessError, patience: Duration) -> EngineError {
        match error {
            ProcessError::Interrupted => Abort::Interrupted.into(),
            ProcessError::Ended(how) => self.forfeit(GameEnd::Crash, how),
            error @ (ProcessError::Late | ProcessError::Unread) => {
                let tolerance = self.spec.time.tolerance;
                let allowed = (patience.as_millis() as u64).saturating_sub(tolerance);
                let what = if error == ProcessError::Late { "no move" } else { "did not read its request" };
                self.forfeit(GameEnd::Time, format!("{what} within {allowed} ms and {tolerance} ms of tolerance"))
            }
        }
    }

    /// Asks a running process to end and does not wait for it.
    pub(in crate::arena) fn ask_to_end(&mut self) {
        if let Some(process) = &mut self.process {
            process.ask_to_end();
        }
    }

    /// Ends a running process as the protocol asks.
    pub(in crate::arena) fn end(&mut self) {
        if let Some(process) = self.process.take() {
            process.end();
        }
    }
}
