//! [`JudgeName`] and [`Evaluation`]: what a search judges positions by.

use strum::{Display, EnumString, VariantNames};

use super::PickerName;
use crate::board::Rule;
use crate::eval::Networks;
use crate::text::UnknownName;

/// The judge of the leaves of a search, as options name it. Every search supports the first two.
/// Rollouts are the tree search's; alpha-beta replaces them by the classical evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", ascii_case_insensitive, parse_err_ty = UnknownName, parse_err_fn = unknown_judge)]
pub enum JudgeName {
    /// [`Classical`](crate::eval::Classical).
    Classical,
    /// [`Network`](crate::eval::Network) under a rule that has one, else the classical evaluation.
    #[default]
    Network,
    /// One game to its end, with moves drawn in proportion to their weights.
    Rollout,
    /// One game to its end, with the moves of the greedy picker.
    GreedyRollout,
}

fn unknown_judge(_: &str) -> UnknownName {
    UnknownName::of::<JudgeName>("evaluation")
}

/// The evaluation of a search: the judge, and the networks that it may use.
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
        let is_used = self.name == JudgeName::Network && self.available.has(rule);
        is_used.then_some(self.available)
    }

    /// Whether the judge is a network and networks were given, but only for other rules.
    pub fn is_given_only_for_other_rules(self, rule: Rule) -> bool {
        self.name == JudgeName::Network && self.available.is_given_only_for_other_rules(rule)
    }

    /// Identifies the evaluation under a rule, because scores of different evaluations do not compare: the checksum of
    /// the network, or 0 for the classical evaluation.
    pub fn checksum(self, rule: Rule) -> u64 {
        self.networks(rule).and_then(|networks| networks.checksum(rule)).unwrap_or(0)
    }

    /// A note for the user if this picker replaces the judge by another.
    pub fn note(self, picker: PickerName) -> Option<String> {
        let is_replaced = matches!(self.name, JudgeName::Rollout | JudgeName::GreedyRollout)
            && matches!(picker, PickerName::Search | PickerName::Policy);
        let (name, mcts, classical) = (self.name, PickerName::Mcts, JudgeName::Classical);
        is_replaced.then(|| format!("evaluation {name} needs picker {mcts}; picker {picker} uses {classical}"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_beta_says_that_it_has_no_rollouts() {
        let note =
            |name: &str, picker| Evaluation { name: name.parse().unwrap(), ..Evaluation::default() }.note(picker);
        let expected = "evaluation greedy-rollout needs picker mcts; picker search uses classical";
        assert_eq!(note("Greedy-Rollout", PickerName::Search).as_deref(), Some(expected));
        assert_eq!(note("rollout", PickerName::Mcts), None);
        assert_eq!(note("network", PickerName::Search), None);
        assert!(note("rollout", PickerName::Policy).is_some_and(|note| note.contains("picker policy uses classical")));
    }
}
