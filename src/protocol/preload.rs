//! [`Preload`]: the tables of a rule and of a weighting are filled before they are needed.

use std::thread;
use std::time::{Duration, Instant};

use crate::board::{Board, Rule, Size};
use crate::eval::Classical;
use crate::weights::{WeightedPosition, Weighting};

/// A manager that has said nothing for so long waits for us: what it sends in one go is read first, so that nothing is
/// filled for a rule that changes at once.
const QUIET: Duration = Duration::from_millis(2);

/// Fills tables on a thread of its own while the manager prepares its first question, so that START is answered at
/// once and the first move does not pay for them. Who needs a table earlier waits for it, or fills it.
#[derive(Debug, Default)]
pub(super) struct Preload {
    expected: Option<(Size, Rule, Weighting)>,
    filled: Vec<(Rule, Weighting)>,
    due_at: Option<Instant>,
}

impl Preload {
    /// These tables will be needed; the manager has just said something.
    pub(super) fn expect(&mut self, size: Size, rule: Rule, weighting: Weighting, now: Instant) {
        self.expected = Some((size, rule, weighting));
        self.due_at = if self.filled.contains(&(rule, weighting)) { None } else { now.checked_add(QUIET) };
    }

    /// When [`tick`](Self::tick) has something to do.
    pub(super) fn due_at(&self) -> Option<Instant> {
        self.due_at
    }

    /// Begins to fill what is due.
    pub(super) fn tick(&mut self, now: Instant) {
        let (Some((size, rule, weighting)), Some(due_at)) = (self.expected, self.due_at) else { return };
        if now < due_at {
            return;
        }
        self.due_at = None;
        self.filled.push((rule, weighting));
        let fill = move || {
            let position = WeightedPosition::new(Board::new(size, rule), weighting);
            // A searcher has tables of its own.
            drop(position.with::<Classical>(()));
        };
        // Without a thread the tables are filled when they are needed.
        let _ = thread::Builder::new().name("tables".into()).spawn(fill);
    }
}
