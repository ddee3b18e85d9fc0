//! [`Ladder`]: players of fixed strength, and the Elo of a network among them.
//!
//! ```text
//! rungs: random moves, then the weightings from the weakest to the strongest of docs/lab/weights.md
//! rungs ─► round robin, once for a rule and size ─► their Elo, random moves at 0
//! network ─► 100 games against each rung ─► the Elo that makes the results most likely
//! ```

use super::episode::{Environment, Turn, greatest};
use crate::arena::stats::NORMAL_95;
use crate::arena::stats::rating::rate;
use crate::arena::stats::results::{Pairing, Pairings};
use crate::board::{Board, Color, Point, Rule, Size};
use crate::rng::Rng;
use crate::tune::network::{Features, Forward, Model};
use crate::weights::{WeightedPosition, Weighting};

/// The players, from the weakest: random moves near the stones, then the documented weights by their round robin.
pub(super) const RUNGS: [Rung; 7] = [
    Rung::Random,
    Rung::Weights(Weighting::Runs),
    Rung::Weights(Weighting::Grades),
    Rung::Weights(Weighting::Counts),
    Rung::Weights(Weighting::Decimal),
    Rung::Weights(Weighting::Shapes),
    Rung::Weights(Weighting::Windows),
];

/// Pairs of games for each pairing of the round robin.
const ROUND_ROBIN_PAIRS: u64 = 200;

/// Pairs of games of a network against each rung: each opening is played twice, with colors changed.
const PAIRS: u64 = 50;

/// Seed of the round robin. It is fixed, so that runs of one rule and size are measured by the same numbers.
const SEED: u64 = 0x4C41_4444_4552;

/// Elo points of a logit.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// A player of fixed strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rung {
    /// Random legal moves near the stones.
    Random,
    /// The greatest documented weight.
    Weights(Weighting),
}

impl Rung {
    /// The name in logs: `random`, or that of the weights.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Weights(weighting) => weighting.name(),
        }
    }
}

/// A player of a match.
pub(super) enum Player<'a> {
    Random,
    Weights(Box<WeightedPosition>, Vec<Point>),
    /// The greatest prior of a network, as the picker `policy` plays.
    Policy(&'a Model, Box<Forward>),
    /// A move drawn by the priors of a network.
    #[cfg(test)]
    Drawn(&'a Model, Box<Forward>),
}

impl<'a> Player<'a> {
    pub(super) fn of(rung: Rung, rule: Rule, size: Size) -> Self {
        match rung {
            Rung::Random => Self::Random,
            Rung::Weights(weighting) => {
                Self::Weights(Box::new(WeightedPosition::new(Board::new(size, rule), weighting)), Vec::new())
            }
        }
    }

    pub(super) fn policy(model: &'a Model) -> Self {
        Self::Policy(model, Box::new(Forward::new()))
    }

    fn choose(&mut self, turn: &Turn<'_>, rng: &mut Rng) -> Option<Point> {
        match self {
            Self::Random => turn.random(rng),
            Self::Weights(position, played) => {
                let common = played.iter().zip(turn.moves).take_while(|(a, b)| a == b).count();
                while played.len() > common {
                    position.undo();
                    played.pop();
                }
                for &point in &turn.moves[common..] {
                    position.play(point);
                    played.push(point);
                }
                position.greatest()
            }
            Self::Policy(model, forward) => {
                model.forward(&Features::of(turn.threats, &turn.legal), forward);
                turn.legal_move(greatest(&forward.logits))
            }
            #[cfg(test)]
            Self::Drawn(model, forward) => {
                model.forward(&Features::of(turn.threats, &turn.legal), forward);
                turn.legal_move(rng.weighted(&forward.chances))
            }
        }
    }
}

/// The wins, draws and losses of the first of two players.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Match {
    pub(super) counts: [u32; 3],
    /// The points of each pair of games, 0 to 2.
    pairs: Vec<f64>,
}

impl Match {
    /// The points: 1 for a win, ½ for a draw.
    pub(super) fn points(&self) -> f64 {
        self.pairs.iter().sum()
    }

    pub(super) fn games(&self) -> f64 {
        2.0 * self.pairs.len() as f64
    }
}

