//! [`Position`]: a board, its threats and one accumulator, moved only together.
//!
//! ```text
//!                    ┌─ ThreatBoard ──────────────────────────────────────────┐
//! play, undo ──► A ◄─┤ Board         the truth                                │
//!                    │ ThreatCache   the windows that see the stone: a Delta  │
//!                    │ sets          none, or ThreatSets for a search         │
//!                    └────────────────────────────────────────────────────────┘
//! ```
//!
//! Owns the order in which these follow a stone, and the trait by which an accumulator follows. Uses the board and the
//! threats. Must never know a weight, an evaluation or a search: those implement the trait.

mod threat_board;

pub use threat_board::{Sets, ThreatBoard};

use crate::board::{Board, Color, PlayError, Point, Rule};
use crate::threat::Delta;

/// The sums over the board that a picker evaluates by, updated incrementally per stone.
///
/// Two accumulators are equal where their sums are, whatever each could take back.
pub trait Accumulator: PartialEq {
    /// Whether it follows the stones only when it is [asked to](Position::follow). A search takes back many stones after
    /// which it has not evaluated.
    const IS_LAZY: bool = false;

    /// What must be kept of the threats for it: `()`, or [`ThreatSets`](crate::threat::ThreatSets).
    type Sets: Sets;

    /// What it is built from, beside the position.
    type Config: Copy;

    /// The sums of a position, from scratch.
    fn new(config: Self::Config, threats: &ThreatBoard<Self::Sets>) -> Self;

    /// What it was built from, beside the position.
    fn config(&self) -> Self::Config;

    /// Follows a stone, by the windows and by what else it has changed.
    fn push(&mut self, delta: Delta<'_>, changes: <Self::Sets as Sets>::Changes<'_>);

    /// Takes back the stone that was pushed last.
    fn pop(&mut self, delta: Delta<'_>);
}

/// No sums: a position for rules and shapes alone.
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
/// let mut position = Position::<WeightAccumulator>::new(Board::new(Size::FIFTEEN, Rule::Renju), Weighting::SHAPES);
/// position.play(parse_comma("7,7")?);
/// assert_eq!(position.greatest(), Some(parse_comma("7,6")?));
/// position.undo();
/// assert_eq!(position.board().stone_count(), 0);
/// # Ok::<(), tengen::notation::PointError>(())
/// ```
pub struct Position<A: Accumulator> {
    threats: ThreatBoard<A::Sets>,
    accumulator: A,
    /// The number of stones that the accumulator has followed.
    followed: usize,
}

/// A clone has the same stones and none to [undo](Self::undo).
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

    /// The same board with another accumulator, made from scratch, and with no stone to [undo](Self::undo).
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

    /// What the accumulator was built from, beside the position.
    pub fn config(&self) -> A::Config {
        self.accumulator.config()
    }

    /// The accumulator. A lazy one is read by [`follow`](Self::follow): this does not compile for it.
    #[inline]
    pub const fn accumulator(&self) -> &A {
        const { assert!(!A::IS_LAZY, "a lazy accumulator is read by follow") };
        &self.accumulator
    }

    /// The accumulator, after it has followed the stones that it has not followed yet.
    #[inline]
    pub fn follow(&mut self) -> &A {
        let Self { threats: ThreatBoard { cache, sets, .. }, accumulator, followed } = self;
        while let Some(delta) = cache.delta(*followed) {
            accumulator.push(delta, sets.changes(*followed));
            *followed += 1;
        }
        &self.accumulator
    }

    /// The accumulator as [`follow`](Self::follow) gives it, and the threats of the position beside it.
    #[inline]
    pub fn follow_beside_sets(&mut self) -> (&A, &A::Sets) {
        self.follow();
        (&self.accumulator, self.threats.sets())
    }

    /// Lends the board with its threats to a solver, which plays and takes back until it is again as it was. The
    /// accumulator does not follow: a stone costs about half.
    ///
    /// # Panics
    /// In debug builds, when the solver leaves another position behind.
    pub fn solve<T>(&mut self, solver: impl FnOnce(&mut ThreatBoard<A::Sets>) -> T) -> T {
        let before = (self.board().key(), self.threats.cache.depth());
        let answer = solver(&mut self.threats);
        debug_assert_eq!((self.board().key(), self.threats.cache.depth()), before, "a solver leaves what it found");
        answer
    }

    /// Gives the turn to a side.
    pub fn set_turn(&mut self, color: Color) {
        self.threats.set_turn(color);
    }

    /// Changes the rule; the stones stay. Costs a look at the whole board, after which there is no stone to
    /// [undo](Self::undo).
    pub fn set_rule(&mut self, rule: Rule) {
        if self.board().rule() != rule {
            self.threats.board.set_rule(rule);
            self.refresh();
        }
    }

    /// Puts a stone of the side to move on an empty point and gives the turn to the other side.
    ///
    /// # Panics
    /// In debug builds, when the point is not empty; [`Board::check_empty`] tells.
    #[inline]
    pub fn play(&mut self, point: Point) {
        self.place(point, self.board().turn());
    }

    /// Puts a stone of a given color on an empty point and gives the turn to the other color.
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

    /// Takes back the stone that was played last and gives the turn to its color. `None`, and nothing is changed, where
    /// no stone was played since the position was made: [`try_remove`](Self::try_remove) takes any.
    #[inline]
    pub fn undo(&mut self) -> Option<Point> {
        let delta = self.threats.cache.last()?;
        if self.followed == self.threats.cache.depth() {
            self.accumulator.pop(delta);
            self.followed -= 1;
        }
        self.threats.undo()
    }

    /// Takes back any stone and gives the turn to its color. A stone that is not the last costs a look at the whole
    /// board, after which there is none to [undo](Self::undo).
    ///
    /// # Errors
    /// When no stone stands there; the position is then unchanged.
    pub fn try_remove(&mut self, point: Point) -> Result<Color, PlayError> {
        if self.threats.cache.last().is_some_and(|last| last.point == point) {
            self.undo();
            return Ok(self.board().turn());
        }
        let color = self.threats.board.try_remove(point)?;
        self.refresh();
        Ok(color)
    }

    /// Turns a point into a wall, with the stone on it if there is one. The side to move does not change. Costs a look at
    /// the whole board, after which there is no stone to [undo](Self::undo).
    pub fn wall(&mut self, point: Point) {
        self.threats.board.wall(point);
        self.refresh();
    }

    /// Rebuilds all derived state from the board.
    fn refresh(&mut self) {
        *self = Self::new(self.board().clone(), self.accumulator.config());
    }

    /// Whether the rule forbids an empty point to a color. Decided on the board, and only where the patterns of the
    /// point leave it open.
    #[inline]
    pub fn is_forbidden(&self, point: Point, color: Color) -> bool {
        self.threats.is_forbidden(point, color)
    }

    /// Whether the accumulator is what it would be from scratch.
    pub fn accumulator_agrees(&mut self) -> bool {
        let config = self.accumulator.config();
        self.follow();
        self.accumulator == A::new(config, &self.threats)
    }

    /// Whether everything derived is what the board says; slow, for tests and debug builds.
    pub fn is_consistent(&mut self) -> bool {
        self.threats.is_consistent() && self.accumulator_agrees()
    }
}
