//! [`Limits`] and [`Signal`]: how long a pick may take, and how it is told to end while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::board::Point;

/// What bounds a pick. What is not given does not bound it.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Plies of search.
    pub depth: Option<u32>,
    /// Nodes of search.
    pub nodes: Option<u64>,
    /// Bytes that tables may take; `None` leaves the picker its default.
    pub memory: Option<usize>,
    /// Threads to search with; 0 and 1 both mean one.
    pub threads: usize,
    /// How many of the best moves to tell of; 0: nobody asks for more than the choice.
    pub lines: usize,
    /// The clock and the stop, shared with whoever may end the pick.
    pub signal: Arc<Signal>,
}

/// The clock of a running pick, moved and read from any thread: a stop, the time when a pick should end of itself
/// (soft), and the time when it must have ended (hard). The other way the pick tells of its best point so far, which
/// is played should the pick not end in time.
#[derive(Debug)]
pub struct Signal {
    /// Of a part: the signal that it follows, and its share of the time in per cent.
    whole: Option<(Arc<Signal>, u32)>,
    epoch: Instant,
    stop: AtomicBool,
    soft: AtomicU64,
    hard: AtomicU64,
    best: AtomicU16,
}

/// The best point before there is one; above every [`Point::index`].
const NO_POINT: u16 = u16::MAX;

/// Nanoseconds since the epoch that mean "never".
const NEVER: u64 = u64::MAX;

impl Default for Signal {
    fn default() -> Self {
        Self::since(Instant::now())
    }
}

impl Signal {
    /// A signal whose deadlines count from this time: when the order to pick was read, not when it was carried out.
    pub const fn since(epoch: Instant) -> Self {
        Self {
            whole: None,
            epoch,
            stop: AtomicBool::new(false),
            soft: AtomicU64::new(NEVER),
            hard: AtomicU64::new(NEVER),
            best: AtomicU16::new(NO_POINT),
        }
    }

    /// The signal of one part of a longer work: it stops with the whole, and its deadlines are those of the whole,
    /// brought forward to a share of the time in per cent. Its best point is its own.
    pub fn part(whole: Arc<Self>, per_cent: u32) -> Self {
        let epoch = whole.epoch;
        Self { whole: Some((whole, per_cent)), ..Self::since(epoch) }
    }

    /// Tells of the best point so far.
    pub fn set_best(&self, point: Point) {
        self.best.store(point.index() as u16, Ordering::Relaxed);
    }

    /// The best point so far.
    pub fn best(&self) -> Option<Point> {
        Point::from_index(self.best.load(Ordering::Relaxed).into())
    }

    /// Asks the pick to end now with what it has.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Sets both deadlines, counted from the epoch of the signal; `None` is never.
    pub fn set_deadlines(&self, soft: Option<Duration>, hard: Option<Duration>) {
        let nanoseconds =
            |time: Option<Duration>| time.map_or(NEVER, |time| u64::try_from(time.as_nanos()).unwrap_or(NEVER));
        self.soft.store(nanoseconds(soft), Ordering::Relaxed);
        self.hard.store(nanoseconds(hard), Ordering::Relaxed);
    }

    /// The time since the epoch: the age of the pick.
    pub fn elapsed(&self) -> Duration {
        self.epoch.elapsed()
    }

    /// When a pick should end of itself, counted from the epoch of the signal.
    pub fn soft(&self) -> Option<Duration> {
        if let Some((whole, per_cent)) = &self.whole {
            return whole.soft().map(|time| share(time, *per_cent));
        }
        decode(self.soft.load(Ordering::Relaxed))
    }

    /// When a pick must have ended, counted from the epoch of the signal.
    pub fn hard(&self) -> Option<Duration> {
        if let Some((whole, per_cent)) = &self.whole {
            return whole.hard().map(|time| share(time, *per_cent));
        }
        decode(self.hard.load(Ordering::Relaxed))
    }

    /// Whether a stop was asked for; costs one load.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.whole.as_ref().is_some_and(|(whole, _)| whole.stopped())
    }

    /// Whether the pick must end now: stopped, or past the hard deadline. Reads the clock.
    pub fn must_end(&self) -> bool {
        self.stopped() || self.hard().is_some_and(|hard| self.elapsed() >= hard)
    }
}

/// A share of a time in per cent; dividing first, which no time overflows.
fn share(time: Duration, per_cent: u32) -> Duration {
    (time / 100).saturating_mul(per_cent)
}

fn decode(nanoseconds: u64) -> Option<Duration> {
    (nanoseconds != NEVER).then(|| Duration::from_nanos(nanoseconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signal_ends_a_pick_by_stop_or_by_the_hard_deadline() {
        let signal = Signal::default();
        assert!(!signal.must_end());
        signal.set_deadlines(Some(Duration::ZERO), None);
        assert!(!signal.must_end(), "the soft deadline binds nobody");
        signal.set_deadlines(None, Some(Duration::ZERO));
        assert!(signal.must_end() && !signal.stopped());
        signal.set_deadlines(None, None);
        assert_eq!((signal.soft(), signal.hard()), (None, None));
        signal.stop();
        assert!(signal.must_end());
    }

    #[test]
    fn a_part_follows_the_stop_and_the_clock_of_the_whole() {
        let whole = Arc::new(Signal::default());
        let part = Signal::part(Arc::clone(&whole), 40);
        assert_eq!((part.soft(), part.hard(), part.must_end()), (None, None, false));
        let ms = Duration::from_millis;
        whole.set_deadlines(Some(ms(60_000)), Some(ms(120_000)));
        assert_eq!((part.soft(), part.hard()), (Some(ms(24_000)), Some(ms(48_000))));
        part.set_best(Point::new(1, 1).unwrap());
        assert_eq!(whole.best(), None);
        whole.stop();
        assert!(part.stopped() && part.must_end());
    }

    #[test]
    fn a_signal_carries_the_best_point_so_far() {
        let signal = Signal::default();
        assert_eq!(signal.best(), None);
        for point in [Point::new(0, 0), Point::new(31, 31)] {
            signal.set_best(point.unwrap());
            assert_eq!(signal.best(), point);
        }
    }
}
