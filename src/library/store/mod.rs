//! [`Store`]: sorted tables of bytes with transactions. [`open()`] and [`create`] return one in a file.

mod redb;

use std::io;
use std::ops::ControlFlow;
use std::path::Path;

use thiserror::Error;

pub use redb::RedbStore;

/// The tables of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Table {
    /// Position keys and entries.
    Positions,
    /// Names of properties of the library and their values.
    Properties,
    /// Numbers of sources, big endian, and their descriptions.
    Sources,
}

impl Table {
    /// All tables.
    pub const ALL: [Self; 3] = [Self::Positions, Self::Properties, Self::Sources];
}

/// Error returned by a store.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The system refuses to read or write.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is not a database, or it is damaged.
    #[error("not a library, or a damaged one: {0}")]
    Damaged(String),
}

/// A visitor of the rows of a table.
pub type Visit<'a> = dyn FnMut(&[u8], &[u8]) -> ControlFlow<()> + 'a;

/// Reads rows.
pub trait Read {
    /// The value of a key.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>;

    /// Visits the rows from a key on, in ascending order, until the visitor breaks.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn scan(&self, table: Table, from: &[u8], visit: &mut Visit<'_>) -> Result<(), StoreError>;

    /// The number of rows of a table.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn count(&self, table: Table) -> Result<u64, StoreError>;
}

/// Changes rows. All changes are in the store after [`commit`](Self::commit), or none. Reads see the changes so far.
pub trait Write: Read {
    /// This change as a reader. Rust 1.85 does not convert one trait object into the other.
    fn as_read(&self) -> &dyn Read;

    /// Sets the values of keys, or removes rows.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn put_all(&mut self, table: Table, rows: &mut dyn Iterator<Item = Row>) -> Result<(), StoreError>;

    /// Makes the changes permanent.
    ///
    /// # Errors
    /// When the store cannot be written. Nothing is changed then.
    fn commit(self: Box<Self>) -> Result<(), StoreError>;
}

/// A key and its value, or `None` to remove the row.
pub type Row = (Vec<u8>, Option<Vec<u8>>);

/// Sorted tables of bytes. One writer and any number of readers at a time.
pub trait Store: Send + Sync {
    /// The rows as they are now, whatever is written later.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn read(&self) -> Result<Box<dyn Read + '_>, StoreError>;

    /// Begins a change. Waits until the last one has ended.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn write(&self) -> Result<Box<dyn Write + '_>, StoreError>;

    /// Gives space that is no longer used back to the system.
    ///
    /// # Errors
    /// When the store cannot be written.
    fn compact(&mut self) -> Result<(), StoreError>;

    /// Checks all pages of the storage.
    ///
    /// # Errors
    /// When the store is damaged or cannot be read.
    fn check(&mut self) -> Result<(), StoreError>;
}

/// Opens the store in a file, which this process alone may hold.
///
/// # Errors
/// A [`Holder`](crate::files::Holder) when another process holds it; when the file cannot be read and written, or is not
/// a database.
pub fn open(path: &Path) -> Result<RedbStore, StoreError> {
    RedbStore::open(path)
}

/// Creates a store in a new file.
///
/// # Errors
/// When the file exists or cannot be written.
pub fn create(path: &Path) -> Result<RedbStore, StoreError> {
    RedbStore::create(path)
}
