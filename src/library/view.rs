//! [`View`]: a library as it is at one moment. [`Known`]: what it knows of a position.

use std::ops::ControlFlow;

use super::edit::check_stones;
use super::position::{Address, Cursor, Move, PositionKey};
use super::record::{Entry, EntryError, Mark, Record, SourceId};
use super::sources::{Source, SourceRow, Sources};
use super::store::{Read, Row, Store, Table};
use super::{LibraryError, links};
use crate::board::{Rule, Size};

/// The record of a position and its known moves, in the orientation of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The record. Its marks stand on every point that is an image of theirs.
    pub record: Record,
    /// The known moves, in ascending order.
    pub moves: Vec<KnownMove>,
}

/// A known move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownMove {
    /// The move. Moves that are images of each other are all listed.
    pub played: Move,
    /// The record of the position after the move, for the side that moves then. Its marks and comment are left to a
    /// look-up of that position.
    pub record: Record,
    /// Whether the position after the move has a comment.
    pub has_comment: bool,
}

/// A library as it is at one moment.
pub struct View<'a> {
    rows: Box<dyn Read + 'a>,
}

impl<'a> View<'a> {
    pub(super) fn new(rows: Box<dyn Read + 'a>) -> Self {
        Self { rows }
    }

    /// The number of positions.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub fn len(&self) -> Result<u64, LibraryError> {
        Ok(self.rows.count(Table::Positions)?)
    }

    /// Whether the library holds no position.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub fn is_empty(&self) -> Result<bool, LibraryError> {
        Ok(self.len()? == 0)
    }

    /// The entry of a position.
    ///
    /// # Errors
    /// When the library cannot be read, or the entry is damaged.
    pub fn entry(&self, cursor: &Cursor) -> Result<Option<Entry>, LibraryError> {
        entry_at(&*self.rows, cursor, &cursor.address())
    }

    /// The entry with a key.
    ///
    /// # Errors
    /// When the library cannot be read, or the entry is damaged.
    pub fn entry_of(&self, key: PositionKey) -> Result<Option<Entry>, LibraryError> {
        entry_of(&*self.rows, key)
    }

    /// The record of a position, and the records of the positions after its known moves.
    ///
    /// # Errors
    /// When the library cannot be read, or an entry is damaged.
    pub fn known(&self, cursor: &Cursor) -> Result<Option<Known>, LibraryError> {
        let address = cursor.address();
        let Some(Entry { moves, mut record, .. }) = entry_at(&*self.rows, cursor, &address)? else {
            return Ok(None);
        };
        record.marks = on_board(&record.marks, &address);
        Ok(Some(Known { record, moves: self.after(cursor, &address, moves)? }))
    }

    /// The known moves of a position, whether it is known itself or not.
    ///
    /// # Errors
    /// When the library cannot be read, or an entry is damaged.
    pub fn moves(&self, cursor: &Cursor) -> Result<Vec<KnownMove>, LibraryError> {
        let address = cursor.address();
        let entry = entry_at(&*self.rows, cursor, &address)?;
        self.after(cursor, &address, links::candidates(cursor, entry.as_ref()))
    }

    /// Those of the moves, which are in the stored orientation, that lead to known positions.
    fn after(&self, cursor: &Cursor, address: &Address, moves: Vec<Move>) -> Result<Vec<KnownMove>, LibraryError> {
        let mut known = Vec::new();
        for stored in moves {
            let images: Vec<Move> = match stored {
                None => vec![None],
                Some(stored) => address.restore(stored).into_iter().map(Some).collect(),
            };
            let Some(&first) = images.first() else { continue };
            let key = cursor.key_after(first);
            let Some(entry) = entry_of(&*self.rows, key)? else { continue };
            let has_comment = !entry.record.comment.is_empty();
            let record = Record { comment: String::new(), marks: Vec::new(), ..entry.record };
            let known_move = |played| KnownMove { played, record: record.clone(), has_comment };
            known.extend(images.into_iter().map(known_move));
        }
        known.sort_by_key(|known| known.played);
        Ok(known)
    }

    /// Visits the entries of a rule and size in ascending order of their number of stones, until the visitor breaks.
    ///
    /// # Errors
    /// When the library cannot be read, or an entry is damaged.
    pub fn scan(
        &self,
        rule: Rule,
        size: Size,
        visit: &mut dyn FnMut(PositionKey, Entry) -> ControlFlow<()>,
    ) -> Result<(), LibraryError> {
        scan_from(&*self.rows, &PositionKey::prefix(rule, size), rule, size, visit)
    }

    /// Visits what is stored of a rule and size as [`scan`](Self::scan) does, damaged entries too.
    pub(super) fn scan_all(
        &self,
        rule: Rule,
        size: Size,
        visit: &mut dyn FnMut(PositionKey, Result<Entry, EntryError>) -> ControlFlow<()>,
    ) -> Result<(), LibraryError> {
        scan_all(&*self.rows, &PositionKey::prefix(rule, size), rule, size, visit)
    }

    /// Copies all rows to another store.
    pub(super) fn copy_to(&self, store: &dyn Store) -> Result<(), LibraryError> {
        /// Number of rows that are copied together.
        const BATCH: usize = 10_000;
        let mut copy = store.write()?;
        for table in Table::ALL {
            let mut from = Vec::new();
            loop {
                let mut rows: Vec<Row> = Vec::new();
                self.rows.scan(table, &from, &mut |key, value| {
                    rows.push((key.to_vec(), Some(value.to_vec())));
                    if rows.len() < BATCH { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                })?;
                let Some((last, _)) = rows.last() else { break };
                // The least key after the last one.
                from = [&**last, &[0]].concat();
                copy.put_all(table, &mut rows.into_iter())?;
            }
        }
        Ok(copy.commit()?)
    }

    /// The rules and sizes of which positions are known.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub fn games(&self) -> Result<Vec<(Rule, Size)>, LibraryError> {
        let mut games = Vec::new();
        for rule in Rule::ALL {
            for size in (Size::MIN..=Size::MAX).filter_map(Size::new) {
                let prefix = PositionKey::prefix(rule, size);
                let mut is_known = false;
                self.rows.scan(Table::Positions, &prefix, &mut |key, _| {
                    is_known = key.starts_with(&prefix);
                    ControlFlow::Break(())
                })?;
                games.extend(is_known.then_some((rule, size)));
            }
        }
        Ok(games)
    }

    /// The source with a number.
    ///
    /// # Errors
    /// When the library cannot be read, or the source is damaged.
    pub fn source(&self, id: SourceId) -> Result<Option<Source>, LibraryError> {
        let row =
            self.rows.get(Table::Sources, &id.to_key())?.map(|bytes| SourceRow::from_bytes(&bytes)).transpose()?;
        Ok(row.map(|row| row.source))
    }

    /// The sources in the order in which they were added.
    ///
    /// # Errors
    /// When the library cannot be read, or a source is damaged.
    pub fn sources(&self) -> Result<Vec<(SourceId, Source)>, LibraryError> {
        Ok(self.source_rows()?.rows().iter().map(|(id, row)| (*id, row.source.clone())).collect())
    }
}

