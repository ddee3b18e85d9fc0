//! [`Checkpoint`]: what a killed training goes on from.
//!
//! ```text
//! magic "tengen training 1\n"   checksum, 8 bytes: FNV-1a of the rest
//! the rest, 4 or 8 bytes a number in the order of the machine: training   parts done   batches
//!   9 tensors, each its length and its numbers: parameters, means and squares of their gradients
//!   how often each window was seen   the curve, 5 numbers a point
//! ```

use std::fmt;

use bytemuck::Pod;

use super::train::CurvePoint;
use crate::files::{Kind, MEBIBYTE};
use crate::fnv::Fnv1a;
use crate::tune::fit::Loss;

/// What a file begins with.
const MAGIC: &[u8] = b"tengen training 1\n";

/// Parameters in three groups, each with two moments.
pub(super) const TENSORS: usize = 9;

/// A training between two of its parts. Its file is for the machine that has written it.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The fingerprint of the training.
    pub(super) training: u64,
    /// The parts that are done, over all rounds.
    pub(super) chunks: u64,
    pub(super) state: State,
}

/// Everything that the next batches of a training depend on.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) batches: u64,
    pub(super) tensors: Vec<Vec<f32>>,
    /// By window: the points of samples that showed it.
    pub(super) seen: Vec<u32>,
    pub(super) curve: Vec<CurvePoint>,
}

/// Bytes are no checkpoint: foreign, of another version, or damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckpointError;

impl fmt::Display for CheckpointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is no checkpoint of this version, or damaged")
    }
}

impl std::error::Error for CheckpointError {}

impl Checkpoint {
    /// How a file of any version begins.
    pub const KIND: Kind = Kind { name: "checkpoint", start: b"tengen training " };

    /// The most bytes of a file that is read: the weights, and the curve of the longest training.
    pub const MOST_BYTES: u64 = 1024 * MEBIBYTE;

    /// The bytes of a file: some 26 MB, twice as many under renju.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { training, chunks, state: State { batches, tensors, seen, curve } } = self;
        let mut content = bytemuck::cast_slice(&[*training, *chunks, *batches]).to_vec();
        tensors.iter().for_each(|tensor| write(&mut content, tensor));
        write(&mut content, seen);
        let curve: Vec<_> = curve.iter().map(numbers).collect();
        write(&mut content, curve.as_flattened());
        [MAGIC, &Fnv1a::of(&content).to_ne_bytes(), &content].concat()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When the bytes are not those of a file of this version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        Self::parse(bytes).ok_or(CheckpointError)
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let (checksum, content) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        if u64::from_ne_bytes(*checksum) != Fnv1a::of(content) {
            return None;
        }
        let mut rest = content;
        let [training, chunks, batches] = [(); 3].map(|()| take(&mut rest).map(u64::from_ne_bytes));
        let tensors = (0..TENSORS).map(|_| read(&mut rest)).collect::<Option<_>>()?;
        let seen = read(&mut rest)?;
        let numbers: Vec<f64> = read(&mut rest)?;
        let curve = numbers.chunks(CURVE_NUMBERS).map(point).collect::<Option<_>>()?;
        let state = State { batches: batches?, tensors, seen, curve };
        rest.is_empty().then_some(Self { training: training?, chunks: chunks?, state })
    }
}

/// Numbers of a point of the curve.
const CURVE_NUMBERS: usize = 5;

/// A point of the curve; losses that there are none of are no numbers.
fn numbers(point: &CurvePoint) -> [f64; CURVE_NUMBERS] {
    let CurvePoint { batches, fitted, held_out } = *point;
    let held_out = held_out.unwrap_or(Loss { chance: f32::NAN, moves: f32::NAN });
    let losses = [fitted.chance, fitted.moves, held_out.chance, held_out.moves].map(f64::from);
    [batches as f64, losses[0], losses[1], losses[2], losses[3]]
}

fn point(numbers: &[f64]) -> Option<CurvePoint> {
    let &[batches, chance, moves, held_chance, held_moves] = numbers else { return None };
    let loss = |chance: f64, moves: f64| Loss { chance: chance as f32, moves: moves as f32 };
    let held_out = (!held_chance.is_nan()).then(|| loss(held_chance, held_moves));
    Some(CurvePoint { batches: batches as usize, fitted: loss(chance, moves), held_out })
}

/// Writes numbers behind their count.
fn write<T: Pod>(content: &mut Vec<u8>, numbers: &[T]) {
    content.extend((numbers.len() as u64).to_ne_bytes());
    content.extend_from_slice(bytemuck::cast_slice(numbers));
}

/// Reads numbers behind their count.
fn read<T: Pod>(rest: &mut &[u8]) -> Option<Vec<T>> {
    let count = usize::try_from(u64::from_ne_bytes(take(rest)?)).ok()?;
    let (bytes, others) = rest.split_at_checked(count.checked_mul(size_of::<T>())?)?;
    *rest = others;
    Some(bytemuck::pod_collect_to_vec(bytes))
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, others) = rest.split_first_chunk()?;
    *rest = others;
    Some(*first)
}
