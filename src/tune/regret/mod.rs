//! [`judge`]: what the moves of short searches cost, by the judgement of long ones.
//!
//! Cheaper than a match where a change is to be seen at several lengths of a search. A position of a game is searched
//! shortly, and searched long by the reference; each of the two moves is then worth what a long search finds behind it.
//! The difference of the two chances to win is the regret. Everything that was found stays on file, so that another build
//! is compared on the same positions with the same judgement, and pays for what is new alone.

mod file;

use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

pub use file::{JudgedFile, JudgedFileError};
use file::{Key, Line};

use super::game::Searcher;
use super::selfplay::Engine;
use crate::board::{Board, Point, Rule, Size};
use crate::notation::{Comma, Moves};
use crate::score::Score;
use crate::weights::{WeightedPosition, Weighting};

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
                    let line =
                        Line::Chosen { position: position.clone(), name, nodes, chosen: Comma(chosen).to_string() };
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
        self.file().add(Line::Best { position: position.to_owned(), nodes, best: Comma(best).to_string() })?;
        Ok(best)
    }

    /// Looks behind a move by a long search, unless its worth is on file.
    fn find_worth(&mut self, position: &str, board: &Board, point: Point) -> Result<(), JudgedFileError> {
        let nodes = self.config.reference.get();
        let is_known = self.file().score(&Key::Worth(position.to_owned(), nodes, Comma(point).to_string())).is_some();
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
        self.file().add(Line::Worth { position, nodes, r#move: Comma(point).to_string(), score: score.value() })
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
