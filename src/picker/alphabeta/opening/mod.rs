//! Answers to opening procedures by search: scores of the stones decide.
//!
//! ```text
//! three stones       the most even of some openings, with the number of fifth moves if it must be announced
//! a swap             the better color
//! one stone          the best; the most even one if the other player may swap next
//! a fourth stone     the one after which black's last fifth move is worst, or the most even one with its number of them
//! fifth moves        black offers its best, no two equivalent; white leaves the worst of those offered
//! Swap2              two more stones if the board is even and they keep it so; else the better color
//! ```

mod fifths;
mod first;

use std::sync::Arc;

use self::fifths::worths;
use super::{AlphaBeta, analysis};
use crate::board::Point;
use crate::eval::Evaluator;
use crate::opening::{self, Ahead, ProcedureQuestion, Square, Stones};
use crate::picker::{
    self, Answer, Balance, BalanceStones, Choice, Decision, Limits, Line, Reason, Report, SearchControl, time,
};
use crate::position::Position;
use crate::score::Score;

/// Number of replies compared as the second of two stones. Set by hand.
const REPLIES: usize = 8;

/// Answers a question about the stones on the board; `None` if there was no time for a score, and on a full board.
pub(super) fn answer<E: Evaluator>(
    picker: &mut AlphaBeta,
    question: ProcedureQuestion,
    root: &mut Position<E>,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Option<Answer> {
    let compared;
    let limits = if compares(question, root.board().stone_count()) {
        let control = Arc::new(SearchControl::comparison(Arc::clone(&limits.control)));
        compared = Limits { control, ..limits.clone() };
        &compared
    } else {
        limits
    };
    let mut study = Study { picker, root, limits };
    match question {
        ProcedureQuestion::Open(opening) => study.open(opening),
        ProcedureQuestion::Swap(ahead) => study.swap(ahead, report),
        ProcedureQuestion::Stone(square) => study.stone(square, picker::Question::MOVE, report),
        ProcedureQuestion::StoneBeforeSwap(square) => {
            let even = picker::Question::Balance(Balance { stones: BalanceStones::One, bias: 0 });
            study.stone(square, even, report)
        }
        ProcedureQuestion::FourthFor { fifths } => {
            let (score, point) = study.fourth(fifths)?;
            Some(answered(opening::ProcedureAnswer::stone(point), -score))
        }
        ProcedureQuestion::Fourth { most } => {
            let (score, point, number) = study.fourth_and_number(most)?;
            Some(answered(opening::ProcedureAnswer::Announce([point].into_iter().collect(), number), -score))
        }
        ProcedureQuestion::Choose => study.choose(report),
        ProcedureQuestion::Decide => color(&study.picker.search(study.root, 0, limits, report)?),
        ProcedureQuestion::FifthOrOffer(square, count) => study.fifth_or_offer(square, count),
        ProcedureQuestion::Offer(count) => {
            let found = study.best_fifths(count)?;
            let worst = found.iter().map(|&(score, _)| score).min()?;
            let stones = all_distinct(study.root, &found, count)?;
            Some(answered(opening::ProcedureAnswer::Stones(stones), worst))
        }
        ProcedureQuestion::Pick(offered) => {
            let (score, point) = study.worst_fifth(offered)?;
            Some(answered(opening::ProcedureAnswer::stone(point), -score))
        }
    }
}

/// Whether a question after this number of stones is answered by comparing several searches.
const fn compares(question: ProcedureQuestion, stones: usize) -> bool {
    match question {
        ProcedureQuestion::Swap(Ahead::Fifths(_)) => stones <= 3,
        ProcedureQuestion::Open(_)
        | ProcedureQuestion::Swap(Ahead::Fourth { .. })
        | ProcedureQuestion::FourthFor { .. }
        | ProcedureQuestion::Fourth { .. }
        | ProcedureQuestion::Choose
        | ProcedureQuestion::Pick(_) => true,
        ProcedureQuestion::Swap(Ahead::Game)
        | ProcedureQuestion::Stone(_)
        | ProcedureQuestion::StoneBeforeSwap(_)
        | ProcedureQuestion::Decide
        | ProcedureQuestion::FifthOrOffer(..)
        | ProcedureQuestion::Offer(_) => false,
    }
}

/// The comparison of possible answers: the search, the position, and the limits of this part of the work.
struct Study<'a, E: Evaluator> {
    picker: &'a mut AlphaBeta,
    root: &'a mut Position<E>,
    limits: &'a Limits,
}

