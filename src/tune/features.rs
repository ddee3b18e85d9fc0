//! [`Features`]: what the regression sees of a sample.

use super::Sample;
use crate::board::{Color, Point, Rule};
use crate::eval::Classical;
use crate::eval::classical::Combination;
use crate::position::Position;

/// A sample as counts and candidates.
#[derive(Clone, Debug)]
pub(super) struct Features {
    /// The side to move.
    pub(super) mover: Color,
    /// For the mover and for the other: how often each combination stands on an empty point.
    pub(super) counts: [Vec<(Combination, u8)>; 2],
    /// The chance to win of the mover that shall be learnt, 0 to 1.
    pub(super) label: f32,
    /// The moves among which a search chooses: what a stone of the mover makes there, and what one of the other would.
    pub(super) candidates: Vec<[Combination; 2]>,
    /// The best of them.
    pub(super) best: usize,
}

impl Features {
    /// The features of a sample; none where it is no position of the rule.
    pub(super) fn of(sample: &Sample, rule: Rule, result_share: f32) -> Option<Self> {
        let position = sample.position(rule)?;
        let mover = position.board().turn();
        let stones = position.board().stones(Color::Black).union(&position.board().stones(Color::White));
        let near = stones.neighbourhood().intersection(&position.board().empty_points());
        let legal: Vec<_> = near.iter().filter(|&point| !position.is_forbidden(point, mover)).collect();
        let pair = |&point: &Point| [mover, !mover].map(|color| kind(&position, point, color));
        Some(Self {
            mover,
            counts: [mover, !mover].map(|color| counts(&position, color)),
            label: sample.label(result_share),
            candidates: legal.iter().map(pair).collect(),
            best: legal.iter().position(|&point| point == sample.best)?,
        })
    }
}

fn kind(position: &Position<Classical>, point: Point, color: Color) -> Combination {
    Combination::of(position.threats().patterns(point, color))
}

fn counts(position: &Position<Classical>, color: Color) -> Vec<(Combination, u8)> {
    let mut counts = vec![0u8; Combination::COUNT];
    for point in position.board().empty_points().iter() {
        let count = &mut counts[kind(position, point, color).index()];
        *count = count.saturating_add(1);
    }
    Combination::all().map(|kind| (kind, counts[kind.index()])).filter(|&(_, count)| count > 0).collect()
}
