//! The learned evaluation compared with its twin: the same network, summed cell by cell in wide integers.

use tengen::board::{Board, Color, Direction, Point, Rule, Size};
use tengen::eval::network::codebook::{self, BOTH, FOLDED_WINDOWS, LANES, ViewRow};
use tengen::eval::network::file::{HALF_ROWS, PATTERN_ROWS};
use tengen::eval::network::head::{FIRST, SECOND};
use tengen::eval::network::{Head, NetworkError, ViewWeights, Weights};
use tengen::eval::{Evaluator, MovePriors, Network, Networks};
use tengen::fnv::Fnv1a;
use tengen::position::Position;
use tengen::rng::Rng;
use tengen::threat::{Cell, LineWindow, Pattern, Threat};

use crate::walk::every_walk;

/// A network of random numbers, up to `greatest` in the rows.
fn random_weights(rule: Rule, greatest: i8, seed: u64) -> Weights {
    let mut rng = Rng::new(seed);
    let views = (0..rule.tables()).map(|_| {
        let mut row = |greatest: i8| -> ViewRow {
            let greatest = i32::from(greatest);
            std::array::from_fn(|_| (rng.below(2 * greatest as usize + 1) as i32 - greatest) as i8)
        };
        let patterns = (0..PATTERN_ROWS).map(|_| row(greatest)).collect();
        let halves = (0..HALF_ROWS).map(|_| row(greatest / 4)).collect();
        let rest = (0..FOLDED_WINDOWS as u32).step_by(3).map(|number| (number, row(greatest / 2))).collect();
        ViewWeights { patterns, halves, rest, head: random_head(&mut rng) }
    });
    Weights::new(rule, views.collect()).unwrap()
}

fn random_head(rng: &mut Rng) -> Head {
    let mut head = Head::zero();
    let mut number = |greatest: i32| rng.below(2 * greatest as usize + 1) as i32 - greatest;
    let layers = [&mut head.first[..], &mut head.second, &mut head.query].map(<[_]>::as_flattened_mut);
    let outputs = [&mut head.direct[..], &mut head.first_output, &mut head.second_output];
    layers.into_iter().chain(outputs).flatten().for_each(|weight| *weight = number(300) as i16);
    let biases = [&mut head.first_bias[..], head.threats.as_flattened_mut(), &mut head.second_bias];
    biases.into_iter().flatten().for_each(|bias| *bias = number(100_000));
    head.query_bias.iter_mut().for_each(|bias| *bias = number(20_000));
    head.priors.as_flattened_mut().iter_mut().for_each(|prior| *prior = number(500) as i16);
    head
}

/// Random networks for all rules, kept until the process ends.
fn random_networks(greatest: i8) -> &'static Networks {
    let mut networks = Networks::none();
    Rule::ALL.into_iter().for_each(|rule| networks.insert(random_weights(rule, greatest, number_of(rule))));
    Box::leak(Box::new(networks))
}

/// The seed of a rule's network.
fn number_of(rule: Rule) -> u64 {
    rule.index() as u64 + 1
}

/// The lanes of an empty point as one color sees it, computed from the board cells.
fn lanes(weights: &Weights, position: &Position<Network>, point: Point, color: Color) -> [i64; LANES] {
    let view = weights.view(color);
    let mut sum = [0; LANES];
    for direction in Direction::ALL {
        let window = LineWindow::read(position.board(), point, direction, color);
        let has_stone =
            (-5..=5).any(|distance| distance != 0 && matches!(window.cell(distance), Cell::Own | Cell::Opponent));
        if !has_stone {
            continue;
        }
        let patterns = [color, !color].map(|color| position.threats().patterns(point, color).get(direction).index());
        let own = view.rest.iter().find(|(number, _)| *number as usize == codebook::folded(window)).map(|(_, row)| row);
        let [low, high] = codebook::halves(window);
        for lane in 0..LANES {
            let shared =
                [&view.patterns[patterns[0] * Pattern::ALL.len() + patterns[1]], &view.halves[low], &view.halves[high]];
            let row: i64 = shared.into_iter().chain(own).map(|row| i64::from(row[lane])).sum();
            sum[lane] += row.clamp(-127, 127);
        }
    }
    sum.map(|lane| lane.max(0))
}

/// The score of a position and the priors of some moves, computed from the board.
struct Twin {
    score: i64,
    query: Vec<i64>,
}

