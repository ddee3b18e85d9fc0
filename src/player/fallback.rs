//! The answer where a picker was late, failed, or answered against the rules.

use std::panic::{self, AssertUnwindSafe};

use crate::board::{Board, Point, PointSet};
use crate::opening::swap2;
use crate::picker::{Answer, Decision, Greedy, Limits, Picker, Question, Reason};
use crate::weights::WeightedPosition;

/// The first legal one of: the picker's answer, its best point so far, the greedy picker's answer, any empty point.
/// `None` on a full board. Costs some microseconds.
///
/// The best point so far does not answer a question about Swap2: it may be meant for another of the boards that the
/// picker compares.
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

/// The greedy picker's answer; `None` also where it panics.
fn greedy(question: Question, position: &WeightedPosition) -> Option<Answer> {
    let mut position = position.clone();
    let answer = || Greedy.answer(question, &mut position, &Limits::default(), &mut |_| {});
    panic::catch_unwind(AssertUnwindSafe(answer)).ok().flatten()
}

/// Whether an answer fits its question, and all of its stones lie on different empty points.
fn is_legal(question: Question, answer: &Answer, board: &Board) -> bool {
    match (question, &answer.decision) {
        (Question::Move { .. }, Decision::Move(point)) => board.is_empty(*point),
        (Question::Swap2, Decision::Swap2(answer)) => {
            let stones = answer.stones();
            let placed = PointSet::from_iter(stones.iter().copied().filter(|&point| board.is_empty(point)));
            is_swap2_answer(board.stone_count(), answer) && placed.len() == stones.len()
        }
        (Question::Move { .. }, Decision::Swap2(_)) | (Question::Swap2, Decision::Move(_)) => false,
    }
}

/// Whether Swap2 allows an answer of this kind to this number of stones. Other numbers than 0, 3 and 5 pose no question
/// and are answered by a move.
fn is_swap2_answer(stones: usize, answer: &swap2::Answer) -> bool {
    match swap2::Question::of(stones) {
        Some(question) => question.read(answer.stones()) == Ok(*answer),
        None => matches!(answer, swap2::Answer::Play(_)),
    }
}
