//! What is done with whole libraries: [`merge`], [`diff`] and [`prune`].

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::links::parent_keys;
use super::position::{Cursor, PositionKey};
use super::record::{Bound, Entry, GameCounts, Record, SearchNote, SourceId};
use super::sources::SourceRow;
use super::tree::branch;
use super::{Edit, LibraryError, View};

/// Adds all that another library knows. Returns the number of positions of the other library.
///
/// # Errors
/// When a library cannot be read or written; when both have imported the same file of games, unless `is_again` allows its games to
/// count twice.
pub fn merge(edit: &mut Edit<'_>, other: &View<'_>, is_newer: bool, is_again: bool) -> Result<u64, LibraryError> {
    merge_if(edit, other, &|_| Some(Taken::Alone), is_newer, is_again)
}

/// Adds what another library knows of a position, of those that lead to it and of those that follow it. Passes are not
/// followed. Results of the positions before it stay, also if they follow from other moves. Returns the number of these
/// positions.
pub(super) fn merge_branch(edit: &mut Edit<'_>, other: &View<'_>, cursor: &Cursor) -> Result<u64, LibraryError> {
    let keys = branch(other, cursor)?;
    let count = cursor.stones().len();
    let meant = |key: PositionKey| match keys.contains(&key) {
        false => None,
        true if key.stone_count() < count => Some(Taken::WithResults),
        true => Some(Taken::Alone),
    };
    merge_if(edit, other, &meant, false, false)
}

/// What is taken of a position of another library.
#[derive(Clone, Copy)]
enum Taken {
    /// Its record. What follows from its moves follows again.
    Alone,
    /// Its record and the result that follows from its moves, some of which are not taken.
    WithResults,
}

/// Adds what another library knows of the positions for which a condition holds.
fn merge_if(
    edit: &mut Edit<'_>,
    other: &View<'_>,
    meant: &dyn Fn(PositionKey) -> Option<Taken>,
    is_newer: bool,
    is_again: bool,
) -> Result<u64, LibraryError> {
    let sources = other.source_rows()?;
    for (_, SourceRow { source, games }) in sources.rows() {
        let is_twice = match source.checksum {
            // Positions, comments and labels are the same after they are added twice. Games are not.
            Some(checksum) if !is_again && *games > 0 => edit.has_imported(checksum)?,
            _ => false,
        };
        if is_twice {
            return Err(LibraryError::ImportedTwice(source.name.clone()));
        }
    }
    let mut ids: HashMap<SourceId, SourceId> = HashMap::new();
    for (id, SourceRow { source, games }) in sources.rows() {
        ids.insert(*id, edit.count_games(source, *games)?);
    }
    let translated = |id: Option<SourceId>| id.and_then(|id| ids.get(&id).copied());
    let mut count = 0;
    for (rule, size) in other.games()? {
        let mut failed = None;
        other.scan(rule, size, &mut |key, entry| {
            let Some(taken) = meant(key) else { return ControlFlow::Continue(()) };
            count += 1;
            let mut record = entry.record;
            match taken {
                Taken::WithResults => keep_result(&mut record),
                Taken::Alone => {}
            }
            record = Record { derived: None, backed_up: None, ..record };
            record.source = translated(record.source);
            if let Some(search) = &mut record.search {
                search.engine = translated(search.engine);
            }
            match edit.merge(&Cursor::from_stones(&entry.stones), record, is_newer) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        if let Some(error) = failed {
            return Err(error);
        }
    }
    Ok(count)
}

/// A position of which two libraries know different things. The records are in the stored orientation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The position.
    pub cursor: Cursor,
    /// The record of each library.
    pub records: [Option<Record>; 2],
}

/// Visits the positions of which two libraries know different things. Numbers of sources are not compared.
///
/// # Errors
/// When a library cannot be read.
pub fn diff(first: &View<'_>, second: &View<'_>, visit: &mut dyn FnMut(Difference)) -> Result<(), LibraryError> {
    for (order, (one, other)) in [(first, second), (second, first)].into_iter().enumerate() {
        for (rule, size) in one.games()? {
            let mut failed = None;
            one.scan(rule, size, &mut |key, entry| {
                let own = without_sources(entry.record);
                let found = match other.entry_of(key) {
                    Ok(found) => found.map(|found| without_sources(found.record)),
                    Err(error) => {
                        failed = Some(error);
                        return ControlFlow::Break(());
                    }
                };
                // Positions that both know are compared once.
                if found.as_ref() != Some(&own) && (order == 0 || found.is_none()) {
                    let mut records = [Some(own), found];
                    records.rotate_left(order);
                    visit(Difference { cursor: Cursor::from_stones(&entry.stones), records });
                }
                ControlFlow::Continue(())
            })?;
            if let Some(error) = failed {
                return Err(error);
            }
        }
    }
    Ok(())
}

fn without_sources(mut record: Record) -> Record {
    record.source = None;
    if let Some(search) = &mut record.search {
        search.engine = None;
    }
    record
}

/// The positions that [`prune`] removes: those that meet any of the conditions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prune {
    /// Positions with more stones than this.
    pub more_stones_than: Option<usize>,
    /// Positions with fewer games than this of which nothing else is known, unless their moves lead to one that stays.
    pub fewer_games_than: Option<u64>,
}

