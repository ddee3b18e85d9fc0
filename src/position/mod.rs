//! [`Position`]: a board, its threats and one accumulator, updated together.
//!
//! ```text
//!                    ┌─ ThreatBoard ──────────────────────────────────────────┐
//! play, undo ──► A ◄─┤ Board         the truth                                │
//!                    │ ThreatCache   the windows that see the stone: a Delta  │
//!                    │ Sets          (), or ThreatSets for a search           │
//!                    └────────────────────────────────────────────────────────┘
//! ```
//!
//! Owns the order of these updates and the trait of accumulators. Uses the board and the threats. Must never know a
//! weight, an evaluation or a search: those implement the trait.

mod threat_board;

pub use threat_board::{Sets, ThreatBoard};

use crate::board::{Board, Color, PlayError, Point, Rule};
use crate::threat::Delta;

/// Sums over the board from which a picker evaluates, updated incrementally per stone.
///
/// Two accumulators are equal if their sums are. Undo stacks are not compared.
pub trait Accumulator: PartialEq {
    /// Whether stones are applied only [on request](Position::follow). A search undoes many stones without ever
    /// evaluating the position after them.
    const IS_LAZY: bool = false;

    /// The threat sets that it needs: `()`, or [`ThreatSets`](crate::threat::ThreatSets).
    type Sets: Sets;

    /// The parameters that it is built from, besides the position.
    type Config: Copy;

    /// The sums of a position, from scratch.
    fn new(config: Self::Config, threats: &ThreatBoard<Self::Sets>) -> Self;

    /// The parameters that it was built from.
    fn config(&self) -> Self::Config;

    /// Applies a stone, given the changed windows and the changes of the threat sets.
    fn push(&mut self, delta: Delta<'_>, changes: <Self::Sets as Sets>::Changes<'_>);

    /// Undoes the stone that was pushed last.
    fn pop(&mut self, delta: Delta<'_>);
}

/// The accumulator of a position that is used only for its rules and shapes.
impl Accumulator for () {
    type Sets = ();
    type Config = ();

    fn new((): (), _: &ThreatBoard<()>) -> Self {}

    fn config(&self) {}

