//! How each opening of a match was chosen, swapped and won.

use std::collections::BTreeMap;

use serde::Serialize;

use super::NORMAL_95;
use super::results::Tally;
use crate::arena::journal::MatchRecord;
use crate::board::Color;
use crate::notation::record::{GameRecord, Leg};
use crate::opening::NamedOpening;

/// The games with one opening.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OpeningRow {
    /// The number and name of one of the 26; empty for all others.
    pub name: String,
    /// The games.
    pub games: u64,
    /// Those in which the side that opened played white in the end.
    pub swapped: u64,
    /// Games that the side that opened won, drew, lost.
    pub opener: [u64; 3],
    /// Games that black won, drew, lost.
    pub black: [u64; 3],
}

/// The openings of the games that are counted, in the order of the 26, all others last.
pub fn rows(matches: &[MatchRecord], openings: usize) -> Vec<OpeningRow> {
    let mut rows: BTreeMap<usize, OpeningRow> = BTreeMap::new();
    for played in matches {
        for game in played.games.values().filter(|game| game.game.opening < openings) {
            let named = NamedOpening::of_moves(&game.opening.0, played.config.game.size);
            let place = named.and_then(|named| NamedOpening::all().iter().position(|other| other == named));
            let row = rows.entry(place.unwrap_or(usize::MAX)).or_default();
            row.name = named.map(ToString::to_string).unwrap_or_default();
            row.games += 1;
            let color = if is_opened_by_black(played, game) { Color::Black } else { Color::White };
            row.swapped += u64::from(color == Color::White);
            for (counts, color) in [(&mut row.opener, color), (&mut row.black, Color::Black)] {
                counts[2 - game.winner.points(color) as usize] += 1;
            }
        }
    }
    rows.into_values().collect()
}

/// Whether the engine that opened the game played black in the end.
fn is_opened_by_black(played: &MatchRecord, game: &GameRecord) -> bool {
    let opener = if game.game.leg == Leg::Straight { game.game.first } else { game.game.second };
    played.config.engines.get(opener).is_none_or(|engine| engine.name == game.black)
}

/// The share of the points of this many games, and its 95 % interval (Wilson's, of the points as wins).
pub fn share(tally: Tally) -> [f64; 3] {
    let games = tally.games().max(1) as f64;
    let share = tally.points() as f64 / 2.0 / games;
    let square = NORMAL_95 * NORMAL_95 / games;
    let middle = (share + square / 2.0) / (1.0 + square);
    let half = NORMAL_95 / (1.0 + square) * (share * (1.0 - share) / games + square / games / 4.0).sqrt();
    [share, middle - half, middle + half]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_wilsons() {
        let [share, low, high] = share(Tally { wins: 60, draws: 0, losses: 40 });
        assert!(
            (share - 0.6).abs() < 1e-9 && (low - 0.502).abs() < 1e-3 && (high - 0.691).abs() < 1e-3,
            "{low} {high}"
        );
        let [_, low, high] = super::share(Tally::default());
        assert!(low >= 0.0 && high <= 1.0);
    }
}