/// Plays this number of pairs of games from random openings that depend on the seed. Each is played with colors changed.
pub(super) fn play_match<'a>(
    environment: &mut Environment,
    first: &mut Player<'a>,
    second: &mut Player<'a>,
    pairs: u64,
    seed: u64,
) -> Match {
    let mut result = Match::default();
    for pair in 0..pairs {
        let mut rng = Rng::numbered(seed, pair);
        let opening = environment.open(&mut rng);
        let mut points = 0.0;
        for color in Color::ALL {
            let game = environment.episode(&opening, |turn| {
                let player = if turn.threats.board().turn() == color { &mut *first } else { &mut *second };
                player.choose(turn, &mut rng)
            });
            let result_of_first = game.result(color);
            result.counts[(1.0 - result_of_first) as usize] += 1;
            points += f64::from(1.0 + result_of_first) / 2.0;
        }
        result.pairs.push(points);
    }
    result
}

/// An Elo with half the width of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Estimate {
    pub(super) elo: f64,
    pub(super) error: f64,
}

/// The Elo of a player that makes its results against players of known Elo most likely. A result holds the Elo of the
/// opponent, the points and the games.
///
/// At that Elo the sum of the points equals the sum of the expected points. A sum of 0 or of all points is moved by half a
/// point, because the Elo would be infinite.
pub(super) fn estimate(results: &[(f64, f64, f64)]) -> Estimate {
    let games: f64 = results.iter().map(|&(_, _, games)| games).sum();
    let points: f64 = results.iter().map(|&(_, points, _)| points).sum();
    let points = points.clamp(0.5, (games - 0.5).max(0.5));
    let share = |elo: f64, other: f64| 1.0 / (1.0 + ((other - elo) / ELO_PER_LOGIT).exp());
    let expected = |elo: f64| results.iter().map(|&(other, _, games)| games * share(elo, other)).sum::<f64>();
    let (mut low, mut high) = (-10_000.0, 10_000.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if expected(middle) < points {
            low = middle;
        } else {
            high = middle;
        }
    }
    let elo = (low + high) / 2.0;
    let information: f64 = results
        .iter()
        .map(|&(other, _, games)| {
            let share = share(elo, other);
            games * share * (1.0 - share)
        })
        .sum();
    Estimate { elo, error: NORMAL_95 * ELO_PER_LOGIT / information.sqrt() }
}

/// The rungs under a rule and size, with their Elo.
pub(super) struct Ladder {
    rule: Rule,
    size: Size,
    environment: Environment,
    /// By the number of the rung.
    pub(super) elo: [f64; RUNGS.len()],
}

impl Ladder {
    /// Measures the rungs by a round robin. Cost: about a second.
    pub(super) fn new(rule: Rule, size: Size) -> Self {
        let mut environment = Environment::new(rule, size);
        let mut pairings = Pairings::new();
        for first in 0..RUNGS.len() {
            for second in first + 1..RUNGS.len() {
                let [mut one, mut other] = [first, second].map(|rung| Player::of(RUNGS[rung], rule, size));
                let seed = Rng::numbered(SEED, (first * RUNGS.len() + second) as u64).next_u64();
                let played = play_match(&mut environment, &mut one, &mut other, ROUND_ROBIN_PAIRS, seed);
                let samples = played.pairs.iter().map(|&points| (points, 2.0)).collect();
                pairings.insert((first, second), Pairing { samples, ..Pairing::default() });
            }
        }
        let ratings = rate(RUNGS.len(), &pairings).ratings;
        let elo = std::array::from_fn(|rung| ratings[rung].elo - ratings[0].elo);
        Self { rule, size, environment, elo }
    }

    /// The matches of a network against each rung, and its Elo. The openings depend on the seed.
    pub(super) fn measure(&mut self, model: &Model, seed: u64) -> ([Match; RUNGS.len()], Estimate) {
        let matches: [Match; RUNGS.len()] = std::array::from_fn(|rung| {
            let mut other = Player::of(RUNGS[rung], self.rule, self.size);
            let seed = Rng::numbered(seed, rung as u64).next_u64();
            play_match(&mut self.environment, &mut Player::policy(model), &mut other, PAIRS, seed)
        });
        let results: Vec<_> = matches.iter().zip(self.elo).map(|(m, elo)| (elo, m.points(), m.games())).collect();
        (matches, estimate(&results))
    }
}

