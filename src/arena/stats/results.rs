//! [`Results`]: the sums of the games of one match, or of several. A pure function of the set of records: neither their
//! order nor the clock enters it.

use std::collections::{BTreeMap, BTreeSet};

use super::pentanomial::Pentanomial;
use super::rating::Meeting;
use super::sprt::SprtProgress;
use crate::arena::journal::MatchRecord;
use crate::board::Color;
use crate::notation::Moves;
use crate::notation::record::{GameEnd, GameRecord, Leg, Winner};

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// All games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// 2 for a win, 1 for a draw.
    pub const fn points(&self) -> u64 {
        2 * self.wins + self.draws
    }

    fn add(&mut self, points: u32) {
        match points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }
}

/// The games of two engines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pairing {
    /// From the first engine's side.
    pub tally: Tally,
    /// The complete pairs.
    pub pairs: Pentanomial,
    /// Points of the first engine and number of games of every sample: pairs, and single games of incomplete pairs.
    pub samples: Vec<(f64, f64)>,
}

/// The sums of a set of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Results {
    /// The engines' names.
    pub engines: Vec<String>,
    /// By the numbers of both engines, the smaller first.
    pub pairings: BTreeMap<(usize, usize), Pairing>,
    /// How each engine lost its games.
    pub lost_by: Vec<BTreeMap<GameEnd, u64>>,
    /// From black's side.
    pub black: Tally,
    /// Pairs left out because the very same games were counted already.
    pub repeats: u64,
}

/// One opening's games in a pairing, the smaller engine number first.
struct Pair<'a> {
    engines: (usize, usize),
    legs: Vec<(&'a GameRecord, u32)>,
}

impl Results {
    /// Adds up all games whose opening has a number below `openings`.
    pub fn gather(matches: &[MatchRecord], openings: usize) -> Self {
        let mut results = Self { engines: names(matches), ..Self::default() };
        results.lost_by = vec![BTreeMap::new(); results.engines.len()];
        let mut seen = BTreeSet::new();
        for pair in pairs(matches, &results.engines, openings) {
            if seen.insert(signature(&pair)) {
                results.count(&pair);
            } else {
                results.repeats += 1;
            }
        }
        results
    }

    fn count(&mut self, pair: &Pair) {
        let pairing = self.pairings.entry(pair.engines).or_default();
        let mut won = 0;
        for &(game, points) in &pair.legs {
            pairing.tally.add(points);
            won += points;
            self.black.add(game.winner.points(Color::Black));
            let loser = match game.winner {
                Winner::Draw => None,
                Winner::Black => Some(&game.white),
                Winner::White => Some(&game.black),
            };
            let loser = loser.and_then(|name| self.engines.iter().position(|engine| engine == name));
            if let Some(loser) = loser {
                *self.lost_by[loser].entry(game.end).or_default() += 1;
            }
        }
        if pair.legs.len() == 2 {
            pairing.pairs.add(won as usize);
        }
        pairing.samples.push((f64::from(won) / 2.0, pair.legs.len() as f64));
    }

    /// The meetings, for ratings.
    pub fn meetings(&self) -> Vec<Meeting> {
        let meeting = |(&(first, second), pairing): (&(usize, usize), &Pairing)| Meeting {
            first,
            second,
            samples: pairing.samples.clone(),
        };
        self.pairings.iter().map(meeting).collect()
    }

    /// All games of one engine.
    pub fn tally(&self, engine: usize) -> Tally {
        let mut sum = Tally::default();
        for (&(first, second), Pairing { tally, .. }) in &self.pairings {
            if first == engine {
                sum.wins += tally.wins;
                sum.losses += tally.losses;
            } else if second == engine {
                sum.wins += tally.losses;
                sum.losses += tally.wins;
            } else {
                continue;
            }
            sum.draws += tally.draws;
        }
        sum
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

/// Runs the SPRT of a match over its complete pairs as far as none is missing, in the order of the match; repeated
/// pairs count once. Returns also the number of the last opening that it needed, plus one.
pub fn sequential(played: &MatchRecord, has: impl Fn(usize) -> bool) -> Option<(SprtProgress, usize)> {
    let sprt = played.config.sprt?;
    let (samples, openings) = samples(played, has);
    let progress = sprt.run(&samples);
    let end = match progress.decision {
        Some(_) => progress.pairs.checked_sub(1).map_or(0, |last| openings[last] + 1),
        None => usize::MAX,
    };
    Some((progress, end))
}

/// The log-likelihood ratio of a match's SPRT after each of the pairs that [`sequential`] runs over, up to the decision;
/// empty where the match has no SPRT. Costs a ratio for each pair.
pub fn llr_after_each_pair(played: &MatchRecord, has: impl Fn(usize) -> bool) -> Vec<f64> {
    let Some(sprt) = played.config.sprt else { return Vec::new() };
    let (samples, _) = samples(played, has);
    let mut sample = Pentanomial::default();
    let counted = sprt.run(&samples).pairs;
    let ratio = |&half_points: &usize| {
        sample.add(half_points);
        sprt.llr(&sample)
    };
    samples[..counted].iter().map(ratio).collect()
}

/// The half points of the first engine in each pair that counts for the SPRT, and the numbers of their openings.
fn samples(played: &MatchRecord, has: impl Fn(usize) -> bool) -> (Vec<usize>, Vec<usize>) {
    let matches = std::slice::from_ref(played);
    let engines = names(matches);
    let mut complete = BTreeMap::new();
    for pair in pairs(matches, &engines, usize::MAX).into_iter().filter(|pair| pair.legs.len() == 2) {
        complete.insert(pair.legs[0].0.game.opening, pair);
    }
    let mut seen = BTreeSet::new();
    let (mut samples, mut openings) = (Vec::new(), Vec::new());
    for opening in (0..played.config.games / 2).filter(|&opening| has(opening)) {
        let Some(pair) = complete.get(&opening) else { break };
        if seen.insert(signature(pair)) {
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

/// The games sorted into pairs, in the order of matches and game numbers.
fn pairs<'a>(matches: &'a [MatchRecord], names: &[String], openings: usize) -> Vec<Pair<'a>> {
    let number = |name: &String| names.iter().position(|other| other == name);
    let mut pairs: BTreeMap<(usize, usize, usize, usize), Pair<'a>> = BTreeMap::new();
    for (place, played) in matches.iter().enumerate() {
        for (id, game) in played.games.iter().filter(|(id, _)| id.opening < openings) {
            let (Some(black), Some(white)) = (number(&game.black), number(&game.white)) else { continue };
            let engines = (black.min(white), black.max(white));
            let points = game.winner.points(if black < white { Color::Black } else { Color::White });
            let key = (place, id.first, id.second, id.opening);
            pairs.entry(key).or_insert_with(|| Pair { engines, legs: Vec::new() }).legs.push((game, points));
        }
    }
    pairs.into_values().collect()
}

/// What makes two pairs the same: the engines, and every stone of both games.
fn signature<'a>(pair: &Pair<'a>) -> Vec<(Leg, &'a str, &'a Moves, &'a Moves, Winner, GameEnd)> {
    let leg = |&(game, _): &(&'a GameRecord, u32)| {
        (game.game.leg, game.black.as_str(), &game.opening, &game.moves, game.winner, game.end)
    };
    let mut legs: Vec<_> = pair.legs.iter().map(leg).collect();
    legs.sort();
    legs
}
