//! [`play`]: games of the engine against itself on several threads.

mod game;
mod opening;
mod sizes;
mod task;

use std::any::Any;
use std::io;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::panic::{self, AssertUnwindSafe};
use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use clap::Args;
use strum::{Display, EnumString, VariantNames};

use super::record::{EngineSignature, GameFileError, GameSettings, SelfPlayGame, signature};
use super::run::{MOST_GAMES, number};
use crate::board::{Rule, Size};
use crate::picker::{Evaluation, Mcts, Picker, PickerName};
use crate::shard::Shard;
use crate::text::UnknownName;

pub use game::GameError;
use game::{ENTRY_BYTES, PLAYOUT_BYTES};
pub(super) use game::{EvenPlies, Searcher};
pub(super) use opening::{first_near_centre, first_near_edge, random_near};
pub use sizes::{Sizes, SizesError};

/// Configuration of a run of self-play, and its arguments.
#[derive(Clone, Copy, Debug, Args)]
pub struct SelfPlayConfig {
    /// The settings that determine a game, together with its number.
    #[command(flatten)]
    pub settings: GameSettings,
    /// Games to play, over all shards
    #[arg(long, default_value = "2000", value_parser = number::<NonZeroU32>(1..=MOST_GAMES))]
    pub games: NonZeroU32,
    /// The part of the games to play: 2/8 is the second of eight
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    pub shard: Shard,
    /// Threads to play on, at most one for each game
    #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..=MOST_THREADS as u64))]
    pub threads: NonZeroUsize,
}

/// Error returned when self-play ends early. Games that ended before have been passed to `write`.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// The system refuses a thread. No game was begun.
    #[error("the system refuses thread {} of self-play: {error}", granted + 1)]
    Thread {
        /// The number of threads that the system has granted.
        granted: usize,
        /// The system's reason.
        error: io::Error,
    },
    /// A game failed. If several did, it is the first.
    #[error("game {number}: {error}")]
    Game {
        /// The number of the game, counted from 0.
        number: u32,
        /// The reason.
        error: GameError,
    },
    /// A game could not be written.
    #[error(transparent)]
    File(#[from] GameFileError),
}

/// Makes the picker of a thread.
type NewPicker = fn() -> Box<dyn Picker>;

/// Makes the searcher of a thread.
type NewSearcher<'a> = &'a (dyn Fn() -> Searcher + Sync);

/// A game that has ended, or the number and the error of a game that failed.
type Ended = Result<SelfPlayGame, (u32, GameError)>;

/// Maximum number of threads.
pub const MOST_THREADS: usize = crate::protocol::MOST_THREADS as usize;

/// The number of games, the nodes and the seed of [`engine_signature`]: 0.1 s of work.
const SIGNATURE: (u32, NonZeroU64, u64) = (3, NonZeroU64::new(200).unwrap(), 1);

/// The pickers of self-play: those that report a score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
#[strum(parse_err_ty = UnknownName, parse_err_fn = unknown_picker)]
pub enum SelfPlayPicker {
    /// The alpha-beta search, which yields a best move and a score for each position.
    #[default]
    Search,
    /// The tree search with noise at the root, which also yields the visits of the moves.
    Mcts,
}

/// The error for an unknown name of a picker.
fn unknown_picker(_: &str) -> UnknownName {
    UnknownName::of::<SelfPlayPicker>("picker of self-play")
}

/// The engine that plays.
#[derive(Clone, Copy, Debug, Default)]
pub struct Engine {
    /// The search.
    pub picker: SelfPlayPicker,
    /// Its evaluation.
    pub evaluation: Evaluation,
}

impl Engine {
    /// A searcher for single positions, with a table for long searches.
    pub(super) fn analyst(self) -> Searcher {
        match self.picker {
            SelfPlayPicker::Search => Searcher::new(|| PickerName::Search.build(), self.evaluation, ENTRY_BYTES),
            SelfPlayPicker::Mcts => Searcher::new(|| PickerName::Mcts.build(), self.evaluation, PLAYOUT_BYTES),
        }
    }

    /// A searcher for games. Its table is small, and its tree search adds noise.
    fn searcher(self) -> Searcher {
        match self.picker {
            SelfPlayPicker::Search => Searcher::new(|| PickerName::Search.build(), self.evaluation, 0),
            SelfPlayPicker::Mcts => Searcher::new(|| Box::new(Mcts::for_self_play()), self.evaluation, PLAYOUT_BYTES),
        }
    }
}

/// Plays the games whose numbers are not in `recorded`, which is sorted, and passes each game to `write` on the calling
/// thread as it ends, in no fixed order. The games do not depend on the number of threads.
///
/// Once `halt` is set, no game is begun, and the games in play are finished.
///
/// Cost: a search for each move and for every other random move. A game with 2,000 nodes on 15 × 15 takes some 0.14 s.
///
/// # Errors
/// When the system refuses a thread, before the first game; when a game fails or panics, or cannot be written. The
/// games in play are finished, and passed to `write` unless it has failed.
pub fn play(
    config: &SelfPlayConfig,
    engine: Engine,
    recorded: &[u32],
    halt: &AtomicBool,
    write: &mut dyn FnMut(SelfPlayGame) -> Result<(), GameFileError>,
) -> Result<(), SelfPlayError> {
    play_with(config, &|| engine.searcher(), recorded, halt, write)
}

