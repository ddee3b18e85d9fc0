//! The losses against difference quotients, the algorithms on small boards, and runs that are broken off and resumed.

use super::checkpoint::Checkpoint;
use super::config::{AlgorithmName, ReinforceConfig};
use super::dqn::ValuedMove;
use super::episode::{Environment, Episode};
use super::examine::Examination;
use super::policy_loss::PolicyExample;
use super::task::ReinforceTrainer;
use super::worker::{Played, Step, features};
use super::{DISCOUNT, actor_critic, policy_gradient};
use crate::board::{Board, Color, Rule, Size};
use crate::notation::parse_comma;
use crate::position::ThreatBoard;
use crate::rng::Rng;
use crate::tune::loss::Loss;
use crate::tune::network::{Example, Features, Forward, Model};

const ALGORITHMS: [AlgorithmName; 3] = [AlgorithmName::PolicyGradient, AlgorithmName::ActorCritic, AlgorithmName::Dqn];

fn config(algorithm: AlgorithmName, rule: Rule) -> ReinforceConfig {
    ReinforceConfig { algorithm, rule, size: Size::new(7).unwrap(), rate: 0.003, seed: 5 }
}

/// The features of a position after one stone.
fn some_features() -> Features {
    let mut board = Board::new(Size::new(7).unwrap(), Rule::Freestyle);
    board.play(parse_comma("3,3").unwrap());
    features(&ThreatBoard::new(board)).0
}

/// Checks the derivatives of an example. `moves` is the loss that depends on the logits of the moves, and `value` the one
/// that depends on the logit of winning.
fn check_slopes(example: &impl Example, moves: impl Fn(&Forward) -> f32, value: impl Fn(&Forward) -> f32) {
    let mut rng = Rng::new(4);
    let logits: Vec<f32> = (0..5).map(|_| 4.0 * rng.fraction() as f32 - 2.0).collect();
    let (logit, step) = (0.4, 1e-2);
    let mut slopes = vec![0.0; logits.len()];
    let by_value = example.slopes(&Forward::of_logits(&logits, logit), &mut slopes);
    for at in 0..logits.len() {
        let [above, below] = [step, -step].map(|by| {
            let mut moved = logits.clone();
            moved[at] += by;
            moves(&Forward::of_logits(&moved, logit))
        });
        let quotient = (above - below) / (2.0 * step);
        assert!((slopes[at] - quotient).abs() < 2e-3, "move {at}: {}, expected {quotient}", slopes[at]);
    }
    let [above, below] = [step, -step].map(|by| value(&Forward::of_logits(&logits, logit + by)));
    let quotient = (above - below) / (2.0 * step);
    assert!((by_value - quotient).abs() < 2e-3, "value: {by_value}, expected {quotient}");
}

#[test]
fn the_slopes_of_the_policy_loss_are_its_difference_quotients() {
    for (chosen, advantage, target) in [(0, 0.7, 0.5), (3, -1.4, -0.9), (4, 0.0, 0.0)] {
        let example = PolicyExample { features: some_features(), chosen, advantage, target };
        let example = &example;
        let loss = |loss| move |forward: &Forward| example.losses(forward)[loss];
        check_slopes(example, loss(Loss::Moves), loss(Loss::Chance));
    }
}

#[test]
fn the_slopes_of_the_loss_of_move_values_are_its_difference_quotients() {
    for (chosen, target) in [(1, 1.0), (2, -0.6), (4, 0.0)] {
        let example = ValuedMove { features: some_features(), chosen, target };
        // The label of the value is fixed, and its loss has a quarter of the weight.
        check_slopes(
            &example,
            |forward| example.losses(forward)[Loss::Moves],
            |forward| 0.25 * example.losses(forward)[Loss::Chance],
        );
    }
}

/// A game that black wins with its fifth move, and the values of the positions in which the players chose.
fn played(values: [f32; 8]) -> Played {
    let moves = ["3,3", "0,0", "3,4", "0,2", "3,5", "0,4", "3,6", "0,6", "3,2"];
    let moves: Vec<_> = moves.iter().map(|point| parse_comma(point).unwrap()).collect();
    let step = |(ply, value): (usize, f32)| Step {
        features: some_features(),
        chosen: 0,
        value,
        mover: Episode::mover(ply),
        ply,
    };
    let steps = (1..9).zip(values).map(step).collect();
    Played { episode: Episode { moves, opening: 1, winner: Some(Color::Black) }, steps }
}

