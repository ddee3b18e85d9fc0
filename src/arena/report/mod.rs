//! [`Report`]: the table at the end, for people and as JSON. A pure function of the records.

use std::fmt;

use serde::Serialize;

use super::config::{Format, MatchConfig, Shard};
use super::knockout;
use super::schedule::{self, Schedule};
use super::stats::pentanomial::{Estimate, Pentanomial};
use super::stats::rating::rate;
use super::stats::results::{Played, Results, Tally, sequential};
use super::stats::sprt::{Decision, Progress};

/// The results of one match, or of several.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// What was played, in words.
    pub heading: Vec<String>,
    /// Games counted.
    pub games: u64,
    /// Games that the match has but the records lack, where that is known.
    pub missing: Option<u64>,
    /// The engines, the best first.
    pub engines: Vec<EngineRow>,
    /// Each pairing that has met.
    pub pairings: Vec<PairingRow>,
    /// How the test stands.
    pub sprt: Option<Progress>,
    /// The rounds of a knockout.
    pub rounds: Vec<Vec<String>>,
    /// Who has won a knockout.
    pub winner: Option<String>,
    /// Games won by black, drawn, won by white.
    pub black: [u64; 3],
    /// What else is to be known.
    pub notes: Vec<String>,
}

/// One engine among all.
#[derive(Clone, Debug, Serialize)]
pub struct EngineRow {
    /// The name.
    pub name: String,
    /// Maximum-likelihood rating, the mean of all being 0.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// 2 for a win, 1 for a draw.
    pub points: u64,
    /// Games counted.
    pub games: u64,
    /// Wins, draws, losses.
    pub tally: [u64; 3],
    /// Its share of the points.
    pub share: f64,
    /// How it lost, by the reason's name.
    pub lost_by: std::collections::BTreeMap<String, u64>,
    /// Losses in which it failed as a program.
    pub forfeits: u64,
}

/// Two engines.
#[derive(Clone, Debug, Serialize)]
pub struct PairingRow {
    /// The engine whose view it is.
    pub first: String,
    /// The other.
    pub second: String,
    /// Wins, draws, losses.
    pub tally: [u64; 3],
    /// The complete pairs by points: 0, ½, 1, 1½, 2.
    pub pairs: Pentanomial,
    /// What they show.
    pub estimate: Option<Estimate>,
}

impl Report {
    /// The report of one or several matches. Shards of one match must have been put together before
    /// ([`merge`]).
    pub fn new(matches: &[Played], shards: &[Shard]) -> Self {
        let sprt = match matches {
            [one] => sequential(one, |opening| shards.iter().any(|shard| shard.has(opening))),
            _ => None,
        };
        let (progress, end) = sprt.map_or((None, usize::MAX), |(progress, end)| (Some(progress), end));
        let results = Results::gather(matches, end);
        let mut report = Self {
            heading: matches.iter().map(|played| heading(&played.config)).collect(),
            games: results.games(),
            missing: missing(matches, shards),
            engines: engine_rows(&results),
            pairings: pairing_rows(&results),
            sprt: progress,
            rounds: Vec::new(),
            winner: None,
            black: [results.black.wins, results.black.draws, results.black.losses],
            notes: Vec::new(),
        };
        for played in matches.iter().filter(|played| played.config.format == Format::Knockout) {
            report.add_bracket(played);
        }
        report.add_notes(matches, &results);
        report
    }

