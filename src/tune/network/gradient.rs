//! [`Shard`]: the gradient of the losses on a part of a batch.

use super::features::{Candidate, Features, NO_ROW};
use super::model::{Forward, Lanes, Layout, Model, Row};
use crate::eval::classical::Combination;
use crate::eval::network::Scale;
use crate::eval::network::codebook::{BOTH, LANES};
use crate::eval::network::head::{HIDDEN, THREAT_ROWS};
use crate::tune::loss::{Loss, Losses};

/// Weight of the loss of the moves relative to the loss of the chance. Hand-set; the networks of Rapfi are trained with 1.
const MOVES_SHARE: f32 = 0.5;

/// Share of the target that is spread evenly over all candidates. Hand-set.
const SMOOTHING: f32 = 0.05;

/// The gradient of some samples, for the rows that they touch and for the heads.
pub(super) struct Shard {
    /// By window. Rows that are not in `touched` are stale.
    pub(super) rows: Vec<Row>,
    /// The windows of the samples, without repetition.
    pub(super) touched: Vec<u32>,
    /// For each window the last batch that touched it.
    seen: Vec<u32>,
    batch: u32,
    pub(super) heads: Vec<f32>,
    pub(super) losses: Losses,
    forward: Forward,
    by_hidden: [f32; HIDDEN],
}

impl Shard {
    pub(super) fn new(model: &Model) -> Self {
        Self {
            rows: vec![[0.0; LANES]; model.rows.len()],
            touched: Vec::new(),
            seen: vec![0; model.rows.len()],
            batch: 0,
            heads: vec![0.0; model.heads.len()],
            losses: Losses::default(),
            forward: Forward::new(),
            by_hidden: [0.0; HIDDEN],
        }
    }

    /// Computes the gradient of the sum of the losses times `share`.
    pub(super) fn compute(&mut self, model: &Model, samples: &[&Features], share: f32) {
        self.batch += 1;
        self.touched.clear();
        self.heads.fill(0.0);
        self.losses = Losses::default();
        let mut forward = std::mem::replace(&mut self.forward, Forward::new());
        for sample in samples {
            model.forward(sample, &mut forward);
            self.add(model, sample, &forward, share);
        }
        self.forward = forward;
    }

    /// Adds the gradient of one sample.
    fn add(&mut self, model: &Model, sample: &Features, forward: &Forward, share: f32) {
        let (head, start) = (model.head(sample.mover), model.rule.table_of(sample.mover) * Layout::LEN);
        let chance = forward.chance();
        self.losses[Loss::Chance] += share * Loss::Chance.value(sample.label, chance);
        self.losses[Loss::Moves] += share * sample.move_loss(&forward.chances);
        let error = share * sample.weight * Loss::Chance.slope(sample.label, chance);
        let gradient = &mut self.heads[start..start + Layout::LEN];
        let by_query = add_moves(gradient, sample, forward, share);
        gradient[Layout::CLASSICAL] += error * sample.classical;
        let mut by_x: Lanes = [0.0; BOTH];
        add_scaled(&mut by_x, &head[Layout::DIRECT..][..BOTH], error);
        add_scaled(&mut gradient[Layout::DIRECT..][..BOTH], &forward.x, error);
        add_scaled(&mut gradient[Layout::OUTPUT..][..HIDDEN], &forward.hidden, error);
        self.by_hidden.copy_from_slice(&head[Layout::OUTPUT..][..HIDDEN]);
        self.by_hidden.iter_mut().for_each(|derivative| *derivative *= error);
        if let Some(by_query) = &by_query {
            for lane in 0..BOTH {
                gradient[Layout::QUERY_BIAS + lane] += by_query[lane];
                add_scaled(&mut gradient[Layout::QUERY + lane * HIDDEN..][..HIDDEN], &forward.hidden, by_query[lane]);
                add_scaled(&mut self.by_hidden, &head[Layout::QUERY + lane * HIDDEN..][..HIDDEN], by_query[lane]);
            }
        }
        for unit in 0..HIDDEN {
            if forward.hidden[unit] <= 0.0 {
                continue;
            }
            let derivative = self.by_hidden[unit];
            gradient[Layout::HIDDEN_BIAS + unit] += derivative;
            add_scaled(&mut gradient[Layout::HIDDEN + unit * BOTH..][..BOTH], &forward.x, derivative);
            add_scaled(&mut by_x, &head[Layout::HIDDEN + unit * BOTH..][..BOTH], derivative);
            for row in (0..THREAT_ROWS).filter(|row| sample.threats >> row & 1 > 0) {
                gradient[Layout::THREATS + row * HIDDEN + unit] += derivative;
            }
        }
        by_x.iter_mut().for_each(|derivative| *derivative /= Scale::POOL);
        self.add_points(sample, forward, &by_x, share);
    }

    /// Adds the gradient of the rows of every point.
    fn add_points(&mut self, sample: &Features, forward: &Forward, by_x: &Lanes, share: f32) {
        let mut candidates = sample.candidates.iter().enumerate().peekable();
        for (index, (point, lanes)) in sample.points.iter().zip(&forward.lanes).enumerate() {
            let mut derivative = *by_x;
            if let Some((number, _)) = candidates.next_if(|(_, candidate)| usize::from(candidate.point) == index) {
                if sample.candidates.len() > 1 {
                    add_scaled(&mut derivative, &forward.query, move_error(sample, forward, number, share));
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
                        *sum = [0.0; LANES];
                    }
                    for lane in 0..LANES {
                        sum[lane] += half[lane];
                    }
                }
            }
        }
    }
}

/// The derivative of the loss by the logit of a candidate.
fn move_error(sample: &Features, forward: &Forward, number: usize, share: f32) -> f32 {
    let common = SMOOTHING / sample.candidates.len() as f32;
    let target = (1.0 - SMOOTHING) * sample.target(number) + common;
    share * MOVES_SHARE * Loss::Moves.slope(target, forward.chances[number])
}

/// Adds the gradient of the moves to the head and returns that of the query; `None` with a single candidate.
fn add_moves(gradient: &mut [f32], sample: &Features, forward: &Forward, share: f32) -> Option<Lanes> {
    if sample.candidates.len() < 2 {
        return None;
    }
    let mut by_query = [0.0; BOTH];
    let priors = &mut gradient[Layout::PRIORS..][..2 * Combination::COUNT];
    for (number, &Candidate { point, combinations: [own, other] }) in sample.candidates.iter().enumerate() {
        let error = move_error(sample, forward, number, share);
        priors[2 * own.index()] += error;
        priors[2 * other.index() + 1] += error;
        add_scaled(&mut by_query, &forward.lanes[usize::from(point)], error);
    }
    Some(by_query)
}

#[inline]
fn add_scaled(sums: &mut [f32], numbers: &[f32], factor: f32) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += factor * number);
}
