//! [`Table`]: the transposition table, shared by all threads without locks.

mod file;

pub(super) use file::check;

use std::sync::atomic::{AtomicU8, AtomicU64, AtomicUsize, Ordering};

use prefetch_index::prefetch_index;

use crate::board::{Key, Point};
use crate::score::Score;

/// The meaning of a stored score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
    /// The value is the score.
    Exact,
}

/// Result of a search of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move found.
    pub best: Option<Point>,
    /// The score relative to the node.
    pub score: Score,
    /// The evaluation of the position, which saves the node from computing it again.
    pub eval: Score,
    /// The depth of the search in plies.
    pub depth: u8,
    /// The meaning of the score.
    pub bound: Bound,
}

impl Entry {
    /// An entry that holds only the evaluation, of a node that ended without a search. It has a lower bound without a move,
    /// as no search finds one.
    pub const fn eval_only(eval: Score) -> Self {
        Self { best: None, score: eval, eval, depth: 0, bound: Bound::Lower }
    }

    /// Whether the entry holds only the evaluation.
    pub fn is_eval_only(self) -> bool {
        self.bound == Bound::Lower && self.best.is_none()
    }

    /// Whether the entry is of a leaf: its score is the evaluation.
    pub fn is_static(self) -> bool {
        self.depth == 0 && self.bound == Bound::Exact && self.best.is_none() && self.score == self.eval
    }

    /// The score of a leaf with this entry: an exact score, or the evaluation clamped by the bound.
    pub fn bounded(&self, ply: u32) -> Score {
        let score = self.score.relative_to_root(ply);
        match self.bound {
            Bound::Lower => self.eval.max(score),
            Bound::Upper => self.eval.min(score),
            Bound::Exact => score,
        }
    }
}

/// Words of a slot: check and data. The check is key ^ data, so a slot that two threads write at once matches no key
/// (Hyatt and Mann, "A lock-less transposition table implementation for parallel search", 2002).
///
/// ```text
/// data   bits 0–15 score   16–31 evaluation   32–42 best move + 1   48–55 depth   56–57 bound   58–63 age
/// ```
const SLOT: usize = 2;

/// Words of the slots that a key may use: 64 bytes, a cache line.
const BUCKET: usize = 4 * SLOT;

/// Number of generations before they repeat: six bits.
const AGES: u8 = 64;

/// The transposition table, of a fixed number of bytes.
///
/// The first write to a page takes longer than a node. Therefore the table begins with a part of its memory, and adds
/// parts whenever half of what it uses is full. Parts are small, because a search stands still while one is added. Each
/// new bucket takes its entries from one old bucket (linear hashing, Litwin, 1980).
///
/// ```text
/// |abababab|                             in use: 8 buckets, chosen by 3 bits of the key
/// |a a abab| b b|                        12: the first four are split by a 4th bit
/// |a a a a | b b b b|                    16
/// ```
pub struct Table {
    words: Box<[AtomicU64]>,
    /// The bytes requested.
    asked: usize,
    /// Buckets in use.
    buckets: AtomicUsize,
    /// The greatest number of buckets that are added at once.
    part: usize,
    age: AtomicU8,
}

/// Thousandths of the slots in use that are full before the table grows.
const GROWTH_FULL: usize = 500;

/// Approximate number of slots sampled to measure how full the table is, as UCI engines do for `hashfull`.
const SAMPLED_SLOTS: usize = 1000;

/// An entry of this search is kept if it is deeper than a new bound of the same position by more than this many plies.
/// Set by hand.
const DEEPER: u8 = 3;

/// Plies that an entry loses in value with each search since it was stored. Set by hand.
const AGE_PLIES: i32 = 4;

/// Buckets of a new table, and of each part that it adds: 8 MB. A part takes some 10 ms, less than what a search keeps
/// back of its time.
const FIRST_BUCKETS: usize = 1 << 17;

impl Table {
    /// A table of at most this many bytes and at least one bucket. It is smaller if the system refuses the memory.
    pub fn new(bytes: usize) -> Self {
        Self::beginning_with(FIRST_BUCKETS, bytes)
    }

