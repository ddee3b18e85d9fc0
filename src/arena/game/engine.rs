//! [`Engine`]: an engine of a match from one worker's view: started when needed, asked, and judged by its answers.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::clock::Clock;
use super::halt::Halt;
use super::messages::{self, Response};
use super::output::Line;
use super::process::{Process, ProcessError};
use crate::arena::config::{EngineDialect, EngineSpec, GameConfig};
use crate::board::RuleInfo;
use crate::notation::record::GameEnd;

/// Lines that are no answers and are kept for one move: the last ones.
const LINES_KEPT: usize = 20;

/// The bytes of these lines.
const BYTES_KEPT: usize = 16 << 10;

/// Why no answer came.
#[derive(Debug)]
pub(super) enum EngineError {
    /// The engine loses its game.
    Forfeit(GameEnd, String),
    /// The match is interrupted.
    Interrupted,
    /// The engine cannot be started, with what was tried: the match cannot be played.
    Spawn(String, io::Error),
    /// The transcript cannot be written: the match is not what was asked for.
    Transcript(PathBuf, io::Error),
}

/// What an engine has of its match, whatever its description.
#[derive(Clone, Debug)]
pub(in crate::arena) struct EngineOptions {
    /// The program that supervises engines, if there is one.
    pub(in crate::arena) supervisor: Option<PathBuf>,
    /// The file for transcripts of its processes, one after the other.
    pub(in crate::arena) transcripts: Option<PathBuf>,
    /// Ends what waits for the engine.
    pub(in crate::arena) halt: Arc<Halt>,
    /// Whether it is told that games go on after a five.
    pub(in crate::arena) continuous: bool,
}

/// An answer that has the right form.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) response: Response,
    pub(super) time: Duration,
}

/// One engine, with its process while it runs.
#[derive(Debug)]
pub(in crate::arena) struct Engine {
    spec: EngineSpec,
    game: GameConfig,
    options: EngineOptions,
    process: Option<Process>,
    clock: Clock,
    other_lines: VecDeque<String>,
    /// Whether START has been sent and not been answered yet.
    is_start_open: bool,
}

impl Engine {
    /// An engine that has not been started yet.
    pub(in crate::arena) fn new(spec: EngineSpec, game: GameConfig, options: EngineOptions) -> Self {
        let clock = Clock::new(spec.time);
        let other_lines = VecDeque::new();
        Self { spec, game, options, process: None, clock, other_lines, is_start_open: false }
    }

    pub(super) fn name(&self) -> &str {
        &self.spec.name
    }

    /// The words in which it is asked about an opening.
    pub(super) const fn dialect(&self) -> EngineDialect {
        self.spec.dialect
    }

    /// Whether its process has been started and has not failed since.
    pub(super) const fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Sets what is left of its game; `None` is no limit.
    pub(super) fn set_left(&mut self, left: Option<Duration>) {
        self.clock.set_left(left);
    }

    /// Takes the lines that were no answers and came since the last call.
    pub(super) fn take_other_lines(&mut self) -> VecDeque<String> {
        std::mem::take(&mut self.other_lines)
    }

    /// Prepares the engine for a game: a process, a board, limits and a full clock.
    ///
    /// With suspension the engine is stopped from its start to its first request, as the judge does. Its answer to
    /// START is then read with the answer to that request.
    pub(super) fn new_game(&mut self) -> Result<(), EngineError> {
        self.clock = Clock::new(self.spec.time);
        self.other_lines.clear();
        if self.game.restart {
            self.end();
        }
        self.begin(messages::start(self.game.size))
    }

    /// Empties the board of an engine within its game, the clock running on: by `RESTART`, or in a new process where the
    /// engine does not answer that with `OK`. A `BOARD` alone does not: many engines add it to the stones that they have.
    pub(super) fn restart(&mut self) -> Result<(), EngineError> {
        match self.begin("RESTART".to_owned()) {
            Err(EngineError::Forfeit(..)) => self.begin(messages::start(self.game.size)),
            begun => begun,
        }
    }

