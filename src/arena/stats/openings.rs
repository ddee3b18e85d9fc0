//! The openings of a match: how often each was chosen, swapped and won.

use std::collections::BTreeMap;

use serde::Serialize;

use super::NORMAL_95;
use super::results::{Pair, Tally, counted};
use crate::arena::journal::MatchRecord;
use crate::board::Color;
use crate::notation::record::Leg;
use crate::opening::NamedOpening;

/// The games with one opening.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct OpeningRow {
    /// The number and name of one of the 26; empty for every other opening.
    pub name: String,
    /// The number of games.
    pub games: u64,
    /// The games in which the side that opened finally played white.
    pub swapped: u64,
    /// The games from the side that opened.
    pub opener: Tally,
    /// The games from black's side.
    pub black: Tally,
}

/// The openings of the games that [`Results`](super::results::Results) counts, in the order of the 26, all others last. Games
/// of other matches than those meant are left out.
pub fn rows(matches: &[MatchRecord], openings: usize, is_meant: impl Fn(&MatchRecord) -> bool) -> Vec<OpeningRow> {
    let mut rows: BTreeMap<usize, OpeningRow> = BTreeMap::new();
    for Pair { played, legs, .. } in counted(matches, openings).0.into_iter().filter(|pair| is_meant(pair.played)) {
        for (game, _) in legs {
            let named = NamedOpening::of_moves(&game.opening.0, played.config.game.size);
            let place = named.and_then(|named| NamedOpening::all().iter().position(|other| other == named));
            let row = rows.entry(place.unwrap_or(usize::MAX)).or_default();
            row.name = named.map(ToString::to_string).unwrap_or_default();
            row.games += 1;
            let opener = if game.game.leg == Leg::Straight { game.game.first } else { game.game.second };
            let color = played.config.color_of(opener, game);
            row.swapped += u64::from(color == Color::White);
            row.opener.add(game.winner.points(color));
            row.black.add(game.winner.points(Color::Black));
        }
    }
    rows.into_values().collect()
}

/// The share of the points in these games, and its 95 % interval (Wilson's, with points as wins).
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
        let [share, low, high] = share(Tally([60, 0, 40]));
        assert!(
            (share - 0.6).abs() < 1e-9 && (low - 0.502).abs() < 1e-3 && (high - 0.691).abs() < 1e-3,
            "{low} {high}"
        );
        let [_, low, high] = super::share(Tally::default());
        assert!(low >= 0.0 && high <= 1.0);
    }
}
