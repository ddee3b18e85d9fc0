//! [`Tree`]: the nodes of a search in one array, shared by all threads without locks.
//!
//! ```text
//! node      four words of 64 bits, low bits first
//! word 0    sum of the values of its playouts, in 65,536ths, for the side whose move led to the node
//! word 1    visits 32 │ playouts in flight 32          the latter are virtual losses
//! word 2    first child 32 │ number of children 16 │ point of the move that led to the node 16
//! word 3    prior 32, of a float │ verdict 16 │ state 16
//!
//! root │ children of the root │ children of a node │ children of another │ …       │ not used yet
//!        └ one block, best prior first               blocks stand in the order in which they were added
//! ```
//!
//! Nodes are appended until the memory is full. A node that is expanded again gets a new block. Moves in it keep their
//! children, so a block may come before its parent. The old block stays unused.
//!
//! A new root moves to the front in place with its subtree. First each block, in order of address, moves to the end of the
//! blocks before it, which never lies behind its own start. Then each parent gets the new start of its children. All other
//! nodes are dropped.

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::verdict::Verdict;
use crate::board::Point;

/// Words of a node.
const NODE: usize = 4;

/// Least number of nodes: a root and, twice, the moves of any board.
const LEAST: usize = 1 + 2 * crate::board::POINT_SLOTS;

/// A value of 1, a won game.
pub(super) const ONE: u32 = 1 << 16;

/// The number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// The root.
    pub(super) const ROOT: Self = Self(0);
}

/// The children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expansion {
    /// None.
    Leaf,
    /// A thread is adding some.
    Busy,
    /// The likely moves.
    Likely,
    /// Every move that could save the side to move: if all lose, the node is lost.
    Complete,
}

impl Expansion {
    const ALL: [Self; 4] = [Self::Leaf, Self::Busy, Self::Likely, Self::Complete];
}

/// Lowest bit of the verdict in its word.
const VERDICT_SHIFT: u32 = 32;

/// Lowest bit of the expansion in its word.
const EXPANSION_SHIFT: u32 = 48;

/// Lowest bit of the number of children in its word.
const COUNT_SHIFT: u32 = 32;

/// Lowest bit of the point in its word.
const POINT_SHIFT: u32 = 48;

/// Lowest bit of the playouts in flight in their word.
const FLIGHT_SHIFT: u32 = 32;

/// Nodes or blocks moved to a new root between two checks of the time.
const ASKED_EVERY: usize = 1024;

/// A move with its prior, before it becomes a node.
pub(super) type Edge = (Point, f32);

/// The children of a node, on their way to the front.
struct Block {
    /// Their old place.
    from: Range<u32>,
    /// Their new place.
    to: u32,
    /// The old place of their parent.
    parent: NodeId,
}

/// The nodes of a search.
pub(super) struct Tree {
    words: Box<[AtomicU64]>,
    /// Nodes in use.
    used: AtomicUsize,
    /// The bytes that were asked for.
    asked: usize,
}

impl Tree {
    /// A tree of at most this many bytes, and at least 64 KB. It is smaller if the system refuses the memory. Pages are mapped
    /// as they are used.
    pub(super) fn new(bytes: usize) -> Self {
        let most = (bytes / (NODE * size_of::<u64>())).clamp(LEAST, u32::MAX as usize);
        let sizes = std::iter::successors(Some(most), |&nodes| (nodes > LEAST).then_some((nodes / 2).max(LEAST)));
        let words = sizes.filter_map(|nodes| bytemuck::try_zeroed_slice_box(nodes * NODE).ok()).next();
        let words = words.unwrap_or_else(|| bytemuck::zeroed_slice_box(LEAST * NODE));
        let tree = Self { words, used: AtomicUsize::new(0), asked: bytes };
        tree.begin();
        tree
    }

    /// The bytes that were asked for.
    pub(super) const fn asked(&self) -> usize {
        self.asked
    }

