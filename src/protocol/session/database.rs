//! The commands about the library: questions, changes, files, and what searches find.

use std::path::{Path, PathBuf};

use super::Session;
use crate::board::{Board, Point, Size};
use crate::library::format::rapfi::{RapfiChange, RapfiNumbers};
use crate::library::{
    Cursor, Edit, ExportFormat, ImportConfig, Library, LibraryError, Mark, Removal, SearchResult, Source,
};
use crate::picker::{Answer, Choice, Question};
use crate::protocol::database::{
    self, DatabaseError, DatabaseMove, DatabaseRecord, DeleteFilter, LibraryFile, Opened, TransferError,
};
use crate::protocol::list::MoveList;
use crate::protocol::reply::{Message, Refusal};
use crate::protocol::settings::{Info, Settings};

/// The library of a session, and what its manager understands.
pub(super) struct SessionLibrary {
    file: LibraryFile,
    /// Whether the manager has sent a command or setting that only the fork of Yixin-Board has. The original writes
    /// beyond its arrays when it reads lines about texts and files, so the engine sends it no such lines.
    is_fork: bool,
    /// The position and the result of the last search, until they are written to the library. The move is sent first.
    found: Option<(Cursor, SearchResult)>,
}

impl SessionLibrary {
    /// A library that is opened when the manager asks for it.
    pub(super) fn new(path: Option<PathBuf>) -> Self {
        Self { file: LibraryFile::new(path), is_fork: false, found: None }
    }

    /// Whether a result waits to be written.
    pub(super) const fn is_waiting(&self) -> bool {
        self.found.is_some()
    }
}

impl Session {
    /// Carries out a change of the settings of the library.
    pub(super) fn set_database(&mut self, info: &Info) {
        match info {
            Info::Library(path) => self.library.file = LibraryFile::new(path.clone()),
            Info::UseDatabase(true) => {
                self.library.file.retry();
                self.open_named();
            }
            Info::UseDatabase(false) => self.library.file.close(),
            Info::DatabaseReadonly(_) => self.library.is_fork = true,
            _ => {}
        }
    }

    /// Opens the library that was named, if it is used. Reports an error once.
    fn open_named(&mut self) {
        if !self.settings.uses_database {
            return;
        }
        match self.library.file.open_named() {
            Ok(opened) => opened.into_iter().for_each(|opened| self.tell_of_library(&opened)),
            Err(error) => self.message(Message::Note(error.to_string())),
        }
    }

    fn tell_of_library(&mut self, opened: &Opened) {
        let path = opened.path.display().to_string();
        if self.library.is_fork {
            self.message(Message::DatabaseLoading(path.clone()));
            self.message(Message::DatabaseLoaded);
        }
        self.message(Message::Note(format!("library {path}: {} positions", opened.positions)));
    }

    /// YXSETDATABASE: opens a library, or creates it.
    pub(super) fn open_database(&mut self, path: &str) -> Result<(), Refusal> {
        let opened = self.library.file.open(Path::new(path))?;
        self.settings.uses_database = true;
        self.tell_of_library(&opened);
        Ok(())
    }

    /// YXSAVEDATABASE: every change is in the file already.
    pub(super) fn save_database(&mut self) -> Result<(), Refusal> {
        self.library.is_fork = true;
        self.open_named();
        let (_, path) = self.library.file.library().ok_or(DatabaseError::Closed)?;
        let path = path.display().to_string();
        self.message(Message::DatabaseSaving(path));
        self.message(Message::DatabaseSaved);
        Ok(())
    }

    /// Answers a question about a position from the library. `None` without a library, whatever the moves are.
    fn look_up<T>(
        &mut self,
        moves: &MoveList,
        read: impl FnOnce(&Library, &Cursor) -> Result<T, LibraryError>,
    ) -> Result<Option<T>, Refusal> {
        self.open_named();
        let Some((library, path)) = self.library.file.library() else { return Ok(None) };
        let cursor = self.cursor(moves)?;
        Ok(Some(read(library, &cursor).map_err(|error| DatabaseError::of(path, error))?))
    }

    /// The position after moves, under the rule of the session.
    fn cursor(&self, moves: &MoveList) -> Result<Cursor, Refusal> {
        let size = self.size.ok_or(Refusal::NoBoard)?;
        Ok(moves.position(self.settings.rule.rule, size).map_err(DatabaseError::Moves)?)
    }

    /// YXQUERYDATABASEALL: the moves and labels of a position.
    pub(super) fn show_database_moves(&mut self, moves: &MoveList) -> Result<(), Refusal> {
        let known = self.look_up(moves, |library, cursor| database::known_moves(&library.view()?, cursor))?;
        self.write_database_moves(known.unwrap_or_default());
        Ok(())
    }

