//! What is known flows back: wins, losses and scores of positions to the positions before them.
//!
//! | known | follows |
//! | --- | --- |
//! | a move after which the other side loses in n | a win in n + 1 |
//! | after every legal move the other side wins, at most in n | a loss in n + 1 |
//! | scores of some moves, whose results are not known | the greatest of them, from the other side |
//! | a search of the position, and moves whose value is not known | at least the [bound](ValuedMoves::score) of those moves |
//!
//! A move without a record is unknown. Passes and forbidden points carry nothing. A result that contradicts another one
//! is reported, and neither of them flows on.

use std::collections::BTreeSet;

use super::LibraryError;
use super::edit::{Edit, Stage};
use super::links::parent_keys;
use super::position::{Cursor, PositionKey};
use super::record::{Bound, Entry, Proof, ProofOrigin, Record};
use crate::board::{Board, Point, PointSet};
use crate::score::Score;

/// The penalty of moves that are not known, in units of a score: such a move may be worse than the search says. Scores
/// no farther from 0 are even; set by hand.
const UNKNOWN_PENALTY: i32 = Score::EVEN;

/// The consequences of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowReport {
    /// Positions that are now known to be won or lost by other positions.
    pub derived: u64,
    /// Positions of which different results are known.
    pub contradictions: Vec<PositionKey>,
    /// Positions of which another result or score follows than before.
    pub updated: Vec<PositionKey>,
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
    let mut done = 0;
    while let Some(key) = changed.pop_last() {
        edit.report(Stage::Flowing, done, done + 1 + changed.len() as u64);
        done += 1;
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
            report.updated.push(key);
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
    let mut moves = ValuedMoves::default();
    let address = cursor.address();
    let board = cursor.board();
    for &stored in entry.moves.iter().flatten() {
        let Some(child) = find(cursor.key_after(Some(stored)))? else { continue };
        if !board.is_forbidden(stored, cursor.turn()) {
            moves.add(&child.record, &address.restore(stored));
        }
    }
    let derived = moves.result(&board);
    let backed_up = if derived.is_some() { None } else { moves.score(&board, &entry.record) };
    Ok((derived, backed_up))
}

/// The legal moves of a position of which a result or a score is known, for the side to move.
#[derive(Default)]
struct ValuedMoves {
    /// The best win.
    win: Option<Proof>,
    /// The points that lose.
    losing: PointSet,
    /// The plies of the longest loss; `None` if those of a loss are not known.
    longest: Option<u16>,
    /// The points with a score.
    scored: PointSet,
    /// The best score.
    best: Option<i32>,
    /// The least score that the search of a move gives.
    least_searched: Option<i32>,
}

impl ValuedMoves {
    /// Adds a move with all its images, by the record of the position after it.
    fn add(&mut self, after: &Record, images: &[Point]) {
        let one_more = |proof: Proof| proof.plies.map(|plies| plies.saturating_add(1));
        let turned = |score: Score| Score::from_eval(-score.value()).value();
        match after.settled() {
            Some(proof) if proof.is_win => {
                let plies = one_more(proof);
                let is_first = self.losing.is_empty();
                self.longest = if is_first { plies } else { self.longest.zip(plies).map(|(a, b)| a.max(b)) };
                self.losing.extend(images.iter().copied());
            }
            Some(proof) => {
                let found = Proof { is_win: true, plies: one_more(proof), origin: ProofOrigin::Derived };
                if self.win.is_none_or(|win| found.is_better_than(win)) {
                    self.win = Some(found);
                }
            }
            None => {
                if let Some(score) = after.score() {
                    self.best = self.best.max(Some(turned(score)));
                    self.scored.extend(images.iter().copied());
                }
                let searched = after.search.map(|search| turned(Score::from_eval(search.score)));
                self.least_searched = [self.least_searched, searched].into_iter().flatten().min();
            }
        }
    }

    /// The result that follows: a win by one move, or a loss by every legal one.
    fn result(&self, board: &Board) -> Option<Proof> {
        let loss = Proof { is_win: false, plies: self.longest, origin: ProofOrigin::Derived };
        let is_lost = || !self.losing.is_empty() && !has_other_moves(board, &self.losing);
        self.win.or_else(|| is_lost().then_some(loss))
    }

    /// The score that follows: the best of the moves. A search of the position is the score of its best move; when that
    /// move is known, the next search is of the others, and so on. So the least score of these searches bounds the moves
    /// that are left. They count as that bound less [`UNKNOWN_PENALTY`].
    fn score(&self, board: &Board, record: &Record) -> Option<i32> {
        if self.best.is_none() && self.losing.is_empty() {
            return None;
        }
        let others = || {
            let searched = record.search.filter(|search| search.bound != Bound::Upper)?.score;
            let bound = self.least_searched.map_or(searched, |least| least.min(searched));
            has_other_moves(board, &self.losing.union(&self.scored))
                .then(|| Score::from_eval(bound.saturating_sub(UNKNOWN_PENALTY)).value())
        };
        self.best.max(others())
    }
}

/// Whether a position has legal moves besides these.
fn has_other_moves(board: &Board, moves: &PointSet) -> bool {
    board.empty_points().iter().any(|point| !moves.contains(point) && !board.is_forbidden(point, board.turn()))
}
