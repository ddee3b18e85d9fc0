//! Training compared with difference quotients, with the engine's integers, and with itself on other numbers of
//! threads.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::features::NO_ROW;
use super::gradient::Shard;
use super::labelled::Labelled;
use super::learner::Learner;
use super::model::{Forward, Layout, Model, Origin};
use super::quantize::REST_STEP;
use super::train::{chosen_samples, is_held_out, labelled, measure};
use super::trainer::Trainer;
use super::{
    Checkpoint, CheckpointError, HeldOut, RoundEnd, TrainConfig, TrainError, TrainReport, TrainingGames, train,
};
use crate::board::{Board, Color, Rule, Size};
use crate::eval::classical::Combination;
use crate::eval::network::codebook::{self, FOLDED_WINDOWS, GREATEST, LANES};
use crate::eval::network::{Networks, Scale, Weights};
use crate::eval::{Classical, Evaluator, MovePriors, Network};
use crate::position::Position;
use crate::rng::Rng;
use crate::score::Score;
use crate::threat::LineWindow;
use crate::tune::loss::Loss;
use crate::tune::{Found, OpeningKind, Ply, SelfPlayGame, VisitShares};

/// Positions of random games with a random best move.
fn random_positions(rule: Rule, count: usize, rng: &mut Rng) -> Vec<(Position<Classical>, Labelled)> {
    let mut positions = Vec::new();
    let start = || {
        let mut position = Position::<Classical>::new(Board::new(Size::FIFTEEN, rule), ());
        position.play(Size::FIFTEEN.centre());
        position
    };
    let mut position = start();
    while positions.len() < count {
        let near: Vec<_> = position.board().near_stones().iter().collect();
        if position.board().stone_count() > 40 {
            position = start();
            continue;
        }
        position.play(near[rng.below(near.len())]);
        let near: Vec<_> = position.board().near_stones().iter().collect();
        let (best, label) = (near[rng.below(near.len())], rng.below(1001) as f32 / 1000.0);
        // Half of them have visits as a tree search counts them.
        let visits = (0..rng.below(2) * 5).map(|_| (near[rng.below(near.len())], 1 + rng.below(99) as u32));
        let visits: BTreeMap<_, _> = visits.collect();
        let visits = VisitShares::of(visits.into_iter());
        if let Some(labelled) = Labelled::of(&mut position, best, &visits, label, 1.0) {
            positions.push((position.clone(), labelled));
        }
    }
    positions
}

fn random_model(rule: Rule, rng: &mut Rng) -> Model {
    let priors = |_: usize| [vec![0.1; 1365], vec![-0.1; 1365]];
    let mut model = Model::new(rule, &Origin::Priors(&priors), rng);
    for number in model.rest.iter_mut().flatten() {
        *number = (rng.below(201) as f32 - 100.0) / 1000.0;
    }
    // With their initial weights to the value the hidden layers change it by less than the tests tolerate.
    for head in model.heads.chunks_exact_mut(Layout::LEN) {
        head[Layout::FIRST_OUTPUT..Layout::QUERY_BIAS].iter_mut().for_each(|weight| *weight *= 10.0);
    }
    model.sum_rows(0..model.rows.len() as u32);
    model
}

/// The loss whose gradient is tested.
fn loss(model: &Model, samples: &[Labelled]) -> f64 {
    let mut forward = Forward::new();
    let mut sum = 0.0;
    for sample in samples {
        model.forward(&sample.features, &mut forward);
        let common = 0.05 / sample.features.candidates.len() as f32;
        let moves: f32 = forward.chances.iter().map(|&chance| Loss::Moves.value(common, chance)).sum();
        // The share of a target is its share of the visits, or 1 for the best move.
        let targets = sample.targets.iter().map(|&(number, share)| Loss::Moves.value(share, forward.chances[number]));
        let moves = moves + 0.95 * targets.sum::<f32>();
        sum += f64::from(sample.weight * Loss::Chance.value(sample.label, forward.chance()) + 0.5 * moves);
    }
    sum / samples.len() as f64
}

