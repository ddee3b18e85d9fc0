//! [`GameFileError`]: why a file of games cannot be read or written.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::board::Rule;
use crate::files::Holder;

/// Why a file of games cannot be read or written.
#[derive(Debug)]
pub enum GameFileError {
    /// The system refuses to read or write the file.
    File(PathBuf, io::Error),
    /// The folder of a file that is to be written is missing.
    NoFolder(PathBuf),
    /// The file does not begin as a file of games.
    NoGames(PathBuf),
    /// The file has a version that this program cannot read.
    Version(PathBuf, u16),
    /// The file is damaged from this byte on, counted from 0.
    Damaged(PathBuf, u64, Damage),
    /// The file that was to be begun holds something already.
    Exists(PathBuf),
    /// Another process, or another writer of this one, holds the file.
    InUse(PathBuf, Holder),
    /// The file that was to be gone on with was begun with another setting.
    Setting {
        /// The file.
        path: PathBuf,
        /// The name of the setting.
        name: &'static str,
        /// Its value in the file.
        recorded: String,
        /// The value that was asked for.
        wanted: String,
    },
    /// The games were played by another rule than the one asked for.
    Rule {
        /// The file.
        path: PathBuf,
        /// Its rule.
        recorded: Rule,
        /// The rule that was asked for.
        wanted: Rule,
    },
    /// The first file holds a game that the second one holds too.
    Repeated(PathBuf, PathBuf, u32),
}

/// What is wrong with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Damage {
    /// The length of a block contradicts its inverse.
    Length,
    /// The bytes of a block contradict their checksum.
    Checksum,
    /// The bytes are whole and no header.
    Header,
    /// The bytes are whole and no game, or one of another shard or board than the header's.
    Game,
    /// A game with this number stands before.
    Number(u32),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length => f.write_str("the length of a block is not as it was written"),
            Self::Checksum => f.write_str("the bytes of a block are not as they were written"),
            Self::Header => f.write_str("the bytes are no header"),
            Self::Game => f.write_str("the bytes are no game of this file"),
            Self::Number(number) => write!(f, "game {number} is there already"),
        }
    }
}

impl fmt::Display for GameFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::File(path, _)
        | Self::NoFolder(path)
        | Self::NoGames(path)
        | Self::Version(path, _)
        | Self::Damaged(path, ..)
        | Self::Exists(path)
        | Self::InUse(path, _)
        | Self::Setting { path, .. }
        | Self::Rule { path, .. }
        | Self::Repeated(path, ..)) = self;
        write!(f, "{}: ", path.display())?;
        match self {
            Self::File(_, error) => error.fmt(f),
            Self::NoFolder(_) => f.write_str("its folder is missing"),
            Self::NoGames(_) => f.write_str("it is no file of games"),
            Self::Version(_, version) => {
                write!(
                    f,
                    "its form has version {version}, and this program reads versions up to {}",
                    super::reader::VERSION
                )
            }
            Self::Damaged(_, byte, damage) => write!(f, "damaged at byte {byte}: {damage}"),
            Self::Exists(_) => f.write_str("it exists and is not emptied; --resume goes on with it"),
            Self::InUse(_, holder) => holder.fmt(f),
            Self::Setting { name, recorded, wanted, .. } => {
                write!(f, "it was begun with {name} {recorded} and cannot go on with {name} {wanted}")
            }
            Self::Rule { recorded, wanted, .. } => write!(f, "its games are {recorded}, and {wanted} is asked for"),
            Self::Repeated(_, other, number) => write!(f, "game {number} is in {} too", other.display()),
        }
    }
}

impl std::error::Error for GameFileError {}
