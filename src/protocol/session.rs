//! [`Session`]: the one state machine. Events in, replies out; it writes nothing itself.

use std::collections::VecDeque;
use std::panic::{self, AssertUnwindSafe};
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use super::clock::Clock;
use super::command::{Command, CommandReader};
use super::detail::{Detail, Pace, Turn};
use super::game::Game;
use super::info::Info;
use super::list::{ListFlaw, PointList};
use super::options::Options;
use super::reply::{Message, Refusal, Reply};
use super::think::{Due, Question, Think, ThinkId};
use super::warmth::Warmth;
use super::{Event, PickerSource, Setup};
use crate::board::{Color, Dialect, PointError, PointSet, Rule, Size};
use crate::opening::swap2::{self, Answer};
use crate::picker::{Greedy, Picker, Report, Signal};
use crate::position::Position;
use crate::weights::Weighting;

/// So many unknown words in a row are answered; more would fill the pipe of a manager that does not read.
const UNKNOWN_IN_A_ROW: u32 = 16;

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
    warmth: Warmth,
    /// The running pick, if any; then there is a game.
    think: Option<Think>,
    clock: Clock,
    options: Options,
    new_picker: PickerSource,
    /// `None` while a think has it.
    picker: Option<Box<dyn Picker>>,
    /// Whether the picker is to forget what it knows before it picks again.
    clear_picker: bool,
    /// The first think of the picker in use: a picker that comes back from an earlier one is no longer wanted.
    first_think: ThinkId,
    last_think: ThinkId,
    pace: Pace,
    unknown_in_a_row: u32,
    input_ended: bool,
    /// END was carried out.
    leaving: bool,
    ended: bool,
    events: SyncSender<Event>,
    replies: Vec<Reply>,
}

impl Session {
    pub(super) fn new(setup: Setup, events: SyncSender<Event>) -> Self {
        Self {
            reader: CommandReader::default(),
            queue: VecDeque::new(),
            size: None,
            game: None,
            warmth: Warmth::default(),
            think: None,
            clock: Clock::new(setup.started.elapsed()),
            options: Options::new(setup.weighting),
            new_picker: setup.picker,
            picker: None,
            clear_picker: false,
            first_think: ThinkId::default(),
            last_think: ThinkId::default(),
            pace: Pace::default(),
            unknown_in_a_row: 0,
            input_ended: false,
            leaving: false,
            ended: false,
            events,
            replies: Vec::new(),
        }
    }

    /// Whether all is said.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// When [`tick`](Self::tick) has something to do, if no event comes before.
    pub(super) fn wake_at(&self) -> Option<Instant> {
        match &self.think {
            Some(think) => think.wake_at(),
            None => self.warmth.due_at(),
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
            Event::Report { id, report } => {
                if self.think.as_ref().is_some_and(|think| think.id == id) {
                    self.hear(report);
                }
            }
            Event::Picked { id, picker, answer } => {
                if self.picker.is_none() && id >= self.first_think {
                    self.picker = picker;
                }
                if self.think.as_ref().is_some_and(|think| think.id == id) {
                    self.finish_think(answer);
                }
            }
        }
        self.work();
        if let Some(size) = self.size {
            self.warmth.expect(size, self.options.rule.rule, self.options.weighting, Instant::now());
        }
    }

    /// Sees to what has fallen due.
    pub(super) fn tick(&mut self, now: Instant) {
        match self.think.as_ref().map_or(Due::Nothing, |think| think.due(now)) {
            Due::Nothing if self.think.is_none() => self.warmth.tick(now),
            Due::Nothing => {}
            Due::End => self.ended = true,
            Due::Abandon => {
                self.finish_think(None);
                self.work();
            }
        }
    }

