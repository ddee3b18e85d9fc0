//! [`TableError`]: why the bytes of a table are refused.

use std::fmt;
use std::io::{self, Read, Seek};

use crate::files::Kind;

/// How the file of a table of any version begins.
pub const TABLE_KIND: Kind = Kind { name: "table of a search", start: b"TengenTT" };

/// Bytes from which a table is read; they are read twice.
pub trait TableInput: Read + Seek {}

impl<T: Read + Seek> TableInput for T {}

/// Why bytes are not the table of a search that this engine can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableError {
    /// They cannot be read.
    Read(io::ErrorKind),
    /// They are no table.
    Foreign,
    /// They are the table of another version of the engine.
    Version,
    /// They are the table of another rule, another size of board or another evaluation.
    Variant,
    /// They are cut off, or changed.
    Damaged,
    /// They are more than the memory of the table.
    TooLarge,
}

/// An early end of the input is damage.
impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::Damaged,
            kind => Self::Read(kind),
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(kind) => write!(f, "the table cannot be read: {kind}"),
            Self::Foreign => f.write_str("the file is no table of this engine"),
            Self::Version => f.write_str("the file is the table of another version of this engine"),
            Self::Variant => f.write_str("the file is the table of another rule, board size or evaluation"),
            Self::Damaged => f.write_str("the file is damaged"),
            Self::TooLarge => f.write_str("the file is larger than the memory that the table may take"),
        }
    }
}

impl std::error::Error for TableError {}
