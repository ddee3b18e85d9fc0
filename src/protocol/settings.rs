//! [`Settings`]: the settings of INFO, which START keeps.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use super::coordinates::{Coordinates, Labels};
use super::detail::{Detail, View};
use super::rule_number::{Dialect, RuleInfo};
use crate::board::{Board, ByColor, PointSet, Size};
use crate::picker::{Evaluation, Limits, SearchControl};
use crate::weights::Weighting;

/// `max_memory` in bytes where the manager sends none: Gomocup's 350 MiB.
const DEFAULT_MEMORY: u64 = 350 << 20;

/// The bytes of it that are not for the tables of a search: the program, the tables of rules and weightings, proofs, and
/// the first 16 threads.
const MEMORY_RESERVE: u64 = 64 << 20;

/// The settings that a session may begin with; INFO changes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Threads of the search; `None` is one.
    pub threads: Option<usize>,
    /// Bytes of the whole process; `None` is 350 MiB.
    pub memory: Option<u64>,
    /// How points are written in texts.
    pub coordinates: Coordinates,
    /// Whether the engine thinks on the opponent's time.
    pub pondering: bool,
    /// The evaluation of a search.
    pub evaluation: Evaluation,
}
/// The threads within [`MEMORY_RESERVE`].
const RESERVED_THREADS: u64 = 16;

/// The bytes of a further thread: 0.74 MiB measured with 64 and with 200 threads, stack, board and proof table together;
/// the lanes of a network add 0.13 MiB.
const THREAD_MEMORY: u64 = 1 << 20;

/// The settings of a process; they outlive its games.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    pub(super) rule: RuleInfo,
    pub(super) dialect: Dialect,
    pub(super) weighting: Weighting,
    pub(super) evaluation: Evaluation,
    pub(super) detail: Detail,
    pub(super) coordinates: Coordinates,
    pub(super) pondering: bool,
    /// The points of YXBLOCK: no move of the engine.
    pub(super) blocked: PointSet,
    /// The points of YXFORBID: no move of the engine when it has this color.
    pub(super) forbidden: ByColor<PointSet>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    /// Bytes of the whole process; `None` is the default.
    pub(super) max_memory: Option<u64>,
    /// Bytes of the tables; `None` is as much as the memory allows.
    pub(super) hash_size: Option<u64>,
    threads: usize,
}

impl Settings {
    /// The settings of a process until INFO changes them.
    pub(super) fn new(weighting: Weighting, options: Options) -> Self {
        let Options { threads, memory, coordinates, pondering, evaluation } = options;
        let mut settings = Self {
            rule: RuleInfo::default(),
            dialect: Dialect::default(),
            weighting,
            evaluation,
            detail: Detail::default(),
            coordinates,
            pondering,
            blocked: PointSet::EMPTY,
            forbidden: ByColor([PointSet::EMPTY; 2]),
            depth: None,
            nodes: None,
            max_memory: memory,
            hash_size: None,
            threads: 1,
        };
        settings.set_threads(threads.unwrap_or(1));
        settings
    }

    /// How the reports about a board of this size are written.
    pub(super) fn view(&self, size: Size) -> View {
        let labels = Labels { coordinates: self.coordinates, dialect: self.dialect, size };
        View { detail: self.detail, labels }
    }

    /// The points that a move of the side to move leaves out; none where no other point is empty.
    pub(super) fn left_out(&self, board: &Board) -> PointSet {
        let left_out = self.blocked.union(&self.forbidden[board.turn()]).intersection(&board.empty_points());
        if left_out == board.empty_points() { PointSet::EMPTY } else { left_out }
    }

    /// The number of threads that run at once on this machine.
    pub(super) fn cores() -> usize {
        thread::available_parallelism().map_or(1, NonZeroUsize::get)
    }

    /// Sets the threads of a search, at least one and at most one for each core. To count the cores reads files of the
    /// system, so it is done only where more than one thread is asked for: the first OK waits for this.
    pub(super) fn set_threads(&mut self, threads: usize) {
        self.threads = if threads > 1 { threads.min(Self::cores()) } else { 1 };
    }

    /// The threads of a search: with the program they take half of the memory at most.
    fn threads(&self) -> usize {
        let most = (self.memory() / 2 / THREAD_MEMORY).saturating_sub(RESERVED_THREADS).max(1);
        self.threads.min(usize::try_from(most).unwrap_or(usize::MAX))
    }

