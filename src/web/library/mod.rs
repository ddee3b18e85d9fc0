//! [`SharedLibrary`]: the library that all pages of a server look up and change.
//!
//! ```text
//! view ─────────────► known: what the library knows of a position, at once
//! edit, keep, import ─► Edit ─► commit ─► History: the rows that it has replaced
//! undo ─────────────► History ─► those rows again
//! export ───────────► a file
//! ```
//!
//! Owns what pages may change, the history of the changes, and the limits of files. One change is made at a time.

mod known;

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, TryLockError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use self::known::known;
use super::Failure;
use super::game::Played;
use super::message::{Claim, FileToImport, GameText, LONGEST_MESSAGE, LibraryChange};
use crate::board::Color;
use crate::library::source::{Copies, files_of};
use crate::library::{
    Cursor, Edit, ExportFormat, FlowReport, ImportConfig, ImportReport, Library, Mark, Proof, ProofOrigin, Record,
    Source, Undo, export, import_file,
};
use crate::notation::TextEncoding;
use crate::picker::Answer;
use crate::text::Short;

/// Maximum size in bytes of a file that a page imports. As text of a message it is a third longer.
pub(super) const MOST_FILE: usize = LONGEST_MESSAGE / 16 * 11;

/// Maximum number of positions of a library from which a page saves a file, some 40 MB of text.
const MOST_SAVED: u64 = 200_000;

/// Maximum number of changes that can be undone.
const MOST_CHANGES: usize = 100;

/// Maximum number of rows that all changes to undo have replaced together, some 30 MB.
const MOST_ROWS: usize = 200_000;

/// Maximum number of characters of the name of a file, which the library keeps.
const LONGEST_NAME: usize = 255;

/// Maximum number of remarks about the files of an archive.
const MOST_NOTES: usize = 10;

/// Maximum number of characters of a label on a point. RenLib's have five.
const LONGEST_LABEL: usize = 12;

/// A library with its last changes.
#[derive(Debug)]
pub struct SharedLibrary {
    library: Library,
    history: Mutex<History>,
}

/// The rows that the last changes have replaced, the oldest first.
#[derive(Debug, Default)]
struct History {
    undos: VecDeque<Undo>,
}

impl History {
    fn push(&mut self, undo: Undo) {
        if undo.is_empty() {
            return;
        }
        self.undos.push_back(undo);
        let mut rows: usize = self.undos.iter().map(Undo::len).sum();
        while rows > MOST_ROWS || self.undos.len() > MOST_CHANGES {
            // A change can be undone only if all later ones can, so the oldest goes first.
            let Some(oldest) = self.undos.pop_front() else { return };
            rows -= oldest.len();
        }
    }
}

impl SharedLibrary {
    /// Shares a library. Nothing can be undone yet.
    pub fn new(library: Library) -> Self {
        Self { library, history: Mutex::default() }
    }

    /// The name of the file, without its folder.
    pub(super) fn name(&self) -> String {
        let name = self.library.path().and_then(|path| path.file_name());
        name.map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// What is known of a position as JSON; null for a continuous game, which a library does not hold. If the library cannot
    /// be read, the reason: the board works without it.
    pub(super) fn known(&self, game: &GameText) -> Value {
        if game.continuous {
            return Value::Null;
        }
        let found = self.library.view().and_then(|view| known(&view, &cursor(game)));
        let mut value = found.unwrap_or_else(|error| json!({ "error": Short(error).to_string() }));
        // While another page changes the library, nothing can be undone.
        value["undo"] = self.history().map_or(0, |history| history.undos.len()).into();
        value
    }

    /// The history, which whoever changes the library holds.
    fn history(&self) -> Result<MutexGuard<'_, History>, Failure> {
        match self.history.try_lock() {
            Ok(history) => Ok(history),
            Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => Err(Failure::LibraryBusy),
        }
    }

