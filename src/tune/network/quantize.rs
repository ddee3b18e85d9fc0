//! Quantization: a [`Model`] as the integers of the engine.

use super::model::{Layout, Model, Row};
use crate::board::Color;
use crate::eval::classical::Combination;
use crate::eval::network::codebook::{BOTH, FOLDED_WINDOWS, GREATEST, ViewRow};
use crate::eval::network::file::{HALF_ROWS, PATTERN_ROWS};
use crate::eval::network::head::{FIRST, SECOND, THREAT_ROWS};
use crate::eval::network::{Head, Scale, ViewWeights, Weights};
use crate::tune::adam::quantize;

/// Minimum number of points of samples, in all rounds together, that showed a window for its rest to be written. Hand-set.
pub(super) const MIN_SEEN: u32 = 100;

/// The numbers of a rest are even: the file gets a tenth shorter, and the losses stay.
pub(super) const REST_STEP: i8 = 2;

/// Greatest number of a rest, in steps.
const REST_STEPS: f32 = (GREATEST / REST_STEP) as f32;

impl Model {
    /// The weights as integers within their bounds; `None` if a parameter is not finite. The rest of a window is included
    /// if `seen` counts at least [`MIN_SEEN`] for it.
    pub(super) fn quantized(&self, seen: &[u32]) -> Option<Weights> {
        let rows = self.rest.iter().chain(&self.shared).flatten();
        if !rows.chain(&self.heads).all(|parameter| parameter.is_finite()) {
            return None;
        }
        let views = self.rule.tables();
        let views = (0..views).zip(Color::ALL).map(|(view, color)| ViewWeights {
            patterns: self.shared_rows(view, 0, PATTERN_ROWS),
            halves: self.shared_rows(view, PATTERN_ROWS, HALF_ROWS),
            rest: self.rest_rows(view, seen),
            head: quantized_head(self.head(color)),
        });
        Weights::new(self.rule, views.collect()).ok()
    }

    fn shared_rows(&self, view: usize, first: usize, count: usize) -> Vec<ViewRow> {
        let start = view * (PATTERN_ROWS + HALF_ROWS) + first;
        self.shared[start..start + count].iter().map(quantized_row).collect()
    }

    /// The rest of each window seen often enough: its row minus the rounded shared rows, rounded.
    fn rest_rows(&self, view: usize, seen: &[u32]) -> Vec<(u32, ViewRow)> {
        let windows = (0..FOLDED_WINDOWS).filter(|window| seen[view * FOLDED_WINDOWS + window] >= MIN_SEEN);
        let rest = windows.map(|window| {
            let parts =
                self.parts[view * FOLDED_WINDOWS + window].map(|part| quantized_row(&self.shared[part as usize]));
            let row = &self.rows[view * FOLDED_WINDOWS + window];
            let rest = std::array::from_fn(|lane| {
                let shared: f32 = parts.iter().map(|part| f32::from(part[lane])).sum();
                let steps = (row[lane] * Scale::LANE - shared) / f32::from(REST_STEP);
                steps.round().clamp(-REST_STEPS, REST_STEPS) as i8 * REST_STEP
            });
            (window as u32, rest)
        });
        rest.filter(|(_, row)| row.iter().any(|&number| number != 0)).collect()
    }
}

fn quantized_row(row: &Row) -> ViewRow {
    row.map(|parameter| quantize(parameter, Scale::LANE, f32::from(GREATEST)) as i8)
}

fn quantized_head(head: &[f32]) -> Head {
    let weight = |at: usize| quantize(head[at], Scale::WEIGHT, f32::from(Scale::GREATEST_WEIGHT)) as i16;
    let bias = |at: usize| quantize(head[at], Scale::SUM, Scale::GREATEST_BIAS as f32) as i32;
    let prior = |at: usize| (head[at] * Scale::PRIOR).round() as i16;
    let mut quantized = Head::zero();
    for unit in 0..FIRST {
        quantized.first[unit] = std::array::from_fn(|input| weight(Layout::FIRST + unit * BOTH + input));
        quantized.first_bias[unit] = bias(Layout::FIRST_BIAS + unit);
        quantized.first_output[unit] = weight(Layout::FIRST_OUTPUT + unit);
    }
    for row in 0..THREAT_ROWS {
        quantized.threats[row] = std::array::from_fn(|unit| bias(Layout::THREATS + row * FIRST + unit));
    }
    for unit in 0..SECOND {
        quantized.second[unit] = std::array::from_fn(|input| weight(Layout::SECOND + unit * FIRST + input));
        quantized.second_bias[unit] = bias(Layout::SECOND_BIAS + unit);
        quantized.second_output[unit] = weight(Layout::SECOND_OUTPUT + unit);
    }
    for lane in 0..BOTH {
        quantized.direct[lane] = weight(Layout::DIRECT + lane);
        quantized.query_bias[lane] = bias(Layout::QUERY_BIAS + lane);
        quantized.query[lane] = std::array::from_fn(|unit| weight(Layout::QUERY + lane * FIRST + unit));
    }
    for kind in 0..Combination::COUNT {
        quantized.priors[kind] = [prior(Layout::PRIORS + 2 * kind), prior(Layout::PRIORS + 2 * kind + 1)];
    }
    quantized
}