#[test]
fn the_gradient_is_the_difference_quotient_of_the_loss() {
    for rule in [Rule::Freestyle, Rule::Renju] {
        let mut rng = Rng::new(3);
        let mut model = random_model(rule, &mut rng);
        let samples: Vec<_> = random_positions(rule, 12, &mut rng).into_iter().map(|(_, sample)| sample).collect();
        let mut shard = Shard::new(&model);
        shard.compute(&model, &samples, 1.0 / samples.len() as f32);
        let step = 1e-3;
        let check = |gradient: f32, quotient: f64, what: &str| {
            let error = (f64::from(gradient) - quotient).abs();
            assert!(error < 0.04 * quotient.abs() + 3e-4, "{rule}, {what}: {gradient}, expected {quotient}");
        };
        let mut heads: Vec<_> = (0..model.heads.len()).collect();
        heads.sort_by(|&a, &b| shard.heads[b].abs().total_cmp(&shard.heads[a].abs()));
        let layers = [Layout::FIRST, Layout::SECOND, Layout::QUERY];
        let biases = [Layout::FIRST_BIAS, Layout::SECOND_BIAS, Layout::QUERY_BIAS];
        let outputs = [Layout::DIRECT, Layout::FIRST_OUTPUT, Layout::SECOND_OUTPUT];
        let mut chosen: Vec<_> = heads.into_iter().take(20).collect();
        chosen.extend([layers, biases, outputs].as_flattened().iter().flat_map(|section| *section..section + 8));
        for at in chosen {
            let number = model.heads[at];
            model.heads[at] = number + step;
            let above = loss(&model, &samples);
            model.heads[at] = number - step;
            let below = loss(&model, &samples);
            model.heads[at] = number;
            check(shard.heads[at], (above - below) / (2.0 * f64::from(step)), &format!("head {at}"));
        }
        let gradient = |&(row, lane): &(u32, usize)| shard.rows[row as usize][lane].abs();
        let mut rows: Vec<_> = shard.touched.iter().flat_map(|&row| (0..LANES).map(move |lane| (row, lane))).collect();
        rows.sort_by(|a, b| gradient(b).total_cmp(&gradient(a)));
        // In this order many neighbours are lanes of one row.
        for (row, lane) in rows.into_iter().step_by(7).take(12) {
            let number = model.rest[row as usize][lane];
            let mut loss_at = |number| {
                model.rest[row as usize][lane] = number;
                model.sum_rows(std::iter::once(row));
                loss(&model, &samples)
            };
            let quotient = (loss_at(number + step) - loss_at(number - step)) / (2.0 * f64::from(step));
            loss_at(number);
            check(shard.rows[row as usize][lane], quotient, &format!("row {row}, lane {lane}"));
        }
    }
}

#[test]
fn a_training_from_random_weights_begins_with_the_priors_of_the_classical_evaluation() {
    for rule in Rule::ALL {
        let trainer = Trainer::new(&TrainConfig { rule, ..config(1, 1) }, None);
        for (mut position, sample) in random_positions(rule, 4, &mut Rng::new(6)) {
            let mover = sample.features.mover;
            let head = trainer.learner.model.head(mover);
            let near = position.board().near_stones();
            let (evaluation, sets) = position.follow_beside_sets();
            let priors = evaluation.move_priors(sets, mover);
            let expected: Vec<_> = near.iter().map(|point| priors.of(point)).collect();
            let of = |&[own, other]: &[Combination; 2]| {
                head[Layout::PRIORS + 2 * own.index()] + head[Layout::PRIORS + 2 * other.index() + 1]
            };
            let found = sample.features.candidates.iter().map(|candidate| of(&candidate.combinations));
            let found: Vec<_> = found.map(|prior| (100.0 * prior).round() as i32).collect();
            assert!(
                found == expected || found.len() < expected.len(),
                "{rule}, {mover}: {found:?}, expected {expected:?}"
            );
        }
    }
}

/// Rounding tolerance in score points: some hundredths of a logit.
const ROUNDING: f32 = 12.0;

