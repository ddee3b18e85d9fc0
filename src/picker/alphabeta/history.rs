//! [`History`]: the history table and the counter moves of one thread.

use crate::board::{ByColor, Color, POINT_SLOTS, Point};

/// Statistics of the moves at earlier nodes.
pub(super) struct History {
    scores: ByColor<Box<[i32; POINT_SLOTS]>>,
    /// The move that last refuted a move, by that move.
    counters: ByColor<Box<[Option<Point>; POINT_SLOTS]>>,
}

/// Bound of a history score: the closer a score is to it, the less a bonus of the same sign adds (history gravity). Set by
/// hand.
const LIMIT: i32 = 4096;

/// History score that counts as one unit of a move prior. Set by hand.
const PRIOR_UNIT: i32 = 20;

/// Bonus of the counter move in units of a move prior: 100 multiplies the odds to be the best by e, as in
/// [`Evaluator::move_priors`](crate::eval::Evaluator::move_priors). Set by hand.
const COUNTER: i32 = 100;

/// The bonus of a move that reaches beta; moves that were tried before it lose half of it. Set by hand.
fn bonus(depth: i32) -> i32 {
    (4 * depth * depth).clamp(4, 1200)
}

impl Default for History {
    fn default() -> Self {
        let scores = || Box::new([0; POINT_SLOTS]);
        let points = || Box::new([None; POINT_SLOTS]);
        Self { scores: ByColor([scores(), scores()]), counters: ByColor([points(), points()]) }
    }
}

impl History {
    /// Rewards the move that reached beta at this depth, makes it the counter move of `last`, and penalizes the moves that
    /// were tried before it.
    pub(super) fn learn(&mut self, color: Color, depth: i32, best: Point, tried: &[Point], last: Option<Point>) {
        let bonus = bonus(depth);
        self.add(color, best, bonus);
        for &point in tried.iter().filter(|&&point| point != best) {
            self.add(color, point, -bonus / 2);
        }
        if let Some(last) = last {
            self.counters[color][last.index()] = Some(best);
        }
    }

    fn add(&mut self, color: Color, point: Point, bonus: i32) {
        let score = &mut self.scores[color][point.index()];
        *score += bonus - *score * bonus.abs() / LIMIT;
    }

    /// The history score of a move.
    pub(super) fn score(&self, color: Color, point: Point) -> i32 {
        self.scores[color][point.index()]
    }

    /// The history bonus to the prior of each move of this color after the move `last`.
    #[inline]
    pub(super) fn order_bonus(&self, color: Color, last: Option<Point>) -> impl Fn(Point) -> i32 {
        let counter = last.and_then(|last| self.counters[color][last.index()]);
        move |point| {
            let counter = if Some(point) == counter { COUNTER } else { 0 };
            counter + self.score(color, point) / PRIOR_UNIT
        }
    }

    /// Halves the history scores before a new search.
    pub(super) fn decay(&mut self) {
        for color in Color::ALL {
            self.scores[color].iter_mut().for_each(|score| *score /= 2);
        }
    }
}
