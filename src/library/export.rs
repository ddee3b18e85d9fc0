//! [`export`]: the positions of a rule and size as a file of another format.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use strum::{Display, EnumString, VariantNames};
use thiserror::Error;

use super::format::csv::{CSV_HEADER, csv_row};
use super::format::rapfi::{RapfiNumbers, RapfiRecord, RapfiWriter};
use super::format::renlib::{RenLibError, RenLibFile, write_renlib};
use super::format::texts_cut;
use super::position::Cursor;
use super::tree::branch;
use super::{JsonPosition, LibraryError, PositionKey, Record, View, to_tree};
use crate::board::{Rule, Size};
use crate::notation::{TextEncoding, write_sgf};
use crate::score::Score;
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

/// The numbers of positions with facts that a format cannot hold.
#[derive(Default)]
struct LeftOut {
    results: u64,
    scores: u64,
    games: u64,
    labels: u64,
}

impl LeftOut {
    /// Counts what a tree of moves cannot hold of a record. It holds comments, and the labels of points.
    fn count_for_tree(&mut self, record: &Record) {
        self.results += u64::from(record.proof.or(record.derived).is_some());
        self.scores += u64::from(record.undecided_score().is_some());
        self.games += u64::from(record.games.total() > 0);
        self.labels += u64::from(record.label.is_some());
    }

    /// Counts what a database of Rapfi cannot hold of a record. It has one field for the result and the score, and one
    /// for the result and the label.
    fn count_for_rapfi(&mut self, record: &Record) {
        let is_settled = record.settled().is_some();
        self.results += u64::from(record.is_contradictory());
        // The score of a search is written unless a mate takes its place; one that follows from the moves is not.
        let written = record.search.filter(|_| !RapfiNumbers::of(record).is_mate());
        let written = written.map(|search| Score::from_eval(search.score));
        self.scores += u64::from(record.undecided_score().is_some_and(|score| written != Some(score)));
        self.games += u64::from(record.games.total() > 0);
        self.labels += u64::from(is_settled && record.label.is_some());
    }

    /// A line for each kind of fact that was left out.
    fn notes(&self) -> impl Iterator<Item = String> {
        let Self { results, scores, games, labels } = *self;
        let counts = [(results, "results"), (scores, "scores"), (games, "games"), (labels, "tags")];
        counts.into_iter().filter(|&(count, _)| count > 0).map(|(count, what)| format!("{what} left out: {count}"))
    }
}

/// The positions of a rule and size as a file. Texts of RenLib's libraries are written in the encoding.
///
/// # Errors
/// When the library cannot be read, or the format cannot hold its board or its texts.
pub fn export(
    view: &View<'_>,
    game: (Rule, Size),
    format: ExportFormat,
    encoding: TextEncoding,
) -> Result<ExportedFile, ExportError> {
    export_if(view, game, &|_| true, format, encoding)
}

/// A position, those that lead to it, and those that follow it, as a file. Passes are not followed.
///
/// # Errors
/// Those of [`export`].
pub fn export_branch(
    view: &View<'_>,
    cursor: &Cursor,
    format: ExportFormat,
    encoding: TextEncoding,
) -> Result<ExportedFile, ExportError> {
    let keys = branch(view, cursor)?;
    export_if(view, (cursor.rule(), cursor.size()), &|key| keys.contains(&key), format, encoding)
}

/// All positions of all rules and sizes as one table of Rapfi.
///
/// # Errors
/// When the library cannot be read.
pub fn export_table(view: &View<'_>) -> Result<ExportedFile, LibraryError> {
    write_table(view, &view.games()?, &|_| true)
}

/// The positions of a rule and size that a condition holds for, as a file.
fn export_if(
    view: &View<'_>,
    (rule, size): (Rule, Size),
    is_meant: &dyn Fn(PositionKey) -> bool,
    format: ExportFormat,
    encoding: TextEncoding,
) -> Result<ExportedFile, ExportError> {
    let mut file = ExportedFile { bytes: Vec::new(), positions: 0, notes: Vec::new() };
    let mut left_out = LeftOut::default();
    match format {
        ExportFormat::Lib | ExportFormat::Sgf => {
            for_each(view, (rule, size), is_meant, &mut |_, record| left_out.count_for_tree(record))?;
            let mut exported = to_tree(view, (rule, size), is_meant)?;
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
            for_each(view, (rule, size), is_meant, &mut |cursor, record| {
                // The writer counts the records that it cannot hold.
                if writer.add(&RapfiRecord::from_record(cursor, record)).is_ok() {
                    left_out.count_for_rapfi(record);
                }
            })?;
            file.positions = writer.len() as u64;
            writer.write(&mut file.bytes)?;
            for (reason, count) in writer.left_out() {
                file.notes.push(format!("{count} positions left out: {reason}"));
            }
            file.notes.extend(texts_cut(writer.cut_texts()));
        }
        ExportFormat::Csv => file = write_table(view, &[(rule, size)], is_meant)?,
        ExportFormat::Jsonl => {
            let mut text = String::new();
            for_each(view, (rule, size), is_meant, &mut |cursor, record| {
                if let Ok(line) = JsonPosition::new(cursor, record).to_line() {
                    // Writing to a string does not fail.
                    let _ = writeln!(text, "{line}");
                    file.positions += 1;
                }
            })?;
            file.bytes = text.into_bytes();
        }
    }
    file.notes.extend(left_out.notes());
    Ok(file)
}

/// The table of Rapfi with the positions of some rules and sizes that a condition holds for.
fn write_table(
    view: &View<'_>,
    games: &[(Rule, Size)],
    is_meant: &dyn Fn(PositionKey) -> bool,
) -> Result<ExportedFile, LibraryError> {
    let mut text = format!("{CSV_HEADER}\n");
    let (mut positions, mut unwritable, mut cut, mut left_out) = (0, 0, 0, LeftOut::default());
    for &game in games {
        for_each(view, game, is_meant, &mut |cursor, record| match csv_row(
            positions,
            &RapfiRecord::from_record(cursor, record),
        ) {
            Ok((row, is_cut)) => {
                text += &row;
                text.push('\n');
                positions += 1;
                cut += u64::from(is_cut);
                left_out.count_for_rapfi(record);
            }
            Err(_) => unwritable += 1,
        })?;
    }
    let unwritable =
        (unwritable > 0).then(|| format!("{unwritable} positions left out: the table has no form for them"));
    let notes = unwritable.into_iter().chain(texts_cut(cut)).chain(left_out.notes()).collect();
    Ok(ExportedFile { bytes: text.into_bytes(), positions: positions as u64, notes })
}

/// Visits the positions of a rule and size that a condition holds for, in the stored orientation.
fn for_each(
    view: &View<'_>,
    (rule, size): (Rule, Size),
    is_meant: &dyn Fn(PositionKey) -> bool,
    visit: &mut dyn FnMut(&Cursor, &Record),
) -> Result<(), LibraryError> {
    view.scan(rule, size, &mut |key, entry| {
        if is_meant(key) {
            visit(&Cursor::from_stones(&entry.stones), &entry.record);
        }
        ControlFlow::Continue(())
    })
}
