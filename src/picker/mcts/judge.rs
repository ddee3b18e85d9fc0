//! [`Judge`]: the value of a leaf, by an evaluation or a rollout.

use super::rollout::{Rollout, play_out};
use super::tree::ONE;
use crate::eval::{Classical, Evaluator, Network};
use crate::position::Position;
use crate::rng::Rng;

/// An evaluator that judges leaves.
pub(super) trait Judge: Evaluator + Sized {
    /// The value of an undecided position for the side to move, in 65,536ths of a won game.
    fn value(position: &mut Position<Self>, rng: &mut Rng) -> u32;
}

impl Judge for Network {
    fn value(position: &mut Position<Self>, _: &mut Rng) -> u32 {
        chance(position)
    }
}

impl Judge for Classical {
    fn value(position: &mut Position<Self>, _: &mut Rng) -> u32 {
        chance(position)
    }
}

impl Judge for Rollout {
    fn value(position: &mut Position<Self>, rng: &mut Rng) -> u32 {
        let mover = position.board().turn();
        play_out(position, rng).map_or(ONE / 2, |winner| if winner == mover { ONE } else { 0 })
    }
}

/// The evaluation as a chance to win.
fn chance<E: Evaluator>(position: &mut Position<E>) -> u32 {
    let mover = position.board().turn();
    let (evaluation, sets) = position.follow_beside_sets();
    (evaluation.score(sets, mover).win_chance() * ONE as f32) as u32
}
