//! The analyst's commands: what the engine leaves out, what it is asked beside a move, and the table of the search.

use std::path::Path;
use std::time::Instant;

use super::Session;
use crate::board::PointSet;
use crate::picker::{Question, SearchControl};
use crate::protocol::command::{Command, Forbid};
use crate::protocol::hash_file::{self, HashFileError};
use crate::protocol::reply::{Message, Refusal, Reply};

impl Session {
    /// Carries out a command of the analyst.
    pub(super) fn analyse(&mut self, command: Command, at: Instant) -> Result<(), Refusal> {
        match command {
            Command::SearchDefend => self.ask_about_the_game(Question::Defend, at)?,
            Command::Balance(balance) => self.ask_about_the_game(Question::Balance(balance), at)?,
            Command::Swap2Step(step) => self.ask_swap2_step(step, at)?,
            Command::Soosorv(step, list) => self.ask_soosorv_step(step, &list, at)?,
            Command::Block(list) => self.settings.blocked.extend(list.points),
            Command::BlockUndo(list) => {
                list.points.into_iter().for_each(|point| self.settings.blocked.remove(point));
            }
            Command::BlockReset => self.settings.blocked = PointSet::EMPTY,
            Command::Forbid(Forbid::Add, point, color) => self.settings.forbidden[color].insert(point),
            Command::Forbid(Forbid::Delete, point, color) => self.settings.forbidden[color].remove(point),
            Command::HashClear => {
                self.player.clear();
                self.hashfull = 0;
            }
            Command::HashUsage => {
                let usage = self.player.picker().and_then(|picker| picker.table_usage()).unwrap_or(self.hashfull);
                self.reply(Reply::Message(Message::HashUsage(usage)));
            }
            Command::HashDump(path) => self.dump_table(&path)?,
            Command::HashLoad(path) => self.load_table(&path)?,
            Command::Draw => self.reply(Reply::Message(Message::DrawDeclined)),
            Command::Resign => self.reply(Reply::Message(Message::Resigned)),
            // The others are no commands of the analyst.
            _ => {}
        }
        Ok(())
    }

    fn dump_table(&mut self, path: &str) -> Result<(), Refusal> {
        let picker = self.player.picker().ok_or(Refusal::NoTable)?;
        if picker.table_usage().is_none() {
            return Err(Refusal::NoTable);
        }
        let written = hash_file::write(Path::new(path), |output| picker.dump_table(output));
        let entries = written.map_err(Refusal::HashFile)?.unwrap_or(0);
        self.reply(Reply::Message(Message::HashFile(entries)));
        Ok(())
    }

    fn load_table(&mut self, path: &str) -> Result<(), Refusal> {
        let limits = self.settings.limits(SearchControl::default());
        let board = self.game()?.position().board().clone();
        let mut file = hash_file::open(Path::new(path)).map_err(Refusal::HashFile)?;
        let picker = self.player.ready_picker().ok_or(Refusal::NoTable)?;
        let loaded = picker.load_table(board.rule(), board.size(), &limits, &mut file).ok_or(Refusal::NoTable)?;
        let entries = loaded.map_err(|error| Refusal::HashFile(HashFileError::Read(error)))?;
        self.reply(Reply::Message(Message::HashFile(entries)));
        Ok(())
    }
}
