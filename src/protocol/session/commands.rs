//! Executes commands. `questions.rs` and `openings.rs` ask the questions to the player.

use std::path::Path;
use std::time::Instant;

use super::database::TableScope;
use super::{Session, source};
use crate::board::{Color, PointSet};
use crate::library::ExportFormat;
use crate::picker::{BalanceStones, Question, SearchControl};
use crate::protocol::command::{Command, Forbid};
use crate::protocol::hash_file::{self, HashFileError};
use crate::protocol::list::ListError;
use crate::protocol::reply::{Message, Refusal, Reply};
use crate::protocol::rule_number::Dialect;
use crate::protocol::settings::{Info, Settings};
use crate::weights::{WeightedPosition, Weighting};

/// Maximum number of consecutive unknown commands that are answered. More answers could fill the pipe of a manager that
/// does not read.
pub(crate) const UNKNOWN_IN_A_ROW: u32 = 16;

impl Session {
    pub(super) fn carry_out(&mut self, command: Command, at: Instant) {
        self.unknown_in_a_row = match command {
            Command::Foreign | Command::Unknown => self.unknown_in_a_row.saturating_add(1),
            _ => 0,
        };
        if let Err(refusal) = self.try_carry_out(command, at) {
            self.reply(Reply::Error(refusal));
        }
    }

    #[expect(clippy::too_many_lines, reason = "one arm for each command")]
    fn try_carry_out(&mut self, command: Command, at: Instant) -> Result<(), Refusal> {
        match command {
            Command::Start(size) => self.start(size),
            Command::Restart => {
                let size = self.size.ok_or(Refusal::NoBoard)?;
                self.start(size);
            }
            Command::Begin => self.ask_for_a_move(0, at)?,
            Command::NBest(count) => self.ask_for_a_move(count, at)?,
            Command::Turn(point) => {
                self.game()?.opponent_plays(point)?;
                self.ask_for_a_move(0, at)?;
            }
            Command::Play(point) => {
                self.game()?.engine_plays(point)?;
                self.reply(Reply::Move(point));
            }
            Command::Takeback(point) => {
                self.game()?.take_back(point)?;
                self.reply(Reply::Ok);
            }
            Command::Board(list) => {
                let error = self.game()?.set_up(&list);
                self.report_list_error(error);
                self.ask_for_a_move(0, at)?;
            }
            Command::YxBoard(list) => _ = self.game()?.set_up(&list),
            Command::Swap2Board(list) => self.ask_swap2(&list, at)?,
            Command::OpenBoard(list) => self.ask_procedure(&list, at)?,
            Command::Swap2Step(step) => self.ask_swap2_step(step, at)?,
            Command::SoosorvStep(step, list) => self.ask_soosorv_step(step, &list, at)?,
            Command::SearchDefend => self.ask_about_the_game(Question::Defend, at)?,
            Command::BalanceOne(bias) => self.ask_for_balance(BalanceStones::One, bias, at)?,
            Command::BalanceTwo(bias) => self.ask_for_balance(BalanceStones::Two, bias, at)?,
            Command::Block(list) => self.excluded.blocked.extend(list.points),
            Command::BlockUndo(list) => list.points.into_iter().for_each(|point| self.excluded.blocked.remove(point)),
            Command::BlockReset => self.excluded.blocked = PointSet::EMPTY,
            Command::Forbid(Forbid::Add, point, color) => self.excluded.forbidden[color].insert(point),
            Command::Forbid(Forbid::Delete, point, color) => self.excluded.forbidden[color].remove(point),
            Command::Info(info) => self.set(&info, at),
            Command::Ignored => {}
            Command::About => self.reply(Reply::About(self.name)),
            Command::Stop => self.player.stop(Instant::now()),
            Command::End => self.end(at),
            Command::ShowInfo => self.show_info(),
            Command::ShowForbid => self.show_forbidden()?,
            Command::Weights(weighting) => self.show_weights(weighting)?,
            Command::HashClear => {
                self.player.clear();
                self.hashfull = 0;
            }
            Command::HashUsage => {
                let usage = self.player.picker().and_then(|picker| picker.table_usage()).unwrap_or(self.hashfull);
                self.message(Message::HashUsage(usage));
            }
            Command::HashDump(path) => self.dump_table(&path)?,
            Command::HashLoad(path) => self.load_table(&path)?,
            Command::DatabaseMoves(moves) => self.show_database_moves(&moves)?,
            Command::DatabasePosition(moves) => self.show_database_position(&moves)?,
            Command::DatabaseRecord(moves) => self.show_database_record(&moves)?,
            Command::DatabaseComment(moves) => self.show_database_comment(&moves)?,
            Command::DatabaseEditNumbers(change, moves) => self.edit_database_numbers(change, &moves)?,
            Command::DatabaseEditComment(text, moves) => self.edit_database_comment(&text, &moves)?,
            Command::DatabaseEditLabel(point, text, moves) => self.edit_database_label(point, &text, &moves)?,
            Command::DatabaseDelete(moves) => self.delete_from_database(&moves)?,
            Command::DatabaseDeleteAll(filter, moves) => self.delete_all_from_database(filter, &moves)?,
            Command::DatabaseOpen(path) => self.open_database(&path)?,
            Command::DatabaseSave => self.save_database()?,
            Command::DatabaseMerge(path) => self.merge_database(&path)?,
            Command::DatabaseSplit(path) => self.split_database(&path, None)?,
            Command::DatabaseToLib(path) => self.split_database(&path, Some(ExportFormat::Lib))?,
            Command::DatabaseToTable(path) => self.write_database_table(&path, TableScope::Game)?,
            Command::DatabaseToFullTable(path) => self.write_database_table(&path, TableScope::All)?,
            Command::Draw => self.message(Message::DrawDeclined),
            Command::Resign => self.message(Message::Resigned),
            Command::Refused(refused) => return Err(Refusal::Command(refused.error())),
            Command::Foreign | Command::Unknown if self.unknown_in_a_row > UNKNOWN_IN_A_ROW => {}
            Command::Foreign | Command::Unknown => self.reply(Reply::Unknown),
        }
        Ok(())
    }

