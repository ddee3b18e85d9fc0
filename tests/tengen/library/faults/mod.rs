//! Libraries after faults: kills, flipped bits, damaged sources, full disks and files that refuse.

mod bits;
mod kills;
#[cfg(unix)]
mod refusals;
mod sources;

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Output};

use tengen::library::{Entry, Library, PositionKey};

use crate::arena::held_by;
use crate::tune::Folder;

pub(super) const LIBRARY: &str = env!("CARGO_BIN_EXE_tengen-library");

/// Runs `tengen-library` in a folder.
pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(LIBRARY).args(arguments).current_dir(folder).output().unwrap()
}

/// Runs `tengen-library` and returns what it prints. Panics if it fails.
pub(crate) fn run_well(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The error of a command that must fail with exit status 1 and one line.
fn one_error(output: &Output, what: &str) -> String {
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{what}: {error}");
    assert!(error.starts_with("tengen-library: ") && error.ends_with('\n'), "{what}: {error}");
    assert_eq!(error.lines().count(), 1, "{what}: {error}");
    error
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

/// The entries of the library in a file, which must be whole.
fn whole_entries(path: &Path) -> BTreeMap<PositionKey, Entry> {
    let mut library = Library::open(path).unwrap();
    assert_eq!(library.view().unwrap().check().unwrap().faults, []);
    let found = entries(&library).unwrap();
    library.check_pages().unwrap();
    found
}

#[test]
fn files_that_are_no_libraries_are_one_line() {
    let folder = Folder::new();
    fs::write(folder.0.join("empty"), "").unwrap();
    fs::write(folder.0.join("text"), "x".repeat(10_000)).unwrap();
    run_well(&folder.0, &["create", "a.library"]);
    let held = Library::open(&folder.0.join("a.library")).unwrap();
    for file in ["missing", "empty", "text", ".", "a.library"] {
        let error = one_error(&run(&folder.0, &["info", file]), file);
        assert!(error.starts_with(&format!("tengen-library: {file}: ")), "{error}");
    }
    for arguments in [&["edit", "a.library", "h8", "--rule", "renju", "--win"][..], &["backup", "a.library", "b"]] {
        let error = one_error(&run(&folder.0, arguments), "a library that another process holds");
        assert!(error.contains(&held_by(std::process::id())), "{error}");
    }
    drop(held);
    run_well(&folder.0, &["info", "a.library"]);
    let output = run(&folder.0, &["create", "a.library"]);
    assert!(!output.status.success(), "an existing library is not replaced");
}