/// Keeps the lines of the last report.
fn keep_lines(lines: &mut Vec<Line>) -> impl FnMut(Report) {
    move |report| {
        if let Report::Search(info) = report {
            *lines = info.lines;
        }
    }
}

/// An answer decided by this score for the player.
const fn answered(answer: opening::ProcedureAnswer, score: Score) -> Answer {
    Answer { decision: Decision::Opening(answer), reason: Reason::Search { score, depth: 1 }, nodes: 0 }
}

/// An answer with the reason of a choice.
const fn with_reason(answer: opening::ProcedureAnswer, choice: &Choice) -> Answer {
    Answer { decision: Decision::Opening(answer), reason: choice.reason, nodes: choice.nodes }
}

/// The score for the side to move; `None` if there was no time for one.
fn score_of(choice: &Choice) -> Option<Score> {
    choice.reason.searched().map(|(score, _)| score)
}

/// The distance of a score to even.
fn distance(score: Score) -> i32 {
    score.value().abs()
}

/// Takes the other color if the score of the side to move is below 0.
fn keep_or_swap(choice: &Choice) -> Option<Answer> {
    let is_behind = score_of(choice)? < Score::ZERO;
    let answer = if is_behind { opening::ProcedureAnswer::Swap } else { opening::ProcedureAnswer::Keep };
    Some(with_reason(answer, choice))
}

/// Takes the better color: white, which is to move, with its best stone, or black.
fn color(choice: &Choice) -> Option<Answer> {
    let is_behind = score_of(choice)? < Score::ZERO;
    let answer = if is_behind { opening::ProcedureAnswer::Swap } else { opening::ProcedureAnswer::stone(choice.point) };
    Some(with_reason(answer, choice))
}

