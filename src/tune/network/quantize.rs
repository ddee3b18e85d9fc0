//! A [`Model`] as the integers that the engine plays by.

use super::model::{Layout, Model, Row};
use crate::board::Color;
use crate::eval::classical::Combination;
use crate::eval::network::codebook::{BOTH, FOLDED_WINDOWS, GREATEST, ViewRow};
use crate::eval::network::file::{HALF_ROWS, PATTERN_ROWS};
use crate::eval::network::head::{HIDDEN, THREAT_ROWS};
use crate::eval::network::{Head, Scale, ViewWeights, Weights};

/// The points of samples that must have shown a window before its rest is written, in all rounds together. Hand-set: no
/// match has tried another.
pub(super) const MIN_SEEN: u32 = 100;

impl Model {
    /// The weights as integers, each kept within its bound; `None` if a parameter is not finite. The rest of a
    /// window is written where `seen` counts at least [`MIN_SEEN`] for it.
    pub(super) fn quantized(&self, seen: &[u32]) -> Option<Weights> {
        let rows = self.rest.iter().chain(&self.shared).flatten();
        if !rows.chain(&self.heads).all(|parameter| parameter.is_finite()) {
            return None;
        }
        let views = Weights::views_of(self.rule);
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

    /// What each window that was seen often enough adds to the rounded shared rows, so that their sum is the rounded row.
    fn rest_rows(&self, view: usize, seen: &[u32]) -> Vec<(u32, ViewRow)> {
        let windows = (0..FOLDED_WINDOWS).filter(|window| seen[view * FOLDED_WINDOWS + window] >= MIN_SEEN);
        let rest = windows.map(|window| {
            let parts =
                self.parts[view * FOLDED_WINDOWS + window].map(|part| quantized_row(&self.shared[part as usize]));
            let row = quantized_row(&self.rows[view * FOLDED_WINDOWS + window]);
            let rest = std::array::from_fn(|lane| {
                let shared: i16 = parts.iter().map(|part| i16::from(part[lane])).sum();
                (i16::from(row[lane]) - shared).clamp(i16::from(i8::MIN), i16::from(i8::MAX)) as i8
            });
            (window as u32, rest)
        });
        rest.filter(|(_, row)| row.iter().any(|&number| number != 0)).collect()
    }
}

fn quantized_row(row: &Row) -> ViewRow {
    let greatest = f32::from(GREATEST);
    std::array::from_fn(|lane: usize| (row[lane] * Scale::LANE).round().clamp(-greatest, greatest) as i8)
}

fn quantized_head(head: &[f32]) -> Head {
    let greatest = f32::from(Scale::GREATEST_WEIGHT);
    let weight = |at: usize| (head[at] * Scale::WEIGHT).round().clamp(-greatest, greatest) as i16;
    let bias = |at: usize| {
        let greatest = Scale::GREATEST_BIAS as f32;
        (head[at] * Scale::SUM).round().clamp(-greatest, greatest) as i32
    };
    let prior = |at: usize| (head[at] * Scale::PRIOR).round() as i16;
    let mut quantized = Head::zero();
    quantized.classical = weight(Layout::CLASSICAL);
    for unit in 0..HIDDEN {
        quantized.hidden[unit] = std::array::from_fn(|input| weight(Layout::HIDDEN + unit * BOTH + input));
        quantized.hidden_bias[unit] = bias(Layout::HIDDEN_BIAS + unit);
        quantized.output[unit] = weight(Layout::OUTPUT + unit);
    }
    for row in 0..THREAT_ROWS {
        quantized.threats[row] = std::array::from_fn(|unit| bias(Layout::THREATS + row * HIDDEN + unit));
    }
    for lane in 0..BOTH {
        quantized.direct[lane] = weight(Layout::DIRECT + lane);
        quantized.query_bias[lane] = bias(Layout::QUERY_BIAS + lane);
        for unit in 0..HIDDEN {
            quantized.query[lane][unit] = weight(Layout::QUERY + lane * HIDDEN + unit);
        }
    }
    for kind in 0..Combination::COUNT {
        quantized.priors[kind] = [prior(Layout::PRIORS + 2 * kind), prior(Layout::PRIORS + 2 * kind + 1)];
    }
    quantized
}
