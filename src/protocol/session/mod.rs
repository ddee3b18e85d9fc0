//! [`Session`]: the state machine of the protocol. It takes events and returns replies. `serve.rs` does all the I/O.

mod commands;
mod database;
mod openings;
mod questions;

pub(crate) use commands::UNKNOWN_IN_A_ROW;

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use super::clock::Clock;
use super::command::{Command, DuringPondering, DuringSearch, Traits, Use};
use super::command_reader::CommandReader;
use super::detail::View;
use super::excluded::Excluded;
use super::game::Game;
use super::input_end::InputEnd;
use super::preload::Preload;
use super::printer::Printer;
use super::realtime::Realtime;
use super::reply::{Message, Refusal, Reply};
use super::serve::Served;
use super::settings::Settings;
use super::{Event, Input, PickerFactory, Setup};
use crate::board::{Rule, Size};
use crate::library::Cursor;
use crate::picker::{PickerName, Question, Report};
use crate::player::{self, Answered, PickerSource, Player, Update};
use database::SessionLibrary;

/// Time from END to the end of the process while a question runs. A move found within this time is still written.
pub(crate) const END_GRACE: Duration = Duration::from_millis(50);

/// The state of the engine for one manager: the settings, the game and the running question.
///
/// ```text
///                       BEGIN, TURN, BOARD
///            START     ───────────────────►
/// no board ────────► idle               searching
///                      ◄───────────────────
///                   the move, then the waiting commands
/// ```
///
/// With `INFO pondering 1` the player keeps searching while the session is idle, until a command arrives whose row says
/// `Ends`.
///
/// Commands run in the order of their arrival. While a question runs, a command whose row says `AfterMove` stops the
/// search and waits at the head of the queue for the move; those behind it wait too. With none waiting, an `AtOnce`
/// command runs at once.
pub(super) struct Session {
    /// The engine's name in the answer to ABOUT.
    name: &'static str,
    reader: CommandReader,
    queue: VecDeque<(Command, Instant)>,
    /// `None` before the first START.
    size: Option<Size>,
    /// The number of games before this one.
    games: u64,
    /// Built by the first command that needs it, so that START is answered before the tables are filled.
    game: Option<Game>,
    preload: Preload,
    pickers: PickerFactory,
    player: Player,
    /// The running question. If it is `Some`, `game` is `Some` too.
    asked: Option<Asked>,
    clock: Clock,
    settings: Settings,
    excluded: Excluded,
    library: SessionLibrary,
    printer: Printer,
    /// Messages held back until the next question. Before it, a manager may read them as an answer to something else.
    notes: Vec<Message>,
    /// Whether the hint about setting a time limit has been sent.
    is_told_of_time: bool,
    /// The rule whose missing network was reported in this game.
    told_of_networks: Option<Rule>,
    /// The last note sent about the evaluation.
    told_of_settings: Option<String>,
    /// Hashfull of the last report, in thousandths.
    hashfull: usize,
    unknown_in_a_row: u32,
    input_end: InputEnd,
    /// True after END. The running question may still finish.
    is_leaving: bool,
    has_ended: bool,
    replies: Vec<Reply>,
}

/// A running question.
struct Asked {
    question: Question,
    words: Words,
    /// The time at which the last line of its command was read. The clock starts here.
    began: Instant,
    /// The position for the library, and whether the search tries every move, so that its score is that of the position.
    /// `None` if a library cannot hold it.
    noted: Option<(Cursor, bool)>,
    /// The time at which END drops the question.
    end_at: Option<Instant>,
    /// The display of the root moves, if the manager's board shows them.
    realtime: Option<Realtime>,
}

/// The vocabulary of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Words {
    /// Gomocup's vocabulary: points and SWAP.
    Gomocup,
    /// Yixin-Board's Swap2 messages, with the number of the color choice: 1 (after three stones) or 2 (after five).
    YixinSwap2(usize),
    /// Yixin-Board's messages about this step of Soosõrv.
    YixinSoosorv(u8),
}

/// Builds the picker of this name for the player.
fn source(pickers: &PickerFactory, name: PickerName) -> PickerSource {
    let pickers = Rc::clone(pickers);
    Box::new(move || pickers(name))
}

