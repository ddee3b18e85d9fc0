//! [`SelfPlayGame`]: a game of self-play with the results of its searches, and its samples.

use std::fmt;

use crate::board::{Color, Point, Size};
use crate::score::Score;
use crate::tune::Sample;

/// The way in which the first stones of a game were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum OpeningKind {
    /// Random stones near each other.
    Random,
    /// Random stones near each other, the first near an edge.
    Edge,
    /// An opening of the built-in list and random stones near it.
    List,
}

impl OpeningKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Random, Self::Edge, Self::List];
}

/// A game of the engine against itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlayGame {
    /// The number of the game, counted from 0.
    pub number: u32,
    /// The board.
    pub size: Size,
    /// The winner; `None` for a draw.
    pub winner: Option<Color>,
    /// The way in which the first stones were chosen.
    pub opening: OpeningKind,
    /// The number of these stones.
    pub opening_plies: u16,
    /// The stones in playing order, black first.
    pub plies: Vec<Ply>,
}

/// A stone of a game and the search before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Where the stone was played.
    pub point: Point,
    /// The result of the search; `None` in the opening.
    pub found: Option<Found>,
    /// A random move tried in place of this stone, if any.
    pub stray: Option<Stray>,
}

/// The most visited moves of a tree search, each with its share; empty for other searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisitShares([Option<(Point, u8)>; Self::MOST]);

impl VisitShares {
    /// Maximum number of moves kept. They have nearly all visits. Hand-set.
    pub const MOST: usize = 8;

    /// The share of all visits.
    pub const ALL: u8 = u8::MAX;

    /// The shares of these visits, greatest first. Moves with less than one part in 510 are left out.
    pub fn of(visits: impl Iterator<Item = (Point, u32)>) -> Self {
        let mut visits: Vec<_> = visits.collect();
        visits.sort_by_key(|&(_, visits)| std::cmp::Reverse(visits));
        visits.truncate(Self::MOST);
        let sum: f64 = visits.iter().map(|&(_, visits)| f64::from(visits)).sum();
        let share = |visits: u32| (f64::from(visits) / sum.max(1.0) * f64::from(Self::ALL)).round() as u8;
        visits.into_iter().map(|(point, visits)| (point, share(visits))).filter(|&(_, share)| share > 0).collect()
    }

    /// The moves with their shares in 255ths, greatest first.
    pub fn iter(&self) -> impl Iterator<Item = (Point, u8)> + '_ {
        self.0.iter().copied().flatten()
    }

    /// Whether there are no visits.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

/// Collects the first [`MOST`](VisitShares::MOST) moves.
impl FromIterator<(Point, u8)> for VisitShares {
    fn from_iter<I: IntoIterator<Item = (Point, u8)>>(shares: I) -> Self {
        let mut kept = Self::default();
        kept.0.iter_mut().zip(shares).for_each(|(place, share)| *place = Some(share));
        kept
    }
}

/// The result of a search of a position of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The best move.
    pub best: Point,
    /// The score of the side to move.
    pub score: Score,
    /// The visits of the moves.
    pub visits: VisitShares,
    /// Whether the position is quiet and its search has a score. Such positions are samples.
    pub is_quiet: bool,
}

/// A quiet position one random move off the game, with the result of its search. It does not affect the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The random move.
    pub point: Point,
    /// The best move after it.
    pub best: Point,
    /// The score of the side to move after it.
    pub score: Score,
    /// The visits of the moves after it.
    pub visits: VisitShares,
}

impl SelfPlayGame {
    /// The samples of the game: each quiet position, followed by the position off the game at the same ply.
    ///
    /// Cost: a copy of the stones for each sample.
    pub fn samples(&self) -> impl Iterator<Item = Sample> {
        let points: Vec<_> = self.plies.iter().map(|ply| ply.point).collect();
        self.plies.iter().enumerate().flat_map(move |(index, ply)| {
            let moves = &points[..index];
            let sample = |moves, best, visits, score: Score, result| Sample {
                size: self.size,
                moves,
                best,
                visits,
                chance: score.win_chance(),
                result,
            };
            let played = ply.found.filter(|found| found.is_quiet).map(|Found { best, visits, score, .. }| {
                sample(moves.to_vec(), best, visits, score, Some(self.result(Color::after(index))))
            });
            let stray = ply.stray.map(|Stray { point, best, visits, score }| {
                sample([moves, &[point]].concat(), best, visits, score, None)
            });
            [played, stray].into_iter().flatten()
        })
    }

    /// The result for a color: 0 lost, 0.5 drawn, 1 won.
    fn result(&self, color: Color) -> f32 {
        self.winner.map_or(0.5, |winner| if winner == color { 1.0 } else { 0.0 })
    }
}

/// The game as a line of text: its number, board, opening, length and result.
impl fmt::Display for SelfPlayGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, size, opening, opening_plies, .. } = self;
        write!(f, "game {number}: {size} × {size}, {opening_plies} plies of {opening} opening, ")?;
        write!(f, "{} plies, ", self.plies.len())?;
        match self.winner {
            Some(winner) => write!(f, "{winner} won"),
            None => f.write_str("drawn"),
        }
    }
}
