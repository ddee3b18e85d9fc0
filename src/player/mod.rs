//! PLAYER: a picker that is asked, watched and never waited for in vain.
//!
//! ```text
//! ask(question, position) ─► thread: Picker::answer ─► reports, answer ─► events ─► handle
//!                        └─► guard: stop, deadlines ─► poll: a picker that is late is left behind
//! answer   the picker's, else its best point so far, else the greedy picker's, else any legal one
//! ```
//!
//! Owns the thread of a picker, its deadlines, the stop, and the fallback: a bug in a picker costs a move, not the game.
//! The protocol, `explain` and self-play are its clients. Must never know a command, a stream or a process.

mod fallback;
mod guard;

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use self::fallback::settle;
use self::guard::Guard;
use crate::picker::{Answer, Deadlines, Greedy, Limits, Picker, Question, Report, SearchInfo};
use crate::weights::WeightedPosition;

/// Makes a picker; again where one was lost to a panic or a hang.
pub type PickerSource = Box<dyn FnMut() -> Box<dyn Picker>>;

/// Takes the events of a picker's thread to whoever calls [`Player::handle`].
pub type EventSink = Arc<dyn Fn(Event) + Send + Sync>;

/// What the thread of a picker has to say; [`Player::handle`] reads it.
pub struct Event {
    ask: AskId,
    kind: EventKind,
}

enum EventKind {
    Report(Report),
    /// The picker has returned with its answer, if it found one.
    Returned(Box<dyn Picker>, Option<Answer>),
    Panicked,
}

/// What an event or the passing of time comes to.
#[derive(Debug)]
pub enum Update {
    /// Nothing that concerns the question that runs.
    None,
    /// The question makes progress.
    Report(Report),
    /// The question is answered; `None` on a full board.
    Answer(Option<Answer>),
}

/// What a [`Player`] is asked.
pub struct Request {
    /// The question.
    pub question: Question,
    /// The position that it is about.
    pub position: WeightedPosition,
    /// What bounds the picker; its control is fresh and counts from when the question was read.
    pub limits: Limits,
    /// When the answer is due, counted from there.
    pub deadlines: Deadlines,
}

/// A question that was answered: what `explain` shows.
pub struct Answered {
    /// The position that the picker read.
    pub position: WeightedPosition,
    /// The answer.
    pub answer: Answer,
    /// The last progress of the search.
    pub info: Option<SearchInfo>,
}

/// Which question an event belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct AskId(u64);

/// A picker and the question that it is asked, one at a time.
///
/// ```
/// use tengen::board::{Board, Rule, Size};
/// use tengen::picker::{Deadlines, Limits, PickerName, Question};
/// use tengen::player::{Player, Request, Update};
/// use tengen::weights::{WeightedPosition, Weighting};
///
/// let mut player = Player::inline(Box::new(|| PickerName::Greedy.build()));
/// let position = WeightedPosition::new(Board::new(Size::FIFTEEN, Rule::Freestyle), Weighting::SHAPES);
/// let (limits, deadlines) = (Limits::default(), Deadlines::NONE);
/// let update = player.ask(Request { question: Question::MOVE, position, limits, deadlines }, &mut |_| {});
/// let Update::Answer(Some(answer)) = update else { panic!("an inline player answers at once") };
/// assert_eq!(answer.choice().unwrap().point.to_string(), "h8");
/// ```
pub struct Player {
    source: PickerSource,
    /// `None` while a question has it, and before the first.
    picker: Option<Box<dyn Picker>>,
    /// Whether the picker is to forget what it knows before the next question.
    must_clear: bool,
    /// Where the events of a thread go; `None` where every question is answered on the caller's thread.
    sink: Option<EventSink>,
    running: Option<Running>,
    last_ask: AskId,
    /// The first question of the picker in use: a picker that comes back from an earlier one is dropped.
    first_ask: AskId,
    /// Of an inline player: what was answered last.
    answered: Option<Answered>,
}

/// The question that runs.
struct Running {
    ask: AskId,
    question: Question,
    position: WeightedPosition,
    guard: Guard,
}

impl Player {
    /// A player whose picker runs on a thread of its own; what the thread sends to the sink is to be
    /// [handled](Self::handle).
    pub fn threaded(source: PickerSource, sink: EventSink) -> Self {
        Self::new(source, Some(sink))
    }

    /// A player that answers every question on the caller's thread, before [`ask`](Self::ask) returns, and keeps
    /// [what it answered last](Self::take_answered). Its picker reports the line of its choice in any case.
    pub fn inline(source: PickerSource) -> Self {
        Self::new(source, None)
    }

    fn new(source: PickerSource, sink: Option<EventSink>) -> Self {
        Self {
            source,
            picker: None,
            must_clear: false,
            sink,
            running: None,
            last_ask: AskId::default(),
            first_ask: AskId::default(),
            answered: None,
        }
    }

    /// Uses other pickers from the next question on.
    pub fn set_source(&mut self, source: PickerSource) {
        self.source = source;
        self.picker = None;
        self.first_ask = AskId(self.last_ask.0 + 1);
    }

    /// Lets the picker forget what it knows before the next question.
    pub fn clear(&mut self) {
        self.must_clear = true;
    }

