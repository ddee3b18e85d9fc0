//! The file formats of other programs' libraries.
//!
//! Owns the turn from bytes to values and back. Knows no database and opens no file: an import or an export does both.

pub mod csv;
mod encoding;
pub mod rapfi;
pub mod renlib;

pub use encoding::TextEncoding;
