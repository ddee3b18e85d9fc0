//! [`ProofTable`]: the positions of a proof, with their proof numbers.

use crate::cube::geometry::CellSet;

/// Proof numbers of a position, and the moves that are left to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Node {
    /// How many positions must still be proved, at least, to prove this one; 0 is proved.
    pub(super) proof: u32,
    /// How many must still be disproved, at least, to disprove it; 0 is disproved.
    pub(super) disproof: u32,
    /// The moves that are considered; of a proved position of the attacker the move that wins. Empty before the
    /// position is expanded.
    pub(super) moves: CellSet,
}

impl Node {
    /// A win of the attacker.
    pub(super) const PROVED: Self = Self { proof: 0, disproof: u32::MAX, moves: CellSet::EMPTY };
    /// No win of the attacker by the moves that are considered.
    pub(super) const DISPROVED: Self = Self { proof: u32::MAX, disproof: 0, moves: CellSet::EMPTY };

    /// Nothing is known.
    pub(super) const UNKNOWN: Self = Self { proof: 1, disproof: 1, moves: CellSet::EMPTY };

    /// Whether it is proved or disproved.
    pub(super) const fn is_settled(&self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The whole position: no two share an entry.
    stones: [CellSet; 2],
    node: Node,
}

/// 32 bytes of stones and numbers; a slot without stones is empty. The empty cube itself is kept beside the table.
const EMPTY: Entry = Entry { stones: [CellSet::EMPTY; 2], node: Node::DISPROVED };

/// The entries that one position may lie in.
const BUCKET: usize = 4;

/// A table of a fixed number of bytes. Its key is the whole position, so that nothing is ever taken for another.
#[derive(Debug)]
pub(super) struct ProofTable {
    entries: Vec<Entry>,
    used: usize,
    replaced: u64,
}

impl ProofTable {
    /// An empty table of at most this many bytes, and of one bucket at least.
    pub(super) fn with_bytes(bytes: usize) -> Self {
        let buckets = (bytes / (BUCKET * size_of::<Entry>())).max(1);
        Self { entries: vec![EMPTY; buckets * BUCKET], used: 0, replaced: 0 }
    }

    /// The positions in the table, and those that were lost for want of room.
    pub(super) const fn usage(&self) -> (usize, u64) {
        (self.used, self.replaced)
    }

    /// The bytes of the entries.
    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    fn bucket(&self, stones: [CellSet; 2]) -> usize {
        let mixed = stones[0].0.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ stones[1].0.wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let buckets = self.entries.len() / BUCKET;
        ((u128::from(mixed ^ (mixed >> 32)) * buckets as u128) >> 64) as usize * BUCKET
    }

    /// What is known of a position.
    pub(super) fn get(&self, stones: [CellSet; 2]) -> Option<Node> {
        let bucket = self.bucket(stones);
        let bucket = &self.entries[bucket..bucket + BUCKET];
        bucket.iter().find(|entry| entry.stones == stones && entry.stones != EMPTY.stones).map(|entry| entry.node)
    }

    /// Keeps what is known of a position. In a full bucket it takes the place of the entry that is the cheapest to make
    /// anew: one without moves, else the one with the least numbers; settled ones last.
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