    pub(super) fn report_list_error(&mut self, error: Option<ListError>) {
        self.replies.extend(error.map(|error| Reply::Message(Message::Skipped(error))));
    }

    fn set(&mut self, info: &Info, at: Instant) {
        self.clock.take(info, at);
        self.settings.apply(info);
        if let &Info::Picker(name) = info {
            self.player.set_source(source(&self.pickers, name));
        }
        if let Info::Book(path) = info {
            let opened = self.settings.open_book(path.as_deref());
            self.notes.extend(opened.err().map(|error| Message::Note(error.to_string())));
        }
        if let Info::Picker(_) | Info::Evaluation(_) = info {
            self.preload.clear();
        }
        self.set_database(info);
        if let Some(asked) = &self.asked {
            self.player.set_deadlines(self.clock.deadlines(asked.began), Instant::now());
        }
    }

    fn show_info(&mut self) {
        self.settings.dialect = Dialect::Yixin;
        self.message(Message::MaxThreads(Settings::cores()));
        self.message(Message::MaxHash(self.settings.table_kilobytes_log2()));
    }

    fn show_forbidden(&mut self) -> Result<(), Refusal> {
        let position = self.game()?.position();
        let empty = position.board().empty_points();
        let forbidden = empty.iter().filter(|point| position.is_forbidden(*point, Color::Black)).collect();
        self.reply(Reply::Forbid(forbidden));
        Ok(())
    }

    fn show_weights(&mut self, weighting: Option<Weighting>) -> Result<(), Refusal> {
        let in_use = self.settings.weighting;
        let game = self.game()?;
        let weighting = weighting.unwrap_or(in_use);
        let position: WeightedPosition = game.position().with(weighting);
        let weight = |point| Some(Reply::Message(Message::Weight(point, position.weights(point)?)));
        self.replies.extend(position.board().empty_points().iter().filter_map(weight));
        self.message(Message::WeightsEnd(weighting));
        Ok(())
    }

    fn dump_table(&mut self, path: &str) -> Result<(), Refusal> {
        let picker = self.player.picker().ok_or(Refusal::NoTable)?;
        if picker.table_usage().is_none() {
            return Err(Refusal::NoTable);
        }
        let written = hash_file::write(Path::new(path), |output| picker.dump_table(output));
        let entries = written.map_err(Refusal::HashFile)?.ok_or(Refusal::NoTable)?;
        self.message(Message::HashFile(entries));
        Ok(())
    }

    fn load_table(&mut self, path: &str) -> Result<(), Refusal> {
        let limits = self.settings.limits(SearchControl::default());
        let board = self.game()?.position().board().clone();
        let mut file = hash_file::open(Path::new(path)).map_err(Refusal::HashFile)?;
        let picker = self.player.ready_picker().ok_or(Refusal::NoTable)?;
        let loaded = picker.load_table(board.rule(), board.size(), &limits, &mut file).ok_or(Refusal::NoTable)?;
        let entries = loaded.map_err(|error| Refusal::HashFile(HashFileError::Read(error)))?;
        self.message(Message::HashFile(entries));
        Ok(())
    }
}
