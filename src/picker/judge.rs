//! [`JudgeName`] and [`Evaluation`]: what a search judges positions by.

use std::fmt;
use std::str::FromStr;

use strum::{Display, EnumString, VariantNames};

use super::PickerName;
use crate::board::Rule;
use crate::eval::{EvaluationName, Networks};
use crate::text::UnknownName;

/// What judges the leaves of a search: the value of `--evaluation` and `INFO evaluation`.
///
/// ```
/// use tengen::eval::EvaluationName;
/// use tengen::picker::{JudgeName, RolloutPolicy};
///
/// assert_eq!("classical".parse(), Ok(JudgeName::Evaluation(EvaluationName::Classical)));
/// assert_eq!("greedy-rollout".parse(), Ok(JudgeName::Rollout(RolloutPolicy::Greedy)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgeName {
    /// An evaluation. Every search has these.
    Evaluation(EvaluationName),
    /// A game played to its end. Only the tree search has these.
    Rollout(RolloutPolicy),
}

/// How the moves of a rollout are chosen where no five or four decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(ascii_case_insensitive)]
pub enum RolloutPolicy {
    /// At random, with a chance in proportion to the weight.
    #[strum(serialize = "rollout")]
    Drawn,
    /// The greatest weight, as the greedy picker plays.
    #[strum(serialize = "greedy-rollout")]
    Greedy,
}

impl JudgeName {
    /// The evaluation of a search without rollouts: it replaces a rollout by the classical evaluation.
    pub const fn evaluation(self) -> EvaluationName {
        match self {
            Self::Evaluation(name) => name,
            Self::Rollout(_) => EvaluationName::Classical,
        }
    }
}

impl Default for JudgeName {
    fn default() -> Self {
        EvaluationName::default().into()
    }
}

impl From<EvaluationName> for JudgeName {
    fn from(name: EvaluationName) -> Self {
        Self::Evaluation(name)
    }
}

impl From<RolloutPolicy> for JudgeName {
    fn from(policy: RolloutPolicy) -> Self {
        Self::Rollout(policy)
    }
}

impl fmt::Display for JudgeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Evaluation(name) => name.fmt(f),
            Self::Rollout(policy) => policy.fmt(f),
        }
    }
}

impl VariantNames for JudgeName {
    const VARIANTS: &'static [&'static str] = &{
        let [classical, network] = *EvaluationName::VARIANTS.first_chunk().unwrap();
        let [rollout, greedy_rollout] = *RolloutPolicy::VARIANTS.first_chunk().unwrap();
        [classical, network, rollout, greedy_rollout]
    };
}

impl FromStr for JudgeName {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let evaluation = text.parse().map(Self::Evaluation);
        evaluation.or_else(|_| text.parse().map(Self::Rollout)).map_err(|_| UnknownName::of::<Self>("evaluation"))
    }
}

/// What a search judges positions by: the judge, and the networks that it may use.
#[derive(Clone, Copy, Debug)]
pub struct Evaluation {
    /// The judge.
    pub name: JudgeName,
    /// The networks, at most one for each rule.
    pub available: &'static Networks,
}

impl Evaluation {
    /// The networks, if the judge is a network and there is one for this rule.
    pub fn networks(self, rule: Rule) -> Option<&'static Networks> {
        let is_used = self.name.evaluation() == EvaluationName::Network && self.available.has(rule);
        is_used.then_some(self.available)
    }

    /// Whether networks were given by name, and none of them is for this rule.
    pub fn is_given_for_others(self, rule: Rule) -> bool {
        self.name.evaluation() == EvaluationName::Network && self.available.is_given_for_others(rule)
    }

    /// Identifies the evaluation under a rule, because scores of different evaluations do not compare: the checksum of
    /// the network, or 0 for the classical evaluation.
    pub fn checksum(self, rule: Rule) -> u64 {
        self.networks(rule).and_then(|networks| networks.checksum(rule)).unwrap_or(0)
    }

    /// A note for the user where this picker replaces the judge by another.
    pub fn note(self, picker: PickerName) -> Option<String> {
        let (JudgeName::Rollout(policy), PickerName::Search) = (self.name, picker) else { return None };
        let (needed, used) = (PickerName::Mcts, self.name.evaluation());
        Some(format!("evaluation {policy} needs picker {needed}; picker {picker} uses {used}"))
    }
}

/// The built-in networks.
impl Default for Evaluation {
    fn default() -> Self {
        Self { name: JudgeName::default(), available: Networks::built_in() }
    }
}

/// Networks are equal if they are the same object.
impl PartialEq for Evaluation {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && std::ptr::eq(self.available, other.available)
    }
}

impl Eq for Evaluation {}
