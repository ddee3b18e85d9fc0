//! [`ThreatCache`]: the window of every empty point and direction, updated by play and undo.

use super::pattern::{Pattern, PatternTable};
use super::patterns::{PatternPair, Patterns};
use super::window::{Cell, LineWindow, REACH};
use crate::board::{Board, ByDirection, Color, Direction, POINT_SLOTS, Point, Rule, STRIDE, Size};

/// One window that a stone has changed, from black's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowChange {
    /// The empty point in the middle of the window.
    pub point: Point,
    /// The direction of the window.
    pub direction: Direction,
    /// The window before the stone.
    pub old: LineWindow,
    /// The window with the stone.
    pub new: LineWindow,
}

impl WindowChange {
    /// Placeholder for unused slots.
    const NONE: Self = {
        let point = Size::FIFTEEN.centre();
        Self { point, direction: Direction::Horizontal, old: OUTSIDE, new: OUTSIDE }
    };
}

/// The most windows that one stone changes: ten in each direction.
pub const WINDOW_CHANGES: usize = 4 * 2 * REACH as usize;

/// The changes made by one stone: all that an accumulator needs to apply or undo it.
#[derive(Clone, Copy, Debug)]
pub struct Delta<'a> {
    /// The point of the stone, which was empty before.
    pub point: Point,
    /// The color of the stone.
    pub color: Color,
    /// The windows of the empty points that see the stone. A point sees a stone along at most one direction, so each
    /// point occurs at most once.
    pub windows: &'a [WindowChange],
}

/// The windows of every empty point in the four directions, with the changes of every stone played.
///
/// The cache is derived from a board and updated with it. A stone changes only the windows that see it: at most forty,
/// ten in each direction.
///
/// ```text
/// push(stone) ─► windows     old ─► new, for each empty point that sees the stone
///             └► deltas      |stone 1: changes|stone 2: changes|stone 3: changes|
/// pop()       ─► windows     new ─► old, the last stone's changes
/// ```
///
/// Stones are popped in reverse order. The windows of an occupied point keep their state from before its stone. They
/// mean nothing while the stone stands, and are correct again once it is popped.
pub struct ThreatCache {
    rule: Rule,
    windows: Box<[ByDirection<LineWindow>; POINT_SLOTS]>,
    stones: Vec<PlayedStone>,
    /// The changes of all `stones` in order. Entries after the last stone's are stale.
    changes: Vec<WindowChange>,
}

/// An undo entry.
#[derive(Clone, Copy, Debug)]
struct PlayedStone {
    point: Point,
    color: Color,
    /// The index of its first change.
    start: usize,
    /// The index after its last change.
    end: usize,
}

impl ThreatCache {
    /// The cache of a board, from scratch, with an empty undo stack. Cost: some hundred microseconds.
    pub fn new(board: &Board) -> Self {
        let mut cache = Self {
            rule: board.rule(),
            windows: Box::new([ByDirection([OUTSIDE; 4]); POINT_SLOTS]),
            stones: Vec::new(),
            changes: Vec::new(),
        };
        for point in board.empty_points().iter() {
            for direction in Direction::ALL {
                cache.windows[point.index()][direction] = LineWindow::read(board, point, direction, Color::Black);
            }
        }
        cache
    }

    /// The same windows with an empty undo stack.
    #[must_use]
    pub(crate) fn without_history(&self) -> Self {
        Self { windows: self.windows.clone(), stones: Vec::new(), changes: Vec::new(), ..*self }
    }

    /// The rule that defines the patterns of the windows.
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The window of an empty point in a direction, from black's view.
    #[inline]
    pub fn window(&self, point: Point, direction: Direction) -> LineWindow {
        self.windows[point.index()][direction]
    }

    /// The windows of an empty point in all directions, from black's view.
    #[inline]
    pub fn windows(&self, point: Point) -> ByDirection<LineWindow> {
        self.windows[point.index()]
    }

    /// The patterns that a stone of either color would make on an empty point. Cost: four look-ups. The first use of a
    /// rule fills its table (some milliseconds).
    #[inline]
    pub fn pattern_pair(&self, point: Point) -> PatternPair {
        let (table, windows) = (PatternTable::of(self.rule), self.windows(point));
        let with = |pair: PatternPair, direction| pair.with(direction, table.bits(windows[direction]));
        Direction::ALL.into_iter().fold(PatternPair::default(), with)
    }

    /// The patterns that a stone of this color would make on an empty point.
    pub fn patterns(&self, point: Point, color: Color) -> Patterns {
        self.pattern_pair(point).of(color)
    }

    /// The number of stones that [`pop`](Self::pop) can undo.
    pub fn depth(&self) -> usize {
        self.stones.len()
    }

