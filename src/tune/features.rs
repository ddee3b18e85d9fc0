//! [`Features`]: what the model reads of a sample.

use super::Sample;
use super::fit::ResultShare;
use crate::board::{Color, Point, Rule};
use crate::eval::Classical;
use crate::eval::classical::Combination;
use crate::position::Position;

/// A sample as counts of combinations and candidate moves.
#[derive(Clone, Debug)]
pub(super) struct Features {
    /// The side to move.
    pub(super) mover: Color,
    /// For the mover and for the other side: the combinations on the empty points, and on how many points each stands.
    pub(super) counts: [Vec<(Combination, u16)>; 2],
    /// The chance to win of the mover that is to be learnt, 0 to 1.
    pub(super) label: f32,
    /// The moves among which a search chooses: the combinations of the mover and of the other side there.
    pub(super) candidates: Vec<[Combination; 2]>,
    /// The index of the best candidate.
    pub(super) best: usize,
}

impl Features {
    /// The features of a sample; `None` where it is no position of the rule, or its best move no candidate.
    pub(super) fn of(sample: &Sample, rule: Rule, result_share: ResultShare) -> Option<Self> {
        Self::of_position(&sample.position(rule)?, sample.best, sample.label(result_share))
    }

    /// The features of a position with its best move and label; `None` where the best move is no candidate.
    pub(super) fn of_position(position: &Position<Classical>, best: Point, label: f32) -> Option<Self> {
        let mover = position.board().turn();
        let candidates = candidates(position);
        let pair = |&point: &Point| [mover, !mover].map(|color| combination(position, point, color));
        Some(Self {
            mover,
            counts: [mover, !mover].map(|color| counts(position, color)),
            label,
            candidates: candidates.iter().map(pair).collect(),
            best: candidates.iter().position(|&point| point == best)?,
        })
    }
}

/// The moves among which a search chooses: the allowed points near the stones.
pub(super) fn candidates(position: &Position<Classical>) -> Vec<Point> {
    let mover = position.board().turn();
    position.board().near_stones().iter().filter(|&point| !position.is_forbidden(point, mover)).collect()
}

fn combination(position: &Position<Classical>, point: Point, color: Color) -> Combination {
    Combination::of(position.threats().patterns(point, color))
}

fn counts(position: &Position<Classical>, color: Color) -> Vec<(Combination, u16)> {
    let mut counts = vec![0; Combination::COUNT];
    for point in position.board().empty_points().iter() {
        counts[combination(position, point, color).index()] += 1;
    }
    Combination::all().map(|kind| (kind, counts[kind.index()])).filter(|&(_, count)| count > 0).collect()
}
