//! [`GameFileError`]: errors of reading and writing files of games.

use std::io;
use std::path::PathBuf;

use super::reader::VERSION;
use crate::board::Rule;

/// Error returned when a file of games cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// The system refuses to read or write the file, or another writer holds it.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    /// The folder of a file to be written is missing.
    #[error("{}: its folder is missing", .0.display())]
    NoFolder(PathBuf),
    /// The file does not begin like a file of games.
    #[error("{}: not a file of games", .0.display())]
    NoGames(PathBuf),
    /// The file has an unknown version.
    #[error("{}: its format has version {}, expected at most {VERSION}", .0.display(), .1)]
    Version(PathBuf, u16),
    /// The file is damaged at this byte, counted from 0.
    #[error("{}: damaged at byte {}: {}", .0.display(), .1, .2)]
    Damaged(PathBuf, u64, Damage),
    /// The file to be created is not empty.
    #[error("{}: the file exists and is not overwritten; --resume continues it", .0.display())]
    Exists(PathBuf),
    /// The file to be continued was begun with another setting.
    #[error("{}: it was begun with {name} {recorded} and cannot continue with {name} {wanted}", .path.display())]
    Setting {
        /// The file.
        path: PathBuf,
        /// The name of the setting.
        name: &'static str,
        /// Its value in the file.
        recorded: String,
        /// The expected value.
        wanted: String,
    },
    /// The games were played by another rule than the expected one.
    #[error("{}: its games are {recorded}, expected {wanted}", .path.display())]
    Rule {
        /// The file.
        path: PathBuf,
        /// Its rule.
        recorded: Rule,
        /// The expected rule.
        wanted: Rule,
    },
    /// Both files hold the game with this number.
    #[error("{}: game {} is also in {}", .0.display(), .2, .1.display())]
    Repeated(PathBuf, PathBuf, u32),
}

/// Damage of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
pub enum Damage {
    /// The length of a block does not match its inverse.
    #[strum(to_string = "the length of a block does not match its inverse")]
    Length,
    /// The bytes of a block do not match their checksum.
    #[strum(to_string = "the bytes of a block do not match their checksum")]
    Checksum,
    /// The bytes are intact, but not a header.
    #[strum(to_string = "the bytes are not a header")]
    Header,
    /// The bytes are intact, but not a game of the header's shard and sizes.
    #[strum(to_string = "the bytes are not a game of this file")]
    Game,
    /// A game with this number stands before.
    #[strum(to_string = "game {0} occurs twice")]
    Number(u32),
}