    /// A table that begins with this many buckets.
    fn beginning_with(first: usize, bytes: usize) -> Self {
        let buckets = (bytes / (BUCKET * size_of::<AtomicU64>())).max(1);
        // The largest power of two that fits: in a full-grown table all buckets hold equally many keys.
        let sizes = (0..=buckets.ilog2()).rev().map(|log2| 1 << log2);
        // Halves the size until the system grants it.
        let words = sizes.filter_map(|buckets: usize| bytemuck::try_zeroed_slice_box(buckets * BUCKET).ok()).next();
        let words = words.unwrap_or_else(|| bytemuck::zeroed_slice_box(BUCKET));
        let buckets = words.len() / BUCKET;
        let in_use = AtomicUsize::new(buckets.min(first));
        Self { words, asked: bytes, buckets: in_use, part: first, age: AtomicU8::new(0) }
    }

    /// The bytes requested.
    pub const fn asked(&self) -> usize {
        self.asked
    }

    /// Begins a new search: every older entry loses [`AGE_PLIES`].
    pub fn new_generation(&self) {
        let age = self.age.load(Ordering::Relaxed);
        self.age.store((age + 1) % AGES, Ordering::Relaxed);
    }

    /// Adds a part if more than half of the slots in use are full. Returns whether it did. Only one thread may call it;
    /// entries that others write meanwhile may be lost.
    pub fn grow(&self) -> bool {
        let buckets = self.buckets.load(Ordering::Relaxed);
        let end = (buckets + self.part).min(self.words.len() / BUCKET);
        if buckets == end || self.fullness(|_| true) <= GROWTH_FULL {
            return false;
        }
        for bucket in buckets..end {
            self.split(bucket);
        }
        self.buckets.store(end, Ordering::Relaxed);
        true
    }

    /// Moves to a new bucket its entries from the old bucket that held them.
    fn split(&self, new: usize) {
        let bit = 1 << new.ilog2();
        let slots = |bucket| self.words[bucket * BUCKET..(bucket + 1) * BUCKET].chunks_exact(SLOT);
        for (old, new) in slots(new - bit).zip(slots(new)) {
            let (check, data) = (old[0].load(Ordering::Relaxed), old[1].load(Ordering::Relaxed));
            if data != 0 && (check ^ data) as usize & bit > 0 {
                new[0].store(check, Ordering::Relaxed);
                new[1].store(data, Ordering::Relaxed);
                old[1].store(0, Ordering::Relaxed);
            }
        }
    }

    /// Asks the CPU to load the bucket of a position that will soon be asked for. Without it a search waits up to a tenth
    /// of its time for memory.
    #[inline]
    pub fn prefetch(&self, key: Key) {
        let bucket = self.bucket(key.bits());
        // The memory need not begin at a cache line.
        prefetch_index(bucket, 0);
        prefetch_index(bucket, BUCKET - 1);
    }

    /// The entry of a position.
    pub fn get(&self, key: Key) -> Option<Entry> {
        let key = key.bits();
        let slots = self.bucket(key).chunks_exact(SLOT);
        let mut data = slots.map(|slot| (slot[0].load(Ordering::Relaxed), slot[1].load(Ordering::Relaxed)));
        data.find(|&(check, data)| check ^ data == key && data != 0).map(|(_, data)| decode(data))
    }