    fn add_bracket(&mut self, played: &Played) {
        let names = &played.config.engines;
        let bracket = knockout::bracket(names.len(), played.config.games, &schedule::played(played));
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

    fn add_notes(&mut self, matches: &[Played], results: &Results) {
        if matches.len() > 1 {
            self.notes.push(format!("{} different matches; engines are told apart by their names", matches.len()));
        }
        for MatchConfig { openings, games, transform, conduct, .. } in matches.iter().map(|played| &played.config) {
            let needed = games / 2;
            if needed > openings.count && openings.count > 1 && !conduct.swap2 {
                let again = if *transform { "again, turned and mirrored" } else { "again" };
                let count = openings.count;
                self.notes
                    .push(format!("{count} openings for {needed} pairs: from pair {} on they come {again}", count + 1));
            }
        }
        if results.repeats > 0 {
            self.notes.push(format!("{} pairs were exact repeats of others and are not counted", results.repeats));
        }
        if self.decision().is_some() {
            self.notes.push("games after the decision of the SPRT are not counted".to_owned());
        }
        if rate(results.engines.len(), &results.meetings()).prior {
            self.notes
                .push("one drawn game was added to each pairing, without which a rating would be infinite".to_owned());
        }
    }

    /// Whether any engine lost a game by failing as a program.
    pub fn has_forfeits(&self) -> bool {
        self.engines.iter().any(|engine| engine.forfeits > 0)
    }
}

/// One line for a match.
fn heading(config: &MatchConfig) -> String {
    let MatchConfig { format, conduct, games, openings, seed, .. } = config;
    let format = match format {
        Format::Match => "match",
        Format::Gauntlet => "gauntlet",
        Format::RoundRobin => "round robin",
        Format::Knockout => "knockout",
    };
    let openings = if conduct.swap2 {
        "swap2".to_owned()
    } else {
        let order = seed.map_or_else(|| "in order".to_owned(), |seed| format!("seed {seed}"));
        format!("{} openings ({}), {order}", openings.count, openings.name)
    };
    format!("{format}, {} {size} × {size}, {games} games a pairing, {openings}", conduct.rule, size = conduct.size)
}

fn missing(matches: &[Played], shards: &[Shard]) -> Option<u64> {
    let [played] = matches else { return None };
    let of_shard = |shard: &Shard| Schedule::total(&MatchConfig { shard: *shard, ..played.config.clone() });
    let total: usize = shards.iter().map(of_shard).sum::<Option<usize>>()?;
    Some(total.saturating_sub(played.games.len()) as u64)
}

fn engine_rows(results: &Results) -> Vec<EngineRow> {
    let ratings = rate(results.engines.len(), &results.meetings()).ratings;
    let row = |(number, name): (usize, &String)| {
        let tally = results.tally(number);
        EngineRow {
            name: name.clone(),
            elo: ratings[number].elo,
            error: ratings[number].error,
            points: tally.points(),
            games: tally.games(),
            tally: counts(tally),
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
        tally: counts(pairing.tally),
        pairs: pairing.pairs,
        estimate: pairing.pairs.estimate(),
    });
    rows.collect()
}

const fn counts(tally: Tally) -> [u64; 3] {
    [tally.wins, tally.draws, tally.losses]
}

/// Puts the shards of each match together.
pub fn merge(files: Vec<Played>) -> Result<(Vec<Played>, Vec<Shard>), MergeError> {
    let mut matches: Vec<(String, Played)> = Vec::new();
    let mut shards = Vec::new();
    for played in files {
        let fingerprint = played.config.fingerprint();
        if !shards.contains(&played.config.shard) {
            shards.push(played.config.shard);
        }
        let Some((_, whole)) = matches.iter_mut().find(|(other, _)| *other == fingerprint) else {
            matches.push((fingerprint, played));
            continue;
        };
        for (id, game) in played.games {
            match whole.games.get(&id) {
                Some(known) if !known.same_play(&game) => return Err(MergeError(id.to_string())),
                _ => drop(whole.games.insert(id, game)),
            }
        }
    }
    Ok((matches.into_iter().map(|(_, played)| played).collect(), shards))
}

/// Two files of one match hold different games with this number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeError(pub String);

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "two different games have the number {} in the same match", self.0)
    }
}

