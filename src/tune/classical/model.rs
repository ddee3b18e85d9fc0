//! [`Model`]: the classical evaluation in floating point, its parameters and its forward pass.
//!
//! ```text
//! counts of combinations ─► row sums ─► logit ─────────────────────────────────────────┐
//!                                    └► 16 units: max(0, bias + sum) ─► output weights ─┴─► chance to win
//! candidate moves ─► attack prior of the mover + defence prior of the other side ─► softmax ─► chance to be the best
//! ```

use super::features::Features;
use crate::board::{Color, Direction, Rule};
use crate::eval::classical::{Combination, UNITS};
use crate::rng::Rng;
use crate::threat::{Pattern, Threat};
use crate::tune::adam::random;
use crate::tune::loss::{Loss, Losses, logistic};

/// Number of weight sets. The second is used only if the colors play by different rules.
pub(super) const WEIGHT_SETS: usize = 2;

/// Number of roles of a color: to move, or the other side.
pub(super) const ROLES: usize = 2;

/// Number of blocks of rows: each weight set in each role.
pub(super) const BLOCKS: usize = WEIGHT_SETS * ROLES;

/// Numbers of a row: its share of the logit and of each hidden unit.
pub(super) const WIDTH: usize = 1 + UNITS;

/// The contribution of a point to the evaluation.
pub(super) type Row = [f32; WIDTH];

/// The number of threats.
const THREATS: usize = Threat::Five as usize + 1;

/// Rows that combinations share: one for each pattern and one for each threat.
pub(super) const SHARED_ROWS: usize = Pattern::ALL.len() + THREATS;

/// Rows of a block: those that combinations share, and the rest of each combination.
pub(super) const ROWS: usize = SHARED_ROWS + Combination::COUNT;

/// Shared rows of a combination: four patterns and a threat.
const SHARED_PARTS: usize = Direction::ALL.len() + 1;

/// Parameters of the hidden layer of a weight set: the biases and the output weights.
const LAYER: usize = 2 * UNITS;

/// Index of the first parameter of the hidden layers.
pub(super) const LAYERS_START: usize = BLOCKS * ROWS * WIDTH;

/// Index of the first parameter of the priors.
pub(super) const PRIORS_START: usize = LAYERS_START + WEIGHT_SETS * LAYER;

/// All parameters: 99,784.
pub(super) const PARAMETERS: usize = PRIORS_START + BLOCKS * ROWS;

/// Greatest initial parameter of a shared row's hidden units: small compared to a unit of 1, and not 0, so that the units
/// differ. Hand-set.
const FIRST_UNIT: f32 = 0.01;

/// Greatest initial bias and output weight. Hand-set.
const FIRST_LAYER: f32 = 0.3;

/// The parameters, and the sums that the forward pass reads.
///
/// ```text
/// parameters   rows       [weight set 2][mover, other side][row 1385][logit, 16 units]
///              layers     [weight set 2][16 biases, 16 output weights]
///              priors     [weight set 2][attack, defence][row 1385]
///
/// row          0..12      of a pattern      ┐ shared by the combinations
///              12..20     of a threat       ┘
///              20..1385   the rest of a combination
/// ```
///
/// The row of a combination is the sum of the rows of its four patterns, the row of the threat that they make together, and
/// the rest. A combination that is rare in the games is therefore worth about the sum of its parts.
pub(super) struct Model {
    pub(super) rule: Rule,
    /// As drawn above.
    pub(super) parameters: Vec<f32>,
    /// The summed row of every combination: block, combination.
    pub(super) rows: Vec<Row>,
    /// The summed prior of every combination: block, combination.
    pub(super) priors: Vec<f32>,
    /// The shared rows of every combination.
    shared: Vec<[usize; SHARED_PARTS]>,
}

/// Result of a forward pass.
pub(super) struct Forward {
    /// The hidden units after the ReLU.
    pub(super) hidden: [f32; UNITS],
    /// The logit of the chance to win.
    pub(super) logit: f32,
}

impl Forward {
    /// The chance to win of the side to move, 0 to 1.
    pub(super) fn chance(&self) -> f32 {
        logistic(self.logit)
    }
}

/// The hidden layer of a weight set.
pub(super) struct Layer<'a> {
    pub(super) bias: &'a [f32],
    pub(super) output: &'a [f32],
}

