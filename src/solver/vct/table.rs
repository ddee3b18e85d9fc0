//! [`ProofTable`]: the proof numbers of positions, bounded.

/// Infinity, for a goal that cannot be reached.
pub(super) const INFINITE: u32 = (1 << NUMBER_BITS) - 1;

/// Bits of a proof number. [`ProofNumbers::open`] clamps greater ones.
const NUMBER_BITS: u32 = 22;
/// Bits of a length: no board has more than 1,024 points.
const LENGTH_BITS: u32 = 10;
/// Bits of the effort, the binary logarithm of the nodes searched.
const EFFORT_BITS: u32 = 5;

/// The proof numbers of a position from the view of its mover (A. Nagai, 2002). The attacker's goal is to win, the
/// defender's to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    /// Least number of positions to decide before the mover reaches its goal; 0 if it has.
    pub(super) phi: u32,
    /// The same for the other side.
    pub(super) delta: u32,
    /// Plies to the move that decides, if the position is decided.
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

    /// The position is not decided.
    pub(super) fn open(phi: u32, delta: u32) -> Self {
        Self { phi: phi.clamp(1, INFINITE - 1), delta: delta.clamp(1, INFINITE - 1), length: 0 }
    }

    pub(super) const fn is_decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// A table of positions, four in a cache line. A new position replaces the one with the least effort, those of earlier
/// proofs first.
///
/// ```text
/// word   0 ........ 21 | 22 ....... 43 | 44 .. 53 | 54 .. 58 | 59 ...... 63
///        phi           | delta         | length   | effort   | generation
/// ```
pub(super) struct ProofTable {
    // The system provides zeroed pages at their first use.
    slots: Vec<[u64; 2]>,
    generation: u64,
}

/// Positions in a bucket: 64 bytes, a cache line.
const WAYS: usize = 4;

impl ProofTable {
    /// A table of this many positions, a power of two.
    pub(super) fn new(positions: usize) -> Self {
        Self { slots: vec![[0; 2]; positions.next_power_of_two().max(WAYS)], generation: 1 }
    }

    /// Begins a new proof: older entries stay and are replaced first.
    pub(super) fn new_generation(&mut self) {
        self.generation = self.generation % 31 + 1;
    }

    pub(super) fn get(&self, key: u64) -> Option<ProofNumbers> {
        let slots = &self.slots[self.bucket(key)];
        slots.iter().find(|slot| slot[0] == key && slot[1] != 0).map(|slot| decode(slot[1]))
    }

    /// Stores the proof numbers of a position after a search of this number of nodes.
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
