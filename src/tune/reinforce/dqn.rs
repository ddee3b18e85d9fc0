//! [`Dqn`]: the model learns the value of every move, from moves drawn from a memory of games.
//!
//! V. Mnih and others, "Human-level control through deep reinforcement learning", Nature 518 (2015), algorithm 1; H. van Hasselt,
//! A. Guez and D. Silver, "Deep reinforcement learning with double Q-learning" (2016). The papers on the left, this file on the
//! right:
//!
//! ```text
//! Q(s, a; θ)                                 2 σ(logit of the prior of a) − 1, from −1 (lost) to 1 (won)
//! with probability ε a random action         the same, among legal moves; ε falls from 1 to 0.05
//! the replay memory D of transitions         the last games, bounded in bytes; a draw is a move of one of them
//! y = r at the end of an episode             1, 0 or −1
//! y = r + γ Q(s', argmax Q(s', ·; θ); θ⁻)    −γ Q(…), because the other side is to move in s' (negamax)
//! (y − Q(s, a; θ))²                          the cross entropy of (1 + y) / 2 and σ(logit), whose slope is their difference
//! every C steps θ⁻ = θ                       the same
//! ```
//!
//! The legal moves are the only candidates, so that an illegal one is neither played nor a maximum. The value of the network
//! learns the greatest value of a move, so that searches can use the network too.

use super::episode::{Episode, greatest};
use super::replay::ReplayMemory;
use super::worker::{features, in_parallel};
use super::{Algorithm, DISCOUNT, Session, Update};
use crate::rng::Rng;
use crate::tune::loss::{Loss, Losses, logistic};
use crate::tune::network::{Example, Features, Forward, Learner, Replica};

/// Games between two rounds of learning. Set by hand.
const GAMES: u64 = 16;

/// Steps of a round. Set by hand: on 9 × 9 they draw 1,024 moves for some 400 new ones, later for some 700.
const STEPS: usize = 4;

/// Moves drawn for a step. Set by hand; the paper uses 32.
const BATCH: usize = 256;

/// Moves in the memory before the first step. Set by hand.
const FIRST: usize = 5_000;

/// Bytes of the memory: some 500,000 moves on 9 × 9. The paper keeps a million.
const CAPACITY: usize = 2 << 20;

/// Steps C between two copies of the model to the target. Set by hand; the paper uses 10,000 smaller ones.
const TARGET_EVERY: usize = 200;

/// The first and the last ε, and the number of games over which it falls. Set by hand.
const EPSILON: (f64, f64) = (1.0, 0.05);
const EPSILON_GAMES: f64 = 10_000.0;

/// Weight of the loss of the value relative to that of the moves. Set by hand: the value follows the moves.
const VALUE_SHARE: f32 = 0.25;

/// Salt of the draws from the memory, so that they differ from those of the games.
const SALT: u64 = 0x4451_4E00;

/// Double deep Q-learning.
pub(super) struct Dqn {
    replay: ReplayMemory,
    /// θ⁻: the model that judges the next position.
    target: Replica,
}

/// A move from the memory.
struct Transition {
    features: Features,
    chosen: usize,
    /// The next position; `None` at the end of the game.
    next: Option<Features>,
    /// The result for the side that moved, if the game ends.
    reward: f32,
}

/// A position with the value that a move there should have.
pub(super) struct ValuedMove {
    pub(super) features: Features,
    /// The number of the move.
    pub(super) chosen: usize,
    /// y, −1 to 1.
    pub(super) target: f32,
}

impl Dqn {
    pub(super) fn new(learner: &Learner) -> Self {
        Self { replay: ReplayMemory::new(CAPACITY), target: learner.replica() }
    }

