//! [`Score`]: the value of a position in a search, with the distance to a win or a loss.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The value of a position for the side to move.
///
/// ```text
/// -MATE … -DECIDED   lost in 0, 1, 2 … plies: MATE − distance
///         …          static evaluations, in the units of `eval`
///  DECIDED …  MATE   won in …, 2, 1, 0 plies
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Score(i32);

impl Score {
    /// A position in which neither side is ahead; also a draw.
    pub const ZERO: Self = Self(0);
    /// Greater than every score.
    pub const INFINITE: Self = Self(32_001);
    /// A win at the root, in 0 plies.
    pub const MATE: Self = Self(32_000);
    /// Scores no farther from [`ZERO`](Self::ZERO) than this favor neither side. The first move of a game is worth some
    /// 350. Set by hand.
    pub const EVEN: i32 = 30;
    /// The least score of a win: distances are below 1,000 plies.
    const DECIDED: Self = Self(31_000);

    /// The farthest distance of a win or a loss, in plies.
    pub const MOST_PLIES: u32 = (Self::MATE.0 - Self::DECIDED.0) as u32;

    /// A static evaluation, clamped so that it is never a win or a loss.
    pub const fn from_eval(value: i32) -> Self {
        let limit = Self::DECIDED.0 - 1;
        Self(if value > limit {
            limit
        } else if value < -limit {
            -limit
        } else {
            value
        })
    }

    /// A win with the five this many plies from the root.
    pub const fn win_at(ply: u32) -> Self {
        Self(Self::MATE.0 - ply as i32)
    }

    /// A loss with the five this many plies from the root.
    pub const fn loss_at(ply: u32) -> Self {
        Self(-Self::MATE.0 + ply as i32)
    }

    /// The number that tables store.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The score with this number.
    pub const fn from_value(value: i32) -> Self {
        Self(value)
    }

    /// Whether this is a win.
    pub const fn is_win(self) -> bool {
        self.0 >= Self::DECIDED.0
    }

    /// Whether this is a loss.
    pub const fn is_loss(self) -> bool {
        self.0 <= -Self::DECIDED.0
    }

    /// Whether this is a win or a loss.
    pub const fn is_decided(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// The probability that the side to move wins, 0 to 1, by the logistic curve to which the evaluation is fitted.
    pub fn win_chance(self) -> f32 {
        1.0 / (1.0 + (-(self.0 as f32) / Self::CHANCE_SCALE).exp())
    }

    /// The inverse of [`win_chance`](Self::win_chance). The chances 0 and 1 give ± 2,000: they are not proofs.
    pub fn from_chance(chance: f32) -> Self {
        const NEAREST: f32 = 0.000_045;
        let chance = chance.clamp(NEAREST, 1.0 - NEAREST);
        Self((Self::CHANCE_SCALE * (chance / (1.0 - chance)).ln()).round() as i32)
    }

    /// The score at which the win probability is 1 / (1 + 1/e) = 73 %. It sets the unit of scores and is arbitrary.
    pub const CHANCE_SCALE: f32 = 200.0;

    /// The number of plies from the root to the five if the score is a win or a loss.
    pub const fn plies(self) -> Option<u32> {
        if self.is_decided() { Some((Self::MATE.0 - self.0.abs()) as u32) } else { None }
    }

    /// The same score counted from a node at this ply instead of from the root, as tables store it.
    #[must_use]
    pub const fn relative_to_node(self, ply: u32) -> Self {
        self.nearer_by(ply as i32)
    }

    /// The inverse of [`relative_to_node`](Self::relative_to_node).
    #[must_use]
    pub const fn relative_to_root(self, ply: u32) -> Self {
        self.nearer_by(-(ply as i32))
    }

    /// The score if a win or a loss were this many plies nearer.
    const fn nearer_by(self, plies: i32) -> Self {
        if self.is_win() {
            Self(self.0 + plies)
        } else if self.is_loss() {
            Self(self.0 - plies)
        } else {
            self
        }
    }
}

impl Neg for Score {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;

    fn add(self, value: i32) -> Self {
        Self(self.0 + value)
    }
}

impl Sub<i32> for Score {
    type Output = Self;

    fn sub(self, value: i32) -> Self {
        Self(self.0 - value)
    }
}

/// `+M7` for a win in seven plies, `-M4` for a loss in four, else the number.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies() {
            Some(plies) => write!(f, "{}M{plies}", if self.is_win() { '+' } else { '-' }),
            None => self.0.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearer_wins_and_farther_losses_are_greater() {
        assert!(Score::win_at(3) > Score::win_at(5) && Score::loss_at(6) > Score::loss_at(4));
        assert!(Score::win_at(999).is_win() && Score::loss_at(999).is_loss());
        assert!(!Score::from_eval(i32::MAX).is_decided() && !Score::from_eval(i32::MIN).is_decided());
        assert_eq!(Score::win_at(7).to_string(), "+M7");
        assert_eq!((-Score::win_at(4)).to_string(), "-M4");
        for score in [Score::win_at(9), Score::loss_at(9), Score::from_eval(25)] {
            assert_eq!(score.relative_to_node(5).relative_to_root(5), score);
        }
        assert_eq!(Score::win_at(9).relative_to_node(5).plies(), Some(4));
    }
}
