//! [`to_tree`]: the positions of a library as a tree of moves, for files that hold trees.
//!
//! A library folds transpositions and symmetric images; a tree cannot. Each position stands once in the tree, below the
//! first position that leads to it.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::ops::ControlFlow;

use super::links::{candidates, parent_keys};
use super::position::{Cursor, Move, PositionKey};
use super::record::Entry;
use super::{LibraryError, View};
use crate::board::{Color, Point, Rule, Size};
use crate::notation::{GameTree, NodeId, Step};

/// A tree of all positions of a rule and size that a game from the empty board can reach, and the number of others.
pub struct Exported {
    /// The tree. Labels on points that are no known moves are marks of their positions.
    pub tree: GameTree,
    /// Number of positions that no order of alternate moves reaches.
    pub unreachable: u64,
}

/// The positions of a rule and size that a condition holds for, as a tree. All are in memory meanwhile: some 300 bytes
/// each.
///
/// # Errors
/// When the library cannot be read.
pub fn to_tree(
    view: &View<'_>,
    (rule, size): (Rule, Size),
    is_meant: &dyn Fn(PositionKey) -> bool,
) -> Result<Exported, LibraryError> {
    let mut entries: BTreeMap<PositionKey, Entry> = BTreeMap::new();
    view.scan(rule, size, &mut |key, entry| {
        if is_meant(key) {
            entries.insert(key, entry);
        }
        ControlFlow::Continue(())
    })?;
    let mut export =
        Export { entries: &entries, placed: HashSet::new(), tree: GameTree::new(size), queue: VecDeque::new() };
    export.place(NodeId::ROOT, Cursor::new(rule, size));
    export.grow();
    let mut unreachable = 0;
    for (key, entry) in &entries {
        if export.placed.contains(key) {
            continue;
        }
        match in_order(entry) {
            Some(moves) => export.add_line(rule, size, &moves),
            None => unreachable += 1,
        }
    }
    Ok(Exported { tree: export.tree, unreachable })
}

/// The known positions of a branch: those that lead to a position, the position, and those that follow it. Passes are not
/// followed.
pub(super) fn branch(view: &View<'_>, cursor: &Cursor) -> Result<HashSet<PositionKey>, LibraryError> {
    let mut keys = HashSet::new();
    let mut open = vec![cursor.clone()];
    while let Some(position) = open.pop() {
        for key in parent_keys(&position) {
            if let Some(entry) = view.entry_of(key)?.filter(|_| keys.insert(key)) {
                open.push(Cursor::from_stones(&entry.stones));
            }
        }
    }
    open.push(cursor.clone());
    while let Some(position) = open.pop() {
        if !keys.insert(position.key()) {
            continue;
        }
        let address = position.address();
        let moves = candidates(&position, view.entry(&position)?.as_ref());
        for point in moves.into_iter().flatten().filter_map(|stored| address.restore(stored).first().copied()) {
            let mut after = position.clone();
            after.play(Some(point));
            if !keys.contains(&after.key()) && view.entry(&after)?.is_some() {
                open.push(after);
            }
        }
    }
    Ok(keys)
}

struct Export<'a> {
    entries: &'a BTreeMap<PositionKey, Entry>,
    /// The positions that stand in the tree.
    placed: HashSet<PositionKey>,
    tree: GameTree,
    /// Nodes whose moves are not yet in the tree.
    queue: VecDeque<(NodeId, Cursor)>,
}

impl Export<'_> {
    /// Fills a node with what is known of its position.
    fn place(&mut self, node: NodeId, cursor: Cursor) {
        let address = cursor.address();
        if let Some(entry) = self.entries.get(&address.key()).filter(|_| self.placed.insert(address.key())) {
            let tree_node = self.tree.node_mut(node);
            tree_node.comment = entry.record.comment.as_str().into();
            for mark in &entry.record.marks {
                if let Some(&point) = address.restore(mark.point).first() {
                    tree_node.marks.push((point, mark.text.as_str().into()));
                }
            }
            self.queue.push_back((node, cursor));
        }
    }

    /// Adds the known moves of all nodes in the queue, and those of the nodes that they lead to.
    fn grow(&mut self) {
        while let Some((node, cursor)) = self.queue.pop_front() {
            let address = cursor.address();
            let Some(entry) = self.entries.get(&address.key()) else { continue };
            for &stored in &entry.moves {
                let played = stored.map(|stored| address.restore(stored).first().copied().unwrap_or(stored));
                let after = cursor.key_after(played);
                if self.entries.contains_key(&after) && !self.placed.contains(&after) {
                    self.add_move(node, &cursor, played);
                }
            }
        }
    }

    /// Adds a move below a node. A label on its point becomes the label of the new node.
    fn add_move(&mut self, node: NodeId, cursor: &Cursor, played: Move) -> (NodeId, Cursor) {
        let step = match played {
            Some(point) => Step::Play(cursor.turn(), point),
            None => Step::Pass(cursor.turn()),
        };
        let child = self.tree.add(node, step);
        let marks = &mut self.tree.node_mut(node).marks;
        if let Some(place) = marks.iter().position(|(point, _)| Some(*point) == played) {
            let (_, label) = marks.remove(place);
            self.tree.node_mut(child).label = label;
        }
        let mut after = cursor.clone();
        after.play(played);
        self.place(child, after.clone());
        (child, after)
    }

    /// Adds a line of moves from the root, of which the tree may hold a part, and what follows from its positions.
    fn add_line(&mut self, rule: Rule, size: Size, moves: &[Point]) {
        let (mut node, mut cursor) = (NodeId::ROOT, Cursor::new(rule, size));
        for &point in moves {
            let step = Step::Play(cursor.turn(), point);
            let known = self.tree.children(node).find(|&child| self.tree.node(child).step == step);
            (node, cursor) = match known {
                Some(child) => {
                    cursor.play(Some(point));
                    (child, cursor)
                }
                None => self.add_move(node, &cursor, Some(point)),
            };
        }
        self.grow();
    }
}

/// The stones of a position as alternate moves from the empty board; `None` if there is no such order.
fn in_order(entry: &Entry) -> Option<Vec<Point>> {
    let [black, white] = &entry.stones.points.0;
    let is_blacks = entry.stones.turn == Color::Black;
    if black.len() != white.len() + usize::from(!is_blacks) {
        return None;
    }
    let mut moves = Vec::new();
    for (index, &stone) in black.iter().enumerate() {
        moves.push(stone);
        moves.extend(white.get(index));
    }
    Some(moves)
}
