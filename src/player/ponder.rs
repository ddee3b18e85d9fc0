//! Thinking on the opponent's time: a search whose answer nobody waits for, for the sake of the tables that it fills.
//!
//! ```text
//! ponder ─► thread: Picker::answer ──────────────► comes back to the player
//!              stop_pondering ─► returns early ──►
//!              give_up_pondering ─► the next question gets a new picker, and this one is dropped when it returns
//! ```

use super::guard::Guard;
use super::{AskId, Mode, Player};
use crate::picker::{Deadlines, Limits, Question};
use crate::weights::WeightedPosition;
use std::sync::Arc;
use std::time::Instant;

/// The search on the opponent's time, until its picker is back.
pub(super) struct Pondering {
    pub(super) ask: AskId,
    /// Stops the search when it is dropped.
    guard: Guard,
}

impl Player {
    /// Searches a position without reports and without an answer, until [`stop_pondering`](Self::stop_pondering) or the
    /// next question. An inline player, an instant picker, and one whose thread the system refuses do nothing.
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
        let guard = Guard::new(&limits, Deadlines::NONE, Instant::now());
        if self.start(ask, picker, Question::MOVE, position, limits, sink) {
            self.holder = Some(ask);
            self.pondering = Some(Pondering { ask, guard });
        }
    }

    /// Whether a picker that thinks on the opponent's time is not back yet.
    pub fn is_pondering(&self) -> bool {
        self.pondering.is_some()
    }

    /// Ends the search on the opponent's time. Its picker comes back by an event.
    pub fn stop_pondering(&mut self) {
        if let Some(pondering) = &mut self.pondering {
            pondering.guard.stop(Instant::now());
        }
    }

    /// Gives the picker of that search up: the next question builds another one.
    pub fn give_up_pondering(&mut self) {
        if self.pondering.take().is_some() {
            self.holder = None;
        }
    }
}
