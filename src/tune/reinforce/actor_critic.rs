//! [`ActorCritic`]: a critic judges each move after some plies, and several workers learn at once.
//!
//! V. Mnih and others, "Asynchronous methods for deep reinforcement learning" (2016), algorithm S3, where it is named A3C. The
//! paper on the left, this file on the right:
//!
//! ```text
//! a thread with its own θ', θ'v              a worker with its own copy of the model
//! θ' = θ at the start of a cycle             the copy follows the shared model
//! t_max steps                                some whole games against itself
//! R = r + γ r + … + γⁿ V(s after n)          the result, or ± the value after n plies: the sides take turns, so that the
//!                                            value of the other side counts negatively
//! dθ  = ∂ln π(a|s) (R − V(s))                the advantage of the move, with the bonus for entropy
//! dθv = ∂(R − V(s))² / ∂θv                   the cross entropy of the chance to win, as in the rest of Tengen
//! asynchronous update of θ                   a step of Adam on the shared model; the lock is held for it and for a copy
//! ```
//!
//! With one worker it is the synchronous A2C, and a seed repeats it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::policy_loss::PolicyExample;
use super::worker::{Played, Worker};
use super::{Algorithm, DISCOUNT, Session, Update};
use crate::rng::Rng;
use crate::tune::loss::Losses;
use crate::tune::network::{Learner, Shard};

/// Plies n after which the critic judges a move. Set by hand; the paper uses 5.
const PLIES: usize = 4;

/// Games of a worker between two steps, some 1,500 positions: docs/lab/learning.md.
const GAMES: u64 = 32;

/// Mean number of steps of a worker in a round. At its end all workers wait for each other, so that a checkpoint can be
/// written. Set by hand: half a second on 9 × 9.
const CYCLES: u64 = 16;

/// The advantage actor-critic.
#[derive(Default)]
pub(super) struct ActorCritic {
    /// The gradients of each worker.
    shards: Vec<Shard>,
}

/// The model that the workers share, and their work so far.
struct Shared<'a> {
    learner: &'a mut Learner,
    positions: u64,
    losses: Losses,
}

impl Algorithm for ActorCritic {
    fn update(&mut self, session: &mut Session<'_>) -> Update {
        let &mut Session { ref mut learner, ref mut workers, games, seed, rate } = session;
        while self.shards.len() < workers.len() {
            self.shards.push(Shard::new(&learner.model));
        }
        let shared = Mutex::new(Shared { learner, positions: 0, losses: Losses::default() });
        let next = AtomicU64::new(0);
        let all_cycles = CYCLES * workers.len() as u64;
        let cycles = |worker: &mut Worker, shard: &mut Shard| {
            loop {
                let cycle = next.fetch_add(1, Ordering::Relaxed);
                if cycle >= all_cycles {
                    return;
                }
                worker.replica.follow(shared.lock().unwrap_or_else(PoisonError::into_inner).learner);
                let numbers = (0..GAMES).map(|game| games + cycle * GAMES + game);
                let played = numbers.map(|number| worker.play(&mut Rng::numbered(seed, number), None));
                let examples: Vec<_> = played.collect::<Vec<_>>().into_iter().flat_map(examples).collect();
                shard.compute(&worker.replica.model, &examples, 1.0 / examples.len() as f32);
                let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                let losses = shared.learner.apply(std::slice::from_ref(shard), rate);
                shared.positions += examples.len() as u64;
                shared.losses.add(1.0 / all_cycles as f32, losses);
            }
        };
        if let ([worker], [shard]) = (&mut **workers, &mut *self.shards) {
            cycles(worker, shard);
        } else {
            thread::scope(|scope| {
                for (worker, shard) in workers.iter_mut().zip(&mut self.shards) {
                    scope.spawn(|| cycles(worker, shard));
                }
            });
        }
        let Shared { positions, losses, .. } = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
        Update { games: all_cycles * GAMES, positions, losses }
    }

    /// The next games depend on the shared model alone.
    fn save(&mut self, _: &mut Vec<u8>) {}

    fn load(&mut self, _: &mut &[u8]) -> Option<()> {
        Some(())
    }
}

/// The examples of a game: for each move its return after some plies, and its advantage over the value of the position.
pub(super) fn examples(Played { episode, steps }: Played) -> impl Iterator<Item = PolicyExample> {
    let values: Vec<_> = steps.iter().map(|step| step.value).collect();
    let last = episode.moves.len();
    steps.into_iter().enumerate().map(move |(number, step)| {
        let target = match values.get(number + PLIES) {
            // After an even number of plies the same side is to move.
            Some(value) => DISCOUNT.powi(PLIES as i32) * if PLIES % 2 == 0 { *value } else { -value },
            None => DISCOUNT.powi((last - 1 - step.ply) as i32) * episode.result(step.mover),
        };
        let advantage = target - step.value;
        PolicyExample { features: step.features, chosen: step.chosen, advantage, target }
    })
}
