//! [`judge`]: what the moves of short searches cost, by the judgement of long ones.
//!
//! Cheaper than a match where a change is to be seen at several lengths of a search. A position of a game is searched
//! shortly, and searched long by the reference; each of the two moves is then worth what a long search finds behind it.
//! The difference of the two chances to win is the regret. Everything that was found stays on file, so that another build
//! is compared on the same positions with the same judgement, and pays for what is new alone.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::num::{NonZeroU64, NonZeroUsize};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use fs4::{FileExt, TryLockError};
use serde::{Deserialize, Serialize};

use super::game::{GameError, Searcher};
use super::selfplay::Engine;
use crate::board::{Board, Point, Rule, Size};
use crate::notation::Moves;
use crate::score::Score;
use crate::weights::{WeightedPosition, Weighting};

/// The greatest distance of the reference's chance to win from one half: behind it any move may do, and none.
const WIDEST_CHANCE: f64 = 0.45;

/// The two-sided 95 % quantile of the normal distribution.
const NORMAL_95: f64 = 1.96;

/// A position of a game: a board, a rule and the stones so far, which could all be played and have not ended the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TestPosition {
    /// The rule.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// The stones, black first.
    pub moves: Moves,
}

impl TestPosition {
    /// The stones on a board; `None` where one of them cannot be played.
    fn board(&self) -> Option<Board> {
        let mut board = Board::new(self.size, self.rule);
        self.moves.0.iter().try_for_each(|&point| board.try_play(point)).ok()?;
        Some(board)
    }
}

/// `freestyle 15 h8 i9`.
impl fmt::Display for TestPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.rule, self.size.side(), self.moves)
    }
}

/// What is compared.
#[derive(Clone, Debug)]
pub struct RegretConfig {
    /// The name of this build and its settings: choices on file under this name are not looked for again.
    pub name: String,
    /// The nodes of the short searches.
    pub nodes: Vec<NonZeroU64>,
    /// The nodes of a long search.
    pub reference: NonZeroU64,
    /// Threads to search on.
    pub threads: NonZeroUsize,
}

/// The regret of a search of some length over all positions that are open.
#[derive(Clone, Debug, PartialEq)]
pub struct Regret {
    /// Its nodes.
    pub nodes: NonZeroU64,
    /// The positions.
    pub positions: usize,
    /// Those in which it chose the reference's move.
    pub alike: usize,
    /// The mean regret, as a share of a win, with half the width of its 95 % interval.
    pub mean: (f64, f64),
    /// The same less that of other names on file, position by position.
    pub against: Vec<Comparison>,
}

/// The mean difference of a regret to that of another name, with half the width of its 95 % interval. Below 0 the other
/// one has the greater regret.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The other name.
    pub name: String,
    /// The positions that both were asked about.
    pub positions: usize,
    /// The difference, as a share of a win.
    pub mean: (f64, f64),
}

/// Why a file of judgements cannot be read or written, or a position not be judged.
#[derive(Debug)]
pub enum JudgedFileError {
    /// The system's reason.
    File(PathBuf, io::Error),
    /// Another process writes to it.
    Busy(PathBuf),
    /// This line, counted from 1, is no judgement.
    Line(PathBuf, usize, serde_json::Error),
    /// A search has failed.
    Search(String, GameError),
}

impl fmt::Display for JudgedFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Busy(path) => write!(f, "{}: another process writes to it", path.display()),
            Self::Line(path, number, error) => write!(f, "{}, line {number}: {error}", path.display()),
            Self::Search(position, error) => write!(f, "{position}: {error}"),
        }
    }
}

impl std::error::Error for JudgedFileError {}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Line {
    /// The best move of the reference.
    Best { position: String, nodes: u64, best: String },
    /// What the reference finds behind a move, for the side that plays it.
    Worth { position: String, nodes: u64, r#move: String, score: i32 },
    /// The move of a short search.
    Chosen { position: String, name: String, nodes: u64, chosen: String },
}

/// What is known of a position: the value, for the key of a line.
type Known = HashMap<Key, Value>;

/// What a line tells of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Best(String, u64),
    Worth(String, u64, String),
    Chosen(String, u64, String),
}

/// What a line tells.
#[derive(Clone, Debug)]
enum Value {
    Point(String),
    Score(i32),
}

