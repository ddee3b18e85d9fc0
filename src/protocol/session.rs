//! [`Session`]: the one state machine. Events in, replies out; it writes nothing itself.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::Event;
use super::clock::Clock;
use super::command::{Command, CommandReader};
use super::game::Game;
use super::info::Info;
use super::input_end::InputEnd;
use super::list::{ListError, PointList};
use super::preload::Preload;
use super::printer::Printer;
use super::reply::{Message, Refusal, Reply};
use super::settings::Settings;
use crate::board::{Color, Dialect, PointError, Rule, Size};
use crate::opening::swap2;
use crate::picker::{Answer, Decision, Question, SearchControl};
use crate::player::{Answered, Player, Request, Update};
use crate::weights::{WeightedPosition, Weighting};

/// The number of unknown commands in a row that are answered; more would fill the pipe of a manager that does not read.
const UNKNOWN_IN_A_ROW: u32 = 16;

/// The time from END to the end of the process while a question runs; its move is written if it comes within this time.
const END_GRACE: Duration = Duration::from_millis(50);

/// The state of the engine as one manager sees it: the settings, the game, the question that runs.
///
/// ```text
///                       BEGIN, TURN, BOARD
///            START     ───────────────────►
/// no board ────────► idle               searching
///                      ◄───────────────────
///                   the move, then the commands that wait
/// ```
///
/// Commands are carried out in the order in which they came. While a question runs, a command that changes the game
/// stops the search and waits at the head of the queue for the move; the others are carried out at once.
pub(super) struct Session {
    reader: CommandReader,
    queue: VecDeque<(Command, Instant)>,
    /// `None` before the first START.
    size: Option<Size>,
    /// Built by the first command that needs it, so that START is answered before the tables are filled.
    game: Option<Game>,
    preload: Preload,
    player: Player,
    /// The question that runs, if one does; then there is a game.
    asked: Option<Asked>,
    clock: Clock,
    settings: Settings,
    printer: Printer,
    unknown_in_a_row: u32,
    input_end: InputEnd,
    /// Whether END was carried out; the question that runs may still end.
    is_leaving: bool,
    has_ended: bool,
    replies: Vec<Reply>,
}

/// A question that runs.
struct Asked {
    question: Question,
    /// When the last line of its command was read: the clock counts from there.
    began: Instant,
    /// When it is dropped because of END.
    end_at: Option<Instant>,
}

impl Session {
    pub(super) fn new(weighting: Weighting, clock: Clock, player: Player) -> Self {
        Self {
            reader: CommandReader::default(),
            queue: VecDeque::new(),
            size: None,
            game: None,
            preload: Preload::default(),
            player,
            asked: None,
            clock,
            settings: Settings::new(weighting),
            printer: Printer::default(),
            unknown_in_a_row: 0,
            input_end: InputEnd::default(),
            is_leaving: false,
            has_ended: false,
            replies: Vec::new(),
        }
    }

    /// Whether the session is over.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// When [`tick`](Self::tick) must be called, if no event comes before; `None` is never.
    pub(super) fn wake_at(&self) -> Option<Instant> {
        match &self.asked {
            Some(asked) => self.player.wake_at().into_iter().chain(asked.end_at).chain(self.input_end.stop_at()).min(),
            None => self.preload.due_at(),
        }
    }

    /// Whether a question runs although the input has ended.
    pub(super) fn outlives_input(&self) -> bool {
        self.input_end.has_come() && self.asked.is_some()
    }

    /// The lines to write, in order.
    pub(super) fn take_replies(&mut self) -> Vec<Reply> {
        std::mem::take(&mut self.replies)
    }

    /// Carries out what follows from an event.
    pub(super) fn handle(&mut self, event: Event) {
        match event {
            Event::Line { text, at } => {
                log::debug!("-> {text}");
                let command = if self.is_leaving { None } else { self.reader.read(&text) };
                self.queue.extend(command.map(|command| (command, at)));
            }
            Event::InputEnded => self.input_end.comes(Instant::now()),
            Event::Player(event) => {
                let update = self.player.handle(event);
                self.follow(update);
            }
        }
        self.carry_out_queue();
        if let Some(size) = self.size {
            self.preload.expect(size, self.settings.rule.rule, self.settings.weighting, Instant::now());
        }
    }

