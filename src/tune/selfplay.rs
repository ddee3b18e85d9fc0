//! [`play`]: games of the engine against itself on several threads, and the samples drawn from them.

use std::any::Any;
use std::fmt;
use std::io;
use std::num::{NonZeroU64, NonZeroUsize};
use std::panic::{self, AssertUnwindSafe};
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use super::Sample;
use super::game::{self, GameError, Searcher};
use crate::board::{Rule, Size};
use crate::picker::{Picker, PickerName};

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlayConfig {
    /// The rule.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Games to play.
    pub games: NonZeroU64,
    /// Nodes of search for each move.
    pub nodes: NonZeroU64,
    /// The seed of the random numbers; game k depends on the seed and k alone.
    pub seed: u64,
    /// Threads to play on; no more than games are started.
    pub threads: NonZeroUsize,
}

/// Why self-play has ended without its samples.
#[derive(Debug)]
pub enum SelfPlayError {
    /// The system refuses a thread; no game was begun.
    Thread {
        /// The number of threads that the system has granted.
        granted: usize,
        /// The system's reason.
        error: io::Error,
    },
    /// A game has failed; of several the first.
    Game {
        /// The number of the game, counted from 0.
        number: u64,
        /// The reason.
        error: GameError,
    },
}

impl fmt::Display for SelfPlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Thread { granted, error } => {
                write!(f, "the system refuses thread {} of self-play: {error}", granted + 1)
            }
            Self::Game { number, error } => write!(f, "game {number}: {error}"),
        }
    }
}

impl std::error::Error for SelfPlayError {}

/// Makes the picker of a thread.
pub(super) type NewPicker = fn() -> Box<dyn Picker>;

/// The samples of the games that one thread has played, by the number of the game.
type Games = Vec<(u64, Vec<Sample>)>;

/// The most threads that are started: far more than any machine of today runs at once. The runtime library aborts the
/// process, instead of returning an error, where a thread has started and the system refuses its signal stack; Linux
/// refuses that from some 16,000 threads on (`vm.max_map_count`).
const MOST_THREADS: usize = 1024;

/// Plays the games and returns their samples in the order of the games. `progress` receives the number of each finished
/// game, counted from 0, on the thread that has played it.
///
/// Cost: a search for each move and for every other random move; at 2,000 nodes some 0.14 s a game on 15 × 15.
///
/// # Errors
/// When the system refuses a thread, before the first game; when a game fails or panics, after the games in play.
pub fn play(config: &SelfPlayConfig, progress: &(dyn Fn(u64) + Sync)) -> Result<Vec<Sample>, SelfPlayError> {
    play_with(config, || PickerName::Search.build(), progress)
}

/// [`play`] with another picker.
fn play_with(
    config: &SelfPlayConfig,
    picker: NewPicker,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Vec<Sample>, SelfPlayError> {
    let queue = Queue { games: config.games.get(), next: AtomicU64::new(0), is_halted: AtomicBool::new(false) };
    // Held until every thread is there: none begins a game that a refused thread would cost.
    let gate = RwLock::new(());
    let threads = config.threads.get().min(MOST_THREADS);
    let threads = usize::try_from(config.games.get()).map_or(threads, |games| threads.min(games));
    let worker = || {
        drop(gate.read());
        work(config, picker, &queue, progress)
    };
    let mut games = thread::scope(|scope| {
        let closed = gate.write();
        let mut workers = Vec::new();
        let mut refused = Ok(());
        for granted in 0..threads {
            match thread::Builder::new().name("self-play".into()).spawn_scoped(scope, worker) {
                Ok(worker) => workers.push(worker),
                Err(error) => {
                    queue.halt();
                    refused = Err(SelfPlayError::Thread { granted, error });
                    break;
                }
            }
        }
        drop(closed);
        let results =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
        let games = collect(results);
        refused.and(games)
    })?;
    games.sort_by_key(|&(number, _)| number);
    Ok(games.into_iter().flat_map(|(_, samples)| samples).collect())
}

/// The numbers of the games to play, handed out to the threads.
struct Queue {
    games: u64,
    next: AtomicU64,
    is_halted: AtomicBool,
}

impl Queue {
    /// The next game to play. Games are handed out in order: where one fails, all before it are played to their end.
    fn take(&self) -> Option<u64> {
        if self.is_halted.load(Ordering::Relaxed) {
            return None;
        }
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.games).then_some(number)
    }

    /// Hands out no more games.
    fn halt(&self) {
        self.is_halted.store(true, Ordering::Relaxed);
    }
}

