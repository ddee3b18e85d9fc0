//! [`OutputFile`]: a file that appears complete or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::input::{self, InputError, without_waiting};
use super::lock::{LockFile, beside};

/// A kind of file that a program writes. It recognizes the existing files that it may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The name of the kind, such as "network".
    pub name: &'static str,
    /// The first bytes of such a file.
    pub start: &'static [u8],
}

impl Kind {
    /// A picture in SVG.
    pub const SVG: Self = Self { name: "picture", start: b"<svg " };
}

/// A file that is written as `NAME.part` and renamed to `NAME` when it is complete. Until this value is dropped, no
/// other process can write the same file.
///
/// It replaces only an empty file or one of its own [`Kind`], so a mistyped name never destroys a file of games.
///
/// If it is dropped before [`finish`](Self::finish), it leaves nothing behind.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    part: PathBuf,
    kind: &'static Kind,
    /// `None` until something is written.
    writer: Option<BufWriter<File>>,
    /// Whether this value may have created the part.
    is_begun: bool,
    /// Held until this value is dropped.
    _lock: LockFile,
}

/// Error returned when a file cannot be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {error}", .path.display())]
pub struct OutputError {
    /// The file.
    pub path: PathBuf,
    /// The system's error, or that a file of another kind exists at the path.
    pub error: io::Error,
}

/// Error returned when an existing file of another kind would be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the existing file is not a {} and is not replaced", .0.name)]
pub struct ForeignFile(pub &'static Kind);

impl OutputFile {
    /// Reserves a path for a file of this kind.
    ///
    /// # Errors
    /// When the folder is missing or not writable, when the path is a file of another kind, a folder or a device, or
    /// while another process writes it.
    pub fn create(path: &Path, kind: &'static Kind) -> Result<Self, OutputError> {
        let error = |error| OutputError { path: path.to_owned(), error };
        // Links are followed: the target is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        check_replaced(&target, kind).map_err(error)?;
        let lock = LockFile::take(&target).map_err(error)?;
        let part = beside(&target, ".part");
        Ok(Self { path: target, part, kind, writer: None, is_begun: false, _lock: lock })
    }

    /// Completes the file and releases the path.
    ///
    /// # Errors
    /// When the system refuses to write or rename the file, or a file of another kind has appeared meanwhile. The path
    /// is then unchanged.
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.write_whole(b"")
    }

    /// Writes these bytes and completes the file. The path stays reserved, and the next write starts a new file.
    ///
    /// # Errors
    /// Those of [`finish`](Self::finish).
    pub fn write_whole(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.put(bytes).map_err(|error| {
            self.abandon();
            OutputError { path: self.path.clone(), error }
        })
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        let writer = self.writer()?;
        writer.write_all(bytes)?;
        writer.flush()?;
        writer.get_ref().sync_all()?;
        // Some systems require the file to be closed before it is renamed.
        self.writer = None;
        check_replaced(&self.path, self.kind)?;
        fs::rename(&self.part, &self.path)?;
        self.is_begun = false;
        Ok(())
    }

    /// Removes an unfinished file, as far as the system allows.
    fn abandon(&mut self) {
        if let Some(writer) = self.writer.take() {
            // The buffer is discarded: writing it would fail too. Some systems require the file to be closed.
            drop(writer.into_parts());
        }
        if self.is_begun {
            let _ = fs::remove_file(&self.part);
        }
    }

    /// The writer of the part. Truncates a part that a killed process has left.
    fn writer(&mut self) -> io::Result<&mut BufWriter<File>> {
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => BufWriter::new(File::create(&self.part)?),
        };
        self.is_begun = true;
        Ok(self.writer.insert(writer))
    }
}

/// Refuses a path with a file of another kind.
fn check_replaced(path: &Path, kind: &'static Kind) -> io::Result<()> {
    let file = match input::open(path, u64::MAX) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    let mut start = Vec::new();
    file.take(kind.start.len() as u64).read_to_end(&mut start)?;
    if start.is_empty() || start == kind.start {
        Ok(())
    } else {
        Err(io::Error::new(ErrorKind::AlreadyExists, ForeignFile(kind)))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.as_mut().map_or(Ok(()), Write::flush)
    }
}

/// Removes an unfinished file, then its lock.
impl Drop for OutputFile {
    fn drop(&mut self) {
        self.abandon();
    }
}

/// Writes a file that does not exist yet.
///
/// # Errors
/// When the file exists, or those of [`OutputFile`].
pub fn write_new(path: &Path, bytes: &[u8]) -> Result<(), OutputError> {
    /// A file of any kind.
    const ANY: Kind = Kind { name: "new file", start: b"" };
    if path.exists() {
        let error = io::Error::new(ErrorKind::AlreadyExists, "the file exists");
        return Err(OutputError { path: path.to_owned(), error });
    }
    OutputFile::create(path, &ANY)?.write_whole(bytes)
}

/// Creates or truncates a file for a log. Devices such as `/dev/stderr` are allowed. Never blocks on a pipe: a pipe
/// without a reader is refused, and lines that a slow reader has no room for are lost.
///
/// # Errors
/// When the path is a folder or a pipe without a reader, or the system refuses.
pub fn create(path: &Path) -> io::Result<File> {
    if path.is_dir() {
        return Err(InputError::Irregular.into());
    }
    without_waiting(OpenOptions::new().write(true).create(true).truncate(true)).open(path)
}
