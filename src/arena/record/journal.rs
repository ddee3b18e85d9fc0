//! [`Journal`]: the record of a match as a file. The first line holds the match, each further one a finished game,
//! written in one piece as the game ends: a kill or a full disk loses the games in play and nothing else. The file is
//! locked as long as it is written to.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::lines::Lines;
use super::reader::{Heading, LineReader, RecordLine};
use super::{GameRecord, Played};
use crate::arena::config::MatchConfig;
use crate::board::Size;
use crate::files::{self, Holder};
use crate::text::Short;

/// The most bytes of a record that is read, which are held at once: some hundred thousand games.
pub const MOST_BYTES: u64 = 1 << 30;

/// Why a record cannot be read or written.
#[derive(Debug)]
pub enum JournalError {
    /// The file cannot be read or written.
    File(PathBuf, io::Error),
    /// This line, counted from 1, is no game.
    Line(PathBuf, usize, serde_json::Error),
    /// The file does not begin with a match.
    NoMatch(PathBuf),
    /// The file does not begin with a match that this program reads.
    Heading(PathBuf, serde_json::Error),
    /// The file has two different games with one number, on this line.
    Conflict(PathBuf, usize),
    /// There is a record already that would be lost.
    Exists(PathBuf),
    /// Another arena writes to the record.
    Held(PathBuf, Holder),
    /// The file ends within its first line: the match was cut off before its first game.
    Unbegun(PathBuf),
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Line(path, line, error) => write!(f, "{}, line {line}: {}", path.display(), Short(error)),
            Self::NoMatch(path) => write!(f, "{}: the first line is not a match", path.display()),
            Self::Heading(path, error) => {
                write!(f, "{}: the first line is not a match: {}", path.display(), Short(error))
            }
            Self::Conflict(path, line) => {
                write!(f, "{}, line {line}: another game with this number is on record", path.display())
            }
            Self::Exists(path) => write!(f, "{} exists; --resume goes on with it", path.display()),
            Self::Held(path, holder) => write!(f, "{}: {holder}", path.display()),
            Self::Unbegun(path) => {
                write!(f, "{}: no match yet; --resume with the options of the match begins it", path.display())
            }
        }
    }
}

impl std::error::Error for JournalError {}

/// A record that is being written, and the folder for PSQ files.
#[derive(Debug)]
pub struct Journal {
    file: Option<(PathBuf, Lines<File>)>,
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
            let file = locked(File::options().append(true).create_new(true), path).map_err(|error| match error {
                JournalError::File(path, error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    JournalError::Exists(path)
                }
                error => error,
            })?;
            let lines = Lines::after(file, 0).map_err(|error| JournalError::File(path.to_owned(), error))?;
            journal.file = Some((path.to_owned(), lines));
            journal.add(&Heading::new(config))?;
        }
        Ok(journal)
    }

    /// Goes on with a record; an unfinished last line, which a kill or a full disk leaves, is cut off. Where there is no
    /// record, or one that was cut off within its first line, the match `described` begins it.
    ///
    /// # Errors
    /// When the file cannot be read, is no record, or another process writes to it.
    pub fn resume(
        path: &Path,
        psq: Option<PathBuf>,
        described: Option<&MatchConfig>,
    ) -> Result<(Self, Played), JournalError> {
        let in_file = |error| JournalError::File(path.to_owned(), error);
        // From here to the end of the match nobody else writes between what is read and what is cut.
        let file = locked(File::options().read(true).append(true).create(described.is_some()), path)?;
        let bytes = files::read_from(&file, MOST_BYTES).map_err(in_file)?;
        let parsed = parse(path, &bytes);
        let kept = if parsed.is_ok() { whole_lines(&bytes).len() } else { 0 };
        let heading = described.map(Heading::new);
        let line = heading.as_ref().map(to_line).transpose().map_err(in_file)?.unwrap_or_default();
        let (played, first) = match (parsed, heading) {
            (Ok(played), _) => (played, None),
            (Err(JournalError::Unbegun(_)), Some(heading)) if line.as_bytes().starts_with(&bytes) => {
                (Played { config: heading.config.clone(), games: BTreeMap::new() }, Some(heading))
            }
            (Err(error), _) => return Err(error),
        };
        let lines = Lines::after(file, kept as u64).map_err(in_file)?;
        let mut journal = Self::open(Some((path.to_owned(), lines)), psq)?;
        first.map_or(Ok(()), |heading| journal.add(&heading))?;
        Ok((journal, played))
    }

    fn open(file: Option<(PathBuf, Lines<File>)>, psq: Option<PathBuf>) -> Result<Self, JournalError> {
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
        self.add(game)
    }

    fn add(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let Some((path, lines)) = &mut self.file else { return Ok(()) };
        let added = to_line(value).and_then(|line| lines.add(&line));
        added.map_err(|error| JournalError::File(path.clone(), error))
    }
}

fn locked(options: &mut fs::OpenOptions, path: &Path) -> Result<File, JournalError> {
    let opened = files::open_locked(options, path).map_err(|error| JournalError::File(path.to_owned(), error))?;
    opened.map_err(|holder| JournalError::Held(path.to_owned(), holder))
}

fn to_line(value: &impl Serialize) -> io::Result<String> {
    serde_json::to_string(value).map_err(io::Error::from)
}

/// Writes a game in Piskvork's form. The file is written under another name first, so that it is whole wherever it
/// exists.
fn write_psq(path: &Path, game: &GameRecord, size: Size) -> io::Result<()> {
    let unfinished = path.with_extension("psq.part");
    let written = fs::write(&unfinished, game.to_psq(size).to_string());
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written.and_then(|()| fs::rename(&unfinished, path))
}

/// Reads a record; an unfinished last line is left out.
///
/// # Errors
/// At the first line that is no game, or two different games with the same number.
pub fn read(path: &Path) -> Result<Played, JournalError> {
    parse(path, &files::read(path, MOST_BYTES).map_err(|error| JournalError::File(path.to_owned(), error))?)
}

/// The bytes up to the last whole line. A line may be cut anywhere, also within a character.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)]
}

/// Reads the whole lines of a record.
fn parse(path: &Path, bytes: &[u8]) -> Result<Played, JournalError> {
    let mut lines = whole_lines(bytes).split_inclusive(|&byte| byte == b'\n').zip(1..);
    let (first, _) = lines.next().ok_or_else(|| JournalError::Unbegun(path.to_owned()))?;
    // An editor of Windows may have put a mark before the first line.
    let first = first.strip_prefix("\u{feff}".as_bytes()).unwrap_or(first);
    let mut reader = LineReader::default();
    let config = match reader.read(first) {
        Ok(RecordLine::Match(config)) => *config,
        Ok(RecordLine::Game(_)) => return Err(JournalError::NoMatch(path.to_owned())),
        Err(error) => return Err(JournalError::Heading(path.to_owned(), error)),
    };
    let mut games: BTreeMap<_, GameRecord> = BTreeMap::new();
    for (line, number) in lines {
        let in_line = |error| JournalError::Line(path.to_owned(), number, error);
        let RecordLine::Game(game) = reader.read(line).map_err(in_line)? else {
            return Err(in_line(serde::de::Error::custom("a second match")));
        };
        match games.get(&game.game) {
            Some(known) if !known.same_play(&game) => return Err(JournalError::Conflict(path.to_owned(), number)),
            Some(_) => {}
            None => drop(games.insert(game.game, *game)),
        }
    }
    Ok(Played { config, games })
}