#[test]
fn the_integers_of_the_engine_are_the_rounded_numbers_of_the_model() {
    for rule in [Rule::Freestyle, Rule::Renju] {
        let mut rng = Rng::new(5);
        let model = random_model(rule, &mut rng);
        let weights = model.quantized(&vec![u32::MAX; 2 * FOLDED_WINDOWS]).unwrap();
        let mut networks = Networks::none();
        networks.insert(weights);
        let networks = Box::leak(Box::new(networks));
        let mut forward = Forward::new();
        for (position, sample) in random_positions(rule, 60, &mut rng) {
            model.forward(&sample.features, &mut forward);
            let mut position = position.with::<Network>(networks);
            let (network, sets) = position.follow_beside_sets();
            let score = network.score(sets, sample.features.mover).value() as f32;
            let expected = Score::CHANCE_SCALE * forward.logit;
            assert!((score - expected).abs() < ROUNDING + 0.03 * expected.abs(), "{score}, expected {expected}");
            let near = position.board().near_stones();
            let (network, sets) = position.follow_beside_sets();
            let priors = network.move_priors(sets, sample.features.mover);
            let priors: Vec<f32> = near.iter().map(|point| priors.of(point) as f32 / 100.0).collect();
            if priors.len() == forward.chances.len() {
                let first = (forward.chances[0].ln(), priors[0]);
                for (chance, prior) in forward.chances.iter().zip(&priors) {
                    let (expected, found) = (chance.ln() - first.0, prior - first.1);
                    assert!((found - expected).abs() < 0.15 + 0.05 * expected.abs(), "{found}, expected {expected}");
                }
            }
        }
    }
}

#[test]
fn rows_have_the_range_of_the_engine() {
    for rule in [Rule::Standard, Rule::Renju] {
        let mut model = random_model(rule, &mut Rng::new(7));
        model.shared.as_flattened_mut().iter_mut().for_each(|number| *number *= 12.0);
        model.sum_all_rows();
        for seen in [0, u32::MAX] {
            let weights = model.quantized(&vec![seen; 2 * FOLDED_WINDOWS]).unwrap();
            let read = Model::from_weights(rule, &weights);
            for (view, color) in Color::ALL.into_iter().take(rule.tables()).enumerate() {
                let rest = weights.view(color).rest.iter().flat_map(|(_, row)| row);
                assert!(rest.into_iter().all(|number| number % REST_STEP == 0), "a rest has an odd number");
                let rows = weights.view(color).rows(rule, color);
                assert!(rows.as_flattened().contains(&GREATEST), "no row is clamped");
                for window in LineWindow::all().filter(|&window| !codebook::is_stoneless(window)) {
                    let number = codebook::folded(window);
                    let row = read.rows[view * FOLDED_WINDOWS + number].map(|number| (number * Scale::LANE) as i8);
                    assert_eq!(row, rows[number], "{rule}, {color}, window {number}");
                }
            }
        }
    }
}

/// Random games in which the best move is the lowest empty point near the stones.
fn games(rule: Rule, count: u32) -> Vec<SelfPlayGame> {
    let mut rng = Rng::new(9);
    let game = |number| {
        let mut board = Board::new(Size::FIFTEEN, rule);
        let mut plies = vec![Ply { point: Size::FIFTEEN.centre(), found: None, stray: None }];
        board.play(plies[0].point);
        while plies.len() < 24 {
            let near: Vec<_> = board.near_stones().iter().collect();
            let point = near[rng.below(near.len())];
            let found = Some(Found {
                best: near[0],
                score: Score::from_eval(40),
                visits: VisitShares::default(),
                is_quiet: true,
            });
            plies.push(Ply { point, found, stray: None });
            board.play(point);
        }
        let winner = Some(Color::ALL[rng.below(2)]);
        SelfPlayGame { number, size: Size::FIFTEEN, winner, opening: OpeningKind::Random, opening_plies: 1, plies }
    };
    (0..count).map(game).collect()
}

fn config(rounds: usize, threads: usize) -> TrainConfig {
    TrainConfig {
        rule: Rule::Freestyle,
        result_share: 0.5,
        samples: None,
        rounds: NonZeroUsize::new(rounds).unwrap(),
        rate: 0.005,
        seed: 1,
        threads: NonZeroUsize::new(threads).unwrap(),
    }
}

