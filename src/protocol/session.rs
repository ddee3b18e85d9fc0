//! [`Session`]: the one state machine. Events in, replies out; it writes nothing itself.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::Event;
use super::clock::Clock;
use super::command::{Command, CommandReader};
use super::game::Game;
use super::info::Info;
use super::list::{ListError, PointList};
use super::options::Options;
use super::preload::Preload;
use super::progress::{Detail, Pace, Turn};
use super::reply::{Message, Refusal, Reply};
use crate::board::{Color, Dialect, PointError, Rule, Size};
use crate::opening::swap2;
use crate::picker::{Answer, Decision, Question, Report, SearchControl};
use crate::player::{Answered, Player, Request, Update};
use crate::weights::{WeightedPosition, Weighting};

/// The number of unknown words in a row that are answered; more would fill the pipe of a manager that does not read.
const UNKNOWN_IN_A_ROW: u32 = 16;

/// A question that still runs this long after END was read is dropped, and its move is not printed.
const END_GRACE: Duration = Duration::from_millis(50);

/// A game as one manager leads it.
///
/// ```text
///            START                 BEGIN, TURN, BOARD
/// no board ─────────► idle ◄──────────────────────────► thinking
///                          the move, then what waited
/// ```
///
/// Commands are carried out in the order in which they came. While a think runs, those that change the game wait at
/// the head of the queue for the move, which they hasten; the others are carried out at once.
pub(super) struct Session {
    reader: CommandReader,
    queue: VecDeque<(Command, Instant)>,
    /// `None` before the first START.
    size: Option<Size>,
    /// Made when it is first needed: START is answered before.
    game: Option<Game>,
    preload: Preload,
    player: Player,
    /// What the player is asked, if anything; then there is a game.
    asked: Option<Asked>,
    clock: Clock,
    options: Options,
    pace: Pace,
    unknown_in_a_row: u32,
    input_ended: bool,
    /// END was carried out.
    leaving: bool,
    ended: bool,
    replies: Vec<Reply>,
}

/// A question that runs.
struct Asked {
    question: Question,
    /// When the last line of the command was read: the clock runs from there.
    began: Instant,
    /// The last progress, where it was not printed.
    unprinted: Option<Report>,
    /// When it is dropped because END came.
    end_at: Option<Instant>,
}

impl Session {
    pub(super) fn new(weighting: Weighting, started: Instant, player: Player) -> Self {
        Self {
            reader: CommandReader::default(),
            queue: VecDeque::new(),
            size: None,
            game: None,
            preload: Preload::default(),
            player,
            asked: None,
            clock: Clock::new(started.elapsed()),
            options: Options::new(weighting),
            pace: Pace::default(),
            unknown_in_a_row: 0,
            input_ended: false,
            leaving: false,
            ended: false,
            replies: Vec::new(),
        }
    }

    /// Whether all is said.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// When [`tick`](Self::tick) has something to do, if no event comes before.
    pub(super) fn wake_at(&self) -> Option<Instant> {
        match &self.asked {
            Some(asked) => self.player.wake_at().into_iter().chain(asked.end_at).min(),
            None => self.preload.due_at(),
        }
    }

    /// The lines to write, in order.
    pub(super) fn take_replies(&mut self) -> Vec<Reply> {
        std::mem::take(&mut self.replies)
    }

    /// Takes in what has happened.
    pub(super) fn handle(&mut self, event: Event) {
        match event {
            Event::Line { text, at } => {
                log::debug!("-> {text}");
                let command = if self.leaving { None } else { self.reader.read(&text) };
                self.queue.extend(command.map(|command| (command, at)));
            }
            Event::InputEnded => self.input_ended = true,
            Event::Player(event) => {
                let update = self.player.handle(event);
                self.update(update);
            }
        }
        self.work();
        if let Some(size) = self.size {
            self.preload.expect(size, self.options.rule.rule, self.options.weighting, Instant::now());
        }
    }

    /// Sees to what has fallen due.
    pub(super) fn tick(&mut self, now: Instant) {
        let Some(asked) = &self.asked else {
            self.preload.tick(now);
            return;
        };
        if asked.end_at.is_some_and(|end| end <= now) {
            self.ended = true;
            return;
        }
        let update = self.player.poll(now);
        if matches!(update, Update::Answer(_)) {
            self.update(update);
            self.work();
        }
    }

    /// Takes in what has become of the question that runs.
    fn update(&mut self, update: Update) {
        match update {
            Update::None => {}
            Update::Report(report) => self.print_progress(report),
            Update::Answer(answer) => {
                let Some(asked) = self.asked.take() else { return };
                if let Some(report) = &asked.unprinted {
                    self.print_last(report, asked.question);
                }
                self.print_answer(answer, asked.began);
            }
        }
    }

    /// What the player answered last, where it is an inline one.
    pub(super) fn take_answered(&mut self) -> Option<Answered> {
        self.player.take_answered()
    }

    /// Carries out what waits, as far as it need not wait longer.
    fn work(&mut self) {
        while let Some((command, at)) = self.queue.pop_front() {
            if self.asked.is_some() && command.waits_for_the_move() {
                self.player.stop(Instant::now());
                self.queue.push_front((command, at));
                return;
            }
            self.obey(command, at);
        }
        if self.asked.is_none() {
            self.ended |= self.input_ended || self.leaving;
        } else if self.input_ended && !self.leaving && !self.player.is_bounded() {
            // Nobody is left to stop a search without an end.
            self.player.stop(Instant::now());
        }
    }

