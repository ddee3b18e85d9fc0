//! THE LIBRARY: what is known of positions.
//!
//! A [`Library`] is one file. It holds a record for each known position: proofs, scores of searches, results of games,
//! comments and labels. The eight images of a position are one, and so are the orders of moves that lead to it.
//!
//! ```text
//! Board ─► Cursor ─► Address {key, symmetries} ─► Entry {stones, moves, Record}
//!
//! sources ─► trees, games ─► Edit ─► links: moves of each position ─► flow: proofs and scores to parents ─► commit
//! View ─► Known {Record, moves with their records}, in the orientation of the board
//! ```
//!
//! Owns the database, the formats of other programs' libraries, and the compiled book. Uses the board, its notations and
//! the opening names. Must never use a picker: what grows a library asks one, and stands above.

pub mod book;
mod check;
mod edit;
mod export;
mod flow;
pub mod format;
mod import;
mod json;
mod links;
mod merge;
mod position;
mod record;
mod remove;
mod schema;
mod search;
pub mod source;
mod sources;
pub mod store;
mod tree;
mod undo;
mod view;

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::files::{beside, open_locked};
pub use check::{CheckReport, Fault};
pub use edit::{Edit, EditProgress, Stage};
pub use export::{ExportError, ExportFormat, ExportedFile, export, export_branch, export_table};
pub use flow::FlowReport;
pub use import::{ImportConfig, ImportError, ImportReport, import, import_file, import_game, import_library, learn};
pub use json::{JsonError, JsonPosition};
use merge::merge_branch;
pub use merge::{Difference, Prune, diff, merge, prune};
pub use position::{Address, Cursor, Move, PositionHash, PositionKey, Stones};
pub use record::{Bound, Entry, EntryError, GameCounts, Mark, Proof, ProofOrigin, Record, SearchNote, SourceId};
pub use remove::Removal;
use schema::SCHEMA;
pub use search::SearchResult;
pub use sources::Source;
use store::{Store, StoreError};
pub use tree::{Exported, to_tree};
use undo::Recorder;
pub use undo::Undo;
pub use view::{Known, KnownMove, View};

/// Error returned by a library.
#[derive(Debug, Error)]
pub enum LibraryError {
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A newer version of the program has written the library.
    #[error("written by a newer version: schema {0}, this program knows {SCHEMA}")]
    Newer(u32),
    /// The database is not a library.
    #[error("a database, but not a library")]
    NotALibrary,
    /// The entry of this position is damaged.
    #[error("the entry of position {0:?} is damaged")]
    Entry(PositionKey),
    /// Both libraries have imported this file, and its games would count twice.
    #[error("both libraries have imported {0}: its games would count twice")]
    ImportedTwice(String),
    /// Two positions have the same key.
    #[error("two positions have the key {0:?}")]
    Collision(PositionKey),
}

