//! [`Session`]: the state machine. It turns events into lines and touches no stream.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use super::command::{Command, CommandReader};
use super::game::Game;
use super::{Refusal, Setup};
use crate::cube::board::Gravity;
use crate::cube::picker::{Answer, PickerName};
use crate::cube::player::{self, EventSink, Player, Update};
use crate::picker::{Limits, SearchControl};
use crate::protocol::{
    Clock, Detail, END_GRACE, Event, Info, Input, Reply, Served, Settings, UNKNOWN_IN_A_ROW, UNNAMED_TURN,
};

/// The part of `max_memory`, in bytes, that is not for tables.
const MEMORY_RESERVE: u64 = 32 << 20;

/// The state of the engine for one manager.
pub(super) struct Session {
    name: &'static str,
    reader: CommandReader,
    queue: VecDeque<(Command, Instant)>,
    /// `None` before the first START.
    game: Option<Game>,
    /// The gravity of the next game.
    gravity: Gravity,
    player: Player,
    /// When the running question was read.
    asked: Option<Instant>,
    clock: Clock,
    /// The settings of the flat board. The cube uses a few of them.
    settings: Settings,
    unknown_in_a_row: u32,
    input_has_ended: bool,
    /// When END drops the running question.
    end_at: Option<Instant>,
    has_ended: bool,
    replies: Vec<String>,
}

impl Session {
    pub(super) fn new(setup: Setup, sink: EventSink) -> Self {
        Self {
            name: setup.name,
            reader: CommandReader::default(),
            queue: VecDeque::new(),
            game: None,
            gravity: setup.gravity,
            player: Player::new(setup.picker, sink),
            asked: None,
            clock: Clock::new(setup.started.elapsed(), UNNAMED_TURN),
            settings: Settings::default(),
            unknown_in_a_row: 0,
            input_has_ended: false,
            end_at: None,
            has_ended: false,
            replies: Vec::new(),
        }
    }
}

impl Served for Session {
    type PlayerEvent = player::Event;
    type Reply = String;

    fn has_ended(&self) -> bool {
        self.has_ended
    }

    fn outlives_input(&self) -> bool {
        self.input_has_ended && self.asked.is_some()
    }

    fn wake_at(&self) -> Option<Instant> {
        self.player.wake_at().into_iter().chain(self.end_at).min()
    }

    fn take_replies(&mut self) -> Vec<String> {
        std::mem::take(&mut self.replies)
    }

    fn handle(&mut self, event: Event<player::Event>) {
        match event {
            Event::Input(Input::Line { text, at }) => {
                log::debug!("-> {text}");
                let command = if self.end_at.is_some() { None } else { self.reader.read(&text) };
                self.queue.extend(command.map(|command| (command, at)));
            }
            Event::Input(Input::Ended) => self.input_has_ended = true,
            Event::Player(event) => {
                let update = self.player.handle(event);
                self.follow(update);
            }
        }
        self.carry_out_queue();
    }

    /// Ends the session after END, and answers in the place of a late picker.
    fn tick(&mut self, now: Instant) {
        if self.end_at.is_some_and(|end| end <= now) {
            self.has_ended = true;
            return;
        }
        let update = self.player.poll(now);
        self.follow(update);
        self.carry_out_queue();
    }
}

impl Session {
    fn follow(&mut self, update: Update) {
        match update {
            Update::Unchanged => {}
            Update::Report(info) if self.settings.detail == Detail::Silent => log::debug!("{info}"),
            Update::Report(info) => self.replies.push(format!("MESSAGE {info}")),
            Update::Answer(answer) => {
                let began = self.asked.take();
                if let Some(answer) = answer {
                    self.write_answer(&answer);
                }
                if let Some(began) = began {
                    self.clock.answered(began, Instant::now());
                }
            }
        }
    }

    fn write_answer(&mut self, answer: &Answer) {
        let Some(game) = &mut self.game else { return };
        let gravity = game.position().gravity();
        if game.engine_plays(answer.cell).is_ok() {
            log::debug!("{}: {}", gravity.name(answer.cell), answer.reason);
            self.replies.push(gravity.name(answer.cell));
        }
    }

    /// Carries out the commands of the queue up to one that must wait for the move.
    fn carry_out_queue(&mut self) {
        while let Some((command, at)) = self.queue.pop_front() {
            if self.player.is_busy() && command.waits_for_the_move() {
                self.player.stop(Instant::now());
                self.queue.push_front((command, at));
                return;
            }
            self.unknown_in_a_row =
                if command == Command::Unknown { self.unknown_in_a_row.saturating_add(1) } else { 0 };
            if let Err(refusal) = self.carry_out(command, at) {
                self.replies.push(format!("ERROR {refusal}"));
            }
        }
        if self.asked.is_none() {
            self.has_ended |= self.input_has_ended || self.end_at.is_some();
        } else if self.input_has_ended && !self.player.is_bounded() {
            // No further command can stop this search.
            self.player.stop(Instant::now());
        }
    }

