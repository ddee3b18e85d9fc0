//! Files that are added to a library or written from it. A result is a line for the manager.

use std::io;
use std::path::Path;

use super::DatabaseError;
use crate::board::{Rule, Size};
use crate::files::{self, OutputError, write_new};
use crate::library::source::MOST_FILE_BYTES;
use crate::library::{
    Cursor, ExportError, ExportFormat, ExportedFile, ImportConfig, ImportError, Library, LibraryError, export,
    export_branch, export_table, import_library, merge,
};
use crate::notation::TextEncoding;
use crate::text::Short;

/// Error returned when a file cannot be added or written.
#[derive(Debug, thiserror::Error)]
pub(in crate::protocol) enum TransferError {
    /// A library cannot be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A format cannot hold the positions.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A file cannot be read.
    #[error(transparent)]
    Input(#[from] io::Error),
    /// A file cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

impl TransferError {
    /// The error of the file that a command names.
    pub(in crate::protocol) fn at(self, path: &Path) -> DatabaseError {
        match self {
            Self::Output(_) => DatabaseError::File(Short(self).to_string()),
            _ => DatabaseError::of(path, self),
        }
    }
}

/// Adds what a file holds: another library, or a library of another program.
pub(in crate::protocol) fn merge_file(
    library: &Library,
    path: &Path,
    config: &ImportConfig,
) -> Result<String, TransferError> {
    let mut edit = library.edit()?;
    let not_a_library = match Library::open(path) {
        Ok(other) => {
            let positions = merge(&mut edit, &other.view()?, config.is_newer, config.is_again)?;
            let added = edit.added();
            edit.commit()?;
            return Ok(format!("{positions} positions read, {added} new"));
        }
        Err(error) => error,
    };
    let bytes = files::read(path, MOST_FILE_BYTES)?;
    let positions = match import_library(&mut edit, &path.display().to_string(), &bytes, config) {
        Err(ImportError::Unknown) => return Err(not_a_library.into()),
        read => read?.positions,
    };
    let added = edit.added();
    edit.commit()?;
    Ok(format!("{positions} positions read, {added} new"))
}

/// Writes a position, those that lead to it and those that follow it to a new file: in a format, else in that of the
/// ending of its name, else as a library.
pub(in crate::protocol) fn split(
    library: &Library,
    path: &Path,
    cursor: &Cursor,
    format: Option<ExportFormat>,
) -> Result<String, TransferError> {
    let view = library.view()?;
    let ending = || path.extension()?.to_str()?.parse().ok();
    if let Some(format) = format.or_else(ending) {
        return write(path, &export_branch(&view, cursor, format, TextEncoding::Utf8)?);
    }
    Ok(format!("{} positions written", library.split(path, cursor)?))
}

/// Writes the positions of a rule and size to a new table, or all positions.
pub(in crate::protocol) fn write_table(
    library: &Library,
    path: &Path,
    game: Option<(Rule, Size)>,
) -> Result<String, TransferError> {
    let view = library.view()?;
    let file = match game {
        Some(game) => export(&view, game, ExportFormat::Csv, TextEncoding::Utf8)?,
        None => export_table(&view)?,
    };
    write(path, &file)
}

fn write(path: &Path, file: &ExportedFile) -> Result<String, TransferError> {
    write_new(path, &file.bytes)?;
    let notes: String = file.notes.iter().map(|note| format!("; {note}")).collect();
    Ok(format!("{} positions written{notes}", file.positions))
}
