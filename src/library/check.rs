//! [`View::check`]: whether a library agrees with itself.

use std::fmt;
use std::ops::ControlFlow;

use super::flow::follow;
use super::links::parents;
use super::position::{Cursor, PositionKey};
use super::record::Entry;
use super::{LibraryError, View};
use crate::board::{Color, Rule, Size};
use crate::notation::Letters;

/// A fault of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Its entry cannot be read.
    Entry,
    /// Its key does not belong to its stones.
    Key,
    /// Two stones are on one point.
    Stones,
    /// A move is on a stone, or leads to a position that is not known.
    MissingMove,
    /// It is not among the moves of a known position before it.
    MissingLink,
    /// Its result or score does not follow from its moves.
    Stale,
    /// Its sources state different results. The library is not damaged.
    Contradiction,
}

impl Fault {
    /// Whether the fault is damage of the file. Contradictions come from the sources.
    pub const fn is_damage(self) -> bool {
        !matches!(self, Self::Contradiction)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Entry => "its entry is damaged",
            Self::Key => "its key does not belong to its stones",
            Self::Stones => "a stone stands twice",
            Self::MissingMove => "a move leads to an unknown position",
            Self::MissingLink => "a known position before it lacks this move",
            Self::Stale => "its result or score does not follow from its moves",
            Self::Contradiction => "its sources contradict each other",
        })
    }
}

/// The result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Number of positions.
    pub positions: u64,
    /// The faults, each with a name of the position: its stones, or its key if its entry cannot be read.
    pub faults: Vec<(String, Fault)>,
}

/// The stones of a position, such as `h8 i9 | j10` with black's first.
fn name(cursor: &Cursor) -> String {
    let letters = Letters::new(cursor.size());
    let stones = |color| {
        let stones = cursor.stones().iter().filter(move |(other, _)| *other == color);
        stones.map(|&(_, point)| letters.point(point).to_string()).collect::<Vec<_>>().join(" ")
    };
    format!("{} | {}", stones(Color::Black), stones(Color::White))
}

/// What was read; `None` if it needs an entry that is damaged.
fn undamaged<T>(read: Result<T, LibraryError>) -> Result<Option<T>, LibraryError> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(LibraryError::Entry(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

impl View<'_> {
    /// Checks every position: its entry, its key, its moves, the positions before it, and what follows from its moves. Next
    /// to a damaged entry only what does not depend on it is checked.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub fn check(&self) -> Result<CheckReport, LibraryError> {
        let mut report = CheckReport::default();
        for (rule, size) in self.games()? {
            self.check_game(rule, size, &mut report)?;
        }
        Ok(report)
    }

    fn check_game(&self, rule: Rule, size: Size, report: &mut CheckReport) -> Result<(), LibraryError> {
        let mut failed = None;
        self.scan_all(rule, size, &mut |key, entry| {
            report.positions += 1;
            let Ok(entry) = entry else {
                report.faults.push((format!("{key:?}"), Fault::Entry));
                return ControlFlow::Continue(());
            };
            match self.faults(key, &entry) {
                Ok(faults) => {
                    let name = name(&Cursor::from_stones(&entry.stones));
                    report.faults.extend(faults.into_iter().map(|fault| (name.clone(), fault)));
                    ControlFlow::Continue(())
                }
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        failed.map_or(Ok(()), Err)
    }

    fn faults(&self, key: PositionKey, entry: &Entry) -> Result<Vec<Fault>, LibraryError> {
        let cursor = Cursor::from_stones(&entry.stones);
        let mut stones: Vec<_> = cursor.stones().iter().map(|&(_, point)| point).collect();
        stones.sort_unstable();
        if stones.windows(2).any(|pair| pair[0] == pair[1]) {
            return Ok(vec![Fault::Stones]);
        }
        let address = cursor.address();
        if address.key() != key || cursor.stored_stones(&address) != entry.stones {
            return Ok(vec![Fault::Key]);
        }
        let mut faults = Vec::new();
        for &played in &entry.moves {
            let is_legal = played.is_none_or(|point| cursor.is_empty(point));
            let after = undamaged(self.entry_of(cursor.key_after(played)))?;
            if !is_legal || after == Some(None) {
                faults.push(Fault::MissingMove);
            }
        }
        for (point, parent) in parents(&cursor) {
            let Some(Some(parent)) = undamaged(self.entry_of(parent))? else { continue };
            let mut before = cursor.clone();
            before.set_turn(!cursor.turn());
            before.take(point);
            if parent.moves.binary_search(&Some(before.address().store(point))).is_err() {
                faults.push(Fault::MissingLink);
            }
        }
        let follows = undamaged(follow(&|key| self.entry_of(key), &cursor, entry))?;
        if follows.is_some_and(|follows| follows != (entry.record.derived, entry.record.backed_up)) {
            faults.push(Fault::Stale);
        }
        if entry.record.is_contradictory() {
            faults.push(Fault::Contradiction);
        }
        Ok(faults)
    }
}