#[cfg(test)]
mod tests {
    use super::super::episode::legal_moves;
    use super::*;
    use crate::eval::network::Weights;
    use crate::picker::{Limits, Picker, Policy};
    use crate::position::ThreatBoard;
    use crate::tune::network::Origin;

    #[test]
    fn the_estimate_agrees_with_elo_computed_by_hand() {
        // Three quarters of the points against one opponent: 400 · log10(3) = 190.85.
        let three_quarters = estimate(&[(100.0, 75.0, 100.0)]);
        assert!((three_quarters.elo - 290.85).abs() < 0.01, "{three_quarters:?}");
        // 1.96 · 173.72 / √(100 · 3/16).
        assert!((three_quarters.error - 78.63).abs() < 0.01, "{three_quarters:?}");
        // As many points lost against the stronger as won against the weaker: in the middle.
        let middle = estimate(&[(0.0, 90.0, 100.0), (400.0, 10.0, 100.0)]);
        assert!((middle.elo - 200.0).abs() < 0.01, "{middle:?}");
        // All points less half a point: 199 : 1, so 400 · log10(199) = 919.54.
        let all = estimate(&[(0.0, 100.0, 100.0)]);
        assert!((all.elo - 919.54).abs() < 0.01, "{all:?}");
        assert!((estimate(&[(0.0, 0.0, 100.0)]).elo + 919.54).abs() < 0.01);
    }

    /// Twin: the picker, which adds up the integers of the network's file. Both may choose among moves whose priors differ
    /// by rounding alone.
    #[test]
    fn a_network_on_the_ladder_plays_as_the_picker_does() {
        let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/networks/renju.net")).unwrap();
        let model = Model::from_weights(Rule::Renju, &Weights::from_bytes(&bytes).unwrap());
        let mut forward = Forward::new();
        let mut rng = Rng::new(5);
        let (mut all, mut same) = (0, 0);
        for _ in 0..10 {
            let board = Board::new(Size::FIFTEEN, Rule::Renju);
            let mut position = WeightedPosition::new(board.clone(), Weighting::Shapes);
            let mut threats: ThreatBoard = ThreatBoard::new(board);
            position.play(Size::FIFTEEN.centre());
            threats.play(Size::FIFTEEN.centre());
            for _ in 0..30 {
                let turn = Turn { threats: &threats, moves: &[], legal: legal_moves(&threats) };
                let chosen = Player::policy(&model).choose(&turn, &mut rng).unwrap();
                let picked = Policy.pick(&mut position, &Limits::default()).unwrap().point;
                model.forward(&Features::of(&threats, &turn.legal), &mut forward);
                let logit = |point| forward.logits[turn.legal.iter().position(|legal| legal == point).unwrap()];
                // The same bound as between the logits of both, see the tests of the network.
                let rounded = 0.15 + 0.05 * logit(chosen).abs();
                assert!(logit(chosen) - logit(picked) < rounded, "{chosen:?} {picked:?}");
                (all, same) = (all + 1, same + usize::from(chosen == picked));
                let next = turn.random(&mut rng).unwrap();
                position.play(next);
                threats.play(next);
            }
        }
        assert!(same * 10 > all * 8, "{same} of {all}");
    }

    #[test]
    fn the_rungs_are_measured_the_same_each_time_and_random_moves_are_the_lowest() {
        let size = Size::new(7).unwrap();
        let [one, other] = [(); 2].map(|()| Ladder::new(Rule::Freestyle, size).elo);
        assert_eq!(one, other);
        assert_eq!(one[0], 0.0);
        assert!(one[1..].iter().all(|&elo| elo > 200.0), "{one:?}");
    }

    #[test]
    fn a_network_that_has_learned_nothing_plays_like_random_moves() {
        let size = Size::new(9).unwrap();
        for seed in 1..4 {
            let model = Model::new(Rule::Freestyle, &Origin::Nothing, &mut Rng::new(seed));
            let mut environment = Environment::new(Rule::Freestyle, size);
            let mut player = Player::Drawn(&model, Box::new(Forward::new()));
            let played = play_match(&mut environment, &mut player, &mut Player::Random, 1000, seed);
            let found = estimate(&[(0.0, played.points(), played.games())]);
            assert!(found.elo.abs() < 30.0, "seed {seed}: {found:?}");
        }
    }
}
