//! [`play`]: games of the engine against itself on several threads.

use std::any::Any;
use std::fmt;
use std::io;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::panic::{self, AssertUnwindSafe};
use std::str::FromStr;
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use super::game::{self, GameError, Searcher};
use super::record::{EngineSignature, GameFileError, GameRecord, GameSettings, signature};
use super::sizes::Sizes;
use crate::board::{Rule, Size};
use crate::picker::{Evaluation, Mcts, Picker, PickerName};
use crate::shard::Shard;

/// What to play.
#[derive(Clone, Copy, Debug)]
pub struct SelfPlayConfig {
    /// What decides, together with its number, a game.
    pub settings: GameSettings,
    /// The number of games of all shards together: those with the numbers from 0 on.
    pub games: NonZeroU32,
    /// The games of these that are played here.
    pub shard: Shard,
    /// Threads to play on; no more than games, and at most [`MOST_THREADS`], are started.
    pub threads: NonZeroUsize,
}

/// Why self-play has ended early. Games that ended before have been handed over.
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
        number: u32,
        /// The reason.
        error: GameError,
    },
    /// A game could not be written.
    File(GameFileError),
}

impl fmt::Display for SelfPlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Thread { granted, error } => {
                write!(f, "the system refuses thread {} of self-play: {error}", granted + 1)
            }
            Self::Game { number, error } => write!(f, "game {number}: {error}"),
            Self::File(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SelfPlayError {}

/// Makes the picker of a thread.
pub(super) type NewPicker = fn() -> Box<dyn Picker>;

/// Makes the searcher of a thread.
type NewSearcher<'a> = &'a (dyn Fn() -> Searcher + Sync);

/// A game that has ended, or its number and why it has failed.
type Ended = Result<GameRecord, (u32, GameError)>;

/// The most threads that are started: far more than any machine of today runs at once. The runtime library aborts the
/// process, instead of returning an error, where a thread has started and the system refuses its signal stack; Linux
/// refuses that from some 16,000 threads on (`vm.max_map_count`).
pub const MOST_THREADS: usize = 1024;

/// The games, nodes and seed of [`engine_signature`]. 0.1 s of work.
const SIGNATURE: (u32, NonZeroU64, u64) = (3, NonZeroU64::new(200).unwrap(), 1);

/// The alpha-beta search, as it plays games.
fn search() -> Box<dyn Picker> {
    PickerName::Search.build()
}

/// The tree search, with noise.
fn mcts() -> Box<dyn Picker> {
    Box::new(Mcts::for_self_play())
}

/// The pickers that can play themselves: those with a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SelfPlayPicker {
    /// The alpha-beta search: a best move and a score for each position.
    #[default]
    Search,
    /// The tree search, with noise at the root: the visits of the moves too.
    Mcts,
}

impl SelfPlayPicker {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Search, Self::Mcts];
}

impl fmt::Display for SelfPlayPicker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Search => "search",
            Self::Mcts => "mcts",
        })
    }
}

/// A text names no picker of self-play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfPlayPickerError;

impl fmt::Display for SelfPlayPickerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown picker of self-play, expected search or mcts")
    }
}

impl std::error::Error for SelfPlayPickerError {}

impl FromStr for SelfPlayPicker {
    type Err = SelfPlayPickerError;

    fn from_str(text: &str) -> Result<Self, SelfPlayPickerError> {
        let named = |picker: &Self| text.eq_ignore_ascii_case(&picker.to_string());
        Self::ALL.into_iter().find(named).ok_or(SelfPlayPickerError)
    }
}

/// Who plays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Engine {
    /// The search.
    pub picker: SelfPlayPicker,
    /// Its evaluation.
    pub evaluation: Evaluation,
}

impl Engine {
    /// The searcher of single positions, with a table that keeps what long searches find.
    pub(super) fn analyst(self) -> Searcher {
        match self.picker {
            SelfPlayPicker::Search => Searcher::with_table(search, self.evaluation),
            SelfPlayPicker::Mcts => Searcher::with_tree(|| PickerName::Mcts.build(), self.evaluation),
        }
    }

