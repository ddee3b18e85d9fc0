//! The cost of an expansion: how far from best play a position lies, and how much of it is known.
//!
//! Drop-out expansion (Lincke, "Strategies for the automatic construction of opening books", 2000) expands the position
//! with the cheapest path, where a move costs its distance from the best one. The cost of a further move at a position,
//! and a constant for each ply, are as in KataGo's generator of books.

use std::cmp::Reverse;
use std::collections::hash_map::Entry as Slot;
use std::collections::{BinaryHeap, HashMap};

use crate::board::{Point, PointSet};
use crate::library::{Cursor, Entry, LibraryError, PositionKey, View};
use crate::score::Score;

/// Thousandths of a unit of cost. Integers order the same on every machine.
type Cost = u64;

/// The cost of a ply, in thousandths. After KataGo's configuration of 7 × 7 books.
const PLY_COST: Cost = 450;

/// A move costs this times the difference between the best chance to win and its own, in thousandths. A chance spans 1
/// here and 2 in KataGo.
const GAP_COST: f32 = 9_000.0;

/// A further move at a position with n known moves costs n · `TRY_COST` + n² · [`TRY_GROWTH`], in thousandths.
const TRY_COST: Cost = 250;

/// See [`TRY_COST`].
const TRY_GROWTH: Cost = 50;

/// A position that is searched next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    /// The position, in the stored orientation.
    pub(super) cursor: Cursor,
    /// The known moves, with all their images. The search leaves them out.
    pub(super) known: PointSet,
}

/// The positions that known moves reach from a root. What a walk needs of them stays in memory: a walk over 100,000
/// positions then takes a small part of the time of the searches.
pub(super) struct Frontier {
    root: PositionKey,
    /// Plies after the root that are searched at most.
    most_plies: usize,
    nodes: HashMap<PositionKey, Node>,
}

/// The part of an entry that a walk needs.
struct Node {
    /// The chance to win for the side to move.
    chance: Option<f32>,
    is_settled: bool,
    /// The positions after the known legal moves.
    children: Box<[PositionKey]>,
    /// Whether a legal move is not known.
    is_open: bool,
}

impl Frontier {
    pub(super) fn new(root: PositionKey, most_plies: usize) -> Self {
        Self { root, most_plies, nodes: HashMap::new() }
    }

    /// Forgets a position, which has changed in the library.
    pub(super) fn forget(&mut self, key: PositionKey) {
        self.nodes.remove(&key);
    }

    /// The cheapest positions with a legal move that is not known, the cheapest first.
    pub(super) fn cheapest(&mut self, view: &View<'_>, count: usize) -> Result<Vec<Candidate>, LibraryError> {
        let mut costs: HashMap<PositionKey, Cost> = HashMap::from([(self.root, 0)]);
        let mut queue = BinaryHeap::from([Reverse((0, self.root))]);
        let mut found: Vec<(Cost, PositionKey)> = Vec::new();
        while let Some(Reverse((cost, key))) = queue.pop() {
            if found.get(count - 1).is_some_and(|&(last, _)| last <= cost) {
                break;
            }
            if costs.get(&key) != Some(&cost) {
                continue;
            }
            for (child, next) in self.moves(view, key, cost)? {
                if costs.get(&child).is_none_or(|&known| next < known) {
                    costs.insert(child, next);
                    queue.push(Reverse((next, child)));
                }
            }
            let node = self.node(view, key)?;
            if node.is_open && !node.is_settled {
                let cost = cost + try_cost(node.children.len());
                let place = found.partition_point(|&(other, _)| other <= cost);
                found.insert(place, (cost, key));
                found.truncate(count);
            }
        }
        let candidates = found.into_iter().map(|(_, key)| candidate(view, key));
        candidates.filter_map(Result::transpose).collect()
    }

    /// The positions after the known moves of a position, with the costs of their paths. Settled ones and those beyond the
    /// last ply are left out.
    fn moves(
        &mut self,
        view: &View<'_>,
        key: PositionKey,
        cost: Cost,
    ) -> Result<Vec<(PositionKey, Cost)>, LibraryError> {
        let is_last = key.stone_count() + 1 >= self.root.stone_count().saturating_add(self.most_plies);
        let node = self.node(view, key)?;
        if node.is_settled || is_last {
            return Ok(Vec::new());
        }
        let children = node.children.clone();
        let mut moves = Vec::new();
        let mut best = 0.0_f32;
        for &child in &children {
            let node = self.node(view, child)?;
            // The chance of the side that makes the move.
            let chance = node.chance.map(|chance| 1.0 - chance);
            best = best.max(chance.unwrap_or_default());
            if !node.is_settled {
                moves.push((child, chance));
            }
        }
        let next = |chance: Option<f32>| {
            let gap = chance.map_or(0.0, |chance| (best - chance).max(0.0));
            cost + PLY_COST + (GAP_COST * gap) as Cost
        };
        Ok(moves.into_iter().map(|(child, chance)| (child, next(chance))).collect())
    }

    fn node(&mut self, view: &View<'_>, key: PositionKey) -> Result<&Node, LibraryError> {
        match self.nodes.entry(key) {
            Slot::Occupied(slot) => Ok(slot.into_mut()),
            Slot::Vacant(slot) => Ok(slot.insert(Node::read(view, key)?)),
        }
    }
}

impl Node {
    fn read(view: &View<'_>, key: PositionKey) -> Result<Self, LibraryError> {
        let Some(entry) = view.entry_of(key)? else {
            // Nothing is known of it: no walk passes here.
            return Ok(Self { chance: None, is_settled: true, children: Box::default(), is_open: false });
        };
        let cursor = Cursor::from_stones(&entry.stones);
        let board = cursor.board();
        let is_legal = |point: &Point| !board.is_forbidden(*point, board.turn());
        let legal = entry.moves.iter().flatten().filter(|point| is_legal(point));
        let known = known_moves(&entry, &cursor);
        Ok(Self {
            chance: entry.record.score().map(Score::win_chance),
            is_settled: entry.record.settled().is_some(),
            children: legal.map(|&point| cursor.key_after(Some(point))).collect(),
            is_open: board.empty_points().iter().any(|point| !known.contains(point) && is_legal(&point)),
        })
    }
}

/// The cost of one more move at a position with this number of known moves.
const fn try_cost(known: usize) -> Cost {
    let known = known as Cost;
    TRY_COST * known + TRY_GROWTH * known * known
}

/// The known moves of a position with all their images.
fn known_moves(entry: &Entry, cursor: &Cursor) -> PointSet {
    let address = cursor.address();
    entry.moves.iter().flatten().flat_map(|&point| address.restore(point)).collect()
}

fn candidate(view: &View<'_>, key: PositionKey) -> Result<Option<Candidate>, LibraryError> {
    let Some(entry) = view.entry_of(key)? else { return Ok(None) };
    let cursor = Cursor::from_stones(&entry.stones);
    let known = known_moves(&entry, &cursor);
    Ok(Some(Candidate { cursor, known }))
}
