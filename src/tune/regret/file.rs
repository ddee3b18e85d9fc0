//! [`JudgedFile`]: the results of long and short searches, as JSON lines.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::chance;
use crate::arena::journal::JournalError;
use crate::board::Point;
use crate::files::{MEBIBYTE, WholeLines, continue_lines};
use crate::notation::{Moves, parse_comma};
use crate::score::Score;
use crate::text::Short;
use crate::tune::GameError;

/// Maximum distance of the reference's chance to win from one half. Beyond it the position is practically decided.
/// Hand-set.
const WIDEST_CHANCE: f64 = 0.45;

/// Maximum size of a file in bytes. It has room for a million positions.
const MOST_BYTES: u64 = 1024 * MEBIBYTE;

/// Error returned when positions cannot be drawn or judged.
#[derive(Debug, thiserror::Error)]
pub enum RegretError {
    /// A record of a match cannot be read.
    #[error(transparent)]
    Record(#[from] JournalError),
    /// The records have no position to judge.
    #[error("the records have no position to judge")]
    NoPosition,
    /// The records have several rules.
    #[error("the records have several rules, expected one")]
    SeveralRules,
    /// The file of judgements cannot be read or written, or another process writes to it.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    /// This line of the file, counted from 1, is not a judgement.
    #[error("{}, line {}: {}", .0.display(), .1, Short(.2))]
    Line(PathBuf, usize, serde_json::Error),
    /// The search of a position has failed.
    #[error("{0}: {1}")]
    Search(String, GameError),
}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum Line {
    /// The best move of the reference.
    Best { position: String, nodes: u64, best: String },
    /// The reference's score after a move, for the side that plays it.
    Worth { position: String, nodes: u64, r#move: String, score: i32 },
    /// The move of a short search.
    Chosen { position: String, name: String, nodes: u64, chosen: String },
}

/// What every line begins with.
const START: &[u8] = b"{\"position\":\"";

/// A file of judgements, to which results are appended as JSON lines. Other processes cannot write to it. An unfinished line
/// that a killed process has left is cut off.
#[derive(Debug)]
pub struct JudgedFile {
    path: PathBuf,
    lines: WholeLines<File>,
    /// The best move of the reference, or the choice of a name, by position and nodes.
    choices: HashMap<(String, u64, Option<String>), Point>,
    /// The score of each move by position and nodes of the reference.
    worths: HashMap<(String, u64, Point), Score>,
}

impl JudgedFile {
    /// Opens the file, or begins it.
    ///
    /// # Errors
    /// When it cannot be read or written, another process writes to it, or a line is not a judgement.
    pub fn open(path: &Path) -> Result<Self, RegretError> {
        let failed = |error| RegretError::File(path.to_owned(), error);
        let (bytes, lines) = continue_lines(path, MOST_BYTES, START).map_err(failed)?;
        let mut judged = Self { path: path.to_owned(), lines, choices: HashMap::new(), worths: HashMap::new() };
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')).filter(|(_, line)| !line.is_empty()) {
            let line = serde_json::from_slice(line);
            judged.learn(line.map_err(|error| RegretError::Line(path.to_owned(), number, error))?);
        }
        judged.lines.mend().map_err(failed)?;
        Ok(judged)
    }

    /// Takes in a line. Earlier versions wrote points as letters, with ranks from the top.
    fn learn(&mut self, line: Line) {
        let word = |word: &str| Moves::parse_earlier(word).map_or(word.to_owned(), |moves| moves.to_string());
        let with_commas = |text: &str| text.split(' ').map(word).collect::<Vec<_>>().join(" ");
        let point = |text: &str| parse_comma(&with_commas(text)).ok();
        match line {
            Line::Best { position, nodes, best } => {
                self.choices.extend(point(&best).map(|best| ((with_commas(&position), nodes, None), best)));
            }
            Line::Chosen { position, name, nodes, chosen } => {
                let key = (with_commas(&position), nodes, Some(name));
                self.choices.extend(point(&chosen).map(|chosen| (key, chosen)));
            }
            Line::Worth { position, nodes, r#move, score } => {
                let score = match score {
                    _ if score.abs() < Score::MATE.value() - 1000 => Score::from_eval(score),
                    1.. => Score::MATE,
                    _ => -Score::MATE,
                };
                self.worths.extend(point(&r#move).map(|point| ((with_commas(&position), nodes, point), score)));
            }
        }
    }

    /// The move that the build of this name chose; for `None`, the best move of the reference.
    pub(super) fn choice(&self, position: &str, nodes: u64, name: Option<&str>) -> Option<Point> {
        self.choices.get(&(position.to_owned(), nodes, name.map(str::to_owned))).copied()
    }

    /// The reference's score of a move for the side that plays it.
    pub(super) fn worth(&self, position: &str, reference: u64, point: Point) -> Option<Score> {
        self.worths.get(&(position.to_owned(), reference, point)).copied()
    }

    /// Appends a line by one write.
    pub(super) fn add(&mut self, line: Line) -> Result<(), RegretError> {
        let failed = |error| RegretError::File(self.path.clone(), error);
        let text = serde_json::to_string(&line).map_err(|error| failed(error.into()))?;
        self.lines.add(&text).map_err(failed)?;
        self.learn(line);
        Ok(())
    }

    /// The names with a choice on file for this number of nodes.
    pub(super) fn names(&self, nodes: u64) -> Vec<String> {
        let of_nodes = self.choices.keys().filter(|(_, of, _)| *of == nodes);
        let mut names: Vec<_> = of_nodes.filter_map(|(_, _, name)| name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The reference's move and its worth for the side that plays it; `None` if the position is decided or unknown.
    pub(super) fn best(&self, position: &str, reference: u64) -> Option<(Point, Score)> {
        let best = self.choice(position, reference, None)?;
        let score = self.worth(position, reference, best)?;
        ((chance(score) - 0.5).abs() <= WIDEST_CHANCE).then_some((best, score))
    }

    /// The regret of a name's move, and whether it is the reference's move.
    pub(super) fn regret(&self, position: &str, name: &str, nodes: u64, reference: u64) -> Option<(f64, bool)> {
        let (best, score) = self.best(position, reference)?;
        let chosen = self.choice(position, nodes, Some(name))?;
        let worth = self.worth(position, reference, chosen)?;
        Some((chance(score) - chance(worth), chosen == best))
    }
}
