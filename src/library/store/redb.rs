//! [`RedbStore`]: a store in one file, by `redb`: copy-on-write trees, crash-safe.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use redb::{
    Database, DatabaseError, Durability, ReadOnlyTable, ReadTransaction, ReadableTable, ReadableTableMetadata,
    TableDefinition, TableError, WriteTransaction,
};

use super::{Read, Row, Store, StoreError, Table, Visit, Write};
use crate::files::{MEBIBYTE, open_locked};

/// Maximum number of rows that a scan reads at once. It begins with one, because many scans look for the first row only.
const ROWS_AT_ONCE: usize = 256;

/// Bytes of pages that are kept in memory.
const CACHE_BYTES: usize = 64 * MEBIBYTE as usize;

impl Table {
    const fn definition(self) -> TableDefinition<'static, &'static [u8], &'static [u8]> {
        TableDefinition::new(match self {
            Self::Positions => "positions",
            Self::Properties => "properties",
            Self::Sources => "sources",
        })
    }
}

/// Errors of the database as errors of a store.
fn from_redb(error: impl Into<redb::Error>) -> StoreError {
    match error.into() {
        redb::Error::Io(error) if error.kind() == ErrorKind::InvalidData => StoreError::Damaged(error.to_string()),
        redb::Error::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
            StoreError::Damaged("it ends too early".to_owned())
        }
        redb::Error::Io(error) => StoreError::Io(error),
        // A write that failed leaves the database unusable until it is opened again.
        redb::Error::PreviousIo => StoreError::Io(io::Error::other("an earlier write failed")),
        error => StoreError::Damaged(error.to_string()),
    }
}

/// Calls the database, which may panic if a page is damaged.
fn guarded<T>(work: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(StoreError::Damaged("a page is damaged".to_owned())))
}

/// A store in a file.
pub struct RedbStore {
    database: Database,
}

impl RedbStore {
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let file = open_locked(OpenOptions::new().read(true).write(true), path)?;
        if file.metadata()?.len() == 0 {
            return Err(StoreError::Damaged("the file is empty".to_owned()));
        }
        Self::new(file)
    }

    pub(super) fn create(path: &Path) -> Result<Self, StoreError> {
        let file = open_locked(OpenOptions::new().read(true).write(true).create_new(true), path)?;
        let created = Self::new(file).and_then(|store| store.add_tables().map(|()| store));
        if created.is_err() {
            // The error counts, not that of the removal.
            let _ = fs::remove_file(path);
        }
        created
    }

    /// Makes the tables, so that readers find each of them.
    fn add_tables(&self) -> Result<(), StoreError> {
        guarded(|| {
            let transaction = self.begin()?;
            for table in Table::ALL {
                transaction.open_table(table.definition()).map_err(from_redb)?;
            }
            transaction.commit().map_err(from_redb)
        })
    }

    fn new(file: File) -> Result<Self, StoreError> {
        let opened = guarded(|| {
            let created = Database::builder().set_cache_size(CACHE_BYTES).create_file(file);
            created.map_err(|error| match error {
                DatabaseError::DatabaseAlreadyOpen => StoreError::Io(crate::files::Holder::Unknown.into()),
                error => from_redb(error),
            })
        });
        opened.map(|database| Self { database })
    }

    fn begin(&self) -> Result<WriteTransaction, StoreError> {
        let mut transaction = self.database.begin_write().map_err(from_redb)?;
        transaction.set_durability(Durability::Immediate);
        // After a kill the file opens at once.
        transaction.set_quick_repair(true);
        Ok(transaction)
    }
}

impl Store for RedbStore {
    fn read(&self) -> Result<Box<dyn Read + '_>, StoreError> {
        guarded(|| Ok(Box::new(Snapshot::new(&self.database.begin_read().map_err(from_redb)?)?) as Box<dyn Read>))
    }

    fn write(&self) -> Result<Box<dyn Write + '_>, StoreError> {
        guarded(|| Ok(Box::new(Change(self.begin()?)) as Box<dyn Write>))
    }

    fn compact(&mut self) -> Result<(), StoreError> {
        guarded(|| self.database.compact().map(drop).map_err(from_redb))
    }

    fn check(&mut self) -> Result<(), StoreError> {
        guarded(|| match self.database.check_integrity() {
            Ok(true) => Ok(()),
            Ok(false) => Err(StoreError::Damaged("a page was damaged".to_owned())),
            Err(error) => Err(from_redb(error)),
        })
    }
}

