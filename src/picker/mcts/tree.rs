//! [`Tree`]: the nodes of a search in one piece of memory, shared by all threads without locks.
//!
//! ```text
//! node      four words of 64 bits, low bits first
//! word 0    sum of the values of its playouts, in 65,536ths, for the side whose move led to the node
//! word 1    visits 32 │ playouts in flight 32          those that are below the node now: virtual losses
//! word 2    first child 32 │ number of children 16 │ point of the move that led to the node 16
//! word 3    prior 32, of a float │ verdict 16 │ state 16
//!
//! root │ children of the root │ children of a node │ children of another │ …       │ not used yet
//!        └ one block, best prior first               a block lies behind the node that it belongs to
//! ```
//!
//! Nodes are added behind the last one until the memory is used up. A new root is moved to the front with all that is below
//! it; as a block always lies behind its parent, the blocks are moved in their order, in place.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::board::Point;

/// Words of a node.
const NODE: usize = 4;

/// The least number of nodes: a root and the moves of any board, twice.
const LEAST: usize = 1 + 2 * crate::board::POINT_SLOTS;

/// A value of 1, a won game.
pub(super) const ONE: u32 = 1 << 16;

/// The number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// The node with which every search begins.
    pub(super) const ROOT: Self = Self(0);
}

/// What is proved of a node, for the side to move there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Nothing.
    #[default]
    Open,
    /// Won in at most this number of plies.
    Won(u16),
    /// Lost, and put off for at most this number of plies.
    Lost(u16),
    /// Drawn.
    Drawn,
}

impl Verdict {
    const fn encode(self) -> u64 {
        match self {
            Self::Open => 0,
            Self::Drawn => 1,
            Self::Won(plies) => 2 + 2 * plies as u64,
            Self::Lost(plies) => 3 + 2 * plies as u64,
        }
    }

    const fn decode(bits: u64) -> Self {
        match bits & 0xFFFF {
            0 => Self::Open,
            1 => Self::Drawn,
            bits if bits & 1 == 0 => Self::Won((bits / 2 - 1) as u16),
            bits => Self::Lost((bits / 2 - 1) as u16),
        }
    }

    /// The value for the side to move; `None` where nothing is proved.
    pub(super) const fn value(self) -> Option<u32> {
        match self {
            Self::Open => None,
            Self::Won(_) => Some(ONE),
            Self::Lost(_) => Some(0),
            Self::Drawn => Some(ONE / 2),
        }
    }

    /// Whether something is proved.
    pub(super) const fn is_decided(self) -> bool {
        !matches!(self, Self::Open)
    }
}

/// Which children a node has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expansion {
    /// None.
    Leaf,
    /// A thread is about to add some.
    Busy,
    /// The likely moves.
    Likely,
    /// Every move that could save the side to move: a loss of all of them is a loss.
    Complete,
}

impl Expansion {
    const ALL: [Self; 4] = [Self::Leaf, Self::Busy, Self::Likely, Self::Complete];
}

/// Where the verdict lies in its word.
const VERDICT_SHIFT: u32 = 32;

/// Where the expansion lies in its word.
const EXPANSION_SHIFT: u32 = 48;

/// Where the number of children lies in its word.
const COUNT_SHIFT: u32 = 32;

/// Where the point lies in its word.
const POINT_SHIFT: u32 = 48;

/// Where the playouts in flight lie in their word.
const FLIGHT_SHIFT: u32 = 32;

/// A move with its prior, which becomes a node.
pub(super) type Edge = (Point, f32);

/// The nodes of a search.
pub(super) struct Tree {
    words: Box<[AtomicU64]>,
    /// Nodes in use.
    used: AtomicUsize,
    /// The bytes that were asked for.
    asked: usize,
}

impl Tree {
    /// A tree of at most this many bytes, or of fewer where the system does not give them, 64 KB at least. The system maps
    /// its pages as they are used.
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

    /// The number of nodes that there is room for.
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

    /// Forgets every node but an empty root.
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

    /// The move that led to a node; that of the root is of no meaning.
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

    /// The visits of a node, and the playouts that are below it now.
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

    /// What is proved of a node.
    #[inline]
    pub(super) fn verdict(&self, node: NodeId) -> Verdict {
        Verdict::decode(self.word(node, 3).load(Ordering::Relaxed) >> VERDICT_SHIFT)
    }

    /// Notes what is proved of a node.
    pub(super) fn set_verdict(&self, node: NodeId, verdict: Verdict) {
        self.update(node, |word| word & !(0xFFFF << VERDICT_SHIFT) | verdict.encode() << VERDICT_SHIFT);
    }

    /// Which children a node has.
    pub(super) fn expansion(&self, node: NodeId) -> Expansion {
        Expansion::ALL[(self.word(node, 3).load(Ordering::Acquire) >> EXPANSION_SHIFT) as usize % Expansion::ALL.len()]
    }

