//! [`Limits`] and [`SearchControl`]: the limits of a search, and how it is stopped while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::time::Duration;

use super::time::{Deadlines, share};
use super::{BookInPlay, Evaluation, Level};
use crate::board::{POINT_SLOTS, Point, PointSet};
use crate::platform::{Instant, pause};

/// The limits of a search. `None` means no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Plies of search.
    pub depth: Option<u32>,
    /// Nodes of search.
    pub nodes: Option<u64>,
    /// Bytes for tables; `None` means the picker's default.
    pub memory: Option<usize>,
    /// The evaluation of positions.
    pub evaluation: Evaluation,
    /// Search threads; 0 counts as 1.
    pub threads: usize,
    /// The temperature at which [`Policy`](super::Policy) draws its move, in hundredths; 0 means the greatest prior.
    pub temperature: u32,
    /// The level of play. The greedy picker has none.
    pub level: Level,
    /// Seed of the draws of a level below the greatest, and of the noise of a tree search in self-play.
    pub seed: u64,
    /// Excluded points. The caller leaves at least one empty point that is not excluded.
    pub left_out: PointSet,
    /// The book of a question for a move. The caller leaves it out of other questions.
    pub book: Option<BookInPlay>,
    /// The clock and the stop token, shared with the caller.
    pub control: Arc<SearchControl>,
}

impl Limits {
    /// Bytes of a table or tree without a limit of memory.
    pub const DEFAULT_MEMORY: usize = 64 << 20;

    /// The bytes for tables.
    pub(super) fn table_bytes(&self) -> usize {
        self.memory.unwrap_or(Self::DEFAULT_MEMORY)
    }

    /// Whether a limit of depth or nodes ends the search, with or without a clock.
    pub const fn has_work_limit(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some()
    }
}

/// The clock and the stop token of a running search, shared by its threads and the caller. The search reports its best
/// move back, which is played if it does not end in time.
#[derive(Debug)]
pub struct SearchControl {
    /// For a part of a search: the control of the whole, and the deadlines of the part.
    whole: Option<(Arc<SearchControl>, PartDeadlines)>,
    epoch: Instant,
    stop: AtomicBool,
    soft: AtomicU64,
    hard: AtomicU64,
    best: AtomicU16,
    nodes: AtomicU64,
    root: RootMoves,
}

/// The deadlines of a part of a search.
#[derive(Clone, Copy, Debug)]
enum PartDeadlines {
    /// This percentage of those of the whole.
    PerCent(u32),
    /// Both are the earlier deadline of the whole.
    Earlier,
}

/// The progress of a search at its root.
#[derive(Debug)]
struct RootMoves {
    /// The move in search.
    current: AtomicU16,
    /// The moves found to lose, a bit each.
    lost: [AtomicU64; POINT_SLOTS / WORD],
}

/// Bits of a word.
const WORD: usize = u64::BITS as usize;

/// Stands for no point; above every [`Point::index`].
const NO_POINT: u16 = u16::MAX;

/// Nanoseconds that stand for no deadline.
const NEVER: u64 = u64::MAX;

impl Default for SearchControl {
    fn default() -> Self {
        Self::since(Instant::now())
    }
}

impl SearchControl {
    /// A control whose deadlines count from `epoch`, the time at which the command was read.
    pub const fn since(epoch: Instant) -> Self {
        Self {
            whole: None,
            epoch,
            stop: AtomicBool::new(false),
            soft: AtomicU64::new(NEVER),
            hard: AtomicU64::new(NEVER),
            best: AtomicU16::new(NO_POINT),
            nodes: AtomicU64::new(0),
            root: RootMoves {
                current: AtomicU16::new(NO_POINT),
                lost: [const { AtomicU64::new(0) }; POINT_SLOTS / WORD],
            },
        }
    }

    /// The control of the first part of a longer search. It stops when the whole search stops. Its deadlines are this
    /// percentage of the whole search's. It has its own best move.
    pub fn part(whole: Arc<Self>, per_cent: u32) -> Self {
        let epoch = whole.epoch;
        Self { whole: Some((whole, PartDeadlines::PerCent(per_cent))), ..Self::since(epoch) }
    }

    /// The control of several searches whose results are compared. It stops when the whole search stops, and has its own best
    /// move. Both deadlines are the earlier one of the whole. So no search stops early because its best move is stable:
    /// compared searches need the same depth.
    pub fn comparison(whole: Arc<Self>) -> Self {
        let epoch = whole.epoch;
        Self { whole: Some((whole, PartDeadlines::Earlier)), ..Self::since(epoch) }
    }

    /// Whether this is the control of a [`part`](Self::part) or of a [`comparison`](Self::comparison).
    pub(super) const fn is_part(&self) -> bool {
        self.whole.is_some()
    }

    /// Reports the best point so far.
    pub fn set_best(&self, point: Point) {
        self.best.store(point.index() as u16, Ordering::Relaxed);
    }

    /// The best point so far.
    pub fn best(&self) -> Option<Point> {
        Point::from_index(self.best.load(Ordering::Relaxed).into())
    }

    /// Reports the nodes of all threads so far.
    pub fn set_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    /// The nodes so far, at most some hundreds per thread behind; 0 while a proof runs at the root.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Reports the root move that a thread begins to search.
    pub fn set_root_move(&self, point: Point) {
        self.root.current.store(point.index() as u16, Ordering::Relaxed);
    }

    /// The root move that a thread began to search last.
    pub fn root_move(&self) -> Option<Point> {
        Point::from_index(self.root.current.load(Ordering::Relaxed).into())
    }

    /// Reports that a root move loses.
    pub fn add_lost_move(&self, point: Point) {
        let (word, bit) = (point.index() / WORD, point.index() % WORD);
        self.root.lost[word].fetch_or(1 << bit, Ordering::Relaxed);
    }

