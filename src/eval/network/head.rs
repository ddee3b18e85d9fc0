//! [`Head`]: the layers from the pooled squares of the lanes to a value and to move priors.
//!
//! ```text
//! pooled squares ─► x ─┬─► first ─┬─► second ─┬─► value      first   max(0, W·x + bias + rows of the threats)
//!                      └──────────┴───────────┘              second  max(0, V·first + bias)
//! first ─► q ─► prior of a move: q · lanes of its point + priors by combination
//! ```

use multiversion::multiversion;

use super::codebook::{BOTH, LANES};
use crate::board::Color;
use crate::eval::classical::Combination;
use crate::score::Score;
use crate::threat::{Threat, ThreatSets};

/// Units of the first hidden layer.
pub const FIRST: usize = 64;

/// Units of the second hidden layer.
pub const SECOND: usize = 32;

/// The threats that the first hidden layer reads.
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
    pub const LANE: f32 = 256.0;
    /// The square of a lane of 1.
    pub const SQUARE: f32 = 1024.0;
    /// Divisor of pooled squares, which makes them about 1.
    pub const POOL: f32 = 2.0;
    /// A pooled square of 1, and a hidden unit of 1.
    pub const UNIT: f32 = 128.0;
    /// A weight of 1.
    pub const WEIGHT: f32 = 256.0;
    /// A product of unit and weight of 1.
    pub const SUM: f32 = Self::UNIT * Self::WEIGHT;
    /// An element of `q` of 1.
    pub const QUERY: f32 = 64.0;
    /// A prior of one logit.
    pub const PRIOR: f32 = 100.0;
    /// Greatest weight: 64 products of greatest unit and weight fit 32 bits.
    pub const GREATEST_WEIGHT: i16 = 2047;

    /// Greatest bias and element of a threat row: their sum with the greatest products fits 32 bits.
    pub const GREATEST_BIAS: u32 = 1 << 24;

    /// Shift from sums of squares to units of x: square · pool / unit = 16 = 2⁴.
    const POOL_SHIFT: u32 = 4;
    /// Shift from sums of a hidden layer to units: 2⁸.
    const HIDDEN_SHIFT: u32 = 8;
    /// Shift from sums of the query to units of `q`: 2⁹.
    const QUERY_SHIFT: u32 = 9;
    /// The prior from a sum of lanes times `q`: lane · query = 2¹⁴, shifted in two steps to avoid an overflow.
    #[inline]
    pub(super) const fn prior(sum: i32) -> i32 {
        ((sum >> 7) * Self::PRIOR as i32) >> 7
    }

    /// Greatest unit of x and of a hidden layer.
    const GREATEST_UNIT: i32 = 8191;
    /// Greatest element of `q`: 64 · 508 · 32,767 fits 32 bits.
    const GREATEST_QUERY: i32 = i16::MAX as i32;
}

// The shifts, and the 64 by which a lane's square is divided, are ratios of the scales.
const _: () = {
    assert!(Scale::LANE * Scale::LANE / Scale::SQUARE == 64.0);
    assert!(Scale::SQUARE * Scale::POOL / Scale::UNIT == (1 << Scale::POOL_SHIFT) as f32);
    assert!(Scale::SUM / Scale::UNIT == (1 << Scale::HIDDEN_SHIFT) as f32);
    assert!(Scale::SUM / Scale::QUERY == (1 << Scale::QUERY_SHIFT) as f32);
};

/// The pooled squares: the sum over the empty points of the squares of the lanes above 0, black's view first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Pooled(pub(super) [i32; BOTH]);

impl Pooled {
    /// Adds the squares of a point, or what the squares of some points gain.
    #[inline(always)]
    pub(super) fn add(&mut self, squares: &[i16; BOTH]) {
        self.0.iter_mut().zip(squares).for_each(|(sum, &square)| *sum = sum.wrapping_add(square.into()));
    }

    /// Subtracts the squares of a point.
    #[inline(always)]
    pub(super) fn subtract(&mut self, squares: &[i16; BOTH]) {
        self.0.iter_mut().zip(squares).for_each(|(sum, &square)| *sum = sum.wrapping_sub(square.into()));
    }
}

/// The input of the first hidden layer, the mover's units first.
type Input = [i16; BOTH];

/// The units of the first hidden layer.
pub(super) type First = [i16; FIRST];

/// The units of the second hidden layer.
type Second = [i16; SECOND];

/// The query of a node: the weight of each lane in move priors, in the order of the lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Query(pub(super) [i16; BOTH]);

