//! [`Edit::remove_below`]: removes what follows a position.

use std::collections::HashSet;

use super::links::{candidates, parents};
use super::position::{Cursor, PositionKey};
use super::record::{Mark, Record};
use super::{Edit, LibraryError};
use crate::board::Point;

/// Which positions [`Edit::remove_below`] removes.
#[derive(Clone, Copy)]
pub struct Removal<'a> {
    /// Whether a position is removed, with all that follows it.
    pub removes: &'a dyn Fn(&Record) -> bool,
    /// Whether the search continues below positions that stay. Otherwise only the moves of the first position are
    /// tested.
    pub is_recursive: bool,
}

impl Edit<'_> {
    /// Removes a position, and the labels on its move in the known positions before it. Returns whether it was known.
    ///
    /// # Errors
    /// When the library cannot be read or written, or an entry is damaged.
    pub fn remove_with_labels(&mut self, cursor: &Cursor) -> Result<bool, LibraryError> {
        for (point, key) in parents(cursor).collect::<Vec<_>>() {
            if self.entry_of(key)?.is_some() {
                let mut before = cursor.clone();
                before.take(point);
                before.set_turn(!cursor.turn());
                self.set_mark(&before, &Mark { point, text: String::new() })?;
            }
        }
        self.remove(cursor)
    }

    /// Removes positions after a position, which stays. A position stays too if another position leads to it that is known
    /// and is not removed. Passes are not followed. Returns the number of positions removed.
    ///
    /// # Errors
    /// When the library cannot be read or written, or an entry is damaged.
    pub fn remove_below(&mut self, cursor: &Cursor, removal: Removal<'_>) -> Result<u64, LibraryError> {
        let mut count = 0;
        let mut seen = HashSet::new();
        // Positions whose moves are to be looked at, the moves, and whether the position is removed.
        let mut open = vec![(cursor.clone(), self.moves_of(cursor)?, false)];
        while let Some((position, moves, is_removed)) = open.pop() {
            for point in moves {
                let mut after = position.clone();
                after.play(Some(point));
                let Some(entry) = self.entry(&after)? else { continue };
                if is_removed || (removal.removes)(&entry.record) {
                    if self.has_other_parent(&after, position.key())? {
                        continue;
                    }
                    let moves = self.moves_of(&after)?;
                    self.remove_with_labels(&after)?;
                    count += 1;
                    open.push((after, moves, true));
                } else if removal.is_recursive && seen.insert(after.key()) {
                    let moves = self.moves_of(&after)?;
                    open.push((after, moves, false));
                }
            }
        }
        Ok(count)
    }

    /// The moves that may lead to known positions, one of those that are images of each other.
    fn moves_of(&self, cursor: &Cursor) -> Result<Vec<Point>, LibraryError> {
        let address = cursor.address();
        let moves = candidates(cursor, self.entry_at(cursor, &address)?.as_ref());
        Ok(moves.into_iter().flatten().filter_map(|stored| address.restore(stored).first().copied()).collect())
    }

    /// Whether a known position other than this one leads to a position.
    fn has_other_parent(&self, cursor: &Cursor, parent: PositionKey) -> Result<bool, LibraryError> {
        for (_, key) in parents(cursor) {
            if key != parent && self.entry_of(key)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
