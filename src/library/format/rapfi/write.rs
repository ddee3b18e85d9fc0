//! [`RapfiWriter`]: a database that Rapfi opens.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::data::RapfiNumbers;
use super::key::{self, Canonical};
use super::read::METADATA_KEY;
use super::{RapfiRecord, Unwritable, text};
use crate::library::Mark;

/// The text of the metadata.
const CHARSET: &str = "charset=\"UTF-8\"";

/// A key in the order of a file.
#[derive(PartialEq, Eq)]
struct SortedKey(Vec<u8>);

impl Ord for SortedKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        key::order(&self.0, &other.0)
    }
}

impl PartialOrd for SortedKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Collects records, sorts them and writes a database without compression. It holds the bytes of all records.
#[derive(Default)]
pub struct RapfiWriter {
    rows: BTreeMap<SortedKey, Vec<u8>>,
    left_out: BTreeMap<Unwritable, u64>,
    cut_texts: u64,
}

impl RapfiWriter {
    /// A database without records.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a record in any orientation. It replaces an earlier one of the same position.
    ///
    /// # Errors
    /// When the format has no form for the position. It is counted.
    pub fn add(&mut self, record: &RapfiRecord) -> Result<(), Unwritable> {
        let canonical = Canonical::of(&record.stones);
        let key = canonical.to_bytes().inspect_err(|&reason| *self.left_out.entry(reason).or_default() += 1)?;
        let (text, is_cut) = text::join(&canonical.marks(&record.marks), &record.comment);
        self.cut_texts += u64::from(is_cut);
        self.rows.insert(SortedKey(key), record.numbers().with_text(&text));
        Ok(())
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether no record has been added.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The numbers of records that could not be added, by reason.
    pub const fn left_out(&self) -> &BTreeMap<Unwritable, u64> {
        &self.left_out
    }

    /// The number of texts that were cut at 65,530 bytes.
    pub const fn cut_texts(&self) -> u64 {
        self.cut_texts
    }

    /// Writes the file.
    ///
    /// # Errors
    /// When the output cannot be written, or there are more records than a file can hold.
    pub fn write(&self, output: &mut dyn Write) -> io::Result<()> {
        let count = u32::try_from(self.rows.len() + 1).map_err(io::Error::other)?;
        output.write_all(&count.to_le_bytes())?;
        let metadata = RapfiNumbers::default().with_text(CHARSET);
        let rows = self.rows.iter().map(|(SortedKey(key), data)| (key.as_slice(), data.as_slice()));
        for part in std::iter::once((&METADATA_KEY[..], &metadata[..])).chain(rows).flat_map(|(key, data)| [key, data])
        {
            let length = u16::try_from(part.len()).map_err(io::Error::other)?;
            output.write_all(&length.to_le_bytes())?;
            output.write_all(part)?;
        }
        Ok(())
    }
}

impl Canonical {
    /// The board labels of the position on their points of this image. Of labels on images of a point the first counts.
    pub(in crate::library::format) fn marks(&self, marks: &[Mark]) -> Vec<Mark> {
        let moved = |mark: &Mark| Mark { point: self.point(mark.point), text: mark.text.clone() };
        let mut marks: Vec<_> = marks.iter().map(moved).collect();
        marks.sort_by_key(|mark| mark.point);
        marks.dedup_by_key(|mark| mark.point);
        marks
    }
}
