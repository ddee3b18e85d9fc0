//! The library of a session in the words of Yixin-Board and Rapfi.
//!
//! ```text
//! filter.rs   the positions that YXDELETEDATABASEALL removes
//! answer.rs   what is known of a position, as the lines that the boards read
//! file.rs     the file: which one, and when it is open
//! transfer.rs files that are added to it or written from it
//! ```

mod answer;
mod file;
mod filter;
mod transfer;

pub use answer::{DatabaseMove, DatabaseRecord};
pub(super) use answer::{comment, known_moves};
pub use file::DatabaseError;
pub(super) use file::{LibraryFile, Opened};
pub use filter::{DeleteFilter, DeleteKind};
pub(super) use transfer::{TransferError, merge_file, split, write_table};

/// Error returned when an argument of a command about the library is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DatabaseArgumentError {
    /// YXEDITTVDDATABASE without four numbers.
    #[error("expected a mask, a label, a value and a depth such as 7 119 -29990 0")]
    Numbers,
    /// YXEDITTEXTDATABASE without a text in quotation marks.
    #[error("expected a text in quotation marks")]
    Text,
    /// The text of YXEDITTEXTDATABASE, or a line of it, is too long.
    #[error("expected a text of at most 65530 bytes in lines of less than 16384")]
    TextLength,
    /// YXDELETEDATABASEALL with an unknown filter.
    #[error("expected nothing or one of nonwl, nonwld, w, l, wl, wld, wlnostep and wlinstep n")]
    Filter,
}