    /// The moves of a batch, with the values that the target gives them.
    fn batch(&mut self, session: &mut Session<'_>) -> Vec<ValuedMove> {
        let Session { learner, workers, seed, .. } = session;
        let mut rng = Rng::numbered(*seed ^ SALT, learner.batches() as u64);
        let drawn: Vec<_> = (0..BATCH).filter_map(|_| self.replay.draw(&mut rng)).collect();
        let transitions = in_parallel(workers, &drawn, |worker, (episode, ply)| {
            let (features_before, legal) = features(worker.environment.set(&episode.moves[..*ply]));
            let chosen = legal.iter().position(|point| point == episode.moves[*ply]).unwrap_or(0);
            let is_last = ply + 1 == episode.moves.len();
            let next = (!is_last).then(|| features(worker.environment.set(&episode.moves[..=*ply])).0);
            let reward = episode.result(Episode::mover(*ply));
            Transition { features: features_before, chosen, next, reward }
        });
        for next in transitions.iter().filter_map(|transition| transition.next.as_ref()) {
            learner.model.sum_rows_of(next);
            self.target.model.sum_rows_of(next);
        }
        let (model, target) = (&learner.model, &self.target.model);
        let targets = in_parallel(workers, &transitions, |worker, Transition { next, reward, .. }| match next {
            None => *reward,
            Some(next) => {
                model.forward(next, &mut worker.forward);
                let best = greatest(&worker.forward.logits);
                target.forward(next, &mut worker.forward);
                -DISCOUNT * (2.0 * logistic(worker.forward.logits[best]) - 1.0)
            }
        });
        let valued = |(Transition { features, chosen, .. }, target)| ValuedMove { features, chosen, target };
        transitions.into_iter().zip(targets).map(valued).collect()
    }
}

impl Algorithm for Dqn {
    fn update(&mut self, session: &mut Session<'_>) -> Update {
        let &mut Session { ref mut workers, ref learner, games, seed, .. } = session;
        workers.iter_mut().for_each(|worker| worker.replica.follow(learner));
        let numbers: Vec<_> = (games..games + GAMES).collect();
        let played = in_parallel(workers, &numbers, |worker, &number| {
            worker.explore(&mut Rng::numbered(seed, number), epsilon(number))
        });
        played.iter().for_each(|episode| self.replay.add(episode));
        let mut losses = Losses::default();
        if self.replay.moves() >= FIRST {
            for _ in 0..STEPS {
                let batch = self.batch(session);
                losses.add(1.0 / STEPS as f32, session.learner.step(&batch, session.rate));
                if session.learner.batches() % TARGET_EVERY == 0 {
                    self.target.follow(session.learner);
                }
            }
        }
        Update { games: GAMES, positions: played.iter().map(|episode| episode.chosen() as u64).sum(), losses }
    }

    fn save(&mut self, content: &mut Vec<u8>) {
        self.replay.save(content);
        self.target.save(content);
    }

    fn load(&mut self, rest: &mut &[u8]) -> Option<()> {
        self.replay = ReplayMemory::load(CAPACITY, rest)?;
        self.target.load(rest)
    }
}

/// The share of random moves in a game of this number.
fn epsilon(game: u64) -> f64 {
    let (first, last) = EPSILON;
    first + (last - first) * (game as f64 / EPSILON_GAMES).min(1.0)
}

impl Example for ValuedMove {
    fn features(&self) -> &Features {
        &self.features
    }

    fn losses(&self, forward: &Forward) -> Losses {
        let mut losses = Losses::default();
        losses[Loss::Moves] = Loss::Chance.value((1.0 + self.target) / 2.0, logistic(forward.logits[self.chosen]));
        losses[Loss::Chance] = Loss::Chance.value(best_chance(forward), forward.chance());
        losses
    }

    fn slopes(&self, forward: &Forward, by_moves: &mut [f32]) -> f32 {
        by_moves[self.chosen] = Loss::Chance.slope((1.0 + self.target) / 2.0, logistic(forward.logits[self.chosen]));
        // The label is a target of its own, as y is: its dependence on the model is not followed.
        VALUE_SHARE * Loss::Chance.slope(best_chance(forward), forward.chance())
    }
}

/// The chance to win with the best move.
fn best_chance(forward: &Forward) -> f32 {
    logistic(forward.logits.iter().copied().fold(f32::MIN, f32::max))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fewer_moves_are_random_as_games_go_by() {
        assert_eq!(epsilon(0), 1.0);
        assert!((epsilon(5_000) - 0.525).abs() < 1e-9 && (epsilon(1_000_000) - 0.05).abs() < 1e-9);
    }
}
