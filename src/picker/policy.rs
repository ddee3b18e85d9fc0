//! [`Policy`]: the move priors of the evaluation choose, without a search.
//!
//! ```text
//! one look at the position ─► priors of the allowed points near the stones ─► softmax ─► the greatest, or a draw
//! ```

use super::book::{self, Advice};
use super::{
    AlphaBeta, Answer, Choice, Evaluation, Greedy, Limits, Line, MoveStatistics, Picker, Question, Reason, Report,
    SearchInfo, tactics,
};
use crate::board::{Point, PointSet};
use crate::eval::{Classical, Evaluator, MovePriors, Network};
use crate::position::{Position, ThreatBoard};
use crate::rng::Rng;
use crate::score::Score;
use crate::weights::WeightedPosition;

/// Seed of the draws. A question always gets the same answer.
const SEED: u64 = 0x5445_4E47_454E_0005;

/// Units of a prior: an evaluation counts 100 for a logit of 1, and [`Limits::temperature`] 100 for a temperature of 1.
const PER_LOGIT: f32 = 100.0;

/// Plays the move of the greatest prior, or draws a move by the priors ([`Limits::temperature`]). Fives and blocks are not
/// special cases, so that the moves are those of the evaluation alone.
///
/// The documented weights answer the questions of opening procedures, of defence and of balance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Policy;

impl Picker for Policy {
    fn answer(
        &mut self,
        question: Question,
        position: &mut WeightedPosition,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer> {
        let Question::Move { lines } = question else {
            return Greedy.answer(question, position, limits, report);
        };
        if let Some(answer) = book::answer(question, position.board(), limits, report) {
            return Some(answer);
        }
        if let Some(choice) = tactics::first_move(position.board(), lines, limits, report) {
            return Some(choice.into());
        }
        Some(Look::of(position, limits)?.choose(position, lines, limits, report).into())
    }

    fn preload(&self, position: &WeightedPosition, evaluation: Evaluation) {
        AlphaBeta::default().preload(position, evaluation);
    }
}

/// The value and the move priors of a position.
pub(super) struct Look {
    /// The value of the position.
    score: Score,
    /// The allowed moves with their logits, the greatest first; equals in the order of the points.
    moves: Vec<(Point, f32)>,
    /// The allowed moves that make an own five or block one of the other side: [`tactics::five_moves`].
    five_moves: PointSet,
}

impl Look {
    /// Looks at a position; `None` on a full board.
    pub(super) fn of(position: &WeightedPosition, limits: &Limits) -> Option<Self> {
        match limits.evaluation.networks(position.board().rule()) {
            Some(networks) => Self::at(&mut position.with::<Network>(networks), limits),
            None => Self::at(&mut position.with::<Classical>(()), limits),
        }
    }

    fn at<E: Evaluator>(position: &mut Position<E>, limits: &Limits) -> Option<Self> {
        let allowed = allowed(position.threats(), limits);
        let five_moves = tactics::five_moves(position.threats()).intersection(&allowed);
        let mover = position.board().turn();
        let (evaluation, sets) = position.follow_beside_sets();
        let priors = evaluation.move_priors(sets, mover);
        let mut moves: Vec<_> = allowed.iter().map(|point| (point, priors.of(point) as f32 / PER_LOGIT)).collect();
        moves.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        (!moves.is_empty()).then(|| Self { score: evaluation.score(sets, mover), moves, five_moves })
    }

    /// The shares of the moves at a temperature in hundredths, which is above 0: their softmax.
    fn shares(&self, temperature: u32) -> Vec<f32> {
        let greatest = self.moves.first().map_or(0.0, |&(_, logit)| logit);
        let odds = |&(_, logit): &(Point, f32)| ((logit - greatest) * PER_LOGIT / temperature as f32).exp();
        let mut shares: Vec<_> = self.moves.iter().map(odds).collect();
        let sum: f32 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        shares
    }

    /// Keeps only the moves that make or block a five, if a side can make one and such a move is allowed.
    pub(super) fn keep_fives(mut self) -> Self {
        if !self.five_moves.is_empty() {
            self.moves.retain(|(point, _)| self.five_moves.contains(*point));
        }
        self
    }

    /// Draws different moves at a temperature in hundredths, at most `count`.
    pub(super) fn draw(&self, rng: &mut Rng, temperature: u32, count: usize) -> Vec<Point> {
        let mut shares = self.shares(temperature);
        let draw = |_| {
            let drawn = rng.weighted(&shares);
            let rest = 1.0 - shares[drawn];
            shares[drawn] = 0.0;
            shares.iter_mut().for_each(|share| *share /= rest.max(f32::MIN_POSITIVE));
            self.moves[drawn].0
        };
        (0..count.min(self.moves.len())).map(draw).collect()
    }

    /// The share of a move of all priors, in [`MoveStatistics::ONE`]ths.
    pub(super) fn share(&self, point: Point) -> u32 {
        let logit = self.moves.iter().find(|(other, _)| *other == point).map_or(0.0, |&(_, logit)| logit);
        let sum: f32 = self.moves.iter().map(|&(_, other)| (other - logit).exp()).sum();
        (MoveStatistics::ONE as f32 / sum).round() as u32
    }

