//! Iterative deepening of one thread.

use std::sync::atomic::Ordering;

use super::multi_pv;
use super::search::{Searcher, Shared};
use crate::board::Point;
use crate::eval::Evaluator;
use crate::picker::tactics;
use crate::picker::time::{ONLY_MOVE_PER_CENT, Stability};
use crate::picker::{Choice, Line, Reason, Report};
use crate::position::{Accumulator, Position};
use crate::score::Score;

/// The result of a search so far.
#[derive(Default)]
pub(super) struct Progress {
    /// The best moves, the best first.
    lines: Vec<Line>,
    /// The best move of an unfinished first iteration that has no score.
    unfinished: Option<Point>,
    depth: u32,
    seldepth: u32,
    pub(super) nodes: u64,
    /// The score of the last search of the root: the middle of the next aspiration window.
    root_score: Score,
    /// Its best move, with which the next one begins. Multi-PV may have found a better one since.
    root_best: Option<Point>,
    /// Whether the lines were reported.
    is_reported: bool,
}

impl Progress {
    /// A proved win.
    pub(super) fn proof(line: Line, nodes: u64) -> Self {
        Self { lines: vec![line], nodes, ..Self::default() }
    }

    /// A finished iteration of this depth with one line.
    #[cfg(test)]
    pub(super) fn iteration(line: Line, depth: u32) -> Self {
        Self { lines: vec![line], depth, ..Self::default() }
    }

    /// The depth of the last finished iteration.
    pub(super) const fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether the score of the best move is final.
    pub(super) fn is_settled(&self) -> bool {
        self.first().is_some_and(|line| is_settled(line.score, self.depth))
    }

    /// The line of the best move.
    pub(super) fn first(&self) -> Option<&Line> {
        self.lines.first()
    }

    pub(super) fn point(&self) -> Option<Point> {
        self.first()?.points.first().copied()
    }

    /// Takes the root's best line of an iteration in which multi-PV was stopped. A new best move goes before the last
    /// best move, which it has beaten. If the best move is the same, its line is replaced, and moves up past lines with
    /// lower scores.
    fn update(&mut self, first: Line) {
        let point = first.points.first().copied();
        let Some(mut place) = self.place(point).filter(|_| point == self.root_best) else { return self.prefer(first) };
        self.lines[place] = first;
        while place > 0 && self.lines[place].score > self.lines[place - 1].score {
            self.lines.swap(place, place - 1);
            place -= 1;
        }
        self.is_reported = false;
    }

    /// Puts the line of a move that has beaten the root's best move before that move's line. Lines that multi-PV has
    /// ranked above that line stay above it.
    fn prefer(&mut self, line: Line) {
        let count = self.lines.len().max(1);
        self.lines.retain(|other| other.points.first() != line.points.first());
        let place = self.place(self.root_best).unwrap_or(0);
        self.lines.insert(place, line);
        self.lines.truncate(count);
        self.is_reported = false;
    }

    /// The place of the line of a move.
    fn place(&self, point: Option<Point>) -> Option<usize> {
        self.lines.iter().position(|line| point.is_some() && line.points.first().copied() == point)
    }

    /// This progress as a report.
    pub(super) fn report(&self, shared: &Shared) -> Report {
        let seldepth = self.seldepth.max(self.first().map_or(0, |line| line.points.len() as u32));
        shared.report(self.depth, seldepth, self.nodes, &self.lines)
    }

    /// The choice after this progress. Without a finished line it is the best move of the unfinished first iteration,
    /// else any move, and has no score.
    pub(super) fn choice<A: Accumulator>(&self, root: &Position<A>, nodes: u64) -> Option<Choice> {
        let line = self.first().and_then(|line| Some((line.score, *line.points.first()?)));
        let Some((score, point)) = line.filter(|&(_, point)| root.board().is_empty(point)) else {
            let point = self.unfinished.or_else(|| any_move(root))?;
            return Some(Choice { point, reason: Reason::Unfinished, nodes });
        };
        Some(Choice { point, reason: Reason::Search { score, depth: self.depth }, nodes })
    }
}

