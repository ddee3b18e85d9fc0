//! [`judge`]: the cost of the moves of short searches, judged by long searches.
//!
//! It is cheaper than matches if a change is to be measured at several lengths of a search. A position of a game is searched
//! by a short search and by a long one, the reference. Each of the two moves is then worth the score of a long search after
//! it. The difference of the two chances to win is the regret. The long searches are alpha-beta with the built-in evaluation,
//! whatever the short ones use: a network would judge its own moves kindly. All results are kept on file, so that another
//! build is compared on the same positions with the same judgements and only searches what is new.

mod file;
mod positions;

use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use clap::Args;

use file::Line;
pub use file::{JudgedFile, RegretError};
pub use positions::{TestPosition, test_positions};

use super::run::{MOST_NODES, number};
use super::selfplay::{Engine, MOST_THREADS, Searcher, SelfPlayPicker};
use crate::arena::stats::NORMAL_95;
use crate::board::{Board, Point};
use crate::notation::Comma;
use crate::picker::Evaluation;
use crate::score::Score;
use crate::weights::{WeightedPosition, Weighting};

/// Configuration of a comparison, and its arguments.
#[derive(Clone, Debug, Args)]
pub struct RegretConfig {
    /// The name of this build, network or setting in the file of results; use a new name for anything that plays differently
    #[arg(long, default_value = "engine")]
    pub name: String,
    /// Nodes of the short searches, a list
    #[arg(long, value_delimiter = ',', default_value = "30000,300000")]
    #[arg(value_parser = number::<NonZeroU64>(1..=MOST_NODES))]
    pub nodes: Vec<NonZeroU64>,
    /// Nodes of a long search, which judges
    #[arg(long, value_name = "NODES", default_value = "3000000", value_parser = number::<NonZeroU64>(1..=MOST_NODES))]
    pub reference: NonZeroU64,
    /// Threads to search on, one for each position
    #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..=MOST_THREADS as u64))]
    pub threads: NonZeroUsize,
}

/// The regrets of a build, with a row for each number of nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct RegretTable {
    /// The name of the build.
    pub name: String,
    /// The nodes of a long search.
    pub reference: NonZeroU64,
    /// The rows.
    pub rows: Vec<Regret>,
}

/// The table as text, in hundredths of a win.
impl fmt::Display for RegretTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = |(mean, half): (f64, f64)| format!("{:.2} ± {:.2}", 100.0 * mean, 100.0 * half);
        writeln!(f, "regret of {}, in hundredths of a win, judged by {} nodes", self.name, self.reference)?;
        write!(f, "{:>12} {:>10} {:>7} {:>15}", "nodes", "positions", "alike", "regret")?;
        for Regret { nodes, positions, alike, mean, against } in &self.rows {
            write!(f, "\n{nodes:>12} {positions:>10} {alike:>7} {:>15}", hundredths(*mean))?;
            for Comparison { name, positions, mean } in against {
                write!(f, "\n{:>12} {positions:>10} {:>7} {:>15} against {name}", "", "", hundredths(*mean))?;
            }
        }
        Ok(())
    }
}

/// The regret of searches with some number of nodes, over all open positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Regret {
    /// Nodes of the searches.
    pub nodes: NonZeroU64,
    /// Number of positions.
    pub positions: usize,
    /// Number of positions in which the search chose the reference's move.
    pub alike: usize,
    /// The mean regret, as a share of a win, with half the width of its 95 % interval.
    pub mean: (f64, f64),
    /// The difference to other names on file, position by position.
    pub against: Vec<Comparison>,
}

/// The mean difference to the regret of another name. If it is negative, the other name has the greater regret.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The other name.
    pub name: String,
    /// Number of positions that both have searched.
    pub positions: usize,
    /// The mean difference as a share of a win, with half the width of its 95 % interval.
    pub mean: (f64, f64),
}

fn chance(score: Score) -> f64 {
    score.win_chance().into()
}