/// Trains on games in memory.
fn fit(
    config: &TrainConfig,
    games: &[SelfPlayGame],
    start: Option<&Weights>,
    checkpoint: Option<Checkpoint>,
    progress: &mut dyn FnMut(TrainReport<'_>) -> ControlFlow<()>,
) -> Result<RoundEnd, TrainError> {
    let games = TrainingGames { fitted: &mut games.to_vec(), held_out: None };
    train(config, games, start, checkpoint, progress)
}

#[test]
fn a_network_learns_the_same_on_any_number_of_threads() {
    let games = games(Rule::Freestyle, 60);
    let mut losses = Vec::new();
    let mut report = |report: TrainReport<'_>| {
        losses.extend(report.end.and_then(|end| end.held_out).map(|held_out| held_out.network.losses[Loss::Moves]));
        ControlFlow::Continue(())
    };
    let ignored = &mut |_: TrainReport<'_>| ControlFlow::Continue(());
    let one = fit(&config(4, 1), &games, None, None, &mut report).unwrap();
    assert!(losses.len() == 4 && losses[3] < losses[0] - 0.1, "{losses:?}");
    let two = fit(&config(4, 2), &games, None, None, ignored).unwrap();
    assert!(one.weights == two.weights);
    let on = fit(&config(1, 1), &games, Some(&one.weights), None, ignored).unwrap();
    assert!(on.held_out.unwrap().network.losses[Loss::Moves] < losses[0]);
    assert_eq!(Weights::from_bytes(&on.weights.to_bytes()), Ok(on.weights));
}

#[test]
fn the_rate_falls_with_the_samples_and_not_with_the_batches() {
    let mut rng = Rng::new(5);
    let samples: Vec<_> = random_positions(Rule::Freestyle, 1100, &mut rng).into_iter().map(|(_, one)| one).collect();
    let shares = RefCell::new(Vec::new());
    let progress = |share| {
        shares.borrow_mut().push(share);
        share
    };
    Trainer::new(&config(1, 1), None).fit(&samples, &progress).unwrap();
    assert_eq!(shares.into_inner(), [0.0, 0.5], "two batches of 550 samples");
}

#[test]
fn a_window_that_comes_late_moves_no_further_than_the_learning_rate() {
    let mut rng = Rng::new(12);
    let samples: Vec<_> =
        random_positions(Rule::Freestyle, 9, &mut rng).into_iter().map(|(_, sample)| sample).collect();
    let (late, early) = samples.split_last().unwrap();
    let mut learner = Learner::new(random_model(Rule::Freestyle, &mut rng), 1);
    for _ in 0..30 {
        learner.step(early, 0.001);
    }
    let before = learner.model.rest.clone();
    learner.step(std::slice::from_ref(late), 0.001);
    let of = |sample: &Labelled| -> BTreeSet<u32> { sample.features.points.concat().concat().into_iter().collect() };
    let known: BTreeSet<_> = early.iter().flat_map(of).chain([NO_ROW]).collect();
    let new: Vec<_> = of(late).difference(&known).map(|&row| row as usize).collect();
    assert!(new.len() > 10, "{} windows", new.len());
    let moved = new.iter().flat_map(|&row| before[row].iter().zip(&learner.model.rest[row]));
    let furthest = moved.map(|(before, after)| (before - after).abs()).fold(0.0, f32::max);
    // The decay adds less than a tenth of the rate.
    assert!((0.0009..0.0011).contains(&furthest), "{furthest}");
}

#[test]
fn training_from_a_network_of_the_same_rule_keeps_rows_of_unseen_windows() {
    let start = random_model(Rule::Freestyle, &mut Rng::new(6)).quantized(&vec![u32::MAX; FOLDED_WINDOWS]).unwrap();
    let windows = |weights: &Weights| weights.view(Color::Black).rest.len();
    let trained = |rule| {
        let config = TrainConfig { rule, ..config(1, 1) };
        fit(&config, &games(rule, 60), Some(&start), None, &mut |_| ControlFlow::Continue(())).unwrap().weights
    };
    let [before, same, other] = [&start, &trained(Rule::Freestyle), &trained(Rule::Standard)].map(windows);
    assert!(before > FOLDED_WINDOWS * 9 / 10 && same > before * 9 / 10, "{before} windows, then {same}");
    assert!(other < before / 10, "{before} windows, then {other} of another rule");
}

