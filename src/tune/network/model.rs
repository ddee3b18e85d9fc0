//! [`Model`]: the network in floating point, its parameters and its forward pass.
//!
//! ```text
//! row of a window = row of its patterns + row of each half + rest, clamped     the rest decays without evidence
//! lanes of a point = max(0, Σ rows of its four windows), for the mover's view and for the other side's
//! x = Σ squares of the lanes of the points / 2
//! first = max(0, W x + bias + rows of the threats)
//! second = max(0, V first + bias)
//! logit of winning = outputs · second + outputs · first + direct · x
//! logit of a move = (query bias + Q first) · lanes of its point + priors by combination
//! ```

use super::features::{Candidate, Features, NO_ROW, PointRows};
use crate::board::{Color, Rule};
use crate::eval::classical::Combination;
use crate::eval::network::codebook::{self, BOTH, FOLDED_WINDOWS, GREATEST, LANES, ViewRow};
use crate::eval::network::file::{HALF_ROWS, PATTERN_ROWS, pattern_row};
use crate::eval::network::head::{FIRST, SECOND, THREAT_ROWS};
use crate::eval::network::{Head, Scale, Weights};
use crate::rng::Rng;
use crate::threat::{LineWindow, PatternTable};
use crate::tune::adam::random;
use crate::tune::loss::{Loss, logistic};

/// The lanes of one view.
pub(super) type Row = [f32; LANES];

/// The lanes of both views, the mover's first.
pub(super) type Lanes = [f32; BOTH];

/// Greatest number of a row and of each of its parts: the range of 8 bits.
pub(super) const GREATEST_ROW: f32 = GREATEST as f32 / Scale::LANE;

/// Rows of one view that windows share.
const SHARED_ROWS: usize = PATTERN_ROWS + HALF_ROWS;

/// The shared rows of a window.
pub(super) const SHARED_PARTS: usize = 3;

/// Index of the first parameter of each part of a head.
pub(super) struct Layout;

impl Layout {
    pub(super) const FIRST: usize = 0;
    pub(super) const FIRST_BIAS: usize = Self::FIRST + FIRST * BOTH;
    pub(super) const THREATS: usize = Self::FIRST_BIAS + FIRST;
    pub(super) const SECOND: usize = Self::THREATS + THREAT_ROWS * FIRST;
    pub(super) const SECOND_BIAS: usize = Self::SECOND + SECOND * FIRST;
    pub(super) const DIRECT: usize = Self::SECOND_BIAS + SECOND;
    pub(super) const FIRST_OUTPUT: usize = Self::DIRECT + BOTH;
    pub(super) const SECOND_OUTPUT: usize = Self::FIRST_OUTPUT + FIRST;
    pub(super) const QUERY_BIAS: usize = Self::SECOND_OUTPUT + SECOND;
    pub(super) const QUERY: usize = Self::QUERY_BIAS + BOTH;
    pub(super) const PRIORS: usize = Self::QUERY + BOTH * FIRST;
    /// All parameters of a head.
    pub(super) const LEN: usize = Self::PRIORS + 2 * Combination::COUNT;
}

/// The initial knowledge of a model.
pub(in crate::tune) enum Origin<'a> {
    /// The priors of the classical evaluation by combination, for each view.
    Priors(&'a dyn Fn(usize) -> [Vec<f32>; 2]),
    /// Nothing: all priors by combination are 0.
    Nothing,
}

/// The parameters.
#[derive(Clone)]
pub(in crate::tune) struct Model {
    pub(super) rule: Rule,
    /// The rest of each window, which is added to its shared rows: view, folded window.
    pub(super) rest: Vec<Row>,
    /// For each view the rows of patterns, then the rows of halves.
    pub(super) shared: Vec<Row>,
    /// The heads of all views.
    pub(super) heads: Vec<f32>,
    /// The sum of the rows of each window. [`sum_rows`](Self::sum_rows) updates it.
    pub(super) rows: Vec<Row>,
    /// The shared rows of each window.
    pub(super) parts: Vec<[u32; SHARED_PARTS]>,
    /// The number of changes of the parameters, and for each window the number at which its rows were summed.
    changes: u32,
    summed: Vec<u32>,
}

/// Result of a forward pass.
pub(in crate::tune) struct Forward {
    /// The lanes of each point after the ReLU.
    pub(super) lanes: Vec<Lanes>,
    pub(super) x: Lanes,
    pub(super) first: [f32; FIRST],
    pub(super) second: [f32; SECOND],
    pub(super) logit: f32,
    pub(super) query: Lanes,
    /// The logit of each candidate.
    pub(in crate::tune) logits: Vec<f32>,
    /// The chance of each candidate to be the best: the softmax of the logits.
    pub(in crate::tune) chances: Vec<f32>,
}

