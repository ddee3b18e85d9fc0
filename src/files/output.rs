//! [`OutputFile`]: a file that appears whole or not at all.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use super::input::{self, InputError, without_waiting};
use super::lock::{LockFile, beside};

/// What a program writes into a file, and by which it knows a file that it may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// What it is called, such as "network".
    pub name: &'static str,
    /// The bytes with which such a file begins.
    pub start: &'static [u8],
}

/// A file that is written beside its place, as `NAME.part`, and takes it when it is whole. From the beginning until this
/// value is dropped no other process can begin it.
///
/// It takes the place of a file of its own [`Kind`] or of an empty one, and of nothing else: a slip of the keyboard costs
/// no file of games.
///
/// Dropped before [`finish`](Self::finish), it leaves nothing behind.
#[derive(Debug)]
pub struct OutputFile {
    path: PathBuf,
    part: PathBuf,
    kind: &'static Kind,
    /// `None` while nothing is written.
    writer: Option<BufWriter<File>>,
    /// Whether the part may be this one's.
    is_begun: bool,
    /// Held, not read.
    _lock: LockFile,
}

/// A file cannot be written.
#[derive(Debug)]
pub struct OutputError {
    /// The file.
    pub path: PathBuf,
    /// The system's reason, or that a file of another kind is in the place.
    pub error: io::Error,
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot write {}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for OutputError {}

/// There is a file of another kind in the place of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForeignFile(pub &'static Kind);

impl fmt::Display for ForeignFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the existing file is not a {} and is not replaced", self.0.name)
    }
}

impl std::error::Error for ForeignFile {}

impl OutputFile {
    /// Takes a place for a file of this kind.
    ///
    /// # Errors
    /// When its folder is missing or cannot be written to, when a file of another kind, a folder or a device is in its
    /// place, and while another process writes it.
    pub fn create(path: &Path, kind: &'static Kind) -> Result<Self, OutputError> {
        let error = |error| OutputError { path: path.to_owned(), error };
        // A link is followed: what it leads to is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        check_replaced(&target, kind).map_err(error)?;
        let lock = LockFile::take(&target).map_err(error)?;
        let part = beside(&target, ".part");
        Ok(Self { path: target, part, kind, writer: None, is_begun: false, _lock: lock })
    }

    /// Puts what was written in its place and lets go of it.
    ///
    /// # Errors
    /// When the system refuses to write or to rename it, or another kind of file has come there meanwhile; the place is
    /// then as it was.
    pub fn finish(mut self) -> Result<(), OutputError> {
        self.write_whole(b"")
    }

    /// Writes these bytes and puts the file in its place. The place stays taken: the next bytes make the file anew.
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
        // Closed before it is renamed, as some systems want it.
        self.writer = None;
        check_replaced(&self.path, self.kind)?;
        fs::rename(&self.part, &self.path)?;
        self.is_begun = false;
        Ok(())
    }

    /// Removes what is left of an unfinished file, as far as the system allows.
    fn abandon(&mut self) {
        if let Some(writer) = self.writer.take() {
            // What the writer holds back is not written: it would fail as the rest did. Some systems want the file closed.
            drop(writer.into_parts());
        }
        if self.is_begun {
            let _ = fs::remove_file(&self.part);
        }
    }

    /// The part. What a process that was killed has left of it is emptied.
    fn writer(&mut self) -> io::Result<&mut BufWriter<File>> {
        let writer = match self.writer.take() {
            Some(writer) => writer,
            None => BufWriter::new(File::create(&self.part)?),
        };
        self.is_begun = true;
        Ok(self.writer.insert(writer))
    }
}

/// Refuses a place with a file of another kind.
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

/// Removes what is left of an unfinished file, then its lock.
impl Drop for OutputFile {
    fn drop(&mut self) {
        self.abandon();
    }
}

/// Empties a file, or makes it, to write a log. A device such as `/dev/stderr` is written to as well. A pipe is not waited
/// for: without a reader it is refused, and what a slow reader leaves no room for is lost.
///
/// # Errors
/// When it is a folder or a pipe without a reader, or the system refuses.
pub fn create(path: &Path) -> io::Result<File> {
    if path.is_dir() {
        return Err(InputError::Irregular.into());
    }
    without_waiting(OpenOptions::new().write(true).create(true).truncate(true)).open(path)
}