    /// Stores an entry. It replaces the entry of the same position, unless that one is of this search and more than
    /// [`DEEPER`] plies deeper, and the new score is not exact. If the position has no entry, it fills an empty slot of
    /// the bucket, or replaces the entry of the least value, which is depth − [`AGE_PLIES`] · age. An entry that holds
    /// only an evaluation replaces no entry of its position, and no other whose value is above 0.
    pub fn put(&self, key: Key, entry: Entry) {
        let key = key.bits();
        let age = self.age.load(Ordering::Relaxed);
        let bucket = self.bucket(key);
        let mut worst = (i32::MAX, 0);
        let mut best = entry.best;
        for (slot, words) in bucket.chunks_exact(SLOT).enumerate() {
            let data = words[1].load(Ordering::Relaxed);
            let is_same = words[0].load(Ordering::Relaxed) ^ data == key;
            let slot_age = (data >> 58) as u8;
            if is_same && data != 0 {
                let old = decode(data);
                let is_kept =
                    slot_age == age && entry.bound != Bound::Exact && entry.depth.saturating_add(DEEPER) < old.depth;
                if is_kept || entry.is_eval_only() {
                    return;
                }
                best = best.or(old.best);
                worst = (i32::MIN, slot);
                break;
            }
            let value = if data == 0 {
                i32::MIN + 1
            } else {
                i32::from((data >> 48) as u8) - AGE_PLIES * i32::from((age + AGES - slot_age) % AGES)
            };
            worst = worst.min((value, slot));
        }
        if entry.is_eval_only() && worst.0 > 0 {
            return;
        }
        let data = encode(Entry { best, ..entry }, age);
        let slot = SLOT * worst.1;
        bucket[slot].store(key ^ data, Ordering::Relaxed);
        bucket[slot + 1].store(data, Ordering::Relaxed);
    }

    /// The share of the table with entries of this search, in thousandths, from a sample.
    pub fn hashfull(&self) -> usize {
        let age = self.age.load(Ordering::Relaxed);
        let buckets = self.buckets.load(Ordering::Relaxed);
        self.fullness(|data| (data >> 58) as u8 == age) * buckets / (self.words.len() / BUCKET)
    }

    /// The share of wanted entries in the slots in use, in thousandths, from a sample.
    fn fullness(&self, is_wanted: impl Fn(u64) -> bool) -> usize {
        let in_use = &self.words[..self.buckets.load(Ordering::Relaxed) * BUCKET];
        // Buckets that are split are emptier than the others, and the first slots of a bucket are filled first: the sample is
        // spread over all buckets, by an odd step over all slots of a bucket.
        let step = (in_use.len() / SLOT / SAMPLED_SLOTS) | 1;
        let data = in_use.chunks_exact(SLOT).step_by(step).map(|slot| slot[1].load(Ordering::Relaxed));
        let sampled = data.len();
        data.filter(|&data| data != 0 && is_wanted(data)).count() * 1000 / sampled
    }

    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let buckets = self.buckets.load(Ordering::Relaxed);
        let mask = buckets.next_power_of_two() - 1;
        let bucket = key as usize & mask;
        // A bucket that is not in use yet leaves its entries in the one that it will split.
        let bucket = if bucket < buckets { bucket } else { bucket & mask >> 1 };
        &self.words[bucket * BUCKET..(bucket + 1) * BUCKET]
    }
}

fn encode(entry: Entry, age: u8) -> u64 {
    let best = entry.best.map_or(0, |point| point.index() as u64 + 1);
    let bound = match entry.bound {
        Bound::Lower => 1,
        Bound::Upper => 2,
        Bound::Exact => 3,
    };
    let bits = |score: Score| u64::from(score.value() as i16 as u16);
    bits(entry.score)
        | bits(entry.eval) << 16
        | best << 32
        | u64::from(entry.depth) << 48
        | bound << 56
        | u64::from(age) << 58
}

