//! [`TableError`]: error returned when a saved table cannot be used.

use std::io::{self, Read, Seek};

use thiserror::Error;

use crate::files::Kind;

/// The start of a table file of any version.
pub const TABLE_KIND: Kind = Kind { name: "table of a search", start: b"TengenTT" };

/// The input from which a table is read. It is read twice.
pub trait TableInput: Read + Seek {}

impl<T: Read + Seek> TableInput for T {}

/// Error returned when an input is not a search table that this engine can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum TableError {
    /// The input cannot be read.
    #[error("the table cannot be read: {0}")]
    Read(io::ErrorKind),
    /// The input is something else.
    #[error("the file is not a table of this engine")]
    Foreign,
    /// The table is of another version of the engine.
    #[error("the file is the table of another version of this engine")]
    Version,
    /// The table is of another rule, board size or evaluation.
    #[error("the file is the table of another rule, board size or evaluation")]
    Variant,
    /// The input is cut off or changed.
    #[error("the file is damaged")]
    Damaged,
    /// The table is larger than the memory for it.
    #[error("the file is larger than the memory that the table may take")]
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