    /// The greatest number of nodes.
    pub(super) fn capacity(&self) -> usize {
        self.words.len() / NODE
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Whether there is room for this number of nodes.
    pub(super) fn has_room(&self, count: usize) -> bool {
        self.len() + count <= self.capacity()
    }

    /// Removes every node but an empty root.
    pub(super) fn clear(&mut self) {
        self.begin();
    }

    fn begin(&self) {
        self.used.store(1, Ordering::Relaxed);
        (0..NODE).for_each(|word| self.words[word].store(0, Ordering::Relaxed));
    }

    #[inline]
    fn word(&self, node: NodeId, word: usize) -> &AtomicU64 {
        &self.words[node.0 as usize * NODE + word]
    }

    /// The move that led to a node; meaningless for the root.
    #[inline]
    pub(super) fn point(&self, node: NodeId) -> Point {
        Point::from_index_wrapping((self.word(node, 2).load(Ordering::Relaxed) >> POINT_SHIFT) as usize)
    }

    /// The prior of that move.
    #[inline]
    pub(super) fn prior(&self, node: NodeId) -> f32 {
        f32::from_bits(self.word(node, 3).load(Ordering::Relaxed) as u32)
    }

    /// Changes the prior of a move.
    pub(super) fn set_prior(&self, node: NodeId, prior: f32) {
        self.update(node, |word| word >> u32::BITS << u32::BITS | u64::from(prior.to_bits()));
    }

    /// The visits of a node, and its playouts in flight.
    #[inline]
    pub(super) fn visits(&self, node: NodeId) -> (u32, u32) {
        let word = self.word(node, 1).load(Ordering::Relaxed);
        (word as u32, (word >> FLIGHT_SHIFT) as u32)
    }

    /// The sum of the values of the visits, for the side whose move led to the node.
    #[inline]
    pub(super) fn sum(&self, node: NodeId) -> u64 {
        self.word(node, 0).load(Ordering::Relaxed)
    }

    /// The mean value for the side whose move led to the node; `None` without a visit.
    pub(super) fn mean(&self, node: NodeId) -> Option<f32> {
        let (visits, _) = self.visits(node);
        (visits > 0).then(|| (self.sum(node) as f64 / f64::from(visits) / f64::from(ONE)) as f32)
    }

    /// The verdict of a node.
    #[inline]
    pub(super) fn verdict(&self, node: NodeId) -> Verdict {
        Verdict::decode(self.word(node, 3).load(Ordering::Relaxed) >> VERDICT_SHIFT)
    }

    /// Sets the verdict of a node.
    pub(super) fn set_verdict(&self, node: NodeId, verdict: Verdict) {
        self.update(node, |word| word & !(0xFFFF << VERDICT_SHIFT) | verdict.encode() << VERDICT_SHIFT);
    }

    /// The expansion of a node.
    pub(super) fn expansion(&self, node: NodeId) -> Expansion {
        Expansion::ALL[(self.word(node, 3).load(Ordering::Acquire) >> EXPANSION_SHIFT) as usize % Expansion::ALL.len()]
    }

    /// Claims a node with this expansion. Returns whether the caller now owns its children; it must then
    /// [publish](Self::publish) or [release](Self::release) it.
    pub(super) fn claim(&self, node: NodeId, from: Expansion) -> bool {
        let change = |word: u64| {
            let is_from = word >> EXPANSION_SHIFT == from as u64;
            is_from.then_some(with_expansion(word, Expansion::Busy))
        };
        self.word(node, 3).fetch_update(Ordering::AcqRel, Ordering::Relaxed, change).is_ok()
    }

    /// Gives up a claim.
    pub(super) fn release(&self, node: NodeId, expansion: Expansion) {
        self.update(node, |word| with_expansion(word, expansion));
    }

    /// Replaces the children of a claimed node. A move that was a child before keeps its visits, values, verdict and
    /// children. Playouts in flight below an old child are lost. Returns false without a change if the tree is full.
    pub(super) fn publish(&self, node: NodeId, edges: &[Edge], expansion: Expansion) -> bool {
        let Some(first) = self.allocate(edges.len()) else { return false };
        let old = self.children(node);
        for (number, &(point, prior)) in (first.0..).zip(edges) {
            let child = NodeId(number);
            let known = old.clone().map(NodeId).find(|&known| self.point(known) == point);
            let [sum, visits, children, state] = known.map_or([0; NODE], |known| self.at_rest(known));
            self.word(child, 0).store(sum, Ordering::Relaxed);
            self.word(child, 1).store(visits, Ordering::Relaxed);
            let children = children & ((1 << POINT_SHIFT) - 1);
            self.word(child, 2).store(children | (point.index() as u64) << POINT_SHIFT, Ordering::Relaxed);
            let state = state >> u32::BITS << u32::BITS;
            self.word(child, 3).store(state | u64::from(prior.to_bits()), Ordering::Relaxed);
        }
        let children = (edges.len() as u64) << COUNT_SHIFT | u64::from(first.0);
        let point = self.word(node, 2).load(Ordering::Relaxed) >> POINT_SHIFT << POINT_SHIFT;
        self.word(node, 2).store(point | children, Ordering::Release);
        self.release(node, expansion);
        true
    }

    /// The words of a node without playouts in flight and without a claim.
    fn at_rest(&self, node: NodeId) -> [u64; NODE] {
        // The expansion is read before the children that it promises.
        let expansion = self.expansion(node);
        let [sum, visits, children, state] = [0, 1, 2, 3].map(|word| self.word(node, word).load(Ordering::Acquire));
        let has_children = (children >> COUNT_SHIFT) as u16 > 0;
        let expansion = match expansion {
            Expansion::Leaf | Expansion::Busy if has_children => Expansion::Likely,
            Expansion::Busy => Expansion::Leaf,
            Expansion::Leaf | Expansion::Likely | Expansion::Complete => expansion,
        };
        [sum, u64::from(visits as u32), children, with_expansion(state, expansion)]
    }

    /// Room for a block of nodes.
    fn allocate(&self, count: usize) -> Option<NodeId> {
        let capacity = self.capacity();
        let room = |used: usize| (used + count <= capacity).then_some(used + count);
        match self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, room) {
            Ok(first) => Some(NodeId(first as u32)),
            Err(_) => None,
        }
    }

