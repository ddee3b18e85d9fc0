//! The file formats of other programs' libraries.
//!
//! Owns the turn from bytes to values and back. Knows no database and opens no file: an import or an export does both.

mod claim;
pub mod csv;
pub mod rapfi;
pub mod renlib;

pub use claim::LabelClaim;

/// The note on texts that were cut because they are too long for a format; `None` without one.
pub fn texts_cut(count: u64) -> Option<String> {
    (count > 0).then(|| format!("{count} texts cut"))
}