impl View<'_> {
    /// The sources with the numbers of their games.
    pub(super) fn source_rows(&self) -> Result<Sources, LibraryError> {
        Sources::read(&*self.rows)
    }
}

/// Marks in the orientation of the board, on every image of their points.
fn on_board(marks: &[Mark], address: &Address) -> Vec<Mark> {
    let images = |mark: &Mark| {
        let text = mark.text.clone();
        address.restore(mark.point).into_iter().map(move |point| Mark { point, text: text.clone() })
    };
    let mut marks: Vec<_> = marks.iter().flat_map(images).collect();
    marks.sort();
    marks
}

/// The entry with this key.
pub(super) fn entry_of(rows: &dyn Read, key: PositionKey) -> Result<Option<Entry>, LibraryError> {
    let bytes = rows.get(Table::Positions, key.as_bytes())?;
    let entry = bytes.map(|bytes| Entry::from_bytes(&bytes, &key)).transpose();
    entry.map_err(|_| LibraryError::Entry(key))
}

/// The entry of a position, whose stones are compared.
pub(super) fn entry_at(rows: &dyn Read, cursor: &Cursor, address: &Address) -> Result<Option<Entry>, LibraryError> {
    let entry = entry_of(rows, address.key())?;
    entry.map_or(Ok(None), |entry| check_stones(&entry, cursor, address).map(|()| Some(entry)))
}

/// Visits the entries of a rule and size whose keys begin at or after these bytes. The first damaged one is an error.
pub(super) fn scan_from(
    rows: &dyn Read,
    from: &[u8],
    rule: Rule,
    size: Size,
    visit: &mut dyn FnMut(PositionKey, Entry) -> ControlFlow<()>,
) -> Result<(), LibraryError> {
    let mut failed = None;
    scan_all(rows, from, rule, size, &mut |key, entry| match entry {
        Ok(entry) => visit(key, entry),
        Err(_) => {
            failed = Some(LibraryError::Entry(key));
            ControlFlow::Break(())
        }
    })?;
    failed.map_or(Ok(()), Err)
}

/// Visits what is stored of a rule and size, damaged entries too, from the keys that begin at or after these bytes.
pub(super) fn scan_all(
    rows: &dyn Read,
    from: &[u8],
    rule: Rule,
    size: Size,
    visit: &mut dyn FnMut(PositionKey, Result<Entry, EntryError>) -> ControlFlow<()>,
) -> Result<(), LibraryError> {
    let prefix = PositionKey::prefix(rule, size);
    let mut failed = None;
    rows.scan(Table::Positions, from, &mut |key, value| {
        let Some(key) = key.try_into().ok().map(PositionKey::from_bytes) else {
            failed = Some(LibraryError::NotALibrary);
            return ControlFlow::Break(());
        };
        if !key.as_bytes().starts_with(&prefix) {
            return ControlFlow::Break(());
        }
        visit(key, Entry::from_bytes(value, &key))
    })?;
    failed.map_or(Ok(()), Err)
}