fn decode(data: u64) -> Entry {
    let score = |bits: u64| Score::from_value(i32::from(bits as i16));
    Entry {
        best: ((data >> 32 & 0x7FF) as usize).checked_sub(1).and_then(Point::from_index),
        score: score(data),
        eval: score(data >> 16),
        depth: (data >> 48) as u8,
        bound: match data >> 56 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Rule, Size};

    #[test]
    fn entries_come_back_as_they_were_put() {
        let table = Table::new(1 << 16);
        assert_eq!(size_of_val(&*table.words), 1 << 16);
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        for (index, point) in Size::FIFTEEN.points().enumerate() {
            board.play(point);
            assert_eq!(table.get(board.key()), None);
            let entry = Entry {
                best: (index % 3 > 0).then_some(point),
                score: if index % 2 > 0 {
                    Score::loss_at(index as u32)
                } else {
                    Score::from_eval(index as i32 * 100 - 9_000)
                },
                eval: Score::from_eval(15_000 - index as i32 * 200),
                depth: index as u8,
                bound: [Bound::Lower, Bound::Upper, Bound::Exact][index % 3],
            };
            table.put(board.key(), entry);
            assert_eq!(table.get(board.key()), Some(entry));
        }
    }

    #[test]
    fn an_evaluation_replaces_no_entry_of_its_position() {
        let table = Table::new(1 << 16);
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        board.play(Size::FIFTEEN.centre());
        let eval = Score::from_eval(40);
        table.put(board.key(), Entry::eval_only(eval));
        assert_eq!(table.get(board.key()), Some(Entry::eval_only(eval)));
        let searched = Entry { best: None, score: Score::ZERO, eval, depth: 1, bound: Bound::Upper };
        for entry in [searched, Entry::eval_only(eval)] {
            table.put(board.key(), entry);
            assert_eq!(table.get(board.key()), Some(searched));
        }
    }

    #[test]
    fn a_table_is_smaller_if_the_system_refuses_the_memory() {
        let table = Table::new(isize::MAX as usize);
        assert!(table.words.len() >= BUCKET);
        assert_eq!(table.asked(), isize::MAX as usize);
    }

    #[test]
    fn a_table_grows_as_it_fills_and_keeps_its_entries() {
        const FIRST: usize = 16;
        let table = Table::beginning_with(FIRST, 4 * FIRST * BUCKET * size_of::<AtomicU64>());
        let entry = Entry { best: None, score: Score::ZERO, eval: Score::ZERO, depth: 1, bound: Bound::Exact };
        let mut board = Board::new(Size::TWENTY, Rule::Freestyle);
        let mut in_use = vec![FIRST];
        let mut keys = Vec::new();
        for point in Size::TWENTY.points() {
            let found = || keys.iter().map(|&key| table.get(key)).collect::<Vec<_>>();
            let full = || table.words.chunks_exact(SLOT).filter(|slot| slot[1].load(Ordering::Relaxed) != 0).count();
            let before = (found(), full());
            table.grow();
            assert_eq!((found(), full()), before, "each entry is kept, once");
            in_use.push(table.buckets.load(Ordering::Relaxed));
            board.play(point);
            keys.push(board.key());
            table.put(board.key(), entry);
            assert_eq!(table.get(board.key()), Some(entry));
        }
        in_use.dedup();
        assert_eq!(in_use, [FIRST, 2 * FIRST, 3 * FIRST, 4 * FIRST]);
        assert!(table.hashfull() > 900, "{}", table.hashfull());
    }

    #[test]
    fn a_full_table_grows_until_it_is_half_full() {
        const PART: usize = 16;
        let table = Table::beginning_with(PART, 16 * PART * BUCKET * size_of::<AtomicU64>());
        table.buckets.store(4 * PART, Ordering::Relaxed);
        table.words[..4 * PART * BUCKET].iter().for_each(|word| word.store(1, Ordering::Relaxed));
        let parts = std::iter::repeat_with(|| table.grow()).take_while(|&has_grown| has_grown).count();
        assert_eq!((parts, table.buckets.load(Ordering::Relaxed)), (4, 8 * PART));
    }

    #[test]
    fn a_bucket_drops_the_shallow_and_the_old() {
        let table = Table::new(1);
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        let entry = |depth| Entry { best: None, score: Score::ZERO, eval: Score::ZERO, depth, bound: Bound::Exact };
        let keys: Vec<_> = Size::FIFTEEN
            .points()
            .take(6)
            .map(|point| {
                board.play(point);
                board.key()
            })
            .collect();
        for (&key, depth) in keys.iter().zip([5, 2, 7, 9]) {
            table.put(key, entry(depth));
        }
        table.put(keys[4], Entry::eval_only(Score::ZERO));
        assert_eq!(table.get(keys[4]), None, "an evaluation drops no search");
        table.put(keys[4], entry(1));
        assert_eq!(table.get(keys[1]), None, "the shallowest");
        for _ in 0..3 {
            table.new_generation();
        }
        table.put(keys[2], entry(7));
        table.put(keys[5], entry(1));
        assert_eq!(table.get(keys[4]), None, "the shallowest of the old");
        assert!(table.get(keys[2]).is_some());
    }
}
