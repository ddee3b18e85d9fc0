//! The file of a [`Book`].
//!
//! ```text
//! 8 bytes   TengenBk
//! 4         version                      all numbers are little-endian
//! 1, 1      rule, side of the board
//! 4, 4      number of positions, number of moves
//! 12 each   the positions: the last bytes of their keys, ascending
//! 4 each    the end of the moves of each position
//! 4 each    the moves: point and kind, score
//! 8         checksum of all before it
//!
//! point and kind   4 bits of 0 │ kind 2 │ number of the point 10, row by row
//! score            for the side to move; -32,768 if it is unknown
//! ```

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::{Book, MoveKind};
use crate::board::{Point, Rule, Size};
use crate::files::{Kind, MEBIBYTE, take_first};
use crate::fnv::Fnv1a;
use crate::library::position::PositionHash;
use crate::library::record::{number, numbered};
use crate::score::Score;

/// The start of the file of a book.
pub const BOOK_KIND: Kind = Kind { name: "book", start: b"TengenBk" };

/// The version of the file.
const VERSION: u32 = 1;

/// The greatest size of a book in bytes: some ten million positions. An engine with the default memory of 350 MiB can
/// load it and still has room for tables.
pub const MOST_BOOK_BYTES: u64 = 256 * MEBIBYTE;

/// Bytes beside positions and moves.
const FRAME_BYTES: u64 = 8 + 4 + 2 + 8 + 8;

/// Bytes of a position without its moves.
const POSITION_BYTES: u64 = 12 + 4;

/// Bytes of a move.
const MOVE_BYTES: u64 = 4;

/// Bits of the number of a point.
const POINT_BITS: u32 = 10;

/// Stands for no score.
const NO_SCORE: i16 = i16::MIN;

/// Error returned when bytes are not a book that this version reads.
#[derive(Debug, Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Read(io::Error),
    /// It is something else.
    #[error("it is not a book")]
    Foreign,
    /// Another version of the program has compiled it.
    #[error("it is a book of version {0}, and this program reads version {VERSION}")]
    Version(u32),
    /// It is cut off or changed.
    #[error("it is damaged")]
    Damaged,
}

/// Error returned when a file is not read as a book.
#[derive(Debug, Error)]
#[error("cannot read the book {}: {error}", .path.display())]
pub struct BookFileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub error: BookError,
}

/// A move in the stored orientation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredMove {
    pub(super) point: Point,
    pub(super) kind: MoveKind,
    pub(super) score: Option<Score>,
}

impl StoredMove {
    fn to_bytes(self, size: Size) -> [u8; MOVE_BYTES as usize] {
        let code = (self.kind as u16) << POINT_BITS | number(self.point, size);
        let score = self.score.and_then(|score| i16::try_from(score.value()).ok()).unwrap_or(NO_SCORE);
        let ([a, b], [c, d]) = (code.to_le_bytes(), score.to_le_bytes());
        [a, b, c, d]
    }

    fn from_bytes([a, b, c, d]: [u8; MOVE_BYTES as usize], size: Size) -> Option<Self> {
        let (code, score) = (u16::from_le_bytes([a, b]), i16::from_le_bytes([c, d]));
        let kind = MoveKind::from_repr(u8::try_from(code >> POINT_BITS).ok()?)?;
        let point = numbered(code & ((1 << POINT_BITS) - 1), size)?;
        let score = (score != NO_SCORE).then(|| Score::from_value(score.into()));
        Some(Self { point, kind, score })
    }
}

impl Book {
    /// A book of positions, each with its moves.
    pub(super) fn new(rule: Rule, size: Size, mut positions: Vec<(PositionHash, Vec<StoredMove>)>) -> Self {
        positions.sort_unstable_by_key(|&(key, _)| key);
        let (mut keys, mut ends, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        for (key, known) in positions {
            keys.push(key);
            moves.extend(known);
            ends.push(moves.len() as u32);
        }
        Self { path: None, rule, size, keys, ends, moves }
    }

    /// The size of its file in bytes.
    pub(super) fn file_bytes(&self) -> u64 {
        FRAME_BYTES + POSITION_BYTES * self.keys.len() as u64 + MOVE_BYTES * self.moves.len() as u64
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = BOOK_KIND.start.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.rule.index() as u8, self.size.side()]);
        bytes.extend((self.keys.len() as u32).to_le_bytes());
        bytes.extend((self.moves.len() as u32).to_le_bytes());
        bytes.extend(self.keys.iter().flatten());
        bytes.extend(self.ends.iter().flat_map(|end| end.to_le_bytes()));
        bytes.extend(self.moves.iter().flat_map(|known| known.to_bytes(self.size)));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// When they are damaged, or not those of a book that this version reads.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let mut rest = bytes.strip_prefix(BOOK_KIND.start).ok_or(BookError::Foreign)?;
        let version = take_first(&mut rest).map(u32::from_le_bytes).ok_or(BookError::Damaged)?;
        if version != VERSION {
            return Err(BookError::Version(version));
        }
        let (content, sum) = bytes.split_last_chunk().ok_or(BookError::Damaged)?;
        if checksum(content) != u64::from_le_bytes(*sum) {
            return Err(BookError::Damaged);
        }
        Self::parse(rest, bytes.len() as u64).filter(Self::is_sound).ok_or(BookError::Damaged)
    }

    /// Reads what follows the version in a file of this length.
    fn parse(mut rest: &[u8], length: u64) -> Option<Self> {
        let [rule, side] = take_first(&mut rest)?;
        let (rule, size) = (*Rule::ALL.get(usize::from(rule))?, Size::new(side)?);
        let mut count = || take_first(&mut rest).map(u32::from_le_bytes);
        let (positions, moves) = (count()?, count()?);
        let expected = FRAME_BYTES + POSITION_BYTES * u64::from(positions) + MOVE_BYTES * u64::from(moves);
        // The length bounds what is allocated.
        if length != expected {
            return None;
        }
        let keys = (0..positions).map(|_| take_first(&mut rest)).collect::<Option<_>>()?;
        let ends = (0..positions).map(|_| take_first(&mut rest).map(u32::from_le_bytes)).collect::<Option<_>>()?;
        let moves = (0..moves).map(|_| StoredMove::from_bytes(take_first(&mut rest)?, size)).collect::<Option<_>>()?;
        Some(Self { path: None, rule, size, keys, ends, moves })
    }

    /// Whether the positions are in order, and their moves are those of the file.
    fn is_sound(&self) -> bool {
        self.keys.is_sorted_by(|one, next| one < next)
            && self.ends.is_sorted()
            && self.ends.last().map_or(0, |&end| end as usize) == self.moves.len()
    }
}

