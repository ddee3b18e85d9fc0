//! LEARNING BY PLAYING: three algorithms that begin with random weights and the rules of the game.
//!
//! ```text
//!                  ┌───────────────── a round of an algorithm ─────────────────┐
//! random weights ─►│ workers play games ─► examples ─► gradient ─► Adam ─► model │─► network, log, checkpoint
//!                  └──────▲────────────────────────────────────────────────│────┘
//!                         └────────────────────────────────────────────────┘
//! episode           a game from a random opening            worker         plays with a copy of the model
//! policy_gradient   REINFORCE                               policy_loss    the loss of both policy gradients
//! actor_critic      A3C                                     opponents      the pool of the policy gradient
//! dqn               double Q-learning                       replay         its memory of games
//! ladder, examine   the measurements                        yardstick      both of them, and the lines of a log
//! ```
//!
//! Each algorithm is one file beside its paper. The model is the network of `eval::network`; its priors are the policy or
//! the values of moves, its value judges positions. Gradients and Adam are those of `tune::network`. Must never read a
//! search, a documented weight or a proof, except to measure.

mod actor_critic;
mod checkpoint;
mod config;
mod dqn;
mod episode;
mod examine;
mod ladder;
mod log;
mod opponents;
mod policy_gradient;
mod policy_loss;
mod replay;
mod task;
mod worker;
mod yardstick;

#[cfg(test)]
mod tests;

use std::time::Duration;

pub use config::{AlgorithmName, ReinforceConfig, ReinforceExtent};
pub(super) use log::Log;
pub use task::ReinforceFiles;
pub(super) use yardstick::{LogLine, Work, Yardstick};

use self::actor_critic::ActorCritic;
use self::dqn::Dqn;
use self::policy_gradient::PolicyGradient;
use self::worker::Worker;
use super::loss::Losses;
use super::network::Learner;

/// The discount γ of a return for each ply until it comes. A sooner win is worth more, and a later loss less. On
/// 9 × 9 the policy gradient blocks 99.2 % of the fives after a CPU minute with 0.9, and 93.2 % with 0.97:
/// `docs/lab/learning.md`.
const DISCOUNT: f32 = 0.9;

/// An algorithm of learning by playing.
trait Algorithm {
    /// Plays some games and learns from them.
    fn update(&mut self, session: &mut Session<'_>) -> Update;

    /// Appends the state of the algorithm, on which its next rounds depend.
    fn save(&mut self, content: &mut Vec<u8>);

    /// Reads that state; `None` if it is damaged.
    fn load(&mut self, rest: &mut &[u8]) -> Option<()>;
}

/// The learner, workers and counters of a round.
struct Session<'a> {
    learner: &'a mut Learner,
    workers: &'a mut [Worker],
    /// Games so far. The number of a game decides its random numbers.
    games: u64,
    seed: u64,
    /// The learning rate.
    rate: f32,
}

/// A round of an algorithm.
struct Update {
    games: u64,
    /// Positions in which a move was chosen.
    positions: u64,
    /// Mean losses.
    losses: Losses,
}

/// The CPU time of all threads of the process; `None` on systems without such a clock.
pub(super) fn cpu_time() -> Option<Duration> {
    #[cfg(unix)]
    {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ProcessCPUTime);
        Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
    }
    #[cfg(not(unix))]
    None
}
