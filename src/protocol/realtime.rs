//! [`Realtime`]: shows the root moves on the manager's board while they are searched.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::reply::{Message, Reply};
use crate::board::{Point, PointSet};
use crate::picker::SearchControl;

/// Interval between two updates. At low depths the root moves change faster than a person can see: four updates per
/// second are enough.
const INTERVAL: Duration = Duration::from_millis(250);

/// The root of a running search as Yixin-Board shows it.
///
/// ```text
/// POS    search of a move started      DONE   search ended      LOSE   the move loses
/// ```
pub(super) struct Realtime {
    control: Arc<SearchControl>,
    /// The move shown as being searched.
    current: Option<Point>,
    /// The losing moves already shown.
    lost: PointSet,
    due_at: Option<Instant>,
}

impl Realtime {
    pub(super) fn new(control: Arc<SearchControl>, now: Instant) -> Self {
        Self { control, current: None, lost: PointSet::EMPTY, due_at: now.checked_add(INTERVAL) }
    }

    /// The time at which [`take_due`](Self::take_due) must be called. `None` means never.
    pub(super) fn due_at(&self) -> Option<Instant> {
        self.due_at
    }

    /// The lines to write at `now`. Empty before the next update is due.
    pub(super) fn take_due(&mut self, now: Instant) -> Vec<Reply> {
        if self.due_at.is_none_or(|due_at| due_at > now) {
            return Vec::new();
        }
        self.due_at = now.checked_add(INTERVAL);
        let mut replies = self.lost_moves();
        let current = self.control.root_move();
        if current != self.current {
            replies.extend(self.current.map(|point| Reply::Message(Message::Searched(point))));
            replies.extend(current.map(|point| Reply::Message(Message::Searching(point))));
            self.current = current;
        }
        replies
    }

    /// The losing moves not shown yet.
    pub(super) fn lost_moves(&mut self) -> Vec<Reply> {
        let lost = self.control.lost_moves();
        let new = lost.iter().filter(|&point| !self.lost.contains(point));
        let replies = new.map(|point| Reply::Message(Message::Lost(point))).collect();
        self.lost = lost;
        replies
    }

    /// Forgets the shown move. The refresh at a new depth clears all marks.
    pub(super) fn wipe(&mut self) {
        self.current = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_comma;

    #[test]
    fn the_moves_of_the_root_are_shown_four_times_a_second() {
        let control = Arc::new(SearchControl::default());
        let start = Instant::now();
        let mut realtime = Realtime::new(Arc::clone(&control), start);
        let mut lines = |quarters: u32| {
            let replies = realtime.take_due(start + quarters * INTERVAL);
            replies.iter().map(|reply| reply.to_string().replace("MESSAGE REALTIME ", "")).collect::<Vec<_>>()
        };
        let [one, other] = ["7,7", "8,8"].map(|point| parse_comma(point).unwrap());
        control.set_root_move(one);
        assert_eq!(lines(0), [""; 0], "not yet");
        assert_eq!(lines(1), ["POS 7,7"]);
        control.set_root_move(other);
        control.add_lost_move(one);
        assert_eq!(lines(1), [""; 0]);
        assert_eq!(lines(2), ["LOSE 7,7", "DONE 7,7", "POS 8,8"]);
        assert_eq!(lines(3), [""; 0], "nothing has changed");
    }
}
