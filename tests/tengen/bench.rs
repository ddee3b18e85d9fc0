//! The bench plays the same games in every build.

use std::time::Duration;

use tengen::bench::{self, Extent, Measurement, Row, Signature};
use tengen::board::{Rule, Size};
use tengen::picker::{Evaluation, JudgeName, PickerName};

/// The moves of the greedy picker. A commit that changes this line changes a move, and explains why.
const GREEDY: &str = "e56a15a26ee466e1";

/// Nodes and scores of the alpha-beta search.
const SEARCH: &str = "7efffe4179425548";

/// Nodes and scores of the alpha-beta search with the classical evaluation.
const CLASSICAL: &str = "621ec00c32b212cd";

/// Playouts and scores of the tree search.
const MCTS: &str = "535683c64cac1f6e";

/// Playouts and scores of the tree search with rollouts, which depend on every rollout move.
const ROLLOUTS: &str = "5fd8fc20108f6886";

/// The moves of the greatest prior.
const POLICY: &str = "628d49567741c4c8";

#[test]
fn the_signature_is_the_pinned_one() {
    let classical = Evaluation { name: JudgeName::Classical, ..Evaluation::default() };
    let rollouts = Evaluation { name: JudgeName::Rollout, ..Evaluation::default() };
    for (picker, evaluation, pinned) in [
        (PickerName::Greedy, Evaluation::default(), GREEDY),
        (PickerName::Search, Evaluation::default(), SEARCH),
        (PickerName::Search, classical, CLASSICAL),
        (PickerName::Mcts, Evaluation::default(), MCTS),
        (PickerName::Mcts, rollouts, ROLLOUTS),
        (PickerName::Policy, Evaluation::default(), POLICY),
    ] {
        let measurement = bench::run(picker, Extent::Short, evaluation);
        assert_eq!(measurement.signature().to_string(), pinned, "{picker} {}\n{measurement}", evaluation.name);
    }
}

#[test]
fn the_last_line_is_the_one_that_test_frameworks_read() {
    let row = |nodes| Row {
        rule: Rule::Freestyle,
        size: Size::FIFTEEN,
        signature: Signature::default(),
        nodes,
        time: Duration::from_millis(500),
    };
    let measurement = Measurement { rows: vec![row(1000), row(500)] };
    assert_eq!(measurement.to_string().lines().last(), Some("1500 nodes 1500 nps"));
}
