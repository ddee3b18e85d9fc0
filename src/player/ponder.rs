//! Pondering: a search on the opponent's time, which fills the tables for the next question.
//!
//! ```text
//! ponder ─► thread: Picker::answer ──────────────► picker returned to the player
//!              stop_pondering ─► ends early ─────►
//!              give_up_pondering ─► the next question gets a new picker; this one is dropped when it returns
//! ```

use super::guard::Guard;
use super::{AskId, Mode, Player, Request};
use crate::picker::{Deadlines, Limits, Question};
use crate::platform::Instant;
use crate::weights::WeightedPosition;
use std::sync::Arc;

/// The search on the opponent's time, until its picker is returned.
pub(super) struct Pondering {
    pub(super) ask: AskId,
    /// Stops the search when it is dropped.
    guard: Guard,
}

impl Player {
    /// Searches a position without reports and answer, until [`stop_pondering`](Self::stop_pondering) or the next
    /// question. Does nothing if a question runs, the player ponders already or is inline, the picker is instant, or
    /// the system refuses a thread.
    pub fn ponder(&mut self, position: WeightedPosition, limits: Limits) {
        let Mode::Threaded(sink) = &self.mode else { return };
        let sink = Arc::clone(sink);
        if self.is_busy() || self.is_pondering() {
            return;
        }
        let picker = self.take_picker();
        if picker.is_instant() {
            self.picker = Some(picker);
            return;
        }
        self.last_ask = AskId(self.last_ask.0 + 1);
        let ask = self.last_ask;
        let request = Request { question: Question::MOVE, position, limits, deadlines: Deadlines::NONE };
        let guard = Guard::new(&request.limits, request.deadlines, Instant::now());
        if self.start(ask, picker, request, sink) {
            self.holder = Some(ask);
            self.pondering = Some(Pondering { ask, guard });
        }
    }

    /// Whether a pondering picker is not returned yet.
    pub fn is_pondering(&self) -> bool {
        self.pondering.is_some()
    }

    /// Ends pondering. An event returns the picker.
    pub fn stop_pondering(&mut self) {
        if let Some(pondering) = &mut self.pondering {
            pondering.guard.stop(Instant::now());
        }
    }

    /// Gives up the pondering picker: the next question builds another one.
    pub fn give_up_pondering(&mut self) {
        if self.pondering.take().is_some() {
            self.holder = None;
        }
    }
}
