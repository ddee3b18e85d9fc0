//! The report as text for a terminal. Names and messages of engines, records and command lines must not control it.

use std::fmt::{self, Write};

use super::{EngineRow, MatchReport, PairingRow};
use crate::arena::stats::openings::OpeningRow;
use crate::arena::stats::pentanomial::Estimate;
use crate::arena::stats::results::Tally;
use crate::arena::stats::sprt::{SprtDecision, SprtProgress};

impl fmt::Display for MatchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(&mut Printable(f))
    }
}

impl MatchReport {
    fn write(&self, f: &mut impl Write) -> fmt::Result {
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
        let Tally([won, drawn, lost]) = self.black;
        writeln!(f, "black won {won}, drew {drawn} and lost {lost} games")?;
        self.write_openings(f)?;
        if let Some(progress) = &self.sprt {
            let SprtProgress { llr, lower, upper, decision, pairs } = progress;
            let state = match decision {
                Some(SprtDecision::H0) => format!("H0 accepted after {pairs} pairs"),
                Some(SprtDecision::H1) => format!("H1 accepted after {pairs} pairs"),
                None => format!("undecided after {pairs} pairs"),
            };
            writeln!(f, "SPRT: LLR {llr:.3} of {lower:.3} … {upper:.3}: {state}")?;
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))
    }

    /// Each opening: how often it was chosen and swapped, and who won.
    fn write_openings(&self, f: &mut impl Write) -> fmt::Result {
        if let Some([share, low, high]) = self.opener_share.map(|shares| shares.map(|share| share * 100.0)) {
            writeln!(f, "the side that opened took {share:.1} % of the points [{low:.1}, {high:.1}]")?;
        }
        if self.openings.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "\n{:<32} {:>6} {:>8} {:>14} {:>14}",
            "opening", "games", "swapped", "opener W-D-L", "black W-D-L"
        )?;
        for OpeningRow { name, games, swapped, opener, black } in &self.openings {
            let name = if name.is_empty() { "other" } else { name };
            let [opener, black] = [opener, black].map(wins_draws_losses);
            writeln!(f, "{name:<32} {games:>6} {swapped:>8} {opener:>14} {black:>14}")?;
        }
        writeln!(f)
    }

    fn write_engines(&self, f: &mut impl Write) -> fmt::Result {
        let width = self.engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max(6);
        writeln!(
            f,
            "{:>3} {:<width$} {:>7} {:>5} {:>7} {:>6} {:>6} {:>5} {:>6} {:>6}  lost by",
            "", "engine", "Elo", "±95%", "points", "games", "W", "D", "L", "%"
        )?;
        for (number, engine) in self.engines.iter().enumerate() {
            let EngineRow { name, elo, error, points, games, tally: Tally([won, drawn, lost]), share, lost_by, .. } =
                engine;
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
    fn write_cross_table(&self, f: &mut impl Write) -> fmt::Result {
        let result = |row: &str, column: &str| {
            self.pairings.iter().find_map(|pairing| match (pairing.first.as_str(), pairing.second.as_str()) {
                (first, second) if (first, second) == (row, column) => Some(pairing.tally),
                (first, second) if (second, first) == (row, column) => Some(pairing.tally.reversed()),
                _ => None,
            })
        };
        let cell = |tally: Option<Tally>| tally.map_or_else(|| "·".to_owned(), |tally| wins_draws_losses(&tally));
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

fn write_pairing(f: &mut impl Write, pairing: &PairingRow) -> fmt::Result {
    let PairingRow { first, second, tally: Tally([won, drawn, lost]), pairs, estimate } = pairing;
    write!(f, "{first} – {second}: W {won} D {drawn} L {lost}")?;
    if let Some(Estimate { elo, low, high, normalized, los, .. }) = estimate {
        let [a, b, c, d, e] = pairs.counts;
        write!(f, ", Elo {elo:+.1} [{low:+.1}, {high:+.1}]")?;
        if let Some([elo, half]) = normalized {
            write!(f, ", nElo {elo:+.1} ± {half:.1}")?;
        }
        write!(f, ", LOS {:.1} %, pairs {a} {b} {c} {d} {e}", los * 100.0)?;
    }
    writeln!(f)
}

fn wins_draws_losses(Tally([wins, draws, losses]): &Tally) -> String {
    format!("{wins}-{draws}-{losses}")
}

/// The text with control characters replaced, ends of lines excepted.
pub fn printable(text: &str) -> String {
    text.replace(|sign: char| sign.is_control() && sign != '\n', "\u{fffd}")
}

/// Replaces control characters in the text that is written.
struct Printable<'a, 'b>(&'a mut fmt::Formatter<'b>);

impl Write for Printable<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write_str(&printable(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_of_both_sets_are_replaced() {
        assert_eq!(printable("a\u{1b}[2J\r\u{9b}31mñ\t\n"), "a\u{fffd}[2J\u{fffd}\u{fffd}31mñ\u{fffd}\n");
    }
}
