//! [`Undo`]: the rows that a change has replaced.

use std::collections::HashMap;

use super::store::{Read, Row, Store, StoreError, Table, Visit, Write};

/// The rows that a change has replaced: what the library held at each key before it.
#[derive(Clone, Debug, Default)]
pub struct Undo {
    former: HashMap<(Table, Vec<u8>), Option<Vec<u8>>>,
}

impl Undo {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.former.len()
    }

    /// Whether the change has replaced nothing.
    pub fn is_empty(&self) -> bool {
        self.former.is_empty()
    }

    /// Puts the rows back into their store.
    pub(super) fn restore(&self, store: &dyn Store) -> Result<(), StoreError> {
        let mut rows = store.write()?;
        for table in Table::ALL {
            let former = self.former.iter().filter(|((of, _), _)| *of == table);
            let mut former: Vec<Row> = former.map(|((_, key), value)| (key.clone(), value.clone())).collect();
            former.sort_unstable();
            rows.put_all(table, &mut former.into_iter())?;
        }
        rows.commit()
    }
}

/// A change that notes the rows it replaces.
pub(super) struct Recorder<'a> {
    pub(super) rows: Box<dyn Write + 'a>,
    pub(super) undo: &'a mut Undo,
}

impl Read for Recorder<'_> {
    fn get(&self, table: Table, key: &[u8]) -> Result<Option<Vec<u8>>, StoreError> {
        self.rows.get(table, key)
    }

    fn scan(&self, table: Table, from: &[u8], visit: &mut Visit<'_>) -> Result<(), StoreError> {
        self.rows.scan(table, from, visit)
    }

    fn count(&self, table: Table) -> Result<u64, StoreError> {
        self.rows.count(table)
    }
}

impl Write for Recorder<'_> {
    fn as_read(&self) -> &dyn Read {
        self
    }

    fn put_all(&mut self, table: Table, rows: &mut dyn Iterator<Item = Row>) -> Result<(), StoreError> {
        let rows: Vec<Row> = rows.collect();
        for (key, value) in &rows {
            let place = (table, key.clone());
            // A row that is changed twice had its former value before the first change.
            if !self.undo.former.contains_key(&place) {
                let former = self.rows.get(table, key)?;
                if former != *value {
                    self.undo.former.insert(place, former);
                }
            }
        }
        self.rows.put_all(table, &mut rows.into_iter())
    }

    fn commit(self: Box<Self>) -> Result<(), StoreError> {
        self.rows.commit()
    }
}
