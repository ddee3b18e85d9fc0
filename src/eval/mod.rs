//! A NUMBER FOR A POSITION: how good it is for the side to move, without looking ahead.
//!
//! Owns the evaluators: accumulators that give a score and the prior of each move. Uses the position and the threats.
//! Must never know a documented weighting or a search.

pub mod classical;
pub mod network;

pub use classical::Classical;
pub use network::{Network, Networks};

use strum::{Display, EnumString, VariantNames};

use crate::board::{Color, Point, Rule};
use crate::position::Accumulator;
use crate::score::Score;
use crate::text::UnknownName;
use crate::threat::ThreatSets;

/// An accumulator that judges positions for a search.
pub trait Evaluator: Accumulator<Sets = ThreatSets, Config: Send> + Send {
    /// The evaluation for this color, which is to move.
    fn score(&self, sets: &ThreatSets, mover: Color) -> Score;

    /// How likely moves of this color on empty points are to be the best: the natural logarithm of the odds times 100, up
    /// to a constant of the position. What the moves share is computed once, before the first.
    fn move_priors(&self, sets: &ThreatSets, mover: Color) -> impl Fn(Point) -> i32;
}

/// The evaluators by their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive, parse_err_ty = UnknownName, parse_err_fn = unknown_evaluation)]
pub enum EvaluationName {
    /// [`Classical`].
    Classical,
    /// [`Network`], where there is one for the rule, else [`Classical`].
    #[default]
    Network,
    /// For a tree search one random game to its end, the moves drawn by the weighting in use. Every other search evaluates
    /// by [`Classical`].
    Rollout,
    /// The same, with the greatest weight of the weighting as the move.
    GreedyRollout,
}

impl EvaluationName {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Classical, Self::Network, Self::Rollout, Self::GreedyRollout];
}

/// The error for a name that no evaluation has.
fn unknown_evaluation(_: &str) -> UnknownName {
    UnknownName::of::<EvaluationName>("evaluation")
}

/// Which evaluation a search uses.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// The evaluator.
    pub name: EvaluationName,
    /// The networks that it may play by.
    pub available: &'static Networks,
}

impl Evaluation {
    /// The networks, where the evaluator is theirs and they have one for this rule.
    pub fn networks(self, rule: Rule) -> Option<&'static Networks> {
        let is_used = self.name == EvaluationName::Network && self.available.has(rule);
        is_used.then_some(self.available)
    }

    /// Whether the networks were given by name, and the one that plays under this rule is none of them.
    pub fn is_given_for_others(self, rule: Rule) -> bool {
        self.name == EvaluationName::Network && self.available.is_given_for_others(rule)
    }

    /// What tells the scores of one evaluation from those of another under a rule: 0 for the classical one, else the
    /// checksum of the network.
    pub fn checksum(self, rule: Rule) -> u64 {
        self.networks(rule).and_then(|networks| networks.checksum(rule)).unwrap_or(0)
    }
}

/// The built-in networks.
impl Default for Evaluation {
    fn default() -> Self {
        Self { name: EvaluationName::default(), available: Networks::built_in() }
    }
}

/// Equal where the networks are the same ones in memory.
impl PartialEq for Evaluation {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && std::ptr::eq(self.available, other.available)
    }
}

impl Eq for Evaluation {}
