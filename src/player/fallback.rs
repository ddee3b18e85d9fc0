//! The answer when time is too short for a picker, or when the picker is late, fails, or breaks the rules.

use std::panic::{self, AssertUnwindSafe};

use crate::board::{Board, Point, PointSet};
use crate::picker::{
    Answer, Balance, BalanceStones, Decision, Greedy, Limits, Picker, Question, Reason, Report, urgent_move,
};
use crate::position::ThreatBoard;
use crate::weights::WeightedPosition;

/// Returns the first legal answer of these: the picker's answer, its best point so far, the answer [`at_once`], any empty
/// point. `None` on a full board. Takes some hundred microseconds.
///
/// The best point so far answers only a question for a move or a defence. For other questions the picker compares several
/// boards, and the point may belong to another one.
pub(super) fn settle(
    question: Question,
    answer: Option<Answer>,
    best: Option<Point>,
    position: &WeightedPosition,
    limits: &Limits,
) -> Option<Answer> {
    let (board, left_out) = (position.board(), &limits.left_out);
    let allowed = |point: &Point| !left_out.contains(*point);
    let unfinished = |point| {
        let decision = match question {
            Question::Move { .. }
            | Question::Defend
            | Question::Balance(Balance { stones: BalanceStones::One, .. }) => Decision::Move(point),
            Question::Opening(question) => Decision::Opening(question.any_answer(board)?),
            Question::Balance(Balance { stones: BalanceStones::Two, .. }) => {
                let other = board.empty_points().iter().find(|&other| other != point)?;
                Decision::Pair([point, other])
            }
        };
        Some(Answer { decision, reason: Reason::Unfinished, nodes: 0 })
    };
    let is_of_this_board = matches!(question, Question::Move { .. } | Question::Defend);
    let best = best.filter(|_| is_of_this_board).and_then(unfinished);
    let legal = |answer: &Answer| is_legal(question, answer, board, left_out);
    answer
        .filter(legal)
        .or_else(|| best.filter(legal))
        .or_else(|| at_once(question, position, limits, &mut |_| {}).filter(legal))
        .or_else(|| board.empty_points().iter().find(allowed).and_then(unfinished))
}

/// The answer without a search: a five, a block of one, or a four that wins, else the greedy picker's answer, which may be
/// that of a book. `None` also after a panic. A question that asks for lines gets those of the greedy picker. Takes some
/// hundred microseconds, because the threats are found from scratch.
pub(super) fn at_once(
    question: Question,
    position: &WeightedPosition,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Option<Answer> {
    let urgent = || {
        if question != Question::MOVE {
            return None;
        }
        let point = urgent_move(&ThreatBoard::new(position.board().clone()))?;
        let answer = Answer { decision: Decision::Move(point), reason: Reason::Unfinished, nodes: 0 };
        (!limits.left_out.contains(point)).then_some(answer)
    };
    let answer = || urgent().or_else(|| Greedy.answer(question, &mut position.clone(), limits, report));
    panic::catch_unwind(AssertUnwindSafe(answer)).ok().flatten()
}

/// Whether an answer fits its question, with all stones on different empty points.
fn is_legal(question: Question, answer: &Answer, board: &Board, left_out: &PointSet) -> bool {
    let stones = |stones: &[Point]| {
        let placed = PointSet::from_iter(stones.iter().copied().filter(|&point| board.is_empty(point)));
        placed.len() == stones.len()
    };
    match (question, &answer.decision) {
        (
            Question::Move { .. } | Question::Defend | Question::Balance(Balance { stones: BalanceStones::One, .. }),
            Decision::Move(point),
        ) => board.is_empty(*point) && !left_out.contains(*point),
        (Question::Balance(Balance { stones: BalanceStones::Two, .. }), Decision::Pair(points)) => stones(points),
        (Question::Opening(question), Decision::Opening(answer)) => question.check(board, answer).is_ok(),
        _ => false,
    }
}
