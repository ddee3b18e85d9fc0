//! Libraries of other versions of the program.

use std::ops::ControlFlow;
use std::path::Path;

use tengen::library::store::{self, Row, Store, Table};
use tengen::library::{Entry, Library, LibraryError, PositionKey, Proof, ProofOrigin, Source};

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
fn what_follows_from_a_claim_was_derived_in_schema_2() {
    let folder = Folder::new();
    let path = folder.0.join("a.library");
    run_well(&folder.0, &["create", "a.library"]);
    run_well(&folder.0, &["edit", "a.library", "--rule", "renju", "h8", "i9", "--loss", "4"]);
    run_well(&folder.0, &["edit", "a.library", "h8", "j9", "--comment", "a proof of claims"]);
    run_well(&folder.0, &["edit", "a.library", "h8", "j9", "k10", "--win", "3"]);
    run_well(&folder.0, &["edit", "a.library", "a1", "--comment", "damaged"]);
    let first_line = |moves: &[&str]| {
        let known = run_well(&folder.0, &[&["query", "a.library"], moves].concat());
        known.lines().next().unwrap().to_owned()
    };
    assert_eq!(first_line(&["h8"]), "white to move: wins in 5 plies (claimed)");
    // The same library as schema 2 wrote it.
    let mut rows = Vec::new();
    let store = store::open(&path).unwrap();
    let visit = &mut |key: &[u8], value: &[u8]| {
        let key = PositionKey::from_bytes(key.try_into().unwrap());
        let mut entry = Entry::from_bytes(value, &key).unwrap();
        if let Some(derived) = &mut entry.record.derived {
            derived.origin = ProofOrigin::Derived;
        }
        let mut bytes = entry.to_bytes(&key);
        match entry.record.comment.as_str() {
            "a proof of claims" => {
                let proof = Proof { is_win: false, plies: Some(4), origin: ProofOrigin::Proved };
                entry.record.proof = Some(proof);
                bytes = entry.to_bytes(&key);
            }
            "damaged" => bytes.truncate(bytes.len() / 2),
            _ => {}
        }
        rows.push((key.as_bytes().to_vec(), Some(bytes)));
        ControlFlow::Continue(())
    };
    store.read().unwrap().scan(Table::Positions, &[], visit).unwrap();
    drop(store);
    put(&path, false, Table::Positions, rows);
    assert_eq!(first_line(&["h8"]), "white to move: wins in 5 plies (derived)");
    assert_eq!(first_line(&["h8", "j9"]), "black to move: loses in 4 plies (proved)");
    // The row of a file, whose games schema 2 did not count.
    let file = [&[9], &b"games.txt"[..], &[1, 7, 0]].concat();
    let games = (9_u32.to_be_bytes().to_vec(), Some(file));
    put(&path, false, Table::Sources, vec![games.clone()]);
    put(&path, false, Table::Properties, vec![version(2)]);
    assert_eq!(first_line(&["h8"]), "white to move: wins in 5 plies (claimed)");
    assert_eq!(first_line(&["h8", "j9"]), "black to move: loses in 4 plies (claimed)");
    let error = |arguments| String::from_utf8(run(&folder.0, arguments).stderr).unwrap();
    let checked = run(&folder.0, &["check", "a.library"]);
    let checked = (checked.status.success(), String::from_utf8(checked.stdout).unwrap());
    assert!(!checked.0 && checked.1.contains(": its entry is damaged\n"), "an entry that cannot be read stays");
    assert!(checked.1.ends_with("6 positions, 1 faults, 0 contradictions between sources\n"), "{}", checked.1);
    run_well(&folder.0, &["create", "b.library"]);
    put(&folder.0.join("b.library"), false, Table::Sources, vec![games]);
    assert!(error(&["merge", "b.library", "a.library"]).contains("games.txt: its games would count twice"));
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
