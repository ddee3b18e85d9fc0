//! [`GameReader`]: the games of one file; [`read_games`]: those of several.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::block::{Next, block_len, read_block, read_up_to};
use super::encoding::{decode_game, decode_header};
use super::error::{Damage, GameFileError};
use super::game::SelfPlayGame;
use super::header::Header;
use crate::board::Rule;
use crate::files;

/// The first bytes of every file of games.
pub(super) const MAGIC: [u8; 8] = *b"tengames";

/// The version of the format.
pub(super) const VERSION: u16 = 2;

/// The oldest version that can be read.
const FIRST_VERSION: u16 = 1;

/// The contents of a file, without its games.
pub(super) struct Index {
    pub(super) header: Header,
    /// The offset of the block of each game, by its number.
    pub(super) offsets: BTreeMap<u32, u64>,
    /// The end of the last whole block.
    pub(super) end: u64,
    /// Number of bytes of an unfinished block after it.
    pub(super) tail: u64,
}

impl Index {
    /// Reads and checks every byte of a file.
    pub(super) fn read(path: &Path, file: impl Read) -> Result<Self, GameFileError> {
        let input = &mut BufReader::new(file);
        let in_file = |error| GameFileError::File(path.to_owned(), error);
        let start = read_up_to(input, MAGIC.len() + size_of_val(&VERSION)).map_err(in_file)?;
        let version = start.strip_prefix(&MAGIC).and_then(|bytes| bytes.try_into().ok()).map(u16::from_le_bytes);
        match version {
            Some(FIRST_VERSION..=VERSION) => {}
            Some(version) => return Err(GameFileError::Version(path.to_owned(), version)),
            None => return Err(GameFileError::NoGames(path.to_owned())),
        }
        let mut end = start.len() as u64;
        let damaged = |byte, damage| GameFileError::Damaged(path.to_owned(), byte, damage);
        let mut next = |byte| match read_block(input).map_err(in_file)? {
            Next::Payload(payload) => Ok(Ok(payload)),
            Next::End(tail) => Ok(Err(tail as u64)),
            Next::WrongLength => Err(damaged(byte, Damage::Length)),
            Next::WrongChecksum => Err(damaged(byte, Damage::Checksum)),
        };
        let Ok(header) = next(end)? else { return Err(GameFileError::NoGames(path.to_owned())) };
        let header_len = block_len(&header);
        let header = decode_header(&header).ok_or_else(|| damaged(end, Damage::Header))?;
        end += header_len;
        let mut offsets = BTreeMap::new();
        let tail = loop {
            let payload = match next(end)? {
                Ok(payload) => payload,
                Err(tail) => break tail,
            };
            let game = decode_game(&payload).filter(|game| header.has(game.number, game.size));
            let number = game.ok_or_else(|| damaged(end, Damage::Game))?.number;
            if offsets.insert(number, end).is_some() {
                return Err(damaged(end, Damage::Number(number)));
            }
            end += block_len(&payload);
        };
        Ok(Self { header, offsets, end, tail })
    }
}

/// The games of a file in the order of their numbers.
///
/// The whole file is read and checked when it is opened, and each game is read again in its turn. Memory holds one game, and
/// some 16 bytes for each of the others.
#[derive(Debug)]
pub struct GameReader {
    path: PathBuf,
    /// The header of the file.
    pub header: Header,
    tail: u64,
    input: BufReader<File>,
    offsets: std::collections::btree_map::IntoIter<u32, u64>,
    /// The next game and its offset.
    next: Option<(u32, u64)>,
}