#[test]
fn returns_change_their_sign_from_side_to_side_and_fade_with_the_distance() {
    let values = [0.1, 0.2, -0.3, 0.4, 0.0, 0.6, -0.7, 0.8];
    let examples: Vec<_> = policy_gradient::examples(played(values)).collect();
    let targets: Vec<_> = examples.iter().map(|example| example.target).collect();
    let power = |plies: i32| DISCOUNT.powi(plies);
    let expected = [-power(7), power(6), -power(5), power(4), -power(3), power(2), -power(1), 1.0];
    assert!(targets.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{targets:?}");
    assert!((examples[2].advantage - (-power(5) + 0.3)).abs() < 1e-6);
    // After four plies the same side is to move, so that its own value is the target.
    let targets: Vec<_> = actor_critic::examples(played(values)).map(|example| example.target).collect();
    let four = power(4);
    let expected = [0.0, four * 0.6, four * -0.7, four * 0.8, -power(3), power(2), -power(1), 1.0];
    assert!(targets.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{targets:?}");
}

#[test]
fn each_algorithm_learns_to_make_fives_and_to_block_them() {
    for (algorithm, updates) in
        [(AlgorithmName::PolicyGradient, 120), (AlgorithmName::ActorCritic, 6), (AlgorithmName::Dqn, 100)]
    {
        let config = config(algorithm, Rule::Freestyle);
        let mut examination = Examination::new(config.rule, config.size);
        let mut trainer = ReinforceTrainer::new(config, 1);
        let before = examination.examine(&Model::from_weights(config.rule, &trainer.weights().unwrap()));
        assert!(before.fives < 0.3 && before.blocks < 0.3, "{algorithm}: {before:?}");
        advance(&mut trainer, updates);
        let marks = examination.examine(&Model::from_weights(config.rule, &trainer.weights().unwrap()));
        assert!(marks.fives > 0.8 && marks.blocks > 0.6, "{algorithm}, {:?}: {marks:?}", trainer.work);
    }
}

fn advance(trainer: &mut ReinforceTrainer, updates: usize) {
    (0..updates).for_each(|_| _ = trainer.update());
}

/// The bytes of a checkpoint without the clock.
fn state(trainer: &mut ReinforceTrainer) -> Vec<u8> {
    let mut checkpoint = trainer.checkpoint();
    (checkpoint.work.seconds, checkpoint.work.cpu_seconds) = (0.0, 0.0);
    checkpoint.to_bytes()
}

#[test]
fn a_course_resumed_from_a_checkpoint_equals_one_without_a_break() {
    for algorithm in ALGORITHMS {
        let config = config(algorithm, Rule::Renju);
        let updates = match algorithm {
            AlgorithmName::ActorCritic => [1, 1],
            AlgorithmName::PolicyGradient => [200, 2],
            AlgorithmName::Dqn => [12, 2],
        };
        let mut whole = ReinforceTrainer::new(config, 1);
        advance(&mut whole, updates[0]);
        let bytes = whole.checkpoint().to_bytes();
        let mut resumed = ReinforceTrainer::new(config, 1).resume(Checkpoint::from_bytes(&bytes).unwrap()).unwrap();
        for trainer in [&mut whole, &mut resumed] {
            advance(trainer, updates[1]);
        }
        assert!(state(&mut whole) == state(&mut resumed), "{algorithm}");
        assert_eq!(whole.weights().unwrap(), resumed.weights().unwrap());
        for at in [3, 25, 40, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert!(Checkpoint::from_bytes(&damaged).is_err(), "{at}");
            assert!(Checkpoint::from_bytes(&bytes[..at]).is_err(), "{at}");
        }
    }
}

#[test]
fn the_number_of_workers_changes_no_result_but_that_of_the_actor_critic() {
    for (algorithm, updates) in [(AlgorithmName::PolicyGradient, 3), (AlgorithmName::Dqn, 12)] {
        let [mut one, mut two] =
            [1, 2].map(|workers| ReinforceTrainer::new(config(algorithm, Rule::Freestyle), workers));
        for trainer in [&mut one, &mut two] {
            advance(trainer, updates);
        }
        assert!(state(&mut one) == state(&mut two), "{algorithm}");
    }
    let mut two = ReinforceTrainer::new(config(AlgorithmName::ActorCritic, Rule::Freestyle), 2);
    two.update();
    assert!(two.work.games > 0 && two.weights().is_ok());
}

#[test]
fn fouls_are_no_candidates_of_black() {
    let mut environment = Environment::new(Rule::Renju, Size::new(9).unwrap());
    // Black's double three is at 4,4.
    let stones = ["4,3", "0,0", "4,5", "0,2", "3,4", "0,4", "5,4", "0,6"];
    let stones: Vec<_> = stones.iter().map(|point| parse_comma(point).unwrap()).collect();
    let threats = environment.set(&stones);
    let foul = parse_comma("4,4").unwrap();
    assert!(threats.board().is_forbidden(foul, Color::Black));
    let (seen, legal) = features(threats);
    assert!(!legal.contains(foul) && !legal.is_empty());
    assert_eq!(seen.move_count(), legal.len());
}
