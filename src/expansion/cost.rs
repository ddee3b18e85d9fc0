//! The cost of an expansion: how far from best play a position lies, and how much of it is known.
//!
//! Drop-out expansion (Lincke, "Strategies for the automatic construction of opening books", 2000) expands the position
//! with the cheapest path, where a move costs its distance from the best one. The cost of a further move at a position,
//! and a constant for each ply, are as in KataGo's generator of books.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use crate::library::{Cursor, Entry, LibraryError, Move, PositionKey, View};

/// Thousandths of a unit of cost. Integers order the same on every machine.
type Cost = u64;

/// The cost of a ply, in thousandths. After KataGo's configuration of 7 × 7 books.
const PLY_COST: Cost = 450;

/// The cost of a move whose chance to win is lower than the best one's by 1, in thousandths. A chance of KataGo spans 2.
const GAP_COST: f32 = 9_000.0;

/// The cost of the first further move at a position with one known move, in thousandths; it grows by
/// [`TRY_GROWTH`] times the square of their number.
const TRY_COST: Cost = 250;

/// See [`TRY_COST`].
const TRY_GROWTH: Cost = 50;

/// What is to be searched.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    /// The position.
    pub(super) cursor: Cursor,
    /// The known moves, with all their images. The search leaves them out.
    pub(super) known: Vec<Move>,
    pub(super) cost: Cost,
}

/// The chance to win after a move, for the side that makes it.
fn chance_after(entry: &Entry) -> Option<f32> {
    entry.record.score().map(|score| 1.0 - score.win_chance())
}

/// The cost of one more move at a position with this number of known moves.
const fn try_cost(known: usize) -> Cost {
    let known = known as Cost;
    TRY_COST * known + TRY_GROWTH * known * known
}

/// The cheapest candidates among the positions that known moves reach from a root, the cheapest first.
pub(super) fn cheapest(
    view: &View<'_>,
    root: &Cursor,
    most_plies: usize,
    count: usize,
) -> Result<Vec<Candidate>, LibraryError> {
    let mut costs: HashMap<PositionKey, Cost> = HashMap::from([(root.key(), 0)]);
    let mut cursors = HashMap::from([(root.key(), root.clone())]);
    let mut queue = BinaryHeap::from([Reverse((0, root.key()))]);
    let mut candidates: Vec<Candidate> = Vec::new();
    while let Some(Reverse((cost, key))) = queue.pop() {
        let is_late = candidates.len() >= count && candidates[count - 1].cost <= cost;
        if is_late {
            break;
        }
        if costs.get(&key) != Some(&cost) {
            continue;
        }
        let Some(cursor) = cursors.remove(&key) else { continue };
        let entry = view.entry(&cursor)?;
        if entry.as_ref().is_some_and(|entry| entry.record.settled().is_some()) {
            continue;
        }
        let depth = cursor.stones().len() - root.stones().len();
        let address = cursor.address();
        let mut known = Vec::new();
        let mut moves: Vec<(Move, Option<f32>, bool)> = Vec::new();
        for &stored in entry.iter().flat_map(|entry| &entry.moves) {
            let Some(point) = stored else { continue };
            let images = address.restore(point);
            let first = images.first().copied();
            known.extend(images.into_iter().map(Some));
            let Some(child) = view.entry_of(cursor.key_after(first))? else { continue };
            moves.push((first, chance_after(&child), child.record.settled().is_some()));
        }
        let best = moves.iter().filter_map(|(_, chance, _)| *chance).fold(0.0, f32::max);
        for &(played, chance, is_settled) in &moves {
            if is_settled || depth + 1 >= most_plies {
                continue;
            }
            let gap = chance.map_or(0.0, |chance| (best - chance).max(0.0));
            let next = cost + PLY_COST + (GAP_COST * gap) as Cost;
            let child_key = cursor.key_after(played);
            if costs.get(&child_key).is_none_or(|&known| next < known) {
                costs.insert(child_key, next);
                let mut child = cursor.clone();
                child.play(played);
                cursors.insert(child_key, child);
                queue.push(Reverse((next, child_key)));
            }
        }
        let cost = cost + try_cost(moves.len());
        let place = candidates.partition_point(|other| other.cost <= cost);
        candidates.insert(place, Candidate { cursor, known, cost });
        candidates.truncate(count);
    }
    Ok(candidates)
}