impl Model {
    /// An initial model. The hidden units of the shared rows, the biases and the output weights are random, all other
    /// parameters 0.
    pub(super) fn new(rule: Rule, rng: &mut Rng) -> Self {
        let mut parameters = vec![0.0; PARAMETERS];
        for (index, row) in parameters[..LAYERS_START].chunks_exact_mut(WIDTH).enumerate() {
            if index % ROWS < SHARED_ROWS {
                row[1..].iter_mut().for_each(|parameter| *parameter = random(rng, FIRST_UNIT));
            }
        }
        parameters[LAYERS_START..PRIORS_START].iter_mut().for_each(|parameter| *parameter = random(rng, FIRST_LAYER));
        Self::of(rule, parameters)
    }

    /// The model with these parameters.
    pub(super) fn of(rule: Rule, parameters: Vec<f32>) -> Self {
        let shared = |combination: Combination| {
            let patterns = combination.patterns();
            let [a, b, c, d] = Direction::ALL.map(|direction| patterns.get(direction).index());
            [a, b, c, d, Pattern::ALL.len() + Threat::of(patterns) as usize]
        };
        let mut model = Self {
            rule,
            parameters,
            rows: vec![[0.0; WIDTH]; BLOCKS * Combination::COUNT],
            priors: vec![0.0; BLOCKS * Combination::COUNT],
            shared: Combination::all().map(shared).collect(),
        };
        model.sum_parts();
        model
    }

    /// Sums the rows and the priors of every combination. Call it after the parameters have changed.
    pub(super) fn sum_parts(&mut self) {
        for block in 0..BLOCKS {
            for combination in 0..Combination::COUNT {
                let mut row = [0.0; WIDTH];
                let mut prior = 0.0;
                for part in self.parts(block, combination) {
                    let parameters = &self.parameters[part * WIDTH..][..WIDTH];
                    row.iter_mut().zip(parameters).for_each(|(sum, parameter)| *sum += parameter);
                    prior += self.parameters[PRIORS_START + part];
                }
                self.rows[block * Combination::COUNT + combination] = row;
                self.priors[block * Combination::COUNT + combination] = prior;
            }
        }
    }

    /// The rows of a block that a combination sums, counted over all blocks.
    pub(super) fn parts(&self, block: usize, combination: usize) -> impl Iterator<Item = usize> + use<> {
        let parts = self.shared[combination].into_iter().chain([SHARED_ROWS + combination]);
        parts.map(move |row| block * ROWS + row)
    }

    /// The hidden layer of a weight set.
    pub(super) fn layer(&self, weight_set: usize) -> Layer<'_> {
        let (bias, output) = self.parameters[layer_start(weight_set)..][..LAYER].split_at(UNITS);
        Layer { bias, output }
    }

    /// The blocks that a position reads: the mover's as the mover, and the other side's as the other side.
    pub(super) fn blocks(&self, mover: Color) -> [usize; 2] {
        [self.rule.table_of(mover) * ROLES, self.rule.table_of(!mover) * ROLES + 1]
    }

    /// The forward pass of the evaluation.
    pub(super) fn forward(&self, sample: &Features) -> Forward {
        let mut sums = [0.0; WIDTH];
        for (block, counts) in self.blocks(sample.mover).into_iter().zip(&sample.counts) {
            for &(combination, count) in counts {
                let row = &self.rows[block * Combination::COUNT + combination.index()];
                sums.iter_mut().zip(row).for_each(|(sum, share)| *sum += f32::from(count) * share);
            }
        }
        let Layer { bias, output } = self.layer(self.rule.table_of(sample.mover));
        let mut hidden = [0.0; UNITS];
        let mut logit = sums[0];
        for unit in 0..UNITS {
            hidden[unit] = (sums[1 + unit] + bias[unit]).max(0.0);
            logit += hidden[unit] * output[unit];
        }
        Forward { hidden, logit }
    }

    /// The priors of the candidates: for each the logit of being the best, up to a constant.
    pub(super) fn move_priors(&self, sample: &Features) -> impl Iterator<Item = f32> {
        let [attack, defence] = self.blocks(sample.mover).map(|block| &self.priors[block * Combination::COUNT..]);
        sample.candidates.iter().map(move |[own, other]| attack[own.index()] + defence[other.index()])
    }

    /// The chances of the candidates to be the best: the softmax of their priors.
    pub(super) fn move_chances(&self, sample: &Features) -> Vec<f32> {
        let mut chances: Vec<_> = self.move_priors(sample).collect();
        Loss::Moves.predict(&mut chances);
        chances
    }

    /// The mean losses on some samples.
    pub(super) fn losses(&self, samples: &[Features]) -> Losses {
        let mut losses = Losses::default();
        for sample in samples {
            losses[Loss::Chance] += Loss::Chance.value(sample.label, self.forward(sample).chance());
            losses[Loss::Moves] += Loss::Moves.value(1.0, self.move_chances(sample)[sample.best]);
        }
        Losses(losses.0.map(|sum| sum / samples.len().max(1) as f32))
    }
}

