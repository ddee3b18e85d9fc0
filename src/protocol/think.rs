//! [`Think`]: a pick on a thread of its own, and the guard that sees to its end.

use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, Instant};

use super::Event;
use super::clock::Deadlines;
use crate::board::{Point, PointSet};
use crate::opening::swap2::Answer;
use crate::picker::{Limits, Picker, Report, Signal};
use crate::position::Position;

/// A picker that was told to stop gets so long to hand in its point; then it is left behind.
const STOP_GRACE: Duration = Duration::from_millis(60);

/// A picker that misses its hard deadline gets so long, half of the margin that a limit of 60 ms leaves; of a shorter
/// deadline half.
const HARD_GRACE: Duration = Duration::from_millis(15);

/// A think that is still running so long after END was read is cut short, and its move is not printed.
const END_GRACE: Duration = Duration::from_millis(50);

/// Which think an event belongs to: what comes from one that was left behind is no longer heard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ThinkId(u64);

impl ThinkId {
    /// The one that comes after.
    pub(super) fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// What a picker is asked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Question {
    /// A move, and so many of the best moves beside it.
    Move {
        /// 0 where nobody asks for more than the move.
        lines: usize,
    },
    /// What lies in the stones of Swap2.
    Swap2 {
        /// What the weighting answers, should the picker fail.
        fallback: Answer,
        /// Where stones may be put.
        empty: PointSet,
    },
}

impl Question {
    /// Puts the question to a picker; a move comes as [`Answer::Play`].
    pub(super) fn put(
        self,
        picker: &mut dyn Picker,
        position: &mut Position,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer> {
        match self {
            Self::Move { .. } => picker.pick(position, limits, report).map(|choice| Answer::Play(choice.point)),
            Self::Swap2 { .. } => picker.answer_swap2(position, limits, report),
        }
    }
}

/// A running pick.
#[derive(Debug)]
pub(super) struct Think {
    pub(super) id: ThinkId,
    /// When the last line of the command was read: the clock runs from there.
    pub(super) began: Instant,
    signal: Arc<Signal>,
    /// Whether anything ends it without a stop.
    is_bounded: bool,
    pub(super) question: Question,
    /// The last progress, where it was not told.
    pub(super) untold: Option<Report>,
    /// When it is left behind.
    abandon_at: Option<Instant>,
    /// When it is cut short because END came.
    end_at: Option<Instant>,
}

/// What is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// Nothing yet.
    Nothing,
    /// The picker is late: play without it.
    Abandon,
    /// END: leave without a move.
    End,
}

impl Think {
    /// Begins a pick on a thread of its own.
    ///
    /// # Errors
    /// When the system gives no thread; the picker is then lost.
    pub(super) fn spawn(
        id: ThinkId,
        question: Question,
        mut picker: Box<dyn Picker>,
        mut position: Position,
        limits: Limits,
        began: Instant,
        events: SyncSender<Event>,
    ) -> io::Result<Self> {
        let signal = Arc::clone(&limits.signal);
        let is_bounded = limits.depth.is_some() || limits.nodes.is_some();
        let work = move || {
            let mut report = |report| _ = events.send(Event::Report { id, report });
            let answer = panic::catch_unwind(AssertUnwindSafe(|| {
                question.put(picker.as_mut(), &mut position, &limits, &mut report)
            }));
            // After a panic the picker may be in any state: it is not handed back.
            let (picker, answer) = match answer {
                Ok(answer) => (Some(picker), answer),
                Err(_) => (None, None),
            };
            let _ = events.send(Event::Picked { id, picker, answer });
        };
        thread::Builder::new().name("think".into()).spawn(work)?;
        Ok(Self { id, began, question, signal, is_bounded, untold: None, abandon_at: None, end_at: None })
    }

    /// Sets the deadlines, also of a pick that runs.
    pub(super) fn plan(&mut self, deadlines: Deadlines, now: Instant) {
        self.signal.set_deadlines(deadlines.soft, deadlines.hard);
        if self.signal.stopped() {
            // What was said of its end holds.
            return;
        }
        let Some(hard) = deadlines.hard else {
            self.abandon_at = None;
            return;
        };
        match self.began.checked_add(hard) {
            Some(due) if due <= now => self.stop(now),
            due => self.abandon_at = due.and_then(|due| due.checked_add(HARD_GRACE.min(hard / 2))),
        }
    }

    /// Asks for the move now.
    pub(super) fn stop(&mut self, now: Instant) {
        self.signal.stop();
        let latest = now.checked_add(STOP_GRACE);
        self.abandon_at = self.abandon_at.into_iter().chain(latest).min();
    }

    /// END was read then.
    pub(super) fn end(&mut self, at: Instant) {
        self.end_at = at.checked_add(END_GRACE);
    }

    /// Whether the pick ends without being stopped.
    pub(super) fn is_bounded(&self) -> bool {
        self.is_bounded || self.signal.hard().is_some() || self.signal.stopped()
    }

    /// The best point that the picker has told of.
    pub(super) fn best(&self) -> Option<Point> {
        self.signal.best()
    }

    /// When something falls due next.
    pub(super) fn wake_at(&self) -> Option<Instant> {
        self.abandon_at.into_iter().chain(self.end_at).min()
    }

    /// What is due now.
    pub(super) fn due(&self, now: Instant) -> Due {
        let is_past = |at: Option<Instant>| at.is_some_and(|at| at <= now);
        if is_past(self.end_at) {
            Due::End
        } else if is_past(self.abandon_at) {
            Due::Abandon
        } else {
            Due::Nothing
        }
    }
}

/// However a pick is left, its picker is told to end.
impl Drop for Think {
    fn drop(&mut self) {
        self.signal.stop();
    }
}