    fn push(&mut self, _: Delta<'_>, (): ()) {}

    fn pop(&mut self, _: Delta<'_>) {}
}

/// A board with its threats and one accumulator.
///
/// ```
/// use tengen::board::{Board, Rule, Size};
/// use tengen::notation::parse_comma;
/// use tengen::position::Position;
/// use tengen::weights::{WeightAccumulator, Weighting};
///
/// let mut position = Position::<WeightAccumulator>::new(Board::new(Size::FIFTEEN, Rule::Renju), Weighting::Shapes);
/// position.play(parse_comma("7,7")?);
/// assert_eq!(position.greatest(), Some(parse_comma("7,6")?));
/// position.undo();
/// assert_eq!(position.board().stone_count(), 0);
/// # Ok::<(), tengen::notation::PointError>(())
/// ```
pub struct Position<A: Accumulator> {
    threats: ThreatBoard<A::Sets>,
    accumulator: A,
    /// The number of stones that the accumulator has applied.
    followed: usize,
}

/// A clone has the same stones and an empty undo stack.
impl<A: Accumulator> Clone for Position<A> {
    fn clone(&self) -> Self {
        self.with(self.accumulator.config())
    }
}

impl<A: Accumulator> Position<A> {
    /// The position of a board, from scratch.
    pub fn new(board: Board, config: A::Config) -> Self {
        Self::from_threats(ThreatBoard::new(board), config)
    }

    fn from_threats(threats: ThreatBoard<A::Sets>, config: A::Config) -> Self {
        let accumulator = A::new(config, &threats);
        Self { threats, accumulator, followed: 0 }
    }

    /// The same board with another accumulator, computed from scratch, and an empty undo stack.
    pub fn with<B: Accumulator>(&self, config: B::Config) -> Position<B> {
        let ThreatBoard { board, cache, .. } = &self.threats;
        Position::from_threats(ThreatBoard::from_cache(board.clone(), cache.without_history()), config)
    }

    /// The board.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.threats.board
    }

    /// The board with its threats.
    #[inline]
    pub const fn threats(&self) -> &ThreatBoard<A::Sets> {
        &self.threats
    }

    /// The parameters that the accumulator was built from.
    pub fn config(&self) -> A::Config {
        self.accumulator.config()
    }

    /// The accumulator. Does not compile for a lazy one, which is read by [`follow`](Self::follow).
    #[inline]
    pub const fn accumulator(&self) -> &A {
        const { assert!(!A::IS_LAZY, "a lazy accumulator is read by follow") };
        &self.accumulator
    }

    /// The accumulator, after it has applied all stones played so far.
    #[inline]
    pub fn follow(&mut self) -> &A {
        let Self { threats: ThreatBoard { cache, sets, .. }, accumulator, followed } = self;
        while let Some(delta) = cache.delta(*followed) {
            accumulator.push(delta, sets.changes(*followed));
            *followed += 1;
        }
        &self.accumulator
    }

    /// The accumulator as [`follow`](Self::follow) returns it, with the threat sets of the position.
    #[inline]
    pub fn follow_beside_sets(&mut self) -> (&A, &A::Sets) {
        self.follow();
        (&self.accumulator, self.threats.sets())
    }

    /// Lends the board with its threats to a solver, which must undo all stones that it plays. The accumulator is not
    /// updated, so a stone costs about half.
    ///
    /// # Panics
    /// In debug builds, when the solver does not restore the position.
    pub fn solve<T>(&mut self, solver: impl FnOnce(&mut ThreatBoard<A::Sets>) -> T) -> T {
        let before = (self.board().key(), self.threats.cache.depth());
        let answer = solver(&mut self.threats);
        debug_assert_eq!((self.board().key(), self.threats.cache.depth()), before, "a solver leaves what it found");
        answer
    }

    /// Sets the side to move.
    pub fn set_turn(&mut self, color: Color) {
        self.threats.set_turn(color);
    }

    /// Changes the rule. The stones stay. Recomputes all derived state and clears the undo stack.
    pub fn set_rule(&mut self, rule: Rule) {
        if self.board().rule() != rule {
            self.threats.board.set_rule(rule);
            self.refresh();
        }
    }

    /// Plays an empty point for the side to move. The other side moves next.
    ///
    /// # Panics
    /// In debug builds, when the point is not empty. [`Board::check_empty`] checks it.
    #[inline]
    pub fn play(&mut self, point: Point) {
        self.place(point, self.board().turn());
    }

    /// Places a stone of a given color on an empty point. The other color moves next.
    ///
    /// # Panics
    /// In debug builds, when the point is not empty.
    #[inline]
    pub fn place(&mut self, point: Point, color: Color) {
        self.threats.place(point, color);
        if !A::IS_LAZY {
            self.follow();
        }
    }

    /// Undoes the last stone; its color moves next. Returns `None` if the undo stack is empty.
    /// [`try_remove`](Self::try_remove) removes any stone.
    #[inline]
    pub fn undo(&mut self) -> Option<Point> {
        let delta = self.threats.cache.last()?;
        if self.followed == self.threats.cache.depth() {
            self.accumulator.pop(delta);
            self.followed -= 1;
        }
        self.threats.undo()
    }

    /// Removes any stone and returns its color, which moves next. If the stone is not the last, recomputes all derived
    /// state and clears the undo stack.
    ///
    /// # Errors
    /// When the point has no stone. The position is unchanged.
    pub fn try_remove(&mut self, point: Point) -> Result<Color, PlayError> {
        if self.threats.cache.last().is_some_and(|last| last.point == point) {
            self.undo();
            return Ok(self.board().turn());
        }
        let color = self.threats.board.try_remove(point)?;
        self.refresh();
        Ok(color)
    }

    /// Turns a point into a wall and removes the stone on it. The side to move stays the same. Recomputes all derived
    /// state and clears the undo stack.
    pub fn wall(&mut self, point: Point) {
        self.threats.board.wall(point);
        self.refresh();
    }

    /// Recomputes all derived state from the board.
    fn refresh(&mut self) {
        *self = Self::new(self.board().clone(), self.accumulator.config());
    }

    /// Whether an empty point is forbidden to a color. Only if its patterns do not decide it, the board is asked.
    #[inline]
    pub fn is_forbidden(&self, point: Point, color: Color) -> bool {
        self.threats.is_forbidden(point, color)
    }

    /// Whether the accumulator equals one computed from scratch.
    pub fn accumulator_agrees(&mut self) -> bool {
        let config = self.accumulator.config();
        self.follow();
        self.accumulator == A::new(config, &self.threats)
    }

    /// Whether all derived state equals that computed from the board. Slow: for tests and debug builds.
    pub fn is_consistent(&mut self) -> bool {
        self.threats.is_consistent() && self.accumulator_agrees()
    }
}