    /// Carries out what is due at this time: the end after END, the answer for a late picker, the preload.
    pub(super) fn tick(&mut self, now: Instant) {
        let Some(asked) = &self.asked else {
            if let Some((size, rule, weighting)) = self.preload.take_due(now) {
                self.player.preload(size, rule, weighting);
            }
            return;
        };
        if asked.end_at.is_some_and(|end| end <= now) {
            self.has_ended = true;
            return;
        }
        if self.input_end.stop_at().is_some_and(|at| at <= now) {
            self.stop_for_good(now);
        }
        let update = self.player.poll(now);
        if matches!(update, Update::Answer(_)) {
            self.follow(update);
            self.carry_out_queue();
        }
    }

    /// Writes the progress or the answer of the question that runs.
    fn follow(&mut self, update: Update) {
        let (detail, now) = (self.settings.detail, Instant::now());
        match update {
            Update::Unchanged => {}
            Update::Report(report) => self.replies.extend(self.printer.report(report, detail, now)),
            Update::Answer(answer) => {
                let Some(Asked { question, began, .. }) = self.asked.take() else { return };
                self.replies.extend(self.printer.finish(question, detail, now));
                if let Some(answer) = answer {
                    self.write_answer(&answer, began);
                }
            }
        }
    }

    /// The last question that was answered, where the player is inline.
    pub(super) fn take_answered(&mut self) -> Option<Answered> {
        self.player.take_answered()
    }

    /// Carries out the commands of the queue, up to one that must wait for the move.
    fn carry_out_queue(&mut self) {
        while let Some((command, at)) = self.queue.pop_front() {
            if self.asked.is_some() && command.waits_for_the_move() {
                self.player.stop(Instant::now());
                self.queue.push_front((command, at));
                return;
            }
            self.carry_out(command, at);
        }
        if self.asked.is_none() {
            self.has_ended |= self.input_end.has_come() || self.is_leaving;
        } else if self.input_end.has_come() && !self.is_leaving && !self.player.is_bounded() {
            // No command can come that stops this search.
            self.stop_for_good(Instant::now());
        }
    }

    /// Stops the last question of the input.
    fn stop_for_good(&mut self, now: Instant) {
        self.input_end.stopped();
        self.player.stop(now);
    }

