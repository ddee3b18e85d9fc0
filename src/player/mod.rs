//! PLAYER: asks a picker, and answers in its place if it fails or is late.
//!
//! ```text
//! ask(request) ─┬─► thread: Picker::answer ─► reports, answer ─► EventSink ─► handle ─► Update
//!               └─► Guard: stop, deadlines ─────────────────────────────────► poll ───► Update
//!
//! ponder ──────► another such thread; its reports and its answer are dropped, its picker is returned
//!
//! answer   the picker's if it is legal; else its best point so far; else a five, a block of one or a winning four;
//!          else the greedy picker's; else any empty point
//! ```
//!
//! Owns the thread of a picker, its deadlines, its stop and the fallback: a fault of a picker costs a move, not the
//! game. Uses the pickers and the weights. Must never know a command, a stream or a process.

mod fallback;
mod guard;
mod ponder;
#[cfg(test)]
mod tests;

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::time::Duration;

use self::fallback::{at_once, settle};
pub(crate) use self::guard::Guard;
use self::ponder::Pondering;
use crate::board::{Board, Rule, Size};
use crate::picker::{Answer, Deadlines, Evaluation, Limits, Picker, Question, Report, SearchInfo};
use crate::platform::{self, Instant, Work};
use crate::weights::{WeightedPosition, Weighting};

/// Builds a picker: for the first question, after a panic or a hang, and for a preload.
pub type PickerSource = Box<dyn FnMut() -> Box<dyn Picker>>;

/// Receives the events of a picker's thread, on that thread, for [`Player::handle`].
pub type EventSink = Arc<dyn Fn(Event) + Send + Sync>;

/// An event of a picker's thread: the input of [`Player::handle`].
pub struct Event {
    ask: AskId,
    kind: EventKind,
}

enum EventKind {
    Report(Report),
    /// The picker has returned, without an answer if it found none.
    Returned(Box<dyn Picker>, Option<Answer>),
    Panicked,
}

/// The effect of an event or of time passing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Update {
    /// The running question is unchanged.
    Unchanged,
    /// The picker reports its progress.
    Report(Report),
    /// The question is answered; `None` on a full board.
    Answer(Option<Answer>),
}

/// The input of [`Player::ask`].
pub struct Request {
    /// The question.
    pub question: Question,
    /// The position that the question is about.
    pub position: WeightedPosition,
    /// The limits of the search. The control must be new: its epoch is the time at which the question was read.
    pub limits: Limits,
    /// The deadlines of the answer, counted from that epoch.
    pub deadlines: Deadlines,
}

/// An answered question for `explain`.
pub struct Answered {
    /// The position that the picker read.
    pub position: WeightedPosition,
    /// The answer.
    pub answer: Answer,
    /// The last report of a search; `None` without one.
    pub info: Option<SearchInfo>,
}

/// The number of a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct AskId(u64);

/// Asks a picker one question at a time.
///
/// ```
/// use std::time::Duration;
///
/// use tengen::board::{Board, Rule, Size};
/// use tengen::picker::{Deadlines, Limits, PickerName, Question};
/// use tengen::player::{Player, Request, Update};
/// use tengen::weights::{WeightedPosition, Weighting};
///
/// let mut player = Player::inline(Box::new(|| PickerName::Greedy.build()), Duration::from_secs(1));
/// let position = WeightedPosition::new(Board::new(Size::FIFTEEN, Rule::Freestyle), Weighting::Shapes);
/// let (limits, deadlines) = (Limits::default(), Deadlines::NONE);
/// let update = player.ask(Request { question: Question::MOVE, position, limits, deadlines }, &mut |_| {});
/// let Update::Answer(Some(answer)) = update else { panic!("an inline player answers at once") };
/// assert_eq!(answer.choice().unwrap().point, Size::FIFTEEN.centre());
/// ```
pub struct Player {
    source: PickerSource,
    /// `None` while a question runs, and if the next one must build a picker.
    picker: Option<Box<dyn Picker>>,
    /// The question that holds the picker. Pickers returned from other questions are dropped.
    holder: Option<AskId>,
    /// Whether the picker must forget earlier questions before the next one.
    must_clear: bool,
    mode: Mode,
    running: Option<Running>,
    pondering: Option<Pondering>,
    last_ask: AskId,
    /// Number of running picker threads, including abandoned ones.
    threads: usize,
    spawn: Spawn,
}

/// The thread on which questions are answered.
enum Mode {
    /// On a thread of its own, whose events go to the sink.
    Threaded(EventSink),
    /// On the caller's thread.
    Inline {
        /// The time of a question without a limit.
        unlimited: Duration,
        answered: Option<Box<Answered>>,
    },
}

/// The running question.
struct Running {
    ask: AskId,
    question: Question,
    position: WeightedPosition,
    guard: Guard,
    limits: Limits,
}

