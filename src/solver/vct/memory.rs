//! [`Memory`]: what is known of positions, bounded.

/// Stands for a number that cannot be reached: the other side has what it wants.
pub(super) const NEVER: u32 = (1 << NUMBER_BITS) - 1;

const NUMBER_BITS: u32 = 22;
const LENGTH_BITS: u32 = 10;
const EFFORT_BITS: u32 = 5;

/// What is known of a position, as its mover sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// Positions that must at least be decided for the mover to reach its end; 0 where it has.
    pub(super) own: u32,
    /// The same for the other side.
    pub(super) other: u32,
    /// Of a win: plies up to the move that decides.
    pub(super) length: u32,
}

impl Known {
    /// The mover has reached its end.
    pub(super) const fn reached(length: usize) -> Self {
        Self { own: 0, other: NEVER, length: length as u32 }
    }

    /// The other side has reached its end.
    pub(super) const fn failed(length: usize) -> Self {
        Self { own: NEVER, other: 0, length: length as u32 }
    }

    /// Nothing is decided.
    pub(super) fn open(own: u32, other: u32) -> Self {
        Self { own: own.clamp(1, NEVER - 1), other: other.clamp(1, NEVER - 1), length: 0 }
    }

    pub(super) const fn is_decided(self) -> bool {
        self.own == 0 || self.other == 0
    }
}

/// A table of positions. Four share a line of the cache; of these the one that took least work makes room, those of
/// earlier proofs first.
///
/// ```text
/// word   0 ........ 21 | 22 ....... 43 | 44 .. 53 | 54 .. 58 | 59 ...... 63
///        own           | other         | length   | effort   | generation
/// ```
pub(super) struct Memory {
    // Arrays of numbers come zeroed from the system and cost nothing until they are touched.
    slots: Vec<[u64; 2]>,
    generation: u64,
}

const WAYS: usize = 4;

impl Memory {
    /// A table of this many positions, a power of two.
    pub(super) fn new(positions: usize) -> Self {
        Self { slots: vec![[0; 2]; positions.next_power_of_two().max(WAYS)], generation: 1 }
    }

    /// Begins a new proof: what is known stays, and makes room first.
    pub(super) fn grow_old(&mut self) {
        self.generation = self.generation % 31 + 1;
    }

    pub(super) fn get(&self, key: u64) -> Option<Known> {
        let slots = &self.slots[self.bucket(key)];
        slots.iter().find(|slot| slot[0] == key && slot[1] != 0).map(|slot| decode(slot[1]))
    }

    /// Keeps what has become known by this many nodes of work.
    pub(super) fn put(&mut self, key: u64, known: Known, nodes: u64) {
        let effort = u64::from(u64::BITS - nodes.leading_zeros()).min((1 << EFFORT_BITS) - 1);
        let generation = self.generation;
        let worth = |word: u64| (word >> 59 == generation, word >> (2 * NUMBER_BITS + LENGTH_BITS) & 31);
        let bucket = self.bucket(key);
        let slots = &mut self.slots[bucket];
        let same = slots.iter().position(|slot| slot[0] == key && slot[1] != 0);
        let least = || (0..WAYS).min_by_key(|&way| if slots[way][1] == 0 { (false, 0) } else { worth(slots[way][1]) });
        if let Some(way) = same.or_else(least) {
            let length = u64::from(known.length.min((1 << LENGTH_BITS) - 1));
            let word = u64::from(known.own)
                | u64::from(known.other) << NUMBER_BITS
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

fn decode(word: u64) -> Known {
    let number = |shift: u32, bits: u32| (word >> shift) as u32 & ((1 << bits) - 1);
    Known {
        own: number(0, NUMBER_BITS),
        other: number(NUMBER_BITS, NUMBER_BITS),
        length: number(2 * NUMBER_BITS, LENGTH_BITS),
    }
}
