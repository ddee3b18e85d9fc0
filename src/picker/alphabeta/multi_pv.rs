//! Multi-PV: the root moves after the best.

use super::moves;
use super::search::Searcher;
use crate::board::Point;
use crate::eval::Evaluator;
use crate::picker::{Line, tactics};
use crate::score::Score;

/// The first line and, if more are wanted, those of the next best moves at this depth, ordered by score. `None` if the
/// search was stopped.
///
/// The moves of `before`, the lines of the last iteration, are tried first, then those of a book, so that few others are
/// searched in full.
pub(super) fn lines<E: Evaluator>(
    searcher: &mut Searcher<'_, E>,
    depth: i32,
    first: &Line,
    before: &[Line],
) -> Option<Vec<Line>> {
    let more = searcher.shared.lines.saturating_sub(1);
    let mut lines = vec![first.clone()];
    if more == 0 {
        return Some(lines);
    }
    let left_out = first.points.first().copied();
    let others = candidates(searcher, before).into_iter().filter(|&point| Some(point) != left_out);
    lines.extend(best_of(searcher, others, more, depth)?);
    lines.sort_by_key(|line| std::cmp::Reverse(line.score));
    Some(lines)
}

/// The lines of the best of these moves at a depth, at most `count`, the best first. `None` if the search was stopped.
pub(super) fn best_of<E: Evaluator>(
    searcher: &mut Searcher<'_, E>,
    points: impl Iterator<Item = Point>,
    count: usize,
    depth: i32,
) -> Option<Vec<Line>> {
    let mut best: Vec<(Score, Point)> = Vec::new();
    for point in points {
        let last = best.last().filter(|_| best.len() >= count).map(|&(score, _)| score);
        let score = score(searcher, point, depth, last);
        if searcher.stopped {
            return None;
        }
        let Some(score) = score else { continue };
        let rank = best.partition_point(|&(better, _)| better >= score);
        best.insert(rank, (score, point));
        best.truncate(count);
    }
    Some(best.into_iter().map(|(score, point)| Line { score, points: searcher.line(point) }).collect())
}

/// The root moves in the order in which to try them.
fn candidates<E: Evaluator>(searcher: &mut Searcher<'_, E>, before: &[Line]) -> Vec<Point> {
    let advice = &searcher.shared.advice;
    let position = &mut searcher.position;
    let mover = position.board().turn();
    let points = tactics::near(position.board());
    let mut candidates: Vec<Point> = before.iter().filter_map(|line| line.points.first().copied()).collect();
    let by_book = advice.first.iter().copied();
    for point in by_book.chain(moves::ordered(position, &points, searcher.history)) {
        if !candidates.contains(&point) {
            candidates.push(point);
        }
    }
    candidates.retain(|&point| position.board().is_empty(point) && !position.is_forbidden(point, mover));
    candidates.retain(|&point| !advice.avoided.contains(point));
    candidates
}

/// The score of a move, if it is above `last`, the score of the last line so far.
fn score<E: Evaluator>(searcher: &mut Searcher<'_, E>, point: Point, depth: i32, last: Option<Score>) -> Option<Score> {
    let board = searcher.position.board();
    if board.wins(point, board.turn()) {
        let score = Score::win_at(1);
        return Some(score).filter(|&score| last.is_none_or(|last| score > last));
    }
    if let Some(last) = last {
        // A zero-window search rejects most moves.
        if searcher.root_move(point, depth, last, last + 1) <= last || searcher.stopped {
            return None;
        }
    }
    let score = searcher.root_move(point, depth, last.unwrap_or(-Score::INFINITE), Score::INFINITE);
    Some(score).filter(|&score| last.is_none_or(|last| score > last))
}
