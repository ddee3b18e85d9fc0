//! [`PolicyGradient`]: the model plays a game to its end, then makes the moves of the winner more likely.
//!
//! R. Williams, "Simple statistical gradient-following algorithms for connectionist reinforcement learning", Machine Learning
//! 8 (1992), where it is named REINFORCE. The paper on the left, this file on the right:
//!
//! ```text
//! a trial                                    a game of the model against itself or an earlier network
//! y, drawn with probability g(w, x)          a move, drawn by the softmax of the priors
//! r, the reinforcement                       γ^(plies to the end) · (1 won, 0 drawn, −1 lost), for the side that moved
//! b, the baseline                            the value that the model gave the position when it was played
//! Δw = α (r − b) ∂ln g / ∂w                  a step of Adam along the mean over the positions of some games
//! ```
//!
//! A baseline that does not depend on the move leaves the direction of the mean step unchanged and changes only its
//! noise; a good one reduces it. The value learns the return, so that searches can use the network too.

use super::opponents::OpponentPool;
use super::policy_loss::PolicyExample;
use super::worker::{Played, in_parallel};
use super::{Algorithm, DISCOUNT, Session, Update};
use crate::board::Color;
use crate::rng::Rng;

/// Games between two steps: some 1,500 positions on 9 × 9. Set by hand.
const GAMES: u64 = 32;

/// One game in this number is played against a network of the pool. Set by hand.
const POOL_EVERY: u64 = 4;

/// REINFORCE with a baseline.
#[derive(Default)]
pub(super) struct PolicyGradient {
    pool: OpponentPool,
}

impl Algorithm for PolicyGradient {
    fn update(&mut self, session: &mut Session<'_>) -> Update {
        let Session { learner, workers, games, seed, rate } = session;
        workers.iter_mut().for_each(|worker| worker.replica.follow(learner));
        let numbers: Vec<_> = (*games..*games + GAMES).collect();
        let played = in_parallel(workers, &numbers, |worker, &number| {
            let mut rng = Rng::numbered(*seed, number);
            // The colors change from one such game to the next.
            let color = Color::ALL[(number / POOL_EVERY % 2) as usize];
            let is_due = number % POOL_EVERY == 0;
            let opponent = if is_due { self.pool.choose(&mut rng) } else { None };
            worker.play(&mut rng, opponent.map(|model| (model, color)))
        });
        // Includes the moves of opponents, which give no examples.
        let positions = played.iter().map(|played| played.episode.chosen() as u64).sum();
        let examples: Vec<_> = played.into_iter().flat_map(examples).collect();
        let losses = learner.step(&examples, *rate);
        self.pool.add(learner, *seed);
        Update { games: GAMES, positions, losses }
    }

    fn save(&mut self, content: &mut Vec<u8>) {
        self.pool.save(content);
    }

    fn load(&mut self, rest: &mut &[u8]) -> Option<()> {
        self.pool = OpponentPool::load(rest)?;
        Some(())
    }
}

/// The examples of a game: for each move the return for its side, and its advantage over the baseline.
pub(super) fn examples(Played { episode, steps }: Played) -> impl Iterator<Item = PolicyExample> {
    let last = episode.moves.len();
    steps.into_iter().map(move |step| {
        let plies_left = last - 1 - step.ply;
        let target = DISCOUNT.powi(plies_left as i32) * episode.result(step.mover);
        let advantage = target - step.value;
        PolicyExample { features: step.features, chosen: step.chosen, advantage, target }
    })
}
