//! [`Sample`]: a position, the result of a search there, and how its game ended.

use std::fmt;
use std::str::FromStr;

use super::fit::ResultShare;
use crate::board::{Board, Point, Rule, Size};
use crate::eval::Classical;
use crate::notation::Record;
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
        self.moves.iter().try_for_each(|point| write!(f, "{point}"))?;
        write!(f, " {} {:.3} ", self.best, self.chance)?;
        match self.result {
            Some(result) => write!(f, "{result}"),
            None => f.write_str("-"),
        }
    }
}

/// A text is no [`Sample`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleError;

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a sample such as 15 h8i9j10g8 f7 0.613 1")
    }
}

impl std::error::Error for SampleError {}

impl FromStr for Sample {
    type Err = SampleError;

    fn from_str(text: &str) -> Result<Self, SampleError> {
        let words: Vec<_> = text.split_whitespace().collect();
        let &[size, moves, best, chance, result] = &words[..] else { return Err(SampleError) };
        let number = |text: &str| text.parse().ok().filter(|number| (0.0..=1.0).contains(number)).ok_or(SampleError);
        let size = size.parse().map_err(|_| SampleError)?;
        Ok(Self {
            size,
            moves: playable(moves, size).ok_or(SampleError)?,
            best: best.parse().map_err(|_| SampleError)?,
            chance: number(chance)?,
            result: if result == "-" { None } else { Some(number(result)?) },
        })
    }
}

/// A list of moves that can be played one after the other; the rule does not matter for that.
fn playable(text: &str, size: Size) -> Option<Vec<Point>> {
    let record = Record::from_moves(text, size).ok()?;
    record.board(Rule::default(), None).ok()?;
    Some(record.moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_read_as_it_was_written() {
        for text in ["15 h8i9j10g8 f7 0.613 1", "20 h8 i9 0.500 -", "15 a1 b2 0.000 0.5"] {
            let sample: Sample = text.parse().unwrap();
            assert_eq!(sample.to_string(), text);
            assert_eq!(sample.position(Rule::Freestyle).unwrap().board().stone_count(), sample.moves.len());
        }
        for text in ["", "15 h8", "15 h8 i9 1.5 1", "15 h8h8 i9 0.5 1", "15 h8 i9 0.5 1 1", "0 h8 i9 0.5 1"] {
            assert!(text.parse::<Sample>().is_err(), "{text}");
        }
        let taken: Sample = "15 h8i9 h8 0.5 1".parse().unwrap();
        assert!(taken.position(Rule::Freestyle).is_none());
    }
}
