//! [`Player`]: a picker of the cube on a thread of its own, and the answer in its place where it fails or is late.
//!
//! It is the flat board's player for one kind of question, with the same [`Guard`]: a picker that panics, hangs or
//! answers against the rules costs a move, and not the game.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use super::board::Position;
use super::greedy::greediest;
use super::picker::{Answer, Picker, Reason, Scores, SearchInfo};
use super::weights::Weights;
use crate::picker::{Deadlines, Limits};
use crate::player::Guard;

/// Builds a picker: for the first question, and again after one was lost to a panic or a hang.
pub type PickerSource = Box<dyn FnMut() -> Box<dyn Picker>>;

/// Receives the events of a picker's thread, on that thread.
pub(super) type EventSink = Arc<dyn Fn(Event) + Send + Sync>;

/// What the thread of a picker reports.
pub(super) struct Event {
    /// The number of the question.
    ask: u64,
    kind: EventKind,
}

enum EventKind {
    Report(SearchInfo),
    Returned(Box<dyn Picker>, Option<Answer>),
    Panicked,
}

/// The effect of an event, or of the time that has passed.
pub(super) enum Update {
    Unchanged,
    Report(SearchInfo),
    /// The question is answered; `None` where no cell can be played.
    Answer(Option<Answer>),
}

/// A picker that is asked one question at a time.
pub(super) struct Player {
    source: PickerSource,
    /// `None` while a question runs, and where the next one must build a picker.
    picker: Option<Box<dyn Picker>>,
    must_clear: bool,
    sink: EventSink,
    running: Option<Running>,
    last_ask: u64,
}

struct Running {
    position: Position,
    guard: Guard,
}

impl Player {
    pub(super) fn new(source: PickerSource, sink: EventSink) -> Self {
        Self { source, picker: None, must_clear: false, sink, running: None, last_ask: 0 }
    }

    /// Replaces the pickers from the next question on.
    pub(super) fn set_source(&mut self, source: PickerSource) {
        self.source = source;
        self.picker = None;
        // The picker of a question that runs is dropped when it returns.
        self.must_clear = true;
    }

    /// Makes the picker forget earlier games.
    pub(super) fn clear(&mut self) {
        self.must_clear = true;
    }

    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Asks for a move. Answers at once where the picker is instant, where there is no time, and where the system
    /// refuses a thread; else by [`handle`](Self::handle) or [`poll`](Self::poll).
    pub(super) fn ask(&mut self, position: &Position, limits: Limits, deadlines: Deadlines) -> Update {
        self.last_ask += 1;
        let ask = self.last_ask;
        let mut picker = self.picker.take().unwrap_or_else(|| (self.source)());
        if std::mem::take(&mut self.must_clear) {
            picker.clear();
        }
        let guard = Guard::new(&limits, deadlines, Instant::now());
        self.running = Some(Running { position: *position, guard });
        if !picker.is_instant() && deadlines.is_instant() {
            self.picker = Some(picker);
            return self.finish(None);
        }
        let is_instant = picker.is_instant();
        let (position, sink) = (*position, Arc::clone(&self.sink));
        let work = move |sink: &dyn Fn(Event)| {
            let mut report = |info| sink(Event { ask, kind: EventKind::Report(info) });
            let answer = || picker.answer(&position, &limits, Scores::Best, &mut report);
            let kind = match panic::catch_unwind(AssertUnwindSafe(answer)) {
                Ok(answer) => EventKind::Returned(picker, answer),
                Err(_) => EventKind::Panicked,
            };
            Event { ask, kind }
        };
        if is_instant {
            let event = work(&|_| {});
            return self.handle(event);
        }
        let spawned = thread::Builder::new().name("picker".into()).spawn(move || {
            let event = work(&*sink);
            sink(event);
        });
        if spawned.is_ok() { Update::Unchanged } else { self.finish(None) }
    }

    /// Handles an event of a picker's thread. Those of an earlier question change nothing.
    pub(super) fn handle(&mut self, event: Event) -> Update {
        let is_current = event.ask == self.last_ask && self.is_busy();
        match event.kind {
            EventKind::Report(info) if is_current => Update::Report(info),
            EventKind::Returned(picker, answer) if is_current => {
                if !self.must_clear {
                    self.picker = Some(picker);
                }
                self.finish(answer)
            }
            EventKind::Panicked if is_current => self.finish(None),
            _ => Update::Unchanged,
        }
    }

    /// Abandons a picker that is late, and answers in its place.
    pub(super) fn poll(&mut self, now: Instant) -> Update {
        match &self.running {
            Some(running) if running.guard.is_late(now) => self.finish(None),
            _ => Update::Unchanged,
        }
    }

    /// When [`poll`](Self::poll) must be called; `None` is never.
    pub(super) fn wake_at(&self) -> Option<Instant> {
        self.running.as_ref()?.guard.abandon_at()
    }

    /// Stops the search that runs: its answer is due now.
    pub(super) fn stop(&mut self, now: Instant) {
        if let Some(running) = &mut self.running {
            running.guard.stop(now);
        }
    }

    /// Changes the deadlines of the question that runs.
    pub(super) fn set_deadlines(&mut self, deadlines: Deadlines, now: Instant) {
        if let Some(running) = &mut self.running {
            running.guard.set_deadlines(deadlines, now);
        }
    }

    /// Whether the question that runs ends without a stop; true where none runs.
    pub(super) fn is_bounded(&self) -> bool {
        self.running.as_ref().is_none_or(|running| running.guard.is_bounded())
    }

    /// Ends the question with this answer, or with the greedy picker's where it is none, or none that can be played.
    fn finish(&mut self, answer: Option<Answer>) -> Update {
        let Some(Running { position, .. }) = self.running.take() else { return Update::Unchanged };
        let legal = answer.filter(|answer| position.playable().contains(answer.cell));
        let greedy = || greediest(&position, &Weights::new(&position));
        Update::Answer(legal.or_else(|| Some(Answer::of(greedy()?, Reason::Unfinished, None, 0))))
    }
}