impl std::error::Error for MergeError {}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for heading in &self.heading {
            writeln!(f, "{heading}")?;
        }
        let lacking = self.missing.filter(|&missing| missing > 0 && self.decision().is_none());
        writeln!(f, "{} games{}\n", self.games, lacking.map_or_else(String::new, |n| format!(", {n} not played")))?;
        self.write_engines(f)?;
        if self.engines.len() > 2 {
            self.write_cross_table(f)?;
        }
        for pairing in &self.pairings {
            write_pairing(f, pairing)?;
        }
        for (number, round) in self.rounds.iter().enumerate() {
            writeln!(f, "round {}: {}", number + 1, round.join(", "))?;
        }
        if let Some(winner) = &self.winner {
            writeln!(f, "{winner} has won")?;
        }
        let [won, drawn, lost] = self.black;
        writeln!(f, "black won {won}, drew {drawn} and lost {lost} games")?;
        if let Some(progress) = &self.sprt {
            let Progress { llr, lower, upper, decision, pairs } = progress;
            let state = match decision {
                Some(Decision::H0) => format!("H0 accepted after {pairs} pairs"),
                Some(Decision::H1) => format!("H1 accepted after {pairs} pairs"),
                None => format!("undecided after {pairs} pairs"),
            };
            writeln!(f, "SPRT: LLR {llr:.3} of {lower:.3} … {upper:.3}: {state}")?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))
    }
}

impl Report {
    /// What the test has decided.
    pub fn decision(&self) -> Option<Decision> {
        self.sprt.and_then(|progress| progress.decision)
    }

    fn write_engines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max(6);
        writeln!(
            f,
            "{:>3} {:<width$} {:>7} {:>5} {:>7} {:>6} {:>6} {:>5} {:>6} {:>6}  lost by",
            "", "engine", "Elo", "±95%", "points", "games", "W", "D", "L", "%"
        )?;
        for (number, engine) in self.engines.iter().enumerate() {
            let EngineRow { name, elo, error, points, games, tally: [won, drawn, lost], share, lost_by, .. } = engine;
            let lost_by: Vec<_> = lost_by.iter().map(|(end, count)| format!("{end} {count}")).collect();
            writeln!(
                f,
                "{:>3} {name:<width$} {elo:>+7.0} {error:>5.0} {points:>7} {games:>6} {won:>6} {drawn:>5} {lost:>6} \
                 {:>6.1}  {}",
                number + 1,
                share * 100.0,
                lost_by.join(", ")
            )?;
        }
        writeln!(f)
    }

    /// Wins, draws and losses of each engine against each, in the order of the table above.
    fn write_cross_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let result = |row: &str, column: &str| {
            self.pairings.iter().find_map(|pairing| {
                let [won, drawn, lost] = pairing.tally;
                match (pairing.first.as_str(), pairing.second.as_str()) {
                    (first, second) if (first, second) == (row, column) => Some([won, drawn, lost]),
                    (first, second) if (second, first) == (row, column) => Some([lost, drawn, won]),
                    _ => None,
                }
            })
        };
        let cell = |counts: Option<[u64; 3]>| counts.map_or_else(|| "·".to_owned(), |[w, d, l]| format!("{w}-{d}-{l}"));
        let rows: Vec<Vec<String>> = self
            .engines
            .iter()
            .map(|row| self.engines.iter().map(|column| cell(result(&row.name, &column.name))).collect())
            .collect();
        let width = rows.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(1).max(3);
        let name = self.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0);
        write!(f, "{:>3} {:<name$}", "", "")?;
        (1..=rows.len()).try_for_each(|number| write!(f, " {number:>width$}"))?;
        for (number, (engine, row)) in self.engines.iter().zip(&rows).enumerate() {
            write!(f, "\n{:>3} {:<name$}", number + 1, engine.name)?;
            row.iter().try_for_each(|cell| write!(f, " {cell:>width$}"))?;
        }
        writeln!(f, "\n")
    }
}

fn write_pairing(f: &mut fmt::Formatter<'_>, pairing: &PairingRow) -> fmt::Result {
    let PairingRow { first, second, tally: [won, drawn, lost], pairs, estimate } = pairing;
    write!(f, "{first} – {second}: W {won} D {drawn} L {lost}")?;
    if let Some(Estimate { elo, low, high, los, .. }) = estimate {
        let [a, b, c, d, e] = pairs.counts;
        write!(f, ", Elo {elo:+.1} [{low:+.1}, {high:+.1}], LOS {:.1} %, pairs {a} {b} {c} {d} {e}", los * 100.0)?;
    }
    writeln!(f)
}