impl Line {
    fn entry(self) -> (Key, Value) {
        match self {
            Self::Best { position, nodes, best } => (Key::Best(position, nodes), Value::Point(best)),
            Self::Worth { position, nodes, r#move, score } => {
                (Key::Worth(position, nodes, r#move), Value::Score(score))
            }
            Self::Chosen { position, name, nodes, chosen } => {
                (Key::Chosen(position, nodes, name), Value::Point(chosen))
            }
        }
    }
}

/// A file of judgements, a JSON line each, to which what is found is added. This process alone writes to it; a line that a
/// kill has left unfinished is cut off.
#[derive(Debug)]
pub struct JudgedFile {
    path: PathBuf,
    file: File,
    known: Known,
}

impl JudgedFile {
    /// Opens the file, or begins it.
    ///
    /// # Errors
    /// When it cannot be read or written, another process writes to it, or a line is none of its lines.
    pub fn open(path: &Path) -> Result<Self, JudgedFileError> {
        let failed = |error| JudgedFileError::File(path.to_owned(), error);
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        // Named in full: the standard library has a method of this name from Rust 1.89 on.
        FileExt::try_lock(&file).map_err(|error| match error {
            TryLockError::WouldBlock => JudgedFileError::Busy(path.to_owned()),
            TryLockError::Error(error) => failed(error),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        bytes.truncate(whole);
        let mut known = Known::new();
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')).filter(|(_, line)| !line.is_empty()) {
            let line: Line =
                serde_json::from_slice(line).map_err(|error| JudgedFileError::Line(path.to_owned(), number, error))?;
            known.extend([line.entry()]);
        }
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self { path: path.to_owned(), file, known })
    }

    fn point(&self, key: &Key) -> Option<Point> {
        if let Some(Value::Point(name)) = self.known.get(key) { name.parse().ok() } else { None }
    }

    fn score(&self, key: &Key) -> Option<Score> {
        let Some(&Value::Score(value)) = self.known.get(key) else { return None };
        Some(if value.abs() < Score::MATE.value() - 1000 {
            Score::from_eval(value)
        } else if value > 0 {
            Score::MATE
        } else {
            -Score::MATE
        })
    }

    /// Adds a line in one piece.
    fn add(&mut self, line: Line) -> Result<(), JudgedFileError> {
        let failed = |error| JudgedFileError::File(self.path.clone(), error);
        let mut text = serde_json::to_string(&line).map_err(|error| failed(error.into()))?;
        text.push('\n');
        self.file.write_all(text.as_bytes()).map_err(failed)?;
        self.known.extend([line.entry()]);
        Ok(())
    }

    /// The names that have chosen a move in some position with this number of nodes.
    fn names(&self, nodes: u64) -> Vec<String> {
        let chosen = |key: &Key| match key {
            Key::Chosen(_, of, name) if *of == nodes => Some(name.clone()),
            _ => None,
        };
        let mut names: Vec<_> = self.known.keys().filter_map(chosen).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The reference's move and its worth for the side that plays it, where the position is open.
    fn best(&self, position: &str, reference: u64) -> Option<(Point, Score)> {
        let best = self.point(&Key::Best(position.to_owned(), reference))?;
        let score = self.score(&Key::Worth(position.to_owned(), reference, best.to_string()))?;
        ((chance(score) - 0.5).abs() <= WIDEST_CHANCE).then_some((best, score))
    }

    /// The regret of a name's move, and whether it is the reference's.
    fn regret(&self, position: &str, name: &str, nodes: u64, reference: u64) -> Option<(f64, bool)> {
        let (best, score) = self.best(position, reference)?;
        let chosen = self.point(&Key::Chosen(position.to_owned(), nodes, name.to_owned()))?;
        let worth = self.score(&Key::Worth(position.to_owned(), reference, chosen.to_string()))?;
        Some((chance(score) - chance(worth), chosen == best))
    }
}

fn chance(score: Score) -> f64 {
    score.win_chance().into()
}

/// Asks the engine about each position and judges its moves; returns a row for each number of nodes. A move that a long
/// search likes better than the reference's has a regret below 0.
///
/// Once `halt` is set no position is begun; what is known by then is counted.
///
/// Cost: two long searches for a position, and one more for each other move.
///
/// # Errors
/// When a search fails or the file cannot be written; what was found before stays on file.
pub fn judge(
    config: &RegretConfig,
    engine: Engine,
    positions: &[TestPosition],
    file: &mut JudgedFile,
    halt: &AtomicBool,
    report: &mut (dyn FnMut(usize) + Send),
) -> Result<Vec<Regret>, JudgedFileError> {
    let next = AtomicUsize::new(0);
    let has_failed = AtomicBool::new(false);
    let shared = Mutex::new(&mut *file);
    let report = Mutex::new((report, 0));
    let work = || -> Result<(), JudgedFileError> {
        let mut asker = Asker { config, searcher: engine.analyst(), file: &shared };
        loop {
            let must_stop = halt.load(Ordering::Relaxed) || has_failed.load(Ordering::Relaxed);
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(position) = positions.get(number).filter(|_| !must_stop) else { return Ok(()) };
            asker.ask(position).inspect_err(|_| has_failed.store(true, Ordering::Relaxed))?;
            let (report, done) = &mut *report.lock().unwrap_or_else(PoisonError::into_inner);
            *done += 1;
            report(*done);
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..config.threads.get().min(positions.len())).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
    })?;
    Ok(config.nodes.iter().map(|&nodes| regret(config, nodes, positions, file)).collect())
}

/// Finds what is not on file yet.
struct Asker<'a, 'b> {
    config: &'a RegretConfig,
    searcher: Searcher,
    file: &'a Mutex<&'b mut JudgedFile>,
}

impl<'b> Asker<'_, 'b> {
    fn file(&self) -> MutexGuard<'_, &'b mut JudgedFile> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&mut self, asked: &TestPosition) -> Result<(), JudgedFileError> {
        let Some(board) = asked.board() else { return Ok(()) };
        let (position, reference) = (asked.to_string(), self.config.reference.get());
        let best = self.best(&position, &board)?;
        self.find_worth(&position, &board, best)?;
        if self.file().best(&position, reference).is_none() {
            return Ok(());
        }
        for nodes in self.config.nodes.iter().map(|nodes| nodes.get()) {
            let name = self.config.name.clone();
            let known = self.file().point(&Key::Chosen(position.clone(), nodes, name.clone()));
            let chosen = match known {
                Some(chosen) => chosen,
                None => {
                    let (chosen, _) = self.search(&position, board.clone(), nodes)?;
                    let line = Line::Chosen { position: position.clone(), name, nodes, chosen: chosen.to_string() };
                    self.file().add(line)?;
                    chosen
                }
            };
            self.find_worth(&position, &board, chosen)?;
        }
        Ok(())
    }

