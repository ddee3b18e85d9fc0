//! [`Features`]: a sample as the model reads it.

use crate::board::{Color, Point};
use crate::eval::Classical;
use crate::eval::classical::Combination;
use crate::position::Position;
use crate::tune::Sample;
use crate::tune::sample::{Replay, candidates, combinations};

/// A sample as counts of combinations and candidate moves.
#[derive(Clone, Debug)]
pub(super) struct Features {
    /// The side to move.
    pub(super) mover: Color,
    /// The combinations on the empty points and the number of points of each, for the mover and for the other side.
    pub(super) counts: [Vec<(Combination, u16)>; 2],
    /// The chance to win of the mover that is learnt, 0 to 1.
    pub(super) label: f32,
    /// The combinations of the mover and of the other side at each candidate move.
    pub(super) candidates: Vec<[Combination; 2]>,
    /// The index of the best candidate.
    pub(super) best: usize,
}

impl Features {
    /// The features of a sample; `None` if it is not a position of the rule or its best move is not a candidate.
    pub(super) fn of(replay: &mut Replay, sample: &Sample, result_share: f32) -> Option<Self> {
        Self::of_position(replay.position(sample)?, sample.best, sample.label(result_share))
    }

    /// The features of a position with its best move and label; `None` if the best move is not a candidate.
    pub(super) fn of_position(position: &Position<Classical>, best: Point, label: f32) -> Option<Self> {
        let candidates = candidates(position);
        let mut counts = [(); 2].map(|()| vec![0; Combination::COUNT]);
        for point in position.board().empty_points().iter() {
            for (counts, combination) in counts.iter_mut().zip(combinations(position.threats(), point)) {
                counts[combination.index()] += 1;
            }
        }
        let counted = |counts: Vec<u16>| {
            Combination::all().map(|kind| (kind, counts[kind.index()])).filter(|&(_, count)| count > 0).collect()
        };
        Some(Self {
            mover: position.board().turn(),
            counts: counts.map(counted),
            label,
            candidates: candidates.iter().map(|point| combinations(position.threats(), point)).collect(),
            best: candidates.iter().position(|point| point == best)?,
        })
    }
}
