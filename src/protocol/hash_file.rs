//! The files of YXHASHDUMP and YXHASHLOAD.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::files::{self, OutputFile};
use crate::picker::{TABLE_KIND, TableError};

/// Error returned when the file of a table cannot be written or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HashFileError {
    /// The file cannot be written.
    #[error("the table cannot be written: {0}")]
    Write(io::ErrorKind),
    /// The existing file is not a table.
    #[error("the existing file is not a table and is not replaced")]
    Foreign,
    /// The file cannot be read, or is not a table of these positions.
    #[error(transparent)]
    Read(#[from] TableError),
}

/// Writes a file with `dump` and returns its result. An existing file is replaced only if it is empty or a table. After
/// a failure, and if `dump` returns `None`, the old file is unchanged and the partial file is removed.
///
/// # Errors
/// If the file cannot be written, or the existing file is not a table.
pub(super) fn write<T>(
    path: &Path,
    dump: impl FnOnce(&mut dyn Write) -> io::Result<Option<T>>,
) -> Result<Option<T>, HashFileError> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => HashFileError::Foreign,
        kind => HashFileError::Write(kind),
    };
    let mut file = OutputFile::create(path, &TABLE_KIND).map_err(|error| failed(error.error))?;
    let dumped = dump(&mut file).map_err(failed)?;
    if dumped.is_some() {
        file.finish().map_err(|error| failed(error.error))?;
    }
    Ok(dumped)
}

/// Opens a file for reading. The table reader compares the file's length with the memory of the table.
///
/// # Errors
/// If the file cannot be opened or is not a regular file.
pub(super) fn open(path: &Path) -> Result<File, HashFileError> {
    files::open(path, u64::MAX).map_err(|error| {
        HashFileError::Read(match error.kind() {
            io::ErrorKind::InvalidInput => TableError::Foreign,
            kind => TableError::Read(kind),
        })
    })
}
