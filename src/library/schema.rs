//! The version of the tables and entries of a library. An older library is migrated when it is opened, step by step and in
//! one transaction; a newer one is refused.
//!
//! | schema | change |
//! | --- | --- |
//! | 1 | |
//! | 2 | a source has the number of its learnt games, which was a property `learnt` with the checksum of the match |
//! | 3 | what rests on a claim is claimed, not derived or proved; a source has the number of the games of its file |

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::LibraryError;
use super::flow::{Find, follow};
use super::position::{Cursor, PositionKey};
use super::record::{Entry, ProofOrigin, SourceId};
use super::sources::{Source, SourceRow};
use super::store::{Row, Store, StoreError, Table, Write};
use super::view::entry_of;

/// The version that this program reads and writes.
pub(super) const SCHEMA: u32 = 1 + STEPS.len() as u32;

/// Changes rows of one version to those of the next.
type Step = fn(&mut dyn Write) -> Result<(), LibraryError>;

/// The steps from each version to the next, the first from version 1.
const STEPS: [Step; 2] = [count_learnt_games, mark_claims_and_games];

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
fn count_learnt_games(rows: &mut dyn Write) -> Result<(), LibraryError> {
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

/// Schema 3: the origins of results, and the games of files.
fn mark_claims_and_games(rows: &mut dyn Write) -> Result<(), LibraryError> {
    mark_claims(rows)?;
    let mut changed: Vec<Row> = Vec::new();
    for (key, value) in rows_of(rows, Table::Sources)? {
        let row = SourceRow::from_bytes(&value)?;
        // The number of games of a match record is known. Any other file counts as one game, so that a merge refuses a
        // file that both libraries have imported.
        let is_record = row.games > 0 || row.source.name.ends_with(".jsonl");
        if row.source.checksum.is_some() && !is_record {
            changed.push((key, SourceRow { games: 1, ..row }.to_row(SourceId(0)).1));
        }
    }
    Ok(rows.put_all(Table::Sources, &mut changed.into_iter())?)
}

/// Marks the results that rest on claims as claimed, and recomputes the derived results and scores: schema 2 recognised
/// fewer rows of five.
fn mark_claims(rows: &mut dyn Write) -> Result<(), LibraryError> {
    let mut keys = Vec::new();
    rows.scan(Table::Positions, &[], &mut |key, _| {
        keys.extend(<[u8; PositionKey::BYTES]>::try_from(key).map(PositionKey::from_bytes));
        ControlFlow::Continue(())
    })?;
    // Positions with more stones first, because results follow from them.
    for key in keys.into_iter().rev() {
        let known = |key| entry_of(rows.as_read(), key);
        let migrated = match known(key) {
            Ok(Some(entry)) => with_claims(&known, &entry).map(|migrated| (migrated != entry).then_some(migrated)),
            other => other.map(|_| None),
        };
        let entry = match migrated {
            Ok(Some(entry)) => entry,
            // A damaged entry stays as it is. A check names it.
            Ok(None) | Err(LibraryError::Entry(_)) => continue,
            Err(error) => return Err(error),
        };
        let row = (key.as_bytes().to_vec(), Some(entry.to_bytes(&key)));
        rows.put_all(Table::Positions, &mut std::iter::once(row))?;
    }
    Ok(())
}

/// An entry of schema 2 as schema 3 has it, if the positions after it are migrated.
fn with_claims(known: &Find<'_>, entry: &Entry) -> Result<Entry, LibraryError> {
    let cursor = Cursor::from_stones(&entry.stones);
    let mut migrated = entry.clone();
    if let Some(proof) = &mut migrated.record.proof {
        let rests_on_claim = match proof.origin {
            ProofOrigin::Claimed => false,
            // A prune kept it. Schema 2 did not know what it rested on.
            ProofOrigin::Derived => true,
            // An expansion made a proof of the claims that all moves lose.
            ProofOrigin::Proved => !proof.is_win && leads_to_claimed_win(known, &cursor, entry)?,
        };
        if rests_on_claim {
            proof.origin = ProofOrigin::Claimed;
        }
    }
    let record = &mut migrated.record;
    (record.derived, record.backed_up) = follow(known, &cursor, entry)?;
    Ok(migrated)
}

/// Whether a known move leads to a claimed win of the other side.
fn leads_to_claimed_win(known: &Find<'_>, cursor: &Cursor, entry: &Entry) -> Result<bool, LibraryError> {
    for &point in entry.moves.iter().flatten() {
        let settled = known(cursor.key_after(Some(point)))?.and_then(|child| child.record.settled());
        if settled.is_some_and(|proof| proof.is_win && proof.origin == ProofOrigin::Claimed) {
            return Ok(true);
        }
    }
    Ok(false)
}
