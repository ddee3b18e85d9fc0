//! [`import`]: the contents of a file into an [`Edit`], whatever its form.

mod importer;
mod positions;

use thiserror::Error;

pub use positions::import_game;

use self::importer::Importer;
use super::format::csv::CsvError;
use super::format::rapfi::RapfiError;
use super::format::renlib::RenLibError;
use super::source::{GamesError, LibraryKind, SourceFile, SourceKind, UnplayableError};
use super::{Edit, JsonError, LibraryError, Source};
use crate::board::{Rule, Size};
use crate::fnv::Fnv1a;
use crate::notation::{Ranks, SgfError, TextEncoding};

/// How files are read.
#[derive(Clone, Copy, Debug)]
pub struct ImportConfig {
    /// The rule of files that do not state one; RenLib's libraries are of renju without it.
    pub rule: Option<Rule>,
    /// The size of the board of lists of moves.
    pub size: Size,
    /// The rank 1 of lists of moves.
    pub ranks: Ranks,
    /// The code page of texts; `None` to decide for each file.
    pub encoding: Option<TextEncoding>,
    /// Plies up to which the positions of a game are added.
    pub plies: usize,
    /// Whether labels of moves such as `W23` are results and scores, see [`LabelClaim`](super::format::LabelClaim).
    pub has_claims: bool,
    /// Whether comments and labels replace those that are there.
    pub is_newer: bool,
    /// Whether a file is imported that was imported before. Its games then count twice.
    pub is_again: bool,
}

impl ImportConfig {
    /// Plies of a game that are added unless stated otherwise.
    pub const PLIES: usize = 30;
}

impl Default for ImportConfig {
    fn default() -> Self {
        Self {
            rule: None,
            size: Size::FIFTEEN,
            ranks: Ranks::Bottom,
            encoding: None,
            plies: Self::PLIES,
            has_claims: false,
            is_newer: false,
            is_again: false,
        }
    }
}

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportReport {
    /// Positions of a library or a database, passes and texts without a move included.
    pub positions: u64,
    /// Games.
    pub games: u64,
    /// Facts that a person should know, each a line.
    pub notes: Vec<String>,
}

/// Error returned when a file cannot be imported. Nothing of it is in the library, if the edit is dropped.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The library cannot be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A library of RenLib is damaged.
    #[error(transparent)]
    RenLib(#[from] RenLibError),
    /// A database of Rapfi is damaged.
    #[error(transparent)]
    Rapfi(#[from] RapfiError),
    /// A file of SGF is damaged, or cannot be played.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// A table of Rapfi has a wrong line.
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// A line is not a position in JSON.
    #[error("line {0}: {1}")]
    Json(usize, JsonError),
    /// The games of a file cannot be read or played.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// A game in SGF cannot be played.
    #[error(transparent)]
    Game(#[from] UnplayableError),
    /// Neither the contents nor the name tell the form of the file.
    #[error("a file of an unknown form")]
    Unknown,
    /// The file is not text.
    #[error("byte {0}: not text in UTF-8")]
    Text(usize),
    /// The file does not state its rule.
    #[error("the file does not state its rule: name one")]
    NoRule,
    /// The file was imported before.
    #[error("imported before: its games would count twice")]
    Twice,
}

/// Adds what a file holds. The name of the file decides only what its contents do not. Of a match's record the games are
/// added that were not [learnt](learn) before.
///
/// # Errors
/// When the file is damaged, cannot be played, or was imported before. The edit must then be dropped.
pub fn import(
    edit: &mut Edit<'_>,
    name: &str,
    bytes: &[u8],
    config: &ImportConfig,
) -> Result<ImportReport, ImportError> {
    let kind = SourceKind::detect(name, bytes).ok_or(ImportError::Unknown)?;
    if kind == SourceKind::Record {
        return learn(edit, name, bytes, config);
    }
    let mut import = Importer::new(edit, name, bytes, config)?;
    match kind {
        SourceKind::Library(kind) => import.library(kind, bytes)?,
        SourceKind::Sgf => import.sgf(bytes)?,
        SourceKind::Json => import.json(text(bytes)?)?,
        kind @ (SourceKind::Psq
        | SourceKind::Rec
        | SourceKind::Pos
        | SourceKind::Record
        | SourceKind::Moves
        | SourceKind::Numbered) => import.games(kind, bytes)?,
    }
    import.finish()
}

/// [`import`]s a file of a source. `None` if its form is unknown and it is a member of a folder or an archive, which is no
/// error.
///
/// # Errors
/// Those of [`import`].
pub fn import_file(
    edit: &mut Edit<'_>,
    file: &SourceFile,
    config: &ImportConfig,
) -> Result<Option<ImportReport>, ImportError> {
    match import(edit, &file.name, &file.bytes, config) {
        Err(ImportError::Unknown) if file.is_member => Ok(None),
        read => read.map(Some),
    }
}

/// Adds what a library of another program holds. The engines read no other form, so they have no readers of games and
/// archives.
///
/// # Errors
/// Those of [`import`]; files of other forms are [`Unknown`](ImportError::Unknown).
pub fn import_library(
    edit: &mut Edit<'_>,
    name: &str,
    bytes: &[u8],
    config: &ImportConfig,
) -> Result<ImportReport, ImportError> {
    let kind = LibraryKind::detect(name, bytes).ok_or(ImportError::Unknown)?;
    let mut import = Importer::new(edit, name, bytes, config)?;
    import.library(kind, bytes)?;
    import.finish()
}

/// Adds the games of a match's record that were not learnt before, or all of them if the configuration says again. It may
/// be repeated while the record grows.
///
/// # Errors
/// When the file is not a record, a game cannot be played, or the library cannot be read or written. The edit must then
/// be dropped.
pub fn learn(
    edit: &mut Edit<'_>,
    name: &str,
    bytes: &[u8],
    config: &ImportConfig,
) -> Result<ImportReport, ImportError> {
    // The heading and the first game tell a match from another one, whatever the name of its file: a rematch has the same
    // heading. A reader skips a mark and empty lines.
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let mut lines = text.split(|&byte| byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    let [heading, game] = [(); 2].map(|()| lines.next().unwrap_or_default());
    let checksum = Fnv1a::of(&[heading, game].join(&b'\n'));
    // Older libraries store the checksum of the heading alone.
    let mut found = edit.source_with(checksum)?.cloned();
    if found.is_none() {
        found = edit.source_with(Fnv1a::of(heading))?.cloned();
    }
    let learnt = found.as_ref().filter(|_| !config.is_again).map_or(0, |row| row.games);
    let file = found.map_or(Source { name: name.to_owned(), checksum: Some(checksum) }, |row| row.source);
    let mut import = Importer::of_source(edit, file, learnt, config)?;
    import.games(SourceKind::Record, bytes)?;
    import.finish()
}

fn text(bytes: &[u8]) -> Result<&str, ImportError> {
    std::str::from_utf8(bytes).map_err(|error| ImportError::Text(error.valid_up_to()))
}
