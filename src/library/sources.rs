//! [`Source`]: where records came from. The table of sources also holds how many games came from each.

use std::collections::HashMap;
use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};

use super::LibraryError;
use super::record::SourceId;
use super::store::{Read, Row, Table};

/// A description of where records came from.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Source {
    /// The name of the file, the engine or the person.
    pub name: String,
    /// The checksum of an imported file, or that of the heading and the first game of a match. The same file is not imported
    /// twice.
    pub checksum: Option<u64>,
}

impl Source {
    /// The searches of this program.
    pub fn own() -> Self {
        Self { name: format!("Tengen {}", env!("CARGO_PKG_VERSION")), checksum: None }
    }
}

impl SourceId {
    /// The key of the source in its table.
    pub(super) fn to_key(self) -> Vec<u8> {
        self.0.to_be_bytes().to_vec()
    }
}

/// A row of the table of sources.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SourceRow {
    pub(super) source: Source,
    /// The number of games of the source that are in the library.
    pub(super) games: u64,
}

impl SourceRow {
    /// The row that a store holds as these bytes.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, LibraryError> {
        postcard::from_bytes(bytes).map_err(|_| LibraryError::NotALibrary)
    }

    /// The row of a store.
    pub(super) fn to_row(&self, id: SourceId) -> Row {
        // Writing to memory does not fail.
        (id.to_key(), Some(postcard::to_stdvec(self).unwrap_or_default()))
    }
}

/// All sources of a library, found by what they are: an archive has thousands.
#[derive(Default)]
pub(super) struct Sources {
    rows: Vec<(SourceId, SourceRow)>,
    places: HashMap<Source, usize>,
    of_checksums: HashMap<u64, usize>,
}

impl Sources {
    pub(super) fn read(rows: &dyn Read) -> Result<Self, LibraryError> {
        let mut sources = Self::default();
        let mut is_damaged = false;
        rows.scan(Table::Sources, &[], &mut |key, value| {
            let id = key.try_into().ok().map(|key| SourceId(u32::from_be_bytes(key)));
            match id.zip(SourceRow::from_bytes(value).ok()) {
                Some((id, row)) => sources.push(id, row),
                None => is_damaged = true,
            }
            ControlFlow::Continue(())
        })?;
        if is_damaged { Err(LibraryError::NotALibrary) } else { Ok(sources) }
    }

    fn push(&mut self, id: SourceId, row: SourceRow) {
        let place = self.rows.len();
        self.places.insert(row.source.clone(), place);
        if let Some(checksum) = row.source.checksum {
            self.of_checksums.entry(checksum).or_insert(place);
        }
        self.rows.push((id, row));
    }

    /// The sources in the order in which they were added.
    pub(super) fn rows(&self) -> &[(SourceId, SourceRow)] {
        &self.rows
    }

    /// The source with this checksum.
    pub(super) fn with_checksum(&self, checksum: u64) -> Option<&SourceRow> {
        self.of_checksums.get(&checksum).map(|&place| &self.rows[place].1)
    }

    /// Adds a source, or finds it. Returns its number, and its row if the row is new or has another number of games.
    pub(super) fn add(&mut self, source: &Source, games: u64) -> (SourceId, Option<SourceRow>) {
        if let Some(&place) = self.places.get(source) {
            let (id, row) = &mut self.rows[place];
            let is_same = row.games >= games;
            row.games = row.games.max(games);
            return (*id, (!is_same).then(|| row.clone()));
        }
        let id = SourceId(self.rows.last().map_or(0, |(SourceId(last), _)| last + 1));
        let row = SourceRow { source: source.clone(), games };
        self.push(id, row.clone());
        (id, Some(row))
    }
}