impl Model {
    /// An initial model: small random parameters, and its origin.
    pub(in crate::tune) fn new(rule: Rule, origin: &Origin<'_>, rng: &mut Rng) -> Self {
        let views = rule.tables();
        let mut random = |greatest| random(rng, greatest);
        let shared = (0..views * SHARED_ROWS).map(|_| std::array::from_fn(|_| random(0.08))).collect();
        let mut heads = vec![0.0; views * Layout::LEN];
        for (view, head) in heads.chunks_exact_mut(Layout::LEN).enumerate() {
            head[Layout::FIRST..Layout::FIRST_BIAS].iter_mut().for_each(|weight| *weight = random(0.2));
            head[Layout::SECOND..Layout::SECOND_BIAS].iter_mut().for_each(|weight| *weight = random(0.25));
            head[Layout::FIRST_OUTPUT..Layout::QUERY_BIAS].iter_mut().for_each(|weight| *weight = random(0.02));
            head[Layout::QUERY_BIAS..Layout::PRIORS].iter_mut().for_each(|weight| *weight = random(0.05));
            let Origin::Priors(priors) = origin else { continue };
            let [own, other] = priors(view);
            for (kind, (own, other)) in own.into_iter().zip(other).enumerate() {
                head[Layout::PRIORS + 2 * kind] = own;
                head[Layout::PRIORS + 2 * kind + 1] = other;
            }
        }
        Self::of(rule, vec![[0.0; LANES]; views * FOLDED_WINDOWS], shared, heads)
    }

    /// The model with these parameters.
    fn of(rule: Rule, rest: Vec<Row>, shared: Vec<Row>, heads: Vec<f32>) -> Self {
        let (rows, summed) = (vec![[0.0; LANES]; rest.len()], vec![0; rest.len()]);
        let mut model = Self { rule, rest, shared, heads, rows, parts: parts(rule), changes: 0, summed };
        model.sum_all_rows();
        model
    }

    /// A model that begins as a network of this or another rule. If that has another number of views, black's serves for
    /// both colors.
    pub(in crate::tune) fn from_weights(rule: Rule, weights: &Weights) -> Self {
        let colors = &Color::ALL[..rule.tables()];
        let number = |row: &ViewRow| row.map(|number| f32::from(number) / Scale::LANE);
        let mut rest = vec![[0.0; LANES]; colors.len() * FOLDED_WINDOWS];
        let (mut shared, mut heads) = (Vec::new(), Vec::new());
        for (view, &color) in colors.iter().enumerate() {
            let weights = weights.view(color);
            shared.extend(weights.patterns.iter().chain(&weights.halves).map(number));
            heads.extend(real_head(&weights.head));
            for (window, row) in &weights.rest {
                rest[view * FOLDED_WINDOWS + *window as usize] = number(row);
            }
        }
        Self::of(rule, rest, shared, heads)
    }

    /// The parameters: of the rest, of the shared rows and of the heads. A caller that changes them calls
    /// [`outdate`](Self::outdate).
    pub(super) fn parameters(&mut self) -> [&mut [f32]; 3] {
        [self.rest.as_flattened_mut(), self.shared.as_flattened_mut(), &mut self.heads]
    }

    /// Marks the sums of all rows as outdated, because parameters have changed.
    pub(super) fn outdate(&mut self) {
        self.changes += 1;
    }

    /// Sums the rows of all windows.
    pub(super) fn sum_all_rows(&mut self) {
        self.sum_rows(0..self.rows.len() as u32);
    }

    /// Sums the rows that a position reads and that are outdated. Call it before [`forward`](Self::forward).
    pub(in crate::tune) fn sum_rows_of(&mut self, sample: &Features) {
        for &row in sample.points.as_flattened().as_flattened() {
            if row != NO_ROW && self.summed[row as usize] != self.changes {
                self.sum_rows(std::iter::once(row));
            }
        }
    }

    /// Sums the rows of these windows. Call it after their parameters have changed. The sums are clamped, as in the engine;
    /// the gradient passes the clamp, so that a clamped row can come back.
    pub(super) fn sum_rows(&mut self, rows: impl Iterator<Item = u32>) {
        for row in rows {
            self.summed[row as usize] = self.changes;
            let mut sum = self.rest[row as usize];
            for part in self.parts[row as usize] {
                let part = &self.shared[part as usize];
                for lane in 0..LANES {
                    sum[lane] += part[lane];
                }
            }
            self.rows[row as usize] = sum.map(|number| number.clamp(-GREATEST_ROW, GREATEST_ROW));
        }
    }

    /// The head of the color to move.
    pub(super) fn head(&self, mover: Color) -> &[f32] {
        &self.heads[self.rule.table_of(mover) * Layout::LEN..][..Layout::LEN]
    }

