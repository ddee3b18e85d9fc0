//! RULES: what a legal game is.
//!
//! Owns the board, its bitboards and key, when a row wins, and renju's forbidden points.
//! Uses only the seeded generator (for the key). Must never know shapes, weights, scores or a protocol.

pub mod bits;
mod color;
mod continuous;
mod direction;
mod forbidden;
mod outcome;
mod point;
mod rule;
mod zobrist;

use std::fmt;

pub use bits::{PointSet, Points, Rows};
pub use color::{ByColor, Color};
pub use continuous::{ContinuousGame, Scored};
pub use direction::{ByDirection, Direction};
pub use forbidden::Foul;
pub use outcome::{DrawRule, Outcome};
pub use point::{POINT_SLOTS, Point, STRIDE, Size, SizeError, Symmetry};
pub use rule::{Dialect, RowRule, Rule, RuleInfo};
pub use zobrist::Key;

/// The occupant of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupant {
    /// None: a stone can be put on the point.
    Empty,
    /// A stone.
    Stone(Color),
    /// A wall: no stone, and none can be put there; field 3 of the protocol's BOARD.
    Wall,
}

/// Why a stone cannot be put on a point or removed from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayError {
    /// The point lies outside the board.
    OffBoard,
    /// A stone or a wall is on the point.
    Occupied,
    /// No stone is on the point.
    Vacant,
}

impl fmt::Display for PlayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OffBoard => "the point lies outside the board",
            Self::Occupied => "the point is occupied",
            Self::Vacant => "no stone stands on the point",
        })
    }
}

impl std::error::Error for PlayError {}

/// The stones on a board, the rule, and the side to move.
///
/// ```
/// use tengen::board::{Board, Color, Outcome, Rule, Size};
///
/// let mut board = Board::new(Size::FIFTEEN, Rule::Renju);
/// let point = |x, y| Size::FIFTEEN.point(x, y).unwrap();
/// for (x, y) in [(7, 7), (0, 0), (8, 7), (1, 0), (9, 7), (2, 0), (10, 7), (3, 0)] {
///     board.try_play(point(x, y))?;
/// }
/// assert_eq!(board.turn(), Color::Black);
/// assert_eq!(board.outcome_of(point(11, 7), Color::Black), Some(Outcome::Row { winner: Color::Black }));
/// assert_eq!(board.outcome_of(point(7, 8), Color::Black), None);
/// # Ok::<(), tengen::board::PlayError>(())
/// ```
///
/// Stones of each color and the empty points are kept as words along all four directions. Points off the board and
/// walls are in none of the three sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    size: Size,
    rule: Rule,
    turn: Color,
    stones: ByColor<Rows>,
    empty: Rows,
    walls: u16,
    stone_count: u16,
    key: Key,
}

impl Board {
    /// An empty board; black is to move.
    pub fn new(size: Size, rule: Rule) -> Self {
        Self {
            size,
            rule,
            turn: Color::Black,
            stones: ByColor([Rows::EMPTY, Rows::EMPTY]),
            empty: Rows::all(size),
            walls: 0,
            stone_count: 0,
            key: Key::default(),
        }
    }

    /// The size.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The rule.
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Changes the rule; the stones stay.
    pub const fn set_rule(&mut self, rule: Rule) {
        self.rule = rule;
    }

    /// The side to move.
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// Sets the side to move.
    pub fn set_turn(&mut self, color: Color) {
        if self.turn != color {
            self.turn = color;
            self.key.toggle_turn();
        }
    }

    /// The hash of stones, walls and the side to move; every change updates it.
    pub const fn key(&self) -> Key {
        self.key
    }

    /// The [`key`](Self::key) after a stone of the side to move on an empty point.
    pub fn key_after(&self, point: Point) -> Key {
        let mut key = self.key;
        key.toggle_stone(point, self.turn);
        key.toggle_turn();
        key
    }

