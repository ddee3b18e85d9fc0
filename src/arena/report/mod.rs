//! THE TABLE: [`MatchReport`], the results of a match as text and as JSON, and [`Live`], the line shown during a match.
//!
//! Owns the form of results and the joining of shards. Uses statistics, the schedule (for missing games and the bracket)
//! and records. Must never know a process. The table is a pure function of the records; the line of [`Live`] is the only
//! output of the arena that reads a clock.

mod live;
mod merge;
mod table;

pub use live::Live;
pub use merge::{MergeError, merge};
use serde::Serialize;
pub use table::printable;

use super::config::{Format, MatchConfig, NAMED};
use super::journal::MatchRecord;
use super::schedule::{self, Schedule, knockout};
use super::stats::openings::{self, OpeningRow};
use super::stats::pentanomial::{Estimate, Pentanomial};
use super::stats::rating::{Rating, rate};
use super::stats::results::{Results, Tally, sequential};
use super::stats::sprt::{SprtDecision, SprtProgress};
use crate::opening::Procedure;
use crate::shard::Shard;

/// The results of one match, or of several.
#[derive(Clone, Debug, Serialize)]
pub struct MatchReport {
    /// One line for each match.
    pub heading: Vec<String>,
    /// The number of games counted.
    pub games: u64,
    /// The number of games that the records lack, if it is known.
    pub missing: Option<u64>,
    /// The engines, the best first.
    pub engines: Vec<EngineRow>,
    /// The pairings with games.
    pub pairings: Vec<PairingRow>,
    /// The state of the SPRT.
    pub sprt: Option<SprtProgress>,
    /// The rounds of a knockout.
    pub rounds: Vec<Vec<String>>,
    /// The winner of a knockout.
    pub winner: Option<String>,
    /// The games from black's side.
    pub black: Tally,
    /// The openings of the games, if the engines chose them or the match has the 26.
    pub openings: Vec<OpeningRow>,
    /// The share of the points of the side that opened, and its 95 % interval, if the engines opened the games.
    pub opener_share: Option<[f64; 3]>,
    /// Remarks below the table.
    pub notes: Vec<String>,
}

/// One engine among all.
#[derive(Clone, Debug, Serialize)]
pub struct EngineRow {
    /// The name.
    pub name: String,
    /// Its maximum-likelihood rating. The mean of all ratings is 0.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// Its points: 2 for a win, 1 for a draw.
    pub points: u64,
    /// The number of its games.
    pub games: u64,
    /// Wins, draws, losses.
    pub tally: Tally,
    /// Its share of the points.
    pub share: f64,
    /// The number of losses by the name of their reason.
    pub lost_by: std::collections::BTreeMap<String, u64>,
    /// The number of losses in which it failed as a program.
    pub forfeits: u64,
}

/// Two engines.
#[derive(Clone, Debug, Serialize)]
pub struct PairingRow {
    /// The engine whose wins are counted as wins.
    pub first: String,
    /// The other.
    pub second: String,
    /// Wins, draws, losses.
    pub tally: Tally,
    /// The complete pairs by points: 0, ½, 1, 1½, 2.
    pub pairs: Pentanomial,
    /// The difference in strength estimated from the pairs.
    pub estimate: Option<Estimate>,
}

impl MatchReport {
    /// The report of one or several matches. The shards of one match must have been joined ([`merge`]).
    pub fn new(matches: &[MatchRecord], shards: &[Shard]) -> Self {
        let sprt = match matches {
            // The test needs the pairs of all shards.
            [one] if Shard::are_all(shards) => sequential(one),
            _ => None,
        };
        let (progress, end) = sprt.map_or((None, usize::MAX), |(progress, end)| (Some(progress), end));
        let results = Results::gather(matches, end);
        let ratings = rate(results.engines.len(), &results.pairings);
        let mut report = Self {
            heading: matches.iter().map(|played| heading(&played.config)).collect(),
            games: results.games(),
            missing: if let [played] = matches { missing(played, Shard::WHOLE) } else { None },
            engines: engine_rows(&results, &ratings.ratings),
            pairings: pairing_rows(&results),
            sprt: progress,
            rounds: Vec::new(),
            winner: None,
            black: results.black,
            openings: Vec::new(),
            opener_share: None,
            notes: Vec::new(),
        };
        report.add_openings(matches, end);
        for played in matches.iter().filter(|played| played.config.format == Format::Knockout) {
            report.add_bracket(played);
        }
        report.add_notes(matches, results.repeats, ratings.prior);
        report
    }

    /// The report of a shard alone: the games of other shards are not missing.
    pub fn of_shard(played: &MatchRecord) -> Self {
        let shard = played.config.shard;
        Self { missing: missing(played, shard), ..Self::new(std::slice::from_ref(played), &[shard]) }
    }

