//! [`OpponentPool`]: earlier networks of the learner as its opponents.
//!
//! A model that plays only its present self may forget how to beat moves that it no longer plays.

use crate::eval::network::Weights;
use crate::files::take_first;
use crate::rng::Rng;
use crate::tune::network::{Learner, Model, read_numbers, write_numbers};

/// Number of networks kept. Each takes some 20 MB, twice as much if the colors differ. Set by hand.
const KEPT: usize = 4;

/// Steps of the learner between two networks. Set by hand.
const EVERY: usize = 200;

/// Some earlier networks of the learner.
#[derive(Default)]
pub(super) struct OpponentPool {
    /// The files of the networks, and the models that play.
    kept: Vec<(Vec<u8>, Model)>,
}

impl OpponentPool {
    /// A random one; `None` before the first is kept.
    pub(super) fn choose(&self, rng: &mut Rng) -> Option<&Model> {
        if self.kept.is_empty() { None } else { Some(&self.kept[rng.below(self.kept.len())].1) }
    }

    /// Keeps the network of the learner if one is due. It replaces a random one, so that some old ones stay.
    pub(super) fn add(&mut self, learner: &mut Learner, seed: u64) {
        if learner.batches() % EVERY != 0 {
            return;
        }
        let Some(weights) = learner.weights() else { return };
        let kept = (weights.to_bytes(), Model::from_weights(weights.rule, &weights));
        if self.kept.len() < KEPT {
            self.kept.push(kept);
        } else {
            let replaced = Rng::numbered(seed, learner.batches() as u64).below(KEPT);
            self.kept[replaced] = kept;
        }
    }

    /// Appends the files of the networks.
    pub(super) fn save(&self, content: &mut Vec<u8>) {
        content.extend((self.kept.len() as u64).to_ne_bytes());
        self.kept.iter().for_each(|(bytes, _)| write_numbers(content, bytes));
    }

    /// Reads the files of the networks; `None` if they are damaged.
    pub(super) fn load(rest: &mut &[u8]) -> Option<Self> {
        let count = u64::from_ne_bytes(take_first(rest)?).min(KEPT as u64);
        let read = || {
            let bytes: Vec<u8> = read_numbers(rest)?;
            let weights = Weights::from_bytes(&bytes).ok()?;
            let model = Model::from_weights(weights.rule, &weights);
            Some((bytes, model))
        };
        let kept = std::iter::repeat_with(read).take(count as usize).collect::<Option<_>>()?;
        Some(Self { kept })
    }
}
