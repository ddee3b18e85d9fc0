//! [`export`]: the positions of a rule and size as a file of another format.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use strum::{Display, EnumString, VariantNames};
use thiserror::Error;

use super::format::csv::{CSV_HEADER, csv_row};
use super::format::rapfi::{RapfiRecord, RapfiWriter};
use super::format::renlib::{RenLibError, RenLibFile, write_renlib};
use super::position::Cursor;
use super::{JsonPosition, LibraryError, View, to_tree};
use crate::board::{Rule, Size};
use crate::notation::{TextEncoding, write_sgf};
use crate::text::UnknownName;

/// The format of an exported file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive, parse_err_ty = UnknownName, parse_err_fn = unknown_format)]
pub enum ExportFormat {
    /// RenLib's library: comments and labels; results and scores are left out.
    Lib,
    /// Yixin's and Rapfi's database, not compressed.
    Db,
    /// The table of Rapfi's `dbtotxt`.
    Csv,
    /// SGF: comments and labels; results and scores are left out.
    Sgf,
    /// Positions as lines of JSON: all that is known but the sources.
    Jsonl,
}

/// The error for an unknown name of a format.
fn unknown_format(_: &str) -> UnknownName {
    UnknownName::of::<ExportFormat>("format")
}

/// An exported file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedFile {
    /// The contents.
    pub bytes: Vec<u8>,
    /// Number of positions in the file.
    pub positions: u64,
    /// Notes on positions and texts that were left out, each a line.
    pub notes: Vec<String>,
}

/// Error returned when a library cannot be exported.
#[derive(Debug, Error)]
pub enum ExportError {
    /// The library cannot be read.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A text or the board does not fit into a library of RenLib.
    #[error(transparent)]
    RenLib(#[from] RenLibError),
    /// The database has too many records.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

/// The positions of a rule and size as a file. Texts of RenLib's libraries are written in the encoding.
///
/// # Errors
/// When the library cannot be read, or the format cannot hold its board or its texts.
pub fn export(
    view: &View<'_>,
    (rule, size): (Rule, Size),
    format: ExportFormat,
    encoding: TextEncoding,
) -> Result<ExportedFile, ExportError> {
    let mut file = ExportedFile { bytes: Vec::new(), positions: 0, notes: Vec::new() };
    match format {
        ExportFormat::Lib | ExportFormat::Sgf => {
            let mut exported = to_tree(view, rule, size)?;
            file.positions = exported.tree.len() as u64 - 1;
            exported.tree.info.rule = rule.to_string();
            file.bytes = if format == ExportFormat::Lib {
                write_renlib(&RenLibFile::new(exported.tree, encoding))?
            } else {
                write_sgf([&exported.tree]).into_bytes()
            };
            if exported.unreachable > 0 {
                let count = exported.unreachable;
                file.notes.push(format!("{count} positions left out: no moves by turns lead to them"));
            }
        }
        ExportFormat::Db => {
            let mut writer = RapfiWriter::new();
            for_each(view, (rule, size), &mut |cursor, record| {
                // Left-out records are counted.
                let _ = writer.add(&RapfiRecord::from_record(cursor, record));
            })?;
            file.positions = writer.len() as u64;
            writer.write(&mut file.bytes)?;
            for (reason, count) in writer.left_out() {
                file.notes.push(format!("{count} positions left out: {reason}"));
            }
            if writer.cut_texts() > 0 {
                file.notes.push(format!("{} texts cut", writer.cut_texts()));
            }
        }
        ExportFormat::Csv => write_table(view, (rule, size), &mut file)?,
        ExportFormat::Jsonl => {
            let mut text = String::new();
            for_each(view, (rule, size), &mut |cursor, record| {
                if let Ok(line) = JsonPosition::new(cursor, record).to_line() {
                    // Writing to a string does not fail.
                    let _ = writeln!(text, "{line}");
                    file.positions += 1;
                }
            })?;
            file.bytes = text.into_bytes();
        }
    }
    Ok(file)
}

/// Writes the table of Rapfi.
fn write_table(view: &View<'_>, game: (Rule, Size), file: &mut ExportedFile) -> Result<(), LibraryError> {
    let mut text = format!("{CSV_HEADER}\n");
    let mut left_out = 0;
    for_each(view, game, &mut |cursor, record| match csv_row(
        file.positions as usize,
        &RapfiRecord::from_record(cursor, record),
    ) {
        Ok(row) => {
            text += &row;
            text.push('\n');
            file.positions += 1;
        }
        Err(_) => left_out += 1,
    })?;
    file.bytes = text.into_bytes();
    if left_out > 0 {
        file.notes.push(format!("{left_out} positions left out: the table has no form for them"));
    }
    Ok(())
}

/// Visits the positions of a rule and size in the stored orientation.
fn for_each(
    view: &View<'_>,
    (rule, size): (Rule, Size),
    visit: &mut dyn FnMut(&Cursor, &super::Record),
) -> Result<(), LibraryError> {
    view.scan(rule, size, &mut |_, entry| {
        visit(&Cursor::from_stones(&entry.stones), &entry.record);
        ControlFlow::Continue(())
    })
}
