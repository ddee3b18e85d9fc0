//! RULES: what a legal game is.
//!
//! Owns the board, its bitboards and key, when a row wins, and renju's forbidden points.
//! Uses only the seeded generator (for the key). Must never know shapes, weights, scores or a protocol.

pub mod bits;
mod color;
mod continuous;
mod direction;
mod forbidden;
mod foul_parts;
mod outcome;
mod point;
mod referee;
mod rule;
mod zobrist;

use thiserror::Error;

pub use bits::{PointSet, Points, Rows};
pub use color::{ByColor, Color};
pub use continuous::{ContinuousGame, Scored};
pub use direction::{ByDirection, Direction};
pub use forbidden::Foul;
pub use foul_parts::FoulPart;
pub use outcome::{DrawRule, Outcome};
pub use point::{POINT_SLOTS, Point, STRIDE, Size, SizeError, Symmetry};
pub use referee::Referee;
pub use rule::{RowRule, Rule};
pub use zobrist::Key;

/// The occupant of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupant {
    /// The point is free for a stone.
    Empty,
    /// A stone.
    Stone(Color),
    /// A wall. No stone can be placed on it.
    Wall,
}

/// Error returned when a stone cannot be placed or removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PlayError {
    /// The point lies outside the board.
    #[error("the point lies outside the board")]
    OffBoard,
    /// A stone or a wall occupies the point.
    #[error("the point is occupied")]
    Occupied,
    /// The point to remove a stone from is empty.
    #[error("the point is empty")]
    Vacant,
}

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
/// The stones of each color and the empty points are stored as bitboards along all four directions. Walls and points
/// off the board belong to none of the three sets.
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

    /// The size of the board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The rule of the game.
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// Changes the rule. The stones stay.
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

    /// The hash of the stones, the walls and the side to move, updated incrementally.
    pub const fn key(&self) -> Key {
        self.key
    }

    /// The [`key`](Self::key) after the side to move has played on an empty point.
    pub fn key_after(&self, point: Point) -> Key {
        let mut key = self.key;
        key.toggle_stone(point, self.turn);
        key.toggle_turn();
        key
    }

    /// The occupant of a point. Points off the board count as walls.
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

    /// The empty points on the line through a point, up to `reach` steps either way, as bits: bit `reach + distance`.
    /// Points beyond the edge are excluded. Points beyond a wall are included.
    #[inline]
    pub(crate) fn empty_around(&self, point: Point, direction: Direction, reach: u32) -> u32 {
        let line = u64::from(self.empty.line(point, direction)) << reach >> bits::bit(point, direction);
        line as u32 & ((2 << (2 * reach)) - 1)
    }

    /// Whether the board has any wall.
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

    /// Plays an empty point for the side to move. The other side moves next.
    ///
    /// # Panics
    /// In debug builds, when the point is not empty; [`try_play`](Self::try_play) checks.
    pub fn play(&mut self, point: Point) {
        self.place(point, self.turn);
    }

    /// Plays a point for the side to move if it is empty.
    ///
    /// # Errors
    /// When the point is off the board or occupied. The board is unchanged.
    pub fn try_play(&mut self, point: Point) -> Result<(), PlayError> {
        self.check_empty(point)?;
        self.play(point);
        Ok(())
    }

    /// Checks that a point is on the board and empty. Forbidden points pass: a stone can be played there, and loses.
    ///
    /// # Errors
    /// When the point is off the board or occupied.
    pub const fn check_empty(&self, point: Point) -> Result<(), PlayError> {
        if !self.size.contains(point) {
            Err(PlayError::OffBoard)
        } else if !self.is_empty(point) {
            Err(PlayError::Occupied)
        } else {
            Ok(())
        }
    }

    /// Places a stone of a given color on an empty point. The other color moves next. [`remove`](Self::remove) reverses
    /// it.
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

    /// Removes the stone on a point, not necessarily the last, and returns its color. That color moves next.
    ///
    /// # Errors
    /// When the point is off the board or has no stone. The board is unchanged.
    pub fn try_remove(&mut self, point: Point) -> Result<Color, PlayError> {
        if !self.size.contains(point) {
            return Err(PlayError::OffBoard);
        }
        let Occupant::Stone(color) = self.at(point) else { return Err(PlayError::Vacant) };
        self.remove(point, color);
        Ok(color)
    }

    /// Removes a stone of a given color, not necessarily the last. That color moves next.
    ///
    /// # Panics
    /// In debug builds, when the point has no such stone.
    pub fn remove(&mut self, point: Point, color: Color) {
        debug_assert!(self.stones[color].contains(point), "{point:?} holds no stone of {color}");
        self.stones[color].move_to(&mut self.empty, point);
        self.stone_count -= 1;
        self.key.toggle_stone(point, color);
        self.set_turn(color);
    }

    /// Turns a point into a wall and removes the stone on it. The side to move stays the same.
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

    /// The length of the row that a stone of this color makes on the point, including the stone, and how many of the
    /// row's two ends opposing stones block. The point may be empty or hold such a stone already.
    pub fn row(&self, point: Point, color: Color, direction: Direction) -> (u32, u32) {
        let bit = bits::bit(point, direction);
        // A guard bit below the first point of the line lets the end before it be read.
        let own = u64::from(self.stones[color].line(point, direction)) << 1 | 2 << bit;
        let other = u64::from(self.stones[!color].line(point, direction)) << 1;
        let after = (!(own >> (bit + 1))).trailing_zeros();
        let before = (!(own << (62 - bit))).leading_zeros() - 1;
        let (first, last) = (bit + 1 - before, bit + after);
        let blocked = (other >> (first - 1) & 1) + (other >> (last + 1) & 1);
        (before + after, blocked as u32)
    }

    /// The directions in which a stone of this color on the point wins.
    pub fn winning_directions(&self, point: Point, color: Color) -> impl Iterator<Item = Direction> + '_ {
        let rule = self.rule.row(color);
        Direction::ALL.into_iter().filter(move |&direction| {
            let (length, blocked_ends) = self.row(point, color, direction);
            rule.wins(length, blocked_ends)
        })
    }

    /// Whether a stone of this color on the point wins. The point may be empty or hold such a stone already.
    pub fn wins(&self, point: Point, color: Color) -> bool {
        self.winning_directions(point, color).next().is_some()
    }

    /// The reason for which an empty point is forbidden to black, or `None` if it is legal. Only renju has forbidden
    /// points.
    ///
    /// A point that makes exactly five is never forbidden.
    pub fn foul(&self, point: Point) -> Option<Foul> {
        if !self.rule.forbids(Color::Black) {
            return None;
        }
        forbidden::foul(&self.stones[Color::Black], &self.empty, self.size, point)
    }

    /// Whether an empty point is forbidden to a color. Faster than [`foul`](Self::foul), which also finds the reasons.
    pub fn is_forbidden(&self, point: Point, color: Color) -> bool {
        self.rule.forbids(color) && forbidden::is_forbidden(&self.stones[Color::Black], &self.empty, self.size, point)
    }

    /// The rows that make an empty point forbidden to black: the threes of a double three, the fours of a double four,
    /// and each overline. Empty if the point is legal, for example because it makes exactly five.
    pub fn foul_parts(&self, point: Point) -> Vec<FoulPart> {
        if !self.rule.forbids(Color::Black) {
            return Vec::new();
        }
        foul_parts::foul_parts(&self.stones[Color::Black], &self.empty, self.size, point)
    }

    /// The points of the winning rows through a stone of this color; empty if the stone does not win. The point may be
    /// empty or hold such a stone already.
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