    /// Whether the caller is the one that may change a node with this expansion; it must then [publish](Self::publish) or
    /// [release](Self::release) it.
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

    /// Gives a node that was claimed these children, in the place of earlier ones, which keep their numbers; false, and
    /// nothing is changed, where there is no room.
    pub(super) fn publish(&self, node: NodeId, edges: &[Edge], expansion: Expansion) -> bool {
        let Some(first) = self.allocate(edges.len()) else { return false };
        let old = self.children(node);
        for (number, &(point, prior)) in (first.0..).zip(edges) {
            let child = NodeId(number);
            let known = old.clone().map(NodeId).find(|&known| self.point(known) == point);
            let known = |word: usize| known.map_or(0, |known| self.word(known, word).load(Ordering::Relaxed));
            self.word(child, 0).store(known(0), Ordering::Relaxed);
            self.word(child, 1).store(u64::from(known(1) as u32), Ordering::Relaxed);
            let children = known(2) & ((1 << POINT_SHIFT) - 1);
            self.word(child, 2).store(children | (point.index() as u64) << POINT_SHIFT, Ordering::Relaxed);
            let state = known(3) >> u32::BITS << u32::BITS;
            self.word(child, 3).store(state | u64::from(prior.to_bits()), Ordering::Relaxed);
        }
        let children = (edges.len() as u64) << COUNT_SHIFT | u64::from(first.0);
        let point = self.word(node, 2).load(Ordering::Relaxed) >> POINT_SHIFT << POINT_SHIFT;
        self.word(node, 2).store(point | children, Ordering::Release);
        self.release(node, expansion);
        true
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

    /// A playout goes into a node: until it [leaves](Self::leave), it counts as lost for the side that chose it.
    #[inline]
    pub(super) fn enter(&self, node: NodeId) {
        self.word(node, 1).fetch_add(1 << FLIGHT_SHIFT, Ordering::Relaxed);
    }

    /// A playout comes back with a value for the side whose move led to the node.
    #[inline]
    pub(super) fn leave(&self, node: NodeId, value: u32) {
        self.word(node, 0).fetch_add(value.into(), Ordering::Relaxed);
        // One visit more, one playout in flight less.
        self.word(node, 1).fetch_add(1_u64.wrapping_sub(1 << FLIGHT_SHIFT), Ordering::Relaxed);
    }

    fn update(&self, node: NodeId, change: impl Fn(u64) -> u64) {
        let changed = |word| Some(change(word));
        // The change is made in any case.
        let _ = self.word(node, 3).fetch_update(Ordering::AcqRel, Ordering::Relaxed, changed);
    }

    /// Thousandths of the room that are in use.
    pub(super) fn usage(&self) -> usize {
        self.len() * 1000 / self.capacity()
    }

    /// Makes a node the root, with all that is below it. `goes_on` is asked now and then; where it says no, the tree is
    /// left empty. Costs a copy of what is kept.
    pub(super) fn reroot(&mut self, root: NodeId, goes_on: impl Fn() -> bool) {
        const ASKED_EVERY: usize = 1024;
        if root == NodeId::ROOT {
            return;
        }
        // The blocks below the new root in the order of their numbers, each with the node that it belongs to.
        let mut blocks = Vec::new();
        let mut open = vec![root];
        while let Some(node) = open.pop() {
            let children = self.children(node);
            if !children.is_empty() {
                blocks.push((children.clone(), node));
                open.extend(children.map(NodeId));
            }
            if blocks.len() % ASKED_EVERY == ASKED_EVERY - 1 && !goes_on() {
                return self.clear();
            }
        }
        blocks.sort_unstable_by_key(|(children, _)| children.start);
        self.copy(root, NodeId::ROOT);
        let mut end = 1;
        // Where each block that was moved stood and stands.
        let mut moved: Vec<(Range<u32>, u32)> = vec![(root.0..root.0 + 1, 0)];
        for (number, (children, parent)) in blocks.into_iter().enumerate() {
            let place = moved.partition_point(|(old, _)| old.start <= parent.0) - 1;
            let (old, new) = &moved[place];
            let parent = NodeId(parent.0 - old.start + new);
            for (target, child) in (end..).zip(children.clone()) {
                self.copy(NodeId(child), NodeId(target));
            }
            let word = self.word(parent, 2);
            let rest = word.load(Ordering::Relaxed) >> u32::BITS << u32::BITS;
            word.store(rest | u64::from(end), Ordering::Relaxed);
            let length = children.len() as u32;
            moved.push((children, end));
            end += length;
            if number % ASKED_EVERY == ASKED_EVERY - 1 && !goes_on() {
                return self.clear();
            }
        }
        *self.used.get_mut() = end as usize;
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
