//! The files of YXHASHDUMP and YXHASHLOAD.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::picker::TableError;

/// Why the file of a table cannot be written or read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashFileError {
    /// It cannot be written.
    Write(io::ErrorKind),
    /// It cannot be read, or is not a table of these positions.
    Read(TableError),
}

impl fmt::Display for HashFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write(kind) => write!(f, "the table cannot be written: {kind}"),
            Self::Read(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for HashFileError {}

/// Writes a file beside its place and renames it, so that no failure leaves half a file or loses an older one; returns
/// what `dump` returns.
///
/// # Errors
/// When the file cannot be written.
pub(super) fn write<T>(path: &Path, dump: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> Result<T, HashFileError> {
    // A device or a folder is not replaced.
    if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        return Err(HashFileError::Write(io::ErrorKind::AlreadyExists));
    }
    let beside = beside(path);
    let written = File::create(&beside).and_then(|mut file| {
        let dumped = dump(&mut file)?;
        file.sync_all()?;
        fs::rename(&beside, path)?;
        Ok(dumped)
    });
    written.map_err(|error| {
        // Nothing is left behind, as far as the system allows.
        let _ = fs::remove_file(&beside);
        HashFileError::Write(error.kind())
    })
}

/// Opens a file to read.
///
/// # Errors
/// When it cannot be opened, or is no file.
pub(super) fn open(path: &Path) -> Result<File, HashFileError> {
    let error = |error: io::Error| HashFileError::Read(TableError::Read(error.kind()));
    // A pipe would be waited for.
    if !fs::metadata(path).map_err(error)?.is_file() {
        return Err(HashFileError::Read(TableError::Foreign));
    }
    File::open(path).map_err(error)
}

/// The name under which this process writes a file before it has its own.
fn beside(path: &Path) -> PathBuf {
    let mut beside = OsString::from(path);
    beside.push(format!(".{}.new", process::id()));
    beside.into()
}
