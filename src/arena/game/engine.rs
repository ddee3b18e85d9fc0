//! [`Engine`]: an engine of a match from one worker's view: started when needed, asked, and judged by its answers.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::clock::Clock;
use super::config::Conduct;
use super::process::{Process, Silence};
use super::record::End;
use super::spec::EngineSpec;
use super::words::{self, Word};

/// How many of an engine's lines for people are kept for one move: the last ones.
const LINES_KEPT: usize = 20;

/// Why no answer came.
#[derive(Debug)]
pub(super) enum Trouble {
    /// The engine loses its game.
    Forfeit(End, String),
    /// The match is broken off.
    Interrupted,
    /// The engine cannot be started: the match makes no sense.
    Spawn(io::Error),
}

/// An answer that has the right form.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) word: Word,
    pub(super) time: Duration,
}

/// One engine, with its process while it runs.
#[derive(Debug)]
pub(super) struct Engine {
    spec: EngineSpec,
    conduct: Conduct,
    interrupted: Arc<AtomicBool>,
    transcripts: Option<PathBuf>,
    process: Option<Process>,
    clock: Clock,
    said: Vec<String>,
}

impl Engine {
    /// An engine that has not been started yet. Transcripts of its processes go to the given file, one after the
    /// other.
    pub(super) fn new(
        spec: EngineSpec,
        conduct: Conduct,
        interrupted: Arc<AtomicBool>,
        transcripts: Option<PathBuf>,
    ) -> Self {
        let clock = Clock::new(spec.time);
        Self { spec, conduct, interrupted, transcripts, process: None, clock, said: Vec::new() }
    }

    pub(super) fn name(&self) -> &str {
        &self.spec.name
    }

    /// The lines for people, and noise, since this was asked last.
    pub(super) fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    /// Prepares the engine for a game: a process, a board, limits and a full clock.
    ///
    /// Where the judge's suspension is wanted, the engine is stopped from its start to its first request, so that
    /// `OK` is not waited for.
    pub(super) fn new_game(&mut self) -> Result<(), Trouble> {
        self.clock = Clock::new(self.spec.time);
        self.said.clear();
        if self.conduct.restart {
            self.end();
        }
        let process = match &mut self.process {
            Some(process) => process,
            empty => {
                let transcript = self.transcripts.as_ref().map(open).transpose();
                let process = transcript.and_then(|file| Process::spawn(&self.spec, file)).map_err(Trouble::Spawn)?;
                empty.insert(process)
            }
        };
        if self.conduct.suspend {
            process.suspend();
        }
        process.rest(Duration::from_millis(self.spec.grace));
        process.drain();
        let outcome = process.send(&[words::start(self.conduct.size)]).map(drop);
        let outcome = if self.conduct.suspend { outcome } else { outcome.and_then(|()| self.await_ok()) };
        let infos = words::game_infos(&self.spec, self.conduct.rule);
        let outcome = outcome.and_then(|()| self.process.as_mut().map_or(Ok(()), |p| p.send(&infos).map(drop)));
        outcome.map_err(|silence| match silence {
            Silence::Late => {
                let said = self.said.last().map_or_else(|| "nothing".to_owned(), |line| format!("{line:?}"));
                self.forfeit(End::Start, format!("no OK to START in {} ms; said {said}", self.spec.start))
            }
            silence => self.silent(silence, Duration::ZERO),
        })
    }

    fn await_ok(&mut self) -> Result<(), Silence> {
        let Some(process) = &mut self.process else { return Ok(()) };
        let deadline = Instant::now() + Duration::from_millis(self.spec.start);
        loop {
            let line = process.receive(deadline, &self.interrupted)?;
            match Word::parse(&line.text) {
                Word::Ok => return Ok(()),
                Word::Refusal => {
                    self.said.push(line.text);
                    return Err(Silence::Late);
                }
                _ => self.said.push(line.text),
            }
        }
    }

    /// Writes a request and waits for a line that answers it, as long as the clock allows.
    ///
    /// Other lines are kept and do no harm, unless the match is strict; a move that comes unasked does.
    pub(super) fn ask(&mut self, request: Vec<String>, answers: impl Fn(&Word) -> bool) -> Result<Answer, Trouble> {
        let patience = self.clock.patience();
        let Some(process) = &mut self.process else {
            return Err(self.forfeit(End::Crash, "not running".to_owned()));
        };
        let unasked = process.drain();
        if let Some(line) = unasked.iter().find(|line| matches!(Word::parse(&line.text), Word::Points(_))) {
            let detail = format!("played {} unasked", line.text);
            return Err(self.forfeit(End::Unasked, detail));
        }
        process.rest(Duration::from_millis(self.spec.grace));
        process.resume();
        let mut lines = vec![words::time_left(self.clock.time_left())];
        lines.extend(request);
        let start = match process.send(&lines) {
            Ok(start) => start,
            Err(silence) => return Err(self.silent(silence, patience)),
        };
        let mut noise = None;
        loop {
            let line = match process.receive(start + patience, &self.interrupted) {
                Ok(line) if line.at <= start + patience => line,
                Ok(_) => return Err(self.silent(Silence::Late, patience)),
                Err(Silence::Late) if noise.is_some() => {
                    return Err(self.forfeit(End::Nonsense, format!("no move, but {:?}", noise.unwrap_or_default())));
                }
                Err(silence) => return Err(self.silent(silence, patience)),
            };
            let word = Word::parse(&line.text);
            if answers(&word) || word == Word::OffBoard {
                if self.conduct.suspend {
                    process.suspend();
                }
                let time = line.at.saturating_duration_since(start);
                self.clock.spend(time);
                return match word {
                    Word::OffBoard => Err(self.forfeit(End::Illegal, format!("played {}, off the board", line.text))),
                    word => self.check_memory().map(|()| Answer { word, time }),
                };
            }
            let harmless = matches!(word, Word::Message | Word::Ok);
            if !harmless && self.conduct.strict {
                return Err(self.forfeit(End::Nonsense, format!("said {:?} in place of a move", line.text)));
            }
            if !harmless {
                noise = Some(line.text.clone());
            }
            if self.said.len() == LINES_KEPT {
                self.said.remove(0);
            }
            self.said.push(line.text);
        }
    }

    fn check_memory(&mut self) -> Result<(), Trouble> {
        let limit = self.spec.memory;
        let used = self.process.as_ref().filter(|_| limit > 0).and_then(|process| process.memory(limit));
        match used.filter(|&used| used > limit) {
            Some(used) => Err(self.forfeit(End::Memory, format!("held {} of {} KiB", used >> 10, limit >> 10))),
            None => Ok(()),
        }
    }

    /// The engine loses, and its process goes: the next game begins with a new one.
    pub(super) fn forfeit(&mut self, end: End, detail: String) -> Trouble {
        self.process = None;
        Trouble::Forfeit(end, detail)
    }

    fn silent(&mut self, silence: Silence, patience: Duration) -> Trouble {
        match silence {
            Silence::Interrupted => Trouble::Interrupted,
            Silence::Ended(how) => self.forfeit(End::Crash, how),
            Silence::Late => {
                let tolerance = self.spec.time.tolerance;
                let allowed = (patience.as_millis() as u64).saturating_sub(tolerance);
                self.forfeit(End::Time, format!("no move within {allowed} ms and {tolerance} ms of tolerance"))
            }
        }
    }

    /// Ends the process, if there is one, as the protocol has it.
    pub(super) fn end(&mut self) {
        if let Some(process) = self.process.take() {
            process.end();
        }
    }
}

fn open(path: &PathBuf) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::options().create(true).append(true).open(path)
}