    #[inline]
    fn children(&self, node: NodeId) -> Range<u32> {
        let word = self.word(node, 2).load(Ordering::Acquire);
        let (first, count) = (word as u32, (word >> COUNT_SHIFT) as u16);
        first..first + u32::from(count)
    }

    /// The children of a node.
    #[inline]
    pub(super) fn children_of(&self, node: NodeId) -> impl Iterator<Item = NodeId> + Clone + use<> {
        self.children(node).map(NodeId)
    }

    /// The number of children.
    #[inline]
    pub(super) fn child_count(&self, node: NodeId) -> usize {
        self.children(node).len()
    }

    /// The child of this move.
    pub(super) fn child(&self, node: NodeId, point: Point) -> Option<NodeId> {
        self.children_of(node).find(|&child| self.point(child) == point)
    }

    /// A playout enters a node. Until it [leaves](Self::leave), it counts as a loss for the side that chose the node.
    #[inline]
    pub(super) fn enter(&self, node: NodeId) {
        self.word(node, 1).fetch_add(1 << FLIGHT_SHIFT, Ordering::Relaxed);
    }

    /// A playout leaves a node with a value for the side whose move led to it.
    #[inline]
    pub(super) fn leave(&self, node: NodeId, value: u32) {
        self.word(node, 0).fetch_add(value.into(), Ordering::Relaxed);
        // One visit more, one playout in flight less.
        self.word(node, 1).fetch_add(1_u64.wrapping_sub(1 << FLIGHT_SHIFT), Ordering::Relaxed);
    }

    fn update(&self, node: NodeId, change: impl Fn(u64) -> u64) {
        let changed = |word| Some(change(word));
        // The change never fails.
        let _ = self.word(node, 3).fetch_update(Ordering::AcqRel, Ordering::Relaxed, changed);
    }

    /// Usage in thousandths.
    pub(super) fn usage(&self) -> usize {
        self.len() * 1000 / self.capacity()
    }

    /// Makes a node the root and keeps its subtree. `goes_on` is asked now and then; if it returns false, the tree is
    /// cleared. Costs a copy of the subtree, and meanwhile 16 bytes for each block.
    pub(super) fn reroot(&mut self, root: NodeId, goes_on: impl Fn() -> bool) {
        if root == NodeId::ROOT {
            return;
        }
        match self.blocks_below(root, &goes_on).and_then(|blocks| self.gather(root, blocks, &goes_on)) {
            Some(used) => *self.used.get_mut() = used,
            None => self.clear(),
        }
    }

    /// The blocks below a node in order of address; `None` if `goes_on` returns false.
    fn blocks_below(&self, root: NodeId, goes_on: impl Fn() -> bool) -> Option<Vec<Block>> {
        let (mut blocks, mut open) = (Vec::new(), vec![root]);
        for number in 1.. {
            let Some(parent) = open.pop() else { break };
            let from = self.children(parent);
            if !from.is_empty() {
                open.extend(from.clone().map(NodeId));
                blocks.push(Block { from, to: 0, parent });
            }
            if number % ASKED_EVERY == 0 && !goes_on() {
                return None;
            }
        }
        blocks.sort_unstable_by_key(|block| block.from.start);
        Some(blocks)
    }

    /// Moves a node and the blocks below it to the front, and returns the number of nodes; `None` if `goes_on` returns
    /// false.
    fn gather(&self, root: NodeId, mut blocks: Vec<Block>, goes_on: impl Fn() -> bool) -> Option<usize> {
        self.copy(root, NodeId::ROOT);
        let mut end = 1;
        for (number, block) in (1..).zip(&mut blocks) {
            block.to = end;
            for child in block.from.clone() {
                self.copy(NodeId(child), NodeId(end));
                end += 1;
            }
            if number % ASKED_EVERY == 0 && !goes_on() {
                return None;
            }
        }
        for (number, block) in (1..).zip(&blocks) {
            // The root is in no block.
            let place = blocks.partition_point(|other| other.from.start <= block.parent.0).checked_sub(1);
            let around = place.map(|place| &blocks[place]).filter(|around| around.from.contains(&block.parent.0));
            let parent = around.map_or(NodeId::ROOT, |around| NodeId(block.parent.0 - around.from.start + around.to));
            let word = self.word(parent, 2);
            let rest = word.load(Ordering::Relaxed) >> u32::BITS << u32::BITS;
            word.store(rest | u64::from(block.to), Ordering::Relaxed);
            if number % ASKED_EVERY == 0 && !goes_on() {
                return None;
            }
        }
        Some(end as usize)
    }

    fn copy(&self, from: NodeId, to: NodeId) {
        for word in 0..NODE {
            self.word(to, word).store(self.word(from, word).load(Ordering::Relaxed), Ordering::Relaxed);
        }
    }
}

const fn with_expansion(word: u64, expansion: Expansion) -> u64 {
    word & ((1 << EXPANSION_SHIFT) - 1) | (expansion as u64) << EXPANSION_SHIFT
}