    fn best(&mut self, position: &str, board: &Board) -> Result<Point, JudgedFileError> {
        let nodes = self.config.reference.get();
        let known = self.file().point(&Key::Best(position.to_owned(), nodes));
        if let Some(best) = known {
            return Ok(best);
        }
        let (best, _) = self.search(position, board.clone(), nodes)?;
        self.file().add(Line::Best { position: position.to_owned(), nodes, best: best.to_string() })?;
        Ok(best)
    }

    /// Looks behind a move by a long search, unless its worth is on file.
    fn find_worth(&mut self, position: &str, board: &Board, point: Point) -> Result<(), JudgedFileError> {
        let nodes = self.config.reference.get();
        let is_known = self.file().score(&Key::Worth(position.to_owned(), nodes, point.to_string())).is_some();
        if is_known {
            return Ok(());
        }
        let mover = board.turn();
        let score = match board.outcome_of(point, mover) {
            Some(outcome) => match outcome.winner() {
                Some(winner) if winner == mover => Score::MATE,
                Some(_) => -Score::MATE,
                None => Score::ZERO,
            },
            None => {
                let mut after = board.clone();
                after.play(point);
                -self.search(position, after, nodes)?.1
            }
        };
        let position = position.to_owned();
        self.file().add(Line::Worth { position, nodes, r#move: point.to_string(), score: score.value() })
    }

    /// The best move and its score, by a searcher that knows nothing of earlier searches.
    fn search(&mut self, position: &str, board: Board, nodes: u64) -> Result<(Point, Score), JudgedFileError> {
        self.searcher.clear();
        let searched = self.searcher.search(WeightedPosition::new(board, Weighting::default()), nodes);
        let searched = searched.map_err(|error| JudgedFileError::Search(position.to_owned(), error))?;
        Ok((searched.best, searched.score))
    }
}

/// The row of a number of nodes.
fn regret(config: &RegretConfig, nodes: NonZeroU64, positions: &[TestPosition], file: &JudgedFile) -> Regret {
    let positions: Vec<_> = positions.iter().map(TestPosition::to_string).collect();
    let regret = |position: &String, name: &str| file.regret(position, name, nodes.get(), config.reference.get());
    let own: Vec<_> = positions.iter().filter_map(|position| regret(position, &config.name)).collect();
    let others = file.names(nodes.get()).into_iter().filter(|name| *name != config.name);
    let against = others.filter_map(|name| {
        let difference = |position| Some(regret(position, &config.name)?.0 - regret(position, &name)?.0);
        let differences: Vec<_> = positions.iter().filter_map(difference).collect();
        let positions = differences.len();
        (positions > 0).then(|| Comparison { name, positions, mean: mean(&differences) })
    });
    Regret {
        nodes,
        positions: own.len(),
        alike: own.iter().filter(|(_, is_best)| *is_best).count(),
        mean: mean(&own.iter().map(|(regret, _)| *regret).collect::<Vec<_>>()),
        against: against.collect(),
    }
}

/// The mean with half the width of its 95 % interval; zero of nothing.
fn mean(values: &[f64]) -> (f64, f64) {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (count - 1.0).max(1.0);
    (mean, NORMAL_95 * (variance / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_a_normal_mean() {
        assert_eq!(mean(&[]), (0.0, 0.0));
        assert_eq!(mean(&[0.5]), (0.5, 0.0));
        let (middle, half) = mean(&[0.0, 0.2]);
        // Two values 0.1 from their mean: a variance of 0.02, of the mean half as much.
        assert!((middle - 0.1).abs() < 1e-12 && (half - 1.96 * 0.1).abs() < 1e-12, "{middle} {half}");
    }
}
