//! The database of Yixin and Rapfi, a `.db` file.
//!
//! ```text
//! file     [one LZ4 frame of:] number of records (4 bytes), records; the first is 00 00 00 with charset="UTF-8"
//! record   length (2 bytes), key, length (2 bytes), data; little endian
//! key      rule, width, height, pairs x y: black stones, then white stones; a pair FF FF is a pass
//! data     nothing, or label (1 byte), value (2), depth and bound (2), text
//! text     [@BTXT@ board labels 08] comment
//! ```
//!
//! The value of a record is for the side to move. Its label is for the side that has just moved: `w` says that the side to
//! move loses.
//!
//! | a [`Record`](crate::library::Record) has | a file has | lost by export and import |
//! | --- | --- | --- |
//! | the better of proof and derived proof | label `w` or `l`, mate value | the origin, more than 500 plies |
//! | search, unless a proof has plies | value, depth, bound | nodes, engine, scores beyond ± 20,000 |
//! | label | label, unless a proof has taken its place | characters beyond ASCII |
//! | comment | text after the board labels | bytes beyond 65,530 of the whole text |
//! | marks | board labels | blanks and control characters in them |
//! | backed-up score, games, source, contradictory results | | all of them |
//!
//! The number of a score is copied in both directions, although the units of the programs differ.

mod change;
mod convert;
mod data;
mod display;
mod key;
mod read;
mod text;
mod write;

use std::io;

use strum::Display;
use thiserror::Error;

use crate::library::{Bound, Mark, Stones};

pub use change::RapfiChange;
pub use data::RapfiNumbers;
pub(super) use key::{Canonical, rule_number};
pub(in crate::library) use read::LZ4_MAGIC;
pub use read::{RapfiReader, RapfiTally};
pub use text::word;
pub(super) use text::{join as join_text, split as split_text};
pub use write::RapfiWriter;

/// The value of a win in 0 plies.
const MATE: i32 = 30_000;

/// The least absolute value of a win or a loss.
const LEAST_MATE: i32 = 29_500;

/// The greatest depth: it has 14 bits with its sign.
const MOST_DEPTH: i16 = i16::MAX >> 2;

/// The side to move loses: the label is for the side that has just moved.
const WIN: char = 'w';

/// The side to move wins.
const LOSS: char = 'l';

/// A record of the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RapfiRecord {
    /// The position, in the orientation of the file.
    pub stones: Stones,
    /// The label, for the side that has just moved.
    pub label: RapfiLabel,
    /// The value, for the side to move.
    pub value: i16,
    /// The depth of the search, -8,192 to 8,191. Writers clamp it.
    pub depth: i16,
    /// The kind of the value.
    pub bound: Bound,
    /// The comment; lines end with U+000A.
    pub comment: String,
    /// The board labels in ascending order of their points, in the orientation of the file.
    pub marks: Vec<Mark>,
}

/// The label of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RapfiLabel {
    /// Nothing but that the position is known.
    #[default]
    Null,
    /// A record without a label.
    None,
    /// A printable character of ASCII: `w` won, `l` lost, `d` drawn, `x` not searched, `!` forced; others are free.
    Character(char),
}

impl RapfiLabel {
    /// The label with this number. Numbers without a meaning are no label.
    const fn from_byte(byte: u8) -> Self {
        match byte {
            0 => Self::Null,
            b'!'..=b'~' => Self::Character(byte as char),
            _ => Self::None,
        }
    }

    /// The label that a file can hold.
    pub(super) const fn writable(self) -> Self {
        Self::from_byte(self.to_byte())
    }

    /// Whether the side to move wins, if the label says so.
    pub const fn wins(self) -> Option<bool> {
        match self {
            Self::Character(WIN) => Some(false),
            Self::Character(LOSS) => Some(true),
            Self::Null | Self::None | Self::Character(_) => None,
        }
    }

    /// The number of the label. Characters that have none are no label.
    const fn to_byte(self) -> u8 {
        match self {
            Self::Null => 0,
            Self::Character(character @ '!'..='~') => character as u8,
            Self::None | Self::Character(_) => u8::MAX,
        }
    }
}

/// The reason why a record of a file was not read. The position is one that this program cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
pub enum RapfiSkip {
    /// The rule has an unknown number.
    #[strum(to_string = "unknown rule")]
    Rule,
    /// The width is not the height, or the board is too small or too large.
    #[strum(to_string = "unsupported size of the board")]
    Size,
    /// A stone lies off the board or on another one. Rapfi writes such keys when it saves positions with passes again.
    #[strum(to_string = "stones off the board or on each other")]
    Stones,
}

/// The reason why a record cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Display, Error)]
pub enum Unwritable {
    /// Rapfi has no number for the rule.
    #[strum(to_string = "a rule that the format lacks")]
    Rule,
    /// The format has no form for points of this board.
    #[strum(to_string = "a board that is too large for the format")]
    Size,
    /// The side to move and the numbers of stones do not fit, even with one pass.
    #[strum(to_string = "more than one pass")]
    Surplus,
}

/// Error returned when a file is not a database of Rapfi. Offsets count the bytes after decompression.
#[derive(Debug, Error)]
pub enum RapfiError {
    /// The input cannot be read or decompressed.
    #[error("byte {offset}: {source}")]
    Io {
        /// The number of bytes before it.
        offset: u64,
        /// The error of the system or of the decompression.
        source: io::Error,
    },
    /// The decompressed database is larger than the limit.
    #[error("more than {0} bytes after decompression")]
    TooLarge(u64),
    /// The structure is damaged.
    #[error("byte {offset}: {what}")]
    Damaged {
        /// The number of bytes before the damage.
        offset: u64,
        /// The reason.
        what: &'static str,
    },
}

#[cfg(test)]
mod tests;