    /// Chooses a move and reports this number of lines, the choice first.
    fn choose(
        mut self,
        position: &WeightedPosition,
        lines: usize,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Choice {
        if limits.temperature > 0 {
            let mut rng = Rng::new(SEED ^ position.board().key().bits());
            let drawn = rng.weighted(&self.shares(limits.temperature));
            self.moves[..=drawn].rotate_right(1);
        }
        let (point, _) = self.moves[0];
        let share = self.share(point);
        if lines > 0 {
            let line = |&(point, _): &(Point, f32)| Line { score: self.score, points: vec![point] };
            let lines = self.moves.iter().take(lines).map(line).collect();
            let time = limits.control.elapsed();
            report(Report::Search(SearchInfo { nodes: 1, time, lines, ..SearchInfo::default() }));
        }
        Choice { point, reason: Reason::Prior(share), nodes: 1 }
    }
}

/// The points that may be chosen: those near the stones, else every legal point, else every empty one.
fn allowed(threats: &ThreatBoard, limits: &Limits) -> PointSet {
    let board = threats.board();
    let advice = Advice::of(board, limits);
    let choosable =
        |points: PointSet| advice.keep(points.iter().filter(|&point| !limits.left_out.contains(point)).collect());
    let near = choosable(threats.allowed(&tactics::near(board)));
    if !near.is_empty() {
        return near;
    }
    let legal = choosable(threats.allowed(&board.empty_points()));
    if legal.is_empty() { choosable(board.empty_points()) } else { legal }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::board::{Board, Color, Rule, Size};
    use crate::notation::parse_comma;
    use crate::weights::Weighting;

    /// Black has an open three in the middle.
    fn position() -> WeightedPosition {
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        for point in ["7,7", "2,2", "8,7", "12,2", "9,7", "2,12"] {
            board.play(parse_comma(point).unwrap());
        }
        WeightedPosition::new(board, Weighting::Shapes)
    }

    /// Twin: the priors of all allowed points, compared one by one, and their softmax.
    #[test]
    fn the_greatest_prior_is_played_and_told_with_its_share() {
        let limits = Limits::default();
        let mut position = position();
        let choice = Policy.pick(&mut position, &limits).unwrap();
        let networks = limits.evaluation.networks(Rule::Freestyle).unwrap();
        let mut followed = position.with::<Network>(networks);
        let points = allowed(followed.threats(), &limits);
        let (evaluation, sets) = followed.follow_beside_sets();
        let priors = evaluation.move_priors(sets, Color::Black);
        let logits: Vec<_> = points.iter().map(|point| f64::from(priors.of(point)) / 100.0).collect();
        let best = priors.of(choice.point);
        assert!(points.iter().all(|point| priors.of(point) <= best), "{choice:?}");
        let share = (f64::from(best) / 100.0).exp() / logits.iter().map(|logit| logit.exp()).sum::<f64>();
        let Reason::Prior(told) = choice.reason else { panic!("{choice:?}") };
        assert!((f64::from(told) - 10_000.0 * share).abs() <= 1.0, "{told} {share}");
    }

    #[test]
    fn a_high_temperature_draws_other_moves_and_a_question_repeats_its_draw() {
        let limits = Limits { temperature: 100_000, ..Limits::default() };
        let mut drawn = BTreeSet::new();
        let mut position = position();
        for _ in 0..12 {
            let point = Policy.pick(&mut position, &limits).unwrap().point;
            assert_eq!(Policy.pick(&mut position, &limits).unwrap().point, point);
            drawn.insert(point.index());
            position.play(point);
        }
        assert_eq!(drawn.len(), 12);
        // At a temperature near 0 a draw is the greatest prior.
        let [greatest, cold] = [0, 1].map(|temperature| {
            let limits = Limits { temperature, ..Limits::default() };
            Policy.pick(&mut self::position(), &limits).unwrap().point
        });
        assert_eq!(greatest, cold);
    }

    #[test]
    fn left_out_points_are_never_chosen_and_the_lines_are_as_many_as_asked_for() {
        let mut position = position();
        let best = Policy.pick(&mut position, &Limits::default()).unwrap().point;
        let limits = Limits { left_out: PointSet::from_iter([best]), ..Limits::default() };
        let mut lines = Vec::new();
        let answer = Policy.answer(Question::Move { lines: 3 }, &mut position, &limits, &mut |report| {
            if let Report::Search(info) = report {
                lines = info.lines;
            }
        });
        let point = answer.unwrap().choice().unwrap().point;
        assert!(point != best && lines.len() == 3 && lines[0].points == [point], "{lines:?}");
        let all: PointSet = position.board().empty_points();
        let last = all.iter().next().unwrap();
        let limits = Limits { left_out: all.iter().filter(|&point| point != last).collect(), ..Limits::default() };
        assert_eq!(Policy.pick(&mut position, &limits).unwrap().point, last);
    }
}
