//! [`LibraryFile`]: the library of a session: which file, and when it is open.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::files;
use crate::library::source::LibraryKind;
use crate::library::store::StoreError;
use crate::library::{Library, LibraryError};
use crate::protocol::list::ListError;
use crate::text::Short;

/// Number of bytes read from the start of a file to detect its format.
const HEAD: u64 = 1 << 16;

/// Error returned when a command about the library is not carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseError {
    /// No library is open.
    #[error("no library is open: YXSETDATABASE and a path open one")]
    Closed,
    /// The command would change the library, but the manager has made it read-only.
    #[error("the library is read-only: INFO database_readonly 0 allows changes")]
    ReadOnly,
    /// The list of moves does not lead to a position.
    #[error("the moves lead to no position: {0}")]
    Moves(ListError),
    /// A file cannot be read or written. The text is one line that names it.
    #[error("{0}")]
    File(String),
}

impl DatabaseError {
    /// The error of a file.
    pub(in crate::protocol) fn of(path: &Path, error: impl fmt::Display) -> Self {
        Self::File(format!("{}: {}", path.display(), Short(error)))
    }
}

/// The library of a session: at most one is open.
#[derive(Default)]
pub(in crate::protocol) struct LibraryFile {
    /// The file that the settings or YXSETDATABASE named.
    named: Option<PathBuf>,
    open: Option<Library>,
    /// Whether the named file could not be opened. It is not tried again until the manager asks for it.
    has_failed: bool,
}

/// A library was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::protocol) struct Opened {
    /// The file.
    pub(in crate::protocol) path: PathBuf,
    /// The number of its positions.
    pub(in crate::protocol) positions: u64,
}

impl LibraryFile {
    /// A library that is opened when it is needed.
    pub(in crate::protocol) fn new(named: Option<PathBuf>) -> Self {
        Self { named, ..Self::default() }
    }

    /// The open library, and its file.
    pub(in crate::protocol) fn library(&self) -> Option<(&Library, &Path)> {
        let library = self.open.as_ref()?;
        Some((library, library.path().unwrap_or(Path::new(""))))
    }

    /// Opens the named file, unless it is open, or could not be opened before.
    pub(in crate::protocol) fn open_named(&mut self) -> Result<Option<Opened>, DatabaseError> {
        let Some(path) = self.named.clone().filter(|_| self.open.is_none() && !self.has_failed) else {
            return Ok(None);
        };
        self.has_failed = true;
        let opened = self.hold(Library::open(&path).map_err(|error| described(&path, &error))?, &path)?;
        Ok(Some(opened))
    }

    /// Opens a file, or creates it. After a failure the library that was open stays open.
    pub(in crate::protocol) fn open(&mut self, path: &Path) -> Result<Opened, DatabaseError> {
        if let Some((library, _)) = self.library().filter(|(_, open)| is_same(open, path)) {
            return opened(library, path);
        }
        let library = match Library::open(path) {
            Err(LibraryError::Store(StoreError::Io(error))) if error.kind() == io::ErrorKind::NotFound => {
                Library::create(path)
            }
            opened => opened,
        };
        self.hold(library.map_err(|error| described(path, &error))?, path)
    }

    fn hold(&mut self, library: Library, path: &Path) -> Result<Opened, DatabaseError> {
        let opened = opened(&library, path)?;
        (self.open, self.named, self.has_failed) = (Some(library), Some(path.to_owned()), false);
        Ok(opened)
    }

    /// Lets a file be tried again that could not be opened.
    pub(in crate::protocol) const fn retry(&mut self) {
        self.has_failed = false;
    }

    /// Closes the library. The named file may be opened again.
    pub(in crate::protocol) fn close(&mut self) {
        self.open = None;
    }
}

fn opened(library: &Library, path: &Path) -> Result<Opened, DatabaseError> {
    let positions = library.view().and_then(|view| view.len()).map_err(|error| DatabaseError::of(path, error))?;
    Ok(Opened { path: path.to_owned(), positions })
}

fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| path.canonicalize().ok();
    whole(one).is_some_and(|one| whole(other) == Some(one))
}

/// The error for a file that cannot be opened. It names the form of a file of another program.
fn described(path: &Path, error: &LibraryError) -> DatabaseError {
    match error {
        LibraryError::Store(StoreError::Damaged(_)) => match kind_of(path) {
            Some(kind) => DatabaseError::of(path, format_args!("{kind}, not a library: YXDBMERGE adds it to one")),
            None => DatabaseError::of(path, error),
        },
        _ => DatabaseError::of(path, error),
    }
}

/// The form of a file that can be added to a library.
fn kind_of(path: &Path) -> Option<LibraryKind> {
    let mut head = Vec::new();
    files::open(path, u64::MAX).ok()?.take(HEAD).read_to_end(&mut head).ok()?;
    LibraryKind::detect(&path.to_string_lossy(), &head)
}
