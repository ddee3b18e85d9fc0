//! [`import`]: the contents of a file into an [`Edit`], whatever its format.

use strum::Display;
use thiserror::Error;

use super::format::TextEncoding;
use super::format::csv::{CSV_HEADER, CsvError};
use super::format::rapfi::RapfiError;
use super::format::renlib::RenLibError;
use super::importer::Importer;
use super::{Edit, JsonError, LibraryError, Source};
use crate::board::{Rule, Size};
use crate::fnv::Fnv1a;
use crate::notation::sgf::SgfError;
use crate::notation::{GameMoves, GameMovesError, OpeningSyntaxError, Ranks};

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
    /// Whether comments and labels replace those that are there.
    pub is_newer: bool,
    /// Whether a file is imported that was imported before. Its games then count twice.
    pub is_again: bool,
}

impl Default for ImportConfig {
    fn default() -> Self {
        Self {
            rule: None,
            size: Size::FIFTEEN,
            ranks: Ranks::Bottom,
            encoding: None,
            plies: 30,
            is_newer: false,
            is_again: false,
        }
    }
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display)]
pub enum SourceFormat {
    /// RenLib's `.lib`.
    #[strum(to_string = "RenLib library")]
    RenLib,
    /// Yixin's and Rapfi's `.db`.
    #[strum(to_string = "Rapfi database")]
    Rapfi,
    /// The table of Rapfi's `dbtotxt`.
    #[strum(to_string = "Rapfi table")]
    Csv,
    /// Games and trees in SGF.
    #[strum(to_string = "SGF")]
    Sgf,
    /// Positions as lines of JSON.
    #[strum(to_string = "positions in JSON")]
    Json,
    /// The record of a match.
    #[strum(to_string = "record of a match")]
    Record,
    /// A saved game of Piskvork.
    #[strum(to_string = "game of Piskvork")]
    Psq,
    /// A list of games, one a line.
    #[strum(to_string = "list of games")]
    List,
}

impl SourceFormat {
    /// The format of a file, by its first bytes, then by the ending of its name.
    pub fn of(name: &str, bytes: &[u8]) -> Self {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
        let is_named = |expected: &str| ending.as_deref() == Some(expected);
        let start = String::from_utf8_lossy(&bytes[..bytes.len().min(100)]);
        let start = start.trim_start_matches('\u{feff}').trim_start();
        match () {
            () if bytes.starts_with(b"\xFFRenLib\xFF") || is_named("lib") => Self::RenLib,
            () if bytes.starts_with(&[0x04, 0x22, 0x4D, 0x18]) || is_named("db") => Self::Rapfi,
            () if start.starts_with(CSV_HEADER) => Self::Csv,
            () if start.starts_with('(') || is_named("sgf") => Self::Sgf,
            () if start.starts_with("{\"rule\"") => Self::Json,
            () if start.starts_with('{') => Self::Record,
            () if GameMoves::is_psq(start) => Self::Psq,
            () => Self::List,
        }
    }
}

/// What an import has read.
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
    Json(usize, #[source] JsonError),
    /// A line is not a game of a match.
    #[error("line {0}: {1}")]
    Record(usize, #[source] serde_json::Error),
    /// A saved game cannot be read or played.
    #[error(transparent)]
    Game(#[from] GameMovesError),
    /// A game of a match cannot be played.
    #[error("line {0}: {1}")]
    GameLine(usize, #[source] GameMovesError),
    /// A line of a list is not a game.
    #[error("line {0}: {1}")]
    Line(usize, #[source] OpeningSyntaxError),
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

/// Adds what a file holds. The name of the file decides only what its contents do not.
///
/// # Errors
/// When the file is damaged, cannot be played, or was imported before. The edit must then be dropped.
pub fn import(
    edit: &mut Edit<'_>,
    name: &str,
    bytes: &[u8],
    config: &ImportConfig,
) -> Result<ImportReport, ImportError> {
    let checksum = Fnv1a::of(bytes);
    if !config.is_again && edit.has_imported(checksum)? {
        return Err(ImportError::Twice);
    }
    let source = edit.add_source(&Source { name: name.to_owned(), checksum: Some(checksum) })?;
    let mut import = Importer { edit, config, source, report: ImportReport::default() };
    match SourceFormat::of(name, bytes) {
        SourceFormat::RenLib => import.renlib(bytes)?,
        SourceFormat::Rapfi => import.rapfi(bytes)?,
        SourceFormat::Csv => import.csv(text(bytes)?)?,
        SourceFormat::Sgf => import.sgf(bytes)?,
        SourceFormat::Json => import.json(text(bytes)?)?,
        SourceFormat::Record => import.record(bytes, 0)?,
        SourceFormat::Psq => import.psq(&String::from_utf8_lossy(bytes))?,
        SourceFormat::List => import.list(text(bytes)?)?,
    }
    Ok(import.report)
}

/// Adds the games of a match's record that were not learnt before. Unlike an import it may be repeated while the record
/// grows.
///
/// # Errors
/// When the file is no record or cannot be played, or the library cannot be read or written. The edit must then be dropped.
pub fn learn(
    edit: &mut Edit<'_>,
    name: &str,
    bytes: &[u8],
    config: &ImportConfig,
) -> Result<ImportReport, ImportError> {
    // The heading tells a match from another one, whatever the name of its file.
    let heading = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let checksum = Fnv1a::of(heading);
    let property = format!("learnt {checksum:016x}");
    let learnt = edit.property(&property)?.and_then(|bytes| bytes.try_into().ok()).map_or(0, u64::from_le_bytes);
    let source = edit.add_source(&Source { name: name.to_owned(), checksum: None })?;
    let mut import = Importer { edit, config, source, report: ImportReport::default() };
    import.record(bytes, learnt)?;
    let report = import.report;
    edit.set_property(&property, (learnt + report.games).to_le_bytes().to_vec())?;
    Ok(report)
}

fn text(bytes: &[u8]) -> Result<&str, ImportError> {
    std::str::from_utf8(bytes).map_err(|error| ImportError::Text(error.valid_up_to()))
}