/// The checksum of bytes, eight at a time. Any changed byte changes it.
fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = Fnv1a::default();
    let mut rest = bytes;
    while let Some(word) = take_first(&mut rest) {
        sum.add_word(u64::from_le_bytes(word));
    }
    sum.add_bytes(rest);
    sum.get()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn random(rng: &mut Rng) -> Book {
        let size = Size::new(5 + rng.below(28) as u8).unwrap();
        let known = |rng: &mut Rng| StoredMove {
            point: size.points().nth(rng.below(size.area())).unwrap(),
            kind: MoveKind::from_repr(rng.below(4) as u8).unwrap(),
            score: (rng.below(4) > 0).then(|| Score::from_value(rng.below(64_001) as i32 - 32_000)),
        };
        let positions = (0..rng.below(6)).map(|_| {
            let mut key = PositionHash::default();
            key.fill_with(|| rng.below(3) as u8);
            (key, (0..rng.below(5)).map(|_| known(rng)).collect())
        });
        let mut positions: Vec<_> = positions.collect();
        positions.sort_by_key(|&(key, _)| key);
        positions.dedup_by_key(|&mut (key, _)| key);
        Book::new(Rule::ALL[rng.below(Rule::ALL.len())], size, positions)
    }

    #[test]
    fn a_book_is_read_as_it_was_written() {
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let book = random(&mut rng);
            let bytes = book.to_bytes();
            assert_eq!(bytes.len() as u64, book.file_bytes());
            assert_eq!(Book::from_bytes(&bytes).unwrap(), book);
        }
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_an_error() {
        let mut rng = Rng::new(2);
        for _ in 0..20 {
            let bytes = random(&mut rng).to_bytes();
            for bit in 0..bytes.len() * 8 {
                let mut damaged = bytes.clone();
                damaged[bit / 8] ^= 1 << (bit % 8);
                assert!(Book::from_bytes(&damaged).is_err(), "bit {bit}");
            }
            for length in 0..bytes.len() {
                assert!(Book::from_bytes(&bytes[..length]).is_err(), "{length} bytes");
            }
        }
    }

    #[test]
    fn contents_that_make_no_sense_are_damage_even_with_a_true_checksum() {
        let mut rng = Rng::new(3);
        let mut refused = 0;
        for _ in 0..2_000 {
            let mut bytes = random(&mut rng).to_bytes();
            let place = 12 + rng.below(bytes.len() - 20);
            bytes[place] ^= 1 << rng.below(8);
            let length = bytes.len() - 8;
            let sum = checksum(&bytes[..length]);
            bytes[length..].copy_from_slice(&sum.to_le_bytes());
            // Whatever is read can be looked up.
            match Book::from_bytes(&bytes) {
                Ok(book) => assert!(book.keys.iter().all(|key| book.stored_moves(key).len() <= book.moves.len())),
                Err(error) => {
                    assert_eq!(error.to_string(), "it is damaged");
                    refused += 1;
                }
            }
        }
        assert!(refused > 500, "{refused}");
    }

    #[test]
    fn other_files_and_versions_are_named() {
        let book = Book::new(Rule::Renju, Size::FIFTEEN, Vec::new());
        let mut bytes = book.to_bytes();
        bytes[8] = 2;
        let error = |bytes: &[u8]| Book::from_bytes(bytes).unwrap_err().to_string();
        assert_eq!(error(&bytes), "it is a book of version 2, and this program reads version 1");
        assert_eq!((error(b"redb"), error(b""), error(b"TengenBk")), {
            let foreign = "it is not a book".to_owned();
            (foreign.clone(), foreign, "it is damaged".to_owned())
        });
    }
}