    fn add_openings(&mut self, matches: &[MatchRecord], end: usize) {
        let is_negotiated = |played: &MatchRecord| played.config.game.procedure != Procedure::Plain;
        let is_named = |played: &MatchRecord| played.config.openings.name == NAMED;
        self.openings = openings::rows(matches, end, |played| is_negotiated(played) || is_named(played));
        let opened = openings::rows(matches, end, is_negotiated);
        if !opened.is_empty() {
            self.opener_share = Some(openings::share(opened.iter().map(|row| row.opener).sum()));
        }
    }

    fn add_bracket(&mut self, played: &MatchRecord) {
        let names = &played.config.engines;
        let bracket = knockout::bracket(names.len(), played.config.games, &schedule::known_games(played));
        for round in bracket.rounds {
            let line = |encounter: &knockout::Encounter| {
                let ((first, second), (one, two)) = (encounter.engines, encounter.points);
                let goes_on = encounter.winner.map_or("undecided", |winner| &names[winner].name);
                format!("{} {one} : {two} {} → {goes_on}", names[first].name, names[second].name)
            };
            self.rounds.push(round.iter().map(line).collect());
        }
        self.winner = bracket.winner.map(|winner| names[winner].name.clone());
    }

    fn add_notes(&mut self, matches: &[MatchRecord], repeats: u64, has_prior: bool) {
        if matches.len() > 1 {
            self.notes.push(format!("{} different matches; engines are identified by their names", matches.len()));
        }
        for MatchConfig { openings, games, transform, game, .. } in matches.iter().map(|played| &played.config) {
            let needed = games / 2;
            if needed > openings.count && openings.count > 1 && game.procedure == Procedure::Plain {
                let again = if *transform { "again, turned and mirrored" } else { "again" };
                let count = openings.count;
                let note = format!("{count} openings for {needed} pairs: from pair {} on they come {again}", count + 1);
                self.notes.push(note);
            }
        }
        if repeats > 0 {
            self.notes.push(format!("{repeats} pairs were exact repeats of others and are not counted"));
        }
        if self.decision().is_some() {
            self.notes.push("games after the decision of the SPRT are not counted".to_owned());
        }
        if self.games > 0 && has_prior {
            self.notes
                .push("one drawn game was added to each pairing, without which a rating would be infinite".to_owned());
        }
    }

    /// The hypothesis that the SPRT accepted.
    pub fn decision(&self) -> Option<SprtDecision> {
        self.sprt.and_then(|progress| progress.decision)
    }

    /// Whether any engine lost a game by failing as a program.
    pub fn has_forfeits(&self) -> bool {
        self.engines.iter().any(|engine| engine.forfeits > 0)
    }
}

/// One line for a match.
fn heading(config: &MatchConfig) -> String {
    let MatchConfig { format, game, games, openings, seed, .. } = config;
    let format = match format {
        Format::Match => "match",
        Format::Gauntlet => "gauntlet",
        Format::RoundRobin => "round robin",
        Format::Knockout => "knockout",
    };
    let openings = if game.procedure != Procedure::Plain {
        game.procedure.to_string()
    } else {
        let order = seed.map_or_else(|| "in order".to_owned(), |seed| format!("seed {seed}"));
        format!("{} openings ({}), {order}", openings.count, openings.name)
    };
    format!("{format}, {} {size} × {size}, {games} games a pairing, {openings}", game.rule, size = game.size)
}

/// The number of games of a part of the match that were not played; `None` for a knockout.
fn missing(played: &MatchRecord, part: Shard) -> Option<u64> {
    let total = Schedule::total(&MatchConfig { shard: part, ..played.config.clone() })?;
    Some(total.saturating_sub(played.games.len()) as u64)
}

fn engine_rows(results: &Results, ratings: &[Rating]) -> Vec<EngineRow> {
    let row = |(number, name): (usize, &String)| {
        let tally = results.tally(number);
        EngineRow {
            name: name.clone(),
            elo: ratings[number].elo,
            error: ratings[number].error,
            points: tally.points(),
            games: tally.games(),
            tally,
            share: tally.points() as f64 / (2 * tally.games().max(1)) as f64,
            lost_by: results.lost_by[number].iter().map(|(end, count)| (end.to_string(), *count)).collect(),
            forfeits: results.forfeits(number),
        }
    };
    let mut rows: Vec<_> = results.engines.iter().enumerate().map(row).collect();
    rows.sort_by(|a, b| b.elo.total_cmp(&a.elo).then_with(|| a.name.cmp(&b.name)));
    rows
}

fn pairing_rows(results: &Results) -> Vec<PairingRow> {
    let rows = results.pairings.iter().map(|(&(first, second), pairing)| PairingRow {
        first: results.engines[first].clone(),
        second: results.engines[second].clone(),
        tally: pairing.tally,
        pairs: pairing.pairs,
        estimate: pairing.pairs.estimate(),
    });
    rows.collect()
}
