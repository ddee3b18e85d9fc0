//! Questions that search each root move separately. The root gets no table entry, because its excluded points must not
//! affect later searches.
//!
//! ```text
//! excluded points    the best of the other moves
//! defend             zero-window searches find the moves that lose; the rest get scores
//! balance            the move whose score is nearest to the wanted one, by a window that narrows round it
//! ```

use std::sync::atomic::Ordering;

use super::AlphaBeta;
use super::deepen::is_settled;
use super::history::History;
use super::moves;
use super::multi_pv::best_of;
use super::search::{Searcher, Shared};
use crate::board::{Point, PointSet};
use crate::eval::Evaluator;
use crate::picker::book::Advice;
use crate::picker::time::Stability;
use crate::picker::{
    Answer, Balance, BalanceStones, Choice, Decision, Limits, Line, Question, Reason, Report, tactics,
};
use crate::position::Position;
use crate::score::Score;

/// The lowest score that is not a loss.
const LEAST_UNDECIDED: Score = Score::from_eval(i32::MIN);

/// Number of first stones of a pair that are compared, the likeliest ones. Set by hand.
const FIRST_STONES: usize = 12;

/// Answers a question about the root moves; `None` on a full board.
pub(super) fn answer<E: Evaluator>(
    picker: &mut AlphaBeta,
    question: Question,
    root: &Position<E>,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Option<Answer> {
    let advice = Advice::of(root.board(), limits);
    let mut candidates = candidates(root, question, &limits.left_out);
    advice.arrange(&mut candidates);
    let any = *candidates.first()?;
    let table = picker.prepare(root, limits);
    let lines = match question {
        Question::Move { lines } => lines.max(1),
        Question::Opening(_) | Question::Defend | Question::Balance(_) => candidates.len(),
    };
    let shared = Shared::new(table, limits, lines, advice);
    let worker = picker.workers.first_mut()?;
    let mut searcher = Searcher::new(root.clone(), &shared, &mut worker.history, &mut worker.vcf);
    searcher.evaluate_root();
    let mut analysis = Analysis { searcher, candidates, found: Vec::new(), depth: 0, report };
    match question {
        Question::Balance(balance) => {
            let worth = |score| Score::from_eval(-distance(score, Score::from_eval(balance.bias)));
            analysis.deepen(|analysis, depth| analysis.balanced(balance, depth), worth);
        }
        Question::Defend => analysis.deepen(Analysis::defences, |score| score),
        Question::Move { .. } | Question::Opening(_) => analysis.deepen(Analysis::best, |score| score),
    }
    analysis.answer(question, any)
}

/// The search of one question.
struct Analysis<'a, 'r, E: Evaluator> {
    searcher: Searcher<'a, E>,
    /// The allowed root moves, the likely ones first.
    candidates: Vec<Point>,
    /// The result of the last iteration, the best first.
    found: Vec<Line>,
    depth: u32,
    report: &'r mut dyn FnMut(Report),
}

impl<E: Evaluator> Analysis<'_, '_, E> {
    /// Searches deeper and deeper until the clock, a limit or decided scores end it. `worth` returns how good a score is.
    fn deepen(&mut self, mut search: impl FnMut(&mut Self, i32) -> Option<Vec<Line>>, worth: impl Fn(Score) -> Score) {
        let shared = self.searcher.shared;
        let mut stability = Stability::default();
        for depth in 1..=shared.max_depth() {
            self.searcher.grow_table();
            self.searcher.seldepth = 0;
            let Some(lines) = search(self, depth as i32) else { break };
            let first = |lines: &[Line]| lines.first().and_then(|line| line.points.first().copied());
            stability.add(first(&lines), lines.first().map_or(Score::ZERO, |line| worth(line.score)));
            (self.found, self.depth) = (lines, depth);
            first(&self.found).iter().for_each(|&point| shared.limits.control.set_best(point));
            let searcher = &self.searcher;
            (self.report)(shared.report(depth, searcher.seldepth, searcher.nodes, &self.found));
            let is_settled = self.found.iter().all(|line| is_settled(line.score, depth));
            if is_settled || shared.limits.control.is_spent(stability.per_cent()) {
                break;
            }
        }
    }

    /// The best of the candidates.
    fn best(&mut self, depth: i32) -> Option<Vec<Line>> {
        let count = self.searcher.shared.lines;
        let lines = best_of(&mut self.searcher, self.candidates.iter().copied(), count, depth)?;
        self.try_first(&lines);
        Some(lines)
    }

    /// The candidates that do not lose; if all lose, the one that loses last.
    fn defences(&mut self, depth: i32) -> Option<Vec<Line>> {
        let (mut defences, mut longest) = (Vec::new(), None::<(Score, Point)>);
        for &point in &self.candidates {
            let score = match wins(&self.searcher.position, point) {
                true => Score::win_at(1),
                false => self.searcher.root_move(point, depth, LEAST_UNDECIDED - 1, LEAST_UNDECIDED),
            };
            if self.searcher.stopped {
                return None;
            }
            if !score.is_loss() {
                defences.push(point);
            } else if longest.is_none_or(|(longest, _)| score > longest) {
                longest = Some((score, point));
            }
        }
        if defences.is_empty() {
            let (score, point) = longest?;
            return Some(vec![Line { score, points: self.searcher.line(point) }]);
        }
        let count = defences.len();
        let lines = best_of(&mut self.searcher, defences.into_iter(), count, depth)?;
        self.try_first(&lines);
        // The search for the scores may find further losses.
        let kept: Vec<_> = lines.iter().filter(|line| !line.score.is_loss()).cloned().collect();
        Some(if kept.is_empty() { lines.into_iter().take(1).collect() } else { kept })
    }

    /// Makes the next iteration try these moves first, in this order.
    fn try_first(&mut self, lines: &[Line]) {
        let place = |point: &Point| lines.iter().position(|line| line.points.first() == Some(point));
        self.candidates.sort_by_key(|point| place(point).unwrap_or(usize::MAX));
    }

    /// The stones whose score is nearest to the wanted one.
    fn balanced(&mut self, Balance { stones, bias }: Balance, depth: i32) -> Option<Vec<Line>> {
        let wanted = Score::from_eval(bias);
        let line = match stones {
            BalanceStones::One => {
                let (score, point) = nearest(&mut self.searcher, &self.candidates, depth, wanted, None)?;
                Line { score, points: self.searcher.line(point) }
            }
            BalanceStones::Two => self.balanced_pair(depth, wanted)?,
        };
        let first = line.points.first().copied();
        self.candidates.sort_by_key(|&point| Some(point) != first);
        Some(vec![line])
    }

    fn balanced_pair(&mut self, depth: i32, wanted: Score) -> Option<Line> {
        let mut best: Option<Line> = None;
        for &first in self.candidates.iter().take(FIRST_STONES) {
            if wins(&self.searcher.position, first) {
                continue;
            }
            self.searcher.position.play(first);
            self.searcher.evaluate_root();
            // The points that the limits leave out apply only to the side to move at the root.
            let replies = ordered(&self.searcher.position, &PointSet::EMPTY);
            let reach = best.as_ref().map(|line| distance(line.score, wanted));
            let found = nearest(&mut self.searcher, &replies, depth, -wanted, reach);
            self.searcher.position.undo();
            if self.searcher.stopped {
                return None;
            }
            // The scores of the second stone are seen from the position after the first.
            let seen = |score: Score| (-score).relative_to_root(1);
            best = found.map(|(score, second)| Line { score: seen(score), points: vec![first, second] }).or(best);
        }
        best
    }

    /// The answer, or any candidate if no iteration was finished.
    fn answer(self, question: Question, any: Point) -> Option<Answer> {
        let Self { searcher, candidates, found, depth, .. } = self;
        let nodes = searcher.shared.nodes.load(Ordering::Relaxed).max(searcher.nodes);
        let point = found.first().and_then(|line| line.points.first().copied());
        let reason = found.first().map_or(Reason::Unfinished, |line| Reason::Search { score: line.score, depth });
        if let Question::Balance(Balance { stones: BalanceStones::Two, .. }) = question {
            let pair = found.first().and_then(|line| line.points.get(..2)?.try_into().ok());
            let other = || {
                let empty = searcher.position.board().empty_points();
                let second = candidates.into_iter().chain(empty.iter()).find(|&point| point != any)?;
                Some([any, second])
            };
            return Some(Answer { decision: Decision::Pair(pair.or_else(other)?), reason, nodes });
        }
        Some(Choice { point: point.unwrap_or(any), reason, nodes }.into())
    }
}

/// The candidates of a question, the likely ones first: the allowed moves near the stones. For a defence, on an empty
/// board, and if no near move is allowed, the other allowed moves follow. If the rule forbids every point, one
/// forbidden point.
fn candidates<E: Evaluator>(root: &Position<E>, question: Question, left_out: &PointSet) -> Vec<Point> {
    let board = root.board();
    let mut candidates = ordered(root, left_out);
    let is_sparse = candidates.is_empty() || board.stone_count() == 0;
    if is_sparse || question == Question::Defend {
        let mover = board.turn();
        let others = board.empty_points();
        let others = others.iter().filter(|&point| !left_out.contains(point) && !root.is_forbidden(point, mover));
        let others: Vec<_> = others.filter(|point| !candidates.contains(point)).collect();
        candidates.extend(others);
    }
    if candidates.is_empty() {
        candidates.extend(board.empty_points().iter().find(|&point| !left_out.contains(point)));
    }
    candidates
}

/// The allowed moves near the stones, the likely ones first.
fn ordered<E: Evaluator>(root: &Position<E>, left_out: &PointSet) -> Vec<Point> {
    let mut position = root.clone();
    let mover = position.board().turn();
    let near = tactics::near(position.board());
    let points = moves::ordered(&mut position, &near, &History::default());
    points.filter(|&point| !left_out.contains(point) && !root.is_forbidden(point, mover)).collect()
}

fn wins<E: Evaluator>(position: &Position<E>, point: Point) -> bool {
    let board = position.board();
    board.wins(point, board.turn())
}

/// The distance of a score to the wanted one.
fn distance(score: Score, wanted: Score) -> i32 {
    (score.value() - wanted.value()).abs()
}

/// The move whose score is nearest to the wanted one, and nearer than `reach`. `None` without such a move, and if the
/// search was stopped.
fn nearest<E: Evaluator>(
    searcher: &mut Searcher<'_, E>,
    points: &[Point],
    depth: i32,
    wanted: Score,
    reach: Option<i32>,
) -> Option<(Score, Point)> {
    let mut reach = reach.unwrap_or(Score::INFINITE.value() * 2);
    let mut best = None;
    for &point in points {
        let window = (wanted - reach).max(-Score::INFINITE)..(wanted + reach).min(Score::INFINITE);
        if reach == 0 {
            break;
        }
        let score = match wins(&searcher.position, point) {
            true => Score::win_at(1),
            false => searcher.root_move(point, depth, window.start, window.end),
        };
        if searcher.stopped {
            return None;
        }
        if distance(score, wanted) < reach {
            (reach, best) = (distance(score, wanted), Some((score, point)));
        }
    }
    best
}
