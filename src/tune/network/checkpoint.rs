//! [`Checkpoint`]: the state of a training, from which a killed run resumes.
//!
//! ```text
//! magic "tengen training 4\n"   checksum, 8 bytes: FNV-1a of the rest
//! the rest, 4 or 8 bytes a number in the order of the machine: training   parts done   batches
//!   9 tensors, each its length and its numbers: parameters, means and squares of their gradients
//!   how often each window was seen, and in how many batches   the curve, 5 numbers a point
//! ```

use bytemuck::Pod;

use super::train::CurvePoint;
use crate::files::{Kind, MEBIBYTE, take_first};
use crate::fnv::Fnv1a;
use crate::tune::loss::{Loss, Losses};

/// The first bytes of a file.
const MAGIC: &[u8] = b"tengen training 4\n";

/// Parameters in three groups, each with two moments.
pub(super) const TENSORS: usize = 9;

/// A training between two parts. Its file can be read only on a machine with the same byte order.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The fingerprint of the training.
    pub(super) training: u64,
    /// Number of parts done, over all rounds.
    pub(super) chunks: u64,
    pub(super) state: State,
    pub(super) curve: Vec<CurvePoint>,
}

/// The state of a learner, on which its next batches depend.
#[derive(Clone, Debug)]
pub(in crate::tune) struct State {
    pub(super) batches: u64,
    pub(super) tensors: Vec<Vec<f32>>,
    /// For each window the number of points of samples that showed it.
    pub(super) seen: Vec<u32>,
    /// For each window the number of batches that showed it.
    pub(super) steps: Vec<u32>,
}

impl State {
    /// Appends the bytes of the state: some 26 MB, twice as many if the colors differ.
    pub(in crate::tune) fn write(&self, content: &mut Vec<u8>) {
        content.extend(self.batches.to_ne_bytes());
        self.tensors.iter().for_each(|tensor| write(content, tensor));
        [&self.seen, &self.steps].into_iter().for_each(|counts| write(content, counts));
    }

    /// Reads the bytes of a state; `None` if they are too short.
    pub(in crate::tune) fn read(rest: &mut &[u8]) -> Option<Self> {
        let batches = u64::from_ne_bytes(take_first(rest)?);
        let tensors = (0..TENSORS).map(|_| read(rest)).collect::<Option<_>>()?;
        Some(Self { batches, tensors, seen: read(rest)?, steps: read(rest)? })
    }
}

/// Error returned when bytes are not a checkpoint of this version, or damaged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a checkpoint of this version, or damaged")]
pub struct CheckpointError;

impl Checkpoint {
    /// The kind of file, of any version.
    pub const KIND: Kind = Kind { name: "checkpoint", start: b"tengen training " };

    /// Maximum size of a file in bytes. It has room for the curve of the longest training.
    pub const MOST_BYTES: u64 = 1024 * MEBIBYTE;

    /// The bytes of a file: some 26 MB, twice as many if the colors differ.
    pub fn to_bytes(&self) -> Vec<u8> {
        let Self { training, chunks, state, curve } = self;
        let mut content = bytemuck::cast_slice(&[*training, *chunks]).to_vec();
        state.write(&mut content);
        let curve: Vec<_> = curve.iter().map(numbers).collect();
        write(&mut content, curve.as_flattened());
        [MAGIC, &Fnv1a::of(&content).to_ne_bytes(), &content].concat()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When the bytes are not a checkpoint of this version, or damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        Self::parse(bytes).ok_or(CheckpointError)
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let (checksum, content) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        if u64::from_ne_bytes(*checksum) != Fnv1a::of(content) {
            return None;
        }
        let mut rest = content;
        let [training, chunks] = [(); 2].map(|()| take_first(&mut rest).map(u64::from_ne_bytes));
        let state = State::read(&mut rest)?;
        let numbers: Vec<f64> = read(&mut rest)?;
        let curve = numbers.chunks(CURVE_NUMBERS).map(point).collect::<Option<_>>()?;
        rest.is_empty().then_some(Self { training: training?, chunks: chunks?, state, curve })
    }
}

/// Numbers of a point of the curve: batches, losses on fitted samples, losses on held-out samples.
const CURVE_NUMBERS: usize = 1 + 2 * Loss::ALL.len();

/// A point of the curve. Missing losses are NaN.
fn numbers(point: &CurvePoint) -> [f64; CURVE_NUMBERS] {
    let held_out = point.held_out.unwrap_or(Losses([f32::NAN; Loss::ALL.len()]));
    let mut losses = point.fitted.0.into_iter().chain(held_out.0).map(f64::from);
    std::array::from_fn(|index| if index == 0 { point.batches as f64 } else { losses.next().unwrap_or(f64::NAN) })
}

fn point(numbers: &[f64]) -> Option<CurvePoint> {
    let (&batches, losses) = numbers.split_first()?;
    let losses: Vec<f32> = losses.iter().map(|&loss| loss as f32).collect();
    let (&fitted, held_out) = losses.split_first_chunk()?;
    let held_out: [f32; Loss::ALL.len()] = held_out.try_into().ok()?;
    let held_out = (!held_out[0].is_nan()).then_some(Losses(held_out));
    Some(CurvePoint { batches: batches as usize, fitted: Losses(fitted), held_out })
}

/// Writes numbers after their count.
pub(in crate::tune) fn write<T: Pod>(content: &mut Vec<u8>, numbers: &[T]) {
    content.extend((numbers.len() as u64).to_ne_bytes());
    content.extend_from_slice(bytemuck::cast_slice(numbers));
}

/// Reads numbers after their count.
pub(in crate::tune) fn read<T: Pod>(rest: &mut &[u8]) -> Option<Vec<T>> {
    let count = usize::try_from(u64::from_ne_bytes(take_first(rest)?)).ok()?;
    let (bytes, others) = rest.split_at_checked(count.checked_mul(size_of::<T>())?)?;
    *rest = others;
    Some(bytemuck::pod_collect_to_vec(bytes))
}
