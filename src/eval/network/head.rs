//! [`Head`]: the layers from the pooled lanes to a value and to move priors.
//!
//! ```text
//! pooled lanes ─► x ─┬─► hidden  max(0, W·x + bias + rows of the threats) ─┬─► value
//!                    └──────────────── direct ─────────────────────────────┘
//! hidden ─► q ─► prior of a move: q · lanes of its point + priors by combination
//! ```

use multiversion::multiversion;

use super::codebook::{BOTH, LANES};
use crate::board::Color;
use crate::eval::classical::Combination;
use crate::score::Score;
use crate::threat::{Threat, ThreatSets};

/// Units of the hidden layer.
pub const HIDDEN: usize = 32;

/// The threats that the hidden layer reads.
const THREATS: [Threat; 7] = [
    Threat::OpenThree,
    Threat::DoubleThree,
    Threat::Four,
    Threat::FourThree,
    Threat::DoubleFour,
    Threat::OpenFour,
    Threat::Five,
];

/// Rows of threats: for the mover, then for the other side, each threat that one point makes, then each that two make.
pub const THREAT_ROWS: usize = 2 * 2 * THREATS.len();

/// The scales of the network's integers.
#[derive(Clone, Copy, Debug)]
pub struct Scale;

impl Scale {
    /// A lane of 1.
    pub const LANE: f32 = 64.0;
    /// Divisor of pooled lanes, which makes them about 1.
    pub const POOL: f32 = 32.0;
    /// A pooled lane of 1, and a hidden unit of 1.
    pub const UNIT: f32 = 128.0;
    /// A weight of 1.
    pub const WEIGHT: f32 = 256.0;
    /// A product of unit and weight of 1.
    pub const SUM: f32 = Self::UNIT * Self::WEIGHT;
    /// An element of `q` of 1.
    pub const QUERY: f32 = 256.0;
    /// A prior of one logit.
    pub const PRIOR: f32 = 100.0;
    /// Greatest weight: 64 products of greatest unit and weight fit 32 bits.
    pub const GREATEST_WEIGHT: i16 = 2047;

    /// Greatest bias and element of a threat row: their sum with the greatest products fits 32 bits.
    pub const GREATEST_BIAS: u32 = 1 << 24;

    /// Shift from sums of lanes to units of x: lane · pool / unit = 16 = 2⁴.
    const POOL_SHIFT: u32 = 4;
    /// Shift from sums of the hidden layer to units: 2⁸.
    const HIDDEN_SHIFT: u32 = 8;
    /// Shift from sums of the query to units of `q`: 2⁷.
    const QUERY_SHIFT: u32 = 7;
    /// The prior from a sum of lanes times `q`: lane · query = 2¹⁴, shifted in two steps to avoid an overflow.
    #[inline]
    pub(super) const fn prior(sum: i32) -> i32 {
        ((sum >> 7) * Self::PRIOR as i32) >> 7
    }

    /// Greatest unit of x and of the hidden layer.
    const GREATEST_UNIT: i32 = 8191;
    /// Greatest element of `q`: 64 · 508 · 32,767 fits 32 bits.
    const GREATEST_QUERY: i32 = i16::MAX as i32;
}

/// The pooled lanes: the sum over the empty points of the lanes above 0, black's view first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Pooled(pub(super) [i32; BOTH]);

impl Pooled {
    /// Adds the lanes of a point, or what they gain.
    #[inline(always)]
    pub(super) fn add(&mut self, lanes: &[i16; BOTH]) {
        self.0.iter_mut().zip(lanes).for_each(|(sum, &lane)| *sum = sum.wrapping_add(lane.into()));
    }
}

/// Units of one layer, the mover's first.
type Units = [i16; BOTH];

/// The units of the hidden layer.
pub(super) type Hidden = [i16; HIDDEN];

/// The query of a node: the weight of each lane in move priors, in the order of the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Query(pub(super) [i16; BOTH]);

/// The weights of one player after the codebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// From x to the hidden layer, by unit and input.
    pub hidden: [[i16; BOTH]; HIDDEN],
    /// Bias of the hidden layer.
    pub hidden_bias: [i32; HIDDEN],
    /// Added to the hidden layer for each threat on the board.
    pub threats: [[i32; HIDDEN]; THREAT_ROWS],
    /// From x to the value.
    pub direct: [i16; BOTH],
    /// From the hidden layer to the value.
    pub output: [i16; HIDDEN],
    /// Bias of `q`.
    pub query_bias: [i32; BOTH],
    /// From the hidden layer to `q`, by element of `q` and unit, padded with zeros.
    pub query: [[i16; BOTH]; BOTH],
    /// The priors by combination: by that of the mover at the point, and by that of the other side.
    pub priors: Box<[[i16; 2]; Combination::COUNT]>,
}

impl Head {
    /// All weights 0.
    pub fn zero() -> Self {
        Self {
            hidden: [[0; BOTH]; HIDDEN],
            hidden_bias: [0; HIDDEN],
            threats: [[0; HIDDEN]; THREAT_ROWS],
            direct: [0; BOTH],
            output: [0; HIDDEN],
            query_bias: [0; BOTH],
            query: [[0; BOTH]; BOTH],
            priors: Box::new([[0; 2]; Combination::COUNT]),
        }
    }