    /// The occupant of a point; a point off the board counts as a wall.
    pub fn at(&self, point: Point) -> Occupant {
        if self.empty.contains(point) {
            return Occupant::Empty;
        }
        let holds = |color: &Color| self.stones[*color].contains(point);
        Color::ALL.into_iter().find(holds).map_or(Occupant::Wall, Occupant::Stone)
    }

    /// Whether the point is on the board and empty.
    pub const fn is_empty(&self, point: Point) -> bool {
        self.empty.contains(point)
    }

    /// The empty points on the line through a point, up to `reach` steps either way: bit `reach + distance`. No point
    /// beyond the edge is among them; points beyond a wall are.
    #[inline]
    pub fn empty_around(&self, point: Point, direction: Direction, reach: u32) -> u32 {
        let line = u64::from(self.empty.line(point, direction)) << reach >> bits::bit(point, direction);
        line as u32 & ((2 << (2 * reach)) - 1)
    }

    /// Whether there is a wall.
    #[inline]
    pub const fn has_walls(&self) -> bool {
        self.walls > 0
    }

    /// The empty points.
    pub fn empty_points(&self) -> PointSet {
        self.empty.set()
    }

    /// The empty points [near](PointSet::neighbourhood) the stones.
    pub fn near_stones(&self) -> PointSet {
        let stones = self.stones(Color::Black).union(&self.stones(Color::White));
        stones.neighbourhood().intersection(&self.empty_points())
    }

    /// The walls.
    pub fn walls(&self) -> PointSet {
        self.size.points().filter(|&point| self.at(point) == Occupant::Wall).collect()
    }

    /// The stones of a color.
    pub fn stones(&self, color: Color) -> PointSet {
        self.stones[color].set()
    }

    /// The number of stones of both colors.
    pub const fn stone_count(&self) -> usize {
        self.stone_count as usize
    }

    /// Whether no empty point is left.
    pub const fn is_full(&self) -> bool {
        self.stone_count as usize + self.walls as usize == self.size.area()
    }

    /// Whether a single empty point is left.
    const fn is_last_empty(&self) -> bool {
        self.stone_count as usize + self.walls as usize + 1 == self.size.area()
    }

    /// Puts a stone of the side to move on an empty point; the other side moves next.
    ///
    /// # Panics
    /// In debug builds, when the point is not empty; [`try_play`](Self::try_play) checks.
    pub fn play(&mut self, point: Point) {
        self.place(point, self.turn);
    }

    /// [`play`](Self::play) for a point that may not be empty.
    ///
    /// # Errors
    /// When the point is off the board or occupied; the board is then unchanged.
    pub fn try_play(&mut self, point: Point) -> Result<(), PlayError> {
        self.check_empty(point)?;
        self.play(point);
        Ok(())
    }

    /// Whether the point is on the board and empty. A stone on a forbidden point can be put, and loses.
    ///
    /// # Errors
    /// The reason why not.
    pub const fn check_empty(&self, point: Point) -> Result<(), PlayError> {
        if !self.size.contains(point) {
            Err(PlayError::OffBoard)
        } else if !self.is_empty(point) {
            Err(PlayError::Occupied)
        } else {
            Ok(())
        }
    }

    /// Puts a stone of a given color on an empty point; the other color moves next. [`remove`](Self::remove) reverses it.
    ///
    /// # Panics
    /// In debug builds, when the point is not empty.
    pub fn place(&mut self, point: Point, color: Color) {
        debug_assert!(self.is_empty(point), "{point:?} is not empty");
        self.empty.move_to(&mut self.stones[color], point);
        self.stone_count += 1;
        self.key.toggle_stone(point, color);
        self.set_turn(!color);
    }

    /// Removes the stone of a point, not necessarily the last, and returns its color, which moves next.
    ///
    /// # Errors
    /// When no stone is there; the board is then unchanged.
    pub fn try_remove(&mut self, point: Point) -> Result<Color, PlayError> {
        if !self.size.contains(point) {
            return Err(PlayError::OffBoard);
        }
        let Occupant::Stone(color) = self.at(point) else { return Err(PlayError::Vacant) };
        self.remove(point, color);
        Ok(color)
    }

