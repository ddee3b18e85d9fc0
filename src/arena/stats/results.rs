//! [`Results`]: the sums of the games of one match, or of several. A pure function of the set of records: it depends neither
//! on their order nor on the clock.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::Sum;

use serde::Serialize;

use super::pentanomial::Pentanomial;
use super::sprt::SprtProgress;
use crate::arena::journal::MatchRecord;
use crate::board::{Color, Size};
use crate::notation::Moves;
use crate::notation::record::{GameEnd, GameRecord, Leg, Winner};

/// The numbers of wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Tally(pub [u64; 3]);

impl Tally {
    /// All games.
    pub fn games(self) -> u64 {
        self.0.iter().sum()
    }

    /// The points: 2 for a win, 1 for a draw.
    pub const fn points(self) -> u64 {
        2 * self.0[0] + self.0[1]
    }

    /// Counts a game by its points.
    pub(super) fn add(&mut self, points: u32) {
        self.0[2_usize.saturating_sub(points as usize)] += 1;
    }

    /// The same games from the other side.
    pub const fn reversed(self) -> Self {
        let [wins, draws, losses] = self.0;
        Self([losses, draws, wins])
    }
}

impl Sum for Tally {
    fn sum<I: Iterator<Item = Self>>(tallies: I) -> Self {
        tallies.fold(Self::default(), |sum, tally| Self(std::array::from_fn(|place| sum.0[place] + tally.0[place])))
    }
}

/// The games of two engines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pairing {
    /// The games from the first engine's side.
    pub tally: Tally,
    /// The complete pairs.
    pub pairs: Pentanomial,
    /// The points of the first engine and the number of games in every sample: pairs, and single games of incomplete pairs.
    pub samples: Vec<(f64, f64)>,
}

impl Pairing {
    /// The points of the first engine, and the number of games.
    pub(super) fn totals(&self) -> (f64, f64) {
        self.samples.iter().fold((0.0, 0.0), |(points, games), sample| (points + sample.0, games + sample.1))
    }
}

/// The pairings by the numbers of both engines, the smaller first.
pub type Pairings = BTreeMap<(usize, usize), Pairing>;

/// The sums of a set of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// The engines' names.
    pub engines: Vec<String>,
    /// The pairings with games.
    pub pairings: Pairings,
    /// The numbers of each engine's losses by their reasons.
    pub lost_by: Vec<BTreeMap<GameEnd, u64>>,
    /// The games from black's side.
    pub black: Tally,
    /// The number of pairs left out because the same games were counted already.
    pub repeats: u64,
}

/// The games of one opening in a pairing, with the points of the engine with the smaller number.
pub(super) struct Pair<'a> {
    pub(super) played: &'a MatchRecord,
    engines: (usize, usize),
    pub(super) legs: Vec<(&'a GameRecord, u32)>,
}

impl Results {
    /// Adds up the games whose opening has a number below `openings`.
    pub fn gather(matches: &[MatchRecord], openings: usize) -> Self {
        let mut results = Self { engines: names(matches), ..Self::default() };
        results.lost_by = vec![BTreeMap::new(); results.engines.len()];
        let (pairs, repeats) = counted(matches, openings);
        pairs.iter().for_each(|pair| results.count(pair));
        Self { repeats, ..results }
    }

    fn count(&mut self, pair: &Pair) {
        let pairing = self.pairings.entry(pair.engines).or_default();
        let mut won = 0;
        for &(game, points) in &pair.legs {
            pairing.tally.add(points);
            won += points;
            self.black.add(game.winner.points(Color::Black));
            let loser = game.loser();
            if let Some(loser) = loser.and_then(|name| self.engines.iter().position(|engine| engine == name)) {
                *self.lost_by[loser].entry(game.end).or_default() += 1;
            }
        }
        if pair.legs.len() == 2 {
            pairing.pairs.add(won as usize);
        }
        pairing.samples.push((f64::from(won) / 2.0, pair.legs.len() as f64));
    }

    /// All games of one engine.
    pub fn tally(&self, engine: usize) -> Tally {
        let tally = |(&(first, second), pairing): (&(usize, usize), &Pairing)| match engine {
            _ if engine == first => Some(pairing.tally),
            _ if engine == second => Some(pairing.tally.reversed()),
            _ => None,
        };
        self.pairings.iter().filter_map(tally).sum()
    }

    /// The number of games counted.
    pub fn games(&self) -> u64 {
        self.pairings.values().map(|pairing| pairing.tally.games()).sum()
    }

    /// The number of games that an engine lost by failing as a program.
    pub fn forfeits(&self, engine: usize) -> u64 {
        self.lost_by[engine].iter().filter(|(end, _)| end.is_forfeit()).map(|(_, count)| count).sum()
    }
}