    /// The last stone and its changes; `None` if the undo stack is empty.
    #[inline]
    pub fn last(&self) -> Option<Delta<'_>> {
        self.delta(self.depth().checked_sub(1)?)
    }

    /// An entry of the undo stack: a stone and its changes. The first stone played is number 0.
    #[inline]
    pub fn delta(&self, number: usize) -> Option<Delta<'_>> {
        let &PlayedStone { point, color, start, end } = self.stones.get(number)?;
        Some(Delta { point, color, windows: &self.changes[start..end] })
    }

    /// Applies a stone that is already on the board.
    ///
    /// Cost: about a hundred nanoseconds on any board size.
    #[inline]
    pub fn push(&mut self, board: &Board, point: Point, color: Color) {
        let start = self.stones.last().map_or(0, |stone| stone.end);
        if self.changes.len() < start + WINDOW_CHANGES {
            self.changes.resize(start + WINDOW_CHANGES, WindowChange::NONE);
        }
        let (slots, mut count) = (&mut self.changes[start..start + WINDOW_CHANGES], 0);
        let addends = &ADDENDS[color.index()];
        for direction in Direction::ALL {
            let mut seers = board.empty_around(point, direction, REACH.into());
            if board.has_walls() {
                let (before, after) = self.windows[point.index()][direction].reach();
                seers &= (2 << (REACH + after)) - (1 << (REACH - before));
            }
            while seers != 0 {
                let slot = seers.trailing_zeros() as usize;
                seers &= seers - 1;
                let seer = Point::from_index_wrapping(point.index().wrapping_add(OFFSETS[direction.index()][slot]));
                let window = &mut self.windows[seer.index()][direction];
                let (old, new) = (*window, window.plus(addends[slot]));
                *window = new;
                slots[count] = WindowChange { point: seer, direction, old, new };
                count += 1;
            }
        }
        self.stones.push(PlayedStone { point, color, start, end: start + count });
    }

    /// Undoes the last stone. Does nothing if the undo stack is empty.
    #[inline]
    pub fn pop(&mut self) {
        let Some(PlayedStone { start, end, .. }) = self.stones.pop() else { return };
        for change in &self.changes[start..end] {
            self.windows[change.point.index()][change.direction] = change.old;
        }
    }

    /// Whether a point with these patterns may be forbidden to this color: two fours, two open threes, or an overline.
    /// If not, the point is legal.
    pub fn may_be_forbidden(&self, patterns: Patterns, color: Color) -> bool {
        if !self.rule.forbids(color) {
            return false;
        }
        let fours = [Pattern::Four, Pattern::OpenFour].map(|pattern| patterns.count(pattern)).iter().sum::<usize>();
        patterns.count(Pattern::OpenThree) >= 2
            || fours >= 2
            || patterns.count(Pattern::DoubleFour) >= 1
            || patterns.count(Pattern::Overline) >= 1
    }

    /// Whether the windows of the empty points equal those computed from the board. Slow: for tests and debug builds.
    pub(crate) fn agrees_with(&self, board: &Board) -> bool {
        let fresh = Self::new(board);
        self.rule == fresh.rule
            && board.empty_points().iter().all(|point| self.windows[point.index()] == fresh.windows[point.index()])
    }
}

/// The window of a point that was occupied when the cache was built.
const OUTSIDE: LineWindow = LineWindow::empty(0, 0);

/// The number of points on a line that see a stone, including the stone's own.
const SLOTS: usize = 2 * REACH as usize + 1;

/// By direction: the index offsets from a stone to the points −[`REACH`] to [`REACH`] steps along; to be added with
/// wrapping.
const OFFSETS: [[usize; SLOTS]; 4] = {
    let mut offsets = [[0; SLOTS]; 4];
    let mut direction = 0;
    while direction < offsets.len() {
        let (dx, dy) = Direction::ALL[direction].delta();
        let stride = dy as isize * STRIDE as isize + dx as isize;
        let mut slot = 0;
        while slot < SLOTS {
            offsets[direction][slot] = (stride * (slot as isize - REACH as isize)) as usize;
            slot += 1;
        }
        direction += 1;
    }
    offsets
};

/// By the color of a stone and the slot of a point on its line: the number that the stone adds to the point's window.
/// The stone is in the `after` half of the window of a point before it, and vice versa.
const ADDENDS: [[u32; SLOTS]; 2] = {
    let mut addends = [[0; SLOTS]; 2];
    let owners = [Cell::Own, Cell::Opponent];
    let mut color = 0;
    while color < addends.len() {
        let digit = LineWindow::digit(owners[color]);
        let mut distance = 1;
        while distance <= REACH as usize {
            addends[color][REACH as usize - distance] = digit * LineWindow::AFTER[distance - 1];
            addends[color][REACH as usize + distance] = digit * LineWindow::BEFORE[distance - 1];
            distance += 1;
        }
        color += 1;
    }
    addends
};
