//! [`ThreatBoard`]: a board with its threats, the part of a position that a solver uses.

use crate::board::{Board, Color, Point, PointSet};
use crate::threat::{Delta, PatternChange, PatternPair, Patterns, ThreatCache, ThreatSets};

/// What a [`ThreatBoard`] keeps of its threats beside the windows: nothing (`()`), or [`ThreatSets`].
pub trait Sets: PartialEq {
    /// What a stone has changed in them.
    type Changes<'a>
    where
        Self: 'a;

    /// The sets of a position, from scratch.
    fn new(board: &Board, cache: &ThreatCache) -> Self;

    /// Follows a stone.
    fn push(&mut self, delta: Delta<'_>);

    /// Takes back the stone that was pushed last, which stood on this point.
    fn pop(&mut self, stone: Point);

    /// What a stone has changed; the first one pushed is number 0.
    fn changes(&self, number: usize) -> Self::Changes<'_>;

    /// The patterns that a stone of either color would make on an empty point.
    fn pattern_pair(&self, cache: &ThreatCache, point: Point) -> PatternPair;
}

/// No sets: patterns are looked up where they are asked for.
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
/// `S` says what is kept beside the windows: [`ThreatSets`], or `()`.
pub struct ThreatBoard<S = ThreatSets> {
    pub(super) board: Board,
    pub(super) cache: ThreatCache,
    pub(super) sets: S,
}

/// A clone has the same stones and none to [undo](Self::undo).
impl<S: Sets> Clone for ThreatBoard<S> {
    fn clone(&self) -> Self {
        Self::from_cache(self.board.clone(), self.cache.without_history())
    }
}

impl<S: Sets> ThreatBoard<S> {
    /// The threats of a board, from scratch: 100 to 300 µs.
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

    /// The threat sets, where the type has some.
    #[inline]
    pub const fn sets(&self) -> &S {
        &self.sets
    }

    /// What the four lines through an empty point would become for both colors.
    #[inline]
    pub fn pattern_pair(&self, point: Point) -> PatternPair {
        self.sets.pattern_pair(&self.cache, point)
    }

    /// What the four lines through an empty point would become if this color played there.
    #[inline]
    pub fn patterns(&self, point: Point, color: Color) -> Patterns {
        self.pattern_pair(point).of(color)
    }

    /// Whether the rule forbids an empty point to a color. Decided on the board, and only where the patterns of the
    /// point leave it open.
    #[inline]
    pub fn is_forbidden(&self, point: Point, color: Color) -> bool {
        self.may_be_forbidden(point, color) && self.board.is_forbidden(point, color)
    }

    /// False only where its patterns prove an empty point legal for a color.
    #[inline]
    pub fn may_be_forbidden(&self, point: Point, color: Color) -> bool {
        self.board.rule().forbids(color) && self.cache.may_be_forbidden(self.patterns(point, color), color)
    }

    /// Those of the empty points that the rule allows to the side to move.
    pub fn allowed(&self, points: &PointSet) -> PointSet {
        let mover = self.board.turn();
        if !self.board.rule().forbids(mover) {
            return *points;
        }
        points.iter().filter(|&point| !self.is_forbidden(point, mover)).collect()
    }

    /// Gives the turn to a side.
    pub fn set_turn(&mut self, color: Color) {
        self.board.set_turn(color);
    }

    /// Puts a stone of the side to move on an empty point and gives the turn to the other side.
    ///
    /// # Panics
    /// In debug builds, when the point is not empty.
    #[inline]
    pub fn play(&mut self, point: Point) {
        self.place(point, self.board.turn());
    }

    /// Puts a stone of a given color on an empty point and gives the turn to the other color.
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

    /// Takes back the stone that was played last and gives the turn to its color. `None`, and nothing is changed, where
    /// no stone was played since the position was made.
    #[inline]
    pub fn undo(&mut self) -> Option<Point> {
        let Delta { point, color, .. } = self.cache.last()?;
        self.cache.pop();
        self.sets.pop(point);
        self.board.remove(point, color);
        Some(point)
    }

    /// Whether all that is derived is what the board says; slow, for tests and debug builds.
    pub fn is_consistent(&self) -> bool {
        let are_patterns = |point| self.pattern_pair(point) == self.cache.pattern_pair(point);
        self.cache.agrees_with(&self.board)
            && self.board.empty_points().iter().all(are_patterns)
            && self.sets == S::new(&self.board, &self.cache)
    }
}
