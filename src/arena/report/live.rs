//! [`Live`]: the line that shows the state of a match in play, or plain lines if the error output is not a terminal.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use super::printable;
use crate::arena::journal::MatchRecord;
use crate::arena::schedule::Schedule;
use crate::arena::stats::pentanomial::Estimate;
use crate::arena::stats::results::{Results, Tally, sequential};
use crate::notation::record::GameRecord;
use crate::shard::Shard;

/// The interval of plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(30);

/// The interval at which the line on a terminal is updated.
const TERMINAL_INTERVAL: Duration = Duration::from_secs(1);

/// Shows a match in play on the error output.
#[derive(Debug)]
pub struct Live {
    terminal: bool,
    quiet: bool,
    start: Instant,
    before: usize,
    total: Option<usize>,
    shown: Instant,
    drawn: bool,
}

impl Live {
    /// A match that continues from `played`. Shows nothing if `quiet`.
    pub fn new(played: &MatchRecord, quiet: bool) -> Self {
        let now = Instant::now();
        Self {
            terminal: io::stderr().is_terminal(),
            quiet,
            start: now,
            before: played.games.len(),
            total: Schedule::total(&played.config),
            shown: now,
            drawn: false,
        }
    }

    /// Updates the line once its interval has passed.
    pub fn tick(&mut self, played: &MatchRecord) {
        let rest = if self.terminal { TERMINAL_INTERVAL } else { PLAIN_INTERVAL };
        if self.quiet || self.shown.elapsed() < rest {
            return;
        }
        self.shown = Instant::now();
        let line = self.line(played);
        if self.terminal {
            // Without wrapping a narrow terminal cuts the line and stays in its row.
            self.print(&format!("\r\x1b[?7l{line}\x1b[K\x1b[?7h"));
            self.drawn = true;
        } else {
            self.print(&format!("{line}\n"));
        }
    }

    /// Shows a game that an engine lost by failing as a program.
    pub fn game(&mut self, game: &GameRecord) {
        if !self.quiet && game.end.is_forfeit() {
            let GameRecord { game: id, end, detail, .. } = game;
            let loser = game.loser().unwrap_or_default();
            let line = format!("game {id}: {loser} loses ({end}): {detail}");
            self.clear();
            self.print(&format!("{}\n", printable(&line)));
        }
    }

    /// Erases the line, before other output.
    pub fn clear(&mut self) {
        if self.drawn {
            self.print("\r\x1b[K");
            self.drawn = false;
        }
    }

    fn print(&self, text: &str) {
        // A closed error output does not end the match.
        let mut stderr = io::stderr().lock();
        let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
    }

    fn line(&self, played: &MatchRecord) -> String {
        let done = played.games.len();
        let mut line = format!("{done}");
        // Writing to a string cannot fail.
        if let Some(total) = self.total {
            let _ = write!(line, "/{total}");
        }
        line += " games";
        if played.config.engines.len() == 2 {
            let results = Results::gather(std::slice::from_ref(played), usize::MAX);
            let Tally([wins, draws, losses]) = results.tally(0);
            let _ = write!(line, "  W {wins} D {draws} L {losses}");
            let estimate = results.pairings.values().next().and_then(|pairing| pairing.pairs.estimate());
            if let Some(estimate) = estimate {
                let Estimate { elo, low, high, los, .. } = estimate;
                let _ = write!(line, "  Elo {elo:+.0} [{low:+.0}, {high:+.0}]  LOS {:.1} %", los * 100.0);
            }
            if let Some((progress, _)) = sequential(played).filter(|_| played.config.shard == Shard::WHOLE) {
                let _ = write!(line, "  LLR {:.2} [{:.2}, {:.2}]", progress.llr, progress.lower, progress.upper);
            }
        }
        let hours = self.start.elapsed().as_secs_f64() / 3600.0;
        let rate = (done - self.before) as f64 / hours;
        if done > self.before {
            let _ = write!(line, "  {rate:.0} games/h");
            if let Some(total) = self.total {
                let seconds = (total.saturating_sub(done) as f64 / rate * 3600.0) as u64;
                let _ = write!(line, "  {}:{:02}:{:02} left", seconds / 3600, seconds / 60 % 60, seconds % 60);
            }
        }
        line
    }
}