    fn searcher(self) -> Searcher {
        match self.picker {
            SelfPlayPicker::Search => Searcher::new(search, self.evaluation),
            SelfPlayPicker::Mcts => Searcher::with_tree(mcts, self.evaluation),
        }
    }
}

/// Plays the games that are not `recorded`, numbers in increasing order, and hands each to `write` on the calling thread
/// as it ends: in no fixed order. Which games these are, and what they are, does not depend on threads.
///
/// Once `halt` is set no game is begun, and the games in play are played to their end.
///
/// Cost: a search for each move and for every other random move; at 2,000 nodes some 0.14 s a game on 15 × 15.
///
/// # Errors
/// When the system refuses a thread, before the first game; when a game fails or panics, or cannot be written. The games
/// in play are played to their end, and every game that ends is handed over.
pub fn play(
    config: &SelfPlayConfig,
    engine: Engine,
    recorded: &[u32],
    halt: &AtomicBool,
    write: &mut dyn FnMut(GameRecord) -> Result<(), GameFileError>,
) -> Result<(), SelfPlayError> {
    play_with(config, &|| engine.searcher(), recorded, halt, write)
}

/// The signature of the engine that plays: a checksum of some short games by a rule. Engines that search, evaluate or
/// begin their games differently have different ones, but for chance.
///
/// # Errors
/// When such a game fails.
pub fn engine_signature(rule: Rule, engine: Engine) -> Result<EngineSignature, SelfPlayError> {
    let (games, nodes, seed) = SIGNATURE;
    let settings = GameSettings { rule, sizes: Sizes::one(Size::FIFTEEN), nodes, seed };
    let mut player = engine.searcher();
    let games: Result<Vec<_>, _> = (0..games)
        .map(|number| game::play(&settings, number, &mut player).map_err(|error| SelfPlayError::Game { number, error }))
        .collect();
    Ok(signature(&games?))
}

/// [`play`] with another searcher.
fn play_with(
    config: &SelfPlayConfig,
    searcher: NewSearcher<'_>,
    recorded: &[u32],
    halt: &AtomicBool,
    write: &mut dyn FnMut(GameRecord) -> Result<(), GameFileError>,
) -> Result<(), SelfPlayError> {
    let queue = Queue { config, recorded, next: AtomicU32::new(0), has_failed: AtomicBool::new(false), halt };
    // Held until every thread is there: none begins a game that a refused thread would cost.
    let gate = RwLock::new(());
    let threads = config.threads.get().min(MOST_THREADS).min(config.games.get() as usize);
    let (sender, ended) = mpsc::channel();
    let worker = |sender: Sender<Ended>| {
        drop(gate.read());
        work(&config.settings, searcher, &queue, &sender);
    };
    thread::scope(|scope| {
        let closed = gate.write();
        let mut refused = Ok(());
        for granted in 0..threads {
            let sender = sender.clone();
            let worker = || worker(sender);
            if let Err(error) = thread::Builder::new().name("self-play".into()).spawn_scoped(scope, worker) {
                queue.fail();
                refused = Err(SelfPlayError::Thread { granted, error });
                break;
            }
        }
        drop(closed);
        drop(sender);
        let written = receive(&ended, &queue, write);
        refused.and(written)
    })
}

/// Writes the games as they end, until the last worker has; returns the failure of the first game that failed.
fn receive(
    ended: &Receiver<Ended>,
    queue: &Queue<'_>,
    write: &mut dyn FnMut(GameRecord) -> Result<(), GameFileError>,
) -> Result<(), SelfPlayError> {
    let mut failed: Option<(u32, GameError)> = None;
    let mut written = Ok(());
    for ended in ended {
        match ended {
            Ok(game) if written.is_ok() => {
                written = write(game);
                if written.is_err() {
                    queue.fail();
                }
            }
            Ok(_) => {}
            Err(later) if failed.as_ref().is_some_and(|first| first.0 < later.0) => {}
            Err(error) => failed = Some(error),
        }
    }
    written.map_err(SelfPlayError::File)?;
    match failed {
        Some((number, error)) => Err(SelfPlayError::Game { number, error }),
        None => Ok(()),
    }
}

