//! `expand`: what it searches, and when it ends.

use tengen::board::{Rule, Size};
use tengen::library::{Cursor, Library};
use tengen::notation::Letters;

use super::faults::{run, run_well};
use crate::tune::Folder;

#[test]
fn an_expansion_ends_when_every_legal_move_is_known() {
    let folder = Folder::new();
    let folder = &folder.0;
    run_well(folder, &["create", "a.library"]);
    let arguments = ["expand", "a.library", "--rule", "freestyle", "--size", "5", "--plies", "1", "--nodes", "1"];
    let output = run(folder, &arguments);
    let report = String::from_utf8(output.stderr).unwrap();
    // The first moves of a board of five points a side, without their images.
    assert!(output.status.success() && report.starts_with("6 searches, 6 new positions"), "{report}");
    assert!(String::from_utf8(run(folder, &arguments).stderr).unwrap().starts_with("0 searches"));
}

#[test]
fn a_loss_that_rests_on_a_claim_is_not_stored() {
    let folder = Folder::new();
    let folder = &folder.0;
    // Black has four stones in a row that are open at one end: g8 is the only defence.
    let four = ["h8", "a1", "i8", "a3", "j8", "l8", "k8"];
    run_well(folder, &["create", "a.library"]);
    run_well(folder, &[&["edit", "a.library", "--rule", "freestyle"], &four[..], &["g8", "--win", "9"]].concat());
    run_well(folder, &[&["expand", "a.library"], &four[..], &["--searches", "1"]].concat());
    let known = run_well(folder, &[&["query", "a.library"], &four[..]].concat());
    assert!(known.starts_with("white to move: known\n"), "a loss would stay when the claim is taken back: {known}");
}

/// Black to move: h8 would be a double three.
const BEFORE_FOUL: [&str; 8] = ["g8", "a1", "i8", "a3", "h9", "a5", "h7", "a7"];

#[test]
fn an_expansion_leaves_forbidden_moves_and_settled_positions_alone() {
    let folder = Folder::new();
    let folder = &folder.0;
    run_well(folder, &["create", "a.library"]);
    let at = |moves: &[&str], change: &[&str]| {
        run_well(folder, &[&["edit", "a.library", "--rule", "renju"], &BEFORE_FOUL[..], moves, change].concat());
    };
    at(&["h8"], &["--comment", "forbidden"]);
    at(&["o1"], &["--win", "9"]);
    let expand = [&["expand", "a.library", "--rule", "renju"], &BEFORE_FOUL[..]].concat();
    run_well(folder, &[&expand[..], &["--searches", "40", "--nodes", "1"]].concat());
    let library = Library::open(&folder.join("a.library")).unwrap();
    let view = library.view().unwrap();
    let entry = |moves: &[&str]| {
        let mut cursor = Cursor::new(Rule::Renju, Size::FIFTEEN);
        let points = BEFORE_FOUL.iter().chain(moves).map(|name| Letters::new(Size::FIFTEEN).parse(name).unwrap());
        points.for_each(|point| cursor.play(Some(point)));
        view.entry(&cursor).unwrap().unwrap()
    };
    assert!(entry(&[]).moves.len() > 3);
    for last in ["h8", "o1"] {
        assert!(entry(&[last]).moves.is_empty() && entry(&[last]).record.search.is_none(), "{last}");
    }
}
