//! [`Player`]: runs a picker of the cube on a thread and answers in its place if it fails or is late.
//!
//! It is the flat board's player reduced to one kind of question, with the same [`Guard`]. A picker that panics, hangs or
//! breaks the rules costs a move, not the game.

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

/// Builds a picker for the first question, and again after one was lost to a panic or a hang.
pub type PickerSource = Box<dyn FnMut() -> Box<dyn Picker>>;

/// Receives the events of a picker's thread, on that thread.
pub(super) type EventSink = Arc<dyn Fn(Event) + Send + Sync>;

/// Event of a picker's thread.
pub(super) struct Event {
    /// Number of the question.
    ask: u64,
    kind: EventKind,
}

enum EventKind {
    Report(SearchInfo),
    /// The picker with its answer; `None` if it panicked.
    Returned(Option<(Box<dyn Picker>, Option<Answer>)>),
}

/// Effect of an event or of the passage of time.
pub(super) enum Update {
    Unchanged,
    Report(SearchInfo),
    /// The answer; `None` if no cell can be played.
    Answer(Option<Answer>),
}

/// Asks a picker one question at a time.
pub(super) struct Player {
    source: PickerSource,
    /// `None` while a question runs, or if the next question must build a picker.
    picker: Option<Box<dyn Picker>>,
    must_clear: bool,
    sink: EventSink,
    /// The position of the running question.
    running: Option<(Position, Guard)>,
    last_ask: u64,
}

impl Player {
    pub(super) fn new(source: PickerSource, sink: EventSink) -> Self {
        Self { source, picker: None, must_clear: false, sink, running: None, last_ask: 0 }
    }

    /// Replaces the source of pickers, starting with the next question.
    pub(super) fn set_source(&mut self, source: PickerSource) {
        self.source = source;
        self.picker = None;
        // If a question runs, its picker is dropped when it returns.
        self.must_clear = true;
    }

    /// Clears the tables of the picker before the next question.
    pub(super) fn clear(&mut self) {
        self.must_clear = true;
    }

    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Asks for a move. Returns the answer at once if the picker is instant, the deadlines leave no time, or the system
    /// refuses a thread. In all other cases [`handle`](Self::handle) or [`poll`](Self::poll) returns it later.
    pub(super) fn ask(&mut self, position: &Position, limits: Limits, deadlines: Deadlines) -> Update {
        self.last_ask += 1;
        let ask = self.last_ask;
        let mut picker = self.picker.take().unwrap_or_else(|| (self.source)());
        if std::mem::take(&mut self.must_clear) {
            picker.clear();
        }
        let guard = Guard::new(&limits, deadlines, Instant::now());
        self.running = Some((*position, guard));
        let is_instant = picker.is_instant();
        if !is_instant && deadlines.is_instant() {
            self.picker = Some(picker);
            return self.finish(None);
        }
        let (position, sink) = (*position, Arc::clone(&self.sink));
        let work = move |sink: &dyn Fn(Event)| {
            let mut report = |info| sink(Event { ask, kind: EventKind::Report(info) });
            let answer = || picker.answer(&position, &limits, Scores::Best, &mut report);
            let answer = panic::catch_unwind(AssertUnwindSafe(answer)).ok();
            Event { ask, kind: EventKind::Returned(answer.map(|answer| (picker, answer))) }
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

    /// Handles an event of a picker's thread. Events of earlier questions are ignored.
    pub(super) fn handle(&mut self, event: Event) -> Update {
        let is_current = event.ask == self.last_ask && self.is_busy();
        match event.kind {
            EventKind::Report(info) if is_current => Update::Report(info),
            EventKind::Returned(returned) if is_current => {
                let (picker, answer) = returned.unzip();
                self.picker = picker.filter(|_| !self.must_clear);
                self.finish(answer.flatten())
            }
            _ => Update::Unchanged,
        }
    }

    /// Answers in the place of a picker that is late, and abandons it.
    pub(super) fn poll(&mut self, now: Instant) -> Update {
        match &self.running {
            Some((_, guard)) if guard.is_late(now) => self.finish(None),
            _ => Update::Unchanged,
        }
    }

    /// When [`poll`](Self::poll) must be called; `None` means never.
    pub(super) fn wake_at(&self) -> Option<Instant> {
        self.running.as_ref()?.1.abandon_at()
    }

    /// Stops the running search. Its answer is due now.
    pub(super) fn stop(&mut self, now: Instant) {
        if let Some((_, guard)) = &mut self.running {
            guard.stop(now);
        }
    }

    /// Changes the deadlines of the running question.
    pub(super) fn set_deadlines(&mut self, deadlines: Deadlines, now: Instant) {
        if let Some((_, guard)) = &mut self.running {
            guard.set_deadlines(deadlines, now);
        }
    }

    /// Whether the running question ends without a stop. True if no question runs.
    pub(super) fn is_bounded(&self) -> bool {
        self.running.as_ref().is_none_or(|(_, guard)| guard.is_bounded())
    }

    /// Ends the question with this answer if it can be played, else with the greedy picker's.
    fn finish(&mut self, answer: Option<Answer>) -> Update {
        let Some((position, _)) = self.running.take() else { return Update::Unchanged };
        let legal = answer.filter(|answer| position.playable().contains(answer.cell));
        let greedy = || greediest(&position, &Weights::new(&position));
        Update::Answer(legal.or_else(|| Some(Answer::of(greedy()?, Reason::Unfinished, None, 0))))
    }
}
