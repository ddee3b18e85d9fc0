//! [`MemoryStore`]: tables in memory, the slow twin of the store in a file.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard};

use tengen::library::store::{Read, Row, Store, StoreError, Table, Visit, Write};

type Rows = BTreeMap<(Table, Vec<u8>), Vec<u8>>;

/// Tables in memory. A change locks the store.
#[derive(Default)]
pub struct MemoryStore(Mutex<Rows>);

struct Snapshot(Rows);

struct Change<'a> {
    rows: Rows,
    store: MutexGuard<'a, Rows>,
}

fn get(rows: &Rows, table: Table, key: &[u8]) -> Option<Vec<u8>> {
    rows.get(&(table, key.to_vec())).cloned()
}

fn scan(rows: &Rows, table: Table, from: &[u8], visit: &mut Visit<'_>) {
    let from = (table, from.to_vec());
    let rows = rows.range(from..).take_while(|((other, _), _)| *other == table);
    for ((_, key), value) in rows {
        if visit(key, value) == ControlFlow::Break(()) {
            break;
        }
    }
}

fn count(rows: &Rows, table: Table) -> u64 {
    rows.keys().filter(|(other, _)| *other == table).count() as u64
}

macro_rules! reads {
    ($type:ty) => {
        impl Read for $type {
            fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
                Ok(get(self.rows(), table, key))
            }

            fn scan(&self, table: Table, from: &[u8], visit: &mut Visit<'_>) -> Result<(), StoreError> {
                scan(self.rows(), table, from, visit);
                Ok(())
            }

            fn count(&self, table: Table) -> Result<u64, StoreError> {
                Ok(count(self.rows(), table))
            }
        }
    };
}

reads!(Snapshot);
reads!(Change<'_>);

impl Snapshot {
    fn rows(&self) -> &Rows {
        &self.0
    }
}

impl Change<'_> {
    fn rows(&self) -> &Rows {
        &self.rows
    }
}

impl Write for Change<'_> {
    fn as_read(&self) -> &dyn Read {
        self
    }

    fn put_all(&mut self, table: Table, rows: &mut dyn Iterator<Item = Row>) -> Result<(), StoreError> {
        for (key, value) in rows {
            match value {
                Some(value) => self.rows.insert((table, key), value),
                None => self.rows.remove(&(table, key)),
            };
        }
        Ok(())
    }

    fn commit(mut self: Box<Self>) -> Result<(), StoreError> {
        *self.store = std::mem::take(&mut self.rows);
        Ok(())
    }
}

impl Store for MemoryStore {
    fn read(&self) -> Result<Box<dyn Read + '_>, StoreError> {
        Ok(Box::new(Snapshot(self.0.lock().unwrap().clone())))
    }

    fn write(&self) -> Result<Box<dyn Write + '_>, StoreError> {
        let store = self.0.lock().unwrap();
        Ok(Box::new(Change { rows: store.clone(), store }))
    }

    fn compact(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn check(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
}
