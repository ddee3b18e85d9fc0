//! [`GameWriter`]: appends games to a file.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::block::to_block;
use super::encoding::{encode_game, encode_header};
use super::error::GameFileError;
use super::game::SelfPlayGame;
use super::header::Header;
use super::reader::{Index, MAGIC, VERSION};
use crate::files::open_locked;

/// A growing file of games, locked against other writers until it is dropped.
#[derive(Debug)]
pub struct GameWriter {
    path: PathBuf,
    file: File,
    /// The end of the last whole game.
    end: u64,
    /// The numbers of the games in the file when it was opened, sorted.
    recorded: Vec<u32>,
    /// Number of bytes that were cut off when it was opened.
    cut: u64,
}

impl GameWriter {
    /// Begins a file.
    ///
    /// # Errors
    /// When the file exists and is not empty, because games are never overwritten; when its folder is missing, another
    /// writer holds it, or the system refuses.
    pub fn create(path: &Path, header: &Header) -> Result<Self, GameFileError> {
        let mut writer = Self::open(path)?;
        if writer.in_file(|file| Ok(file.metadata()?.len() > 0))? {
            return Err(GameFileError::Exists(writer.path));
        }
        writer.begin(header)?;
        Ok(writer)
    }

    /// Continues a file, or creates it if it does not exist. An unfinished game at the end is cut off: see
    /// [`cut`](Self::cut).
    ///
    /// # Errors
    /// When a setting differs from the header's, or the file is damaged or not a file of games. It is then left unchanged.
    /// Also those of [`create`](Self::create) except the first.
    pub fn resume(path: &Path, header: &Header) -> Result<Self, GameFileError> {
        let mut writer = Self::open(path)?;
        if writer.is_unfinished_start(header)? {
            writer.begin(header)?;
            return Ok(writer);
        }
        let Index { header: recorded, offsets, end, tail } = Index::read(path, &mut writer.file)?;
        if let Some((name, recorded, wanted)) = recorded.difference(header) {
            return Err(GameFileError::Setting { path: writer.path, name, recorded, wanted });
        }
        (writer.end, writer.cut) = (end, tail);
        writer.recorded = offsets.into_keys().collect();
        writer.cut_to_end()?;
        Ok(writer)
    }

    /// The numbers of the games that the file held when it was opened, sorted.
    pub fn recorded(&self) -> &[u32] {
        &self.recorded
    }

    /// Number of bytes of an unfinished game that were cut off when the file was opened.
    pub const fn cut(&self) -> u64 {
        self.cut
    }

    /// Appends a game by one write. If that fails, the file is cut back to the games before it.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn write(&mut self, game: &SelfPlayGame) -> Result<(), GameFileError> {
        let block = to_block(&encode_game(game));
        let too_long = || GameFileError::File(self.path.clone(), io::Error::other("the game is too long"));
        let block = block.ok_or_else(too_long)?;
        self.append(&block)
    }

    /// Opens and locks a file, or creates it.
    fn open(path: &Path) -> Result<Self, GameFileError> {
        let in_file = |error| GameFileError::File(path.to_owned(), error);
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return Err(GameFileError::NoFolder(path.to_owned()));
        }
        let mut options = File::options();
        let file = open_locked(options.read(true).write(true).create(true).truncate(false), path).map_err(in_file)?;
        Ok(Self { path: path.to_owned(), file, end: 0, recorded: Vec::new(), cut: 0 })
    }

    /// Whether the file holds less than the header: nothing, or the part that a killed process has left.
    fn is_unfinished_start(&mut self, header: &Header) -> Result<bool, GameFileError> {
        let start = start(header);
        let mut bytes = Vec::new();
        self.in_file(|file| {
            (&*file).take(start.len() as u64).read_to_end(&mut bytes)?;
            file.seek(SeekFrom::Start(0))
        })?;
        Ok(bytes.len() < start.len() && start.starts_with(&bytes))
    }

    /// Writes the start of the file.
    fn begin(&mut self, header: &Header) -> Result<(), GameFileError> {
        self.cut_to_end()?;
        self.append(&start(header))
    }

    fn append(&mut self, bytes: &[u8]) -> Result<(), GameFileError> {
        let written = self.in_file(|file| file.write_all(bytes));
        match written {
            Ok(()) => self.end += bytes.len() as u64,
            // The error of the write is the one to report.
            Err(_) => drop(self.cut_to_end()),
        }
        written
    }

    /// Cuts the file after the last whole game, where the next one is appended.
    fn cut_to_end(&mut self) -> Result<(), GameFileError> {
        let end = self.end;
        self.in_file(|file| {
            file.set_len(end)?;
            file.seek(SeekFrom::Start(end)).map(drop)
        })
    }

    fn in_file<T>(&mut self, action: impl FnOnce(&mut File) -> io::Result<T>) -> Result<T, GameFileError> {
        action(&mut self.file).map_err(|error| GameFileError::File(self.path.clone(), error))
    }
}

/// The bytes before the first game.
fn start(header: &Header) -> Vec<u8> {
    // A header is far shorter than the longest payload.
    let block = to_block(&encode_header(header)).unwrap_or_default();
    [&MAGIC[..], &VERSION.to_le_bytes(), &block].concat()
}
