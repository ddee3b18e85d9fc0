//! [`Outcome`]: the result of a game. [`DrawRule`]: when a game without a winner is a draw.
//!
//! [`Board::outcome_of`] alone decides that a game is over. Referees, self-play and benchmarks all ask it.

use std::fmt;

use super::{Board, Color, Foul, Point, PointSet, Rule, Size};

/// The result of a game that was played out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The last stone completed a winning row of its color.
    Row {
        /// The color of the row.
        winner: Color,
    },
    /// The last stone was played on a point that is forbidden to its color.
    Foul {
        /// The color of the stone.
        loser: Color,
        /// The reason for which the point was forbidden.
        foul: Foul,
    },
    /// The board is full, or a [`DrawRule`] ends the game, and nobody has won.
    Draw,
}

impl Outcome {
    /// The color that has won, or `None` for a draw.
    pub fn winner(self) -> Option<Color> {
        match self {
            Self::Row { winner } => Some(winner),
            Self::Foul { loser, .. } => Some(!loser),
            Self::Draw => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row { winner } => write!(f, "{winner} has a winning row"),
            Self::Foul { loser, foul } => write!(f, "{loser} played a forbidden point: {foul}"),
            Self::Draw => f.write_str("draw"),
        }
    }
}

/// The number of stones at which a game without a winner is a draw. A full board is a draw under every draw rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    stones: usize,
}

/// Empty points at which the Gomocup judge calls a renju game a draw: 200 stones on 15 × 15.
const GOMOCUP_RENJU_EMPTY: usize = 25;

impl DrawRule {
    /// The game continues until the board is full.
    pub const FULL_BOARD: Self = Self { stones: usize::MAX };

    /// The rule of the Gomocup judge: a renju game is a draw at 25 empty points, every other game on a full board.
    pub fn gomocup(rule: Rule, size: Size) -> Self {
        match rule {
            // At least one stone: a board of 5 × 5 begins with 25 empty points.
            Rule::Renju => Self { stones: size.area().saturating_sub(GOMOCUP_RENJU_EMPTY).max(1) },
            Rule::Freestyle | Rule::Standard | Rule::CaroOverline | Rule::Caro => Self::FULL_BOARD,
        }
    }

    /// The same rule with a draw at this number of stones at the latest.
    #[must_use]
    pub fn at_most(self, stones: usize) -> Self {
        Self { stones: self.stones.min(stones) }
    }

    /// The number of stones at which a game without a winner is a draw on a board of this size.
    pub fn stones(self, size: Size) -> usize {
        self.stones.min(size.area())
    }

    /// The result of the game if the side to move plays this empty point; `None` if the game continues.
    pub fn outcome_of(self, board: &Board, point: Point) -> Option<Outcome> {
        let is_draw = self.is_draw(board.stone_count() + 1);
        board.outcome_of(point, board.turn()).or_else(|| is_draw.then_some(Outcome::Draw))
    }

    /// Whether a game without a winner is a draw once this number of stones is on the board.
    pub const fn is_draw(self, stone_count: usize) -> bool {
        stone_count >= self.stones
    }
}

impl Board {
    /// The result of the game if this color plays this empty point; `None` if the game continues.
    ///
    /// A winning row takes precedence over a foul, and both over the draw on a full board. A match may end in a draw
    /// earlier: [`DrawRule::outcome_of`].
    ///
    /// Cost: reads four rows. Under renju a black stone also costs a call of [`foul`](Self::foul).
    ///
    /// ```
    /// use tengen::board::{Board, Color, Outcome, Rule, Size};
    ///
    /// let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
    /// let point = |x, y| Size::FIFTEEN.point(x, y).unwrap();
    /// for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3)] {
    ///     board.play(point(x, y));
    /// }
    /// assert_eq!(board.outcome_of(point(0, 4), Color::Black), Some(Outcome::Row { winner: Color::Black }));
    /// assert_eq!(board.outcome_of(point(2, 4), Color::Black), None);
    /// ```
    pub fn outcome_of(&self, point: Point, color: Color) -> Option<Outcome> {
        if self.wins(point, color) {
            return Some(Outcome::Row { winner: color });
        }
        let foul = if color == Color::Black { self.foul(point) } else { None };
        match foul {
            Some(foul) => Some(Outcome::Foul { loser: color, foul }),
            None => self.is_last_empty().then_some(Outcome::Draw),
        }
    }