    /// The forward pass. It overwrites `forward`. Cost: some microseconds on 9 × 9.
    pub(in crate::tune) fn forward(&self, sample: &Features, forward: &mut Forward) {
        let head = self.head(sample.mover);
        forward.lanes.clear();
        let mut x = [0.0; BOTH];
        for point in &sample.points {
            let lanes = self.lanes(point);
            for lane in 0..BOTH {
                x[lane] += lanes[lane] * lanes[lane];
            }
            forward.lanes.push(lanes);
        }
        forward.x = x.map(|sum| sum / Scale::POOL);
        for unit in 0..FIRST {
            let mut sum = head[Layout::FIRST_BIAS + unit];
            sum += dot(&head[Layout::FIRST + unit * BOTH..][..BOTH], &forward.x);
            for row in (0..THREAT_ROWS).filter(|row| sample.threats >> row & 1 > 0) {
                sum += head[Layout::THREATS + row * FIRST + unit];
            }
            forward.first[unit] = sum.max(0.0);
        }
        for unit in 0..SECOND {
            let sum = dot(&head[Layout::SECOND + unit * FIRST..][..FIRST], &forward.first);
            forward.second[unit] = (head[Layout::SECOND_BIAS + unit] + sum).max(0.0);
        }
        forward.logit = dot(&head[Layout::DIRECT..][..BOTH], &forward.x)
            + dot(&head[Layout::FIRST_OUTPUT..][..FIRST], &forward.first)
            + dot(&head[Layout::SECOND_OUTPUT..][..SECOND], &forward.second);
        for lane in 0..BOTH {
            forward.query[lane] =
                head[Layout::QUERY_BIAS + lane] + dot(&head[Layout::QUERY + lane * FIRST..][..FIRST], &forward.first);
        }
        forward.logits.clear();
        for &Candidate { point, combinations: [own, other] } in &sample.candidates {
            let priors = head[Layout::PRIORS + 2 * own.index()] + head[Layout::PRIORS + 2 * other.index() + 1];
            forward.logits.push(priors + dot(&forward.query, &forward.lanes[usize::from(point)]));
        }
        forward.chances.clone_from(&forward.logits);
        Loss::Moves.predict(&mut forward.chances);
    }

    /// The lanes of a point.
    #[inline]
    fn lanes(&self, point: &PointRows) -> Lanes {
        let mut lanes = [0.0; BOTH];
        for (view, rows) in point.iter().enumerate() {
            let half = &mut lanes[view * LANES..][..LANES];
            for &row in rows.iter().filter(|&&row| row != NO_ROW) {
                let row = &self.rows[row as usize];
                for lane in 0..LANES {
                    half[lane] += row[lane];
                }
            }
            half.iter_mut().for_each(|lane| *lane = lane.max(0.0));
        }
        lanes
    }
}

impl Forward {
    pub(in crate::tune) const fn new() -> Self {
        Self {
            lanes: Vec::new(),
            x: [0.0; BOTH],
            first: [0.0; FIRST],
            second: [0.0; SECOND],
            logit: 0.0,
            query: [0.0; BOTH],
            logits: Vec::new(),
            chances: Vec::new(),
        }
    }

    /// A result with these logits of the moves and this logit of winning.
    #[cfg(test)]
    pub(in crate::tune) fn of_logits(logits: &[f32], logit: f32) -> Self {
        let mut chances = logits.to_vec();
        Loss::Moves.predict(&mut chances);
        Self { logits: logits.to_vec(), chances, logit, ..Self::new() }
    }

    /// The chance to win of the side to move, 0 to 1.
    pub(in crate::tune) fn chance(&self) -> f32 {
        logistic(self.logit)
    }
}

/// The parameters of a head.
fn real_head(head: &Head) -> Vec<f32> {
    let weights = |numbers: &[i16]| numbers.iter().map(|&number| f32::from(number) / Scale::WEIGHT).collect::<Vec<_>>();
    let biases = |numbers: &[i32]| numbers.iter().map(|&number| number as f32 / Scale::SUM).collect::<Vec<_>>();
    let parts = [
        weights(head.first.as_flattened()),
        biases(&head.first_bias),
        biases(head.threats.as_flattened()),
        weights(head.second.as_flattened()),
        biases(&head.second_bias),
        weights(&head.direct),
        weights(&head.first_output),
        weights(&head.second_output),
        biases(&head.query_bias),
        weights(head.query.as_flattened()),
        head.priors.as_flattened().iter().map(|&prior| f32::from(prior) / Scale::PRIOR).collect(),
    ];
    parts.concat()
}

/// The dot product, in sixteen partial sums so that the compiler can use vectors.
#[inline]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0; 16];
    for (a, b) in a.chunks_exact(16).zip(b.chunks_exact(16)) {
        for lane in 0..16 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum()
}

/// The shared rows of each window.
fn parts(rule: Rule) -> Vec<[u32; SHARED_PARTS]> {
    let patterns = PatternTable::of(rule);
    let mut parts = vec![[0; SHARED_PARTS]; rule.tables() * FOLDED_WINDOWS];
    for (view, color) in Color::ALL.into_iter().take(rule.tables()).enumerate() {
        let first = view * SHARED_ROWS;
        for window in LineWindow::all() {
            let [low, high] = codebook::halves(window).map(|half| (first + PATTERN_ROWS + half) as u32);
            let pattern = (first + pattern_row(patterns, window, color)) as u32;
            parts[view * FOLDED_WINDOWS + codebook::folded(window)] = [pattern, low, high];
        }
    }
    parts
}