/// Runs the SPRT of a match over its complete pairs up to the first missing one, in the order of the match. Repeated
/// pairs count once. Also returns the number of the opening that decided it, plus one; `usize::MAX` without a decision.
pub fn sequential(played: &MatchRecord) -> Option<(SprtProgress, usize)> {
    let sprt = played.config.sprt?;
    let (samples, openings) = samples(played);
    let progress = sprt.run(&samples);
    let end = match progress.decision {
        Some(_) => progress.pairs.checked_sub(1).map_or(0, |last| openings[last] + 1),
        None => usize::MAX,
    };
    Some((progress, end))
}

/// The log-likelihood ratio of a match's SPRT after each pair that [`sequential`] runs over, up to the decision; empty if the
/// match has no SPRT. Costs a ratio for each pair.
pub(crate) fn llr_after_each_pair(played: &MatchRecord) -> Vec<f64> {
    let Some(sprt) = played.config.sprt else { return Vec::new() };
    let (samples, _) = samples(played);
    let mut sample = Pentanomial::default();
    let counted = sprt.run(&samples).pairs;
    let ratio = |&half_points: &usize| {
        sample.add(half_points);
        sprt.llr(&sample)
    };
    samples[..counted].iter().map(ratio).collect()
}

/// The half points of the first engine in each pair that the SPRT counts, and the numbers of the pairs' openings.
fn samples(played: &MatchRecord) -> (Vec<usize>, Vec<usize>) {
    let matches = std::slice::from_ref(played);
    let engines = names(matches);
    let mut complete = BTreeMap::new();
    for pair in pairs(matches, &engines, usize::MAX).into_iter().filter(|pair| pair.legs.len() == 2) {
        complete.insert(pair.legs[0].0.game.opening, pair);
    }
    let mut seen = BTreeSet::new();
    let (mut samples, mut openings) = (Vec::new(), Vec::new());
    for opening in 0..played.config.games / 2 {
        let Some(pair) = complete.get(&opening) else { break };
        if is_counted(pair, &mut seen) {
            samples.push(pair.legs.iter().map(|leg| leg.1 as usize).sum());
            openings.push(opening);
        }
    }
    (samples, openings)
}

/// The engines of all matches, in the order in which they first appear.
fn names(matches: &[MatchRecord]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for engine in matches.iter().flat_map(|played| &played.config.engines) {
        if !names.contains(&engine.name) {
            names.push(engine.name.clone());
        }
    }
    names
}

/// The pairs whose opening has a number below `openings`, without those that repeat others, and the number of the repeats.
pub(super) fn counted(matches: &[MatchRecord], openings: usize) -> (Vec<Pair<'_>>, u64) {
    let mut pairs = pairs(matches, &names(matches), openings);
    let all = pairs.len();
    let mut seen = BTreeSet::new();
    pairs.retain(|pair| is_counted(pair, &mut seen));
    let repeats = (all - pairs.len()) as u64;
    (pairs, repeats)
}

/// The games in pairs, in the order of matches and game numbers.
fn pairs<'a>(matches: &'a [MatchRecord], names: &[String], openings: usize) -> Vec<Pair<'a>> {
    let number = |name: &String| names.iter().position(|other| other == name);
    let mut pairs: BTreeMap<(usize, usize, usize, usize), Pair<'a>> = BTreeMap::new();
    for (place, played) in matches.iter().enumerate() {
        for (id, game) in played.games.iter().filter(|(id, _)| id.opening < openings) {
            let (Some(black), Some(white)) = (number(&game.black), number(&game.white)) else { continue };
            let engines = (black.min(white), black.max(white));
            let points = game.winner.points(if black < white { Color::Black } else { Color::White });
            let key = (place, id.first, id.second, id.opening);
            pairs.entry(key).or_insert_with(|| Pair { played, engines, legs: Vec::new() }).legs.push((game, points));
        }
    }
    pairs.into_values().collect()
}

/// Whether a pair counts: it does not repeat an earlier one. A pair with a forfeit always counts, because games that end
/// before their first stone look alike.
fn is_counted<'a>(pair: &Pair<'a>, seen: &mut BTreeSet<Signature<'a>>) -> bool {
    pair.legs.iter().any(|(game, _)| game.end.is_forfeit()) || seen.insert(signature(pair))
}

/// The number of the rule, the size, and the games of a pair: leg, black and white, and what was played.
type Signature<'a> = (usize, Size, Vec<(Leg, [&'a str; 2], (Winner, GameEnd, [&'a Moves; 2]))>);

/// Equal for two pairs with the same rule and engines and the same stones in both games.
fn signature<'a>(pair: &Pair<'a>) -> Signature<'a> {
    let leg = |&(game, _): &(&'a GameRecord, u32)| (game.game.leg, [&*game.black, &*game.white], game.play());
    let mut legs: Vec<_> = pair.legs.iter().map(leg).collect();
    legs.sort();
    let game = &pair.played.config.game;
    (game.rule.index(), game.size, legs)
}
