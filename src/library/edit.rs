//! [`Edit`]: changes to a library that become permanent together.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::flow::{self, FlowReport};
use super::position::{Address, Cursor, KeyMap, KeySet, Move, PositionKey};
use super::record::{Entry, Mark, Proof, Record, SearchNote, SourceId};
use super::sources::{Source, SourceRow, Sources};
use super::store::{Read, Row, Table, Write};
use super::view::entry_of;
use super::{LibraryError, links};

/// Maximum number of changed entries in memory, some 150 MB. More are written to the store, uncommitted.
const MOST_PENDING: usize = 500_000;

/// Number of entries that are written to the store at once: a multiple of [`REPORT_INTERVAL`], because a report of other
/// numbers is left out.
const WRITTEN_TOGETHER: usize = 8 * REPORT_INTERVAL as usize;

/// Number of positions between two reports of progress.
const REPORT_INTERVAL: u64 = 1_024;

/// A stage of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Positions are added or changed.
    Adding,
    /// The commit finds the moves that lead to new positions.
    Linking,
    /// The commit passes results and scores to the positions before.
    Flowing,
    /// The commit writes positions.
    Writing,
}

/// The progress of an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EditProgress {
    /// The stage.
    pub stage: Stage,
    /// Number of positions of this stage so far.
    pub done: u64,
    /// Number of all positions of this stage, as far as it is known; 0 while positions are added.
    pub total: u64,
}

/// Changes to a library. All become permanent by [`commit`](Self::commit), or none.
///
/// A commit also lists each new position among the moves of the known positions before it, and passes what has changed to
/// them: wins, losses and scores.
pub struct Edit<'a> {
    rows: Box<dyn Write + 'a>,
    /// Entries that the store does not hold yet. `None` removes an entry.
    pending: KeyMap<Option<Entry>>,
    /// The positions that this edit has added.
    added: KeySet,
    /// The positions that the commit updates first: what is known of them, or of their moves, has changed.
    changed: BTreeSet<PositionKey>,
    /// The number of positions before the edit.
    known: u64,
    /// The sources, once they were asked for.
    sources: OnceCell<Sources>,
    /// Receives the progress.
    watcher: Option<Box<dyn FnMut(EditProgress) + 'a>>,
    /// Number of changes of positions.
    updates: u64,
}

impl<'a> Edit<'a> {
    pub(super) fn new(rows: Box<dyn Write + 'a>) -> Result<Self, LibraryError> {
        let known = rows.count(Table::Positions)?;
        Ok(Self {
            rows,
            pending: KeyMap::default(),
            added: KeySet::default(),
            changed: BTreeSet::new(),
            known,
            sources: OnceCell::new(),
            watcher: None,
            updates: 0,
        })
    }

    /// Passes the progress of the edit and of its commit to a function.
    pub fn watch(&mut self, watcher: impl FnMut(EditProgress) + 'a) {
        self.watcher = Some(Box::new(watcher));
    }

    /// Reports the progress of a stage from time to time.
    pub(super) fn report(&mut self, stage: Stage, done: u64, total: u64) {
        if done % REPORT_INTERVAL == 0 {
            if let Some(watcher) = &mut self.watcher {
                watcher(EditProgress { stage, done, total });
            }
        }
    }

    /// The number of positions before this edit.
    pub(crate) const fn known_before(&self) -> u64 {
        self.known
    }

    /// The number of positions that this edit has added.
    pub fn added(&self) -> usize {
        self.added.len()
    }

    /// The entry of a position.
    ///
    /// # Errors
    /// When the library cannot be read, or the entry is damaged.
    pub fn entry(&self, cursor: &Cursor) -> Result<Option<Entry>, LibraryError> {
        self.entry_at(cursor, &cursor.address())
    }

    /// Changes the record of a position, which is added if it is unknown. The address translates points of the board to
    /// those of the record's marks and back.
    ///
    /// # Errors
    /// When the library cannot be read or written, or the entry is damaged.
    pub fn update(
        &mut self,
        cursor: &Cursor,
        change: &mut dyn FnMut(&mut Record, &Address),
    ) -> Result<(), LibraryError> {
        let address = cursor.address();
        let key = address.key();
        self.updates += 1;
        self.report(Stage::Adding, self.updates, 0);
        if let Some(Some(entry)) = self.pending.get_mut(&key) {
            check_stones(entry, cursor, &address)?;
            let before = Knowledge::of(&entry.record);
            change(&mut entry.record, &address);
            if Knowledge::of(&entry.record) != before {
                self.changed.insert(key);
            }
            return Ok(());
        }
        let (mut entry, before) = match self.entry_at(cursor, &address)? {
            Some(entry) => {
                let before = Knowledge::of(&entry.record);
                (entry, before)
            }
            None => {
                self.added.insert(key);
                let record = Record { derived: flow::final_result(cursor), ..Record::default() };
                let entry = Entry { stones: cursor.stored_stones(&address), moves: Vec::new(), record };
                (entry, Knowledge::default())
            }
        };
        change(&mut entry.record, &address);
        if Knowledge::of(&entry.record) != before {
            self.changed.insert(key);
        }
        self.set(key, Some(entry))
    }

