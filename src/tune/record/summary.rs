//! [`Summary`]: statistics of games.

use std::fmt;
use std::ops::Add;

use super::game::{OpeningKind, SelfPlayGame};
use crate::board::Color;
use crate::text::write_joined;

/// Statistics of the games of one or more files.
///
/// ```
/// use tengen::tune::{SelfPlayGame, Summary};
///
/// let games: [SelfPlayGame; 0] = [];
/// let summary = games.iter().map(Summary::of).fold(Summary::default(), |sum, game| sum + game);
/// assert_eq!(summary.games(), 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Number of games that black won, that white won, and that were drawn.
    pub results: [u64; 3],
    /// Number of games of each kind of opening, in the order of [`OpeningKind::ALL`].
    pub openings: [u64; OpeningKind::ALL.len()],
    /// Number of plies of all games.
    pub plies: u64,
    /// Number of quiet positions of the games.
    pub positions: u64,
    /// Number of quiet positions one random move off the games.
    pub strays: u64,
}

impl Summary {
    /// The summary of one game.
    pub fn of(game: &SelfPlayGame) -> Self {
        let quiet = game.plies.iter().filter(|ply| ply.found.is_some_and(|found| found.is_quiet));
        Self {
            results: [0, 1, 2].map(|result| u64::from(game.winner.map_or(2, Color::index) == result)),
            openings: OpeningKind::ALL.map(|kind| u64::from(game.opening == kind)),
            plies: game.plies.len() as u64,
            positions: quiet.count() as u64,
            strays: game.plies.iter().filter(|ply| ply.stray.is_some()).count() as u64,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }
}

impl Add for Summary {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            results: std::array::from_fn(|index| self.results[index] + other.results[index]),
            openings: std::array::from_fn(|index| self.openings[index] + other.openings[index]),
            plies: self.plies + other.plies,
            positions: self.positions + other.positions,
            strays: self.strays + other.strays,
        }
    }
}

/// Two lines: games with their results and lengths, then samples and openings.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [black, white, drawn] = self.results;
        // Without games every mean and share is 0.
        let games = self.games().max(1) as f64;
        let plies = self.plies as f64 / games;
        writeln!(
            f,
            "{} games: black won {black}, white {white}, drawn {drawn}; {plies:.1} plies a game",
            self.games()
        )?;
        write!(
            f,
            "{} samples: {} positions, {} strays; openings: ",
            self.positions + self.strays,
            self.positions,
            self.strays
        )?;
        let share = |(kind, count)| format!("{kind} {:.1} %", 100.0 * count as f64 / games);
        write_joined(f, ", ", OpeningKind::ALL.iter().zip(self.openings).map(share))
    }
}
