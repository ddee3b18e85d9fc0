//! [`RapfiReader`]: the records of a database, one after the other.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, BufReader, Read};

use encoding_rs::{Encoding, UTF_8};

use super::data::RapfiNumbers;
use super::key::{self, KeyError};
use super::{RapfiError, RapfiRecord, RapfiSkip, text};
use crate::notation::TextEncoding;

/// The first bytes of an LZ4 frame.
pub(in crate::library) const LZ4_MAGIC: [u8; 4] = [0x04, 0x22, 0x4D, 0x18];

/// The key of the record that holds the charset.
pub(super) const METADATA_KEY: [u8; key::HEAD] = [0; key::HEAD];

/// Counts of the records and texts that a reader has met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RapfiTally {
    /// Records that were returned.
    pub records: u64,
    /// Records that were not returned, by reason.
    pub skipped: BTreeMap<RapfiSkip, u64>,
    /// Records with a text.
    pub texts: u64,
    /// Texts with NULs, which were removed. Old programs write them.
    pub texts_with_nuls: u64,
    /// Texts with bytes that are no characters; U+FFFD replaces them.
    pub undecodable_texts: u64,
    /// Board labels that lie off the board or cannot be read.
    pub dropped_marks: u64,
}

impl RapfiTally {
    /// A line for each kind of fact that was not read, or not as it stands in the file.
    pub fn notes(&self) -> Vec<String> {
        let skipped = self.skipped.iter().map(|(reason, &count)| (count, format!("records skipped: {reason}")));
        let others = [
            (self.texts_with_nuls, "texts with zero bytes, which were removed"),
            (self.undecodable_texts, "texts with bytes that are no characters"),
            (self.dropped_marks, "labels without a point, which were left out"),
        ];
        let all = skipped.chain(others.map(|(count, what)| (count, what.to_owned())));
        all.filter(|&(count, _)| count > 0).map(|(count, what)| format!("{count} {what}")).collect()
    }
}

/// Reads the records of a database, compressed or not. It holds one record at a time. After an error it returns no more.
///
/// ```
/// use tengen::library::format::rapfi::RapfiReader;
///
/// let file = b"\x01\0\0\0\x05\0\x02\x0F\x0F\x07\x07\x0A\0\x77\xDA\x8A\x03\0first";
/// let mut reader = RapfiReader::new(&file[..], None)?;
/// let record = reader.next().expect("a record")?;
/// assert_eq!((record.value, &*record.comment), (-29_990, "first"));
/// assert!(reader.next().is_none());
/// # Ok::<(), tengen::library::format::rapfi::RapfiError>(())
/// ```
pub struct RapfiReader<'a> {
    input: Box<dyn Read + 'a>,
    /// The number of bytes that were read, after decompression.
    offset: u64,
    limit: u64,
    /// The number of records that follow. `None` after the end or an error.
    remaining: Option<u32>,
    charset: Option<&'static Encoding>,
    fallback: Option<&'static Encoding>,
    tally: RapfiTally,
    /// The bytes that were read last.
    buffer: Vec<u8>,
}

impl<'a> RapfiReader<'a> {
    /// The default limit of the bytes after decompression, 4 GiB.
    pub const DEFAULT_LIMIT: u64 = 4 << 30;

    /// Reads the beginning of a file. The encoding is used for texts of a file that states none, as old ones do, and for
    /// texts that are not in the stated one. Without an encoding UTF-8 is used.
    ///
    /// # Errors
    /// When the input cannot be read or ends at once.
    pub fn new(input: impl Read + 'a, encoding: Option<TextEncoding>) -> Result<Self, RapfiError> {
        Self::with_limit(input, encoding, Self::DEFAULT_LIMIT)
    }