/// Iterative deepening until the clock, a limit or a decided score ends it. Every second thread begins one ply
/// deeper, so the threads search different depths. A proved move is not searched again. If the threads vote, a settled
/// score of one ends the search of all.
pub(super) fn deepen<E: Evaluator>(
    searcher: &mut Searcher<'_, E>,
    number: usize,
    proof: Option<&Line>,
    report: &mut dyn FnMut(Report),
) -> Progress {
    let shared = searcher.shared;
    let is_first = number == 0;
    let mut found = Progress { lines: proof.cloned().into_iter().collect(), ..Progress::default() };
    let mut stability = Stability::default();
    let is_only_move = tactics::is_only_move(searcher.position.threats());
    for depth in (1 + number as u32 % 2)..=shared.max_depth() {
        if is_first {
            searcher.grow_table();
        }
        let first = match proof {
            Some(line) => {
                searcher.evaluate_root();
                line.clone()
            }
            None => match search_root(searcher, depth, &mut found) {
                Some(line) => line,
                None => break,
            },
        };
        stability.add(first.points.first().copied(), first.score);
        let lines = match number {
            0 => multi_pv::lines(searcher, depth as i32, &first, &found.lines),
            _ => Some(vec![first.clone()]),
        };
        found.nodes = searcher.nodes;
        let Some(lines) = lines else {
            found.update(first);
            break;
        };
        let root_best = first.points.first().copied();
        found = Progress { lines, depth, seldepth: searcher.seldepth, root_best, ..found };
        if is_first {
            found.point().iter().for_each(|&point| shared.limits.control.set_best(point));
            report(found.report(shared));
            found.is_reported = true;
        }
        let is_settled = found.lines.iter().all(|line| is_settled(line.score, depth));
        let per_cent = if is_only_move { ONLY_MOVE_PER_CENT } else { stability.per_cent() };
        if is_settled && shared.has_vote() {
            shared.over.store(true, Ordering::Relaxed);
        }
        // The other threads help until the first one ends.
        if is_settled || is_first && shared.limits.control.is_spent(per_cent) {
            break;
        }
    }
    // The last report holds the choice, even if it comes from an unfinished iteration. A question for lines gets a
    // report even if no line was found.
    if is_first && !found.is_reported && (shared.lines > 0 || found.point().is_some()) {
        report(found.report(shared));
    }
    found
}

/// Searches the root to a depth; `None` if the search was stopped.
fn search_root<E: Evaluator>(searcher: &mut Searcher<'_, E>, depth: u32, found: &mut Progress) -> Option<Line> {
    (searcher.best, searcher.previous_best) = (None, found.root_best);
    let score = searcher.root(depth as i32, found.root_score);
    found.nodes = searcher.nodes;
    if searcher.stopped {
        // An iteration searches the best move of the last one first, so a new best move has beaten that move. Its exact
        // score may be unknown: it gets the score of the move that it has beaten, or in the first iteration the
        // greatest exact score so far, which its own may exceed.
        let is_new = |point: &Point| ![found.root_best, found.point()].contains(&Some(*point));
        if let Some(point) = searcher.best.filter(is_new) {
            let beaten = found.place(found.root_best).or((!found.lines.is_empty()).then_some(0));
            // A loss does not count: the moves that were not searched may be better.
            match beaten.map(|place| found.lines[place].score).or((!score.is_loss()).then_some(score)) {
                Some(score) => found.prefer(Line { score, points: searcher.line(point) }),
                None => found.unfinished = Some(point),
            }
        }
        return None;
    }
    found.root_score = score;
    let points = searcher.best.or(found.point()).map(|point| searcher.line(point));
    Some(Line { score, points: points.unwrap_or_default() })
}

/// Whether the score is final: a win, or a loss that the search has followed to its end.
pub(super) fn is_settled(score: Score, depth: u32) -> bool {
    score.is_win() || score.is_loss() && score.plies().is_some_and(|plies| plies <= depth)
}

/// The first empty point that is allowed, else the first empty point.
fn any_move<A: Accumulator>(root: &Position<A>) -> Option<Point> {
    let mover = root.board().turn();
    let mut points = root.board().empty_points().iter();
    let first = points.clone().next();
    points.find(|&point| !root.is_forbidden(point, mover)).or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_search_of_an_unfinished_iteration_leaves_a_better_move_of_multi_pv_first() {
        let line = |x, score| Line { score: Score::from_eval(score), points: vec![Point::new(x, 7).unwrap()] };
        // The root began with move 3, but multi-PV found that move 5 is better.
        let found = || Progress {
            lines: vec![line(5, 50), line(3, 40)],
            root_best: Point::new(3, 7),
            is_reported: true,
            ..Progress::default()
        };
        let after = |first: Line| {
            let mut found = found();
            found.update(first);
            assert!(!found.is_reported);
            found.lines
        };
        assert_eq!(after(line(3, 42)), [line(5, 50), line(3, 42)]);
        assert_eq!(after(line(3, 60)), [line(3, 60), line(5, 50)]);
        // A new best move was found to be better than move 3.
        assert_eq!(after(line(4, 45)), [line(5, 50), line(4, 45)]);
        assert_eq!(after(line(5, 45)), [line(5, 45), line(3, 40)]);
    }
}
