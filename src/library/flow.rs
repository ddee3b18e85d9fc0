//! What is known flows back: wins, losses and scores of positions to the positions before them.
//!
//! | known | follows |
//! | --- | --- |
//! | a move after which the other side loses in n | a win in n + 1 |
//! | after every legal move the other side wins, at most in n | a loss in n + 1 |
//! | scores of some moves, whose results are not known | the best of them for the side to move |
//! | a search of the position, and moves of unknown value | at least their [bound](ValuedMoves::score), less a penalty |
//!
//! A result that follows is as good as the worst that it follows from: *derived* from proofs, else *claimed*. A win by a
//! proof replaces a shorter one by a claim.
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

/// Subtracted from the bound of the unknown moves, which is optimistic. The width of an even score; set by hand.
const UNKNOWN_PENALTY: i32 = Score::EVEN;

/// The consequences of a change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowReport {
    /// Positions whose derived result is new or another one.
    pub derived: u64,
    /// Contradictory positions that the update visited, whether new or not.
    pub contradictions: Vec<PositionKey>,
    /// Positions whose derived result or backed-up score has changed.
    pub updated: Vec<PositionKey>,
}

/// The result of a position after the last stone of a game: lost, if the last mover has a winning row.
pub(super) fn final_result(cursor: &Cursor) -> Option<Proof> {
    // A row of five needs five stones: the other side may have passed.
    if cursor.stones().len() < 5 { None } else { final_result_on(&cursor.board()) }
}

/// [`final_result`] of the position on a board.
fn final_result_on(board: &Board) -> Option<Proof> {
    let mover = !board.turn();
    let has_won = board.stones(mover).iter().any(|point| board.wins(point, mover));
    has_won.then_some(Proof { is_win: false, plies: Some(0), origin: ProofOrigin::Derived })
}

/// Updates changed positions and all that follows, from the positions with the most stones down.
pub(super) fn flow(edit: &mut Edit<'_>, mut changed: BTreeSet<PositionKey>) -> Result<FlowReport, LibraryError> {
    let mut report = FlowReport::default();
    let mut seeds = changed.clone();
    // The known parents of a changed position have one stone less, so each position is updated once.
    let mut done = 0;
    while let Some(key) = changed.pop_last() {
        edit.report(Stage::Flowing, done, done + 1 + changed.len() as u64);
        done += 1;
        let is_seed = seeds.remove(&key);
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
        if !is_same || is_seed {
            for parent in parent_keys(&cursor) {
                if !changed.contains(&parent) && edit.is_known(parent)? {
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
    let board = cursor.board();
    if let Some(lost) = final_result_on(&board) {
        return Ok((Some(lost), None));
    }
    let mut moves = ValuedMoves::default();
    let address = cursor.address();
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
    /// The loss by these points: the plies of the longest one, `None` if those of any are unknown, and the worst origin.
    loss: Option<Proof>,
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
        let turned = |score: Score| Score::from_eval(-score.value()).value();
        let follows = |proof: Proof| Proof {
            is_win: !proof.is_win,
            plies: proof.plies.map(|plies| plies.saturating_add(1)),
            origin: proof.origin.min(ProofOrigin::Derived),
        };
        match after.settled() {
            Some(proof) if proof.is_win => {
                let lost = follows(proof);
                self.loss = Some(self.loss.map_or(lost, |loss| loss.and(lost)));
                self.losing.extend(images.iter().copied());
            }
            Some(proof) => {
                let found = follows(proof);
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
        self.win.or_else(|| self.loss.filter(|_| !has_other_moves(board, &self.losing)))
    }

    /// The score that follows: the best of the known moves, or that of the unknown ones if it is greater. The search of a
    /// position scores its best move. Each later search leaves the known moves out, and its score stands in the record of
    /// the move that it found. So the least of these scores bounds the moves that are still unknown; they count as that
    /// bound less [`UNKNOWN_PENALTY`].
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