    /// Changes the library in one transaction.
    fn change<T>(&self, work: impl FnOnce(&mut Edit<'_>) -> Result<T, Failure>) -> Result<(T, FlowReport), Failure> {
        let mut history = self.history()?;
        let mut undo = Undo::default();
        let mut edit = self.library.edit_for_undo(&mut undo)?;
        let result = work(&mut edit)?;
        let flow = edit.commit()?;
        history.push(undo);
        Ok((result, flow))
    }

    /// Changes what is known of a position.
    ///
    /// # Errors
    /// When the change is refused, the moves do not make a game, or the library cannot be written.
    pub(super) fn edit(&self, game: &GameText, change: &LibraryChange) -> Result<Value, Failure> {
        let cursor = checked_cursor(game)?;
        let ((), flow) = self.change(|edit| match change {
            LibraryChange::Remove => {
                if edit.remove(&cursor)? {
                    Ok(())
                } else {
                    Err(Failure::Unknown)
                }
            }
            LibraryChange::Add => add(edit, &cursor, &mut |_| {}),
            LibraryChange::Comment(text) => {
                let text = text.replace("\r\n", "\n").trim().to_owned();
                add(edit, &cursor, &mut |record| record.comment.clone_from(&text))
            }
            LibraryChange::Result(claim) => {
                let proof = claim.map(|claim| claimed(claim, cursor.turn()));
                add(edit, &cursor, &mut |record| (record.proof, record.is_disputed) = (proof, false))
            }
            LibraryChange::Label { point, text } => {
                if !cursor.size().contains(*point) {
                    return Err(Failure::Point(*point));
                }
                let text = label(text)?;
                add(edit, &cursor, &mut |_| {})?;
                Ok(edit.set_mark(&cursor, &Mark { point: *point, text })?)
            }
        })?;
        Ok(followed(&flow))
    }

    /// Adds what a search has found of a position. Returns whether it has found a score or a proof.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub(super) fn keep(&self, cursor: &Cursor, answer: &Answer) -> Result<bool, Failure> {
        let Some((score, depth)) = answer.reason.searched() else { return Ok(false) };
        self.change(|edit| {
            let engine = edit.add_source(&Source::own())?;
            edit.add_path(cursor)?;
            Ok(edit.merge(cursor, Record::of_search(score, depth, answer.nodes, engine), false)?)
        })?;
        Ok(true)
    }

    /// Takes back the last change of any page.
    ///
    /// # Errors
    /// When there is none, or the library cannot be written.
    pub(super) fn undo(&self) -> Result<Value, Failure> {
        let mut history = self.history()?;
        let undo = history.undos.back().ok_or(Failure::NothingToUndo)?;
        self.library.undo(undo)?;
        history.undos.pop_back();
        Ok(json!({}))
    }

    /// Adds a file, or the files of a zip archive, whole or not at all.
    ///
    /// # Errors
    /// When the file is too large or damaged, does not make a game, or was imported before.
    pub(super) fn import(&self, file: &FileToImport) -> Result<Value, Failure> {
        let FileToImport { name, data, rule, size, .. } = file;
        let refused = |error: String| Failure::Import(name.clone(), error);
        if name.chars().count() > LONGEST_NAME {
            return Err(refused("the name is too long".to_owned()));
        }
        let bytes = BASE64.decode(data).map_err(|error| refused(error.to_string()))?;
        if bytes.len() > MOST_FILE {
            return Err(refused(format!("larger than {} MiB: use tengen-library import", MOST_FILE >> 20)));
        }
        let config = ImportConfig { rule: Some(*rule), size: *size, ..ImportConfig::default() };
        let ((read, notes), flow) = self.change(|edit| import_files(edit, name, bytes, &config))?;
        let mut report = followed(&flow);
        (report["positions"], report["games"]) = (read.positions.into(), read.games.into());
        report["notes"] = notes.into();
        Ok(report)
    }

