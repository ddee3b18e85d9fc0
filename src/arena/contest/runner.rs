//! Plays a match: workers take games from the schedule, each with engine processes of its own.

use std::collections::VecDeque;
use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::config::MatchConfig;
use super::engine::Engine;
use super::game::{self, Broken};
use super::record::GameRecord;
use super::schedule::{Schedule, Take};
use super::stats::results::Played;
use crate::opening::lists::Opening;

/// How many idle engines a worker keeps running between its games.
const KEPT: usize = 8;

/// The longest wait for news before the state of the match is looked at again.
const TICK: Duration = Duration::from_millis(250);

/// How a match is run; nothing of it changes the games.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Games at once.
    pub jobs: usize,
    /// The folder for transcripts of the talk with every engine.
    pub transcripts: Option<PathBuf>,
    /// Raised to break the match off: games in play are dropped.
    pub halt: Arc<AtomicBool>,
}

/// What happens while a match is played.
#[derive(Debug)]
pub enum Event<'a> {
    /// A game has ended; it is the last one among the games.
    Game(&'a GameRecord),
    /// A while has passed.
    Tick,
}

/// Why a match could not be played on.
#[derive(Debug)]
pub enum RunError<E> {
    /// An engine cannot be started.
    Spawn(String, std::io::Error),
    /// The observer gave up.
    Observer(E),
}

impl<E: fmt::Display> fmt::Display for RunError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spawn(name, error) => write!(f, "engine {name:?} cannot be started: {error}"),
            Self::Observer(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for RunError<E> {}

/// What the workers share.
struct Shared {
    schedule: Mutex<Schedule>,
    changed: Condvar,
}

impl Shared {
    fn schedule(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Plays all games of the match that `played` does not hold, and adds them to it. The observer hears of each, and of
/// the time that passes; it may raise `halt` when it has heard enough.
///
/// # Errors
/// When an engine cannot be started or the observer fails; what was played until then is kept.
pub fn run<E>(
    played: &mut Played,
    openings: Vec<Opening>,
    options: &RunOptions,
    mut observer: impl FnMut(&Event, &Played) -> Result<(), E>,
) -> Result<(), RunError<E>> {
    let records: Vec<_> = played.games.values().cloned().collect();
    let shared =
        Shared { schedule: Mutex::new(Schedule::new(&played.config, openings, &records)), changed: Condvar::new() };
    let (sender, results) = mpsc::channel();
    let config = played.config.clone();
    thread::scope(|scope| {
        for number in 0..options.jobs {
            let (sender, shared, config) = (sender.clone(), &shared, &config);
            scope.spawn(move || work(number, config, options, shared, &sender));
        }
        drop(sender);
        let mut outcome = Ok(());
        loop {
            let heard = match results.recv_timeout(TICK) {
                Ok(Ok(record)) => {
                    let id = record.game;
                    shared.schedule().finished(&record);
                    played.games.insert(id, record);
                    shared.changed.notify_all();
                    observer(&Event::Game(&played.games[&id]), played)
                }
                Ok(Err(Broken::Interrupted)) => Ok(()),
                Ok(Err(Broken::Spawn(name, error))) => {
                    options.halt.store(true, Ordering::Relaxed);
                    outcome = Err(RunError::Spawn(name, error));
                    Ok(())
                }
                Err(RecvTimeoutError::Timeout) => observer(&Event::Tick, played),
                Err(RecvTimeoutError::Disconnected) => return outcome,
            };
            if let Err(error) = heard {
                options.halt.store(true, Ordering::Relaxed);
                outcome = Err(RunError::Observer(error));
            }
        }
    })
}

/// One worker: plays games until there are none, then lets its engines go.
fn work(
    number: usize,
    config: &MatchConfig,
    options: &RunOptions,
    shared: &Shared,
    results: &Sender<Result<GameRecord, Broken>>,
) {
    let mut engines = Stable::new(number, config, options);
    while let Some((id, opening)) = next_game(shared, &options.halt) {
        let [mut first, mut second] = [id.first, id.second].map(|engine| engines.take(engine));
        let result = game::play(id, &opening, &config.conduct, &mut first, &mut second);
        engines.put_back(id.first, first);
        engines.put_back(id.second, second);
        let broken = result.is_err();
        if results.send(result).is_err() || broken {
            break;
        }
    }
    engines.end();
}

fn next_game(shared: &Shared, halt: &AtomicBool) -> Option<(super::record::GameId, Opening)> {
    let mut schedule = shared.schedule();
    loop {
        if halt.load(Ordering::Relaxed) {
            return None;
        }
        match schedule.take() {
            Take::Game(id, opening) => return Some((id, opening)),
            Take::Done => return None,
            Take::Wait => {
                let waited = shared.changed.wait_timeout(schedule, TICK);
                schedule = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }
}

/// The engines of one worker: those used last keep running.
struct Stable<'a> {
    worker: usize,
    config: &'a MatchConfig,
    options: &'a RunOptions,
    /// The one used last stands last.
    engines: VecDeque<(usize, Engine)>,
}

impl<'a> Stable<'a> {
    fn new(worker: usize, config: &'a MatchConfig, options: &'a RunOptions) -> Self {
        Self { worker, config, options, engines: VecDeque::new() }
    }

    fn take(&mut self, number: usize) -> Engine {
        let running = self.engines.iter().position(|(other, _)| *other == number);
        if let Some((_, engine)) = running.and_then(|place| self.engines.remove(place)) {
            return engine;
        }
        let spec = self.config.engines[number].clone();
        let file = format!("{}.{}.log", spec.name.replace(['/', '\\'], "_"), self.worker);
        let transcripts = self.options.transcripts.as_ref().map(|folder| folder.join(file));
        Engine::new(spec, self.config.conduct, Arc::clone(&self.options.halt), transcripts)
    }

    fn put_back(&mut self, number: usize, engine: Engine) {
        self.engines.push_back((number, engine));
        if self.engines.len() > KEPT {
            if let Some((_, mut engine)) = self.engines.pop_front() {
                engine.end();
            }
        }
    }

    fn end(self) {
        for (_, mut engine) in self.engines {
            engine.end();
        }
    }
}
