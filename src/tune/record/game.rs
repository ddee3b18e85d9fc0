//! [`GameRecord`]: one game of self-play with what the searches found, and its samples.

use std::fmt;

use crate::board::{Color, Point, Size};
use crate::score::Score;
use crate::tune::Sample;

/// How the first stones of a game were chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// `random`, `edge`, `list`.
impl fmt::Display for OpeningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Random => "random",
            Self::Edge => "edge",
            Self::List => "list",
        })
    }
}

/// A game of the engine against itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The number of the game, counted from 0.
    pub number: u32,
    /// The board.
    pub size: Size,
    /// The color that has won, `None` for a draw.
    pub winner: Option<Color>,
    /// How the first stones were chosen.
    pub opening: OpeningKind,
    /// The number of these stones.
    pub opening_plies: u16,
    /// The stones in playing order, black first.
    pub plies: Vec<Ply>,
}

/// A stone of a game, and what was found before it was played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Where the stone was played.
    pub point: Point,
    /// What a search found there; `None` in the opening.
    pub found: Option<Found>,
    /// A random move in the place of this stone; `None` where none was tried.
    pub stray: Option<Stray>,
}

/// The moves of a position that a tree search has visited most, each with its share; none of a search without visits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisitShares([Option<(Point, u8)>; Self::MOST]);

impl VisitShares {
    /// The most moves that are kept. Hand-set: they have nearly all visits.
    pub const MOST: usize = 8;

    /// A share of all visits.
    pub const ALL: u8 = u8::MAX;

    /// The shares of these visits, the most first; moves with less than one part in 510 are left out.
    pub fn of(visits: impl Iterator<Item = (Point, u32)>) -> Self {
        let mut visits: Vec<_> = visits.collect();
        visits.sort_by_key(|&(_, visits)| std::cmp::Reverse(visits));
        visits.truncate(Self::MOST);
        let sum: f64 = visits.iter().map(|&(_, visits)| f64::from(visits)).sum();
        let share = |visits: u32| (f64::from(visits) / sum.max(1.0) * f64::from(Self::ALL)).round() as u8;
        visits.into_iter().map(|(point, visits)| (point, share(visits))).filter(|&(_, share)| share > 0).collect()
    }

    /// The moves with their shares in 255ths, the greatest first.
    pub fn iter(&self) -> impl Iterator<Item = (Point, u8)> + '_ {
        self.0.iter().copied().flatten()
    }

    /// Whether no visits are known.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

/// Takes the first [`MOST`](VisitShares::MOST).
impl FromIterator<(Point, u8)> for VisitShares {
    fn from_iter<I: IntoIterator<Item = (Point, u8)>>(shares: I) -> Self {
        let mut kept = Self::default();
        kept.0.iter_mut().zip(shares).for_each(|(place, share)| *place = Some(share));
        kept
    }
}

/// What the search of a position of the game has found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The best move.
    pub best: Point,
    /// The score of the side to move.
    pub score: Score,
    /// The visits of the moves.
    pub visits: VisitShares,
    /// Whether the position is quiet, and so a sample.
    pub is_quiet: bool,
}

/// A quiet position one random move off the game: the position behind the move was searched, and the game went on as
/// if it had not been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The random move.
    pub point: Point,
    /// The best move behind it.
    pub best: Point,
    /// The score of the side to move behind it.
    pub score: Score,
    /// The visits of the moves behind it.
    pub visits: VisitShares,
}

impl GameRecord {
    /// The samples of the game: each quiet position, followed by the position off the game there.
    ///
    /// Cost: a copy of the stones for each sample.
    pub fn samples(&self) -> impl Iterator<Item = Sample> {
        let points: Vec<_> = self.plies.iter().map(|ply| ply.point).collect();
        self.plies.iter().enumerate().flat_map(move |(index, ply)| {
            let moves = &points[..index];
            let played = ply.found.filter(|found| found.is_quiet).map(|found| {
                let result = Some(self.result(Color::ALL[index % 2]));
                Sample {
                    size: self.size,
                    moves: moves.to_vec(),
                    best: found.best,
                    visits: found.visits,
                    chance: found.score.win_chance(),
                    result,
                }
            });
            let stray = ply.stray.map(|stray| {
                let moves = [moves, &[stray.point]].concat();
                let Stray { best, visits, score, .. } = stray;
                Sample { size: self.size, moves, best, visits, chance: score.win_chance(), result: None }
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
impl fmt::Display for GameRecord {
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