/// The rows at one moment.
struct Snapshot([ReadOnlyTable<&'static [u8], &'static [u8]>; Table::ALL.len()]);

impl Snapshot {
    fn new(transaction: &ReadTransaction) -> Result<Self, StoreError> {
        let open = |table: Table| {
            transaction.open_table(table.definition()).map_err(|error| match error {
                TableError::TableDoesNotExist(_) => StoreError::Damaged(format!("no table {table:?}")),
                error => from_redb(error),
            })
        };
        let [positions, properties, sources] = Table::ALL;
        Ok(Self([open(positions)?, open(properties)?, open(sources)?]))
    }
}

impl Read for Snapshot {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        guarded(|| get(&self.0[table as usize], key))
    }

    fn scan(&self, table: Table, from: &[u8], visit: &mut Visit<'_>) -> Result<(), StoreError> {
        scan(from, visit, &|from, count| rows_from(&self.0[table as usize], from, count))
    }

    fn count(&self, table: Table) -> Result<u64, StoreError> {
        guarded(|| self.0[table as usize].len().map_err(from_redb))
    }
}

/// A change that is not yet permanent.
struct Change(WriteTransaction);

impl Read for Change {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        guarded(|| get(&self.0.open_table(table.definition()).map_err(from_redb)?, key))
    }

    fn scan(&self, table: Table, from: &[u8], visit: &mut Visit<'_>) -> Result<(), StoreError> {
        scan(from, visit, &|from, count| {
            rows_from(&self.0.open_table(table.definition()).map_err(from_redb)?, from, count)
        })
    }

    fn count(&self, table: Table) -> Result<u64, StoreError> {
        guarded(|| self.0.open_table(table.definition()).map_err(from_redb)?.len().map_err(from_redb))
    }
}

impl Write for Change {
    fn as_read(&self) -> &dyn Read {
        self
    }

    fn put_all(&mut self, table: Table, rows: &mut dyn Iterator<Item = Row>) -> Result<(), StoreError> {
        guarded(|| {
            let mut table = self.0.open_table(table.definition()).map_err(from_redb)?;
            for (key, value) in rows {
                match value {
                    Some(value) => drop(table.insert(&*key, &*value).map_err(from_redb)?),
                    None => drop(table.remove(&*key).map_err(from_redb)?),
                }
            }
            Ok(())
        })
    }

    fn commit(self: Box<Self>) -> Result<(), StoreError> {
        guarded(|| self.0.commit().map_err(from_redb))
    }
}

fn get<T>(table: &T, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError>
where
    T: ReadableTable<&'static [u8], &'static [u8]>,
{
    Ok(table.get(key).map_err(from_redb)?.map(|value| value.value().to_vec()))
}

/// The keys and the values of rows.
type FoundRows = Vec<(Vec<u8>, Vec<u8>)>;

/// Reads the first rows from a key on, at most a number of them.
type RowsFrom<'a> = dyn Fn(&[u8], usize) -> Result<FoundRows, StoreError> + 'a;

/// The first rows from a key on, at most this number.
fn rows_from<T>(table: &T, from: &[u8], count: usize) -> Result<FoundRows, StoreError>
where
    T: ReadableTable<&'static [u8], &'static [u8]>,
{
    let rows = table.range(from..).map_err(from_redb)?.take(count);
    rows.map(|row| row.map(|(key, value)| (key.value().to_vec(), value.value().to_vec())).map_err(from_redb)).collect()
}

/// Visits rows in the order of their keys. The visitor runs outside the guard: its panic is not that of the database.
fn scan(from: &[u8], visit: &mut Visit<'_>, rows_from: &RowsFrom<'_>) -> Result<(), StoreError> {
    let mut from = from.to_vec();
    let mut count = 1;
    loop {
        let rows = guarded(|| rows_from(&from, count))?;
        for (key, value) in &rows {
            if visit(key, value) == ControlFlow::Break(()) {
                return Ok(());
            }
        }
        match rows.last() {
            // The least key after the last one.
            Some((last, _)) if rows.len() == count => from = [last.as_slice(), &[0]].concat(),
            _ => return Ok(()),
        }
        count = (count * 4).min(ROWS_AT_ONCE);
    }
}