    fn carry_out(&mut self, command: Command, at: Instant) {
        self.unknown_in_a_row = match command {
            Command::Unknown => self.unknown_in_a_row.saturating_add(1),
            _ => 0,
        };
        if let Err(refusal) = self.try_carry_out(command, at) {
            self.reply(Reply::Error(refusal));
        }
    }

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
            Command::Info(info) => self.set(info, at),
            Command::IdleInfo => {}
            Command::About => self.reply(Reply::About),
            Command::Stop => self.player.stop(Instant::now()),
            Command::End => self.end(at),
            Command::ShowInfo => self.show_info(),
            Command::ShowForbid => {
                let position = self.game()?.position();
                let empty = position.board().empty_points();
                let forbidden = empty.iter().filter(|point| position.is_forbidden(*point, Color::Black)).collect();
                self.reply(Reply::Forbid(forbidden));
            }
            Command::HashClear => self.player.clear(),
            Command::Weights(weighting) => self.show_weights(weighting)?,
            Command::Refused(error) => return Err(Refusal::Command(error)),
            Command::Foreign => self.reply(Reply::Unknown),
            Command::Unknown if self.unknown_in_a_row > UNKNOWN_IN_A_ROW => {}
            Command::Unknown => self.reply(Reply::Unknown),
        }
        Ok(())
    }

    fn reply(&mut self, reply: Reply) {
        self.replies.push(reply);
    }

    /// The game, with the rule and the weighting of the settings.
    fn game(&mut self) -> Result<&mut Game, Refusal> {
        let size = self.size.ok_or(Refusal::NoBoard)?;
        let (rule, weighting) = (self.settings.rule, self.settings.weighting);
        let game = self.game.get_or_insert_with(|| Game::new(size, rule, weighting));
        game.set_rule(rule);
        game.set_weighting(weighting);
        Ok(game)
    }

    fn start(&mut self, size: Size) {
        self.size = Some(size);
        self.game = None;
        self.clock.new_game();
        self.reply(Reply::Ok);
    }

    /// END: the session ends at once, or after a grace for the question that runs.
    fn end(&mut self, at: Instant) {
        self.is_leaving = true;
        self.queue.clear();
        if let Some(asked) = &mut self.asked {
            asked.end_at = at.checked_add(END_GRACE);
        }
    }

    fn report_list_error(&mut self, error: Option<ListError>) {
        self.replies.extend(error.map(|error| Reply::Message(Message::Skipped(error))));
    }

    fn set(&mut self, info: Info, at: Instant) {
        match info {
            Info::TimeoutTurn(limit) => self.clock.set_turn(limit),
            Info::TimeoutMatch(total) => self.clock.set_total(total),
            Info::TimeLeft(left) => self.clock.report(left, at),
            Info::TimeIncrement(increment) => self.clock.set_increment(increment),
            Info::Rule(number) => {
                self.settings.rule = Rule::from_info(number, self.settings.dialect);
            }
            Info::Picker(name) => {
                self.player.set_source(Box::new(move || name.build()));
                self.preload.clear();
            }
            Info::Weighting(weighting) => self.settings.weighting = weighting,
            Info::MaxMemory(bytes) => self.settings.max_memory = bytes,
            Info::HashSize(bytes) => self.settings.hash_size = bytes,
            Info::Threads(threads) => self.settings.set_threads(threads),
            Info::ShowDetail(detail) => self.settings.detail = detail,
            Info::MaxDepth(depth) => self.settings.depth = depth,
            Info::MaxNode(nodes) => self.settings.nodes = nodes,
        }
        if let Some(asked) = &self.asked {
            self.player.set_deadlines(self.clock.deadlines(asked.began), Instant::now());
        }
    }

    fn show_info(&mut self) {
        self.settings.dialect = Dialect::Yixin;
        self.reply(Reply::Message(Message::MaxThreads(Settings::cores())));
        self.reply(Reply::Message(Message::MaxHash(self.settings.table_kilobytes_log2())));
    }

    fn show_weights(&mut self, weighting: Option<Weighting>) -> Result<(), Refusal> {
        let in_use = self.settings.weighting;
        let game = self.game()?;
        let weighting = weighting.unwrap_or(in_use);
        let position: WeightedPosition = game.position().with(weighting);
        let weight = |point| Some(Reply::Message(Message::Weight(point, position.weights(point)?)));
        self.replies.extend(position.board().empty_points().iter().filter_map(weight));
        self.reply(Reply::Message(Message::WeightsEnd(weighting)));
        Ok(())
    }

    /// Asks for the move of the side to move, and for this number of best moves; 0 for the move alone.
    fn ask_for_a_move(&mut self, lines: usize, began: Instant) -> Result<(), Refusal> {
        let game = self.game()?;
        if game.is_full() {
            return Err(Refusal::Full);
        }
        game.take_side_to_move();
        let position = game.position().clone();
        self.ask(Question::Move { lines }, position, began);
        Ok(())
    }

    /// Asks about the stones of Swap2, which are not put on the board of the game.
    fn ask_swap2(&mut self, list: &PointList, began: Instant) -> Result<(), Refusal> {
        let weighting = self.settings.weighting;
        let game = self.game()?;
        let size = game.size();
        let (fitting, outside): (Vec<_>, Vec<_>) = list.points.iter().partition(|point| size.contains(**point));
        let board = swap2::board(size, game.rule(), &fitting);
        if board.is_full() {
            return Err(Refusal::Full);
        }
        self.report_list_error(list.error.or((!outside.is_empty()).then_some(ListError::Point(PointError::OffBoard))));
        self.ask(Question::Swap2, WeightedPosition::new(board, weighting), began);
        Ok(())
    }

    /// Asks the player, and writes the answer where it comes at once.
    fn ask(&mut self, question: Question, position: WeightedPosition, began: Instant) {
        let limits = self.settings.limits(SearchControl::since(began));
        let deadlines = self.clock.deadlines(began);
        self.asked = Some(Asked { question, began, end_at: None });
        let printer = &mut self.printer;
        let request = Request { question, position, limits, deadlines };
        let update = self.player.ask(request, &mut |report| printer.defer(report));
        self.follow(update);
    }

    fn write_answer(&mut self, answer: &Answer, began: Instant) {
        match answer.decision {
            Decision::Move(point) => {
                let Some(game) = &mut self.game else { return };
                if game.engine_plays(point).is_err() {
                    return;
                }
                self.reply(Reply::Move(point));
            }
            Decision::Swap2(answer) => self.reply(answer.into()),
        }
        self.clock.answered(began, Instant::now());
    }
}