impl Twin {
    fn new(weights: &Weights, position: &mut Position<Network>, mover: Color) -> Self {
        let head = &weights.view(mover).head;
        let mut pooled = vec![0; BOTH];
        for point in position.board().empty_points().iter() {
            let both = [mover, !mover].map(|color| lanes(weights, position, point, color));
            pooled.iter_mut().zip(both.as_flattened()).for_each(|(sum, lane)| *sum += lane * lane / 64);
        }
        let x: Vec<i64> = pooled.iter().map(|sum| (sum / 16).min(8191)).collect();
        let product = |units: &[i64], weights: &[i16]| -> i64 {
            assert_eq!(units.len(), weights.len());
            units.iter().zip(weights).map(|(unit, &weight)| unit * i64::from(weight)).sum()
        };
        let first: Vec<i64> = (0..FIRST)
            .map(|unit| {
                let mut sum = i64::from(head.first_bias[unit]) + product(&x, &head.first[unit]);
                threat_rows(position, mover).for_each(|row| sum += i64::from(head.threats[row][unit]));
                (sum >> 8).clamp(0, 8191)
            })
            .collect();
        let second: Vec<i64> = (0..SECOND)
            .map(|unit| i64::from(head.second_bias[unit]) + product(&first, &head.second[unit]))
            .map(|sum| (sum >> 8).clamp(0, 8191))
            .collect();
        let value =
            product(&x, &head.direct) + product(&first, &head.first_output) + product(&second, &head.second_output);
        let score = (value * 200 / 32_768).clamp(-30_999, 30_999);
        let query = (0..BOTH).map(|lane| {
            let sum = i64::from(head.query_bias[lane]) + product(&first, &head.query[lane]);
            (sum >> 9).clamp(-32_767, 32_767)
        });
        Self { score, query: query.collect() }
    }

    fn prior(&self, weights: &Weights, position: &Position<Network>, point: Point, mover: Color) -> i64 {
        use tengen::eval::classical::Combination;
        let both = [mover, !mover].map(|color| lanes(weights, position, point, color));
        let sum: i64 = both.as_flattened().iter().zip(&self.query).map(|(lane, query)| lane * query).sum();
        let priors = &weights.view(mover).head.priors;
        let [own, other] =
            [mover, !mover].map(|color| Combination::of(position.threats().patterns(point, color)).index());
        i64::from(priors[own][0]) + i64::from(priors[other][1]) + (((sum >> 7) * 100) >> 7)
    }
}

/// The rows of the threats on the board, found by counting points.
fn threat_rows(position: &Position<Network>, mover: Color) -> impl Iterator<Item = usize> + use<> {
    let threats = [Threat::OpenThree, Threat::DoubleThree, Threat::Four, Threat::FourThree];
    let threats = [&threats[..], &[Threat::DoubleFour, Threat::OpenFour, Threat::Five]].concat();
    let mut rows = Vec::new();
    for color in [mover, !mover] {
        for least in [1, 2] {
            for threat in &threats {
                let makes = |point: &Point| Threat::of(position.threats().patterns(*point, color)) == *threat;
                rows.push(position.board().empty_points().iter().filter(makes).count() >= least);
            }
        }
    }
    rows.into_iter().enumerate().filter(|(_, is_there)| *is_there).map(|(row, _)| row)
}

/// Compares the score and some priors of both colors with the twin: the priors before the network evaluates the position,
/// then after it.
fn check(position: &mut Position<Network>, weights: &Weights) {
    for is_scored in [false, true] {
        for mover in Color::ALL {
            let twin = Twin::new(weights, position, mover);
            if is_scored {
                let (network, sets) = position.follow_beside_sets();
                assert_eq!(i64::from(network.score(sets, mover).value()), twin.score, "{mover}");
            }
            let points: Vec<_> = position.board().near_stones().iter().step_by(7).collect();
            for point in points {
                let (network, sets) = position.follow_beside_sets();
                let prior = i64::from(network.move_priors(sets, mover).of(point));
                let expected = twin.prior(weights, position, point, mover);
                assert_eq!(prior, expected, "{mover} {point:?}\n{}", position.board());
            }
        }
    }
}

