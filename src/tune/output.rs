//! [`OutputFile`]: a file that appears whole or not at all.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use fs4::{FileExt, TryLockError};

/// A file that is written beside its place, as `NAME.part`, and takes it when it is finished. Until then a file that is
/// there already stays as it is, and no other process can begin it.
///
/// Dropped before [`finish`](Self::finish), it leaves nothing behind.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    part: PathBuf,
    /// `None` once the part is closed.
    writer: Option<BufWriter<File>>,
}

/// A file cannot be written.
#[derive(Debug)]
pub struct OutputError {
    /// The file.
    pub path: PathBuf,
    /// The system's reason.
    pub error: io::Error,
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write {}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for OutputError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl OutputFile {
    /// Opens the file beside its place.
    ///
    /// # Errors
    /// When its folder is missing or cannot be written to, when something other than a file is in its place, and while
    /// another process writes it.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let error = |error| OutputError { path: path.to_owned(), error };
        // A link is followed: what it leads to is replaced.
        let target = match fs::canonicalize(path) {
            Ok(target) if target.is_file() => target,
            Ok(_) => return Err(error(io::Error::other("it is no file"))),
            Err(_) => path.to_owned(),
        };
        let mut part = OsString::from(&target);
        part.push(".part");
        let part = PathBuf::from(part);
        let writer = BufWriter::new(create_locked(&part).map_err(error)?);
        Ok(Self { path: target, part, writer: Some(writer) })
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// When the system refuses to write or to rename it; the place is then as it was.
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.put_in_place().map_err(|error| OutputError { path: self.path.clone(), error })
    }

    fn put_in_place(&mut self) -> io::Result<()> {
        if let Some(writer) = self.writer.take() {
            writer.into_inner()?.sync_all()?;
        }
        fs::rename(&self.part, &self.path)
    }
}

/// Opens an empty file that this process alone writes; what a process that was killed has left of it is emptied.
fn create_locked(part: &Path) -> io::Result<File> {
    let file = File::options().write(true).create(true).truncate(false).open(part)?;
    // Named in full: the standard library has a method of this name from Rust 1.89 on.
    FileExt::try_lock(&file).map_err(|error| match error {
        TryLockError::WouldBlock => io::Error::other("another process is writing it"),
        TryLockError::Error(error) => error,
    })?;
    // Between opening and locking another process may have put the file in its place: that is not to be emptied.
    fs::metadata(part)?;
    file.set_len(0)?;
    Ok(file)
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.as_mut().map_or(Ok(0), |writer| writer.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// Removes what is left of an unfinished file.
impl Drop for OutputFile {
    fn drop(&mut self) {
        // Closed first, as some systems want it.
        self.writer = None;
        // After `finish` there is none.
        let _ = fs::remove_file(&self.part);
    }
}
