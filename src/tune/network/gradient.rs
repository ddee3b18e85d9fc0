//! [`Shard`]: the gradient of the losses on a part of a batch.

use super::features::{Candidate, Features, NO_ROW};
use super::model::{Forward, Lanes, Layout, Model, Row};
use crate::eval::classical::Combination;
use crate::eval::network::Scale;
use crate::eval::network::codebook::{BOTH, LANES};
use crate::eval::network::head::{FIRST, SECOND, THREAT_ROWS};
use crate::tune::loss::Losses;

/// A position with the losses that a step of the descent makes smaller. A method of learning is an implementation.
pub(in crate::tune) trait Example: Sync {
    /// The position.
    fn features(&self) -> &Features;

    /// The losses at a forward pass, for reports.
    fn losses(&self, forward: &Forward) -> Losses;

    /// Writes the derivatives of the loss by the logits of the candidates, which are 0 before, and returns the derivative by
    /// the logit of winning.
    fn slopes(&self, forward: &Forward, by_moves: &mut [f32]) -> f32;
}

/// The gradient of some samples, for the rows that they touch and for the heads.
pub(in crate::tune) struct Shard {
    /// By window. Rows that are not in `touched` are stale.
    pub(super) rows: Vec<Row>,
    /// The windows of the samples, without repetition.
    pub(super) touched: Vec<u32>,
    /// For each window the number of points that showed it, stale like the rows.
    pub(super) shown: Vec<u32>,
    /// For each window the last batch that touched it.
    seen: Vec<u32>,
    batch: u32,
    pub(super) heads: Vec<f32>,
    pub(in crate::tune) losses: Losses,
    forward: Forward,
    by_first: [f32; FIRST],
    by_moves: Vec<f32>,
}

impl Shard {
    pub(in crate::tune) fn new(model: &Model) -> Self {
        Self {
            rows: vec![[0.0; LANES]; model.rows.len()],
            touched: Vec::new(),
            shown: vec![0; model.rows.len()],
            seen: vec![0; model.rows.len()],
            batch: 0,
            heads: vec![0.0; model.heads.len()],
            losses: Losses::default(),
            forward: Forward::new(),
            by_first: [0.0; FIRST],
            by_moves: Vec::new(),
        }
    }

    /// Computes the gradient of the sum of the losses times `share`. The caller has summed the rows of the examples.
    pub(in crate::tune) fn compute<E: Example>(&mut self, model: &Model, examples: &[E], share: f32) {
        self.batch += 1;
        self.touched.clear();
        self.heads.fill(0.0);
        self.losses = Losses::default();
        let mut forward = std::mem::replace(&mut self.forward, Forward::new());
        for example in examples {
            model.forward(example.features(), &mut forward);
            self.add(model, example, &forward, share);
        }
        self.forward = forward;
    }