    /// The positions of a rule and size as a file.
    ///
    /// # Errors
    /// When the library is too large for a page, knows none of them, or the format cannot hold them.
    pub(super) fn export(&self, game: &GameText, format: ExportFormat) -> Result<Value, Failure> {
        let refused = |error: String| Err(Failure::Library(error));
        let view = self.library.view()?;
        if view.len()? > MOST_SAVED {
            return refused(format!("more than {MOST_SAVED} positions: use tengen-library export"));
        }
        match export(&view, (game.rule, game.size), format, TextEncoding::Utf8) {
            Ok(file) if file.positions == 0 => {
                refused(format!("no position of {} {} × {1} can be saved so", game.rule, game.size.side()))
            }
            Ok(file) => Ok(json!({
                "data": BASE64.encode(&file.bytes), "positions": file.positions, "notes": file.notes,
            })),
            Err(error) => refused(error.to_string()),
        }
    }
}

/// Adds a file, or all of an archive. Returns what they hold, and what a person should know, with the names of the files
/// of an archive.
fn import_files(
    edit: &mut Edit<'_>,
    name: &str,
    bytes: Vec<u8>,
    config: &ImportConfig,
) -> Result<(ImportReport, Vec<String>), Failure> {
    let refused = |error: String| Failure::Import(name.to_owned(), error);
    let (mut sum, mut notes) = (ImportReport::default(), Vec::new());
    let mut copies = Copies::default();
    for file in files_of(name.to_owned(), bytes) {
        let file = file.map_err(|error| refused(error.to_string()))?;
        let own = file.name.strip_prefix(name).filter(|_| file.is_member).map(|own| own.trim_start_matches('/'));
        let told = |text: &dyn fmt::Display| own.map_or_else(|| text.to_string(), |own| format!("{own}: {text}"));
        if copies.is_copy(&file) {
            notes.push(told(&"skipped, a copy of an earlier file"));
            continue;
        }
        let read = import_file(edit, &file, config).map_err(|error| refused(told(&error)))?;
        match read {
            Some(read) => {
                sum.positions += read.positions;
                sum.games += read.games;
                notes.extend(read.notes.iter().map(|note| told(note)));
            }
            None => notes.push(told(&"skipped, a file of an unknown form")),
        }
    }
    let more = notes.len().saturating_sub(MOST_NOTES);
    if more > 0 {
        notes.truncate(MOST_NOTES);
        notes.push(format!("{more} more"));
    }
    Ok((sum, notes))
}

/// The position of a game whose moves were checked.
pub(super) fn cursor(game: &GameText) -> Cursor {
    let mut cursor = Cursor::new(game.rule, game.size);
    game.moves.0.iter().for_each(|&point| cursor.play(Some(point)));
    cursor
}

/// The position of a game that a library can hold.
///
/// # Errors
/// When a move cannot be played, or the game is continuous.
pub(super) fn checked_cursor(game: &GameText) -> Result<Cursor, Failure> {
    if game.continuous {
        return Err(Failure::Continuous);
    }
    Played::of(game).map(|_| cursor(game))
}

/// Makes a position and those on the way to it known, and changes its record.
fn add(edit: &mut Edit<'_>, cursor: &Cursor, change: &mut dyn FnMut(&mut Record)) -> Result<(), Failure> {
    edit.add_path(cursor)?;
    Ok(edit.update(cursor, &mut |record, _| change(record))?)
}

/// The result that a person claims, for the side to move. The winner's moves are counted; it makes the last one.
fn claimed(Claim { winner, moves }: Claim, turn: Color) -> Proof {
    let is_win = winner == turn;
    let plies = moves.map(|moves| if is_win { 2 * u16::from(moves.get()) - 1 } else { 2 * u16::from(moves.get()) });
    Proof { is_win, plies, origin: ProofOrigin::Claimed }
}

/// A label without blanks at its ends.
fn label(text: &str) -> Result<String, Failure> {
    let text = text.trim();
    let is_short = text.chars().count() <= LONGEST_LABEL;
    if is_short && !text.contains(char::is_control) { Ok(text.to_owned()) } else { Err(Failure::Label(LONGEST_LABEL)) }
}

/// What followed from a change.
fn followed(flow: &FlowReport) -> Value {
    json!({ "derived": flow.derived, "contradictions": flow.contradictions.len() })
}
