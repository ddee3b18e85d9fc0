//! [`Descent`]: Adam for the rows that a batch touches, and for the heads.

use super::gradient::Shard;
use super::model::{GREATEST_ROW, Model, Row};
use crate::eval::network::codebook::LANES;
use crate::tune::adam::{Adam, Step};

/// Decay of the rest of a window when a batch touches it, per unit of the learning rate. Without evidence the row is the
/// sum of its shared rows. Hand-set.
const REST_DECAY: f32 = 0.5;

/// The state of the descent. Rests that a batch does not touch keep their parameters and moments, as is usual for
/// embeddings (sparse Adam). The bias correction of a rest counts only its own steps. If it counted all batches, the first
/// steps of a rare rest would be up to six times as long as the learning rate. Shared rows and heads move in every batch.
pub(super) struct Descent {
    rest: Adam,
    shared: Adam,
    heads: Adam,
    /// Number of the batch.
    batch: u32,
    /// For each window the number of batches that touched it.
    steps: Vec<u32>,
    /// The sums of the shards' gradients: of the rest, by window, and of the shared rows.
    by_rest: Vec<Row>,
    by_shared: Vec<Row>,
    /// For each window the last batch that touched it.
    seen: Vec<u32>,
    /// The windows that the batch touches.
    pub(super) touched: Vec<u32>,
    by_heads: Vec<f32>,
}

impl Descent {
    pub(super) fn new(model: &Model) -> Self {
        Self {
            rest: Adam::new(model.rest.len() * LANES),
            shared: Adam::new(model.shared.len() * LANES),
            heads: Adam::new(model.heads.len()),
            batch: 0,
            steps: vec![0; model.rest.len()],
            by_rest: vec![[0.0; LANES]; model.rest.len()],
            by_shared: vec![[0.0; LANES]; model.shared.len()],
            seen: vec![0; model.rest.len()],
            touched: Vec::new(),
            by_heads: vec![0.0; model.heads.len()],
        }
    }

    /// Moves the parameters against the gradient of a batch: the sum of its shards, in their order.
    pub(super) fn step(&mut self, model: &mut Model, shards: &[Shard], rate: f32) {
        self.batch += 1;
        self.sum(model, shards);
        for &row in &self.touched {
            let row = row as usize;
            self.steps[row] += 1;
            let step = Step { decay: REST_DECAY, ..Step::full(self.steps[row]) };
            descend_row(&mut self.rest, row, &mut model.rest[row], &self.by_rest[row], rate, step);
        }
        let step = Step::full(self.batch);
        for (row, gradient) in self.by_shared.iter().enumerate() {
            descend_row(&mut self.shared, row, &mut model.shared[row], gradient, rate, step);
        }
        self.heads.descend(0, &mut model.heads, &self.by_heads, rate, step);
    }

    /// The moments of the parameters: means and squares of the rest, of the shared rows and of the heads.
    pub(super) fn moments(&mut self) -> [&mut [f32]; 6] {
        let [[a, b], [c, d], [e, f]] = [&mut self.rest, &mut self.shared, &mut self.heads].map(Adam::moments);
        [a, b, c, d, e, f]
    }

    /// For each window the number of batches that touched it.
    pub(super) fn steps(&self) -> &[u32] {
        &self.steps
    }

    /// Resumes after this number of batches, of which `steps` touched each window.
    pub(super) fn resume(&mut self, batches: usize, steps: Vec<u32>) {
        (self.batch, self.steps) = (batches as u32, steps);
        self.seen.fill(0);
    }

    fn sum(&mut self, model: &Model, shards: &[Shard]) {
        let batch = self.batch;
        self.touched.clear();
        self.by_heads.fill(0.0);
        self.by_shared.fill([0.0; LANES]);
        for shard in shards {
            self.by_heads.iter_mut().zip(&shard.heads).for_each(|(sum, number)| *sum += number);
            for &row in &shard.touched {
                let (number, gradient) = (row as usize, &shard.rows[row as usize]);
                let sum = &mut self.by_rest[number];
                if self.seen[number] != batch {
                    self.seen[number] = batch;
                    self.touched.push(row);
                    *sum = [0.0; LANES];
                }
                for lane in 0..LANES {
                    sum[lane] += gradient[lane];
                }
            }
        }
        for &row in &self.touched {
            let gradient = &self.by_rest[row as usize];
            for part in model.parts[row as usize] {
                let sum = &mut self.by_shared[part as usize];
                for lane in 0..LANES {
                    sum[lane] += gradient[lane];
                }
            }
        }
    }
}

/// Moves a row against its gradient, within its range.
#[inline]
fn descend_row(adam: &mut Adam, row: usize, parameters: &mut Row, gradient: &Row, rate: f32, step: Step) {
    adam.descend(row * LANES, parameters, gradient, rate, step);
    parameters.iter_mut().for_each(|parameter| *parameter = parameter.clamp(-GREATEST_ROW, GREATEST_ROW));
}
