//! [`Sample`]: a position, the result of a search there, and how its game ended. [`Replay`]: the positions of samples.

use std::fmt;

use super::record::VisitShares;
use crate::board::{Board, Point, PointSet, Rule, Size};
use crate::eval::Classical;
use crate::eval::classical::Combination;
use crate::notation::Letters;
use crate::position::{Position, ThreatBoard};

/// A quiet position with its labels. In a quiet position neither side can make a five.
///
/// As text it is one line, with chances to three digits:
///
/// ```text
/// 15 h8i9j10g8 f7 0.613 1
/// │  │         │  │     └ result for the side to move: 0 to 1, - off the game
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
    /// The best move of a search.
    pub best: Point,
    /// The most visited moves of a tree search; empty for another search.
    pub visits: VisitShares,
    /// The chance to win of the side to move by the score of the search, 0 to 1.
    pub chance: f32,
    /// The result of the game for the side to move: 0 lost, 0.5 drawn, 1 won; `None` for a position off the game.
    pub result: Option<f32>,
}

impl Sample {
    /// The position under a rule; `None` if the stones cannot be played or the best move is not empty.
    pub fn position(&self, rule: Rule) -> Option<Position<Classical>> {
        let mut replay = Replay::new(rule);
        replay.position(self)?;
        replay.position
    }

    /// The chance to win that is learnt, 0 to 1: the mean of the search's chance and the result, if there is one, weighted
    /// by the share of the result, 0 to 1.
    pub fn label(&self, result_share: f32) -> f32 {
        self.result.map_or(self.chance, |result| self.chance + (result - self.chance) * result_share)
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

/// The usual share of the game's result in a label, 0 to 1. The rest is the score of the search. Hand-set.
pub const RESULT_SHARE: f32 = 0.5;

/// Reads a share of the game's result from an argument.
pub(super) fn parse_result_share(text: &str) -> Result<f32, &'static str> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or("expected a number from 0 to 1")
}

/// The positions of samples, one after another. Only the stones that differ from the last sample are undone and played.
pub(super) struct Replay {
    rule: Rule,
    /// The position of `moves`.
    position: Option<Position<Classical>>,
    moves: Vec<Point>,
}

impl Replay {
    pub(super) fn new(rule: Rule) -> Self {
        Self { rule, position: None, moves: Vec::new() }
    }

    /// The position of a sample; `None` if the stones cannot be played or the best move is not empty.
    pub(super) fn position(&mut self, sample: &Sample) -> Option<&mut Position<Classical>> {
        let same = self.position.take().filter(|position| position.board().size() == sample.size);
        let mut position = same.unwrap_or_else(|| {
            self.moves.clear();
            Position::new(Board::new(sample.size, self.rule), ())
        });
        let common = self.moves.iter().zip(&sample.moves).take_while(|(a, b)| a == b).count();
        while self.moves.len() > common {
            position.undo();
            self.moves.pop();
        }
        for &point in &sample.moves[common..] {
            position.board().check_empty(point).ok()?;
            position.play(point);
            self.moves.push(point);
        }
        position.board().is_empty(sample.best).then(|| self.position.insert(position))
    }
}

/// The candidate moves of a search: the allowed points near the stones.
pub(super) fn candidates(position: &Position<Classical>) -> PointSet {
    let mover = position.board().turn();
    position.board().near_stones().iter().filter(|&point| !position.is_forbidden(point, mover)).collect()
}

/// The combinations of the mover and of the other side on an empty point.
pub(super) fn combinations(threats: &ThreatBoard, point: Point) -> [Combination; 2] {
    let mover = threats.board().turn();
    [mover, !mover].map(|color| Combination::of(threats.patterns(point, color)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_share_is_a_number_from_0_to_1() {
        for (text, share) in [("0", 0.0), ("0.25", 0.25), ("1", 1.0)] {
            assert_eq!(parse_result_share(text), Ok(share));
        }
        for text in ["-0.1", "1.5", "nan", "inf", "-inf", "", "half"] {
            assert!(parse_result_share(text).is_err(), "{text}");
        }
    }
}