/// The weights of one player after the codebook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// From x to the first hidden layer, by unit and input.
    pub first: [[i16; BOTH]; FIRST],
    /// Bias of the first hidden layer.
    pub first_bias: [i32; FIRST],
    /// Added to the first hidden layer for each threat on the board.
    pub threats: [[i32; FIRST]; THREAT_ROWS],
    /// From the first hidden layer to the second, by unit and input.
    pub second: [[i16; FIRST]; SECOND],
    /// Bias of the second hidden layer.
    pub second_bias: [i32; SECOND],
    /// From x to the value.
    pub direct: [i16; BOTH],
    /// From the first hidden layer to the value.
    pub first_output: [i16; FIRST],
    /// From the second hidden layer to the value.
    pub second_output: [i16; SECOND],
    /// Bias of `q`.
    pub query_bias: [i32; BOTH],
    /// From the first hidden layer to `q`, by element of `q` and unit.
    pub query: [[i16; FIRST]; BOTH],
    /// The priors by combination: by that of the mover at the point, and by that of the other side.
    pub priors: Box<[[i16; 2]; Combination::COUNT]>,
}

impl Head {
    /// All weights 0.
    pub fn zero() -> Self {
        Self {
            first: [[0; BOTH]; FIRST],
            first_bias: [0; FIRST],
            threats: [[0; FIRST]; THREAT_ROWS],
            second: [[0; FIRST]; SECOND],
            second_bias: [0; SECOND],
            direct: [0; BOTH],
            first_output: [0; FIRST],
            second_output: [0; SECOND],
            query_bias: [0; BOTH],
            query: [[0; FIRST]; BOTH],
            priors: Box::new([[0; 2]; Combination::COUNT]),
        }
    }

    /// The first hidden layer of a position, and its input.
    #[inline]
    pub(super) fn first(&self, pooled: &Pooled, sets: &ThreatSets, mover: Color) -> (First, Input) {
        let x = input(pooled, mover);
        let mut sums = self.first_bias;
        each_threat_row(sets, mover, |row| {
            sums.iter_mut().zip(&self.threats[row]).for_each(|(sum, number)| *sum += number);
        });
        (first_units(&self.first, &sums, &x), x)
    }

    /// The value of a position in units of a score.
    #[inline]
    pub(super) fn value(&self, first: &First, x: &Input) -> i32 {
        let second = second_units(&self.second, &self.second_bias, first);
        let sum = i64::from(output(x, &self.direct))
            + i64::from(output(first, &self.first_output))
            + i64::from(output(&second, &self.second_output));
        (sum * Score::CHANCE_SCALE as i64 / Scale::SUM as i64) as i32
    }

    /// The weights of the lanes for the priors of moves.
    #[inline]
    pub(super) fn query(&self, first: &First, mover: Color) -> Query {
        let products = query_products(&self.query, first);
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

/// The input of the first hidden layer: the pooled squares, the mover's first.
#[inline]
fn input(pooled: &Pooled, mover: Color) -> Input {
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
fn first_units(weights: &[[i16; BOTH]; FIRST], biases: &[i32; FIRST], x: &Input) -> First {
    units(weights, biases, x)
}

#[multiversion(targets("x86_64+avx2"))]
fn second_units(weights: &[[i16; FIRST]; SECOND], biases: &[i32; SECOND], first: &First) -> Second {
    units(weights, biases, first)
}

#[multiversion(targets("x86_64+avx2"))]
fn query_products(weights: &[[i16; FIRST]; BOTH], first: &First) -> [i32; BOTH] {
    products(weights, first)
}

/// The units of a hidden layer.
#[inline(always)]
fn units<const N: usize, const UNITS: usize>(
    weights: &[[i16; N]; UNITS],
    biases: &[i32; UNITS],
    input: &[i16; N],
) -> [i16; UNITS] {
    let sums = products(weights, input);
    let mut units = [0; UNITS];
    for ((unit, bias), sum) in units.iter_mut().zip(biases).zip(sums) {
        *unit = ((bias + sum) >> Scale::HIDDEN_SHIFT).clamp(0, Scale::GREATEST_UNIT) as i16;
    }
    units
}

/// The product of each unit's weights with the input.
#[inline(always)]
fn products<const N: usize, const UNITS: usize>(weights: &[[i16; N]; UNITS], input: &[i16; N]) -> [i32; UNITS] {
    let mut products = [0; UNITS];
    for (product, weights) in products.iter_mut().zip(weights) {
        *product = dot(weights, input);
    }
    products
}

/// What a layer adds to the value.
#[inline(never)]
fn output<const N: usize>(units: &[i16; N], weights: &[i16; N]) -> i32 {
    dot(units, weights)
}

/// The sum of the products. It fits (`Scale`); it uses wrapping operations for the same reason as the sums of lanes. With
/// sixteen partial sums the paired multiply-adds of AVX2 take sixteen products; with one they take eight.
#[inline(always)]
pub(super) fn dot<const N: usize>(a: &[i16; N], b: &[i16; N]) -> i32 {
    let mut sums = [0_i32; 16];
    for (a, b) in a.chunks_exact(16).zip(b.chunks_exact(16)) {
        for lane in 0..16 {
            sums[lane] = sums[lane].wrapping_add(i32::from(a[lane]) * i32::from(b[lane]));
        }
    }
    sums.into_iter().fold(0, i32::wrapping_add)
}
