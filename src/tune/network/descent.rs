//! [`Descent`]: Adam for the rows that a batch touches, and for the heads.

use super::gradient::Shard;
use super::model::{Model, Row};
use crate::eval::network::Scale;
use crate::eval::network::codebook::{GREATEST, LANES};
use crate::tune::adam::{Adam, Corrections, Step};

/// The share of the rest of a window that decays when a batch touches it, per unit of the learning rate: without evidence
/// the row is the sum of its shared rows. Hand-set: no match has tried another.
const REST_DECAY: f32 = 0.5;

/// The greatest number of a row: what 8 bits hold.
const GREATEST_ROW: f32 = GREATEST as f32 / Scale::LANE;

/// The moments of some rows. A row that a batch does not touch stays as it is, as in the sparse variant of Adam that is
/// usual for embeddings.
struct Moments {
    mean: Vec<Row>,
    square: Vec<Row>,
}

impl Moments {
    fn new(rows: usize) -> Self {
        Self { mean: vec![[0.0; LANES]; rows], square: vec![[0.0; LANES]; rows] }
    }

    /// Moves a row against its gradient.
    #[inline]
    fn step(&mut self, row: usize, parameters: &mut Row, gradient: &Row, by: Move) {
        let (mean, square) = (&mut self.mean[row], &mut self.square[row]);
        for lane in 0..LANES {
            let direction = by.corrections.direction(&mut mean[lane], &mut square[lane], gradient[lane]);
            let next = parameters[lane] - by.rate * (direction + by.decay * parameters[lane]);
            parameters[lane] = next.clamp(-GREATEST_ROW, GREATEST_ROW);
        }
    }
}

/// How rows move in one step.
#[derive(Clone, Copy)]
struct Move {
    rate: f32,
    /// The share of a parameter that decays, per unit of the rate.
    decay: f32,
    corrections: Corrections,
}

/// The state of the descent.
pub(super) struct Descent {
    rest: Moments,
    shared: Moments,
    heads: Adam,
    steps: i32,
    /// The sums of the shards' gradients: of the rest, by window, and of the shared rows.
    by_rest: Vec<Row>,
    by_shared: Vec<Row>,
    seen: Vec<u32>,
    /// The windows that the batch has touched.
    touched: Vec<u32>,
    by_heads: Vec<f32>,
}

impl Descent {
    pub(super) fn new(model: &Model) -> Self {
        let heads = vec![Step { scale: 1.0, decay: 0.0 }; model.heads.len()];
        Self {
            rest: Moments::new(model.rest.len()),
            shared: Moments::new(model.shared.len()),
            heads: Adam::new(heads),
            steps: 0,
            by_rest: vec![[0.0; LANES]; model.rest.len()],
            by_shared: vec![[0.0; LANES]; model.shared.len()],
            seen: vec![0; model.rest.len()],
            touched: Vec::new(),
            by_heads: vec![0.0; model.heads.len()],
        }
    }

    /// Moves the parameters against the gradient of a batch: the sum of its shards, in their order.
    pub(super) fn step(&mut self, model: &mut Model, shards: &[Shard], rate: f32) {
        self.steps += 1;
        self.sum(model, shards);
        let by = Move { rate, decay: 0.0, corrections: Corrections::after(self.steps) };
        for &row in &self.touched {
            let row = row as usize;
            self.rest.step(row, &mut model.rest[row], &self.by_rest[row], Move { decay: REST_DECAY, ..by });
        }
        for (row, gradient) in self.by_shared.iter().enumerate() {
            self.shared.step(row, &mut model.shared[row], gradient, by);
        }
        self.heads.step(&mut model.heads, &self.by_heads, rate);
    }

    /// The moments of the parameters: means and squares of the rest, of the shared rows and of the heads.
    pub(super) fn moments(&mut self) -> [&mut [f32]; 6] {
        let Self { rest, shared, heads, .. } = self;
        let [mean, square] = heads.moments();
        let [rest_mean, rest_square] = [&mut rest.mean, &mut rest.square].map(|rows| rows.as_flattened_mut());
        let [shared_mean, shared_square] = [&mut shared.mean, &mut shared.square].map(|rows| rows.as_flattened_mut());
        [rest_mean, rest_square, shared_mean, shared_square, mean, square]
    }

    /// Goes on as after this number of steps.
    pub(super) fn set_steps(&mut self, steps: usize) {
        self.steps = steps as i32;
        self.heads.set_steps(self.steps);
        self.seen.fill(0);
    }

    fn sum(&mut self, model: &Model, shards: &[Shard]) {
        let batch = self.steps as u32;
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