    /// Removes a stone of a given color, not necessarily the last; its color moves next.
    ///
    /// # Panics
    /// In debug builds, when no such stone stands there.
    pub fn remove(&mut self, point: Point, color: Color) {
        debug_assert!(self.stones[color].contains(point), "{point:?} holds no stone of {color}");
        self.stones[color].move_to(&mut self.empty, point);
        self.stone_count -= 1;
        self.key.toggle_stone(point, color);
        self.set_turn(color);
    }

    /// Turns a point into a wall; a stone on it is removed. The side to move does not change.
    pub fn wall(&mut self, point: Point) {
        match self.at(point) {
            Occupant::Wall => return,
            Occupant::Empty => self.empty.remove(point),
            Occupant::Stone(color) => {
                self.stones[color].remove(point);
                self.stone_count -= 1;
                self.key.toggle_stone(point, color);
            }
        }
        self.walls += 1;
        self.key.toggle_wall(point);
    }

    /// The length of the row that a stone of this color makes on the point, the stone included, and the number of its
    /// two ends that opposing stones hold. The point may be empty or hold such a stone already.
    pub fn row(&self, point: Point, color: Color, direction: Direction) -> (u32, u32) {
        let bit = bits::bit(point, direction);
        // One guard bit below the first point of the line, so that the end before it can be read.
        let own = u64::from(self.stones[color].line(point, direction)) << 1 | 2 << bit;
        let other = u64::from(self.stones[!color].line(point, direction)) << 1;
        let after = (!(own >> (bit + 1))).trailing_zeros();
        let before = (!(own << (62 - bit))).leading_zeros() - 1;
        let (first, last) = (bit + 1 - before, bit + after);
        let held = (other >> (first - 1) & 1) + (other >> (last + 1) & 1);
        (before + after, held as u32)
    }

    /// The directions in which a stone of this color on the point wins.
    pub fn winning_directions(&self, point: Point, color: Color) -> impl Iterator<Item = Direction> + '_ {
        let rule = self.rule.row(color);
        Direction::ALL.into_iter().filter(move |&direction| {
            let (length, held_ends) = self.row(point, color, direction);
            rule.wins(length, held_ends)
        })
    }

    /// Whether a stone of this color on the point wins; the point may be empty or hold such a stone already.
    pub fn wins(&self, point: Point, color: Color) -> bool {
        self.winning_directions(point, color).next().is_some()
    }

    /// Why the rule forbids this empty point to black, or `None` where it does not. `None` under every rule but renju.
    ///
    /// A point that makes exactly five is never forbidden.
    pub fn foul(&self, point: Point) -> Option<Foul> {
        if !self.rule.forbids(Color::Black) {
            return None;
        }
        forbidden::foul(&self.stones[Color::Black], &self.empty, self.size, point)
    }

    /// Whether the rule forbids this empty point to a color: [`foul`](Self::foul) without the reasons, for either
    /// color.
    pub fn is_forbidden(&self, point: Point, color: Color) -> bool {
        self.rule.forbids(color) && forbidden::is_forbidden(&self.stones[Color::Black], &self.empty, self.size, point)
    }

    /// The points of the winning rows through a stone of this color; empty where it does not win. The point may be empty or
    /// hold such a stone already.
    pub fn winning_row(&self, point: Point, color: Color) -> PointSet {
        let mut row = PointSet::EMPTY;
        let holds = |other: &Point| *other == point || self.stones[color].contains(*other);
        for direction in self.winning_directions(point, color) {
            for sign in [-1, 1] {
                let ray = (0..).map_while(|distance| point.step(direction, sign * distance, self.size));
                ray.take_while(holds).for_each(|point| row.insert(point));
            }
        }
        row
    }
}
