//! Workers on threads take games from the schedule, each with engine processes of its own.

use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::ContestError;
use super::pool::EnginePool;
use crate::arena::config::MatchConfig;
use crate::arena::game::{self, Abort, Halt};
use crate::arena::journal::MatchRecord;
use crate::arena::schedule::{NextGame, Schedule};
use crate::notation::record::{GameId, GameRecord};
use crate::opening::lists::Opening;
use crate::protocol::MOST_THREADS;

/// Maximum wait before the observer is called and the halt is checked.
const TICK: Duration = Duration::from_millis(250);

/// Maximum number of workers. Each has the threads that read two engines.
const MOST_WORKERS: usize = MOST_THREADS as usize;

/// The options of running a match. None of them changes its games.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Games at once: 0 counts as 1, more than 1,024 as 1,024. Workers without a game are not started.
    pub jobs: usize,
    /// The folder for transcripts of the lines to and from every engine.
    pub transcripts: Option<PathBuf>,
    /// The program that supervises engines on Linux, see [`supervisor`](super::super::game::supervisor). Without one,
    /// processes that leave the group of an engine and hide are not found.
    pub supervisor: Option<PathBuf>,
    /// Interrupts the match: games in play are dropped.
    pub halt: Arc<Halt>,
}

/// The state that the workers share.
struct Shared {
    schedule: Mutex<Schedule>,
    changed: Condvar,
}

impl Shared {
    fn schedule(&self) -> MutexGuard<'_, Schedule> {
        self.schedule.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Plays all games of the match that `played` does not hold, and adds them to it. The observer is called for each game, which
/// `played` holds already, and with `None` when no game has ended for a quarter of a second. It may request the halt to stop
/// the match.
///
/// # Errors
/// When a worker or an engine cannot be started or the observer fails. `played` keeps the finished games.
pub(super) fn run(
    played: &mut MatchRecord,
    openings: Vec<Opening>,
    options: &RunOptions,
    observer: impl FnMut(Option<&GameRecord>, &MatchRecord) -> Result<(), ContestError>,
) -> Result<(), ContestError> {
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
                started = Err(ContestError::Worker(number + 1, error));
                break;
            }
        }
        drop(sender);
        let finished = collect(played, &results, &shared, options, observer);
        started.and(finished)
    })
}

/// Takes the results of the workers until all have ended.
fn collect(
    played: &mut MatchRecord,
    results: &Receiver<Result<GameRecord, Abort>>,
    shared: &Shared,
    options: &RunOptions,
    mut observer: impl FnMut(Option<&GameRecord>, &MatchRecord) -> Result<(), ContestError>,
) -> Result<(), ContestError> {
    let mut outcome = Ok(());
    loop {
        let step = match results.recv_timeout(TICK) {
            Ok(Ok(record)) => {
                let id = record.game;
                shared.schedule().finished(&record);
                played.games.insert(id, record);
                shared.changed.notify_all();
                observer(played.games.get(&id), played)
            }
            Ok(Err(Abort::Interrupted)) => Ok(()),
            Ok(Err(abort)) => Err(abort.into()),
            Err(RecvTimeoutError::Timeout) => observer(None, played),
            Err(RecvTimeoutError::Disconnected) => return outcome,
        };
        if let Err(error) = step {
            options.halt.request();
            outcome = outcome.and(Err(error));
        }
    }
}

/// One worker: plays games until none is left, then ends its engines.
fn work(
    number: usize,
    config: &MatchConfig,
    options: &RunOptions,
    shared: &Shared,
    results: &Sender<Result<GameRecord, Abort>>,
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