    fn carry_out(&mut self, command: Command, at: Instant) -> Result<(), Refusal> {
        match command {
            Command::Start => self.start(),
            Command::Restart => {
                self.game()?;
                self.start();
            }
            Command::Begin => self.ask(at)?,
            Command::Turn(text) => {
                self.game()?.opponent_plays(&text)?;
                self.ask(at)?;
            }
            Command::Play(text) => {
                let game = self.game()?;
                let cell = game.read_move(&text)?;
                game.engine_plays(cell)?;
                let name = game.position().gravity().name(cell);
                self.replies.push(name);
            }
            Command::Takeback(text) => {
                self.game()?.take_back(&text)?;
                self.replies.push(Reply::Ok.to_string());
            }
            Command::Board(lines) => {
                self.set_up(&lines)?;
                self.ask(at)?;
            }
            Command::YxBoard(lines) => self.set_up(&lines)?,
            Command::Info(info) => self.set(&info, at),
            Command::Gravity(gravity) => self.set_gravity(gravity),
            Command::Idle => {}
            Command::About => self.replies.push(Reply::About(self.name).to_string()),
            Command::Stop => self.player.stop(Instant::now()),
            Command::End => self.end(at),
            Command::Refused(error) => return Err(error),
            Command::Unknown if self.unknown_in_a_row > UNKNOWN_IN_A_ROW => {}
            Command::Unknown => self.replies.push(Reply::Unknown.to_string()),
        }
        Ok(())
    }

    fn game(&mut self) -> Result<&mut Game, Refusal> {
        self.game.as_mut().ok_or(Refusal::NoBoard)
    }

    fn start(&mut self) {
        self.game = Some(Game::new(self.gravity));
        self.player.clear();
        self.clock.new_game();
        self.replies.push(Reply::Ok.to_string());
    }

    fn set_up(&mut self, lines: &[String]) -> Result<(), Refusal> {
        let (game, error) = Game::set_up(lines, self.gravity);
        *self.game()? = game;
        self.replies.extend(error.map(|error| format!("MESSAGE skipped a line of the list: {error}")));
        Ok(())
    }

    /// Sets the gravity of the next game, and of this one while its cube is empty and no search runs.
    fn set_gravity(&mut self, gravity: Gravity) {
        self.gravity = gravity;
        let is_searching = self.asked.is_some();
        if let Some(game) = self.game.as_mut().filter(|game| !is_searching && game.position().occupied().is_empty()) {
            *game = Game::new(gravity);
        }
    }

    /// Asks for the move of the side to move.
    fn ask(&mut self, began: Instant) -> Result<(), Refusal> {
        let game = self.game()?;
        if game.position().playable().is_empty() {
            return Err(Refusal::Full);
        }
        game.take_side_to_move();
        let position = *game.position();
        let control = Arc::new(SearchControl::since(began));
        let Settings { depth, nodes, .. } = self.settings;
        let limits = Limits { depth, nodes, memory: Some(self.table_bytes()), control, ..Limits::default() };
        self.asked = Some(began);
        let update = self.player.ask(&position, limits, self.clock.deadlines(began));
        self.follow(update);
        Ok(())
    }

    /// The size of the tables in bytes.
    fn table_bytes(&self) -> usize {
        let memory = self.settings.memory.saturating_sub(MEMORY_RESERVE);
        let bytes = self.settings.hash_size.map_or(memory, |tables| tables.min(memory));
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }

    /// Changes a setting. A picker or a book, which only the flat board has, is ignored like any unknown value.
    fn set(&mut self, info: &Info, at: Instant) {
        self.clock.take(info, at);
        self.settings.apply(info);
        if let &Info::Picker(name) = info {
            if let Some(name) = PickerName::of(name) {
                self.player.set_source(Box::new(move || name.build()));
            }
        }
        if let Some(began) = self.asked {
            self.player.set_deadlines(self.clock.deadlines(began), Instant::now());
        }
    }

    /// END: the session ends at once, or after a grace period for the running question.
    fn end(&mut self, at: Instant) {
        self.queue.clear();
        self.end_at = at.checked_add(END_GRACE);
        self.has_ended |= self.asked.is_none();
    }
}