/// The numbers of the games to play, handed out to the threads.
struct Queue<'a> {
    config: &'a SelfPlayConfig,
    /// Not to be played again; in increasing order.
    recorded: &'a [u32],
    next: AtomicU32,
    has_failed: AtomicBool,
    halt: &'a AtomicBool,
}

impl Queue<'_> {
    /// The next game to play. Games are handed out in order: where one fails, all before it are played to their end.
    fn take(&self) -> Option<u32> {
        loop {
            if self.has_failed.load(Ordering::Relaxed) || self.halt.load(Ordering::Relaxed) {
                return None;
            }
            let next = |number| (number < self.config.games.get()).then_some(number + 1);
            let number = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, next).ok()?;
            if self.config.shard.has(number as usize) && self.recorded.binary_search(&number).is_err() {
                return Some(number);
            }
        }
    }

    /// Hands out no more games.
    fn fail(&self) {
        self.has_failed.store(true, Ordering::Relaxed);
    }
}

/// Plays games until there are none or one fails.
fn work(settings: &GameSettings, searcher: NewSearcher<'_>, queue: &Queue<'_>, ended: &Sender<Ended>) {
    let mut searcher = searcher();
    while let Some(number) = queue.take() {
        let game = || game::play(settings, number, &mut searcher);
        // After a panic the searcher may be in any state: the thread ends.
        let played = panic::catch_unwind(AssertUnwindSafe(game)).unwrap_or_else(|panic| Err(panicked(&*panic)));
        let has_failed = played.is_err();
        if has_failed {
            queue.fail();
        }
        // The receiver outlives the workers.
        let _ = ended.send(played.map_err(|error| (number, error)));
        if has_failed {
            return;
        }
    }
}

