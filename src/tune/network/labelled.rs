//! [`Labelled`]: a position with the labels of a search, and its losses.

use super::features::Features;
use super::gradient::Example;
use super::model::Forward;
use crate::board::Point;
use crate::eval::{Classical, Evaluator};
use crate::position::Position;
use crate::score::Score;
use crate::tune::loss::{Loss, Losses};
use crate::tune::sample::{Replay, candidates};
use crate::tune::{Sample, VisitShares};

/// Weight of a label from a proof. The search rarely evaluates positions in which it finds a proof. Hand-set.
const PROOF_WEIGHT: f32 = 0.25;

/// Weight of the loss of the moves relative to the loss of the chance. Hand-set; the networks of Rapfi are trained with 1.
const MOVES_SHARE: f32 = 0.5;

/// Share of the target that is spread evenly over all candidates. Hand-set.
const SMOOTHING: f32 = 0.05;

/// A position with the labels of a search.
#[derive(Clone, Debug)]
pub(super) struct Labelled {
    pub(super) features: Features,
    /// The index of the best candidate.
    pub(super) best: usize,
    /// The target of the moves: the candidates that a tree search visited, each with its share of 1, else the best move.
    pub(super) targets: Vec<(usize, f32)>,
    /// The label: the mover's chance to win, 0 to 1.
    pub(super) label: f32,
    /// The weight of that label in the loss.
    pub(super) weight: f32,
    /// The logit of the classical evaluation, with which the network is compared.
    pub(super) classical: f32,
}

impl Labelled {
    /// The labelled position of a sample; `None` if it is not a position of the rule or its best move is not a candidate.
    pub(super) fn of_sample(replay: &mut Replay, sample: &Sample, result_share: f32) -> Option<Self> {
        let weight = if (0.001..0.999).contains(&sample.chance) { 1.0 } else { PROOF_WEIGHT };
        let position = replay.position(sample)?;
        Self::of(position, sample.best, &sample.visits, sample.label(result_share), weight)
    }

    /// A labelled position; `None` if the best move is not a candidate.
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
        let moves = candidates(position);
        let features = Features::of(position.threats(), &moves);
        let best = moves.iter().position(|point| point == best)?;
        let share = |(number, point)| {
            let visited = visits.iter().find(|&(visited, _)| visited == point);
            visited.map(|(_, share)| (number, f32::from(share)))
        };
        let mut targets: Vec<_> = moves.iter().enumerate().filter_map(share).collect();
        let sum: f32 = targets.iter().map(|(_, share)| share).sum();
        if targets.is_empty() {
            targets.push((best, 1.0));
        } else {
            targets.iter_mut().for_each(|(_, share)| *share /= sum);
        }
        Some(Self { features, best, targets, label, weight, classical })
    }

    /// The share of a candidate in the target of the moves.
    fn target(&self, number: usize) -> f32 {
        self.targets.iter().find(|&&(target, _)| target == number).map_or(0.0, |&(_, share)| share)
    }

    /// The loss of the moves for these chances of the candidates.
    pub(super) fn move_loss(&self, chances: &[f32]) -> f32 {
        self.targets.iter().map(|&(number, share)| Loss::Moves.value(share, chances[number])).sum()
    }
}

impl Example for Labelled {
    fn features(&self) -> &Features {
        &self.features
    }

    fn losses(&self, forward: &Forward) -> Losses {
        let mut losses = Losses::default();
        losses[Loss::Chance] = Loss::Chance.value(self.label, forward.chance());
        losses[Loss::Moves] = self.move_loss(&forward.chances);
        losses
    }

    fn slopes(&self, forward: &Forward, by_moves: &mut [f32]) -> f32 {
        // A single candidate carries no information about moves.
        if by_moves.len() > 1 {
            let common = SMOOTHING / by_moves.len() as f32;
            for (number, (slope, &chance)) in by_moves.iter_mut().zip(&forward.chances).enumerate() {
                let target = (1.0 - SMOOTHING) * self.target(number) + common;
                *slope = MOVES_SHARE * Loss::Moves.slope(target, chance);
            }
        }
        self.weight * Loss::Chance.slope(self.label, forward.chance())
    }
}
