//! Black's fifth moves, and white's fourth stone.
//!
//! Black offers its N best fifth moves, and white leaves it the worst of them. Therefore a fourth stone with N fifth moves
//! is worth the N-th best distinct fifth move.

use crate::board::{Point, PointSet};
use crate::eval::Evaluator;
use crate::opening::{StoneSymmetries, Stones};
use crate::picker::alphabeta::analysis;
use crate::picker::{Limits, Question};
use crate::score::Score;

use super::{Study, distance, keep_lines, score_of};

/// Number of fourth stones compared. Set by hand.
const FOURTHS: usize = 5;

/// Amount by which the score of the last of several fifth moves is lowered for each move before it. A short search
/// overrates the last move, and white picks the move that a longer search scores lowest. In the 26 openings a search of
/// 8,000 nodes overrated the last of two by 24 at the median and the last of eight by 66, against 100,000 nodes for
/// each.
const OVERRATED: i32 = 10;

/// Depth of the first comparison.
const FIRST_DEPTH: u32 = 2;

/// Depth of the last comparison.
const LAST_DEPTH: u32 = 12;

impl<E: Evaluator> Study<'_, E> {
    /// The best distinct fifth moves for black with their scores for black, the best first: at most `count`, all near the
    /// stones. `None` if there was no time for any.
    pub(super) fn best_fifths(&mut self, count: u8) -> Option<Vec<(Score, Point)>> {
        let board = self.root.board();
        let all = board.near_stones().iter().chain(board.empty_points().iter());
        let distinct: PointSet = StoneSymmetries::of(board).distinct(all).into_iter().collect();
        let left_out = board.empty_points().iter().filter(|&point| !distinct.contains(point)).collect();
        let mut lines = Vec::new();
        let question = Question::Move { lines: count.into() };
        let limits = Limits { left_out, ..self.limits.clone() };
        analysis::answer(self.picker, question, self.root, &limits, &mut keep_lines(&mut lines))?;
        let found: Vec<_> = lines.iter().filter_map(|line| Some((line.score, *line.points.first()?))).collect();
        (!found.is_empty()).then_some(found)
    }

    /// White's fourth stone after which this number of fifth moves is worth least to black, with that worth.
    pub(super) fn fourth(&mut self, fifths: u8) -> Option<(Score, Point)> {
        let last = |(point, scores): (Point, Vec<Score>)| Some((*scores.get(usize::from(fifths) - 1)?, point));
        self.judge_fourths(fifths)?.into_iter().filter_map(last).min_by_key(|&(score, _)| score)
    }

    /// White's fourth stone and the number of fifth moves, up to `most`, that are most even, with their worth to black.
    pub(super) fn fourth_and_number(&mut self, most: u8) -> Option<(Score, Point, u8)> {
        let numbered = |(point, scores): (Point, Vec<Score>)| {
            (1..).zip(scores).map(move |(number, score)| (score, point, number)).collect::<Vec<_>>()
        };
        self.judge_fourths(most)?.into_iter().flat_map(numbered).min_by_key(|&(score, ..)| distance(score))
    }

    /// White's likely fourth stones, each with the [worth](worths) of black's fifth moves after it.
    fn judge_fourths(&mut self, fifths: u8) -> Option<Vec<(Point, Vec<Score>)>> {
        let mut lines = Vec::new();
        let first_look = Limits { depth: Some(depth_limit(self.limits, FIRST_DEPTH)), ..self.limits.clone() };
        self.picker.search(self.root, FOURTHS, &first_look, &mut keep_lines(&mut lines))?;
        let fourths: Vec<_> = lines.iter().filter_map(|line| line.points.first().copied()).collect();
        let judged = compare(&fourths, self.limits, |&fourth, look| {
            let found = self.limited_to(look).after(fourth, |study| study.best_fifths(fifths));
            found.map(|found| worths(&found))
        });
        (!judged.is_empty()).then_some(judged)
    }

    /// The [worth](worths) of black's fifth moves after white's best fourth stone.
    pub(super) fn after_best_fourth(&mut self, fifths: u8) -> Option<Vec<Score>> {
        let choice = self.picker.search(self.root, 0, self.limits, &mut |_| {})?;
        score_of(&choice)?;
        let found = self.after(choice.point, |study| study.best_fifths(fifths));
        Some(worths(&found?))
    }

    /// The worth of 1, 2, 3 … fifth moves, each number after the likely fourth stone that is worst for black.
    pub(super) fn after_worst_fourth(&mut self, fifths: u8) -> Option<Vec<Score>> {
        let judged = self.judge_fourths(fifths)?;
        let worst = |place: usize| judged.iter().filter_map(|(_, scores)| scores.get(place).copied()).min();
        Some((0..fifths.into()).map_while(worst).collect())
    }

    /// The offered fifth move that is worst for black, with black's score.
    pub(super) fn worst_fifth(&mut self, offered: Stones) -> Option<(Score, Point)> {
        let offered: Vec<_> = offered.iter().collect();
        let judged = compare(&offered, self.limits, |&fifth, look| {
            let choice = self.after(fifth, |study| study.picker.search(study.root, 0, look, &mut |_| {}));
            score_of(&choice?).map(|score| -score)
        });
        judged.into_iter().map(|(point, score)| (score, point)).min_by_key(|&(score, _)| score)
    }
}