impl Session {
    /// Creates a session with this player and clock.
    pub(super) fn new(setup: Setup, player: impl FnOnce(PickerSource) -> Player, clock: Clock) -> Self {
        let Setup { name, settings, pickers, note, .. } = setup;
        Self {
            name,
            reader: CommandReader::default(),
            queue: VecDeque::new(),
            size: None,
            games: 0,
            game: None,
            preload: Preload::default(),
            player: player(source(&pickers, settings.picker)),
            pickers,
            asked: None,
            clock,
            library: SessionLibrary::new(settings.library.clone()),
            settings,
            excluded: Excluded::NONE,
            printer: Printer::default(),
            notes: note.into_iter().map(Message::Note).collect(),
            is_told_of_time: false,
            told_of_networks: None,
            told_of_settings: None,
            hashfull: 0,
            unknown_in_a_row: 0,
            input_end: InputEnd::default(),
            is_leaving: false,
            has_ended: false,
            replies: Vec::new(),
        }
    }
}

impl Served for Session {
    type PlayerEvent = player::Event;
    type Reply = Reply;

    fn has_ended(&self) -> bool {
        self.has_ended && !self.library.is_waiting()
    }

    fn wake_at(&self) -> Option<Instant> {
        // `tick` writes the result of the search as soon as its move is sent.
        if self.library.is_waiting() {
            return Some(Instant::now());
        }
        let Some(asked) = &self.asked else {
            return self.preload.due_at().into_iter().chain(self.waits_until()).min();
        };
        let drawn_at = asked.realtime.as_ref().and_then(Realtime::due_at);
        self.player.wake_at().into_iter().chain(asked.end_at).chain(drawn_at).chain(self.input_end.stop_at).min()
    }

    fn outlives_input(&self) -> bool {
        self.input_end.has_come && self.asked.is_some()
    }

    fn take_replies(&mut self) -> Vec<Reply> {
        std::mem::take(&mut self.replies)
    }

    fn handle(&mut self, event: Event<player::Event>) {
        // A command must find in the library what the last search has found.
        self.write_found();
        match event {
            Event::Input(Input::Line { text, at }) => {
                log::debug!("-> {text}");
                if !self.is_leaving {
                    self.queue.extend(self.reader.read(&text).into_iter().map(|command| (command, at)));
                }
            }
            Event::Input(Input::Ended) => self.input_end.comes(Instant::now()),
            Event::Player(event) => {
                let update = self.player.handle(event);
                self.apply_update(update);
            }
        }
        self.carry_out_queue();
        if let Some(size) = self.size {
            self.preload.expect(size, self.settings.rule.rule, self.settings.weighting, Instant::now());
        }
    }

    /// Runs the timers that are due: the exit after END, the display of the root moves, the stop after the end of the
    /// input, the fallback for a late picker, the end of a command's wait for the picker, and the preload of tables.
    /// Writes the result of a search to the library once its move is sent.
    fn tick(&mut self, now: Instant) {
        if self.replies.is_empty() && self.library.is_waiting() {
            self.write_found();
            self.carry_out_queue();
        }
        let Some(asked) = &mut self.asked else {
            if let Some((size, rule, weighting)) = self.preload.take_due(now) {
                self.player.preload(size, rule, weighting, self.settings.evaluation);
            }
            // A queued question may have reached the end of its wait for the picker.
            self.carry_out_queue();
            return;
        };
        if asked.end_at.is_some_and(|end| end <= now) {
            self.has_ended = true;
            return;
        }
        if let Some(realtime) = &mut asked.realtime {
            self.replies.extend(realtime.take_due(now));
        }
        if self.input_end.stop_at.is_some_and(|at| at <= now) {
            self.stop_for_good(now);
        }
        let update = self.player.poll(now);
        if matches!(update, Update::Answer(_)) {
            self.apply_update(update);
            self.carry_out_queue();
        }
    }
}