/// Starts a thread of this name. The player keeps it in a field, so that a test can refuse threads.
type Spawn = fn(&str, Work) -> io::Result<()>;

impl Player {
    /// A player whose picker runs on its own thread. The caller passes each event of the sink to
    /// [`handle`](Self::handle), and calls [`poll`](Self::poll) at [`wake_at`](Self::wake_at).
    pub fn threaded(source: PickerSource, sink: EventSink) -> Self {
        Self::new(source, Mode::Threaded(sink))
    }

    /// A player that answers every question on the caller's thread before [`ask`](Self::ask) returns, and keeps the
    /// [last one](Self::take_answered). Its reports always hold the line of the choice. Nothing can stop such a search;
    /// therefore a question without a limit gets the time `unlimited`.
    pub fn inline(source: PickerSource, unlimited: Duration) -> Self {
        Self::new(source, Mode::Inline { unlimited, answered: None })
    }

    fn new(source: PickerSource, mode: Mode) -> Self {
        Self {
            source,
            picker: None,
            holder: None,
            must_clear: false,
            mode,
            running: None,
            pondering: None,
            last_ask: AskId::default(),
            threads: 0,
            spawn: platform::spawn,
        }
    }

    /// The picker of earlier questions. `None` before the first question and while one runs.
    pub fn picker(&mut self) -> Option<&mut (dyn Picker + '_)> {
        if self.picker.is_some() { self.ready_picker() } else { None }
    }

    /// The picker of the next question; `None` while a question runs or the player ponders.
    pub fn ready_picker(&mut self) -> Option<&mut (dyn Picker + '_)> {
        if self.is_busy() || self.is_pondering() {
            return None;
        }
        let picker = self.take_picker();
        // The picker of a late search must not replace this one.
        self.holder = None;
        Some(self.picker.insert(picker).as_mut())
    }

    /// Replaces the source of pickers. A running question keeps its picker.
    pub fn set_source(&mut self, source: PickerSource) {
        self.source = source;
        self.picker = None;
        self.holder = None;
    }

    /// Makes the picker forget earlier questions before the next one.
    pub fn clear(&mut self) {
        self.must_clear = true;
    }

    /// Fills the tables for questions about such a position on a thread of its own, and returns at once. If the system
    /// refuses the thread, the first question fills them.
    pub fn preload(&mut self, size: Size, rule: Rule, weighting: Weighting, evaluation: Evaluation) {
        let picker = (self.source)();
        let fill = move || picker.preload(&WeightedPosition::new(Board::new(size, rule), weighting), evaluation);
        let _ = (self.spawn)("tables", Box::new(fill));
    }

    /// Whether a question runs.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// The number of searches that have not ended: the running or pondering one, and abandoned ones. Each holds the
    /// memory of its picker, and ends with an event for [`handle`](Self::handle).
    pub fn searches(&self) -> usize {
        self.threads
    }

    /// Asks a question. A running one is dropped without an answer.
    ///
    /// Returns the answer if the player is inline, the picker is instant, or the deadlines leave no time; `report` then
    /// receives the reports. Without time the fallback replaces a picker that is not instant. Other answers come from
    /// [`handle`](Self::handle) or [`poll`](Self::poll). If the system refuses a thread, the fallback answers.
    pub fn ask(&mut self, request: Request, report: &mut dyn FnMut(Report)) -> Update {
        // Dropping the guard stops the picker of a running question.
        self.running = None;
        self.give_up_pondering();
        self.last_ask = AskId(self.last_ask.0 + 1);
        let picker = self.take_picker();
        self.holder = Some(self.last_ask);
        match &self.mode {
            Mode::Threaded(sink) if !picker.is_instant() && !request.deadlines.is_instant() => {
                let sink = Arc::clone(sink);
                self.ask_on_thread(picker, request, sink)
            }
            _ => Update::Answer(self.ask_here(picker, request, report)),
        }
    }

    /// The picker, ready for another question.
    fn take_picker(&mut self) -> Box<dyn Picker> {
        let mut picker = self.picker.take().unwrap_or_else(|| (self.source)());
        if std::mem::take(&mut self.must_clear) {
            picker.clear();
        }
        picker
    }

    fn ask_on_thread(&mut self, picker: Box<dyn Picker>, request: Request, sink: EventSink) -> Update {
        let ask = self.last_ask;
        let Request { question, ref position, ref limits, deadlines } = request;
        let guard = Guard::new(limits, deadlines, Instant::now());
        self.running = Some(Running { ask, question, position: position.clone(), guard, limits: limits.clone() });
        if self.start(ask, picker, request, sink) { Update::Unchanged } else { self.finish(None) }
    }

