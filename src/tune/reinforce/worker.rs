//! [`Worker`]: plays games with its own copy of the model. All three algorithms play through it.

use std::panic;
use std::thread;

use super::episode::{Environment, Episode, greatest, legal_moves};
use crate::board::{Color, PointSet, Rule, Size};
use crate::position::ThreatBoard;
use crate::rng::Rng;
use crate::tune::network::{Features, Forward, Learner, Model, Replica};

/// A position of a game in which the learner has chosen a move.
pub(super) struct Step {
    pub(super) features: Features,
    /// The number of the chosen move among the legal ones.
    pub(super) chosen: usize,
    /// The value that the model gave the position for the side to move, −1 to 1.
    pub(super) value: f32,
    /// The side to move.
    pub(super) mover: Color,
    /// The number of stones before the move.
    pub(super) ply: usize,
}

/// A game with the positions in which the learner chose.
pub(super) struct Played {
    pub(super) episode: Episode,
    pub(super) steps: Vec<Step>,
}

/// A thread's board and its copy of the model.
pub(super) struct Worker {
    pub(super) replica: Replica,
    pub(super) environment: Environment,
    pub(super) forward: Forward,
}

impl Worker {
    pub(super) fn new(learner: &Learner, rule: Rule, size: Size) -> Self {
        Self { replica: learner.replica(), environment: Environment::new(rule, size), forward: Forward::new() }
    }

    /// Plays a game of the model against itself, or against an opponent that plays this color. Moves are drawn by their
    /// chances.
    pub(super) fn play(&mut self, rng: &mut Rng, opponent: Option<(&Model, Color)>) -> Played {
        let Self { replica, environment, forward } = self;
        let mut steps = Vec::new();
        let opening = environment.open(rng);
        let episode = environment.episode(&opening, |turn| {
            let (mover, ply) = (turn.threats.board().turn(), turn.moves.len());
            let features = Features::of(turn.threats, &turn.legal);
            if let Some((opponent, _)) = opponent.filter(|&(_, color)| color == mover) {
                opponent.forward(&features, forward);
                return turn.legal_move(rng.weighted(&forward.chances));
            }
            evaluate(&mut replica.model, &features, forward);
            let chosen = rng.weighted(&forward.chances);
            steps.push(Step { features, chosen, value: value(forward), mover, ply });
            turn.legal_move(chosen)
        });
        Played { episode, steps }
    }

    /// Plays a game of the model against itself. With chance `epsilon` a move is random, else that of the greatest logit.
    pub(super) fn explore(&mut self, rng: &mut Rng, epsilon: f64) -> Episode {
        let Self { replica, environment, forward } = self;
        let opening = environment.open(rng);
        environment.episode(&opening, |turn| {
            if rng.fraction() < epsilon {
                return turn.random(rng);
            }
            evaluate(&mut replica.model, &Features::of(turn.threats, &turn.legal), forward);
            turn.legal_move(greatest(&forward.logits))
        })
    }
}

/// The forward pass of a model whose rows may be outdated.
pub(super) fn evaluate(model: &mut Model, features: &Features, forward: &mut Forward) {
    model.sum_rows_of(features);
    model.forward(features, forward);
}

/// The value of a position for the side to move, −1 to 1.
pub(super) fn value(forward: &Forward) -> f32 {
    2.0 * forward.chance() - 1.0
}

/// The features of a position with all its legal moves.
pub(super) fn features(threats: &ThreatBoard) -> (Features, PointSet) {
    let legal = legal_moves(threats);
    (Features::of(threats, &legal), legal)
}

/// Processes the items on the workers, each an equal part, and returns the results in the order of the items.
pub(super) fn in_parallel<T: Sync, R: Send>(
    workers: &mut [Worker],
    items: &[T],
    work: impl Fn(&mut Worker, &T) -> R + Sync,
) -> Vec<R> {
    if let [worker] = workers {
        return items.iter().map(|item| work(worker, item)).collect();
    }
    let part = items.len().div_ceil(workers.len()).max(1);
    thread::scope(|scope| {
        let parts = workers.iter_mut().zip(items.chunks(part));
        let running: Vec<_> = parts
            .map(|(worker, items)| {
                let work = &work;
                scope.spawn(move || items.iter().map(|item| work(worker, item)).collect::<Vec<_>>())
            })
            .collect();
        running.into_iter().flat_map(|run| run.join().unwrap_or_else(|panic| panic::resume_unwind(panic))).collect()
    })
}