    fn write_database_moves(&mut self, known: Vec<DatabaseMove>) {
        self.message(Message::DatabaseMoves);
        known.into_iter().for_each(|line| self.message(Message::DatabaseMove(line)));
        self.message(Message::DatabaseEnd);
    }

    /// YXQUERYDATABASEALLT: the moves and labels of a position, and its comment if a library is open.
    pub(super) fn show_database_position(&mut self, moves: &MoveList) -> Result<(), Refusal> {
        self.library.is_fork = true;
        let known = self.look_up(moves, |library, cursor| {
            let view = library.view()?;
            Ok((database::known_moves(&view, cursor)?, database::comment(&view, cursor)?))
        })?;
        let (known, comment) = known.unzip();
        self.write_database_moves(known.unwrap_or_default());
        comment.into_iter().for_each(|comment| self.message(Message::DatabaseComment(comment)));
        Ok(())
    }

    /// YXQUERYDATABASEONE: the numbers of a position.
    pub(super) fn show_database_record(&mut self, moves: &MoveList) -> Result<(), Refusal> {
        let entry = self.look_up(moves, |library, cursor| library.view()?.entry(cursor))?.flatten();
        let numbers = entry.map(|entry| RapfiNumbers::shown(&entry.record));
        self.message(Message::DatabaseRecord(DatabaseRecord(numbers)));
        Ok(())
    }

    /// YXQUERYDATABASETEXT: the comment on a position.
    pub(super) fn show_database_comment(&mut self, moves: &MoveList) -> Result<(), Refusal> {
        self.library.is_fork = true;
        let comment = self.look_up(moves, |library, cursor| database::comment(&library.view()?, cursor))?;
        self.message(Message::DatabaseComment(comment.unwrap_or_default()));
        Ok(())
    }

    /// The open library and its file, if it may be changed.
    fn changeable(&self) -> Result<(&Library, &Path), DatabaseError> {
        let library = self.library.file.library().ok_or(DatabaseError::Closed)?;
        if self.settings.is_database_readonly { Err(DatabaseError::ReadOnly) } else { Ok(library) }
    }