/// Searches each position and judges the moves. A move that scores better than the reference's in a long search has a
/// negative regret.
///
/// Once `halt` is set, no position is begun, and the table counts the positions known by then.
///
/// Cost: two long searches for each position, and one more for each other move.
///
/// # Errors
/// When a search fails or the file cannot be written. Earlier results stay on file.
pub fn judge(
    config: &RegretConfig,
    engine: Engine,
    positions: &[TestPosition],
    file: &mut JudgedFile,
    halt: &AtomicBool,
    report: &mut (dyn FnMut(usize) + Send),
) -> Result<RegretTable, RegretError> {
    let next = AtomicUsize::new(0);
    let has_failed = AtomicBool::new(false);
    let shared = Mutex::new(&mut *file);
    let report = Mutex::new((report, 0));
    let work = || -> Result<(), RegretError> {
        // One judge for all, or the worths of a file could not be compared.
        let judge = Engine { picker: SelfPlayPicker::Search, evaluation: Evaluation::default() };
        let (searcher, judge) = (engine.analyst(), judge.analyst());
        let mut asker = Asker { config, searcher, judge, file: &shared };
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
    let rows = config.nodes.iter().map(|&nodes| regret(config, nodes, positions, file)).collect();
    Ok(RegretTable { name: config.name.clone(), reference: config.reference, rows })
}

/// Searches what is not on file yet.
struct Asker<'a, 'b> {
    config: &'a RegretConfig,
    /// For short searches.
    searcher: Searcher,
    /// For long searches.
    judge: Searcher,
    file: &'a Mutex<&'b mut JudgedFile>,
}

impl<'b> Asker<'_, 'b> {
    fn file(&self) -> MutexGuard<'_, &'b mut JudgedFile> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&mut self, asked: &TestPosition) -> Result<(), RegretError> {
        let Some(board) = asked.board() else { return Ok(()) };
        let config = self.config;
        let (position, reference) = (asked.to_string(), config.reference.get());
        let best = self.choice(&position, &board, reference, None)?;
        self.find_worth(&position, &board, best)?;
        if self.file().best(&position, reference).is_none() {
            return Ok(());
        }
        for nodes in &config.nodes {
            let chosen = self.choice(&position, &board, nodes.get(), Some(&config.name))?;
            self.find_worth(&position, &board, chosen)?;
        }
        Ok(())
    }

    /// The choice of a name, or without one the best move of the reference. It is searched unless it is on file.
    fn choice(&mut self, position: &str, board: &Board, nodes: u64, name: Option<&str>) -> Result<Point, RegretError> {
        let known = self.file().choice(position, nodes, name);
        if let Some(point) = known {
            return Ok(point);
        }
        let searcher = if name.is_some() { &mut self.searcher } else { &mut self.judge };
        let (point, _) = search(searcher, position, board.clone(), nodes)?;
        let (position, text) = (position.to_owned(), Comma(point).to_string());
        self.file().add(match name {
            Some(name) => Line::Chosen { position, name: name.to_owned(), nodes, chosen: text },
            None => Line::Best { position, nodes, best: text },
        })?;
        Ok(point)
    }

    /// Searches the position after a move, unless its worth is on file.
    fn find_worth(&mut self, position: &str, board: &Board, point: Point) -> Result<(), RegretError> {
        let nodes = self.config.reference.get();
        let is_known = self.file().worth(position, nodes, point).is_some();
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
                -search(&mut self.judge, position, after, nodes)?.1
            }
        };
        let position = position.to_owned();
        self.file().add(Line::Worth { position, nodes, r#move: Comma(point).to_string(), score: score.value() })
    }
}

/// The best move and its score. Tables of earlier searches are cleared.
fn search(searcher: &mut Searcher, position: &str, board: Board, nodes: u64) -> Result<(Point, Score), RegretError> {
    searcher.clear();
    let searched = searcher.search(WeightedPosition::new(board, Weighting::default()), nodes);
    let searched = searched.map_err(|error| RegretError::Search(position.to_owned(), error))?;
    Ok((searched.best, searched.score))
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

/// The mean with half the width of its 95 % interval; 0 without values.
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
        assert!((middle - 0.1).abs() < 1e-12 && (half - NORMAL_95 * 0.1).abs() < 1e-12, "{middle} {half}");
    }
}
