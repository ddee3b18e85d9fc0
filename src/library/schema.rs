//! The version of the tables and entries of a library. An older library is migrated when it is opened, step by step and in
//! one transaction; a newer one is refused.
//!
//! | schema | change |
//! | --- | --- |
//! | 1 | |
//! | 2 | a source has the number of its learnt games, which was a property `learnt` with the checksum of the match |

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::LibraryError;
use super::record::SourceId;
use super::sources::{Source, SourceRow};
use super::store::{Row, Store, StoreError, Table, Write};

/// The version that this program reads and writes.
pub(super) const SCHEMA: u32 = 1 + STEPS.len() as u32;

/// Changes rows of one version to those of the next.
type Step = fn(&mut dyn Write) -> Result<(), LibraryError>;

/// The steps from each version to the next, the first from version 1.
const STEPS: [Step; 1] = [count_games_of_sources];

/// The property that holds the version.
const PROPERTY: &[u8] = b"schema";

/// The beginning of the names of properties with the numbers of learnt games, in schema 1.
const LEARNT: &str = "learnt ";

/// Writes the version of a new library.
pub(super) fn write(store: &dyn Store) -> Result<(), StoreError> {
    let mut rows = store.write()?;
    put_version(&mut *rows)?;
    rows.commit()
}

/// Brings a library to the version of this program.
pub(super) fn migrate(store: &dyn Store) -> Result<(), LibraryError> {
    let found = store.read()?.get(Table::Properties, PROPERTY)?;
    let version = found.and_then(|bytes| bytes.try_into().ok()).map(u32::from_le_bytes);
    match version {
        Some(SCHEMA) => Ok(()),
        Some(newer) if newer > SCHEMA => Err(LibraryError::Newer(newer)),
        Some(older) if older > 0 => {
            let mut rows = store.write()?;
            for step in STEPS.iter().skip(older as usize - 1) {
                step(&mut *rows)?;
            }
            put_version(&mut *rows)?;
            Ok(rows.commit()?)
        }
        // A kill can leave a new file before its version is written.
        None if is_empty(store)? => Ok(write(store)?),
        Some(_) | None => Err(LibraryError::NotALibrary),
    }
}

fn is_empty(store: &dyn Store) -> Result<bool, StoreError> {
    let rows = store.read()?;
    Table::ALL.into_iter().try_fold(true, |is_empty, table| Ok(is_empty && rows.count(table)? == 0))
}

fn put_version(rows: &mut dyn Write) -> Result<(), StoreError> {
    let version = (PROPERTY.to_vec(), Some(SCHEMA.to_le_bytes().to_vec()));
    rows.put_all(Table::Properties, &mut std::iter::once(version))
}

/// All rows of a small table.
fn rows_of(rows: &dyn Write, table: Table) -> Result<BTreeMap<Vec<u8>, Vec<u8>>, StoreError> {
    let mut found = BTreeMap::new();
    rows.scan(table, &[], &mut |key, value| {
        found.insert(key.to_vec(), value.to_vec());
        ControlFlow::Continue(())
    })?;
    Ok(found)
}

/// Schema 2: the properties `learnt` become sources.
fn count_games_of_sources(rows: &mut dyn Write) -> Result<(), LibraryError> {
    let mut sources: Vec<Row> = Vec::new();
    for (key, value) in rows_of(rows, Table::Sources)? {
        let source: Source = postcard::from_bytes(&value).map_err(|_| LibraryError::NotALibrary)?;
        let row = SourceRow { source, games: 0 };
        sources.push((key, row.to_row(SourceId(0)).1));
    }
    let mut properties: Vec<Row> = Vec::new();
    for (name, value) in rows_of(rows, Table::Properties)? {
        let checksum = std::str::from_utf8(&name).ok().and_then(|name| name.strip_prefix(LEARNT)).map(str::to_owned);
        let Some(checksum) = checksum else { continue };
        let games = value.try_into().map(u64::from_le_bytes);
        let read = u64::from_str_radix(&checksum, 16).ok().zip(games.ok()).ok_or(LibraryError::NotALibrary)?;
        let source = Source { name: format!("match {checksum}"), checksum: Some(read.0) };
        let last = sources.last().and_then(|(key, _)| key.as_slice().try_into().ok()).map(u32::from_be_bytes);
        let id = SourceId(last.map_or(0, |last| last.saturating_add(1)));
        sources.push(SourceRow { source, games: read.1 }.to_row(id));
        properties.push((name, None));
    }
    rows.put_all(Table::Sources, &mut sources.into_iter())?;
    Ok(rows.put_all(Table::Properties, &mut properties.into_iter())?)
}