    fn obey(&mut self, command: Command, at: Instant) {
        self.unknown_in_a_row = match command {
            Command::Unknown => self.unknown_in_a_row.saturating_add(1),
            _ => 0,
        };
        if let Err(refusal) = self.try_obey(command, at) {
            self.reply(Reply::Error(refusal));
        }
    }

    fn try_obey(&mut self, command: Command, at: Instant) -> Result<(), Refusal> {
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

    /// The game, under the rule and with the weighting as they were last set.
    fn game(&mut self) -> Result<&mut Game, Refusal> {
        let size = self.size.ok_or(Refusal::NoBoard)?;
        let (rule, weighting) = (self.options.rule, self.options.weighting);
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

    /// END: at once, or when the question that runs has had its last moments.
    fn end(&mut self, at: Instant) {
        self.leaving = true;
        self.queue.clear();
        if let Some(asked) = &mut self.asked {
            asked.end_at = at.checked_add(END_GRACE);
        }
    }

    /// Prints the progress of the question that runs, as far as it is wanted and not too often.
    fn print_progress(&mut self, report: Report) {
        let detail = self.options.detail;
        let replies = detail.replies(&report);
        let is_printed = detail != Detail::Silent && self.pace.admits(&replies, Turn::Running, Instant::now());
        if is_printed {
            self.replies.extend(replies);
        }
        if let Some(asked) = &mut self.asked {
            asked.unprinted = (!is_printed).then_some(report);
        }
    }

    /// Prints the last progress of a question, which was not printed before. Best moves that were asked for are printed
    /// in any case.
    fn print_last(&mut self, report: &Report, question: Question) {
        let is_asked_for = matches!(question, Question::Move { lines: 1.. });
        let detail = match self.options.detail {
            Detail::Silent if is_asked_for => Detail::Text,
            Detail::Silent => return,
            detail => detail,
        };
        let mut replies = detail.replies(report);
        if replies.is_empty() && is_asked_for {
            // For what a weighting prefers there are no lines for programs.
            replies = Detail::Text.replies(report);
        }
        if self.pace.admits(&replies, Turn::Last, Instant::now()) || is_asked_for {
            self.replies.extend(replies);
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
                self.options.rule = Rule::from_info(number, self.options.dialect);
            }
            Info::Picker(name) => {
                self.player.set_source(Box::new(move || name.build()));
            }
            Info::Weighting(weighting) => self.options.weighting = weighting,
            Info::MaxMemory(bytes) => self.options.max_memory = bytes,
            Info::HashSize(bytes) => self.options.hash_size = bytes,
            Info::Threads(threads) => self.options.set_threads(threads),
            Info::ShowDetail(detail) => self.options.detail = detail,
            Info::MaxDepth(depth) => self.options.depth = depth,
            Info::MaxNode(nodes) => self.options.nodes = nodes,
        }
        if let Some(asked) = &self.asked {
            self.player.set_deadlines(self.clock.deadlines(asked.began), Instant::now());
        }
    }

    fn show_info(&mut self) {
        self.options.dialect = Dialect::Yixin;
        self.reply(Reply::Message(Message::MaxThreads(Options::cores())));
        self.reply(Reply::Message(Message::MaxHash(self.options.table_kilobytes_log2())));
    }

    fn show_weights(&mut self, weighting: Option<Weighting>) -> Result<(), Refusal> {
        let in_use = self.options.weighting;
        let game = self.game()?;
        let weighting = weighting.unwrap_or(in_use);
        let position: WeightedPosition = game.position().with(weighting);
        let weight = |point| Some(Reply::Message(Message::Weight(point, position.weights(point)?)));
        self.replies.extend(position.board().empty_points().iter().filter_map(weight));
        self.reply(Reply::Message(Message::WeightsEnd(weighting)));
        Ok(())
    }

    /// Asks for the move of the side to move, and for this many of the best moves.
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
        let weighting = self.options.weighting;
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

    /// Asks the player, and prints the answer where it comes at once.
    fn ask(&mut self, question: Question, position: WeightedPosition, began: Instant) {
        let limits = self.options.limits(SearchControl::since(began));
        let deadlines = self.clock.deadlines(began);
        self.asked = Some(Asked { question, began, unprinted: None, end_at: None });
        let mut last = None;
        let update =
            self.player.ask(Request { question, position, limits, deadlines }, &mut |report| last = Some(report));
        if let Some(asked) = &mut self.asked {
            asked.unprinted = last;
        }
        self.update(update);
    }

    fn print_answer(&mut self, answer: Option<Answer>, began: Instant) {
        let Some(answer) = answer else { return };
        match answer.decision {
            Decision::Move(point) => {
                let Some(game) = &mut self.game else { return };
                if game.engine_plays(point).is_err() {
                    return;
                }
                self.reply(Reply::Move(point));
            }
            Decision::Swap2(answer) => self.reply(match answer {
                swap2::Answer::TakeBlack => Reply::Swap,
                swap2::Answer::Play(point) => Reply::Move(point),
                swap2::Answer::Open(_) | swap2::Answer::Offer(_) => Reply::Stones(answer.stones().to_vec()),
            }),
        }
        self.clock.answered(began, Instant::now());
    }
}