    /// Sends a line that is answered by `OK` and empties the board, then the limits and the rule.
    fn begin(&mut self, line: String) -> Result<(), EngineError> {
        let grace = Duration::from_millis(self.spec.grace);
        let suspend = self.game.suspend;
        let process = self.process()?;
        if suspend {
            process.suspend();
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

    /// The process of the engine, started if there is none.
    fn process(&mut self) -> Result<&mut Process, EngineError> {
        match &mut self.process {
            Some(process) => Ok(process),
            empty => {
                let EngineOptions { supervisor, transcripts, halt, .. } = &self.options;
                let transcript = transcripts.as_deref().map(open).transpose()?;
                let process = Process::spawn(&self.spec, supervisor.as_deref(), transcript, Arc::clone(halt));
                Ok(empty.insert(process.map_err(|error| EngineError::Spawn(self.spec.tried(), error))?))
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

    /// Writes a request and waits for a line that answers it, until the clock runs out.
    ///
    /// Other lines are kept and do no harm, unless the match is strict; a move that came without a request loses.
    pub(super) fn ask(
        &mut self,
        request: Vec<String>,
        mut answers: impl FnMut(&Response, &str) -> bool,
    ) -> Result<Answer, EngineError> {
        let (sending, start) = self.send_request(request)?;
        let mut unknown = None;
        loop {
            let line = self.next_line(start, unknown.as_ref())?;
            let response = Response::parse(&line.text);
            if line.at < sending && matches!(response, Response::Points(_)) {
                return Err(self.unasked(&line));
            }
            self.read_start_answer(&response, &line.text)?;
            if response == Response::OffBoard || answers(&response, &line.text) {
                return self.accept(response, &line, start);
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

    /// Resumes the engine and writes the request after the rest of the clock; returns the times before and after the
    /// write.
    fn send_request(&mut self, request: Vec<String>) -> Result<(Instant, Instant), EngineError> {
        let patience = self.clock.patience();
        let Some(process) = &mut self.process else {
            return Err(self.forfeit(GameEnd::Crash, "not running".to_owned()));
        };
        let early = process.drain();
        if let Some(line) = early.iter().find(|line| matches!(Response::parse(&line.text), Response::Points(_))) {
            return Err(self.unasked(line));
        }
        process.rest(Duration::from_millis(self.spec.grace));
        process.resume();
        let mut lines = vec![messages::time_left(self.clock.time_left())];
        lines.extend(request);
        let sent = process.send(&lines, Instant::now() + patience);
        sent.map_err(|error| self.failed(error, patience))
    }

    /// The engine has moved without a request.
    fn unasked(&mut self, line: &Line) -> EngineError {
        self.forfeit(GameEnd::Unasked, format!("played {} unasked", line.text))
    }

    /// The next line within the clock's patience; `unknown` is the last line that meant nothing.
    fn next_line(&mut self, start: Instant, unknown: Option<&String>) -> Result<Line, EngineError> {
        let patience = self.clock.patience();
        let Some(process) = &mut self.process else {
            return Err(self.forfeit(GameEnd::Crash, "not running".to_owned()));
        };
        match process.receive(start + patience) {
            Ok(line) => Ok(line),
            Err(ProcessError::Late) if unknown.is_some() => {
                let line = unknown.map_or("", String::as_str);
                Err(self.forfeit(GameEnd::Nonsense, format!("no move, but {line:?}")))
            }
            Err(error) => Err(self.failed(error, patience)),
        }
    }

    /// Takes the time of an answer off the clock and checks the engine's memory.
    fn accept(&mut self, response: Response, line: &Line, start: Instant) -> Result<Answer, EngineError> {
        if let Some(process) = self.process.as_mut().filter(|_| self.game.suspend) {
            process.suspend();
        }
        let time = line.at.saturating_duration_since(start);
        self.clock.spend(time);
        if response == Response::OffBoard {
            return Err(self.forfeit(GameEnd::Illegal, format!("played {}, off the board", line.text)));
        }
        self.check_memory()?;
        Ok(Answer { response, time })
    }

    fn check_memory(&mut self) -> Result<(), EngineError> {
        let limit = self.spec.memory;
        let used = self.process.as_ref().filter(|_| limit > 0).and_then(|process| process.memory(limit));
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

    /// The engine loses, and its process is killed: the next game begins with a new one.
    pub(super) fn forfeit(&mut self, end: GameEnd, detail: String) -> EngineError {
        self.process = None;
        EngineError::Forfeit(end, detail)
    }

    /// The consequence of an error of the process; `patience` is the time that was allowed.
    fn failed(&mut self, error: ProcessError, patience: Duration) -> EngineError {
        match error {
            ProcessError::Interrupted => EngineError::Interrupted,
            ProcessError::Ended(how) => self.forfeit(GameEnd::Crash, how),
            error @ (ProcessError::Late | ProcessError::Unread) => {
                let tolerance = self.spec.time.tolerance;
                let allowed = (patience.as_millis() as u64).saturating_sub(tolerance);
                let what = if error == ProcessError::Late { "no move" } else { "did not read its request" };
                self.forfeit(GameEnd::Time, format!("{what} within {allowed} ms and {tolerance} ms of tolerance"))
            }
        }
    }

    /// Asks the process to end, if there is one, and does not wait for it.
    pub(in crate::arena) fn ask_to_end(&mut self) {
        if let Some(process) = &mut self.process {
            process.ask_to_end();
        }
    }

    /// Ends the process, if there is one, as the protocol has it.
    pub(in crate::arena) fn end(&mut self) {
        if let Some(process) = self.process.take() {
            process.end();
        }
    }
}

fn open(path: &Path) -> Result<File, EngineError> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    let file = folder.and_then(|()| File::options().create(true).append(true).open(path));
    file.map_err(|error| EngineError::Transcript(path.to_owned(), error))
}
