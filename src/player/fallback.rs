//! What is answered where a picker was late, failed, or answered against the rules.

use std::panic::{self, AssertUnwindSafe};

use crate::board::{Board, Point, PointSet};
use crate::opening::swap2;
use crate::picker::{Answer, Decision, Greedy, Limits, Picker, Question, Reason};
use crate::weights::WeightedPosition;

/// The answer to a question: the picker's where it is legal, else its best point so far, else the greedy picker's, else
/// any empty point. `None` on a full board.
///
/// About Swap2 the best point so far tells nothing: it may lie in any of the boards that the picker has looked at.
pub(super) fn settle(
    question: Question,
    answer: Option<Answer>,
    best: Option<Point>,
    position: &WeightedPosition,
) -> Option<Answer> {
    let board = position.board();
    let decision = |point| match question {
        Question::Move { .. } => Decision::Move(point),
        Question::Swap2 => Decision::Swap2(swap2::Answer::Play(point)),
    };
    let unfinished = |point| Answer { decision: decision(point), reason: Reason::Unfinished, nodes: 0 };
    let best = best.filter(|_| matches!(question, Question::Move { .. })).map(unfinished);
    let legal = |answer: &Answer| is_legal(question, answer, board);
    answer
        .filter(legal)
        .or_else(|| best.filter(legal))
        .or_else(|| greedy(question, position).filter(legal))
        .or_else(|| board.empty_points().iter().next().map(unfinished))
}

/// What the weights in use answer; `None` also where that panics.
fn greedy(question: Question, position: &WeightedPosition) -> Option<Answer> {
    let mut position = position.clone();
    let answer = || Greedy.answer(question, &mut position, &Limits::default(), &mut |_| {});
    panic::catch_unwind(AssertUnwindSafe(answer)).ok().flatten()
}

/// Whether an answer fits its question, and its stones the board, no point twice.
fn is_legal(question: Question, answer: &Answer, board: &Board) -> bool {
    match (question, &answer.decision) {
        (Question::Move { .. }, Decision::Move(point)) => board.is_empty(*point),
        (Question::Swap2, Decision::Swap2(answer)) => {
            let stones = answer.stones();
            let placed = PointSet::from_iter(stones.iter().copied().filter(|&point| board.is_empty(point)));
            placed.len() == stones.len()
        }
        (Question::Move { .. }, Decision::Swap2(_)) | (Question::Swap2, Decision::Move(_)) => false,
    }
}
