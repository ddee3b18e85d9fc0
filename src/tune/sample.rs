//! [`Sample`]: a position, the result of a search there, and how its game ended.

use std::fmt;

use super::fit::ResultShare;
use super::record::VisitShares;
use crate::board::{Board, Point, Rule, Size};
use crate::eval::Classical;
use crate::notation::Letters;
use crate::position::Position;

/// A quiet position with its labels: a position with no five to make or to stop.
///
/// As text one line, chances with three digits:
///
/// ```text
/// 15 h8i9j10g8 f7 0.613 1
/// │  │         │  │     └ result of the side to move: 0 to 1, - off the game
/// │  │         │  └ chance to win of the side to move
/// │  │         └ best move
/// │  └ stones in playing order, black first
/// └ side of the board
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The board.
    pub size: Size,
    /// The stones in playing order.
    pub moves: Vec<Point>,
    /// The move that a search found best.
    pub best: Point,
    /// The moves that a tree search has visited most; none of another search.
    pub visits: VisitShares,
    /// The chance to win of the side to move by the score of the search, 0 to 1.
    pub chance: f32,
    /// The result of the game for the side to move: 0 lost, 0.5 drawn, 1 won; `None` where the position did not come up
    /// in a game.
    pub result: Option<f32>,
}

impl Sample {
    /// The position under a rule, from scratch; `None` where the stones cannot be played or the best move is not empty.
    pub fn position(&self, rule: Rule) -> Option<Position<Classical>> {
        let mut position = Position::new(Board::new(self.size, rule), ());
        for &point in &self.moves {
            position.board().check_empty(point).ok()?;
            position.play(point);
        }
        position.board().is_empty(self.best).then_some(position)
    }

    /// The chance to win that is to be learnt, 0 to 1: the mean of the search's and the result, where there is one,
    /// weighted by the share of the result.
    pub fn label(&self, result_share: ResultShare) -> f32 {
        self.result.map_or(self.chance, |result| self.chance + (result - self.chance) * result_share.get())
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.size.side())?;
        let letters = Letters::new(self.size);
        self.moves.iter().try_for_each(|&point| write!(f, "{}", letters.point(point)))?;
        write!(f, " {} {:.3} ", letters.point(self.best), self.chance)?;
        match self.result {
            Some(result) => write!(f, "{result}"),
            None => f.write_str("-"),
        }
    }
}