#[test]
fn the_network_is_the_sum_of_its_rows_through_undo_and_walls() {
    let networks = random_networks(60);
    let weights = Rule::ALL.map(|rule| random_weights(rule, 60, number_of(rule)));
    every_walk::<Network>(13, &[networks], 120, |walk| {
        assert!(walk.position.accumulator_agrees(), "{}", walk.position.board());
        if walk.rng.below(24) == 0 {
            let rule = walk.position.board().rule();
            check(&mut walk.position, weights.iter().find(|weights| weights.rule == rule).unwrap());
        }
        // What the network keeps of this position must not serve the next one.
        let (network, sets) = walk.position.follow_beside_sets();
        network.score(sets, Color::Black);
    });
}

#[test]
fn the_greatest_rows_do_not_overflow() {
    let networks = random_networks(127);
    let weights = Rule::ALL.map(|rule| random_weights(rule, 127, number_of(rule)));
    every_walk::<Network>(14, &[networks], 150, |walk| {
        assert!(walk.position.accumulator_agrees(), "{}", walk.position.board());
        if walk.rng.below(24) == 0 {
            let rule = walk.position.board().rule();
            check(&mut walk.position, weights.iter().find(|weights| weights.rule == rule).unwrap());
        }
        for mover in Color::ALL {
            let (network, sets) = walk.position.follow_beside_sets();
            assert!(!network.score(sets, mover).is_decided());
        }
    });
}

#[test]
fn empty_boards_of_all_sizes_score_the_same() {
    let networks = random_networks(127);
    let score = |side| {
        let board = Board::new(Size::new(side).unwrap(), Rule::Standard);
        let mut position = Position::<Network>::new(board, networks);
        let (network, sets) = position.follow_beside_sets();
        network.score(sets, Color::Black)
    };
    assert!((Size::MIN..=Size::MAX).all(|side| score(side) == score(15)));
}

#[test]
fn a_file_is_read_as_it_was_written() {
    for rule in Rule::ALL {
        let weights = random_weights(rule, 100, 5);
        assert_eq!(Weights::from_bytes(&weights.to_bytes()), Ok(weights));
    }
}

#[test]
fn a_damaged_or_foreign_file_is_an_error() {
    let bytes = random_weights(Rule::Freestyle, 100, 5).to_bytes();
    assert_eq!(Weights::from_bytes(b""), Err(NetworkError::Magic));
    assert_eq!(Weights::from_bytes(b"tengen network 2\n"), Err(NetworkError::Magic));
    assert_eq!(Weights::from_bytes(b"tengen network 3\n"), Err(NetworkError::Length));
    for cut in [30, 100, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(Weights::from_bytes(&bytes[..cut]), Err(NetworkError::Checksum), "{cut}");
    }
    assert_eq!(Weights::from_bytes(&bytes[..20]), Err(NetworkError::Length));
    let mut rng = Rng::new(1);
    for _ in 0..100 {
        let mut damaged = bytes.clone();
        let at = 17 + rng.below(bytes.len() - 17);
        damaged[at] ^= 1 << rng.below(8);
        assert_eq!(Weights::from_bytes(&damaged), Err(NetworkError::Checksum), "{at}");
    }
    let mut head = random_head(&mut rng);
    head.direct[3] = 2048;
    let row = [0; LANES];
    let view = ViewWeights { patterns: vec![row; PATTERN_ROWS], halves: vec![row; HALF_ROWS], rest: Vec::new(), head };
    assert_eq!(Weights::new(Rule::Freestyle, vec![view.clone()]), Err(NetworkError::Bound));
    assert_eq!(Weights::new(Rule::Renju, vec![view]), Err(NetworkError::Views(1)));
}

/// A hash of the scores of [`random_networks`] in some positions. It is the same on every machine.
const OUTPUTS: u64 = 0xdbb1_4a48_fb13_cc52;

#[test]
fn the_outputs_are_the_pinned_ones() {
    let networks = random_networks(60);
    let mut hash = Fnv1a::default();
    let mut rng = Rng::new(21);
    for rule in Rule::ALL {
        let mut position = Position::<Network>::new(Board::new(Size::FIFTEEN, rule), networks);
        position.play(Size::FIFTEEN.centre());
        for _ in 0..60 {
            let near: Vec<_> = position.board().near_stones().iter().collect();
            position.play(near[rng.below(near.len())]);
            let near = position.board().near_stones();
            for mover in Color::ALL {
                let (network, sets) = position.follow_beside_sets();
                hash.add_word(network.score(sets, mover).value() as u64);
                let priors = network.move_priors(sets, mover);
                near.iter().for_each(|point| hash.add_word(priors.of(point) as u64));
            }
        }
    }
    assert_eq!(hash.get(), OUTPUTS, "{:#x}", hash.get());
}
