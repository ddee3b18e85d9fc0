//! [`JudgedFile`]: what long and short searches have found, a JSON line each.

use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::chance;
use crate::board::Point;
use crate::files::{self, Holder, MEBIBYTE};
use crate::notation::{Comma, Moves, parse_comma};
use crate::score::Score;
use crate::text::Short;
use crate::tune::GameError;

/// The greatest distance of the reference's chance to win from one half: behind it any move may do, and none.
const WIDEST_CHANCE: f64 = 0.45;

/// The most bytes of a file that is read, which is held whole: some million positions.
const MOST_BYTES: u64 = 1024 * MEBIBYTE;

/// Why a file of judgements cannot be read or written, or a position not be judged.
#[derive(Debug)]
pub enum JudgedFileError {
    /// The system's reason.
    File(PathBuf, io::Error),
    /// Another process writes to it.
    Busy(PathBuf, Holder),
    /// This line, counted from 1, is no judgement.
    Line(PathBuf, usize, serde_json::Error),
    /// A search has failed.
    Search(String, GameError),
}

impl fmt::Display for JudgedFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Busy(path, holder) => write!(f, "{}: {holder}", path.display()),
            Self::Line(path, number, error) => write!(f, "{}, line {number}: {}", path.display(), Short(error)),
            Self::Search(position, error) => write!(f, "{position}: {error}"),
        }
    }
}

impl std::error::Error for JudgedFileError {}

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum Line {
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
pub(super) enum Key {
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
    /// The line with the points of earlier versions, letters with ranks from the top, as `x,y`.
    fn with_numbers(self) -> Self {
        let numbers = |text: String| {
            let word = |word: &str| Moves::parse_earlier(word).map_or(word.to_owned(), |point| point.to_string());
            text.split(' ').map(word).collect::<Vec<_>>().join(" ")
        };
        match self {
            Self::Best { position, nodes, best } => {
                Self::Best { position: numbers(position), nodes, best: numbers(best) }
            }
            Self::Worth { position, nodes, r#move, score } => {
                Self::Worth { position: numbers(position), nodes, r#move: numbers(r#move), score }
            }
            Self::Chosen { position, name, nodes, chosen } => {
                Self::Chosen { position: numbers(position), name, nodes, chosen: numbers(chosen) }
            }
        }
    }

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
        let mut options = File::options();
        let opened =
            files::open_locked(options.read(true).write(true).create(true).truncate(false), path).map_err(failed)?;
        let mut file = opened.map_err(|holder| JudgedFileError::Busy(path.to_owned(), holder))?;
        let mut bytes = files::read_from(&file, MOST_BYTES).map_err(failed)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        bytes.truncate(whole);
        let mut known = Known::new();
        for (number, line) in (1..).zip(bytes.split(|&byte| byte == b'\n')).filter(|(_, line)| !line.is_empty()) {
            let line: Line =
                serde_json::from_slice(line).map_err(|error| JudgedFileError::Line(path.to_owned(), number, error))?;
            known.extend([line.with_numbers().entry()]);
        }
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        Ok(Self { path: path.to_owned(), file, known })
    }

    pub(super) fn point(&self, key: &Key) -> Option<Point> {
        if let Some(Value::Point(name)) = self.known.get(key) { parse_comma(name).ok() } else { None }
    }

    pub(super) fn score(&self, key: &Key) -> Option<Score> {
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
    pub(super) fn add(&mut self, line: Line) -> Result<(), JudgedFileError> {
        let failed = |error| JudgedFileError::File(self.path.clone(), error);
        let mut text = serde_json::to_string(&line).map_err(|error| failed(error.into()))?;
        text.push('\n');
        self.file.write_all(text.as_bytes()).map_err(failed)?;
        self.known.extend([line.entry()]);
        Ok(())
    }

    /// The names that have chosen a move in some position with this number of nodes.
    pub(super) fn names(&self, nodes: u64) -> Vec<String> {
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
    pub(super) fn best(&self, position: &str, reference: u64) -> Option<(Point, Score)> {
        let best = self.point(&Key::Best(position.to_owned(), reference))?;
        let score = self.score(&Key::Worth(position.to_owned(), reference, Comma(best).to_string()))?;
        ((chance(score) - 0.5).abs() <= WIDEST_CHANCE).then_some((best, score))
    }

    /// The regret of a name's move, and whether it is the reference's.
    pub(super) fn regret(&self, position: &str, name: &str, nodes: u64, reference: u64) -> Option<(f64, bool)> {
        let (best, score) = self.best(position, reference)?;
        let chosen = self.point(&Key::Chosen(position.to_owned(), nodes, name.to_owned()))?;
        let worth = self.score(&Key::Worth(position.to_owned(), reference, Comma(chosen).to_string()))?;
        Some((chance(score) - chance(worth), chosen == best))
    }
}