    /// Lists a move of a position while its entry is still in memory, which saves the commit a rewrite of that entry. The
    /// commit lists what is missing.
    pub(super) fn add_move(&mut self, cursor: &Cursor, played: Move) {
        let address = cursor.address();
        if let Some(Some(entry)) = self.pending.get_mut(&address.key()) {
            entry.add_move(played.map(|point| address.store(point)));
        }
    }

    /// Lists a stored move among those of the known position with this key.
    pub(super) fn list_move(&mut self, key: PositionKey, stored: Move) -> Result<(), LibraryError> {
        if let Some(pending) = self.pending.get_mut(&key) {
            if let Some(entry) = pending {
                entry.add_move(stored);
            }
            return Ok(());
        }
        let Some(mut entry) = self.entry_of(key)? else { return Ok(()) };
        if entry.add_move(stored) { self.set(key, Some(entry)) } else { Ok(()) }
    }

    /// Adds what a record knows, with its marks in the orientation of the board. See [`Record::merge`].
    ///
    /// # Errors
    /// Those of [`update`](Self::update).
    pub fn merge(&mut self, cursor: &Cursor, record: Record, is_newer: bool) -> Result<(), LibraryError> {
        let mut record = Some(record);
        self.update(cursor, &mut |own, address| {
            let Some(mut other) = record.take() else { return };
            other.marks.iter_mut().for_each(|mark| mark.point = address.store(mark.point));
            own.merge(other, is_newer);
        })
    }

    /// Sets the label of a point of the board, or removes it if the text is empty.
    ///
    /// # Errors
    /// Those of [`update`](Self::update).
    pub fn set_mark(&mut self, cursor: &Cursor, mark: &Mark) -> Result<(), LibraryError> {
        self.update(cursor, &mut |record, address| {
            let point = address.store(mark.point);
            record.marks.retain(|own| own.point != point);
            if !mark.text.is_empty() {
                record.marks.push(Mark { point, text: mark.text.clone() });
                record.marks.sort();
            }
        })
    }

    /// Makes the positions on the way to a position known, so that moves lead to it: one for each move that the cursor can
    /// take back.
    ///
    /// # Errors
    /// Those of [`update`](Self::update).
    pub fn add_path(&mut self, cursor: &Cursor) -> Result<(), LibraryError> {
        let mut before = cursor.clone();
        while before.undo() {
            self.update(&before, &mut |_, _| {})?;
        }
        Ok(())
    }

    /// Removes a position. Returns whether it was known.
    ///
    /// # Errors
    /// When the library cannot be read or written, or an entry is damaged.
    pub fn remove(&mut self, cursor: &Cursor) -> Result<bool, LibraryError> {
        let address = cursor.address();
        if self.entry_at(cursor, &address)?.is_none() {
            return Ok(false);
        }
        links::unlink(self, cursor)?;
        self.added.remove(&address.key());
        self.changed.remove(&address.key());
        self.set(address.key(), None)?;
        Ok(true)
    }

    /// Adds a source, or finds it by its name and checksum.
    ///
    /// # Errors
    /// When the library cannot be read or written.
    pub fn add_source(&mut self, source: &Source) -> Result<SourceId, LibraryError> {
        self.count_games(source, 0)
    }

    /// Adds a source, or finds it, and raises the number of games learnt from it.
    pub(super) fn count_games(&mut self, source: &Source, games: u64) -> Result<SourceId, LibraryError> {
        let mut sources = match self.sources.take() {
            Some(sources) => sources,
            None => Sources::read(self.rows.as_read())?,
        };
        let (id, changed) = sources.add(source, games);
        self.sources = sources.into();
        if let Some(row) = changed {
            self.rows.put_all(Table::Sources, &mut std::iter::once(row.to_row(id)))?;
        }
        Ok(id)
    }