    /// Carries out what waits, as far as it need not wait longer.
    fn work(&mut self) {
        while let Some((command, at)) = self.queue.pop_front() {
            match &mut self.think {
                Some(think) if command.waits_for_the_move() => {
                    think.stop(Instant::now());
                    self.queue.push_front((command, at));
                    return;
                }
                _ => self.obey(command, at),
            }
        }
        match &mut self.think {
            None => self.ended |= self.input_ended || self.leaving,
            // Nobody is left to stop a think without an end.
            Some(think) if self.input_ended && !self.leaving && !think.is_bounded() => think.stop(Instant::now()),
            Some(_) => {}
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
            Command::Begin => self.think_for_a_move(0, at)?,
            Command::NBest(count) => self.think_for_a_move(count, at)?,
            Command::Turn(point) => {
                self.game()?.opponent_plays(point)?;
                self.think_for_a_move(0, at)?;
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
                let flaw = self.game()?.set_up(&list);
                self.report_flaw(flaw);
                self.think_for_a_move(0, at)?;
            }
            Command::YxBoard(list) => _ = self.game()?.set_up(&list),
            Command::Swap2Board(list) => self.think_for_swap2(&list, at)?,
            Command::Info(info) => self.set(info, at),
            Command::IdleInfo => {}
            Command::About => self.reply(Reply::About),
            Command::Stop => {
                if let Some(think) = &mut self.think {
                    think.stop(Instant::now());
                }
            }
            Command::End => self.end(at),
            Command::ShowInfo => self.show_info(),
            Command::ShowForbid => {
                let position = self.game()?.position();
                let empty = position.board().empty_points();
                let forbidden = empty.iter().filter(|point| position.is_forbidden(*point, Color::Black)).collect();
                self.reply(Reply::Forbid(forbidden));
            }
            Command::HashClear => self.clear_picker = true,
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

    /// The game, under the rule as it was last set.
    fn game(&mut self) -> Result<&mut Game, Refusal> {
        let size = self.size.ok_or(Refusal::NoBoard)?;
        let rule = self.options.rule;
        let game = self.game.get_or_insert_with(|| Game::new(size, rule));
        game.set_rule(rule);
        Ok(game)
    }

    fn start(&mut self, size: Size) {
        self.size = Some(size);
        self.game = None;
        self.clock.new_game();
        self.reply(Reply::Ok);
    }

    /// END: at once, or when the running think has had its last moments.
    fn end(&mut self, at: Instant) {
        self.leaving = true;
        self.queue.clear();
        if let Some(think) = &mut self.think {
            think.end(at);
        }
    }

    /// The running think has progressed, which is told as far as it is wanted and not too often.
    fn hear(&mut self, report: Report) {
        let detail = self.options.detail;
        let replies = detail.replies(&report);
        if detail != Detail::Silent && self.pace.admits(&replies, Turn::Running, Instant::now()) {
            self.replies.extend(replies);
        } else if let Some(think) = &mut self.think {
            think.untold = Some(report);
            return;
        }
        if let Some(think) = &mut self.think {
            think.untold = None;
        }
    }

    /// The last progress of a think that was not told. Who has asked for the best moves hears of them in any case.
    fn tell_last(&mut self, report: &Report, question: Question) {
        let is_asked_for = matches!(question, Question::Move { lines: 1.. });
        let detail = match self.options.detail {
            Detail::Silent if is_asked_for => Detail::Text,
            Detail::Silent => return,
            detail => detail,
        };
        let mut replies = detail.replies(report);
        if replies.is_empty() && is_asked_for {
            // Of what a weighting prefers there are no lines for programs.
            replies = Detail::Text.replies(report);
        }
        if self.pace.admits(&replies, Turn::Last, Instant::now()) || is_asked_for {
            self.replies.extend(replies);
        }
    }

    fn report_flaw(&mut self, flaw: Option<ListFlaw>) {
        self.replies.extend(flaw.map(|flaw| Reply::Message(Message::Skipped(flaw))));
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
                self.new_picker = Box::new(move || name.build());
                self.picker = None;
                self.first_think = self.last_think.next();
            }
            Info::Weighting(weighting) => self.options.weighting = weighting,
            Info::MaxMemory(bytes) => self.options.max_memory = bytes,
            Info::HashSize(bytes) => self.options.hash_size = bytes,
            Info::Threads(threads) => self.options.set_threads(threads),
            Info::ShowDetail(detail) => self.options.detail = detail,
            Info::MaxDepth(depth) => self.options.depth = depth,
            Info::MaxNode(nodes) => self.options.nodes = nodes,
        }
        if let Some(think) = &mut self.think {
            think.plan(self.clock.deadlines(think.began), Instant::now());
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
        let mut position = game.position().clone();
        position.set_weighting(Some(weighting));
        let weight = |point| Some(Reply::Message(Message::Weight(point, position.weights(point)?)));
        self.replies.extend(position.board().empty_points().iter().filter_map(weight));
        self.reply(Reply::Message(Message::WeightsEnd(weighting)));
        Ok(())
    }

    /// Thinks for the side to move, and of so many of the best moves.
    fn think_for_a_move(&mut self, lines: usize, began: Instant) -> Result<(), Refusal> {
        let weighting = self.options.weighting;
        let game = self.game()?;
        if game.is_full() {
            return Err(Refusal::Full);
        }
        game.take_side_to_move();
        let position = game.weighed(weighting).clone();
        self.think(Question::Move { lines }, position, began);
        Ok(())
    }

    /// Thinks about the stones of Swap2, which are not put on the board of the game.
    fn think_for_swap2(&mut self, list: &PointList, began: Instant) -> Result<(), Refusal> {
        let weighting = self.options.weighting;
        let game = self.game()?;
        let size = game.size();
        let (fitting, outside): (Vec<_>, Vec<_>) = list.points.iter().partition(|point| size.contains(**point));
        let mut position = swap2::position(size, game.rule(), &fitting);
        position.set_weighting(Some(weighting));
        let fallback = swap2::answer(&position).ok_or(Refusal::Full)?;
        self.report_flaw(list.flaw.or((!outside.is_empty()).then_some(ListFlaw::Point(PointError::OffBoard))));
        let empty = position.board().empty_points();
        self.think(Question::Swap2 { fallback, empty }, position, began);
        Ok(())
    }

    /// Begins a think, or answers where no time is needed or given.
    fn think(&mut self, question: Question, mut position: Position, began: Instant) {
        let deadlines = self.clock.deadlines(began);
        let mut limits = self.options.limits(Signal::since(began));
        if let Question::Move { lines } = question {
            limits.lines = lines;
        }
        limits.signal.set_deadlines(deadlines.soft, deadlines.hard);
        let mut picker = self.take_picker();
        self.last_think = self.last_think.next();
        if picker.is_instant() || deadlines.is_instant() {
            // Without time the weighting in use answers.
            let mut greedy = Greedy;
            let asked = if picker.is_instant() { picker.as_mut() } else { &mut greedy };
            let mut last = None;
            let mut report = |report| last = Some(report);
            let answer =
                panic::catch_unwind(AssertUnwindSafe(|| question.put(asked, &mut position, &limits, &mut report)));
            self.picker = answer.is_ok().then_some(picker);
            if let Some(report) = last {
                self.tell_last(&report, question);
            }
            self.answer(question, began, [answer.ok().flatten(), None]);
        } else {
            match Think::spawn(self.last_think, question, picker, position, limits, began, self.events.clone()) {
                Ok(think) => self.think.insert(think).plan(deadlines, Instant::now()),
                Err(_) => self.answer(question, began, [None, None]),
            }
        }
    }

    /// The picker, ready for another pick.
    fn take_picker(&mut self) -> Box<dyn Picker> {
        let mut picker = self.picker.take().unwrap_or_else(|| (self.new_picker)());
        if std::mem::take(&mut self.clear_picker) {
            picker.clear();
        }
        picker
    }

    /// The think is over: with its answer, or without one where it was late or failed.
    fn finish_think(&mut self, answer: Option<Answer>) {
        if let Some(think) = self.think.take() {
            if let Some(report) = &think.untold {
                self.tell_last(report, think.question);
            }
            self.answer(think.question, think.began, [answer, think.best().map(Answer::Play)]);
        }
    }

    /// Answers a question by the first of these that is legal, else by what the weighting in use prefers: a bug costs a
    /// move and not the game. For Swap2 the first alone counts: the best point of a pick may lie in any of the boards
    /// that it has looked at.
    fn answer(&mut self, question: Question, began: Instant, answers: [Option<Answer>; 2]) {
        match question {
            Question::Move { .. } => self.play(began, answers),
            Question::Swap2 { fallback, empty } => {
                let answer = answers[0].filter(|answer| fits(answer, &empty)).unwrap_or(fallback);
                self.clock.thought(began, Instant::now());
                self.reply(match answer {
                    Answer::TakeBlack => Reply::Swap,
                    Answer::Play(point) => Reply::Move(point),
                    Answer::Open(_) | Answer::Offer(_) => Reply::Stones(answer.stones().to_vec()),
                });
            }
        }
    }

    fn play(&mut self, began: Instant, answers: [Option<Answer>; 2]) {
        let weighting = self.options.weighting;
        let Some(game) = &mut self.game else { return };
        let board = game.position().board();
        let legal = answers.iter().flatten().find_map(|answer| match answer {
            Answer::Play(point) => Some(*point).filter(|point| board.is_empty(*point)),
            _ => None,
        });
        let Some(point) = legal.or_else(|| game.fallback(weighting)) else { return };
        if game.engine_plays(point).is_ok() {
            self.clock.thought(began, Instant::now());
            self.reply(Reply::Move(point));
        }
    }
}

/// Whether the stones of an answer can be put, no point twice.
fn fits(answer: &Answer, empty: &PointSet) -> bool {
    let stones = PointSet::from_iter(answer.stones().iter().copied().filter(|point| empty.contains(*point)));
    stones.len() == answer.stones().len()
}