    /// The points that a stone of this color on this empty point turns to walls in a
    /// [continuous](super::ContinuousGame) game: its winning rows, or the point itself if the stone is a foul.
    ///
    /// Cost: that of [`outcome_of`](Self::outcome_of).
    ///
    /// ```
    /// use tengen::board::{Board, Color, Rule, Size};
    ///
    /// let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
    /// let point = |x, y| Size::FIFTEEN.point(x, y).unwrap();
    /// for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3)] {
    ///     board.play(point(x, y));
    /// }
    /// assert_eq!(board.walls_after(point(0, 4), Color::Black).len(), 5);
    /// assert!(board.walls_after(point(2, 4), Color::Black).is_empty());
    /// ```
    pub fn walls_after(&self, point: Point, color: Color) -> PointSet {
        match self.outcome_of(point, color) {
            Some(Outcome::Row { .. }) => self.winning_row(point, color),
            Some(Outcome::Foul { .. }) => [point].into_iter().collect(),
            Some(Outcome::Draw) | None => PointSet::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(size: Size, rule: Rule, stones: &[(u8, u8)]) -> Board {
        let mut board = Board::new(size, rule);
        stones.iter().for_each(|&(x, y)| board.play(Point::new(x, y).unwrap()));
        board
    }

    #[test]
    fn the_stone_on_the_last_empty_point_draws_unless_it_wins() {
        let size = Size::new(5).unwrap();
        let last: Point = Point::new(4, 4).unwrap();
        // XXOOX / OOXXO / … holds no five; the last point is left empty.
        let mut drawn = Board::new(size, Rule::Freestyle);
        for point in size.points().filter(|&point| point != last) {
            let color = if (point.x() / 2 + point.y()) % 2 == 0 { Color::Black } else { Color::White };
            drawn.place(point, color);
        }
        assert_eq!(drawn.outcome_of(last, Color::Black), Some(Outcome::Draw));
        // With walls in place of stones the point is the last one too.
        let mut won = Board::new(size, Rule::Freestyle);
        size.points().filter(|&point| point.y() != 4).for_each(|point| won.wall(point));
        size.points().filter(|&point| point.y() == 4 && point != last).for_each(|point| won.place(point, Color::White));
        assert_eq!(won.outcome_of(last, Color::White), Some(Outcome::Row { winner: Color::White }));
        assert_eq!(won.outcome_of(last, Color::Black), Some(Outcome::Draw));
    }

    #[test]
    fn a_forbidden_point_loses_for_black_and_is_nothing_for_white() {
        let renju =
            board(Size::FIFTEEN, Rule::Renju, &[(6, 7), (0, 0), (8, 7), (0, 2), (7, 6), (0, 4), (7, 8), (0, 6)]);
        let point = Point::new(7, 7).unwrap();
        let outcome = renju.outcome_of(point, Color::Black).unwrap();
        assert_eq!(outcome.winner(), Some(Color::White));
        assert_eq!(outcome.to_string(), "black played a forbidden point: 33");
        assert_eq!(renju.outcome_of(point, Color::White), None);
    }

    #[test]
    fn the_gomocup_judge_draws_renju_early() {
        let draws = |rule, size| DrawRule::gomocup(rule, size);
        let first_draw = |draws: DrawRule| (0..=225).find(|&stones| draws.is_draw(stones));
        assert_eq!(first_draw(draws(Rule::Renju, Size::FIFTEEN)), Some(200));
        assert_eq!(first_draw(draws(Rule::Renju, Size::FIFTEEN).at_most(220)), Some(200));
        assert_eq!(first_draw(draws(Rule::Renju, Size::new(5).unwrap())), Some(1));
        assert_eq!(first_draw(draws(Rule::Caro, Size::FIFTEEN)), None);
        assert_eq!(first_draw(draws(Rule::Caro, Size::FIFTEEN).at_most(60)), Some(60));
    }
}