    /// Whether a file with this checksum was imported.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub(crate) fn has_imported(&self, checksum: u64) -> Result<bool, LibraryError> {
        Ok(self.sources()?.with_checksum(checksum).is_some())
    }

    /// The source with this checksum.
    pub(super) fn source_with(&self, checksum: u64) -> Result<Option<&SourceRow>, LibraryError> {
        Ok(self.sources()?.with_checksum(checksum))
    }

    fn sources(&self) -> Result<&Sources, LibraryError> {
        if let Some(sources) = self.sources.get() {
            return Ok(sources);
        }
        let read = Sources::read(self.rows.as_read())?;
        Ok(self.sources.get_or_init(|| read))
    }

    /// Makes the changes permanent. Returns what followed from them.
    ///
    /// # Errors
    /// When the library cannot be read or written. Nothing is changed then.
    pub fn commit(mut self) -> Result<FlowReport, LibraryError> {
        links::link(&mut self)?;
        let changed = std::mem::take(&mut self.changed);
        let report = flow::flow(&mut self, changed)?;
        self.flush()?;
        self.rows.commit()?;
        Ok(report)
    }

    /// The positions that this edit has added, in ascending order.
    pub(super) fn added_keys(&self) -> Vec<PositionKey> {
        let mut keys: Vec<_> = self.added.iter().copied().collect();
        keys.sort_unstable();
        keys
    }

    /// Whether this edit has added the position with this key.
    pub(super) fn has_added(&self, key: PositionKey) -> bool {
        self.added.contains(&key)
    }

    /// Whether the position with this key is known.
    pub(super) fn is_known(&self, key: PositionKey) -> Result<bool, LibraryError> {
        if self.is_surely_unknown(key) {
            return Ok(false);
        }
        match self.pending.get(&key) {
            Some(entry) => Ok(entry.is_some()),
            None => Ok(self.rows.get(Table::Positions, key.as_bytes())?.is_some()),
        }
    }

    /// The entry with this key.
    pub(super) fn entry_of(&self, key: PositionKey) -> Result<Option<Entry>, LibraryError> {
        match self.pending.get(&key) {
            Some(entry) => Ok(entry.clone()),
            None if self.is_surely_unknown(key) => Ok(None),
            None => entry_of(self.rows.as_read(), key),
        }
    }

    /// Whether the store need not be asked: it was empty before this edit, which has not added the position.
    fn is_surely_unknown(&self, key: PositionKey) -> bool {
        self.known == 0 && !self.added.contains(&key)
    }

    /// The entry of a position. Compares the stones, because two positions may share a key.
    pub(super) fn entry_at(&self, cursor: &Cursor, address: &Address) -> Result<Option<Entry>, LibraryError> {
        let entry = self.entry_of(address.key())?;
        entry.map_or(Ok(None), |entry| check_stones(&entry, cursor, address).map(|()| Some(entry)))
    }

    /// Sets or removes an entry.
    pub(super) fn set(&mut self, key: PositionKey, entry: Option<Entry>) -> Result<(), LibraryError> {
        self.pending.insert(key, entry);
        if self.pending.len() > MOST_PENDING { self.flush() } else { Ok(()) }
    }

    /// Marks a position for the update at the commit.
    pub(super) fn touch(&mut self, key: PositionKey) {
        self.changed.insert(key);
    }

    /// The rows of the store. They lack what is pending.
    pub(super) fn rows(&self) -> &dyn Read {
        self.rows.as_read()
    }

    /// Writes the pending entries to the store, uncommitted, in the order of their keys.
    pub(super) fn flush(&mut self) -> Result<(), LibraryError> {
        let mut pending: Vec<_> = std::mem::take(&mut self.pending).into_iter().collect();
        pending.sort_unstable_by_key(|(key, _)| *key);
        let total = pending.len() as u64;
        for (done, rows) in (0..).step_by(WRITTEN_TOGETHER).zip(pending.chunks(WRITTEN_TOGETHER)) {
            self.report(Stage::Writing, done, total);
            let row = |(key, entry): &(PositionKey, Option<Entry>)| -> Row {
                (key.as_bytes().to_vec(), entry.as_ref().map(|entry| entry.to_bytes(key)))
            };
            self.rows.put_all(Table::Positions, &mut rows.iter().map(row))?;
        }
        Ok(())
    }
}

/// The part of a record from which something follows for other positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Knowledge(Option<Proof>, Option<Proof>, bool, Option<SearchNote>, Option<i32>);

impl Knowledge {
    pub(super) const fn of(record: &Record) -> Self {
        Self(record.proof, record.derived, record.is_disputed, record.search, record.backed_up)
    }
}

/// Compares the stones of an entry with those of the position that has its key.
pub(super) fn check_stones(entry: &Entry, cursor: &Cursor, address: &Address) -> Result<(), LibraryError> {
    if entry.stones == cursor.stored_stones(address) { Ok(()) } else { Err(LibraryError::Collision(address.key())) }
}
