//! [`ThreatBoard`]: a board with its threats, the part of a position that a solver uses.

use crate::board::{Board, Color, Point, PointSet};
use crate::threat::{Delta, PatternChange, PatternPair, Patterns, ThreatCache, ThreatSets};

/// The threats that a [`ThreatBoard`] keeps besides the windows: none (`()`), or [`ThreatSets`].
pub trait Sets: PartialEq {
    /// The changes made by a stone.
    type Changes<'a>
    where
        Self: 'a;

    /// The sets of a position, from scratch.
    fn new(board: &Board, cache: &ThreatCache) -> Self;

    /// Applies a stone.
    fn push(&mut self, delta: Delta<'_>);

    /// Undoes the stone that was pushed last, which stood on this point.
    fn pop(&mut self, stone: Point);

    /// The changes made by a stone. The first one pushed is number 0.
    fn changes(&self, number: usize) -> Self::Changes<'_>;

    /// The patterns that a stone of either color would make on an empty point.
    fn pattern_pair(&self, cache: &ThreatCache, point: Point) -> PatternPair;
}

/// No sets. Patterns are looked up on demand.
impl Sets for () {
    type Changes<'a> = ();

    fn new(_: &Board, _: &ThreatCache) -> Self {}

    fn push(&mut self, _: Delta<'_>) {}

    fn pop(&mut self, _: Point) {}

    fn changes(&self, _: usize) {}

    #[inline]
    fn pattern_pair(&self, cache: &ThreatCache, point: Point) -> PatternPair {
        cache.pattern_pair(point)
    }
}

impl Sets for ThreatSets {
    type Changes<'a> = &'a [PatternChange];

    fn new(board: &Board, cache: &ThreatCache) -> Self {
        Self::new(board, cache)
    }

    #[inline]
    fn push(&mut self, delta: Delta<'_>) {
        self.push(delta);
    }

    #[inline]
    fn pop(&mut self, stone: Point) {
        self.pop(stone);
    }

    #[inline]
    fn changes(&self, number: usize) -> &[PatternChange] {
        self.changes(number)
    }

    #[inline]
    fn pattern_pair(&self, _: &ThreatCache, point: Point) -> PatternPair {
        self.pattern_pair(point)
    }
}

/// A board with its threats: the part of a position that a solver uses.
///
/// `S` is what it keeps besides the windows: [`ThreatSets`], or `()`.
pub struct ThreatBoard<S = ThreatSets> {
    pub(super) board: Board,
    pub(super) cache: ThreatCache,
    pub(super) sets: S,
}

/// A clone has the same stones and an empty undo stack.
impl<S: Sets> Clone for ThreatBoard<S> {
    fn clone(&self) -> Self {
        Self::from_cache(self.board.clone(), self.cache.without_history())
    }
}

impl<S: Sets> ThreatBoard<S> {
    /// The threats of a board, from scratch. Cost: 100 to 300 µs.
    pub fn new(board: Board) -> Self {
        let cache = ThreatCache::new(&board);
        Self::from_cache(board, cache)
    }

    pub(super) fn from_cache(board: Board, cache: ThreatCache) -> Self {
        let sets = S::new(&board, &cache);
        Self { board, cache, sets }
    }

    /// The board.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The windows of the empty points.
    #[inline]
    pub const fn cache(&self) -> &ThreatCache {
        &self.cache
    }

    /// The threat sets.
    #[inline]
    pub const fn sets(&self) -> &S {
        &self.sets
    }

    /// The patterns that a stone of either color would make on an empty point.
    #[inline]
    pub fn pattern_pair(&self, point: Point) -> PatternPair {
        self.sets.pattern_pair(&self.cache, point)
    }

    /// The patterns that a stone of this color would make on an empty point.
    #[inline]
    pub fn patterns(&self, point: Point, color: Color) -> Patterns {
        self.pattern_pair(point).of(color)
    }

    /// Whether an empty point is forbidden to a color. Only if its patterns do not decide it, the board is asked.
    #[inline]
    pub fn is_forbidden(&self, point: Point, color: Color) -> bool {
        self.may_be_forbidden(point, color) && self.board.is_forbidden(point, color)
    }

    /// Whether an empty point may be forbidden to a color. False if its patterns prove it legal.
    #[inline]
    pub fn may_be_forbidden(&self, point: Point, color: Color) -> bool {
        self.board.rule().forbids(color) && self.cache.may_be_forbidden(self.patterns(point, color), color)
    }

    /// The given empty points without those that are forbidden to the side to move.
    pub fn allowed(&self, points: &PointSet) -> PointSet {
        let mover = self.board.turn();
        if !self.board.rule().forbids(mover) {
            return *points;
        }
        points.iter().filter(|&point| !self.is_forbidden(point, mover)).collect()
    }

    /// Sets the side to move.
    pub fn set_turn(&mut self, color: Color) {
        self.board.set_turn(color);
    }

    /// Plays an empty point for the side to move. The other side moves next.
    ///
    /// # Panics
    /// In debug builds, when the point is not empty.
    #[inline]
    pub fn play(&mut self, point: Point) {
        self.place(point, self.board.turn());
    }

    /// Places a stone of a given color on an empty point. The other color moves next.
    ///
    /// # Panics
    /// In debug builds, when the point is not empty.
    #[inline]
    pub fn place(&mut self, point: Point, color: Color) {
        self.board.place(point, color);
        self.cache.push(&self.board, point, color);
        if let Some(delta) = self.cache.last() {
            self.sets.push(delta);
        }
    }

    /// Undoes the last stone; its color moves next. Returns `None` if the undo stack is empty.
    #[inline]
    pub fn undo(&mut self) -> Option<Point> {
        let Delta { point, color, .. } = self.cache.last()?;
        self.cache.pop();
        self.sets.pop(point);
        self.board.remove(point, color);
        Some(point)
    }

    /// Whether all derived state equals that computed from the board. Slow: for tests and debug builds.
    pub fn is_consistent(&self) -> bool {
        let are_patterns = |point| self.pattern_pair(point) == self.cache.pattern_pair(point);
        self.cache.agrees_with(&self.board)
            && self.board.empty_points().iter().all(are_patterns)
            && self.sets == S::new(&self.board, &self.cache)
    }
}
