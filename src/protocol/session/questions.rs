//! The questions of a session to its player, and the output of their answers.

use std::sync::Arc;
use std::time::Instant;

use super::{Asked, Session, Words};
use crate::board::{Point, Rule};
use crate::library::Cursor;
use crate::picker::{
    Answer, Balance, BalanceStones, BookInPlay, BookRole, Decision, Level, Limits, Question, SearchControl,
};
use crate::player::{Request, Update};
use crate::protocol::detail::Detail;
use crate::protocol::game::Game;
use crate::protocol::realtime::Realtime;
use crate::protocol::reply::{Message, Refusal, Reply};
use crate::weights::WeightedPosition;

impl Session {
    /// Asks for the move of the side to move and its best `lines` lines. 0 asks for the move only.
    pub(super) fn ask_for_a_move(&mut self, lines: usize, began: Instant) -> Result<(), Refusal> {
        self.ask_about_the_game(Question::Move { lines }, began)
    }

    /// Asks for the stones that bring the score closest to `bias`.
    pub(super) fn ask_for_balance(&mut self, stones: BalanceStones, bias: i32, began: Instant) -> Result<(), Refusal> {
        self.ask_about_the_game(Question::Balance(Balance { stones, bias }), began)
    }

    /// Asks about the position of the game.
    pub(super) fn ask_about_the_game(&mut self, question: Question, began: Instant) -> Result<(), Refusal> {
        let game = self.game()?;
        let stones = match question {
            Question::Balance(Balance { stones: BalanceStones::Two, .. }) => 2,
            _ => 1,
        };
        if game.position().board().empty_points().len() < stones {
            return Err(Refusal::Full);
        }
        game.take_side_to_move();
        let position = game.position().clone();
        self.ask(question, Words::Gomocup, position, began);
        Ok(())
    }

    /// Asks the player. Writes the answer if it is immediate.
    pub(super) fn ask(&mut self, question: Question, words: Words, position: WeightedPosition, began: Instant) {
        self.replies.extend(self.notes.drain(..).map(Reply::Message));
        self.tell_of_networks(position.board().rule());
        self.tell_of_settings();
        let mut limits = self.settings.limits(SearchControl::since(began));
        if !matches!(question, Question::Opening(_)) {
            limits.left_out = self.excluded.of(position.board());
        }
        limits.book = self.book(question);
        limits.seed = self.settings.seed_of_game(self.games);
        let is_drawn = self.view().is_drawn() && matches!(question, Question::Move { .. } | Question::Defend);
        let realtime = is_drawn.then(|| Realtime::new(Arc::clone(&limits.control), Instant::now()));
        let deadlines = self.clock.deadlines(began);
        let board = position.board();
        let is_whole = || !limits.leave_out_moves(question, board);
        let noted = self.can_note(question, board).then(|| (Cursor::from_board(board), is_whole()));
        self.asked = Some(Asked { question, words, began, noted, end_at: None, realtime });
        let mut last = None;
        let request = Request { question, position, limits, deadlines };
        let update = self.player.ask(request, &mut |report| last = Some(report));
        if let Some(report) = last {
            self.record_hashfull(&report);
            self.printer.defer(report);
        }
        if update == Update::Unchanged {
            self.tell_of_time();
        }
        self.apply_update(update);
    }

    /// The book of a question: it may answer with a move, and orders the moves of an analysis.
    fn book(&self, question: Question) -> Option<BookInPlay> {
        let role = match question {
            Question::Move { lines: 0 } => BookRole::Answers,
            Question::Move { .. } => BookRole::Orders,
            Question::Opening(_) | Question::Defend | Question::Balance(_) => return None,
        };
        Some(BookInPlay { role, game: self.games, ..self.settings.book_in_play()? })
    }

    /// Reports once per game that `--network` was given without a network for its rule. The rule may arrive after START.
    fn tell_of_networks(&mut self, rule: Rule) {
        if self.told_of_networks != Some(rule) && self.settings.evaluation.is_given_only_for_other_rules(rule) {
            self.told_of_networks = Some(rule);
            self.message(Message::OtherNetworks(rule));
        }
    }

    /// Reports a setting that the picker cannot follow, once per combination of the two.
    fn tell_of_settings(&mut self) {
        let note = self.settings.note();
        if self.told_of_settings != note {
            self.told_of_settings.clone_from(&note);
            note.into_iter().for_each(|note| self.message(Message::Note(note)));
        }
    }

    /// Sends the hint about setting a time limit once, if a search runs without one.
    fn tell_of_time(&mut self) {
        if self.clock.is_limited() || self.is_told_of_time || self.settings.detail == Detail::Silent {
            return;
        }
        self.is_told_of_time = true;
        self.message(Message::NoTime);
    }

    pub(super) fn write_answer(&mut self, question: Question, answer: &Answer, words: Words, began: Instant) {
        match answer.decision {
            Decision::Move(point) => {
                let Some(game) = &mut self.game else { return };
                if game.engine_plays(point).is_err() {
                    return;
                }
                self.reply(Reply::Move(point));
                self.ponder(question, point);
            }
            // Yixin-Board plays the first of the two stones.
            Decision::Pair(stones) => {
                let Some(game) = &mut self.game else { return };
                if game.engine_plays(stones[0]).is_err() {
                    return;
                }
                self.reply(Reply::Pair(stones));
            }
            Decision::Opening(answer) => self.write_opening(answer, words),
        }
        self.clock.answered(began, Instant::now());
    }

    /// Starts pondering after a move of the game if the manager has enabled it.
    fn ponder(&mut self, question: Question, last: Point) {
        let is_idle = self.queue.is_empty() && !self.is_leaving && !self.input_end.has_come;
        // A level below the greatest must not think more than it may.
        let may_ponder = self.settings.pondering && self.settings.level == Level::FULL;
        if !may_ponder || !is_idle || question != Question::MOVE {
            return;
        }
        let Some(position) = self.game.as_ref().map(Game::position) else { return };
        let board = position.board();
        if board.is_full() || board.wins(last, !board.turn()) {
            return;
        }
        let control = SearchControl::since(Instant::now());
        let limits = Limits { depth: None, nodes: None, ..self.settings.limits(control) };
        // A move of the book would end the search.
        let book = limits.book.map(|book| BookInPlay { role: BookRole::Orders, ..book });
        let limits = Limits { book, ..limits };
        self.player.ponder(position.clone(), limits);
    }
}
