//! [`Preload`]: schedules the preload of the tables of a rule and a weighting.

use std::time::{Duration, Instant};

use crate::board::{Rule, Size};
use crate::weights::Weighting;

/// If no line arrives for this time, the manager is assumed to wait for the engine. Managers send their settings in one
/// go, so the rule may still change within this time.
const QUIET: Duration = Duration::from_millis(2);

/// Decides when the player fills its tables, so that neither START nor the first move pays the few dozen milliseconds.
#[derive(Debug, Default)]
pub(super) struct Preload {
    expected: Option<(Size, Rule, Weighting)>,
    /// The tables already filled for the pickers in use.
    filled: Vec<(Rule, Weighting)>,
    due_at: Option<Instant>,
}

impl Preload {
    /// Expects a question about such a position and schedules the preload after a short silence of the manager.
    pub(super) fn expect(&mut self, size: Size, rule: Rule, weighting: Weighting, now: Instant) {
        self.expected = Some((size, rule, weighting));
        self.due_at = if self.filled.contains(&(rule, weighting)) { None } else { now.checked_add(QUIET) };
    }

    /// Forgets the filled tables, because another picker has other tables.
    pub(super) fn clear(&mut self) {
        self.filled.clear();
    }

    /// The time at which [`take_due`](Self::take_due) must be called. `None` means never.
    pub(super) fn due_at(&self) -> Option<Instant> {
        self.due_at
    }

    /// The position whose tables must be filled now. Each position is returned once.
    pub(super) fn take_due(&mut self, now: Instant) -> Option<(Size, Rule, Weighting)> {
        let (size, rule, weighting) = self.expected?;
        self.due_at.take_if(|due_at| *due_at <= now)?;
        self.filled.push((rule, weighting));
        Some((size, rule, weighting))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_filled_once_and_not_before_the_manager_is_quiet() {
        let mut preload = Preload::default();
        let start = Instant::now();
        let mut step = |rule, milliseconds| {
            let now = start + Duration::from_millis(milliseconds);
            preload.expect(Size::FIFTEEN, rule, Weighting::Shapes, now);
            (preload.take_due(now), preload.take_due(now + QUIET), preload.due_at())
        };
        assert_eq!(step(Rule::Renju, 0), (None, Some((Size::FIFTEEN, Rule::Renju, Weighting::Shapes)), None));
        assert_eq!(step(Rule::Renju, 10), (None, None, None));
        assert!(step(Rule::Caro, 20).1.is_some());
        preload.clear();
        preload.expect(Size::FIFTEEN, Rule::Caro, Weighting::Shapes, start);
        assert!(preload.take_due(start + QUIET).is_some());
    }
}