    /// Whether a question runs.
    pub fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Asks a question; one that still runs is dropped. Answers at once where no time is needed or given, and then
    /// `report` receives the reports; else [`handle`](Self::handle) and [`poll`](Self::poll) bring the answer. Where the
    /// system refuses a thread, the fallback answers.
    pub fn ask(&mut self, request: Request, report: &mut dyn FnMut(Report)) -> Update {
        let Request { question, position, limits, deadlines } = request;
        limits.control.set_deadlines(deadlines);
        self.last_ask = AskId(self.last_ask.0 + 1);
        let picker = self.take_picker();
        match &self.sink {
            Some(sink) if !picker.is_instant() && !deadlines.is_instant() => {
                let sink = Arc::clone(sink);
                let guard = Guard::new(&limits, deadlines, Instant::now());
                let running = Running { ask: self.last_ask, question, position: position.clone(), guard };
                self.running = Some(running);
                match spawn(self.last_ask, picker, question, position, limits, sink) {
                    Ok(()) => Update::None,
                    Err(_) => self.finish(None),
                }
            }
            _ => Update::Answer(self.answer_here(picker, question, position, &limits, report)),
        }
    }

    /// Answers on this thread. Without time the weights in use answer.
    fn answer_here(
        &mut self,
        mut picker: Box<dyn Picker>,
        question: Question,
        mut position: WeightedPosition,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer> {
        let mut info = None;
        let mut observe = |progress: Report| {
            if let Report::Search(progress) = &progress {
                info = Some(progress.clone());
            }
            report(progress);
        };
        let is_late = limits.control.hard().is_some_and(|hard| hard.is_zero());
        let mut greedy = Greedy;
        let asked: &mut dyn Picker = if picker.is_instant() || !is_late { picker.as_mut() } else { &mut greedy };
        let question = if self.sink.is_none() { question.with_line() } else { question };
        let answer =
            panic::catch_unwind(AssertUnwindSafe(|| asked.answer(question, &mut position, limits, &mut observe)));
        self.picker = answer.is_ok().then_some(picker);
        let answer = settle(question, answer.ok().flatten(), None, &position);
        if self.sink.is_none() {
            self.answered = answer.map(|answer| Answered { position, answer, info });
        }
        answer
    }

    /// The picker, ready for another question.
    fn take_picker(&mut self) -> Box<dyn Picker> {
        let mut picker = self.picker.take().unwrap_or_else(|| (self.source)());
        if std::mem::take(&mut self.must_clear) {
            picker.clear();
        }
        picker
    }

    /// Takes in what the thread of a picker has sent.
    pub fn handle(&mut self, event: Event) -> Update {
        let Event { ask, kind } = event;
        let runs = self.running.as_ref().is_some_and(|running| running.ask == ask);
        let answer = match kind {
            EventKind::Report(report) if runs => return Update::Report(report),
            EventKind::Report(_) => return Update::None,
            EventKind::Returned(picker, answer) => {
                if self.picker.is_none() && ask >= self.first_ask {
                    self.picker = Some(picker);
                }
                answer
            }
            EventKind::Panicked => None,
        };
        if runs { self.finish(answer) } else { Update::None }
    }

    /// Leaves a picker behind that is late, and answers in its place.
    pub fn poll(&mut self, now: Instant) -> Update {
        match &self.running {
            Some(running) if running.guard.is_late(now) => self.finish(None),
            _ => Update::None,
        }
    }

    /// When [`poll`](Self::poll) has something to do, if no event comes before.
    pub fn wake_at(&self) -> Option<Instant> {
        self.running.as_ref()?.guard.abandon_at()
    }

    /// Asks for the answer now.
    pub fn stop(&mut self, now: Instant) {
        if let Some(running) = &mut self.running {
            running.guard.stop(now);
        }
    }

    /// Changes the deadlines of the question that runs, counted from when it was read.
    pub fn set_deadlines(&mut self, deadlines: Deadlines, now: Instant) {
        if let Some(running) = &mut self.running {
            running.guard.set_deadlines(deadlines, now);
        }
    }

    /// Whether the question that runs ends without being stopped.
    pub fn is_bounded(&self) -> bool {
        self.running.as_ref().is_none_or(|running| running.guard.is_bounded())
    }

    /// What an inline player answered last.
    pub fn take_answered(&mut self) -> Option<Answered> {
        self.answered.take()
    }

    /// Ends the question that runs: by this answer, or without one where the picker was late or failed.
    fn finish(&mut self, answer: Option<Answer>) -> Update {
        let Some(Running { question, position, guard, .. }) = self.running.take() else { return Update::None };
        Update::Answer(settle(question, answer, guard.best(), &position))
    }
}

/// Lets a picker answer on a thread of its own.
fn spawn(
    ask: AskId,
    mut picker: Box<dyn Picker>,
    question: Question,
    mut position: WeightedPosition,
    limits: Limits,
    sink: EventSink,
) -> std::io::Result<()> {
    let work = move || {
        let mut report = |report| sink(Event { ask, kind: EventKind::Report(report) });
        let answer =
            panic::catch_unwind(AssertUnwindSafe(|| picker.answer(question, &mut position, &limits, &mut report)));
        // After a panic the picker may be in any state: it is not handed back.
        let kind = match answer {
            Ok(answer) => EventKind::Returned(picker, answer),
            Err(_) => EventKind::Panicked,
        };
        sink(Event { ask, kind });
    };
    thread::Builder::new().name("picker".into()).spawn(work).map(drop)
}