    /// Changes the library at a position. Reports contradictions that follow.
    fn change_database<T>(
        &mut self,
        moves: &MoveList,
        change: impl FnOnce(&mut Edit<'_>, &Cursor) -> Result<T, LibraryError>,
    ) -> Result<T, Refusal> {
        self.open_named();
        let (library, path) = self.changeable()?;
        let cursor = self.cursor(moves)?;
        let changed = library.edit().and_then(|mut edit| {
            let changed = change(&mut edit, &cursor)?;
            Ok((changed, edit.commit()?.contradictions.len()))
        });
        let (changed, contradictions) = changed.map_err(|error| DatabaseError::of(path, error))?;
        if contradictions > 0 {
            self.message(Message::Note(format!("the library has contradictory results of {contradictions} positions")));
        }
        Ok(changed)
    }

    /// YXEDITTVDDATABASE: changes the numbers of a position, and answers them.
    pub(super) fn edit_database_numbers(&mut self, change: RapfiChange, moves: &MoveList) -> Result<(), Refusal> {
        self.change_database(moves, |edit, cursor| {
            edit.add_path(cursor)?;
            edit.update(cursor, &mut |record, _| change.apply(record))
        })?;
        self.show_database_record(moves)
    }

    /// YXEDITTEXTDATABASE: sets the comment on a position. Removing one does not make the position known.
    pub(super) fn edit_database_comment(&mut self, text: &str, moves: &MoveList) -> Result<(), Refusal> {
        let comment = text.trim();
        self.change_database(moves, |edit, cursor| {
            if comment.is_empty() && edit.entry(cursor)?.is_none() {
                return Ok(());
            }
            edit.add_path(cursor)?;
            edit.update(cursor, &mut |record, _| comment.clone_into(&mut record.comment))
        })
    }

    /// YXEDITLABELDATABASE: sets the label on a point of a position, or removes it. A label makes the move known.
    pub(super) fn edit_database_label(&mut self, point: Point, text: &str, moves: &MoveList) -> Result<(), Refusal> {
        let is_removed = text.is_empty();
        let mut line = moves.clone();
        line.moves.push(Some(point));
        self.change_database(&line, |edit, after| {
            let mut cursor = after.clone();
            cursor.undo();
            if !is_removed {
                edit.add_path(after)?;
                edit.update(after, &mut |_, _| {})?;
            } else if edit.entry(&cursor)?.is_none() {
                return Ok(());
            }
            edit.set_mark(&cursor, &Mark { point, text: text.to_owned() })
        })
    }

    /// YXDELETEDATABASEONE: removes a position, and the labels on the move that leads to it.
    pub(super) fn delete_from_database(&mut self, moves: &MoveList) -> Result<(), Refusal> {
        self.change_database(moves, |edit, cursor| edit.remove_with_labels(cursor).map(drop))
    }

    /// YXDELETEDATABASEALL: removes the positions after a position, and shows what is left.
    pub(super) fn delete_all_from_database(&mut self, filter: DeleteFilter, moves: &MoveList) -> Result<(), Refusal> {
        let removes = |record: &_| filter.kind.removes(record);
        let removal = Removal { removes: &removes, is_recursive: filter.is_recursive };
        let count = self.change_database(moves, |edit, cursor| edit.remove_below(cursor, removal))?;
        self.message(Message::Note(format!("{count} positions removed")));
        self.show_database_moves(moves)
    }

    /// YXDBMERGE, YXLIBTODB: adds what a file holds. Files that state no rule are of the session's.
    pub(super) fn merge_database(&mut self, path: &str) -> Result<(), Refusal> {
        let rule = Some(self.settings.rule.rule);
        let config = ImportConfig { rule, size: self.size.unwrap_or(Size::FIFTEEN), ..ImportConfig::default() };
        let path = Path::new(path);
        self.open_named();
        let added = database::merge_file(self.changeable()?.0, path, &config);
        self.report_transfer(path, added)
    }

    /// YXDBSPLIT, YXDBTOLIB: writes the branch of the game's position to a new file.
    pub(super) fn split_database(&mut self, path: &str, format: Option<ExportFormat>) -> Result<(), Refusal> {
        let cursor = Cursor::from_board(self.game()?.position().board());
        let path = Path::new(path);
        let written = database::split(self.readable()?, path, &cursor, format);
        self.report_transfer(path, written)
    }

    /// YXDBTOTXT, YXDBTOTXTALL: writes the positions of the session's rule and size, or all, to a new table.
    pub(super) fn write_database_table(&mut self, path: &str, scope: TableScope) -> Result<(), Refusal> {
        let game = match scope {
            TableScope::All => None,
            TableScope::Game => Some((self.settings.rule.rule, self.size.ok_or(Refusal::NoBoard)?)),
        };
        let path = Path::new(path);
        let written = database::write_table(self.readable()?, path, game);
        self.report_transfer(path, written)
    }

    fn readable(&mut self) -> Result<&Library, DatabaseError> {
        self.open_named();
        Ok(self.library.file.library().ok_or(DatabaseError::Closed)?.0)
    }

    fn report_transfer(&mut self, path: &Path, done: Result<String, TransferError>) -> Result<(), Refusal> {
        let line = done.map_err(|error| error.at(path))?;
        self.message(Message::Note(format!("{}: {line}", path.display())));
        Ok(())
    }

    /// Whether a library can hold what the search of this question finds.
    pub(super) fn can_note(&self, question: Question, board: &Board) -> bool {
        // A library holds no walls, and a continuous game does not end with a five.
        let fits = !board.has_walls() && !self.settings.rule.continuous;
        fits && matches!(question, Question::Move { .. } | Question::Defend)
    }

    /// Notes what a search has found, if the settings ask for it. [`write_found`](Self::write_found) writes it. `noted` is
    /// that of the question.
    pub(super) fn note_found(&mut self, noted: Option<(Cursor, bool)>, answer: &Answer) {
        let Settings { keeps_proofs, is_database_readonly, .. } = self.settings;
        let Some((root, is_whole)) = noted.filter(|_| keeps_proofs && !is_database_readonly) else { return };
        let Some(Choice { point, reason, nodes }) = answer.choice() else { return };
        let Some((score, depth)) = reason.searched() else { return };
        self.library.found = Some((root, SearchResult { point, score, depth, nodes, is_whole }));
    }

    /// Writes what the last search has found. The named library is opened here and not before the move is sent, because that
    /// may take long.
    pub(super) fn write_found(&mut self) {
        let Some((root, result)) = self.library.found.take() else { return };
        self.open_named();
        let Ok((library, path)) = self.changeable() else { return };
        let written = library.edit().and_then(|mut edit| {
            let engine = edit.add_source(&Source::own())?;
            edit.add_search(&root, result, engine)?;
            edit.commit()
        });
        if let Err(error) = written.map_err(|error| DatabaseError::of(path, error)) {
            self.message(Message::Note(error.to_string()));
        }
    }
}

/// The positions of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableScope {
    /// Those of the session's rule and size.
    Game,
    /// All.
    All,
}