impl Session {
    /// Writes the progress or the answer of the running question.
    fn apply_update(&mut self, update: Update) {
        let (view, now) = (self.view(), Instant::now());
        match update {
            Update::Unchanged => {}
            Update::Report(report) => {
                self.record_hashfull(&report);
                let lines = self.printer.report(report, view, now);
                if let Some(realtime) = self.asked.as_mut().and_then(|asked| asked.realtime.as_mut()) {
                    if !lines.is_empty() {
                        realtime.wipe();
                    }
                }
                self.replies.extend(lines);
            }
            Update::Answer(answer) => {
                let Some(Asked { question, words, began, noted, realtime, .. }) = self.asked.take() else { return };
                self.replies.extend(self.printer.finish(question, view, now));
                self.replies.extend(realtime.into_iter().flat_map(|mut realtime| realtime.lost_moves()));
                if let Some(answer) = answer {
                    self.note_found(noted, &answer);
                    self.write_answer(question, &answer, words, began);
                }
            }
        }
    }

    fn record_hashfull(&mut self, report: &Report) {
        if let Report::Search(info) = report {
            self.hashfull = info.hashfull;
        }
    }

    /// Format of the reports for this manager.
    fn view(&self) -> View {
        self.settings.view(self.size.unwrap_or(Size::FIFTEEN))
    }

    /// Takes the last answered question. Only an inline player keeps one.
    pub(super) fn take_answered(&mut self) -> Option<Answered> {
        self.player.take_answered()
    }

    /// Executes the queued commands up to the first one that must wait.
    fn carry_out_queue(&mut self) {
        while let Some((command, at)) = self.queue.pop_front() {
            if self.library.is_waiting() {
                // The library gets the result of a search before a command changes the library or copies it.
                self.queue.push_front((command, at));
                return;
            }
            let Traits { search, pondering, uses, .. } = command.traits();
            if pondering == DuringPondering::Ends {
                self.player.stop_pondering();
            }
            let needs_picker = matches!(uses, Use::Asks | Use::Tables);
            let is_busy = self.asked.is_some() && search == DuringSearch::AfterMove;
            if is_busy {
                self.player.stop(Instant::now());
            }
            if is_busy || (needs_picker && self.waits_for_picker(at)) {
                self.queue.push_front((command, at));
                return;
            }
            if needs_picker {
                // Abandon a picker that has not returned in time. The command gets a new one.
                self.player.give_up_pondering();
            }
            self.carry_out(command, at);
        }
        if self.asked.is_none() {
            self.has_ended |= self.input_end.has_come || self.is_leaving;
        } else if self.input_end.has_come && !self.is_leaving && !self.player.is_bounded() {
            // The input has ended, so no command can stop an unlimited search.
            self.stop_for_good(Instant::now());
        }
    }

    /// Stops the last question after the end of the input.
    fn stop_for_good(&mut self, now: Instant) {
        self.input_end.stop_at = None;
        self.player.stop(now);
    }

    /// Whether a command read at `at` must still wait for pondering to end.
    fn waits_for_picker(&self, at: Instant) -> bool {
        self.player.is_pondering() && self.grace_end(at).is_some_and(|end| Instant::now() < end)
    }

    /// Deadline until which the queue's first command waits for the picker. `None` if the queue is empty.
    fn waits_until(&self) -> Option<Instant> {
        let (_, at) = self.queue.front()?;
        self.grace_end(*at)
    }

    fn grace_end(&self, at: Instant) -> Option<Instant> {
        at.checked_add(self.clock.deadlines(at).ponder_grace())
    }

    fn reply(&mut self, reply: Reply) {
        self.replies.push(reply);
    }

    fn message(&mut self, message: Message) {
        self.reply(Reply::Message(message));
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
        self.games += u64::from(self.size.is_some());
        self.size = Some(size);
        self.game = None;
        self.told_of_networks = None;
        self.clock.new_game();
        self.reply(Reply::Ok);
    }

    /// Handles END. The session ends at once, or after a grace period if a question runs.
    fn end(&mut self, at: Instant) {
        self.is_leaving = true;
        self.queue.clear();
        if let Some(asked) = &mut self.asked {
            asked.end_at = at.checked_add(END_GRACE);
        }
    }
}