    /// The root moves that the search has found to lose.
    pub fn lost_moves(&self) -> PointSet {
        let words = self.root.lost.iter().map(|word| word.load(Ordering::Relaxed)).enumerate();
        let bits = words.flat_map(|(word, bits)| {
            (0..WORD).filter(move |bit| bits >> bit & 1 > 0).map(move |bit| word * WORD + bit)
        });
        bits.filter_map(Point::from_index).collect()
    }

    /// Asks the search to end now.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The time from which deadlines count.
    pub const fn epoch(&self) -> Instant {
        self.epoch
    }

    /// Sets both deadlines, counted from the epoch.
    pub fn set_deadlines(&self, Deadlines { soft, hard }: Deadlines) {
        let nanoseconds =
            |time: Option<Duration>| time.map_or(NEVER, |time| u64::try_from(time.as_nanos()).unwrap_or(NEVER));
        self.soft.store(nanoseconds(soft), Ordering::Relaxed);
        self.hard.store(nanoseconds(hard), Ordering::Relaxed);
    }

    /// The time since the epoch: the age of the search.
    pub fn elapsed(&self) -> Duration {
        self.epoch.elapsed()
    }

    /// The soft deadline, counted from the epoch.
    pub fn soft(&self) -> Option<Duration> {
        self.deadline(&self.soft, Self::soft)
    }

    /// The hard deadline, counted from the epoch.
    pub fn hard(&self) -> Option<Duration> {
        self.deadline(&self.hard, Self::hard)
    }

    /// The deadline of a part follows from those of the whole; otherwise it is `own`.
    fn deadline(&self, own: &AtomicU64, of_whole: fn(&Self) -> Option<Duration>) -> Option<Duration> {
        match &self.whole {
            Some((whole, PartDeadlines::PerCent(per_cent))) => {
                return of_whole(whole).map(|time| share(time, *per_cent));
            }
            Some((whole, PartDeadlines::Earlier)) => return whole.earlier_deadline(),
            None => {}
        }
        let nanoseconds = own.load(Ordering::Relaxed);
        (nanoseconds != NEVER).then(|| Duration::from_nanos(nanoseconds))
    }

    /// Whether a stop was asked for. Costs one load.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed) || self.whole.as_ref().is_some_and(|(whole, _)| whole.stopped())
    }

    /// Whether the search must end now: stopped, or past the hard deadline. Reads the clock.
    pub fn must_stop(&self) -> bool {
        pause();
        self.stopped() || self.hard().is_some_and(|hard| self.elapsed() >= hard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_ends_a_search_by_stop_or_by_the_hard_deadline() {
        let control = SearchControl::default();
        assert!(!control.must_stop());
        control.set_deadlines(Deadlines { soft: Some(Duration::ZERO), hard: None });
        assert!(!control.must_stop(), "the soft deadline stops no search");
        control.set_deadlines(Deadlines { soft: None, hard: Some(Duration::ZERO) });
        assert!(control.must_stop() && !control.stopped());
        control.set_deadlines(Deadlines::NONE);
        assert_eq!((control.soft(), control.hard()), (None, None));
        control.stop();
        assert!(control.must_stop());
    }

    #[test]
    fn a_part_follows_the_stop_and_the_clock_of_the_whole() {
        let whole = Arc::new(SearchControl::default());
        let part = SearchControl::part(Arc::clone(&whole), 40);
        assert_eq!((part.soft(), part.hard(), part.must_stop()), (None, None, false));
        let ms = Duration::from_millis;
        whole.set_deadlines(Deadlines { soft: Some(ms(60_000)), hard: Some(ms(120_000)) });
        assert_eq!((part.soft(), part.hard()), (Some(ms(24_000)), Some(ms(48_000))));
        part.set_best(Point::new(1, 1).unwrap());
        assert_eq!(whole.best(), None);
        whole.stop();
        assert!(part.stopped() && part.must_stop());
    }

    #[test]
    fn searches_that_are_compared_have_one_deadline() {
        let whole = Arc::new(SearchControl::default());
        let looks = SearchControl::comparison(Arc::clone(&whole));
        assert_eq!((looks.soft(), looks.hard()), (None, None));
        let ms = Duration::from_millis;
        whole.set_deadlines(Deadlines { soft: Some(ms(60_000)), hard: Some(ms(120_000)) });
        assert_eq!((looks.soft(), looks.hard()), (Some(ms(60_000)), Some(ms(60_000))));
        whole.set_deadlines(Deadlines { soft: None, hard: Some(ms(40_000)) });
        assert_eq!((looks.soft(), looks.hard()), (Some(ms(40_000)), Some(ms(40_000))));
        let part = SearchControl::part(Arc::new(looks), 50);
        assert_eq!(part.hard(), Some(ms(20_000)));
        whole.stop();
        assert!(part.must_stop());
    }

    #[test]
    fn a_control_carries_the_progress_at_the_root() {
        let control = SearchControl::default();
        assert_eq!((control.root_move(), control.lost_moves().len()), (None, 0));
        let points = [Point::new(0, 0), Point::new(31, 31), Point::new(7, 8)].map(Option::unwrap);
        for point in points {
            control.set_root_move(point);
            control.add_lost_move(point);
            assert_eq!(control.root_move(), Some(point));
        }
        assert_eq!(control.lost_moves(), PointSet::from_iter(points));
    }

    #[test]
    fn a_control_carries_the_best_point_so_far() {
        let control = SearchControl::default();
        assert_eq!(control.best(), None);
        for point in [Point::new(0, 0), Point::new(31, 31)] {
            control.set_best(point.unwrap());
            assert_eq!(control.best(), point);
        }
    }
}