/// The signature of an engine: a checksum of some short games by a rule. Engines that search, evaluate or open differently
/// have different signatures, except by chance.
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
    write: &mut dyn FnMut(SelfPlayGame) -> Result<(), GameFileError>,
) -> Result<(), SelfPlayError> {
    let queue = Queue { config, recorded, next: AtomicU32::new(0), has_failed: AtomicBool::new(false), halt };
    // Held until every thread has started: if the system refuses one, no game is begun.
    let gate = RwLock::new(());
    let threads = config.threads.get().min(MOST_THREADS).min(config.games.get() as usize);
    let (ended_tx, ended_rx) = mpsc::channel();
    let worker = |ended_tx: Sender<Ended>| {
        drop(gate.read());
        work(&config.settings, searcher, &queue, &ended_tx);
    };
    thread::scope(|scope| {
        let closed = gate.write();
        let mut refused = Ok(());
        for granted in 0..threads {
            let ended_tx = ended_tx.clone();
            let worker = || worker(ended_tx);
            if let Err(error) = thread::Builder::new().name("self-play".into()).spawn_scoped(scope, worker) {
                queue.fail();
                refused = Err(SelfPlayError::Thread { granted, error });
                break;
            }
        }
        drop(closed);
        drop(ended_tx);
        let written = receive(&ended_rx, &queue, write);
        refused.and(written)
    })
}

/// Writes the games as they end until the last worker has ended. Returns the error of the first game that failed.
fn receive(
    ended_rx: &Receiver<Ended>,
    queue: &Queue<'_>,
    write: &mut dyn FnMut(SelfPlayGame) -> Result<(), GameFileError>,
) -> Result<(), SelfPlayError> {
    let mut failed: Option<(u32, GameError)> = None;
    let mut written = Ok(());
    for ended in ended_rx {
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
    written?;
    match failed {
        Some((number, error)) => Err(SelfPlayError::Game { number, error }),
        None => Ok(()),
    }
}

/// The numbers of the games to play, handed out to the threads.
struct Queue<'a> {
    config: &'a SelfPlayConfig,
    /// The numbers of games not to be played again, sorted.
    recorded: &'a [u32],
    next: AtomicU32,
    has_failed: AtomicBool,
    halt: &'a AtomicBool,
}

impl Queue<'_> {
    /// The next game to play. Games are handed out in order, so that all games before a failed one are finished.
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

    /// Stops handing out games.
    fn fail(&self) {
        self.has_failed.store(true, Ordering::Relaxed);
    }
}

/// Plays games until all are played or one fails.
fn work(settings: &GameSettings, searcher: NewSearcher<'_>, queue: &Queue<'_>, ended_tx: &Sender<Ended>) {
    let mut searcher = searcher();
    while let Some(number) = queue.take() {
        let game = || game::play(settings, number, &mut searcher);
        // After a panic the searcher may be in any state, so the thread ends.
        let played = panic::catch_unwind(AssertUnwindSafe(game)).unwrap_or_else(|panic| Err(panicked(&*panic)));
        let has_failed = played.is_err();
        if has_failed {
            queue.fail();
        }
        // The receiver outlives the workers.
        let _ = ended_tx.send(played.map_err(|error| (number, error)));
        if has_failed {
            return;
        }
    }
}

/// The error of a panic, with its message if that is text.
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

    /// A picker that avoids every five and gives every position this score; `None` for a search without a score.
    struct Constant(Option<Score>);

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
            let reason = self.0.map_or(Reason::Unfinished, |score| Reason::Search { score, depth: 1 });
            Some(Choice { point, reason, nodes: 1 }.into())
        }
    }

    /// The first game with a picker, on 15 × 15.
    fn first_game(picker: NewPicker) -> SelfPlayGame {
        let settings = GameSettings { sizes: Sizes::one(Size::FIFTEEN), ..config(1, 1).settings };
        game::play(&settings, 0, &mut Searcher::new(picker, Evaluation::default(), 0)).unwrap()
    }

    #[test]
    fn a_game_that_stays_even_is_drawn_before_the_board_is_full() {
        let even = first_game(|| Box::new(Constant(Some(Score::from_eval(9)))));
        // 60 % of 225 points are 135 stones; eight plies more are played.
        assert_eq!((even.winner, even.plies.len()), (None, 135 + 8));
        let uneven = first_game(|| Box::new(Constant(Some(Score::from_eval(10)))));
        assert!(uneven.plies.len() > 135 + 8, "{} plies", uneven.plies.len());
        assert_eq!(even.plies[..100], uneven.plies[..100].iter().map(|ply| with_score(*ply, 9)).collect::<Vec<_>>());
    }

    #[test]
    fn positions_without_a_score_are_not_sampled() {
        let samples = |game: &SelfPlayGame| game.samples().count();
        assert!(samples(&first_game(|| Box::new(Constant(Some(Score::ZERO))))) > 50);
        assert_eq!(samples(&first_game(|| Box::new(Constant(None)))), 0);
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
        let mut write = |game: SelfPlayGame| {
            numbers.push(game.number);
            Ok(())
        };
        let result = play_with(
            config,
            &|| Searcher::new(picker, Evaluation::default(), 0),
            &[],
            &AtomicBool::new(false),
            &mut write,
        );
        numbers.sort_unstable();
        (numbers, result)
    }

    #[test]
    fn openings_that_are_all_decided_are_an_error() {
        let error = played(&config(1, 1), || Box::new(Constant(Some(Score::win_at(3))))).1.unwrap_err();
        assert!(matches!(error, SelfPlayError::Game { number: 0, error: GameError::DiscardedOpenings(_) }), "{error}");
        assert!(error.to_string().starts_with("game 0: "), "{error}");
    }

    #[test]
    fn a_picker_that_panics_fails_the_same_game_on_any_number_of_threads_and_no_game_before_it() {
        let picker = || Box::new(Panicking(PickerName::Search.build())) as Box<dyn Picker>;
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