impl<E: Evaluator> Study<'_, E> {
    /// The same study within other limits.
    fn limited_to<'b>(&'b mut self, limits: &'b Limits) -> Study<'b, E> {
        Study { picker: self.picker, root: self.root, limits }
    }

    /// Studies the position after a stone, and takes the stone back.
    fn after<T>(&mut self, stone: Point, study: impl FnOnce(&mut Self) -> T) -> T {
        self.root.play(stone);
        let found = study(self);
        self.root.undo();
        found
    }

    /// The move of a square that answers a question. A square with one empty point is not searched.
    fn stone(&mut self, square: Square, question: picker::Question, report: &mut dyn FnMut(Report)) -> Option<Answer> {
        let board = self.root.board();
        let inside = square.empty_points(board);
        if let (1, Some(only)) = (inside.len(), inside.iter().next()) {
            return Some(with_reason(
                opening::ProcedureAnswer::stone(only),
                &Choice { point: only, reason: Reason::Rule, nodes: 0 },
            ));
        }
        let left_out = board.empty_points().iter().filter(|&point| !inside.contains(point)).collect();
        let limits = Limits { left_out, ..self.limits.clone() };
        let choice = analysis::answer(self.picker, question, self.root, &limits, report)?.choice()?;
        Some(with_reason(opening::ProcedureAnswer::stone(choice.point), &choice))
    }

    /// Takes the other color if the score of the side to move is below 0.
    fn swap(&mut self, ahead: Ahead, report: &mut dyn FnMut(Report)) -> Option<Answer> {
        let score = match ahead {
            Ahead::Game => return keep_or_swap(&self.picker.search(self.root, 0, self.limits, report)?),
            // Black is to move after the fourth stone, white before it.
            Ahead::Fifths(fifths) if self.root.board().stone_count() > 3 => {
                *worths(&self.best_fifths(fifths)?).get(usize::from(fifths) - 1)?
            }
            Ahead::Fifths(fifths) => -self.fourth(fifths)?.0,
            // The player of the fourth stone lets the other one choose a color. That costs nothing on an even board.
            Ahead::Fourth { most } => {
                let (score, ..) = self.fourth_and_number(most)?;
                Score::from_eval(Score::EVEN - distance(score))
            }
        };
        Some(answered(
            if score < Score::ZERO { opening::ProcedureAnswer::Swap } else { opening::ProcedureAnswer::Keep },
            score,
        ))
    }

    /// Swap2 after three stones.
    fn choose(&mut self, report: &mut dyn FnMut(Report)) -> Option<Answer> {
        let control = Arc::new(SearchControl::part(Arc::clone(&self.limits.control), time::COLOR_PER_CENT));
        let choice = self.picker.search(self.root, 0, &Limits { control, ..self.limits.clone() }, report)?;
        let is_even = score_of(&choice).is_some_and(|score| distance(score) <= Score::EVEN);
        let stones = if is_even && !self.limits.control.must_stop() { self.two_stones(choice.point) } else { None };
        stones.map_or_else(
            || color(&choice),
            |stones| Some(with_reason(opening::ProcedureAnswer::Stones(stones), &choice)),
        )
    }

    /// White's best stone, and black's most even reply; `None` if no reply is even.
    fn two_stones(&mut self, white: Point) -> Option<Stones> {
        let mut replies = Vec::new();
        self.after(white, |study| {
            study.picker.search(study.root, REPLIES, study.limits, &mut keep_lines(&mut replies))
        });
        let nearest = replies
            .iter()
            .min_by_key(|line| distance(line.score))
            .filter(|line| distance(line.score) <= Score::EVEN)?;
        Some([white, *nearest.points.first()?].into_iter().collect())
    }

    /// Taraguchi after the fourth stone, for black: many fifth moves if even the last of them is good for black; one stone
    /// if it leaves an even board to the player who may swap; else white, which may swap next.
    fn fifth_or_offer(&mut self, square: Square, count: u8) -> Option<Answer> {
        let found = self.best_fifths(count)?;
        let last = worths(&found).get(usize::from(count) - 1).copied();
        if let Some(score) = last.filter(|&score| score > Score::ZERO) {
            return Some(answered(opening::ProcedureAnswer::Stones(all_distinct(self.root, &found, count)?), score));
        }
        let inside = found.iter().filter(|(_, point)| square.contains(*point, self.root.board().size()));
        match inside.min_by_key(|(score, _)| distance(*score)) {
            Some(&(score, point)) if distance(score) <= Score::EVEN => {
                Some(answered(opening::ProcedureAnswer::stone(point), score))
            }
            _ => Some(answered(opening::ProcedureAnswer::Swap, Score::ZERO)),
        }
    }
}

/// The fifth moves found, the most even first. If they are too few, moves that were not searched follow: they are worse
/// for black, and white will take one of them.
fn all_distinct<E: Evaluator>(root: &Position<E>, found: &[(Score, Point)], count: u8) -> Option<Stones> {
    let mut found = found.to_vec();
    found.sort_by_key(|&(score, _)| distance(score));
    let others = root.board().near_stones();
    let points =
        found.into_iter().map(|(_, point)| point).chain(others.iter()).chain(root.board().empty_points().iter());
    let distinct = opening::StoneSymmetries::of(root.board()).distinct(points);
    let stones: Stones = distinct.into_iter().take(count.into()).collect();
    (stones.len() == usize::from(count)).then_some(stones)
}
