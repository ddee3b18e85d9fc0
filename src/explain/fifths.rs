//! [`FifthsTable`]: the document's table of fifth moves (五手N打), compared with a search.
//!
//! Black offers its best distinct fifth moves and white leaves the worst of them. After white's best fourth stone, the value
//! of N fifth moves is therefore that of the N-th best distinct one.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use crate::board::{Point, Rule, Size};
use crate::notation::Letters;
use crate::opening::{MOST_STONES, NamedOpening, StoneSymmetries, Verdict};
use crate::picker::{Deadlines, Evaluation, Limits, PickerName, Question, Report, SearchControl};
use crate::platform::Instant;
use crate::score::Score;
use crate::weights::{WeightedPosition, Weighting};

/// The greatest winning chance of the better side that counts as even.
const EVEN_SHARE: f32 = 0.65;

/// The greatest winning chance of the better side that does not count as won.
const BETTER_SHARE: f32 = 0.85;

/// The search's scores for each of the 26 and each number of fifth moves.
#[derive(Debug)]
pub struct FifthsTable {
    time: Duration,
    rows: Vec<FifthsRow>,
}

/// One opening.
#[derive(Debug)]
pub struct FifthsRow {
    /// The opening.
    pub opening: &'static NamedOpening,
    /// White's best fourth stone.
    pub fourth: Point,
    /// The scores of black's best distinct fifth moves, the best first. With N fifth moves the N-th counts.
    pub scores: Vec<Score>,
}

/// The verdict of the document that a score for black corresponds to.
pub fn verdict(score: Score) -> Verdict {
    let share = score.win_chance();
    match share {
        _ if share > BETTER_SHARE => Verdict::BlackWins,
        _ if share > EVEN_SHARE => Verdict::BlackBetter,
        _ if share >= 1.0 - EVEN_SHARE => Verdict::Even,
        _ if share >= 1.0 - BETTER_SHARE => Verdict::WhiteBetter,
        _ => Verdict::WhiteWins,
    }
}

impl FifthsTable {
    /// Searches each of the 26 on 15 × 15 under renju: `time` for white's fourth stone, and for each of twelve fifth moves.
    pub fn search(time: Duration, evaluation: Evaluation, mut show: impl FnMut(&FifthsRow)) -> Self {
        let mut rows = Vec::new();
        for opening in NamedOpening::all() {
            let row = search(opening, time, evaluation);
            row.iter().for_each(&mut show);
            rows.extend(row);
        }
        Self { time, rows }
    }

    /// The number of questions on which the document and the search agree, and the number of all.
    pub fn agreement(&self) -> (usize, usize) {
        let counts = self.rows.iter().map(FifthsRow::agreement);
        counts.fold((0, 0), |(same, all), (more, of)| (same + more, all + of))
    }
}

impl FifthsRow {
    /// The number of fifth moves on which the document and the search agree, and the number of all.
    pub fn agreement(&self) -> (usize, usize) {
        let same = (1..).zip(&self.scores).filter(|(number, score)| verdict(**score) == self.opening.verdict(*number));
        (same.count(), self.scores.len())
    }

    /// The sum of the steps between the two verdicts, over all numbers of fifth moves; positive if the search prefers white
    /// more than the document does.
    pub fn difference(&self) -> i32 {
        let step = |(number, score): (u8, &Score)| verdict(*score) as i32 - self.opening.verdict(number) as i32;
        (1..).zip(&self.scores).map(step).sum()
    }
}

fn search(opening: &'static NamedOpening, time: Duration, evaluation: Evaluation) -> Option<FifthsRow> {
    let mut picker = PickerName::Search.build();
    let mut position = WeightedPosition::new(opening.board(Size::FIFTEEN, Rule::Renju), Weighting::default());
    let limits = |time| {
        let control = Arc::new(SearchControl::since(Instant::now()));
        control.set_deadlines(Deadlines::within(time));
        Limits { control, evaluation, ..Limits::default() }
    };
    let fourth = picker.pick(&mut position, &limits(time))?.point;
    position.play(fourth);
    let board = position.board();
    let distinct = StoneSymmetries::of(board).distinct(board.near_stones().iter().chain(board.empty_points().iter()));
    let left_out = board.empty_points().iter().filter(|point| !distinct.contains(point)).collect();
    let limits = Limits { left_out, ..limits(time * MOST_STONES as u32) };
    let mut scores = Vec::new();
    picker.answer(Question::Move { lines: MOST_STONES }, &mut position, &limits, &mut |report| {
        if let Report::Search(info) = report {
            scores = info.lines.iter().map(|line| line.score).collect();
        }
    })?;
    Some(FifthsRow { opening, fourth, scores })
}

/// A row of the table: the scores, each with the document's verdict if it differs.
impl fmt::Display for FifthsRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (same, all) = self.agreement();
        let (opening, fourth) = (self.opening, Letters::new(Size::FIFTEEN).point(self.fourth));
        write!(f, "| {} {} | {fourth} |", opening.code(), opening.romaji)?;
        for (number, &score) in (1..).zip(&self.scores) {
            match opening.verdict(number) {
                expected if expected == verdict(score) => write!(f, " {score} |")?,
                expected => write!(f, " {score} {} |", sign(expected))?,
            }
        }
        for _ in self.scores.len()..MOST_STONES {
            f.write_str(" |")?;
        }
        write!(f, " {same}/{all} | {:+} |", self.difference())
    }
}

/// A verdict in a column of the table.
const fn sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::BlackWins => "B+",
        Verdict::BlackBetter => "B",
        Verdict::Even => "=",
        Verdict::WhiteBetter => "W",
        Verdict::WhiteWins => "W+",
    }
}

impl FifthsTable {
    /// The head of the table.
    pub fn head() -> String {
        let numbers: String = (1..=MOST_STONES).map(|number| format!(" {number} |")).collect();
        let rule = "| --- ".repeat(MOST_STONES + 4) + "|";
        format!("| opening | fourth |{numbers} same | steps |\n{rule}")
    }
}

/// The lines below the table.
impl fmt::Display for FifthsTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (same, all) = self.agreement();
        let milliseconds = self.time.as_millis();
        write!(f, "{same} of {all} verdicts agree, {milliseconds} ms a question; the greatest differences:")?;
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by_key(|row| -row.difference().abs());
        rows.iter().take(5).try_for_each(|row| write!(f, " {} {:+}", row.opening.code(), row.difference()))
    }
}
