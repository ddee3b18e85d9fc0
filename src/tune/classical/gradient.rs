//! The gradient of the losses, and the steps of the parameters.

use super::features::Features;
use super::model::{BLOCKS, Layer, Model, PARAMETERS, PRIORS_START, ROWS, Row, SHARED_ROWS, WIDTH, layer_start};
use crate::eval::classical::{Combination, UNITS};
use crate::tune::adam::Step;
use crate::tune::loss::{Loss, Losses};

/// Decay of the rest of a combination, per unit of the learning rate. Without evidence it goes to 0, and the combination
/// is the sum of its shared rows. Hand-set.
const REST_DECAY: f32 = 2.0;

/// The gradient of the mean losses on some samples, by combination.
struct Gradient {
    /// By parameter. [`Model::distribute`] fills in the rows and the priors.
    parameters: Vec<f32>,
    /// By the summed rows of the combinations: block, combination.
    rows: Vec<Row>,
    /// By the summed priors of the combinations: block, combination.
    priors: Vec<f32>,
    losses: Losses,
    /// The share of one sample in the mean.
    share: f32,
}

impl Model {
    /// The gradient of the mean losses on some samples, and the losses.
    pub(super) fn gradient(&self, samples: &[Features]) -> (Vec<f32>, Losses) {
        let mut gradient = Gradient {
            parameters: vec![0.0; PARAMETERS],
            rows: vec![[0.0; WIDTH]; self.rows.len()],
            priors: vec![0.0; self.priors.len()],
            losses: Losses::default(),
            share: 1.0 / samples.len() as f32,
        };
        for sample in samples {
            self.add_chance(&mut gradient, sample);
            self.add_moves(&mut gradient, sample);
        }
        self.distribute(&mut gradient);
        (gradient.parameters, gradient.losses)
    }

    /// Adds the gradient of the chance to win.
    fn add_chance(&self, gradient: &mut Gradient, sample: &Features) {
        let forward = self.forward(sample);
        let chance = forward.chance();
        gradient.losses[Loss::Chance] += gradient.share * Loss::Chance.value(sample.label, chance);
        let error = gradient.share * Loss::Chance.slope(sample.label, chance);
        let weight_set = self.rule.table_of(sample.mover);
        let Layer { output, .. } = self.layer(weight_set);
        let (bias_start, output_start) = (layer_start(weight_set), layer_start(weight_set) + UNITS);
        let mut by_sum = [error; WIDTH];
        for unit in 0..UNITS {
            gradient.parameters[output_start + unit] += error * forward.hidden[unit];
            by_sum[1 + unit] = if forward.hidden[unit] > 0.0 { error * output[unit] } else { 0.0 };
            gradient.parameters[bias_start + unit] += by_sum[1 + unit];
        }
        for (block, counts) in self.blocks(sample.mover).into_iter().zip(&sample.counts) {
            for &(combination, count) in counts {
                let row = &mut gradient.rows[block * Combination::COUNT + combination.index()];
                row.iter_mut().zip(by_sum).for_each(|(sum, derivative)| *sum += f32::from(count) * derivative);
            }
        }
    }

    /// Adds the gradient of the best move.
    fn add_moves(&self, gradient: &mut Gradient, sample: &Features) {
        let chances = self.move_chances(sample);
        gradient.losses[Loss::Moves] += gradient.share * Loss::Moves.value(1.0, chances[sample.best]);
        let [attack, defence] = self.blocks(sample.mover).map(|block| block * Combination::COUNT);
        for (index, (chance, [own, other])) in chances.iter().zip(&sample.candidates).enumerate() {
            let target = if index == sample.best { 1.0 } else { 0.0 };
            let error = gradient.share * Loss::Moves.slope(target, *chance);
            gradient.priors[attack + own.index()] += error;
            gradient.priors[defence + other.index()] += error;
        }
    }

    /// Adds the gradient of each combination to the rows and priors that it sums.
    fn distribute(&self, gradient: &mut Gradient) {
        for block in 0..BLOCKS {
            for combination in 0..Combination::COUNT {
                let row = &gradient.rows[block * Combination::COUNT + combination];
                let prior = gradient.priors[block * Combination::COUNT + combination];
                for part in self.parts(block, combination) {
                    let parameters = &mut gradient.parameters[part * WIDTH..][..WIDTH];
                    parameters.iter_mut().zip(row).for_each(|(sum, derivative)| *sum += derivative);
                    gradient.parameters[PRIORS_START + part] += prior;
                }
            }
        }
    }

    /// The first step of each row. A row that counts on many points of a sample moves in small steps: its scale is one over the
    /// root mean square of its count.
    pub(super) fn row_steps(&self, samples: &[Features]) -> Vec<Step> {
        let mut squares = vec![0.0; BLOCKS * ROWS];
        let mut counts = vec![0.0; ROWS];
        for sample in samples {
            for (block, combinations) in self.blocks(sample.mover).into_iter().zip(&sample.counts) {
                counts.fill(0.0);
                for &(combination, count) in combinations {
                    for part in self.parts(block, combination.index()) {
                        counts[part - block * ROWS] += f32::from(count);
                    }
                }
                let squares = &mut squares[block * ROWS..][..ROWS];
                squares.iter_mut().zip(&counts).for_each(|(sum, count)| *sum += count * count);
            }
        }
        let step = |(index, square): (usize, f32)| {
            let usual = (square / samples.len().max(1) as f32).sqrt();
            let decay = if index % ROWS < SHARED_ROWS { 0.0 } else { REST_DECAY };
            Step { number: 1, scale: 1.0 / usual.max(1.0), decay }
        };
        squares.into_iter().enumerate().map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Rule;
    use crate::rng::Rng;
    use crate::tune::classical::model::LAYERS_START;
    use crate::tune::classical::model::tests::random_positions;

    /// Number of the greatest parts of the gradient compared in each section of the parameters.
    const COMPARED: usize = 12;

    #[test]
    fn the_gradient_is_the_difference_quotient_of_the_losses() {
        let mut rng = Rng::new(3);
        let mut model = Model::new(Rule::Renju, &mut rng);
        // Priors that are not all equal.
        model.parameters[PRIORS_START..].iter_mut().for_each(|prior| *prior = rng.below(100) as f32 / 100.0);
        model.sum_parts();
        let samples: Vec<_> =
            random_positions(Rule::Renju, 9, 40, &mut rng).into_iter().map(|(_, sample)| sample).collect();
        let (gradient, losses) = model.gradient(&samples);
        let mean = model.losses(&samples);
        assert!(Loss::ALL.into_iter().all(|loss| (losses[loss] - mean[loss]).abs() < 1e-4));
        for section in [0..LAYERS_START, LAYERS_START..PRIORS_START, PRIORS_START..PARAMETERS] {
            let mut indices: Vec<_> = section.collect();
            indices.sort_by(|&a, &b| gradient[b].abs().total_cmp(&gradient[a].abs()));
            for &index in &indices[..COMPARED] {
                // A step that changes the losses by some thousandth.
                let step = 1e-3 / gradient[index].abs().max(1e-2);
                let at = model.parameters[index];
                let mut loss_at = |parameter| {
                    model.parameters[index] = parameter;
                    model.sum_parts();
                    model.losses(&samples).0.iter().sum::<f32>()
                };
                let quotient = (loss_at(at + step) - loss_at(at - step)) / (2.0 * step);
                loss_at(at);
                let error = (quotient - gradient[index]).abs();
                assert!(error < 0.03 * gradient[index].abs(), "{index}: {}, expected {quotient}", gradient[index]);
            }
        }
    }
}
