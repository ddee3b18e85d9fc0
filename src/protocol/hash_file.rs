//! The files of YXHASHDUMP and YXHASHLOAD.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use crate::files::{self, OutputFile};
use crate::picker::{TABLE_KIND, TableError};

/// Why the file of a table cannot be written or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashFileError {
    /// It cannot be written.
    Write(io::ErrorKind),
    /// The existing file is not a table.
    Foreign,
    /// It cannot be read, or is not a table of these positions.
    Read(TableError),
}

impl fmt::Display for HashFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(kind) => write!(f, "the table cannot be written: {kind}"),
            Self::Foreign => f.write_str("the existing file is not a table and is not replaced"),
            Self::Read(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for HashFileError {}

/// Writes a file in the place of one that is missing, empty or a table, so that no failure leaves half a file or loses an
/// older one; returns what `dump` returns.
///
/// # Errors
/// When the file cannot be written, or another one is in its place.
pub(super) fn write<T>(path: &Path, dump: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<T, HashFileError> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => HashFileError::Foreign,
        kind => HashFileError::Write(kind),
    };
    let mut file = OutputFile::create(path, &TABLE_KIND).map_err(|error| failed(error.error))?;
    let dumped = dump(&mut file).map_err(failed)?;
    file.finish().map_err(|error| failed(error.error))?;
    Ok(dumped)
}

/// Opens a file to read. Its length is compared with the memory of the table when it is read.
///
/// # Errors
/// When it cannot be opened, or is not a regular file.
pub(super) fn open(path: &Path) -> Result<File, HashFileError> {
    files::open(path, u64::MAX).map_err(|error| {
        HashFileError::Read(match error.kind() {
            io::ErrorKind::InvalidInput => TableError::Foreign,
            kind => TableError::Read(kind),
        })
    })
}
