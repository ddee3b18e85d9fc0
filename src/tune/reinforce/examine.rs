//! [`Examination`]: does a network take an own five, and does it block a five of the other side?

use super::episode::{Environment, greatest, legal_moves};
use super::ladder::{RUNGS, Rung};
use crate::board::{Board, Point, PointSet, Rule, Size};
use crate::rng::Rng;
use crate::solver::five_blocks;
use crate::threat::Threat;
use crate::tune::network::{Features, Forward, Model};
use crate::weights::WeightedPosition;

/// Positions of each kind.
const POSITIONS: usize = 1_000;

/// Seed of the positions. They come from other games than those of a learner.
const SEED: u64 = 0x4558_414D;

/// Maximum number of games from which they are taken. On tiny boards fives are rare.
const MOST_GAMES: u64 = 100_000;

/// The share of the moves that are random in the games from which the positions are taken. The others are those of documented
/// weights.
const RANDOM_SHARE: f64 = 0.5;

/// A position and the right moves.
struct Task {
    moves: Vec<Point>,
    passes: PointSet,
}

/// Positions where the side to move can make a five, and positions where it must block one.
pub(super) struct Examination {
    environment: Environment,
    fives: Vec<Task>,
    blocks: Vec<Task>,
}

/// Shares of positions in which a network plays a right move, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PassRates {
    /// It makes its five.
    pub(super) fives: f64,
    /// It blocks the only five of the other side, without a five of its own.
    pub(super) blocks: f64,
}

impl Examination {
    /// Takes 1,000 positions of each kind from random games, at most one of a kind from a game. Cost: about a second.
    pub(super) fn new(rule: Rule, size: Size) -> Self {
        let mut examination = Self { environment: Environment::new(rule, size), fives: Vec::new(), blocks: Vec::new() };
        for number in 0..MOST_GAMES {
            if examination.fives.len().min(examination.blocks.len()) == POSITIONS {
                break;
            }
            examination.take_from_game(rule, size, &mut Rng::numbered(SEED, number));
        }
        examination
    }

    fn take_from_game(&mut self, rule: Rule, size: Size, rng: &mut Rng) {
        let Self { environment, fives, blocks } = self;
        let mut five = None;
        let mut block = None;
        let opening = environment.open(rng);
        let Rung::Weights(weighting) = RUNGS[1 + rng.below(RUNGS.len() - 1)] else { return };
        let mut position = WeightedPosition::new(Board::new(size, rule), weighting);
        let mut played = 0;
        environment.episode(&opening, |turn| {
            let (threats, mover) = (turn.threats, turn.threats.board().turn());
            let task = |passes: PointSet| Task { moves: turn.moves.to_vec(), passes };
            let [own, other] = [mover, !mover].map(|color| threats.sets().count(color, Threat::Five));
            if own > 0 {
                five.get_or_insert_with(|| task(*threats.sets().set(mover, Threat::Five)));
            } else if other == 1 {
                let passes = threats.allowed(&five_blocks(threats, !mover));
                if !passes.is_empty() {
                    block.get_or_insert_with(|| task(passes));
                }
            }
            for &point in &turn.moves[played..] {
                position.play(point);
            }
            played = turn.moves.len();
            if rng.fraction() < RANDOM_SHARE { turn.random(rng) } else { position.greatest() }
        });
        for (tasks, task) in [(fives, five), (blocks, block)] {
            tasks.extend(task.filter(|_| tasks.len() < POSITIONS));
        }
    }

    /// Examines a network: the greatest prior of each position is its move.
    pub(super) fn examine(&mut self, model: &Model) -> PassRates {
        let Self { environment, fives, blocks } = self;
        let mut forward = Forward::new();
        let mut share = |tasks: &[Task]| {
            let passed = tasks.iter().filter(|task| {
                let threats = environment.set(&task.moves);
                let legal = legal_moves(threats);
                model.forward(&Features::of(threats, &legal), &mut forward);
                let chosen = legal.iter().nth(greatest(&forward.logits));
                chosen.is_some_and(|point| task.passes.contains(point))
            });
            passed.count() as f64 / tasks.len().max(1) as f64
        };
        PassRates { fives: share(fives), blocks: share(blocks) }
    }
}
