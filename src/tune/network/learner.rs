//! [`Learner`]: a model with its optimizer. [`Replica`]: a copy of the model that follows it.
//!
//! ```text
//! examples ─► rows summed ─► gradients (four shards) ─► Adam ─► model ─► replicas, which play games
//! ```

use std::thread;

use super::checkpoint::{State, TENSORS, read, write};
use super::descent::Descent;
use super::gradient::{Example, Shard};
use super::model::{Model, Row};
use super::quantize::MIN_SEEN;
use crate::eval::network::Weights;
use crate::files::take_first;
use crate::tune::loss::Losses;

/// Number of parts of a batch. Their gradients are summed in order, so the number of threads does not change the
/// result.
const SHARDS: usize = 4;

/// A model with its optimizer.
pub(in crate::tune) struct Learner {
    pub(in crate::tune) model: Model,
    descent: Descent,
    shards: Vec<Shard>,
    threads: usize,
    /// Number of batches so far.
    batches: usize,
    /// For each window the number of points of examples that showed it, plus [`MIN_SEEN`] if its initial rest is kept in
    /// any case.
    seen: Vec<u32>,
    /// For each window the value of `batches` after the last change of its rest.
    moved: Vec<u32>,
}

/// A copy of a learner's model, without its optimizer.
pub(in crate::tune) struct Replica {
    pub(in crate::tune) model: Model,
    /// The learner's number of batches at the time of the copy.
    batches: u32,
}

impl Learner {
    /// A learner before its first batch, whose gradients are computed on this number of threads.
    pub(in crate::tune) fn new(model: Model, threads: usize) -> Self {
        Self {
            descent: Descent::new(&model),
            shards: (0..SHARDS).map(|_| Shard::new(&model)).collect(),
            threads: threads.min(SHARDS),
            batches: 0,
            seen: vec![0; model.rest.len()],
            moved: vec![0; model.rest.len()],
            model,
        }
    }

    /// Keeps the rests of the model's windows in the network even if the examples never show these windows.
    #[must_use]
    pub(super) fn keep_rests(mut self) -> Self {
        let seen = |rest: &Row| if rest.iter().any(|&number| number != 0.0) { MIN_SEEN } else { 0 };
        self.seen = self.model.rest.iter().map(seen).collect();
        self
    }

    /// Number of batches so far.
    pub(in crate::tune) const fn batches(&self) -> usize {
        self.batches
    }

    /// Takes a step against the gradient of the mean loss of the examples, and returns the mean losses before it.
    pub(in crate::tune) fn step<E: Example>(&mut self, examples: &[E], rate: f32) -> Losses {
        examples.iter().for_each(|example| self.model.sum_rows_of(example.features()));
        let (share, model) = (1.0 / examples.len() as f32, &self.model);
        let parts = examples.chunks(examples.len().div_ceil(SHARDS).max(1));
        let mut work: Vec<_> = self.shards.iter_mut().zip(parts).collect();
        let used = work.len();
        let per_thread = work.len().div_ceil(self.threads).max(1);
        let compute = |part: &mut [(&mut Shard, &[E])]| {
            part.iter_mut().for_each(|(shard, examples)| shard.compute(model, examples, share));
        };
        if self.threads == 1 {
            compute(&mut work);
        } else {
            thread::scope(|scope| {
                for part in work.chunks_mut(per_thread) {
                    scope.spawn(move || compute(part));
                }
            });
        }
        let shards = std::mem::take(&mut self.shards);
        let losses = self.apply(&shards[..used], rate);
        self.shards = shards;
        losses
    }

    /// Takes a step against the sum of these gradients, and returns the sum of their losses.
    pub(in crate::tune) fn apply(&mut self, shards: &[Shard], rate: f32) -> Losses {
        self.descent.step(&mut self.model, shards, rate);
        self.model.outdate();
        self.batches += 1;
        self.descent.touched.iter().for_each(|&row| self.moved[row as usize] = self.batches as u32);
        let mut losses = Losses::default();
        for shard in shards {
            losses.add(1.0, shard.losses);
            for &row in &shard.touched {
                let seen = &mut self.seen[row as usize];
                *seen = seen.saturating_add(shard.shown[row as usize]);
            }
        }
        losses
    }

    /// The network in integers; `None` if a parameter is not finite.
    pub(in crate::tune) fn weights(&mut self) -> Option<Weights> {
        self.model.sum_all_rows();
        self.model.quantized(&self.seen)
    }

    /// A copy of the model.
    pub(in crate::tune) fn replica(&self) -> Replica {
        Replica { model: self.model.clone(), batches: self.batches as u32 }
    }

    /// The state on which the next batches depend.
    pub(in crate::tune) fn state(&mut self) -> State {
        let tensors = self.tensors().map(|tensor| tensor.to_vec()).into();
        State { batches: self.batches as u64, tensors, seen: self.seen.clone(), steps: self.descent.steps().to_vec() }
    }

    /// Restores a state; `None` without a change if it belongs to another kind of network. Existing replicas become invalid.
    pub(in crate::tune) fn set_state(&mut self, state: State) -> Option<()> {
        let State { batches, tensors, seen, steps } = state;
        let lengths = self.tensors().map(|tensor| tensor.len());
        let windows = self.seen.len();
        let is_ours = lengths.into_iter().eq(tensors.iter().map(Vec::len));
        if !is_ours || [&seen, &steps].iter().any(|counts| counts.len() != windows) {
            return None;
        }
        self.tensors().into_iter().zip(&tensors).for_each(|(own, other)| own.copy_from_slice(other));
        (self.batches, self.seen) = (batches as usize, seen);
        self.descent.resume(self.batches, steps);
        self.moved.fill(self.batches as u32);
        self.model.outdate();
        Some(())
    }

    /// The parameters and their moments.
    fn tensors(&mut self) -> [&mut [f32]; TENSORS] {
        let [rest, shared, heads] = self.model.parameters();
        let [a, b, c, d, e, f] = self.descent.moments();
        [rest, shared, heads, a, b, c, d, e, f]
    }
}

impl Replica {
    /// Copies the parameters that have changed since the last copy. Cost: some 100 µs after a batch.
    pub(in crate::tune) fn follow(&mut self, learner: &Learner) {
        let (model, source) = (&mut self.model, &learner.model);
        for (row, _) in learner.moved.iter().enumerate().filter(|&(_, &moved)| moved > self.batches) {
            model.rest[row] = source.rest[row];
        }
        model.shared.copy_from_slice(&source.shared);
        model.heads.copy_from_slice(&source.heads);
        model.outdate();
        self.batches = learner.batches as u32;
    }

    /// Appends the parameters.
    pub(in crate::tune) fn save(&mut self, content: &mut Vec<u8>) {
        content.extend(u64::from(self.batches).to_ne_bytes());
        self.model.parameters().into_iter().for_each(|tensor| write(content, tensor));
    }

    /// Reads the parameters; `None` if they are damaged or of another kind of network.
    pub(in crate::tune) fn load(&mut self, rest: &mut &[u8]) -> Option<()> {
        let batches = u64::from_ne_bytes(take_first(rest)?);
        for tensor in self.model.parameters() {
            let numbers: Vec<f32> = read(rest)?;
            if numbers.len() != tensor.len() {
                return None;
            }
            tensor.copy_from_slice(&numbers);
        }
        self.model.outdate();
        self.batches = u32::try_from(batches).ok()?;
        Some(())
    }
}
