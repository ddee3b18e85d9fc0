//! [`Journal`]: the record of a match as a file. Each line is written in one piece, a game's line as the game ends: a kill
//! or a full disk loses only the games in play. The file is locked while a match writes to it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;

use super::MatchRecord;
use crate::arena::config::MatchConfig;
use crate::board::Size;
use crate::files::{self, WholeLines};
use crate::notation::record::{GameRecord, RecordHeading, RecordLine, RecordReader};
use crate::text::Short;

/// The greatest size of a record that is read, in bytes: some hundred thousand games. They are held in memory at once.
pub const MOST_BYTES: u64 = 1 << 30;

/// Error returned when a record cannot be read or written.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read or written, or another arena writes to it (`ResourceBusy`).
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    /// This line, counted from 1, is not a game.
    #[error("{}, line {}: {}", .0.display(), .1, Short(.2))]
    Line(PathBuf, usize, serde_json::Error),
    /// The first line is a game.
    #[error("{}: the first line is not a match", .0.display())]
    NoMatch(PathBuf),
    /// The first line is not a match that this program reads.
    #[error("{}: the first line is not a match: {}", .0.display(), Short(.1))]
    Heading(PathBuf, serde_json::Error),
    /// Two different games have one number; the line of the second.
    #[error("{}, line {}: another game with this number is on record", .0.display(), .1)]
    Conflict(PathBuf, usize),
    /// A new record would overwrite one.
    #[error("{} exists; --resume continues it", .0.display())]
    Exists(PathBuf),
    /// The file ends within its first line: the match was cut off before its first game.
    #[error("{}: no match yet; --resume with the options of the match begins it", .0.display())]
    Unbegun(PathBuf),
}

/// A record to which games are added, and the folder for PSQ files.
#[derive(Debug)]
pub struct Journal {
    file: Option<(PathBuf, WholeLines<File>)>,
    psq: Option<PathBuf>,
}

impl Journal {
    /// A new record. Without a path it is not written. A record without games is started over: the engines of its match did
    /// not start.
    ///
    /// # Errors
    /// When the file has games or is not a record, or the file or the folder cannot be created.
    pub fn create(path: Option<&Path>, psq: Option<PathBuf>, config: &MatchConfig) -> Result<Self, JournalError> {
        let mut journal = Self::open(None, psq)?;
        if let Some(path) = path {
            let file = files::open_locked(File::options().read(true).append(true).create(true), path);
            let file = file.map_err(in_file(path))?;
            let bytes = files::read_from(&file, MOST_BYTES).map_err(in_file(path))?;
            if !bytes.is_empty() && !parse(path, &bytes).is_ok_and(|played| played.games.is_empty()) {
                return Err(JournalError::Exists(path.to_owned()));
            }
            journal.file = Some((path.to_owned(), WholeLines::after(file, 0).map_err(in_file(path))?));
            journal.add(&RecordHeading::new(config))?;
        }
        Ok(journal)
    }

    /// Continues a record. An unfinished last line, which a kill or a full disk leaves, is cut off. If the record does not
    /// exist, or was cut off within its first line, the match `described` begins it.
    ///
    /// # Errors
    /// When the file cannot be read, is not a record, or another process writes to it.
    pub fn resume(
        path: &Path,
        psq: Option<PathBuf>,
        described: Option<&MatchConfig>,
    ) -> Result<(Self, MatchRecord), JournalError> {
        // The lock is held to the end of the match: no other process writes between reading and cutting.
        let mut options = File::options();
        let options = options.read(true).append(true).create(described.is_some());
        let file = files::open_locked(options, path).map_err(in_file(path))?;
        let bytes = files::read_from(&file, MOST_BYTES).map_err(in_file(path))?;
        let parsed = parse(path, &bytes);
        let kept = if parsed.is_ok() { whole_lines(&bytes).len() } else { 0 };
        let heading = described.map(RecordHeading::new);
        let line = heading.as_ref().map(to_line).transpose().map_err(in_file(path))?.unwrap_or_default();
        let (played, first) = match (parsed, heading) {
            (Ok(played), _) => (played, None),
            (Err(JournalError::Unbegun(_)), Some(heading)) if line.as_bytes().starts_with(&bytes) => {
                (MatchRecord::new(heading.config.clone()), Some(heading))
            }
            (Err(error), _) => return Err(error),
        };
        let lines = WholeLines::after(file, kept as u64).map_err(in_file(path))?;
        let mut journal = Self::open(Some((path.to_owned(), lines)), psq)?;
        first.map_or(Ok(()), |heading| journal.add(&heading))?;
        Ok((journal, played))
    }