    /// Like [`new`](Self::new), with another limit of the bytes after decompression.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn with_limit(
        mut input: impl Read + 'a,
        encoding: Option<TextEncoding>,
        limit: u64,
    ) -> Result<Self, RapfiError> {
        let mut magic = Vec::new();
        let read = input.by_ref().take(LZ4_MAGIC.len() as u64).read_to_end(&mut magic);
        read.map_err(|source| RapfiError::Io { offset: 0, source })?;
        let is_compressed = magic == LZ4_MAGIC;
        let whole = BufReader::new(io::Cursor::new(magic).chain(input));
        let input: Box<dyn Read> =
            if is_compressed { Box::new(lz4_flex::frame::FrameDecoder::new(whole)) } else { Box::new(whole) };
        let mut reader = Self {
            input,
            offset: 0,
            limit,
            remaining: None,
            charset: None,
            fallback: encoding.map(TextEncoding::encoding),
            tally: RapfiTally::default(),
            buffer: Vec::new(),
        };
        let count = reader.numbers()?;
        reader.remaining = Some(u32::from_le_bytes(count));
        Ok(reader)
    }

    /// The encoding of the texts of a file that are not in the stated charset: the first of UTF-8, GBK and Windows-1252 that
    /// fits all of them.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn encoding_of_texts(bytes: &[u8]) -> Result<TextEncoding, RapfiError> {
        for encoding in TextEncoding::TRIED {
            let mut reader = RapfiReader::new(bytes, Some(encoding))?;
            reader.by_ref().try_for_each(|record| record.map(drop))?;
            if reader.tally.undecodable_texts == 0 {
                return Ok(encoding);
            }
        }
        Ok(TextEncoding::Windows1252)
    }

    /// The counts so far.
    pub const fn tally(&self) -> &RapfiTally {
        &self.tally
    }

    /// The encoding that the file states.
    pub const fn charset(&self) -> Option<&'static Encoding> {
        self.charset
    }

    /// Reads this number of bytes into the buffer.
    fn fill(&mut self, count: usize) -> Result<(), RapfiError> {
        let end = self.offset + count as u64;
        if end > self.limit {
            return Err(RapfiError::TooLarge(self.limit));
        }
        self.buffer.resize(count, 0);
        self.input.read_exact(&mut self.buffer).map_err(|source| match source.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("the file ends within a record"),
            _ => RapfiError::Io { offset: self.offset, source },
        })?;
        self.offset = end;
        Ok(())
    }

    fn numbers<const N: usize>(&mut self) -> Result<[u8; N], RapfiError> {
        self.fill(N)?;
        let mut bytes = [0; N];
        bytes.copy_from_slice(&self.buffer);
        Ok(bytes)
    }

    fn length(&mut self) -> Result<usize, RapfiError> {
        self.numbers().map(u16::from_le_bytes).map(usize::from)
    }

    const fn damaged(&self, what: &'static str) -> RapfiError {
        RapfiError::Damaged { offset: self.offset, what }
    }

    /// Reads a record. Returns `None` for an empty key, for the metadata, and for a position that cannot be held; only
    /// the last is counted as skipped.
    fn record(&mut self) -> Result<Option<RapfiRecord>, RapfiError> {
        let length = self.length()?;
        if length == 0 {
            return Ok(None);
        }
        let begin = self.offset;
        self.fill(length)?;
        let is_metadata = self.buffer == METADATA_KEY;
        let stones = key::parse(&self.buffer);
        let length = self.length()?;
        let data_begin = self.offset;
        self.fill(length)?;
        if is_metadata {
            self.charset = stated_charset(&self.buffer);
            return Ok(None);
        }
        let stones = match stones {
            Ok(stones) => stones,
            Err(KeyError::Damaged) => return Err(RapfiError::Damaged { offset: begin, what: "not a key" }),
            Err(KeyError::Skipped(reason)) => {
                *self.tally.skipped.entry(reason).or_default() += 1;
                return Ok(None);
            }
        };
        let damaged = RapfiError::Damaged { offset: data_begin, what: "data of one to four bytes" };
        let (head, bytes) = RapfiNumbers::parse(&self.buffer).ok_or(damaged)?;
        let bytes: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).collect();
        self.tally.records += 1;
        let text_length = self.buffer.len().saturating_sub(super::data::HEAD);
        self.tally.texts += u64::from(text_length > 0);
        self.tally.texts_with_nuls += u64::from(bytes.len() < text_length);
        let decoded = self.charset.and_then(|own| own.decode_without_bom_handling_and_without_replacement(&bytes));
        let (decoded, is_damaged) = match decoded {
            Some(decoded) => (decoded, false),
            None => self.fallback.unwrap_or(UTF_8).decode_without_bom_handling(&bytes),
        };
        self.tally.undecodable_texts += u64::from(is_damaged);
        let text = text::split(&decoded, stones.size);
        self.tally.dropped_marks += text.dropped;
        let RapfiNumbers { label, value, depth, bound } = head;
        Ok(Some(RapfiRecord { stones, label, value, depth, bound, comment: text.comment, marks: text.marks }))
    }

    /// Reads records up to one that is returned, or to the end of the input.
    fn next_record(&mut self) -> Result<Option<RapfiRecord>, RapfiError> {
        while let Some(remaining) = self.remaining.and_then(|remaining| remaining.checked_sub(1)) {
            self.remaining = Some(remaining);
            if let Some(record) = self.record()? {
                return Ok(Some(record));
            }
        }
        // The end of a compressed file holds its checksum.
        match self.input.read(&mut [0]) {
            Ok(0) => Ok(None),
            Ok(_) => Err(self.damaged("bytes after the last record")),
            Err(source) => Err(RapfiError::Io { offset: self.offset, source }),
        }
    }
}

