//! The file of a table: written entry by entry, and read only after a check of the whole.
//!
//! ```text
//! magic   version   engine   rule   side   evaluation   count   key data  key data  …   checksum
//! 8       8         8        8      8      8            8       16        16            8        bytes, little-endian words
//! ```
//!
//! The word `engine` differs between builds with different keys. The word `evaluation` is 0 for the classical evaluation,
//! else the checksum of the network: scores of different evaluations do not compare.

use std::io::{self, Read, SeekFrom, Write};
use std::sync::atomic::Ordering;

use super::super::Variant;
use super::{BUCKET, SLOT, Table, decode};
use crate::board::{Board, Key, Rule, Size};
use crate::fnv::Fnv1a;
use crate::picker::{TABLE_KIND, TableError, TableInput};

/// The version of the format.
const VERSION: u64 = 5;

/// Words before the entries.
const HEADER: usize = 7;

/// Bytes of a word.
const WORD: usize = size_of::<u64>();

/// Entries loaded between two checks whether the table must grow.
const GROWTH_STEP: u64 = 1 << 14;

/// A number that differs between engines whose entries differ, from the version and a key.
fn engine() -> u64 {
    let mut sum = Fnv1a::default();
    env!("CARGO_PKG_VERSION").bytes().for_each(|byte| sum.add_word(byte.into()));
    let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
    board.play(Size::FIFTEEN.centre());
    sum.add_word(board.key().bits());
    sum.get()
}

/// The first word of a file.
fn magic() -> u64 {
    TABLE_KIND.start.try_into().map_or(0, u64::from_le_bytes)
}

/// The header of a table of this variant with this number of entries.
fn header((rule, size, evaluation): Variant, count: u64) -> [u64; HEADER] {
    let (number, evaluation) = (rule.index() as u64, evaluation.checksum(rule));
    [magic(), VERSION, engine(), number, size.side().into(), evaluation, count]
}

/// Reads words and adds them to the checksum.
struct Words<'a> {
    input: io::BufReader<&'a mut dyn TableInput>,
    sum: Fnv1a,
}

impl Words<'_> {
    fn next(&mut self) -> Result<u64, TableError> {
        let mut bytes = [0; WORD];
        self.input.read_exact(&mut bytes)?;
        let word = u64::from_le_bytes(bytes);
        self.sum.add_word(word);
        Ok(word)
    }
}

impl Table {
    /// Writes the entries and returns their number.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub(in super::super) fn dump(&self, variant: Variant, output: &mut dyn Write) -> io::Result<u64> {
        let count = self.entries().count() as u64;
        let mut sum = Fnv1a::default();
        let mut output = io::BufWriter::new(output);
        let mut put = |word: u64| {
            sum.add_word(word);
            output.write_all(&word.to_le_bytes())
        };
        header(variant, count).into_iter().try_for_each(&mut put)?;
        for (key, data) in self.entries() {
            put(key)?;
            put(data)?;
        }
        let sum = sum.get();
        output.write_all(&sum.to_le_bytes())?;
        output.flush()?;
        Ok(count)
    }

    /// Loads `count` entries from an input that was [checked](check).
    ///
    /// # Errors
    /// When the input cannot be read again.
    pub(in super::super) fn load(&self, count: u64, input: &mut dyn TableInput) -> Result<(), TableError> {
        input.seek(SeekFrom::Start((HEADER * WORD) as u64))?;
        let mut words = Words { input: io::BufReader::new(input), sum: Fnv1a::default() };
        for number in 0..count {
            if number % GROWTH_STEP == 0 {
                self.grow();
            }
            let (key, data) = (words.next()?, words.next()?);
            if data != 0 {
                self.put(Key::from_bits(key), decode(data));
            }
        }
        Ok(())
    }

    /// The full share of the whole table in thousandths, from a sample.
    pub(in super::super) fn usage(&self) -> usize {
        self.fullness(|_| true) * self.buckets.load(Ordering::Relaxed) / (self.words.len() / BUCKET)
    }

    /// The key and the data of each entry.
    fn entries(&self) -> impl Iterator<Item = (u64, u64)> {
        let in_use = &self.words[..self.buckets.load(Ordering::Relaxed) * BUCKET];
        let words = in_use.chunks_exact(SLOT).map(|slot| [0, 1].map(|word: usize| slot[word].load(Ordering::Relaxed)));
        words.filter(|[_, data]| *data != 0).map(|[check, data]| (check ^ data, data))
    }
}

