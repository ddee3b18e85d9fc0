//! [`ProofTable`]: the positions of a proof and their proof numbers.

use crate::cube::geometry::CellSet;

/// Proof numbers of a position and the moves left to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// Minimum number of positions left to prove; 0 is proved.
    pub(super) proof: u32,
    /// Minimum number of positions left to disprove; 0 is disproved.
    pub(super) disproof: u32,
    /// The moves left to try, empty before the position is expanded. In a proved position of the attacker it is the
    /// winning move.
    pub(super) moves: CellSet,
}

impl Node {
    /// A win for the attacker.
    pub(super) const PROVED: Self = Self { proof: 0, disproof: u32::MAX, moves: CellSet::EMPTY };
    /// No candidate move wins.
    pub(super) const DISPROVED: Self = Self { proof: u32::MAX, disproof: 0, moves: CellSet::EMPTY };

    /// An undecided position.
    pub(super) const UNKNOWN: Self = Self { proof: 1, disproof: 1, moves: CellSet::EMPTY };

    /// Whether it is proved or disproved.
    pub(super) const fn is_settled(&self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The stones of black and white, which are the key.
    stones: [CellSet; 2],
    node: Node,
}

/// An entry without stones is empty. The solver keeps the node of the empty cube itself.
const EMPTY: Entry = Entry { stones: [CellSet::EMPTY; 2], node: Node::DISPROVED };

/// Number of entries of a bucket.
const BUCKET: usize = 4;

/// A table of a fixed size. Its key is the whole position, so that two positions are never confused.
#[derive(Debug)]
pub(super) struct ProofTable {
    entries: Vec<Entry>,
    used: usize,
    replaced: u64,
}

impl ProofTable {
    /// An empty table of at most this number of bytes and at least one bucket.
    pub(super) fn with_bytes(bytes: usize) -> Self {
        let buckets = (bytes / (BUCKET * size_of::<Entry>())).max(1);
        Self { entries: vec![EMPTY; buckets * BUCKET], used: 0, replaced: 0 }
    }

    /// The number of positions in the table, and the number overwritten.
    pub(super) const fn usage(&self) -> (usize, u64) {
        (self.used, self.replaced)
    }

    /// The size of the entries in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    fn bucket(&self, stones: [CellSet; 2]) -> usize {
        let mixed = stones[0].0.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ stones[1].0.wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let buckets = self.entries.len() / BUCKET;
        ((u128::from(mixed ^ (mixed >> 32)) * buckets as u128) >> 64) as usize * BUCKET
    }

    /// The node of a position.
    pub(super) fn get(&self, stones: [CellSet; 2]) -> Option<Node> {
        let bucket = self.bucket(stones);
        let bucket = &self.entries[bucket..bucket + BUCKET];
        bucket.iter().find(|entry| entry.stones == stones && entry.stones != EMPTY.stones).map(|entry| entry.node)
    }

    /// Stores the node of a position. In a full bucket it replaces the entry that is cheapest to compute again: one without
    /// moves, else the one with the least numbers, else a settled one.
    pub(super) fn put(&mut self, stones: [CellSet; 2], node: Node) {
        let bucket = self.bucket(stones);
        let bucket = &mut self.entries[bucket..bucket + BUCKET];
        let cost = |entry: &Entry| {
            if entry.stones == stones {
                (0, 0)
            } else if entry.stones == EMPTY.stones {
                (1, 0)
            } else if entry.node.is_settled() {
                (4, entry.stones[0].len())
            } else if entry.node.moves.is_empty() {
                (2, 0)
            } else {
                (3, entry.node.proof.saturating_add(entry.node.disproof) as usize)
            }
        };
        let Some(slot) = bucket.iter_mut().min_by_key(|entry| cost(entry)) else { return };
        match cost(slot).0 {
            0 => {}
            1 => self.used += 1,
            _ => self.replaced += 1,
        }
        *slot = Entry { stones, node };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn a_table_returns_what_was_put_and_stays_within_its_bytes() {
        let mut table = ProofTable::with_bytes(1 << 16);
        assert!(table.bytes() <= 1 << 16);
        let mut rng = Rng::new(3);
        for number in 1..10_000 {
            let stones = [CellSet(rng.next_u64()), CellSet(rng.next_u64())];
            let node = Node { proof: number, disproof: 1, moves: CellSet(1) };
            assert_eq!(table.get(stones), None);
            table.put(stones, node);
            assert_eq!(table.get(stones), Some(node));
        }
        let (used, replaced) = table.usage();
        assert_eq!(used as u64 + replaced, 9_999);
        assert!(used <= table.entries.len());
    }

    #[test]
    fn a_settled_position_gives_way_last() {
        let mut table = ProofTable::with_bytes(0);
        let stones = |number| [CellSet(number), CellSet(0)];
        table.put(stones(1), Node::PROVED);
        for number in 2..100 {
            table.put(stones(number), Node { proof: 1, disproof: 1, moves: CellSet::EMPTY });
        }
        assert_eq!(table.get(stones(1)), Some(Node::PROVED));
    }
}