impl Prune {
    fn removes(self, stones: usize, entry: &Entry) -> bool {
        let others = Record { games: GameCounts::default(), backed_up: None, derived: None, ..entry.record.clone() };
        let has_few = |least| entry.record.games.total() < least && others.is_empty();
        self.more_stones_than.is_some_and(|most| stones > most)
            || self.fewer_games_than.is_some_and(has_few) && entry.moves.iter().flatten().next().is_none()
    }
}

/// Removes positions, those with the most stones first. Results and scores that followed from a removed position stay.
/// Returns the number of removed positions.
///
/// # Errors
/// When the library cannot be read or written.
pub fn prune(edit: &mut Edit<'_>, view: &View<'_>, condition: Prune) -> Result<u64, LibraryError> {
    let mut positions = Vec::new();
    for (rule, size) in view.games()? {
        view.scan(rule, size, &mut |key, _| {
            positions.push(key);
            ControlFlow::Continue(())
        })?;
    }
    let mut removed = 0;
    for key in positions.into_iter().rev() {
        let Some(entry) = edit.entry_of(key)? else { continue };
        let cursor = Cursor::from_stones(&entry.stones);
        if condition.removes(key.stone_count(), &entry) {
            if entry.record.score().is_some() {
                keep_consequences(edit, &cursor)?;
            }
            edit.remove(&cursor)?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Makes the results and scores that follow from a position those of the positions before it.
fn keep_consequences(edit: &mut Edit<'_>, cursor: &Cursor) -> Result<(), LibraryError> {
    for key in parent_keys(cursor) {
        let Some(mut entry) = edit.entry_of(key)? else { continue };
        if entry.record.derived.is_some() || entry.record.backed_up.is_some() {
            keep_result(&mut entry.record);
            keep_score(&mut entry.record);
            edit.set(key, Some(entry))?;
        }
    }
    Ok(())
}

/// Makes the result that follows from the moves of a position its own.
fn keep_result(record: &mut Record) {
    // Beside a result of its own the better one counts, and a different one is a contradiction.
    if let Some(derived) = record.derived {
        record.merge(Record { proof: Some(derived), ..Record::default() }, false);
    }
}

/// Makes the score that follows from the moves of a position that of its search, which knew less.
fn keep_score(record: &mut Record) {
    if let Some(score) = record.backed_up {
        let unknown = SearchNote { score, depth: 0, bound: Bound::Exact, nodes: 0, engine: None };
        record.search = Some(SearchNote { score, bound: Bound::Exact, ..record.search.unwrap_or(unknown) });
    }
}