/// The error of a panic, with its message where that is text.
fn panicked(panic: &(dyn Any + Send)) -> GameError {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    GameError::Panicked(text.unwrap_or("no message").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picker::{Answer, Choice, Limits, Question, Reason, Report};
    use crate::score::Score;
    use crate::tune::{Found, Ply, Stray};
    use crate::weights::WeightedPosition;

    /// A picker that avoids every five and gives every position this score.
    struct Constant(Score);

    impl Picker for Constant {
        fn answer(
            &mut self,
            _: Question,
            position: &mut WeightedPosition,
            _: &Limits,
            _: &mut dyn FnMut(Report),
        ) -> Option<Answer> {
            let board = position.board();
            let is_safe = |point: &_| !board.wins(*point, board.turn());
            let point = board.empty_points().iter().find(is_safe).or(board.empty_points().iter().next())?;
            let reason = Reason::Search { score: self.0, depth: 1 };
            Some(Choice { point, reason, nodes: 1 }.into())
        }
    }

    /// The first game with a picker, on 15 × 15.
    fn first_game(picker: NewPicker) -> GameRecord {
        let settings = GameSettings { sizes: Sizes::one(Size::FIFTEEN), ..config(1, 1).settings };
        game::play(&settings, 0, &mut Searcher::new(picker, Evaluation::default())).unwrap()
    }

    #[test]
    fn a_game_that_stays_even_is_drawn_before_the_board_is_full() {
        let even = first_game(|| Box::new(Constant(Score::from_eval(9))));
        // 60 % of 225 points are 135 stones; eight plies more are played.
        assert_eq!((even.winner, even.plies.len()), (None, 135 + 8));
        let uneven = first_game(|| Box::new(Constant(Score::from_eval(10))));
        assert!(uneven.plies.len() > 135 + 8, "{} plies", uneven.plies.len());
        assert_eq!(even.plies[..100], uneven.plies[..100].iter().map(|ply| with_score(*ply, 9)).collect::<Vec<_>>());
    }

    /// A ply with another score.
    fn with_score(ply: Ply, score: i32) -> Ply {
        let score = Score::from_value(score);
        let found = ply.found.map(|found| Found { score, ..found });
        Ply { found, stray: ply.stray.map(|stray| Stray { score, ..stray }), ..ply }
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

    fn config(games: u32, threads: usize) -> SelfPlayConfig {
        let (rule, sizes, nodes) = (Rule::Freestyle, "9".parse().unwrap(), NonZeroU64::new(20).unwrap());
        let (games, threads) = (NonZeroU32::new(games).unwrap(), NonZeroUsize::new(threads).unwrap());
        SelfPlayConfig { settings: GameSettings { rule, sizes, nodes, seed: 1 }, games, shard: Shard::WHOLE, threads }
    }

    /// Plays with a picker and returns the numbers of the games that were handed over.
    fn played(config: &SelfPlayConfig, picker: NewPicker) -> (Vec<u32>, Result<(), SelfPlayError>) {
        let mut numbers = Vec::new();
        let mut write = |game: GameRecord| {
            numbers.push(game.number);
            Ok(())
        };
        let result = play_with(
            config,
            &|| Searcher::new(picker, Evaluation::default()),
            &[],
            &AtomicBool::new(false),
            &mut write,
        );
        numbers.sort_unstable();
        (numbers, result)
    }

    #[test]
    fn openings_that_are_all_decided_are_an_error() {
        let error = played(&config(1, 1), || Box::new(Constant(Score::win_at(3)))).1.unwrap_err();
        assert!(matches!(error, SelfPlayError::Game { number: 0, error: GameError::DecidedOpenings(_) }), "{error}");
        assert!(error.to_string().starts_with("game 0: "), "{error}");
    }

    #[test]
    fn a_picker_that_panics_fails_the_same_game_on_any_number_of_threads_and_no_game_before_it() {
        let picker = || Box::new(Panicking(search())) as Box<dyn Picker>;
        let seeded = |seed, threads| {
            let config = config(12, threads);
            SelfPlayConfig { settings: GameSettings { seed, ..config.settings }, ..config }
        };
        let failed = |seed, threads| match played(&seeded(seed, threads), picker) {
            (numbers, Err(SelfPlayError::Game { number, error: GameError::Picker })) => {
                assert!((0..number).all(|before| numbers.contains(&before)), "{numbers:?} before {number}");
                number
            }
            other => panic!("{other:?}"),
        };
        let seed = (1..20).find(|&seed| failed(seed, 1) > 0).expect("a seed whose first game ends");
        assert_eq!(failed(seed, 1), failed(seed, 3));
    }

    #[test]
    fn a_panic_is_an_error_with_the_number_of_its_game_and_its_message() {
        let (numbers, result) = played(&config(4, 2), || panic!("no picker"));
        let error = result.unwrap_err();
        let is_named = matches!(&error, SelfPlayError::Game { number: 0, error: GameError::Panicked(text) } if text == "no picker");
        assert!(is_named && numbers.is_empty(), "{error}");
    }

    #[test]
    fn a_game_that_cannot_be_written_ends_the_run() {
        let mut calls = 0;
        let mut write = |_| {
            calls += 1;
            if calls < 3 { Ok(()) } else { Err(GameFileError::NoFolder("x.games".into())) }
        };
        let result = play(&config(100_000, 2), Engine::default(), &[], &AtomicBool::new(false), &mut write);
        assert!(matches!(result, Err(SelfPlayError::File(GameFileError::NoFolder(_)))), "{result:?}");
        assert_eq!(calls, 3, "nothing is written after an error");
    }
}