#[test]
fn a_training_resumed_from_a_checkpoint_equals_one_without_a_break() {
    let games = games(Rule::Freestyle, 60);
    let whole = fit(&config(3, 1), &games, None, None, &mut |_| ControlFlow::Continue(())).unwrap();
    let mut bytes = Vec::new();
    let stopped = fit(&config(3, 1), &games, None, None, &mut |report| {
        bytes = (report.checkpoint)().to_bytes();
        ControlFlow::Break(())
    });
    assert!(matches!(stopped, Err(TrainError::Stopped)));
    let checkpoint = Checkpoint::from_bytes(&bytes).unwrap();
    let mut curve = 0;
    let mut count = |report: TrainReport<'_>| {
        curve = report.curve.len();
        ControlFlow::Continue(())
    };
    let resumed = fit(&config(3, 2), &games, None, Some(checkpoint.clone()), &mut count).unwrap();
    assert!(resumed.weights == whole.weights);
    assert_eq!(curve, 3);
    let mut ignored = |_: TrainReport<'_>| ControlFlow::Continue(());
    for other in [config(4, 1), TrainConfig { samples: NonZeroUsize::new(20), ..config(3, 1) }] {
        let resumed = fit(&other, &games, None, Some(checkpoint.clone()), &mut ignored);
        assert!(matches!(resumed, Err(TrainError::OtherTraining)), "{other:?}");
    }
    let (mut fitted, mut judging) = (games.clone(), games);
    let sets = TrainingGames { fitted: &mut fitted, held_out: Some(&mut judging) };
    let resumed = train(&config(3, 1), sets, None, Some(checkpoint), &mut ignored);
    assert!(matches!(resumed, Err(TrainError::OtherTraining)), "measured on other games");
    for at in [3, 20, 30, 1000, bytes.len() - 1] {
        bytes[at] ^= 4;
        assert_eq!(Checkpoint::from_bytes(&bytes).unwrap_err(), CheckpointError, "{at}");
        assert!(Checkpoint::from_bytes(&bytes[..at]).is_err(), "{at}");
        bytes[at] ^= 4;
    }
}

#[test]
fn some_samples_of_a_game_are_different_and_always_the_same() {
    let config = TrainConfig { samples: NonZeroUsize::new(5), ..config(1, 1) };
    let mut all_chosen = BTreeSet::new();
    for (index, game) in games(Rule::Freestyle, 20).iter().enumerate() {
        let all: Vec<_> = game.samples().collect();
        let chosen = chosen_samples(&config, index as u32, game);
        let places: Vec<_> =
            chosen.iter().map(|sample| all.iter().position(|other| other == sample).unwrap()).collect();
        assert!(places.len() == 5 && places.is_sorted_by(|a, b| a < b), "{places:?}");
        assert_eq!(chosen_samples(&config, index as u32, game), chosen);
        all_chosen.extend(places);
    }
    assert!(all_chosen.len() > 20, "nearly every place of a game is chosen in some game: {all_chosen:?}");
    let of_seed = |seed| chosen_samples(&TrainConfig { seed, ..config }, 0, &games(Rule::Freestyle, 1)[0]);
    assert_ne!(of_seed(1), of_seed(2));
    let many = TrainConfig { samples: NonZeroUsize::new(50), ..config };
    let game = &games(Rule::Freestyle, 1)[0];
    assert_eq!(chosen_samples(&many, 0, game), game.samples().collect::<Vec<_>>());
    // Of these 60 games three are held out.
    let few = fit(&config, &games(Rule::Freestyle, 60), None, None, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(few, Err(TrainError::TooFewSamples(285, 1024))), "{few:?}");
}