    /// The hidden layer of a position.
    #[inline]
    pub(super) fn hidden(&self, pooled: &Pooled, sets: &ThreatSets, mover: Color) -> (Hidden, Units) {
        let x = units(pooled, mover);
        let mut sums = self.hidden_bias;
        each_threat_row(sets, mover, |row| {
            sums.iter_mut().zip(&self.threats[row]).for_each(|(sum, number)| *sum += number);
        });
        let products = hidden_products(&self.hidden, &x);
        let mut hidden = [0; HIDDEN];
        for unit in 0..HIDDEN {
            hidden[unit] = ((sums[unit] + products[unit]) >> Scale::HIDDEN_SHIFT).clamp(0, Scale::GREATEST_UNIT) as i16;
        }
        (hidden, x)
    }

    /// The value of a position in units of a score.
    #[inline]
    pub(super) fn value(&self, hidden: &Hidden, x: &Units) -> i32 {
        let sum = i64::from(dot_hidden(hidden, &self.output)) + i64::from(dot_units(x, &self.direct));
        (sum * Score::CHANCE_SCALE as i64 / Scale::SUM as i64) as i32
    }

    /// The weights of the lanes for the priors of moves.
    #[inline]
    pub(super) fn query(&self, hidden: &Hidden, mover: Color) -> Query {
        let mut units = [0; BOTH];
        units[..HIDDEN].copy_from_slice(hidden);
        let products = query_products(&self.query, &units);
        let mut query = Query([0; BOTH]);
        for (lane, product) in products.into_iter().enumerate() {
            let sum = (self.query_bias[lane] + product) >> Scale::QUERY_SHIFT;
            query.0[in_order(lane, mover)] = sum.clamp(-Scale::GREATEST_QUERY, Scale::GREATEST_QUERY) as i16;
        }
        query
    }
}

/// The index, with black's lanes first, of a lane that is counted with the mover's lanes first.
#[inline]
const fn in_order(lane: usize, mover: Color) -> usize {
    (lane + mover.index() * LANES) % BOTH
}

/// The input of the first layer: the pooled lanes, the mover's first.
#[inline]
fn units(pooled: &Pooled, mover: Color) -> Units {
    let (black, white) = pooled.0.split_at(LANES);
    let (own, other) = match mover {
        Color::Black => (black, white),
        Color::White => (white, black),
    };
    let mut units = [0; BOTH];
    let (first, second) = units.split_at_mut(LANES);
    for (units, sums) in [(first, own), (second, other)] {
        for (unit, sum) in units.iter_mut().zip(sums) {
            *unit = (sum >> Scale::POOL_SHIFT).min(Scale::GREATEST_UNIT) as i16;
        }
    }
    units
}

/// Calls back with the number of each threat row that is on the board.
#[inline]
pub fn each_threat_row(sets: &ThreatSets, mover: Color, mut call: impl FnMut(usize)) {
    for (side, color) in [mover, !mover].into_iter().enumerate() {
        for (index, &threat) in THREATS.iter().enumerate() {
            let count = sets.count(color, threat);
            let row = side * 2 * THREATS.len() + index;
            if count > 0 {
                call(row);
            }
            if count > 1 {
                call(row + THREATS.len());
            }
        }
    }
}

// Each layer is a function of its own over 16-bit arrays, so that the compiler uses paired multiply-adds.

#[multiversion(targets("x86_64+avx2"))]
fn hidden_products(weights: &[[i16; BOTH]; HIDDEN], x: &Units) -> [i32; HIDDEN] {
    let mut products = [0; HIDDEN];
    for (product, weights) in products.iter_mut().zip(weights) {
        *product = dot(weights, x);
    }
    products
}

/// The hidden layer is padded with zeros to the length of x: the compiler turns shorter arrays into 32-bit products, which
/// are six times as slow.
#[multiversion(targets("x86_64+avx2"))]
fn query_products(weights: &[[i16; BOTH]; BOTH], hidden: &Units) -> [i32; BOTH] {
    let mut products = [0; BOTH];
    for (product, weights) in products.iter_mut().zip(weights) {
        *product = dot(weights, hidden);
    }
    products
}

#[inline(never)]
fn dot_hidden(a: &Hidden, b: &Hidden) -> i32 {
    dot(a, b)
}

#[inline(never)]
fn dot_units(a: &Units, b: &Units) -> i32 {
    dot(a, b)
}

/// The sum of the products. It fits (`Scale`); it uses wrapping operations for the same reason as the sums of lanes.
#[inline(always)]
pub(super) fn dot<const N: usize>(a: &[i16; N], b: &[i16; N]) -> i32 {
    let mut sum = 0_i32;
    for lane in 0..N {
        sum = sum.wrapping_add(i32::from(a[lane]) * i32::from(b[lane]));
    }
    sum
}