/// The worth of 1, 2, 3 … fifth moves to black: the score of the last of them, less an allowance.
pub(super) fn worths(found: &[(Score, Point)]) -> Vec<Score> {
    let worth = |(others, &(score, _)): (i32, &(Score, Point))| {
        if score.is_decided() { score } else { Score::from_eval(score.value() - OVERRATED * others) }
    };
    (0..).zip(found).map(worth).collect()
}

/// Searches all candidates at increasing depth while there is time. Returns the values of the last depth at which all
/// were searched. If the first depth was not finished, returns its values.
pub(super) fn compare<T: Clone, V>(
    candidates: &[T],
    limits: &Limits,
    mut look: impl FnMut(&T, &Limits) -> Option<V>,
) -> Vec<(T, V)> {
    let control = &limits.control;
    // A comparison nested in another one goes to the depth that the outer one sets, even if half of the time is spent.
    let is_look = limits.depth.is_some_and(|depth| depth <= LAST_DEPTH);
    let has_time = || !control.must_stop() && (is_look || !control.is_half_spent());
    let mut found = Vec::new();
    // With a limit of nodes there is one depth, in which a search takes at most a quarter of a candidate's nodes.
    let nodes = limits.nodes.map(|nodes| (nodes / candidates.len().max(1) as u64 / 4).max(1));
    for depth in (FIRST_DEPTH..=LAST_DEPTH).step_by(2) {
        let look_limits = Limits { depth: Some(depth_limit(limits, depth)), nodes, ..limits.clone() };
        let mut of_depth = Vec::new();
        for candidate in candidates {
            if control.must_stop() {
                break;
            }
            let value = look(candidate, &look_limits);
            of_depth.extend(value.map(|value| (candidate.clone(), value)));
        }
        let is_whole = of_depth.len() == candidates.len() && !control.must_stop();
        if is_whole || found.is_empty() {
            found = of_depth;
        }
        let is_deepest = limits.depth.is_some_and(|deepest| depth >= deepest);
        if !is_whole || is_deepest || nodes.is_some() || !has_time() {
            break;
        }
    }
    found
}

/// A depth, at most the limit.
pub(super) fn depth_limit(limits: &Limits, depth: u32) -> u32 {
    limits.depth.map_or(depth, |deepest| deepest.min(depth))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;
    use crate::picker::{Deadlines, SearchControl};
    use crate::platform::Instant;

    #[test]
    fn a_comparison_within_a_look_goes_to_its_depth_after_half_of_the_time() {
        let control = SearchControl::since(Instant::now() - Duration::from_secs(60));
        control.set_deadlines(Deadlines::within(Duration::from_secs(100)));
        let control = Arc::new(control);
        let depths = |depth| {
            let limits = Limits { depth, control: Arc::clone(&control), ..Limits::default() };
            compare(&[0, 1], &limits, |_, look| look.depth)
        };
        assert_eq!(depths(None), [(0, FIRST_DEPTH), (1, FIRST_DEPTH)]);
        assert_eq!(depths(Some(6)), [(0, 6), (1, 6)]);
    }
}