    /// The bytes of the process.
    fn memory(&self) -> u64 {
        self.max_memory.unwrap_or(DEFAULT_MEMORY)
    }

    /// The bytes of it that are left beside the program and its threads.
    fn spare_bytes(&self) -> u64 {
        let threads = (self.threads() as u64).saturating_sub(RESERVED_THREADS);
        self.memory().saturating_sub(MEMORY_RESERVE + threads * THREAD_MEMORY)
    }

    /// The bytes that tables may take.
    fn table_bytes(&self) -> u64 {
        let memory = self.spare_bytes();
        self.hash_size.map_or(memory, |hash| hash.min(memory))
    }

    /// The largest table as Yixin-Board counts it: the logarithm to the base 2 of its size in KiB, rounded down.
    pub(super) fn table_kilobytes_log2(&self) -> u32 {
        (self.spare_bytes() >> 10).checked_ilog2().unwrap_or(0)
    }

    /// What bounds a search.
    pub(super) fn limits(&self, control: SearchControl) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            memory: Some(usize::try_from(self.table_bytes()).unwrap_or(usize::MAX)),
            evaluation: self.evaluation,
            threads: self.threads(),
            left_out: PointSet::EMPTY,
            control: Arc::new(control),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Point;

    fn memory(max_memory: Option<u64>, hash_size: Option<u64>) -> Option<usize> {
        let settings = Settings { max_memory, hash_size, ..Settings::new(Weighting::default(), Options::default()) };
        settings.limits(SearchControl::default()).memory
    }

    #[test]
    fn tables_stay_below_the_memory_of_the_process() {
        assert_eq!(memory(None, None), Some(286 << 20));
        assert_eq!(memory(None, Some(16 << 20)), Some(16 << 20));
        assert_eq!(memory(Some(83_886_080), Some(1 << 30)), Some(16 << 20));
        assert_eq!(memory(Some(1), None), Some(0));
    }

    #[test]
    fn threads_and_tables_share_the_memory_of_the_process() {
        let limits = |threads, memory: u64| {
            let settings = Settings {
                threads,
                max_memory: Some(memory << 20),
                ..Settings::new(Weighting::default(), Options::default())
            };
            let limits = settings.limits(SearchControl::default());
            (limits.threads, limits.memory.unwrap() >> 20)
        };
        assert_eq!(limits(16, 350), (16, 286));
        assert_eq!(limits(64, 350), (64, 238));
        assert_eq!(limits(1000, 350), (159, 143));
        assert_eq!(limits(64, 80), (24, 8));
        assert_eq!(limits(64, 1), (1, 0));
        assert_eq!(limits(1000, 4096), (1000, 3048));
        for (threads, memory) in [(1, 80), (24, 80), (64, 80), (64, 350), (1000, 350), (1000, 1100)] {
            let (threads, table) = limits(threads, memory);
            // 24 MiB of program, network and proofs.
            let whole = 24.0 + 0.87 * threads as f64 + table as f64;
            assert!(whole < 0.95 * memory as f64, "{threads} threads and tables of {table} MiB in {memory} MiB");
        }
    }

    #[test]
    fn threads_are_at_least_one_and_no_more_than_cores() {
        let mut settings = Settings::new(Weighting::default(), Options::default());
        settings.set_threads(0);
        assert_eq!(settings.limits(SearchControl::default()).threads, 1);
        settings.set_threads(100_000);
        assert_eq!(settings.limits(SearchControl::default()).threads, Settings::cores());
    }

    #[test]
    fn where_every_point_is_left_out_none_is() {
        let mut settings = Settings::new(Weighting::default(), Options::default());
        let five = Size::new(5).unwrap();
        let mut board = Board::new(five, crate::board::Rule::Freestyle);
        let all = PointSet::all(five);
        let centre = five.centre();
        settings.blocked = all;
        assert!(settings.left_out(&board).is_empty());
        settings.blocked.remove(centre);
        assert_eq!(settings.left_out(&board).len(), 24);
        board.play(centre);
        assert!(settings.left_out(&board).is_empty(), "the last point is taken");
        settings.blocked = PointSet::EMPTY;
        settings.forbidden[crate::board::Color::Black].insert(Point::new(0, 0).unwrap());
        assert!(settings.left_out(&board).is_empty(), "white is to move");
    }

    #[test]
    fn the_largest_table_is_reported_as_a_logarithm() {
        assert_eq!(Settings::new(Weighting::default(), Options::default()).table_kilobytes_log2(), 18);
    }
}