#[test]
fn a_network_is_measured_on_the_games_held_out() {
    let config = config(2, 2);
    let (mut fitted, mut judging) = (games(Rule::Freestyle, 60), games(Rule::Freestyle, 8));
    judging.iter_mut().for_each(|game| game.winner = None);
    let mut qualities = Vec::new();
    let sets = TrainingGames { fitted: &mut fitted, held_out: Some(&mut judging) };
    let end = train(&config, sets, None, None, &mut |report| {
        qualities.extend(report.end.and_then(|end| end.held_out));
        ControlFlow::Continue(())
    });
    let end = end.unwrap();
    // The parts of some games, and all games at once in single precision.
    let numbers: Vec<_> = (0..8).collect();
    let samples = labelled(&config, &mut judging, &numbers).unwrap();
    let model = Model::from_weights(config.rule, &end.weights);
    let few = TrainConfig { samples: NonZeroUsize::new(2), ..config };
    let parts = measure(&few, &mut judging, numbers.chunks(3), &model, &end.weights, &mut None).unwrap().unwrap();
    let mut forward = Forward::new();
    let loss = |sample: &Labelled| {
        model.forward(&sample.features, &mut forward);
        Loss::Chance.value(sample.label, forward.chance())
    };
    let expected = samples.iter().map(loss).sum::<f32>() / samples.len() as f32;
    let HeldOut { rounded, classical, .. } = end.held_out.unwrap();
    for quality in [rounded, parts.network, parts.rounded] {
        assert!((quality.losses[Loss::Chance] - expected).abs() < 1e-5, "{quality}, expected {expected}");
    }
    assert_eq!(parts.classical.to_string(), classical.to_string());
    assert_eq!(qualities.len(), 2);
    assert_eq!(qualities[0].classical.to_string(), classical.to_string(), "the classical evaluation does not learn");
}

#[test]
fn games_of_every_size_are_held_out() {
    // Self-play draws the size of a game first.
    let size = |number: u32| Rng::numbered(1, number.into()).below(3);
    let held_out: Vec<_> = (0..6000).filter(|&number| is_held_out((1, number))).collect();
    let counts = [0, 1, 2].map(|wanted| held_out.iter().filter(|&&number| size(number) == wanted).count());
    assert!(counts.iter().all(|count| (70..130).contains(count)), "{counts:?}");
}

#[test]
fn rounding_loses_little() {
    let games = games(Rule::Freestyle, 120);
    let end = fit(&config(4, 1), &games, None, None, &mut |_| ControlFlow::Continue(())).unwrap();
    let HeldOut { network, rounded, .. } = end.held_out.unwrap();
    assert!((network.losses[Loss::Chance] - rounded.losses[Loss::Chance]).abs() < 0.02, "{network}; rounded {rounded}");
    assert!((network.losses[Loss::Moves] - rounded.losses[Loss::Moves]).abs() < 0.01, "{network}; rounded {rounded}");
    assert!(network.first <= network.first_three && network.first_three <= 1.0, "{network}");
}

#[test]
fn too_few_games_are_an_error() {
    let too_few = games(Rule::Freestyle, 2);
    let few = fit(&config(1, 1), &too_few, None, None, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(few, Err(TrainError::TooFewSamples(46, 1024))));
}

#[test]
fn a_stopped_training_returns_no_network() {
    let mut reports = 0;
    let stopped = fit(&config(4, 1), &games(Rule::Freestyle, 60), None, None, &mut |_| {
        reports += 1;
        ControlFlow::Break(())
    });
    assert!(matches!(stopped, Err(TrainError::Stopped)) && reports == 1);
    // A stop during the last part comes too late.
    let done = fit(&config(1, 1), &games(Rule::Freestyle, 60), None, None, &mut |report| {
        if report.end.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(done.is_ok());
}

#[test]
fn a_parameter_that_is_not_a_number_is_refused() {
    let mut model = random_model(Rule::Freestyle, &mut Rng::new(1));
    let seen = vec![0; FOLDED_WINDOWS];
    assert!(model.quantized(&seen).is_some());
    model.heads[Layout::SECOND_OUTPUT] = f32::NAN;
    assert!(model.quantized(&seen).is_none());
}
