//! The bench plays the same games in every build.

use std::time::Duration;

use tengen::bench::{self, Extent, Measurement, Row, Signature};
use tengen::board::{Rule, Size};
use tengen::picker::PickerName;

/// A change of this line belongs into the commit that changes a move, and its message says why.
const GREEDY: &str = "f243b1085b20528a";

/// Nodes and scores of the search: changes with every functional change of the search or of the evaluation.
const SEARCH: &str = "183f3820fdd1d2e5";

#[test]
fn the_signature_is_the_pinned_one() {
    for (picker, pinned) in [(PickerName::Greedy, GREEDY), (PickerName::Search, SEARCH)] {
        let measurement = bench::run(picker, Extent::Short);
        assert_eq!(measurement.signature().to_string(), pinned, "{picker}\n{measurement}");
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