    /// Starts a picker on a thread of its own. Returns whether the system granted one.
    fn start(&mut self, ask: AskId, mut picker: Box<dyn Picker>, request: Request, sink: EventSink) -> bool {
        let Request { question, mut position, limits, .. } = request;
        let work = move || {
            let mut report = |report| sink(Event { ask, kind: EventKind::Report(report) });
            let answer =
                panic::catch_unwind(AssertUnwindSafe(|| picker.answer(question, &mut position, &limits, &mut report)));
            // After a panic the picker may be in any state: it is dropped.
            let kind = match answer {
                Ok(answer) => EventKind::Returned(picker, answer),
                Err(_) => EventKind::Panicked,
            };
            sink(Event { ask, kind });
        };
        let is_started = (self.spawn)("picker", Box::new(work)).is_ok();
        self.threads += usize::from(is_started);
        is_started
    }

    fn ask_here(
        &mut self,
        mut picker: Box<dyn Picker>,
        request: Request,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer> {
        let Request { mut question, position, limits, mut deadlines } = request;
        if let Mode::Inline { unlimited, .. } = self.mode {
            question = question.with_line();
            if !limits.has_work_limit() && deadlines.hard.is_none() {
                deadlines = Deadlines::within(unlimited);
            }
        }
        limits.control.set_deadlines(deadlines);
        let mut info = None;
        let mut observe = |progress: Report| {
            if let Report::Search(progress) = &progress {
                info = Some(progress.clone());
            }
            report(progress);
        };
        let has_time = picker.is_instant() || !deadlines.is_instant();
        // A panic may leave stones of the search in the copy of the position.
        let mut copy = position.clone();
        let answer = panic::catch_unwind(AssertUnwindSafe(|| {
            if has_time {
                picker.answer(question, &mut copy, &limits, &mut observe)
            } else {
                at_once(question, &position, &limits, &mut observe)
            }
        }));
        self.picker = answer.is_ok().then_some(picker);
        let answer = settle(question, answer.ok().flatten(), limits.control.best(), &position, &limits);
        if let Mode::Inline { answered, .. } = &mut self.mode {
            *answered = answer.map(|answer| Box::new(Answered { position, answer, info }));
        }
        answer
    }

    /// Handles an event of a picker's thread. Events of earlier questions change nothing.
    pub fn handle(&mut self, event: Event) -> Update {
        let Event { ask, kind } = event;
        let runs = self.running.as_ref().is_some_and(|running| running.ask == ask);
        if !matches!(kind, EventKind::Report(_)) {
            self.threads -= 1;
            self.pondering.take_if(|pondering| pondering.ask == ask);
        }
        let answer = match kind {
            EventKind::Report(report) if runs => return Update::Report(report),
            EventKind::Report(_) => return Update::Unchanged,
            EventKind::Returned(picker, answer) => {
                if self.holder == Some(ask) {
                    self.picker = Some(picker);
                }
                answer
            }
            EventKind::Panicked => None,
        };
        if runs { self.finish(answer) } else { Update::Unchanged }
    }

    /// Abandons a late picker and answers in its place.
    pub fn poll(&mut self, now: Instant) -> Update {
        match &self.running {
            Some(running) if running.guard.is_late(now) => self.finish(None),
            _ => Update::Unchanged,
        }
    }

    /// The time at which [`poll`](Self::poll) must be called if no answer comes first. `None` means never.
    pub fn wake_at(&self) -> Option<Instant> {
        self.running.as_ref()?.guard.abandon_at()
    }

    /// Stops the running search: its answer is due now.
    pub fn stop(&mut self, now: Instant) {
        if let Some(running) = &mut self.running {
            running.guard.stop(now);
        }
    }

    /// Changes the deadlines of the running question. After a stop this has no effect.
    pub fn set_deadlines(&mut self, deadlines: Deadlines, now: Instant) {
        if let Some(running) = &mut self.running {
            running.guard.set_deadlines(deadlines, now);
        }
    }

    /// Whether the running question ends without a stop. True if no question runs.
    pub fn is_bounded(&self) -> bool {
        self.running.as_ref().is_none_or(|running| running.guard.is_bounded())
    }

    /// Takes the last answered question of an inline player; `None` after a full board, or if threaded.
    pub fn take_answered(&mut self) -> Option<Answered> {
        match &mut self.mode {
            Mode::Threaded(_) => None,
            Mode::Inline { answered, .. } => answered.take().map(|answered| *answered),
        }
    }

    /// Ends the running question with this answer; `None` if the picker was late or failed.
    fn finish(&mut self, answer: Option<Answer>) -> Update {
        let Some(Running { question, position, guard, limits, .. }) = self.running.take() else {
            return Update::Unchanged;
        };
        Update::Answer(settle(question, answer, guard.best(), &position, &limits))
    }
}
