//! [`Features`]: a sample as the network reads it.

use crate::board::{Color, Point};
use crate::eval::classical::Combination;
use crate::eval::network::{codebook, head};
use crate::eval::{Classical, Evaluator};
use crate::position::Position;
use crate::score::Score;
use crate::threat::LineWindow;
use crate::tune::loss::Loss;
use crate::tune::sample::{Replay, candidates, combinations};
use crate::tune::{Sample, VisitShares};

/// The row of a window without a stone. It is always 0.
pub(super) const NO_ROW: u32 = u32::MAX;

/// The rows of one point: four windows as the mover sees them, then four as the other side sees them.
pub(super) type PointRows = [[u32; 4]; 2];

/// A candidate move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The index of its point among [`Features::points`].
    pub(super) point: u16,
    /// The combinations of the mover and of the other side there.
    pub(super) combinations: [Combination; 2],
}

/// A sample as numbers of rows.
#[derive(Clone, Debug)]
pub(super) struct Features {
    pub(super) mover: Color,
    /// The rows of each point whose windows show a stone, and of each candidate.
    pub(super) points: Vec<PointRows>,
    pub(super) candidates: Vec<Candidate>,
    /// The index of the best candidate.
    pub(super) best: usize,
    /// The target of the moves: the candidates that a tree search visited, each with its share of 1, else the best move.
    pub(super) targets: Vec<(usize, f32)>,
    /// The rows of the threats on the board, one bit each.
    pub(super) threats: u32,
    /// The logit of the classical evaluation.
    pub(super) classical: f32,
    /// The label: the mover's chance to win, 0 to 1.
    pub(super) label: f32,
    /// The weight of that label in the loss.
    pub(super) weight: f32,
}

/// Weight of a label from a proof. The search rarely evaluates positions in which it finds a proof. Hand-set.
const PROOF_WEIGHT: f32 = 0.25;

impl Features {
    /// The features of a sample; `None` if it is not a position of the rule or its best move is not a candidate.
    pub(super) fn of_sample(replay: &mut Replay, sample: &Sample, share: f32) -> Option<Self> {
        let weight = if (0.001..0.999).contains(&sample.chance) { 1.0 } else { PROOF_WEIGHT };
        let position = replay.position(sample)?;
        Self::of(position, sample.best, &sample.visits, sample.label(share), weight)
    }

    /// The features of a position; `None` if the best move is not a candidate.
    pub(super) fn of(
        position: &mut Position<Classical>,
        best: Point,
        visits: &VisitShares,
        label: f32,
        weight: f32,
    ) -> Option<Self> {
        let mover = position.board().turn();
        let (evaluation, sets) = position.follow_beside_sets();
        let classical = evaluation.score(sets, mover).value() as f32 / Score::CHANCE_SCALE;
        let mut threats = 0;
        head::each_threat_row(sets, mover, |row| threats |= 1 << row);
        let allowed = candidates(position);
        let (mut points, mut candidates, mut best_index) = (Vec::new(), Vec::new(), None);
        let mut targets = Vec::new();
        for point in position.board().empty_points().iter() {
            let rows = point_rows(position, point, mover);
            let is_candidate = allowed.contains(point);
            if is_candidate {
                if point == best {
                    best_index = Some(candidates.len());
                }
                let share = visits.iter().find(|&(visited, _)| visited == point);
                targets.extend(share.map(|(_, share)| (candidates.len(), f32::from(share))));
                let combinations = combinations(position, point);
                candidates.push(Candidate { point: points.len() as u16, combinations });
            }
            if is_candidate || rows.as_flattened().iter().any(|&row| row != NO_ROW) {
                points.push(rows);
            }
        }
        let best = best_index?;
        let sum: f32 = targets.iter().map(|(_, share)| share).sum();
        if targets.is_empty() {
            targets.push((best, 1.0));
        } else {
            targets.iter_mut().for_each(|(_, share)| *share /= sum);
        }
        Some(Self { mover, points, candidates, best, targets, threats, classical, label, weight })
    }

    /// The share of a candidate in the target of the moves.
    pub(super) fn target(&self, number: usize) -> f32 {
        self.targets.iter().find(|&&(target, _)| target == number).map_or(0.0, |&(_, share)| share)
    }

    /// The loss of the moves for these chances of the candidates.
    pub(super) fn move_loss(&self, chances: &[f32]) -> f32 {
        self.targets.iter().map(|&(number, share)| Loss::Moves.value(share, chances[number])).sum()
    }
}

/// The rows of a point, the mover's view first.
fn point_rows(position: &Position<Classical>, point: Point, mover: Color) -> PointRows {
    let windows = position.threats().cache().windows(point);
    let rule = position.board().rule();
    [mover, !mover].map(|color| {
        windows.0.map(|window| {
            if codebook::is_stoneless(window) {
                return NO_ROW;
            }
            let seen: LineWindow = if color == Color::Black { window } else { window.swapped() };
            (rule.table_of(color) * codebook::FOLDED_WINDOWS + codebook::folded(seen)) as u32
        })
    })
}
