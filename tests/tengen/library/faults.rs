//! Libraries after kills, flipped bits and wrong files.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use tengen::board::{Rule, Size};
use tengen::library::{Cursor, Entry, Library, PositionKey};
use tengen::rng::Rng;

use crate::tune::Folder;

const LIBRARY: &str = env!("CARGO_BIN_EXE_tengen-library");

/// Runs `tengen-library` in a folder.
pub(super) fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(LIBRARY).args(arguments).current_dir(folder).output().unwrap()
}

/// Runs `tengen-library` and returns what it prints. Panics if it fails.
pub(super) fn run_well(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The entries of a library, or the error of the first one that cannot be read.
fn entries(library: &Library) -> Result<BTreeMap<PositionKey, Entry>, String> {
    let view = library.view().map_err(|error| error.to_string())?;
    let mut entries = BTreeMap::new();
    for (rule, size) in view.games().map_err(|error| error.to_string())? {
        view.scan(rule, size, &mut |key, entry| {
            entries.insert(key, entry);
            ControlFlow::Continue(())
        })
        .map_err(|error| error.to_string())?;
    }
    Ok(entries)
}

/// A library with comments, results and scores.
fn sample(path: &Path) -> Library {
    let library = Library::create(path).unwrap();
    let mut edit = library.edit().unwrap();
    let mut rng = Rng::new(1);
    for number in 0..300 {
        let mut cursor = Cursor::new(Rule::Renju, Size::FIFTEEN);
        for _ in 0..rng.below(12) {
            let point = Size::FIFTEEN.points().nth(rng.below(225)).unwrap();
            if cursor.is_empty(point) {
                cursor.play(Some(point));
                edit.update(&cursor, &mut |record, _| record.comment = format!("position {number}")).unwrap();
            }
        }
    }
    edit.commit().unwrap();
    library
}

#[test]
fn a_flipped_bit_is_named_or_harmless() {
    let folder = Folder::new();
    let path = folder.0.join("a.library");
    let expected = entries(&sample(&path)).unwrap();
    let bytes = fs::read(&path).unwrap();
    // Most of the file of a small library is empty or no longer used: half of the flips are in and after comments.
    let texts = bytes.windows(9).enumerate().filter(|(_, text)| text == b"position ").map(|(place, _)| place);
    let used: Vec<_> = texts.flat_map(|place| place - 40..place + 60).collect();
    let mut rng = Rng::new(2);
    let mut named = 0;
    for flip in 0..200 {
        let mut flipped = bytes.clone();
        let place = if flip % 2 == 0 { used[rng.below(used.len())] } else { rng.below(bytes.len()) };
        flipped[place] ^= 1 << rng.below(8);
        fs::write(&path, &flipped).unwrap();
        // The database is asked as the program asks it; a panic of the library itself would end the test.
        let found = catch_unwind(AssertUnwindSafe(|| {
            let mut library = Library::open(&path).map_err(|error| error.to_string())?;
            let found = entries(&library)?;
            let checked = library.check_pages().map_err(|error| error.to_string());
            if found.len() < expected.len() { checked.map(|()| found) } else { Ok(found) }
        }));
        match found.unwrap_or_else(|_| panic!("bit flipped in byte {place}: a panic")) {
            Err(_) => named += 1,
            Ok(found) => assert_eq!(found, expected, "bit flipped in byte {place}"),
        }
    }
    assert!(named > 10, "{named} of 200");
}

/// Kills expansions at random moments. After each kill the library is whole and holds what it held before.
fn kill_expansions(kills: usize) {
    let folder = Folder::new();
    run_well(&folder.0, &["create", "a.library"]);
    let mut rng = Rng::new(3);
    let mut known = 0;
    for _ in 0..kills {
        let arguments = ["expand", "a.library", "h8", "--rule", "renju", "--nodes", "20", "--plies", "40"];
        let mut command = Command::new(LIBRARY);
        let command = command.args(arguments).current_dir(&folder.0).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_millis(rng.below(1_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let library = Library::open(&folder.0.join("a.library")).unwrap();
        let checked = library.view().unwrap().check().unwrap();
        assert_eq!(checked.faults, []);
        assert!(checked.positions >= known, "{} positions after {known}", checked.positions);
        known = checked.positions;
    }
    assert!(known > 1, "{known} positions after {kills} kills: did an expansion commit?");
    run_well(&folder.0, &["check", "a.library"]);
}

#[test]
fn a_killed_expansion_loses_nothing_that_was_committed() {
    kill_expansions(15);
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_killed_expansions_lose_nothing_that_was_committed() {
    kill_expansions(200);
}

#[test]
fn files_that_are_no_libraries_are_one_line() {
    let folder = Folder::new();
    fs::write(folder.0.join("empty"), "").unwrap();
    fs::write(folder.0.join("text"), "x".repeat(10_000)).unwrap();
    run_well(&folder.0, &["create", "a.library"]);
    let held = Library::open(&folder.0.join("a.library")).unwrap();
    for file in ["missing", "empty", "text", ".", "a.library"] {
        let output = run(&folder.0, &["info", file]);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && output.stdout.is_empty(), "{file}");
        assert!(error.starts_with(&format!("tengen-library: {file}: ")), "{error}");
        assert_eq!(error.trim_end().lines().count(), 1, "{error}");
    }
    let error = String::from_utf8(run(&folder.0, &["info", "a.library"]).stderr).unwrap();
    if cfg!(target_os = "linux") {
        assert!(error.contains(&format!("process {} writes to it", std::process::id())), "{error}");
    }
    drop(held);
    run_well(&folder.0, &["info", "a.library"]);
    let output = run(&folder.0, &["create", "a.library"]);
    assert!(!output.status.success(), "an existing library is not replaced");
}