impl GameReader {
    /// Opens a file.
    ///
    /// Cost: some 4 ns a byte.
    ///
    /// # Errors
    /// When the system refuses to read it, it is not a file of games of a known version, or it is damaged. An unfinished game
    /// at the end is not an error: see [`tail`](Self::tail).
    pub fn open(path: &Path) -> Result<Self, GameFileError> {
        let in_file = |error| GameFileError::File(path.to_owned(), error);
        // The length is not limited, because one game is held at a time.
        let mut file = files::open(path, u64::MAX).map_err(in_file)?;
        let Index { header, offsets, tail, .. } = Index::read(path, &mut file)?;
        file.seek(SeekFrom::Start(0)).map_err(in_file)?;
        let mut offsets = offsets.into_iter();
        let next = offsets.next();
        Ok(Self { path: path.to_owned(), header, tail, input: BufReader::new(file), offsets, next })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of bytes of an unfinished game at the end, which a killed process leaves. They are ignored.
    pub const fn tail(&self) -> u64 {
        self.tail
    }

    /// A note about an unfinished game at the end, if there is one.
    pub fn tail_note(&self) -> Option<String> {
        let (path, tail) = (self.path.display(), self.tail);
        (tail > 0).then(|| format!("{path}: {tail} bytes of an unfinished game are ignored"))
    }

    /// The number of the next game.
    fn next_number(&self) -> Option<u32> {
        self.next.map(|(number, _)| number)
    }

    /// The offset of the next game, which is passed over.
    fn next_offset(&mut self) -> Option<u64> {
        let (_, offset) = self.next?;
        self.next = self.offsets.next();
        Some(offset)
    }

    /// Reads the game at an offset.
    pub(super) fn read_at(&mut self, offset: u64) -> Result<SelfPlayGame, GameFileError> {
        let in_file = |error| GameFileError::File(self.path.clone(), error);
        // In the order of their numbers the games are nearly in order on disk, and most of them are in the buffer.
        let position = self.input.stream_position().map_err(in_file)?;
        self.input.seek_relative(offset.wrapping_sub(position) as i64).map_err(in_file)?;
        let Next::Payload(payload) = read_block(&mut self.input).map_err(in_file)? else {
            return Err(GameFileError::Damaged(self.path.clone(), offset, Damage::Checksum));
        };
        decode_game(&payload).ok_or_else(|| GameFileError::Damaged(self.path.clone(), offset, Damage::Game))
    }
}

/// After an error there are no more games.
impl Iterator for GameReader {
    type Item = Result<SelfPlayGame, GameFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let offset = self.next_offset()?;
        let game = self.read_at(offset);
        if game.is_err() {
            self.next = None;
        }
        Some(game)
    }
}

/// The games of several files in the order of their numbers, then of the files. The shards of a run are read as the whole
/// run. See [`read_games`].
#[derive(Debug)]
pub struct Games {
    files: Vec<GameReader>,
    /// The number of the last game, and all files that have had a game of this number so far.
    last: (u32, Vec<usize>),
}

/// Opens files of games that were played by one rule.
///
/// Each file is read and checked as a whole, so damage is found before any work. The games are then read one by one.
///
/// ```no_run
/// use tengen::board::Rule;
/// use tengen::tune::{Sample, read_games};
///
/// let mut samples: Vec<Vec<Sample>> = Vec::new();
/// for game in read_games(&["a.games", "b.games"], Rule::Freestyle)? {
///     // The samples of one game resemble each other, so they are fitted or held out together.
///     samples.push(game?.samples().collect());
/// }
/// # Ok::<(), tengen::tune::GameFileError>(())
/// ```
///
/// # Errors
/// Those of [`GameReader::open`], or when the games of a file were played by another rule. While games are read: when the
/// system refuses, or when two files of one run hold the same game, as when a file is named twice.
pub fn read_games(paths: &[impl AsRef<Path>], rule: Rule) -> Result<Games, GameFileError> {
    let mut files = Vec::new();
    for path in paths {
        let file = GameReader::open(path.as_ref())?;
        let recorded = file.header.settings.rule;
        if recorded != rule {
            return Err(GameFileError::Rule { path: file.path, recorded, wanted: rule });
        }
        files.push(file);
    }
    Ok(Games { files, last: (0, Vec::new()) })
}

/// The file, the offset and the number of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) file: u32,
    pub(super) number: u32,
    pub(super) offset: u64,
}

impl Games {
    /// The files, each with its header and its games not read yet.
    pub fn files(&self) -> &[GameReader] {
        &self.files
    }

    pub(super) fn into_files(self) -> Vec<GameReader> {
        self.files
    }

    /// The place of the next game, which is passed over.
    pub(super) fn next_place(&mut self) -> Option<Result<Place, GameFileError>> {
        let (number, file) = self.next_file()?;
        if self.last.0 != number {
            self.last = (number, Vec::new());
        }
        let known = self.last.1.iter().copied().find(|&other| self.is_same_run(file, other));
        self.last.1.push(file);
        if let Some(other) = known {
            let [path, other] = [file, other].map(|index| self.files[index].path.clone());
            return Some(Err(GameFileError::Repeated(path, other, number)));
        }
        Some(Ok(Place { file: file as u32, number, offset: self.files[file].next_offset()? }))
    }

    /// The file of the next game.
    fn next_file(&self) -> Option<(u32, usize)> {
        let numbers = self.files.iter().enumerate();
        numbers.filter_map(|(index, file)| Some((file.next_number()?, index))).min()
    }

    /// Whether two files belong to one run. Then they differ at most in their shards.
    fn is_same_run(&self, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|index| self.files[index].header);
        one.settings == other.settings && one.engine == other.engine
    }
}

/// After an error there are no more games.
impl Iterator for Games {
    type Item = Result<SelfPlayGame, GameFileError>;

    fn next(&mut self) -> Option<Self::Item> {
        let game = self.next_place()?.and_then(|Place { file, offset, .. }| self.files[file as usize].read_at(offset));
        if game.is_err() {
            self.files.clear();
        }
        Some(game)
    }
}
