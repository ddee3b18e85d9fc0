//! Workers on threads take games from the schedule, each with engine processes of its own.

use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fmt, io, thread};

use super::pool::EnginePool;
use crate::arena::config::MatchConfig;
use crate::arena::game::{self, GameError, Halt};
use crate::arena::journal::MatchRecord;
use crate::arena::schedule::{NextGame, Schedule};
use crate::notation::record::{GameId, GameRecord};
use crate::opening::lists::Opening;

/// The longest wait before the observer is called and the end of the match is checked.
const TICK: Duration = Duration::from_millis(250);

/// The most workers that are started, each with the readers of two engines. The runtime library aborts the process,
/// instead of returning an error, where a thread has started and the system refuses its signal stack; Linux refuses that
/// from some 16,000 threads on (`vm.max_map_count`).
const MOST_WORKERS: usize = 1024;

/// How a match is run. None of these options changes its games.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Games at once: 0 counts as 1, more than 1,024 as 1,024. Workers without a game are not started.
    pub jobs: usize,
    /// The folder for transcripts of the lines to and from every engine.
    pub transcripts: Option<PathBuf>,
    /// The program that supervises engines on Linux: `tengen-arena`, which has the subcommand for it. Without one, what
    /// leaves the process group of an engine and hides is not found.
    pub supervisor: Option<PathBuf>,
    /// Requested to interrupt the match: games in play are dropped.
    pub halt: Arc<Halt>,
}

/// What an observer of a match is called for.
#[derive(Debug)]
pub enum MatchEvent<'a> {
    /// A game has ended; it is the last one among the games.
    Game(&'a GameRecord),
    /// No game has ended for a quarter of a second.
    Tick,
}

/// Why a match stopped early.
#[derive(Debug)]
pub enum RunError<E> {
    /// The engine of this name cannot be started, with what was tried.
    Spawn(String, String, io::Error),
    /// The transcript of an engine cannot be written to this file.
    Transcript(PathBuf, io::Error),
    /// The thread of this worker, counted from 1, cannot be started.
    Worker(usize, io::Error),
    /// The observer failed.
    Observer(E),
}

impl<E: fmt::Display> fmt::Display for RunError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spawn(name, tried, error) => write!(f, "engine {name:?} cannot be started: {tried}: {error}"),
            Self::Transcript(path, error) => {
                write!(f, "the transcript {} cannot be written: {error}", path.display())
            }
            Self::Worker(number, error) => write!(f, "the thread of worker {number} cannot be started: {error}"),
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

/// Plays all games of the match that `played` does not hold, and adds them to it. The observer is called for each game,
/// and at intervals without one; it may set `halt` to stop the match.
///
/// # Errors
/// When a worker or an engine cannot be started or the observer fails; `played` keeps the games that were finished.
pub(super) fn run<E>(
    played: &mut MatchRecord,
    openings: Vec<Opening>,
    options: &RunOptions,
    observer: impl FnMut(&MatchEvent, &MatchRecord) -> Result<(), E>,
) -> Result<(), RunError<E>> {
    let schedule = Mutex::new(Schedule::new(&played.config, openings, played.games.values()));
    let shared = Shared { schedule, changed: Condvar::new() };
    let (sender, results) = mpsc::channel();
    let config = played.config.clone();
    let workers = options.jobs.clamp(1, MOST_WORKERS).min(Schedule::total(&config).unwrap_or(usize::MAX).max(1));
    thread::scope(|scope| {
        let mut started = Ok(());
        for number in 0..workers {
            let (sender, shared, config) = (sender.clone(), &shared, &config);
            let worker = thread::Builder::new().name(format!("worker {number}"));
            let worker = worker.spawn_scoped(scope, move || work(number, config, options, shared, &sender));
            if let Err(error) = worker {
                options.halt.request();
                started = Err(RunError::Worker(number + 1, error));
                break;
            }
        }
        drop(sender);
        let finished = collect(played, &results, &shared, options, observer);
        started.and(finished)
    })
}

/// Takes the results of the workers until all have ended.
fn collect<E>(
    played: &mut MatchRecord,
    results: &Receiver<Result<GameRecord, GameError>>,
    shared: &Shared,
    options: &RunOptions,
    mut observer: impl FnMut(&MatchEvent, &MatchRecord) -> Result<(), E>,
) -> Result<(), RunError<E>> {
    let mut outcome = Ok(());
    loop {
        let step = match results.recv_timeout(TICK) {
            Ok(Ok(record)) => {
                let id = record.game;
                shared.schedule().finished(&record);
                played.games.insert(id, record);
                shared.changed.notify_all();
                observer(&MatchEvent::Game(&played.games[&id]), played).map_err(RunError::Observer)
            }
            Ok(Err(GameError::Interrupted)) => Ok(()),
            Ok(Err(GameError::Spawn(name, tried, error))) => Err(RunError::Spawn(name, tried, error)),
            Ok(Err(GameError::Transcript(path, error))) => Err(RunError::Transcript(path, error)),
            Err(RecvTimeoutError::Timeout) => observer(&MatchEvent::Tick, played).map_err(RunError::Observer),
            Err(RecvTimeoutError::Disconnected) => return outcome,
        };
        if let Err(error) = step {
            options.halt.request();
            outcome = outcome.and(Err(error));
        }
    }
}

/// One worker: plays games until there are none, then ends its engines.
fn work(
    number: usize,
    config: &MatchConfig,
    options: &RunOptions,
    shared: &Shared,
    results: &Sender<Result<GameRecord, GameError>>,
) {
    let mut engines = EnginePool::new(number, config, options);
    while let Some((id, opening)) = next_game(shared, &options.halt) {
        let [mut first, mut second] = [id.first, id.second].map(|engine| engines.take(engine));
        let result = game::play(id, &opening, &config.game, &mut first, &mut second);
        engines.put_back(id.first, first);
        engines.put_back(id.second, second);
        let is_last = result.is_err();
        if results.send(result).is_err() || is_last {
            break;
        }
    }
    engines.end();
}

fn next_game(shared: &Shared, halt: &Halt) -> Option<(GameId, Opening)> {
    let mut schedule = shared.schedule();
    loop {
        if halt.is_requested() {
            return None;
        }
        match schedule.next() {
            NextGame::Play(id, opening) => return Some((id, opening)),
            NextGame::Done => return None,
            NextGame::Wait => {
                let waited = shared.changed.wait_timeout(schedule, TICK);
                schedule = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }
}