/// Checks an input and returns the number of its entries. An input larger than a table of `most` bytes is not read.
///
/// # Errors
/// When the input is not a table of this variant, is too large, is damaged, or cannot be read.
pub(in super::super) fn check(variant: Variant, most: usize, input: &mut dyn TableInput) -> Result<u64, TableError> {
    let bytes = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(0))?;
    let mut words = Words { input: io::BufReader::new(input), sum: Fnv1a::default() };
    let mut head = [0; HEADER];
    for word in &mut head {
        *word = words.next()?;
    }
    let [found, version, engine, number, side, evaluation, count] = head;
    let [_, own_version, own_engine, own_number, own_side, own_evaluation, _] = header(variant, 0);
    if found != magic() {
        return Err(TableError::Foreign);
    }
    if (version, engine) != (own_version, own_engine) {
        return Err(TableError::Version);
    }
    if (number, side, evaluation) != (own_number, own_side, own_evaluation) {
        return Err(TableError::Variant);
    }
    if bytes > most.max(BUCKET * WORD).saturating_add((HEADER + 1) * WORD) as u64 {
        return Err(TableError::TooLarge);
    }
    let whole =
        count.checked_mul(2 * WORD as u64).and_then(|entries| entries.checked_add(((HEADER + 1) * WORD) as u64));
    if whole != Some(bytes) {
        return Err(TableError::Damaged);
    }
    for _ in 0..2 * count {
        words.next()?;
    }
    let sum = words.sum.get();
    if words.next()? == sum { Ok(count) } else { Err(TableError::Damaged) }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::super::{Bound, Entry};
    use super::*;
    use crate::picker::{Evaluation, JudgeName};
    use crate::score::Score;

    fn variant(name: JudgeName) -> Variant {
        (Rule::Renju, Size::FIFTEEN, Evaluation { name, ..Evaluation::default() })
    }

    /// A table with an entry for each position of a game that fills the board, and their keys.
    fn filled() -> (Table, Vec<(Key, Entry)>) {
        let table = Table::new(1 << 20);
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        let mut entry = |point| {
            board.play(point);
            let entry =
                Entry { best: Some(point), score: Score::loss_at(4), eval: Score::ZERO, depth: 3, bound: Bound::Upper };
            table.put(board.key(), entry);
            (board.key(), entry)
        };
        let entries = Size::FIFTEEN.points().map(&mut entry).collect();
        (table, entries)
    }

    fn bytes() -> Vec<u8> {
        let mut bytes = Vec::new();
        assert_eq!(filled().0.dump(variant(JudgeName::Network), &mut bytes).unwrap(), 225);
        bytes
    }

    fn load(table: &Table, bytes: &[u8]) -> Result<u64, TableError> {
        let mut input = Cursor::new(bytes);
        let count = check(variant(JudgeName::Network), 1 << 20, &mut input)?;
        table.load(count, &mut input).map(|()| count)
    }

    #[test]
    fn a_table_comes_back_from_its_bytes() {
        let table = Table::new(1 << 18);
        assert_eq!(load(&table, &bytes()), Ok(225));
        for (key, entry) in filled().1 {
            assert_eq!(table.get(key), Some(entry));
        }
        assert!(filled().0.usage() < 20, "{}", filled().0.usage());
    }

    #[test]
    fn the_table_of_another_evaluation_is_refused() {
        let classical = variant(JudgeName::Classical);
        assert_eq!(check(classical, 1 << 20, &mut Cursor::new(bytes())), Err(TableError::Variant));
    }

    #[test]
    fn a_damaged_or_foreign_file_changes_nothing() {
        let good = bytes();
        let changed = |at: usize| {
            let mut bytes = good.clone();
            bytes[at] ^= 1;
            bytes
        };
        let longer = [&good[..], &[0]].concat();
        for (bytes, error) in [
            (Vec::new(), TableError::Damaged),
            (b"[package]\nname = \"tengen\"\nversion = \"0.1.0\"\nedition = \"2024\"".to_vec(), TableError::Foreign),
            (changed(0), TableError::Foreign),
            (changed(8), TableError::Version),
            (changed(16), TableError::Version),
            (changed(24), TableError::Variant),
            (changed(32), TableError::Variant),
            (changed(40), TableError::Variant),
            (changed(48), TableError::Damaged),
            (changed(55), TableError::Damaged),
            (changed(100), TableError::Damaged),
            (changed(good.len() - 1), TableError::Damaged),
            (good[..good.len() - 1].to_vec(), TableError::Damaged),
            (good[..20].to_vec(), TableError::Damaged),
            (longer, TableError::Damaged),
        ] {
            let table = Table::new(1 << 18);
            assert_eq!(load(&table, &bytes), Err(error));
            assert_eq!(table.entries().count(), 0, "{error:?}");
        }
    }
}
