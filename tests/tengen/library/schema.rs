//! Libraries of other versions of the program.

use std::path::Path;

use tengen::library::store::{self, Row, Store, Table};
use tengen::library::{Library, LibraryError, Source};

use super::faults::{run, run_well};
use crate::tune::Folder;

fn put(path: &Path, is_new: bool, table: Table, rows: Vec<Row>) {
    let store = if is_new { store::create(path) } else { store::open(path) }.unwrap();
    let mut change = store.write().unwrap();
    change.put_all(table, &mut rows.into_iter()).unwrap();
    change.commit().unwrap();
}

fn version(number: u32) -> Row {
    (b"schema".to_vec(), Some(number.to_le_bytes().to_vec()))
}

#[test]
fn the_learnt_games_of_schema_1_are_those_of_a_source() {
    let folder = Folder::new();
    let path = folder.0.join("a.library");
    let heading = r#"{"format":2,"match":{"rule":"renju","size":"15"}}"#;
    let game = |number: usize| {
        format!(
            r#"{{"game":"0-1.{number}a","black":"a","white":"b","winner":"black","end":"row","detail":"","opening":"7,7","moves":"7,6 8,8","times":[1,1],"said":[],"wall":2}}"#
        )
    };
    let checksum = tengen::fnv::Fnv1a::of(heading.as_bytes());
    let learnt = (format!("learnt {checksum:016x}").into_bytes(), Some(1_u64.to_le_bytes().to_vec()));
    put(&path, true, Table::Properties, vec![version(1), learnt]);
    // A name of one letter, and no checksum.
    put(&path, false, Table::Sources, vec![(3_u32.to_be_bytes().to_vec(), Some(vec![1, b'x', 0]))]);
    let library = Library::open(&path).unwrap();
    let sources: Vec<_> = library.view().unwrap().sources().unwrap();
    assert_eq!(sources[0].1, Source { name: "x".to_owned(), checksum: None });
    assert_eq!((sources.len(), sources[1].1.checksum), (2, Some(checksum)));
    drop(library);
    std::fs::write(folder.0.join("record.jsonl"), format!("{heading}\n{}\n{}\n", game(0), game(1))).unwrap();
    run_well(&folder.0, &["learn", "a.library", "record.jsonl"]);
    let known = run_well(&folder.0, &["query", "a.library", "h8"]);
    assert!(known.starts_with("white to move: 1 games: "), "{known}");
}

#[test]
fn a_newer_library_and_a_foreign_database_are_refused_and_an_unfinished_one_is_finished() {
    let folder = Folder::new();
    let open = |name: &str, row: Option<Row>| {
        let path = folder.0.join(name);
        put(&path, true, Table::Properties, row.into_iter().collect());
        Library::open(&path).map(|library| library.view().unwrap().len().unwrap())
    };
    assert!(matches!(open("newer", Some(version(99))), Err(LibraryError::Newer(99))));
    let output = run(&folder.0, &["info", "newer"]);
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("tengen-library: newer: written by a newer version: schema 99, "), "{error}");
    assert!(matches!(open("zero", Some(version(0))), Err(LibraryError::NotALibrary)));
    assert!(matches!(open("foreign", Some((b"x".to_vec(), Some(vec![1])))), Err(LibraryError::NotALibrary)));
    // The file of a creation that was killed before it wrote the version.
    assert_eq!(open("unfinished", None).unwrap(), 0);
    run_well(&folder.0, &["info", "unfinished"]);
}
