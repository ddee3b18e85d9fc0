//! [`Rollout`]: judges a leaf by one game to its end.
//!
//! ```text
//! own five ─► won      five of the other side ─► its block, or lost      own winning four ─► won
//! else a move by the weighting in use: drawn by its weight, or the greatest
//! ```

use crate::board::{Board, Color, Point};
use crate::eval::{Classical, Evaluator, MovePriors};
use crate::position::{Accumulator, Position, ThreatBoard};
use crate::rng::Rng;
use crate::score::Score;
use crate::solver::{five_blocks, winning_four};
use crate::threat::{Delta, PatternChange, Threat, ThreatSets};
use crate::weights::{WeightAccumulator, Weighting};

/// How the moves of a rollout are chosen if no five or four decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Policy {
    /// At random, with a chance in proportion to the weight.
    Drawn,
    /// The greatest weight, as the greedy picker plays.
    Greedy,
}

/// Number of draws, in case the rule forbids the drawn move, before the first allowed move of the ranking is taken.
const DRAWS: usize = 8;

/// The accumulator of a tree search with rollouts: the weights for the rollouts, the classical evaluation for the priors.
pub(super) struct Rollout {
    policy: Policy,
    weights: WeightAccumulator,
    classical: Classical,
}

/// Equal if both parts are.
impl PartialEq for Rollout {
    fn eq(&self, other: &Self) -> bool {
        self.weights == other.weights && self.classical == other.classical
    }
}

impl Accumulator for Rollout {
    type Sets = ThreatSets;
    type Config = (Weighting, Policy);

    const IS_LAZY: bool = true;

    fn new((weighting, policy): (Weighting, Policy), threats: &ThreatBoard) -> Self {
        let weights = WeightAccumulator::from_windows(weighting, threats.board(), threats.cache());
        Self { policy, weights, classical: Classical::new((), threats) }
    }

    fn config(&self) -> (Weighting, Policy) {
        (self.weights.weighting(), self.policy)
    }

    fn push(&mut self, delta: Delta<'_>, changes: &[PatternChange]) {
        self.weights.push(delta, ());
        self.classical.push(delta, changes);
    }

    fn pop(&mut self, delta: Delta<'_>) {
        self.classical.pop(delta);
        self.weights.pop(delta);
    }
}

impl Evaluator for Rollout {
    fn score(&self, sets: &ThreatSets, mover: Color) -> Score {
        self.classical.score(sets, mover)
    }

    fn move_priors(&self, sets: &ThreatSets, mover: Color) -> impl MovePriors {
        self.classical.move_priors(sets, mover)
    }
}

/// Plays a game from a position to its end and takes it back. Returns the winner; `None` for a draw. All moves are allowed by
/// the rule; a side without an allowed move has lost.
///
/// Cost: some 0.5 µs a move; games have some tens of moves.
pub(super) fn play_out(position: &mut Position<Rollout>, rng: &mut Rng) -> Option<Color> {
    play_out_watched(position, rng, |_, _| {})
}

/// Like [`play_out`], and shows each move before it is played.
pub(super) fn play_out_watched(
    position: &mut Position<Rollout>,
    rng: &mut Rng,
    mut watch: impl FnMut(&Board, Point),
) -> Option<Color> {
    let mut played = 0;
    let winner = loop {
        let board = position.board();
        if board.is_full() {
            break None;
        }
        let mover = board.turn();
        let threats = position.threats();
        let point = if threats.sets().count(mover, Threat::Five) > 0 {
            break Some(mover);
        } else if threats.sets().count(!mover, Threat::Five) > 0 {
            let blocks = threats.allowed(&five_blocks(threats, !mover));
            blocks.iter().nth(rng.below(blocks.len().max(1)))
        } else if winning_four(threats, mover).is_some() {
            break Some(mover);
        } else {
            choose(position, mover, rng)
        };
        let Some(point) = point else { break Some(!mover) };
        watch(position.board(), point);
        position.play(point);
        played += 1;
    };
    (0..played).for_each(|_| {
        position.undo();
    });
    winner
}

#[cfg(test)]
impl Rollout {
    /// The points in the order of the weighting.
    pub(super) fn ranking(&self, side: Color) -> Vec<Point> {
        self.weights.ranking(side)
    }
}

/// A move by the weights; `None` if the rule forbids all.
fn choose(position: &mut Position<Rollout>, mover: Color, rng: &mut Rng) -> Option<Point> {
    let policy = position.follow().policy;
    for _ in 0..DRAWS {
        let weights = &position.follow().weights;
        let point = match policy {
            Policy::Drawn => weights.draw(mover, rng),
            Policy::Greedy => weights.greatest(mover),
        };
        match point {
            Some(point) if !position.is_forbidden(point, mover) => return Some(point),
            Some(_) if policy == Policy::Drawn => {}
            _ => break,
        }
    }
    let ranking = position.follow().weights.ranking(mover);
    ranking.into_iter().find(|&point| !position.is_forbidden(point, mover))
}