/// Plays games until there are none; returns at the first that fails, with its number.
fn work(
    config: &SelfPlayConfig,
    picker: NewPicker,
    queue: &Queue,
    progress: &(dyn Fn(u64) + Sync),
) -> Result<Games, (u64, GameError)> {
    let mut searcher = Searcher::new(picker);
    let mut games = Vec::new();
    while let Some(number) = queue.take() {
        let game = || {
            let samples = game::play(config, number, &mut searcher)?;
            progress(number);
            Ok(samples)
        };
        // After a panic the searcher may be in any state: the thread ends.
        let played = panic::catch_unwind(AssertUnwindSafe(game)).unwrap_or_else(|panic| Err(panicked(&*panic)));
        match played {
            Ok(samples) => games.push((number, samples)),
            Err(error) => {
                queue.halt();
                return Err((number, error));
            }
        }
    }
    Ok(games)
}

/// The error of a panic, with its message where that is text.
fn panicked(panic: &(dyn Any + Send)) -> GameError {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    GameError::Panicked(text.unwrap_or("no message").to_owned())
}

/// All games, or the first one that has failed.
fn collect(results: impl Iterator<Item = Result<Games, (u64, GameError)>>) -> Result<Games, SelfPlayError> {
    let mut games = Games::new();
    let mut failed: Option<(u64, GameError)> = None;
    for result in results {
        match result {
            Ok(played) => games.extend(played),
            Err(later) if failed.as_ref().is_some_and(|first| first.0 < later.0) => {}
            Err(error) => failed = Some(error),
        }
    }
    match failed {
        Some((number, error)) => Err(SelfPlayError::Game { number, error }),
        None => Ok(games),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picker::{Answer, Choice, Limits, Question, Reason, Report};
    use crate::score::Score;
    use crate::weights::WeightedPosition;

    /// A picker that sees a win in every position.
    struct Optimist;

    impl Picker for Optimist {
        fn answer(
            &mut self,
            _: Question,
            position: &mut WeightedPosition,
            _: &Limits,
            _: &mut dyn FnMut(Report),
        ) -> Option<Answer> {
            let point = position.board().empty_points().iter().next()?;
            let reason = Reason::Search { score: Score::win_at(3), depth: 1 };
            Some(Choice { point, reason, nodes: 1 }.into())
        }
    }

    /// A picker that panics where three stones are on the board.
    struct Panicking(Box<dyn Picker>);

    impl Picker for Panicking {
        fn answer(
            &mut self,
            question: Question,
            position: &mut WeightedPosition,
            limits: &Limits,
            report: &mut dyn FnMut(Report),
        ) -> Option<Answer> {
            assert_ne!(position.board().stone_count(), 3, "three stones");
            self.0.answer(question, position, limits, report)
        }
    }

    fn config(games: u64, threads: usize) -> SelfPlayConfig {
        let (rule, size) = (Rule::Freestyle, Size::new(9).unwrap());
        let (games, threads) = (NonZeroU64::new(games).unwrap(), NonZeroUsize::new(threads).unwrap());
        SelfPlayConfig { rule, size, games, nodes: NonZeroU64::new(20).unwrap(), seed: 1, threads }
    }

    #[test]
    fn openings_that_are_all_decided_are_an_error() {
        let error = play_with(&config(1, 1), || Box::new(Optimist), &|_| {}).unwrap_err();
        assert!(matches!(error, SelfPlayError::Game { number: 0, error: GameError::DecidedOpenings(_) }), "{error}");
        assert!(error.to_string().starts_with("game 0: "), "{error}");
    }

    #[test]
    fn a_picker_that_panics_fails_the_same_game_on_any_number_of_threads() {
        let failed = |threads| match play_with(
            &config(12, threads),
            || Box::new(Panicking(PickerName::Search.build())),
            &|_| {},
        ) {
            Err(SelfPlayError::Game { number, error: GameError::Picker }) => number,
            other => panic!("{other:?}"),
        };
        assert_eq!(failed(1), failed(3));
    }
}
