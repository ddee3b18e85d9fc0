//! [`Greedy`]: the point of the greatest documented weight.

mod opening;

use super::book::{self, Advice};
use super::{Answer, Balance, BalanceStones, Decision, Evaluation, Limits, Picker, Question, Reason, Report};
use crate::board::{Board, Point, PointSet};
use crate::opening::ProcedureAnswer;
use crate::threat::PatternTable;
use crate::weights::WeightedPosition;

/// Plays the point of the greatest total weight. Winning moves and forced blocks are no special cases: the weights decide.
#[derive(Clone, Copy, Debug, Default)]
pub struct Greedy;

impl Picker for Greedy {
    fn answer(
        &mut self,
        question: Question,
        position: &mut WeightedPosition,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer> {
        if let Some(answer) = book::answer(question, position.board(), limits, report) {
            return Some(answer);
        }
        let decision = match question {
            Question::Move { .. } | Question::Defend => Decision::Move(greatest(position, limits)?),
            Question::Opening(question) => Decision::Opening(opening::answer(question, position)?),
            Question::Balance(Balance { stones, .. }) => {
                let first = greatest(position, limits)?;
                match stones {
                    BalanceStones::One => Decision::Move(first),
                    BalanceStones::Two => Decision::Pair([first, reply(position, first)?]),
                }
            }
        };
        if let Question::Move { lines: lines @ 1.. } = question {
            let weighed = |point| Some((point, position.weights(point)?));
            report(Report::Weights(ranking(position, limits).filter_map(weighed).take(lines).collect()));
        }
        Some(Answer { decision, reason: reason(decision, position), nodes: 1 })
    }

    fn is_instant(&self) -> bool {
        true
    }

    /// Fills the pattern table if the rule forbids points.
    fn preload(&self, position: &WeightedPosition, _: Evaluation) {
        let rule = position.board().rule();
        if rule.has_forbidden_points() {
            PatternTable::of(rule);
        }
    }
}

/// The allowed point of the greatest weight.
fn greatest(position: &WeightedPosition, limits: &Limits) -> Option<Point> {
    let is_free = limits.left_out.is_empty() && limits.book.is_none();
    if is_free { position.greatest() } else { ranking(position, limits).next() }
}

/// The allowed points, the greatest weight first.
fn ranking(position: &WeightedPosition, limits: &Limits) -> impl Iterator<Item = Point> + use<> {
    let allowed = allowed(position.board(), limits);
    position.ranking().into_iter().filter(move |&point| allowed.contains(point))
}

/// The empty points that are not left out, and do not lose in the book if others are left.
fn allowed(board: &Board, limits: &Limits) -> PointSet {
    let points = board.empty_points().iter().filter(|&point| !limits.left_out.contains(point)).collect();
    Advice::of(board, limits).keep(points)
}

/// The reply of the other side to a move. The points that the limits leave out apply only to the side to move.
fn reply(position: &mut WeightedPosition, first: Point) -> Option<Point> {
    position.play(first);
    let reply = greatest(position, &Limits::default());
    position.undo();
    reply
}

fn reason(decision: Decision, position: &WeightedPosition) -> Reason {
    let by_weights = |point: Point| position.weights(point).map_or(Reason::Centre, Reason::Weights);
    match decision {
        Decision::Move(_) if position.board().stone_count() == 0 => Reason::Centre,
        Decision::Move(point) | Decision::Pair([point, _]) => by_weights(point),
        Decision::Opening(ProcedureAnswer::Stones(stones)) if stones.len() == 1 => {
            stones.iter().next().map_or(Reason::Rule, by_weights)
        }
        Decision::Opening(_) => Reason::Rule,
    }
}
