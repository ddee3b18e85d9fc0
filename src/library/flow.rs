//! What is known flows back: wins, losses and scores of positions to the positions before them.
//!
//! | known | follows |
//! | --- | --- |
//! | a move after which the other side loses in n | a win in n + 1 |
//! | after every legal move the other side wins, at most in n | a loss in n + 1 |
//! | scores of some moves, whose results are not known | the greatest of them, from the other side |
//! | a search of the position itself, and moves without a score | at least its score less [`UNKNOWN_PENALTY`] |
//!
//! A move without a record is unknown. Passes carry nothing. A result that contradicts another one is reported, and
//! neither of them flows on.

use std::collections::BTreeSet;

use super::LibraryError;
use super::edit::Edit;
use super::links::parent_keys;
use super::position::{Cursor, PositionKey};
use super::record::{Entry, Proof, ProofOrigin, Record};
use crate::board::{Color, Point, PointSet};
use crate::score::Score;

/// What the best unknown move is worth less than the search of its position says, in units of a score. Scores no farther
/// from 0 are even; set by hand.
const UNKNOWN_PENALTY: i32 = Score::EVEN;

/// What followed from a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowReport {
    /// Positions that are now known to be won or lost by other positions.
    pub derived: u64,
    /// Positions of which different results are known.
    pub contradictions: Vec<PositionKey>,
}

/// The result of a position after the last stone of a game: lost, if the last mover has a winning row.
pub(super) fn final_result(cursor: &Cursor) -> Option<Proof> {
    let stones = cursor.stones();
    // A row of five needs nine stones of an ordinary game.
    if stones.len() < 9 {
        return None;
    }
    let board = cursor.board();
    let mover = !cursor.turn();
    let has_won = stones.iter().any(|&(color, point)| color == mover && board.wins(point, color));
    has_won.then_some(Proof { is_win: false, plies: Some(0), origin: ProofOrigin::Derived })
}

/// Updates changed positions and all that follows, from the positions with the most stones down.
pub(super) fn flow(edit: &mut Edit<'_>, mut changed: BTreeSet<PositionKey>) -> Result<FlowReport, LibraryError> {
    let mut report = FlowReport::default();
    let mut sources = changed.clone();
    // The known parents of a changed position have one stone less, so each position is updated once.
    while let Some(key) = changed.pop_last() {
        let is_source = sources.remove(&key);
        let Some(mut entry) = edit.entry_of(key)? else { continue };
        let cursor = Cursor::from_stones(&entry.stones);
        let (derived, backed_up) = follow(&|key| edit.entry_of(key), &cursor, &entry)?;
        let is_same = entry.record.derived == derived && entry.record.backed_up == backed_up;
        if derived.is_some() && entry.record.derived != derived {
            report.derived += 1;
        }
        if !is_same {
            (entry.record.derived, entry.record.backed_up) = (derived, backed_up);
        }
        if entry.record.is_contradictory() {
            report.contradictions.push(key);
        }
        if !is_same {
            edit.set(key, Some(entry))?;
        }
        if !is_same || is_source {
            for parent in parent_keys(&cursor) {
                if !changed.contains(&parent) && edit.known_entry_of(parent)?.is_some() {
                    changed.insert(parent);
                }
            }
        }
    }
    report.contradictions.reverse();
    Ok(report)
}

/// Finds the entry with a key.
pub(super) type Find<'a> = dyn Fn(PositionKey) -> Result<Option<Entry>, LibraryError> + 'a;

/// The result and the score that follow from the known moves of a position in the stored orientation.
pub(super) fn follow(
    find: &Find<'_>,
    cursor: &Cursor,
    entry: &Entry,
) -> Result<(Option<Proof>, Option<i32>), LibraryError> {
    if let Some(lost) = final_result(cursor) {
        return Ok((Some(lost), None));
    }
    let mut win: Option<Proof> = None;
    let mut losing = PointSet::EMPTY;
    let (mut longest, mut is_longest_known) = (0, true);
    let mut best: Option<i32> = None;
    let address = cursor.address();
    for &stored in entry.moves.iter().flatten() {
        let Some(child) = find(cursor.key_after(Some(stored)))? else { continue };
        let one_more = |proof: Proof| proof.plies.map(|plies| plies.saturating_add(1));
        match child.record.settled() {
            Some(proof) if proof.is_win => {
                losing.extend(address.restore(stored));
                match one_more(proof) {
                    Some(plies) => longest = longest.max(plies),
                    None => is_longest_known = false,
                }
            }
            Some(proof) => {
                let found = Proof { is_win: true, plies: one_more(proof), origin: ProofOrigin::Derived };
                if win.is_none_or(|win| found.is_better_than(win)) {
                    win = Some(found);
                }
            }
            None => {
                if let Some(score) = child.record.score() {
                    best = best.max(Some(Score::from_eval(-score.value()).value()));
                }
            }
        }
    }
    let derived = win.or_else(|| {
        let plies = is_longest_known.then_some(longest);
        let loss = Proof { is_win: false, plies, origin: ProofOrigin::Derived };
        (!losing.is_empty() && loses_everywhere(cursor, &losing)).then_some(loss)
    });
    let backed_up = match derived {
        Some(_) => None,
        None => at_least_the_search(&entry.record, best),
    };
    Ok((derived, backed_up))
}

/// The best score of the known moves, or that of the search with the penalty for a move that is not known.
fn at_least_the_search(record: &Record, best: Option<i32>) -> Option<i32> {
    let unknown = record.search.map(|search| Score::from_eval(search.score - UNKNOWN_PENALTY).value());
    best.map(|best| unknown.map_or(best, |unknown| best.max(unknown)))
}

/// Whether every legal move of a position loses, if these do. A forbidden point is no legal move.
fn loses_everywhere(cursor: &Cursor, losing: &PointSet) -> bool {
    let mut open = cursor.size().points().filter(|&point| !losing.contains(point) && cursor.is_empty(point)).peekable();
    if open.peek().is_none() {
        return true;
    }
    let turn: Color = cursor.turn();
    if !cursor.rule().forbids(turn) {
        return false;
    }
    let board = cursor.board();
    open.all(|point: Point| !board.wins(point, turn) && board.is_forbidden(point, turn))
}
