//! [`OpeningsFile`]: a list of openings in the form that `notation` reads, which grows line by line.
//!
//! ```text
//! # rule freestyle, size 15, seed 1, numbers even, …                  the settings
//! # number | stones | moves | black's chance in percent | winners of the pair
//! 74 | 5 | h8 i9 h10 g9 i11 | 48.7 | BW
//! ```
//!
//! [`Earlier`]: the openings of such a file, to be judged again.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::candidate::{Candidate, Candidates};
use super::judge::{Judgement, winner_letters};
use super::{OpeningsConfig, OpeningsError};
use crate::files::{self, MEBIBYTE, WholeLines, continue_lines};
use crate::notation::Letters;
use crate::tune::EngineSignature;

/// Maximum size of a file in bytes. It has room for a million openings.
const MOST_BYTES: u64 = 128 * MEBIBYTE;

/// The columns of a line.
const COLUMNS: &str = "# number | stones | moves | black's chance in percent | winners of the pair";

/// A file of openings, locked against other writers.
pub(super) struct OpeningsFile {
    path: PathBuf,
    lines: WholeLines<File>,
    letters: Letters,
    count: usize,
    /// The number of the last opening.
    last_number: Option<u64>,
}

impl OpeningsFile {
    /// Opens a file that the same settings have begun, or begins it.
    pub(super) fn open(
        path: &Path,
        config: &OpeningsConfig,
        engine: EngineSignature,
        earlier: Option<&Earlier>,
    ) -> Result<Self, OpeningsError> {
        let failed = in_file(path);
        let (bytes, lines) = continue_lines(path, MOST_BYTES, START.as_bytes()).map_err(&failed)?;
        let text = String::from_utf8_lossy(&bytes);
        let mut file =
            Self { path: path.to_owned(), lines, letters: Letters::new(config.size), count: 0, last_number: None };
        let settings = match earlier {
            None => settings(config, engine),
            Some(earlier) => format!("{}, of those by {}", settings(config, engine), earlier.settings),
        };
        let mut recorded = text.lines();
        match recorded.next() {
            None => [&settings, COLUMNS].iter().try_for_each(|line| file.lines.add(line)).map_err(&failed)?,
            Some(other) if other != settings => {
                return Err(OpeningsError::OtherSettings(path.to_owned(), other.trim_start_matches("# ").to_owned()));
            }
            // A killed run may have left the first line alone.
            Some(_) if recorded.next().is_none() => file.lines.add(COLUMNS).map_err(&failed)?,
            Some(_) => {}
        }
        let numbers = numbers(path, recorded)?;
        (file.count, file.last_number) = (numbers.len(), numbers.last().copied());
        file.lines.mend().map_err(&failed)?;
        Ok(file)
    }

    /// The number of openings in the file.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The number of the last opening in the file.
    pub(super) const fn last_number(&self) -> Option<u64> {
        self.last_number
    }

    /// Appends an opening, if it was played.
    pub(super) fn add(&mut self, candidate: &Candidate, judgement: &Judgement) -> Result<(), OpeningsError> {
        let Judgement::Played(chance, winners) = *judgement else { return Ok(()) };
        let Candidate { number, moves, .. } = candidate;
        let (stones, names, winners) = (moves.len(), self.letters.moves(moves), winner_letters(winners));
        let line = format!("{number} | {stones} | {names} | {:.1} | {winners}", chance * 100.0);
        self.lines.add(&line).map_err(in_file(&self.path))?;
        (self.count, self.last_number) = (self.count + 1, Some(*number));
        Ok(())
    }
}

/// The openings of a file.
pub(super) struct Earlier {
    path: PathBuf,
    /// How they were judged.
    settings: String,
    /// Each opening's number and line.
    lines: Vec<(u64, String)>,
}

impl Earlier {
    /// Reads a file of the same rule, size, seed, half and shard.
    pub(super) fn read(path: &Path, config: &OpeningsConfig) -> Result<Self, OpeningsError> {
        let text = files::read_text(path, MOST_BYTES).map_err(in_file(path))?;
        // A killed run may have left a part of a line.
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines();
        let first = lines.next().unwrap_or_default();
        let Some(settings) = first.strip_prefix(&drawn(config)).and_then(|rest| rest.strip_prefix(", ")) else {
            return Err(OpeningsError::OtherSettings(path.to_owned(), first.trim_start_matches("# ").to_owned()));
        };
        let lines: Vec<_> = lines.skip(1).collect();
        let numbers = numbers(path, lines.iter().copied())?;
        let lines = numbers.into_iter().zip(lines.into_iter().map(str::to_owned)).collect();
        Ok(Self { path: path.to_owned(), settings: settings.to_owned(), lines })
    }

    /// The candidates of the file.
    ///
    /// # Errors
    /// At the first line whose number belongs to another opening.
    pub(super) fn only(&self, candidates: Candidates<'_>) -> Result<Vec<Candidate>, OpeningsError> {
        let last = self.lines.last().map_or(0, |&(last, _)| last);
        let mut drawn = candidates.take_while(|candidate| candidate.number <= last);
        let mut found = Vec::new();
        for (line, &(number, ref text)) in (3..).zip(&self.lines) {
            let candidate = drawn.find(|candidate| candidate.number >= number);
            let is_same = |candidate: &Candidate| {
                let moves = Letters::new(candidate.board.size()).moves(&candidate.moves).to_string();
                candidate.number == number && text.split(" | ").nth(2) == Some(&*moves)
            };
            found.push(candidate.filter(is_same).ok_or_else(|| OpeningsError::Line(self.path.clone(), line))?);
        }
        Ok(found)
    }
}

/// The numbers of the openings in these lines, the third of the file first.
fn numbers<'a>(path: &Path, lines: impl Iterator<Item = &'a str>) -> Result<Vec<u64>, OpeningsError> {
    let mut numbers = Vec::new();
    for (line, text) in (3..).zip(lines) {
        let number = text.split('|').next().and_then(|number| number.trim().parse().ok());
        let number = number.filter(|number| numbers.last().is_none_or(|last| last < number));
        numbers.push(number.ok_or_else(|| OpeningsError::Line(path.to_owned(), line))?);
    }
    Ok(numbers)
}

/// What the first line of a file begins with.
const START: &str = "# rule ";

/// The first line of a file whose openings are new. The number of openings and the threads are not part of it: they change
/// no opening.
fn settings(config: &OpeningsConfig, engine: EngineSignature) -> String {
    let OpeningsConfig { nodes, chance, pair_nodes, .. } = config;
    format!("{}, nodes {nodes}, chance {chance}, pair nodes {pair_nodes}, engine {engine}", drawn(config))
}

/// The part of the first line that says which openings are drawn.
fn drawn(config: &OpeningsConfig) -> String {
    let OpeningsConfig { rule, size, seed, numbers, shard, .. } = config;
    format!("{START}{rule}, size {size}, seed {seed}, numbers {numbers}, shard {shard}")
}

fn in_file(path: &Path) -> impl Fn(io::Error) -> OpeningsError + '_ {
    |error| OpeningsError::File(path.to_owned(), error)
}
