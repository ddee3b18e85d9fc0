//! [`ProofTable`]: the proof numbers of positions, bounded.

/// Infinity: the goal cannot be reached, the other side has reached its own.
pub(super) const INFINITE: u32 = (1 << NUMBER_BITS) - 1;

/// Bits of a proof number: 4 million positions are more than a proof can look at.
const NUMBER_BITS: u32 = 22;
/// Bits of a length: no board has more points than 1,024.
const LENGTH_BITS: u32 = 10;
/// Bits of the effort, the binary logarithm of the nodes that it took.
const EFFORT_BITS: u32 = 5;

/// The proof numbers of a position, as its mover sees it (A. Nagai, 2002). The attacker's goal is to win, the
/// defender's to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    /// The least number of positions that must be decided for the mover to reach its goal; 0 where it has.
    pub(super) phi: u32,
    /// The same for the other side.
    pub(super) delta: u32,
    /// Of a decided position: plies up to the move that decides.
    pub(super) length: u32,
}

impl ProofNumbers {
    /// The mover has reached its goal.
    pub(super) const fn won(length: usize) -> Self {
        Self { phi: 0, delta: INFINITE, length: length as u32 }
    }

    /// The other side has reached its goal.
    pub(super) const fn lost(length: usize) -> Self {
        Self { phi: INFINITE, delta: 0, length: length as u32 }
    }

    /// Nothing is decided.
    pub(super) fn open(phi: u32, delta: u32) -> Self {
        Self { phi: phi.clamp(1, INFINITE - 1), delta: delta.clamp(1, INFINITE - 1), length: 0 }
    }

    pub(super) const fn is_decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// A table of positions. Four share a line of the cache. A new position replaces the one that took the least work, those
/// of earlier proofs first.
///
/// ```text
/// word   0 ........ 21 | 22 ....... 43 | 44 .. 53 | 54 .. 58 | 59 ...... 63
///        phi           | delta         | length   | effort   | generation
/// ```
pub(super) struct ProofTable {
    // Arrays of numbers come zeroed from the system and cost nothing until they are touched.
    slots: Vec<[u64; 2]>,
    generation: u64,
}

/// Positions that share a bucket: 64 bytes, a line of the cache.
const WAYS: usize = 4;

impl ProofTable {
    /// A table of this many positions, a power of two.
    pub(super) fn new(positions: usize) -> Self {
        Self { slots: vec![[0; 2]; positions.next_power_of_two().max(WAYS)], generation: 1 }
    }

    /// Begins a new proof: what is known stays, and is replaced first.
    pub(super) fn new_generation(&mut self) {
        self.generation = self.generation % 31 + 1;
    }

    pub(super) fn get(&self, key: u64) -> Option<ProofNumbers> {
        let slots = &self.slots[self.bucket(key)];
        slots.iter().find(|slot| slot[0] == key && slot[1] != 0).map(|slot| decode(slot[1]))
    }

    /// Keeps what has become known by this many nodes of work.
    pub(super) fn put(&mut self, key: u64, numbers: ProofNumbers, nodes: u64) {
        let effort = u64::from(u64::BITS - nodes.leading_zeros()).min((1 << EFFORT_BITS) - 1);
        let generation = self.generation;
        let worth = |word: u64| (word >> 59 == generation, word >> (2 * NUMBER_BITS + LENGTH_BITS) & 31);
        let bucket = self.bucket(key);
        let slots = &mut self.slots[bucket];
        let same = slots.iter().position(|slot| slot[0] == key && slot[1] != 0);
        let least = || (0..WAYS).min_by_key(|&way| if slots[way][1] == 0 { (false, 0) } else { worth(slots[way][1]) });
        if let Some(way) = same.or_else(least) {
            let length = u64::from(numbers.length.min((1 << LENGTH_BITS) - 1));
            let word = u64::from(numbers.phi)
                | u64::from(numbers.delta) << NUMBER_BITS
                | length << (2 * NUMBER_BITS)
                | effort << (2 * NUMBER_BITS + LENGTH_BITS)
                | generation << 59;
            slots[way] = [key, word];
        }
    }

    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let first = key as usize & (self.slots.len() - WAYS);
        first..first + WAYS
    }
}

fn decode(word: u64) -> ProofNumbers {
    let number = |shift: u32, bits: u32| (word >> shift) as u32 & ((1 << bits) - 1);
    ProofNumbers {
        phi: number(0, NUMBER_BITS),
        delta: number(NUMBER_BITS, NUMBER_BITS),
        length: number(2 * NUMBER_BITS, LENGTH_BITS),
    }
}