    fn open(file: Option<(PathBuf, WholeLines<File>)>, psq: Option<PathBuf>) -> Result<Self, JournalError> {
        if let Some(folder) = &psq {
            fs::create_dir_all(folder).map_err(in_file(folder))?;
        }
        Ok(Self { file, psq })
    }

    /// Writes a game. The PSQ file comes first, so every game on record has one.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&mut self, game: &GameRecord, config: &MatchConfig) -> Result<(), JournalError> {
        if let Some(folder) = &self.psq {
            let path = folder.join(format!("{}.psq", game.game));
            write_psq(&path, game, config.game.size).map_err(in_file(&path))?;
        }
        self.add(game)
    }

    fn add(&mut self, value: &impl Serialize) -> Result<(), JournalError> {
        let Some((path, lines)) = &mut self.file else { return Ok(()) };
        to_line(value).and_then(|line| lines.add(&line)).map_err(in_file(path))
    }
}

/// The error of an operation on this file.
fn in_file(path: &Path) -> impl Fn(io::Error) -> JournalError + '_ {
    |error| JournalError::File(path.to_owned(), error)
}

fn to_line(value: &impl Serialize) -> io::Result<String> {
    serde_json::to_string(value).map_err(io::Error::from)
}

/// Writes a game in Piskvork's format. The file is written under another name and then renamed, so that it is never
/// incomplete.
fn write_psq(path: &Path, game: &GameRecord, size: Size) -> io::Result<()> {
    let unfinished = path.with_extension("psq.part");
    let written = fs::write(&unfinished, game.to_psq(size).to_string());
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written.and_then(|()| fs::rename(&unfinished, path))
}

/// Reads a record without its unfinished last line.
///
/// # Errors
/// At the first line that is not a game, or when two different games have one number.
pub fn read(path: &Path) -> Result<MatchRecord, JournalError> {
    parse(path, &files::read(path, MOST_BYTES).map_err(in_file(path))?)
}

/// The bytes up to the end of the last whole line. A line may be cut anywhere, also within a character.
fn whole_lines(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1)]
}

/// Reads the whole lines of a record.
fn parse(path: &Path, bytes: &[u8]) -> Result<MatchRecord, JournalError> {
    let mut lines = whole_lines(bytes).split_inclusive(|&byte| byte == b'\n').zip(1..);
    let (first, _) = lines.next().ok_or_else(|| JournalError::Unbegun(path.to_owned()))?;
    // Windows editors put a byte order mark before the first line.
    let first = first.strip_prefix("\u{feff}".as_bytes()).unwrap_or(first);
    let mut reader = RecordReader::default();
    let mut played = match reader.read(first) {
        Ok(RecordLine::Match(config)) => MatchRecord::new(*config),
        Ok(RecordLine::Game(_)) => return Err(JournalError::NoMatch(path.to_owned())),
        Err(error) => return Err(JournalError::Heading(path.to_owned(), error)),
    };
    for (line, number) in lines {
        let in_line = |error| JournalError::Line(path.to_owned(), number, error);
        let RecordLine::<MatchConfig>::Game(game) = reader.read(line).map_err(in_line)? else {
            return Err(in_line(serde::de::Error::custom("a second match")));
        };
        played.add(*game).map_err(|_| JournalError::Conflict(path.to_owned(), number))?;
    }
    Ok(played)
}