    /// Adds the gradient of one example.
    fn add<E: Example>(&mut self, model: &Model, example: &E, forward: &Forward, share: f32) {
        let sample = example.features();
        let (head, start) = (model.head(sample.mover), model.rule.table_of(sample.mover) * Layout::LEN);
        let mut by_moves = std::mem::take(&mut self.by_moves);
        by_moves.clear();
        by_moves.resize(sample.candidates.len(), 0.0);
        let error = share * example.slopes(forward, &mut by_moves);
        by_moves.iter_mut().for_each(|slope| *slope *= share);
        self.losses.add(share, example.losses(forward));
        let gradient = &mut self.heads[start..start + Layout::LEN];
        let by_query = add_moves(gradient, sample, forward, &by_moves);
        let mut by_x: Lanes = [0.0; BOTH];
        add_scaled(&mut by_x, &head[Layout::DIRECT..][..BOTH], error);
        add_scaled(&mut gradient[Layout::DIRECT..][..BOTH], &forward.x, error);
        add_scaled(&mut gradient[Layout::FIRST_OUTPUT..][..FIRST], &forward.first, error);
        add_scaled(&mut gradient[Layout::SECOND_OUTPUT..][..SECOND], &forward.second, error);
        self.by_first.fill(0.0);
        add_scaled(&mut self.by_first, &head[Layout::FIRST_OUTPUT..][..FIRST], error);
        for unit in (0..SECOND).filter(|&unit| forward.second[unit] > 0.0) {
            let derivative = error * head[Layout::SECOND_OUTPUT + unit];
            gradient[Layout::SECOND_BIAS + unit] += derivative;
            add_scaled(&mut gradient[Layout::SECOND + unit * FIRST..][..FIRST], &forward.first, derivative);
            add_scaled(&mut self.by_first, &head[Layout::SECOND + unit * FIRST..][..FIRST], derivative);
        }
        if let Some(by_query) = &by_query {
            for lane in 0..BOTH {
                gradient[Layout::QUERY_BIAS + lane] += by_query[lane];
                add_scaled(&mut gradient[Layout::QUERY + lane * FIRST..][..FIRST], &forward.first, by_query[lane]);
                add_scaled(&mut self.by_first, &head[Layout::QUERY + lane * FIRST..][..FIRST], by_query[lane]);
            }
        }
        for unit in (0..FIRST).filter(|&unit| forward.first[unit] > 0.0) {
            let derivative = self.by_first[unit];
            gradient[Layout::FIRST_BIAS + unit] += derivative;
            add_scaled(&mut gradient[Layout::FIRST + unit * BOTH..][..BOTH], &forward.x, derivative);
            add_scaled(&mut by_x, &head[Layout::FIRST + unit * BOTH..][..BOTH], derivative);
            for row in (0..THREAT_ROWS).filter(|row| sample.threats >> row & 1 > 0) {
                gradient[Layout::THREATS + row * FIRST + unit] += derivative;
            }
        }
        by_x.iter_mut().for_each(|derivative| *derivative /= Scale::POOL);
        self.add_points(sample, forward, &by_x, &by_moves);
        self.by_moves = by_moves;
    }

    /// Adds the gradient of the rows of every point.
    fn add_points(&mut self, sample: &Features, forward: &Forward, by_x: &Lanes, by_moves: &[f32]) {
        let mut candidates = sample.candidates.iter().enumerate().peekable();
        for (index, (point, lanes)) in sample.points.iter().zip(&forward.lanes).enumerate() {
            let mut derivative: Lanes = std::array::from_fn(|lane| 2.0 * lanes[lane] * by_x[lane]);
            if let Some((number, _)) = candidates.next_if(|(_, candidate)| usize::from(candidate.point) == index) {
                if by_moves[number] != 0.0 {
                    add_scaled(&mut derivative, &forward.query, by_moves[number]);
                }
            }
            for lane in 0..BOTH {
                derivative[lane] = if lanes[lane] > 0.0 { derivative[lane] } else { 0.0 };
            }
            for (view, rows) in point.iter().enumerate() {
                let half = &derivative[view * LANES..][..LANES];
                for &row in rows.iter().filter(|&&row| row != NO_ROW) {
                    let number = row as usize;
                    let sum = &mut self.rows[number];
                    if self.seen[number] != self.batch {
                        self.seen[number] = self.batch;
                        self.touched.push(row);
                        self.shown[number] = 0;
                        *sum = [0.0; LANES];
                    }
                    self.shown[number] += 1;
                    for lane in 0..LANES {
                        sum[lane] += half[lane];
                    }
                }
            }
        }
    }
}

/// Adds the gradient of the moves to the head, and returns the gradient of the query; `None` if it is 0.
fn add_moves(gradient: &mut [f32], sample: &Features, forward: &Forward, by_moves: &[f32]) -> Option<Lanes> {
    let mut by_query = None;
    let priors = &mut gradient[Layout::PRIORS..][..2 * Combination::COUNT];
    for (&error, &Candidate { point, combinations: [own, other] }) in by_moves.iter().zip(&sample.candidates) {
        if error != 0.0 {
            priors[2 * own.index()] += error;
            priors[2 * other.index() + 1] += error;
            add_scaled(by_query.get_or_insert([0.0; BOTH]), &forward.lanes[usize::from(point)], error);
        }
    }
    by_query
}

#[inline]
fn add_scaled(sums: &mut [f32], numbers: &[f32], factor: f32) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += factor * number);
}