impl Iterator for RapfiReader<'_> {
    type Item = Result<RapfiRecord, RapfiError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.remaining?;
        let record = self.next_record().transpose();
        if !matches!(record, Some(Ok(_))) {
            self.remaining = None;
        }
        record
    }
}

/// The charset in the data of the metadata.
fn stated_charset(data: &[u8]) -> Option<&'static Encoding> {
    let text: Cow<'_, str> = String::from_utf8_lossy(data);
    let (_, stated) = text.split_once("charset=\"")?;
    Encoding::for_label(stated.split_once('"')?.0.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;
    use crate::board::{Color, Point, Rule, Size};
    use crate::library::format::rapfi::RapfiLabel;
    use crate::library::{Bound, Mark};

    /// A file of records, each a key and its data.
    fn file(records: &[(&[u8], &[u8])]) -> Vec<u8> {
        let mut file = (records.len() as u32).to_le_bytes().to_vec();
        for (key, data) in records {
            for part in [key, data] {
                file.extend((part.len() as u16).to_le_bytes());
                file.extend(*part);
            }
        }
        file
    }

    const UTF8: (&[u8], &[u8]) = (&[0, 0, 0], b"\0\0\0\0\0charset=\"UTF-8\"");

    fn compressed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = lz4_flex::frame::FrameEncoder::new(Vec::new());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn read(file: &[u8], encoding: Option<TextEncoding>) -> (Vec<RapfiRecord>, RapfiTally) {
        let mut reader = RapfiReader::new(file, encoding).unwrap();
        let records = reader.by_ref().collect::<Result<_, _>>().unwrap();
        (records, reader.tally().clone())
    }

    fn error(file: &[u8]) -> String {
        let mut reader = RapfiReader::new(file, None).unwrap();
        let error = reader.find_map(Result::err).unwrap().to_string();
        assert!(reader.next().is_none());
        error
    }

    #[test]
    fn a_file_is_read_raw_and_compressed() {
        let file = file(&[
            UTF8,
            (&[2, 15, 15, 7, 7], b"\x77\xDA\x8A\x03\x00@BTXT@77A\0\n76B\x08one\x08two"),
            (&[0, 20, 20], b""),
        ]);
        for bytes in [file.clone(), compressed(&file)] {
            let (records, tally) = read(&bytes, None);
            let [first, second] = records.try_into().unwrap();
            assert_eq!(
                (first.stones.rule, first.stones.size, first.stones.turn),
                (Rule::Renju, Size::FIFTEEN, Color::White)
            );
            assert_eq!((first.label, first.value, first.depth), (RapfiLabel::Character('w'), -29_990, 0));
            assert_eq!((first.bound, &*first.comment), (Bound::Exact, "one\ntwo"));
            let mark = |x, y, text: &str| Mark { point: Point::new(x, y).unwrap(), text: text.into() };
            assert_eq!(first.marks, [mark(7, 6, "B"), mark(7, 7, "A")]);
            assert_eq!((second.label, second.stones.size), (RapfiLabel::Null, Size::TWENTY));
            let expected = RapfiTally { records: 2, texts: 1, texts_with_nuls: 1, ..RapfiTally::default() };
            assert_eq!(tally, expected);
        }
    }

    #[test]
    fn texts_without_a_charset_are_in_the_encoding_of_the_caller() {
        // "black" in GBK, alone and as a board label.
        let legacy = (&[2, 15, 15][..], &b"\xFF\0\0\0\0@BTXT@76\xBA\xDA\x08\xBA\xDA"[..]);
        for (records, encoding, expected) in [
            (vec![legacy], Some(TextEncoding::Gbk), "黑"),
            (vec![UTF8, legacy], Some(TextEncoding::Gbk), "黑"),
            (vec![legacy], None, "\u{FFFD}\u{FFFD}"),
        ] {
            let (records, tally) = read(&file(&records), encoding);
            assert_eq!((&*records[0].comment, &*records[0].marks[0].text), (expected, expected));
            assert_eq!(tally.undecodable_texts, u64::from(encoding.is_none()));
        }
        let utf8 = file(&[UTF8, (&[2, 15, 15], "\0\0\0\0\0直".as_bytes())]);
        assert_eq!(read(&utf8, Some(TextEncoding::Gbk)).0[0].comment, "直");
        let western = (&[2, 15, 15, 7, 7][..], &b"\xFF\0\0\0\0caf\xE9."[..]);
        for (bytes, encoding) in [
            (utf8, TextEncoding::Utf8),
            (file(&[legacy]), TextEncoding::Gbk),
            (file(&[legacy, western]), TextEncoding::Windows1252),
        ] {
            assert_eq!(RapfiReader::encoding_of_texts(&bytes).unwrap(), encoding);
        }
    }

    #[test]
    fn positions_that_cannot_be_held_are_counted() {
        let bytes = file(&[
            (&[3, 15, 15], b""),
            (&[0, 15, 16], b""),
            (&[], b""),
            (&[0, 15, 15, 0, 0, 0, 0], b""),
            (&[0, 15, 15], b"\xFF\0\0\0\0@BTXT@ZZx"),
        ]);
        // A record without a key has no data.
        let place = 4 + 2 * (2 + 3 + 2) + 2;
        let bytes = [&bytes[..place], &bytes[place + 2..]].concat();
        let (records, tally) = read(&bytes, None);
        assert_eq!((records.len(), tally.records, tally.dropped_marks), (1, 1, 1));
        let skipped = [(RapfiSkip::Rule, 1), (RapfiSkip::Size, 1), (RapfiSkip::Stones, 1)];
        assert_eq!(tally.skipped, BTreeMap::from(skipped));
    }

    #[test]
    fn damage_is_an_error_that_names_the_byte() {
        assert!(RapfiReader::new(&[1, 0, 0][..], None).is_err());
        assert_eq!(error(&[1, 0, 0, 0, 3]), "byte 4: the file ends within a record");
        assert_eq!(error(&file(&[(&[2, 15], b"")])), "byte 6: not a key");
        assert_eq!(error(&file(&[(&[2, 15, 15], b"\xFF\0")])), "byte 11: data of one to four bytes");
        let longer = [file(&[(&[2, 15, 15], b"")]), vec![0]].concat();
        assert_eq!(error(&longer), "byte 11: bytes after the last record");
        // The checksum of the frame lies after all records.
        let mut frame = lz4_flex::frame::FrameEncoder::with_frame_info(
            lz4_flex::frame::FrameInfo::new().content_checksum(true),
            Vec::new(),
        );
        frame.write_all(&file(&[(&[2, 15, 15], b"")])).unwrap();
        let mut frame = frame.finish().unwrap();
        *frame.last_mut().unwrap() ^= 1;
        assert!(error(&frame).starts_with("byte 11: "), "{}", error(&frame));
    }

    #[test]
    fn a_bomb_is_refused() {
        let file = compressed(&file(&vec![(&[][..], &[][..]); 100_000]));
        assert!(file.len() < 2_000);
        let mut reader = RapfiReader::with_limit(&file[..], None, 50_000).unwrap();
        assert!(matches!(reader.next(), Some(Err(RapfiError::TooLarge(50_000)))));
        assert!(reader.next().is_none());
    }
}