/// A database of positions in one file, which one process holds.
///
/// ```
/// use tengen::board::{Rule, Size};
/// use tengen::library::{Cursor, Library, Record};
///
/// let folder = std::env::temp_dir().join(format!("tengen-library-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let library = Library::create(&folder.join("example.library"))?;
///
/// let mut cursor = Cursor::new(Rule::Renju, Size::FIFTEEN);
/// cursor.play(Some(Size::FIFTEEN.centre()));
/// let mut edit = library.edit()?;
/// edit.update(&cursor, &mut |record, _| record.comment = "the centre".to_owned())?;
/// edit.commit()?;
///
/// let known = library.view()?.known(&cursor)?.expect("the position was added");
/// assert_eq!(known.record.comment, "the centre");
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Library {
    store: Box<dyn Store>,
    /// The file, if there is one.
    path: Option<PathBuf>,
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Library {
    /// Creates a library in a new file.
    ///
    /// # Errors
    /// When the file exists or cannot be written.
    pub fn create(path: &Path) -> Result<Self, LibraryError> {
        let store = Box::new(store::create(path)?);
        match schema::write(&*store) {
            Ok(()) => Ok(Self { store, path: Some(path.to_owned()) }),
            Err(error) => {
                drop(store);
                remove_part(path);
                Err(error.into())
            }
        }
    }

    /// Opens the library in a file. One that an older version of the program has written is migrated.
    ///
    /// # Errors
    /// When another process holds the file, it cannot be read and written, it is damaged, or a newer version of the program
    /// has written it.
    pub fn open(path: &Path) -> Result<Self, LibraryError> {
        let store = Box::new(store::open(path)?);
        schema::migrate(&*store)?;
        Ok(Self { store, path: Some(path.to_owned()) })
    }

    /// A library in an empty store.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub fn in_store(store: Box<dyn Store>) -> Result<Self, LibraryError> {
        schema::write(&*store)?;
        Ok(Self { store, path: None })
    }

    /// The file of the library.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The library as it is now, whatever is written later.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn view(&self) -> Result<View<'_>, LibraryError> {
        Ok(View::new(self.store.read()?))
    }

    /// Begins a change. Waits until the last one has ended.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn edit(&self) -> Result<Edit<'_>, LibraryError> {
        Edit::new(self.store.write()?)
    }

    /// Begins a change whose former rows are added to `undo`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn edit_for_undo<'a>(&'a self, undo: &'a mut Undo) -> Result<Edit<'a>, LibraryError> {
        Edit::new(Box::new(Recorder { rows: self.store.write()?, undo }))
    }

    /// Restores the library as it was before a change. All later changes must have been undone before.
    ///
    /// # Errors
    /// When the file cannot be written. Nothing is changed then.
    pub fn undo(&self, undo: &Undo) -> Result<(), LibraryError> {
        Ok(undo.restore(&*self.store)?)
    }

    /// Writes a copy of the library, as it is now, to a new file.
    ///
    /// # Errors
    /// When the library cannot be read, or the file exists or cannot be written.
    pub fn back_up(&self, path: &Path) -> Result<(), LibraryError> {
        write_whole(path, |part| {
            let copy = store::create(part)?;
            self.view()?.copy_to(&copy)
        })
    }

    /// Writes a position, those that lead to it and those that follow it to a new library. Passes are not followed. Returns
    /// the number of positions.
    ///
    /// # Errors
    /// When the library cannot be read, or the file exists or cannot be written.
    pub fn split(&self, path: &Path, cursor: &Cursor) -> Result<u64, LibraryError> {
        write_whole(path, |part| {
            let target = Self::create(part)?;
            let mut edit = target.edit()?;
            let count = merge_branch(&mut edit, &self.view()?, cursor)?;
            edit.commit().map(|_| count)
        })
    }

    /// Gives space that is no longer used back to the system.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn compact(&mut self) -> Result<(), LibraryError> {
        Ok(self.store.compact()?)
    }

    /// Checks all pages of the file.
    ///
    /// # Errors
    /// When the file is damaged or cannot be read.
    pub fn check_pages(&mut self) -> Result<(), LibraryError> {
        Ok(self.store.check()?)
    }
}

/// Writes a new library beside its path and renames it, so that a kill leaves no library that holds nothing.
fn write_whole<T>(path: &Path, write: impl FnOnce(&Path) -> Result<T, LibraryError>) -> Result<T, LibraryError> {
    let is_new = || match path.exists() {
        true => Err(StoreError::Io(io::ErrorKind::AlreadyExists.into())),
        false => Ok(()),
    };
    is_new()?;
    let part = beside(path, ".part");
    // A part that a kill has left is removed. One that is open is being written, or is the library that is read.
    match open_locked(File::options().read(true).write(true), &part) {
        Ok(_) => remove_part(&part),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(StoreError::Io(error).into()),
    }
    let written = write(&part).and_then(|written| {
        is_new()?;
        std::fs::rename(&part, path).map_err(StoreError::Io)?;
        Ok(written)
    });
    if written.is_err() {
        remove_part(&part);
    }
    written
}

/// Removes a new file that could not be completed. The error that ended it counts, not one of the removal.
fn remove_part(path: &Path) {
    let _ = std::fs::remove_file(path);
}
