//! The moves of each known position: [`link`] adds new positions to those of the positions before them.
//!
//! A position is a move of every known position that is the same without one stone of the side that moved last. Moves are
//! found from the child: it has few stones, its parent many empty points.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::edit::{Edit, Knowledge, Stage};
use super::position::{Cursor, Move, PositionKey};
use super::view::scan_from;
use super::{Entry, LibraryError};
use crate::board::{Point, Rule, Size};

/// Reading a known position in a scan takes about as long as looking up this number of moves of new positions.
const SCAN_SHARE: u64 = 4;

/// The positions before this one: the last stone, and the key.
pub(super) fn parents(cursor: &Cursor) -> impl Iterator<Item = (Point, PositionKey)> + '_ {
    let mover = !cursor.turn();
    let stones = cursor.stones().iter().filter(move |(color, _)| *color == mover);
    stones.map(|&(_, point)| (point, cursor.key_before(point)))
}

/// The keys of the positions before this one, whether known or not. Passes are left out.
pub(super) fn parent_keys(cursor: &Cursor) -> Vec<PositionKey> {
    parents(cursor).map(|(_, key)| key).collect()
}

/// The moves that may lead from a position to known ones, in the stored orientation: those of its entry, else all.
pub(super) fn candidates(cursor: &Cursor, entry: Option<&Entry>) -> Vec<Move> {
    if let Some(entry) = entry {
        return entry.moves.clone();
    }
    let address = cursor.address();
    let empty = cursor.size().points().filter(|&point| cursor.is_empty(point));
    let stored: BTreeSet<Point> = empty.map(|point| address.store(point)).collect();
    stored.into_iter().map(Some).collect()
}

/// The move that led to a position, in the stored orientation of the position before it.
fn stored_before(child: &Cursor, played: Move) -> Move {
    played.map(|point| child.address_before(point).store(point))
}

/// Adds new positions to the moves of the known positions before them, and to their own moves the known positions after
/// them.
pub(super) fn link(edit: &mut Edit<'_>) -> Result<(), LibraryError> {
    let added = edit.added_keys();
    for (done, &key) in (0..).zip(&added) {
        edit.report(Stage::Linking, done, added.len() as u64);
        let Some(entry) = edit.entry_of(key)? else { continue };
        let cursor = Cursor::from_stones(&entry.stones);
        let parents: Vec<_> = parents(&cursor).map(|(point, key)| (Some(point), key)).collect();
        // A pass changes the side to move alone, so it leads from either of two positions to the other.
        let pass = cursor.key_after(None);
        let is_knowing = Knowledge::of(&entry.record) != Knowledge::default();
        for (played, parent) in parents.into_iter().chain([(None, pass)]) {
            add_move(edit, parent, &cursor, played, is_knowing)?;
        }
        if edit.is_known(pass)? {
            add_move(edit, key, &cursor, None, false)?;
        }
    }
    link_known_children(edit, &added)
}

/// Adds a move to the position with this key if it is known. `child` is the position after the move; if it `is_knowing`,
/// something may follow for the position.
fn add_move(
    edit: &mut Edit<'_>,
    key: PositionKey,
    child: &Cursor,
    played: Move,
    is_knowing: bool,
) -> Result<(), LibraryError> {
    if !edit.is_known(key)? {
        return Ok(());
    }
    if is_knowing {
        edit.touch(key);
    }
    edit.list_move(key, stored_before(child, played))
}

/// Adds positions that were known before to the moves of new ones.
fn link_known_children(edit: &mut Edit<'_>, added: &[PositionKey]) -> Result<(), LibraryError> {
    if edit.known_before() == 0 || added.is_empty() {
        return Ok(());
    }
    let games: BTreeSet<[u8; 2]> = added.iter().map(|key| [key.as_bytes()[0], key.as_bytes()[1]]).collect();
    for game in games {
        let keys: Vec<_> = added.iter().copied().filter(|key| key.as_bytes().starts_with(&game)).collect();
        let Some((rule, size)) = keys.first().and_then(PositionKey::game) else { continue };
        let looked_up = keys.len() as u64 * size.area() as u64;
        if looked_up < edit.known_before() * SCAN_SHARE {
            look_up_children(edit, &keys)?;
        } else {
            scan_for_children(edit, rule, size)?;
        }
    }
    Ok(())
}

/// Looks up the position after each move. The import of a game lists the moves of its positions before it, so a listed move
/// may lead to a known position too.
fn look_up_children(edit: &mut Edit<'_>, keys: &[PositionKey]) -> Result<(), LibraryError> {
    for &key in keys {
        let Some(mut entry) = edit.entry_of(key)? else { continue };
        let cursor = Cursor::from_stones(&entry.stones);
        let (mut is_longer, mut has_known) = (false, false);
        for point in cursor.size().points().filter(|&point| cursor.is_empty(point)) {
            // The entry is in the stored orientation, so its address maps points to the first of their images.
            let stored = Some(cursor.address().store(point));
            let after = cursor.key_after(stored);
            if stored == Some(point) && !edit.has_added(after) && edit.is_known(after)? {
                has_known = true;
                is_longer |= entry.add_move(stored);
            }
        }
        if has_known {
            edit.touch(key);
        }
        if is_longer {
            edit.set(key, Some(entry))?;
        }
    }
    Ok(())
}

/// Reads all known positions and finds those whose parents are new.
fn scan_for_children(edit: &mut Edit<'_>, rule: Rule, size: Size) -> Result<(), LibraryError> {
    let mut found: Vec<(PositionKey, PositionKey, Point)> = Vec::new();
    edit.flush()?;
    let visit = &mut |key: PositionKey, entry: Entry| {
        if !edit.has_added(key) {
            let cursor = Cursor::from_stones(&entry.stones);
            let new = parents(&cursor).filter(|(_, parent)| edit.has_added(*parent));
            found.extend(new.map(|(point, parent)| (parent, key, point)));
        }
        ControlFlow::Continue(())
    };
    scan_from(edit.rows(), &PositionKey::prefix(rule, size), rule, size, visit)?;
    for (parent, child, point) in found {
        let Some(entry) = edit.entry_of(child)? else { continue };
        add_move(edit, parent, &Cursor::from_stones(&entry.stones), Some(point), true)?;
    }
    Ok(())
}

/// Removes a position from the moves of the known positions before it.
pub(super) fn unlink(edit: &mut Edit<'_>, cursor: &Cursor) -> Result<(), LibraryError> {
    let moves: Vec<_> = parents(cursor).map(|(point, key)| (Some(point), key)).collect();
    for (played, key) in moves.into_iter().chain([(None, cursor.key_after(None))]) {
        let Some(mut entry) = edit.entry_of(key)? else { continue };
        let stored = stored_before(cursor, played);
        if let Ok(place) = entry.moves.binary_search(&stored) {
            entry.moves.remove(place);
            edit.set(key, Some(entry))?;
            edit.touch(key);
        }
    }
    Ok(())
}
