//! SOURCES: the files of games from which a library grows.
//!
//! ```text
//! path or bytes ─► files_in, files_of: a file, a folder or a zip archive ─► names and bytes ─► SourceKind ─► read_games ─► Game
//! ```
//!
//! Owns the recognition of a file's form, games of any form as one type, and the check of their winners. The forms
//! themselves are notations. Must never know a database.

mod files;
mod game;
mod games;
mod kind;

pub use files::{Copies, FilesError, MOST_FILE_BYTES, SourceFile, SourceFiles, files_in, files_of};
pub use game::{Game, GameDefaults, UnplayableError};
pub use games::{GamesError, read_games};
pub use kind::{LibraryKind, SourceKind};