/// Index of the first parameter of the hidden layer of a weight set: the biases, then the output weights.
pub(super) const fn layer_start(weight_set: usize) -> usize {
    LAYERS_START + weight_set * LAYER
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::board::{Board, Size};
    use crate::eval::{Classical, Evaluator, MovePriors};
    use crate::position::Position;
    use crate::tune::classical::weight_files::tests::built_in_model;
    use crate::tune::sample::candidates;

    /// The error of the engine's integers in score points: the score share and the hidden share are each cut to a whole
    /// number.
    const CUTS: f32 = 2.0;

    /// The relative error of the engine's hidden share: it divides by 655 instead of 512 × 256 / 200 = 655.36.
    const DIVISOR: f32 = 655.36 / 655.0 - 1.0;

    /// The error of the 32-bit sums in score points.
    const ROUNDING: f32 = 0.02;

    /// Score points of a logit of 1.
    const LOGIT: f32 = 200.0;

    /// Positions of random games, with features whose best move and label are random too.
    pub(in crate::tune::classical) fn random_positions(
        rule: Rule,
        side: u8,
        count: usize,
        rng: &mut Rng,
    ) -> Vec<(Position<Classical>, Features)> {
        let size = Size::new(side).unwrap();
        let mut positions = Vec::new();
        let mut position = Position::<Classical>::new(Board::new(size, rule), ());
        while positions.len() < count {
            let near: Vec<_> = position.board().near_stones().iter().collect();
            if position.board().stone_count() * 2 > size.area() || near.is_empty() {
                position = Position::new(Board::new(size, rule), ());
                position.play(size.centre());
            } else {
                position.play(near[rng.below(near.len())]);
            }
            let candidates: Vec<_> = candidates(&position).iter().collect();
            let label = rng.below(1001) as f32 / 1000.0;
            if !candidates.is_empty() {
                let best = candidates[rng.below(candidates.len())];
                let features = Features::of_position(&position, best, label).unwrap();
                positions.push((position.clone(), features));
            }
        }
        positions
    }

    #[test]
    fn the_forward_pass_is_the_evaluation_of_the_engine() {
        let mut rng = Rng::new(1);
        for rule in Rule::ALL {
            let model = built_in_model(rule);
            let sizes = [(15, 120), (20, 60), (9, 20)];
            let positions = sizes.into_iter().flat_map(|(side, count)| random_positions(rule, side, count, &mut rng));
            for (mut position, features) in positions {
                let forward = model.forward(&features);
                let output = model.layer(rule.table_of(features.mover)).output;
                let hidden: f32 = forward.hidden.iter().zip(output).map(|(unit, weight)| unit * weight).sum();
                let bound = CUTS + ROUNDING + DIVISOR * LOGIT * hidden.abs();
                let (evaluation, sets) = position.follow_beside_sets();
                let score = evaluation.score(sets, features.mover).value() as f32;
                let found = LOGIT * forward.logit;
                assert!((found - score).abs() < bound, "{found}, the engine {score}\n{}", position.board());
                let points = candidates(&position);
                assert_eq!(points.len(), features.candidates.len());
                for (point, prior) in points.iter().zip(model.move_priors(&features)) {
                    let (evaluation, sets) = position.follow_beside_sets();
                    let engine = evaluation.move_priors(sets, features.mover).of(point) as f32 / 100.0;
                    assert!((prior - engine).abs() < 1e-4, "{point:?}: {prior}, the engine {engine}");
                }
            }
        }
    }

    #[test]
    fn the_chances_of_the_candidates_are_the_softmax_of_their_priors() {
        let model = built_in_model(Rule::Renju);
        for (_, features) in random_positions(Rule::Renju, 15, 20, &mut Rng::new(2)) {
            let chances = model.move_chances(&features);
            assert!((chances.iter().sum::<f32>() - 1.0).abs() < 1e-5);
            let priors: Vec<_> = model.move_priors(&features).collect();
            for (chance, prior) in chances.iter().zip(&priors) {
                let expected = (prior - priors[0]).exp() * chances[0];
                assert!((chance - expected).abs() <= 1e-4 * expected + 1e-9, "{chance}, expected {expected}");
            }
        }
    }
}
