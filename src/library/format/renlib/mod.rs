//! RenLib's `.lib`: a tree of moves on 15 × 15 with comments and labels.
//!
//! ```text
//! header     FF "RenLib" FF, version 3.0 or 3.4, ten bytes FF; older files have none
//! record     point, flags; [two bytes of extension]; [comment]; [label]: always whole units of two bytes
//! point      00 root or pass; else x, 1 to 15 from the left, and 16 times the row, 0 to 14 from the top
//! flags      80 a sibling follows the subtree · 40 no child · 20 old comment · 10 found · 08 comment · 04 start ·
//!            02 no move, a label on an empty point · 01 extension
//! ```
//!
//! The colors are not stored: black moves first, and a pass counts as a move.

mod read;
#[cfg(test)]
mod tests;
mod write;

use thiserror::Error;

pub use read::read_renlib;
pub use write::write_renlib;

use crate::notation::{GameTree, NodeId, TextEncoding};

/// The first bytes of a file with a header.
pub(in crate::library) const MAGIC: &[u8; 8] = b"\xFFRenLib\xFF";

/// The newest version that RenLib writes.
pub const NEWEST_VERSION: (u8, u8) = (3, 4);

/// Bytes of the header.
const HEADER_BYTES: usize = 20;

/// The side of the board.
const SIDE: u8 = 15;

/// Bits of a record's flags.
mod flag {
    pub(super) const SIBLING: u8 = 0x80;
    pub(super) const LEAF: u8 = 0x40;
    pub(super) const OLD_COMMENT: u8 = 0x20;
    pub(super) const FOUND: u8 = 0x10;
    pub(super) const COMMENT: u8 = 0x08;
    pub(super) const START: u8 = 0x04;
    pub(super) const NO_MOVE: u8 = 0x02;
    pub(super) const EXTENSION: u8 = 0x01;
}

/// The bit of the extension that says that a label follows.
const LABEL_BIT: u16 = 0x0001;

/// The end of a comment's title. Other lines follow.
pub const TITLE_END: char = '\u{8}';

/// A library of RenLib.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenLibFile {
    /// The moves, comments and labels. Comments are verbatim: the title ends with U+0008, and lines with CR LF.
    pub tree: GameTree,
    /// The version in the header, such as 3 and 0; `None` without a header.
    pub version: Option<(u8, u8)>,
    /// Whether the file has a record for its root.
    pub has_root_record: bool,
    /// The code page of the texts.
    pub encoding: TextEncoding,
    /// The moves whose later siblings are announced, but not in the file, in its order: a file that RenLib has saved as a
    /// branch has some.
    pub open_branches: Vec<NodeId>,
    /// Whether the last record announces children that are not in the file, as in a saved branch or position.
    pub has_open_end: bool,
}

impl RenLibFile {
    /// A new file of a tree, with the header that RenLib would give it.
    pub fn new(tree: GameTree, encoding: TextEncoding) -> Self {
        let is_old = write::fits_version_3_0(&tree);
        let version = Some(if is_old { (3, 0) } else { (3, 4) });
        Self { tree, version, has_root_record: !is_old, encoding, open_branches: Vec::new(), has_open_end: false }
    }
}

/// Error returned when a `.lib` file cannot be read or written. Offsets count bytes from the start of the file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RenLibError {
    /// The file is empty, or does not begin like a library.
    #[error("not a library of RenLib")]
    NotALibrary,
    /// The version is 4.0 or newer.
    #[error("a library of RenLib {0}.{1}: expected 3.4 or older")]
    Version(u8, u8),
    /// A byte is not a point.
    #[error("byte {0}: {1:02x} is not a point")]
    Point(usize, u8),
    /// A point has a stone already.
    #[error("byte {0}: the point has a stone already")]
    Occupied(usize),
    /// A text has no end.
    #[error("byte {0}: the text has no end")]
    Text(usize),
    /// The file ends within a record.
    #[error("byte {0}: the file ends within a record")]
    End(usize),
    /// A text does not fit the encoding.
    #[error("byte {0}: the text is not {1}")]
    Encoding(usize, TextEncoding),
    /// The file has too many nodes.
    #[error("byte {0}: too many moves")]
    TooLarge(usize),
    /// A text of a tree cannot be written in the encoding.
    #[error("{1} has no character for {0:?}")]
    Unwritable(String, TextEncoding),
    /// The board of a tree is larger than 15 × 15.
    #[error("a library of RenLib has 15 × 15 points, not {0} × {0}")]
    Size(u8),
    /// A tree has stones that are placed without a move, or colors that do not alternate from black.
    #[error("a library of RenLib holds only moves of black and white by turns")]
    Turns,
}
