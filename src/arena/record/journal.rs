//! [`Journal`]: the record of a match as a file. The first line holds the match, each further one a finished game,
//! written in one piece as the game ends: a kill loses the games in play and nothing else.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{GameRecord, Played};
use crate::arena::config::MatchConfig;
use crate::board::Size;

/// The first line.
#[derive(Serialize, Deserialize)]
struct Heading {
    #[serde(rename = "match")]
    config: MatchConfig,
}

/// Why a record cannot be read or written.
#[derive(Debug)]
pub enum JournalError {
    /// The file cannot be read or written.
    File(PathBuf, io::Error),
    /// This line, counted from 1, is no game.
    Line(PathBuf, usize, serde_json::Error),
    /// The file does not begin with a match.
    NoMatch(PathBuf),
    /// The file has two different games with one number, on this line.
    Conflict(PathBuf, usize),
    /// There is a record already that would be lost.
    Exists(PathBuf),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Line(path, line, error) => write!(f, "{}, line {line}: {error}", path.display()),
            Self::NoMatch(path) => write!(f, "{}: the first line is no match", path.display()),
            Self::Conflict(path, line) => {
                write!(f, "{}, line {line}: another game with this number is on record", path.display())
            }
            Self::Exists(path) => write!(f, "{} exists; --resume goes on with it", path.display()),
        }
    }
}

impl std::error::Error for JournalError {}

/// A record that is being written, and the folder for PSQ files.
#[derive(Debug)]
pub struct Journal {
    file: Option<(PathBuf, File)>,
    psq: Option<PathBuf>,
}

impl Journal {
    /// A new record; without a path nothing is written.
    ///
    /// # Errors
    /// When the file exists already, or the file or the folder cannot be made.
    pub fn create(path: Option<&Path>, psq: Option<PathBuf>, config: &MatchConfig) -> Result<Self, JournalError> {
        let mut journal = Self::open(None, psq)?;
        if let Some(path) = path {
            let file = File::options().append(true).create_new(true).open(path).map_err(|error| {
                if error.kind() == io::ErrorKind::AlreadyExists {
                    JournalError::Exists(path.to_owned())
                } else {
                    JournalError::File(path.to_owned(), error)
                }
            })?;
            journal.file = Some((path.to_owned(), file));
            journal.append(&Heading { config: config.clone() })?;
        }
        Ok(journal)
    }

    /// Goes on with a record; an unfinished last line, which a kill leaves, is cut off.
    ///
    /// # Errors
    /// When the file cannot be read, or is no record.
    pub fn resume(path: &Path, psq: Option<PathBuf>) -> Result<(Self, Played), JournalError> {
        let in_file = |error| JournalError::File(path.to_owned(), error);
        let played = read(path)?;
        let whole = fs::read(path).map_err(in_file)?;
        let kept = whole.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let file = File::options().append(true).open(path).map_err(in_file)?;
        file.set_len(kept as u64).map_err(in_file)?;
        Ok((Self::open(Some((path.to_owned(), file)), psq)?, played))
    }

    fn open(file: Option<(PathBuf, File)>, psq: Option<PathBuf>) -> Result<Self, JournalError> {
        if let Some(folder) = &psq {
            fs::create_dir_all(folder).map_err(|error| JournalError::File(folder.clone(), error))?;
        }
        Ok(Self { file, psq })
    }

    /// Writes a game: the PSQ file first, so that a game on record has one.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&mut self, game: &GameRecord, config: &MatchConfig) -> Result<(), JournalError> {
        if let Some(folder) = &self.psq {
            let path = folder.join(format!("{}.psq", game.game));
            write_psq(&path, game, config.game.size).map_err(|error| JournalError::File(path, error))?;
        }
        self.append(game)
    }

    fn append(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let line = serde_json::to_string(value).map_err(io::Error::from);
        let written = line.and_then(|line| file.write_all((line + "\n").as_bytes()));
        written.map_err(|error| JournalError::File(path.clone(), error))
    }
}

/// Writes a game in Piskvork's form. The file is written under another name first, so that it is whole wherever it
/// exists.
fn write_psq(path: &Path, game: &GameRecord, size: Size) -> io::Result<()> {
    let unfinished = path.with_extension("psq.part");
    fs::write(&unfinished, game.to_psq(size).to_string())?;
    fs::rename(&unfinished, path)
}

/// Reads a record; an unfinished last line is left out.
///
/// # Errors
/// At the first line that is no game, or two different games with the same number.
pub fn read(path: &Path) -> Result<Played, JournalError> {
    let text = fs::read_to_string(path).map_err(|error| JournalError::File(path.to_owned(), error))?;
    let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).zip(1..);
    let heading = lines.next().and_then(|(line, _)| serde_json::from_str::<Heading>(line).ok());
    let config = heading.ok_or_else(|| JournalError::NoMatch(path.to_owned()))?.config;
    let mut games: BTreeMap<_, GameRecord> = BTreeMap::new();
    for (line, number) in lines {
        let game: GameRecord =
            serde_json::from_str(line).map_err(|error| JournalError::Line(path.to_owned(), number, error))?;
        match games.get(&game.game) {
            Some(known) if !known.same_play(&game) => return Err(JournalError::Conflict(path.to_owned(), number)),
            Some(_) => {}
            None => drop(games.insert(game.game, game)),
        }
    }
    Ok(Played { config, games })
}
