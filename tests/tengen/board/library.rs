//! The library of the board: what pages look up, change, undo, import and save.

use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::{Page, Server, game};
use crate::tune::Folder;

/// A server with the library `a.library` in a new folder.
fn start() -> (Folder, Server) {
    let folder = Folder::new();
    let server = Server::start(&["--library", path(&folder).to_str().unwrap()]);
    (folder, server)
}

fn path(folder: &Folder) -> PathBuf {
    folder.0.join("a.library")
}

/// What the library knows of a position.
fn known(page: &mut Page, moves: &str) -> Value {
    known_of(page, &game("renju", moves))
}

fn known_of(page: &mut Page, game: &Value) -> Value {
    page.ask("view", json!({ "game": game, "library": true }))["library"].clone()
}

/// Makes a change that must succeed.
fn edit(page: &mut Page, moves: &str, change: &Value) -> Value {
    let answer = page.ask("edit", json!({ "game": game("renju", moves), "change": change }));
    assert_eq!(answer["kind"], "changed", "{answer}");
    answer
}

fn import(page: &mut Page, name: &str, bytes: &[u8]) -> Value {
    let data = BASE64.encode(bytes);
    page.ask("import", json!({ "name": name, "data": data, "rule": "renju", "size": 15 }))
}

/// What `tengen-library` prints.
fn command(words: &[&str], file: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen-library"));
    let output = command.arg(words[0]).arg(file).args(&words[1..]).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_change_is_known_in_every_orientation_and_stays_in_the_file() {
    let (folder, server) = start();
    let mut page = server.open();
    assert_eq!(page.ask("hello", json!({}))["library"], "a.library");
    let unknown = known(&mut page, "");
    assert_eq!((&unknown["position"], &unknown["positions"], &unknown["undo"]), (&Value::Null, &json!(0), &json!(0)));
    edit(&mut page, "7,7 8,6", &json!("add"));
    edit(&mut page, "7,7 8,6", &json!({ "result": { "winner": "black", "moves": 6 } }));
    edit(&mut page, "7,7 8,6", &json!({ "label": { "point": "9,5", "text": " A " } }));
    edit(&mut page, "7,7", &json!({ "comment": "two\r\nlines\n" }));
    let turned = known(&mut page, "7,7 6,8");
    assert_eq!(turned["position"]["result"], json!({ "winner": "black", "moves": 6, "origin": "claimed" }));
    assert_eq!(turned["position"]["marks"], json!([["5,9", "A"]]));
    let before = known(&mut page, "7,7");
    assert_eq!((&before["position"]["comment"], &before["positions"]), (&json!("two\nlines"), &json!(3)));
    let moves: Vec<_> = before["moves"].as_array().unwrap().iter().map(|known| &known["point"]).collect();
    assert_eq!(moves, [&json!("6,6"), &json!("8,6"), &json!("6,8"), &json!("8,8")]);
    assert!(before["moves"].as_array().unwrap().iter().all(|known| known["result"]["winner"] == "black"));
    // The winner makes six moves: the last one is the eleventh ply.
    drop((page, server));
    let printed = command(&["query", "h8", "i9"], &path(&folder));
    assert_eq!(printed, "black to move: wins in 11 plies (claimed)\n  j10 A\n");
}

#[test]
fn claims_name_the_winner_whoever_is_to_move() {
    let (_folder, server) = start();
    let mut page = server.open();
    for (moves, winner, plies) in [("7,7", "white", 11), ("7,7", "black", 12), ("", "white", 12), ("", "black", 11)] {
        edit(&mut page, moves, &json!({ "result": { "winner": winner, "moves": 6 } }));
        let position = known(&mut page, moves)["position"].clone();
        assert_eq!(position["claim"], json!({ "winner": winner, "moves": 6, "origin": "claimed" }), "{plies}");
        edit(&mut page, moves, &json!({ "result": null }));
        assert_eq!(known(&mut page, moves)["position"]["claim"], Value::Null);
    }
    edit(&mut page, "7,7", &json!({ "result": { "winner": "black" } }));
    let root = known(&mut page, "")["position"]["result"].clone();
    assert_eq!(root, json!({ "winner": "black", "moves": null, "origin": "claimed" }), "the result flows back");
    let answer = edit(&mut page, "", &json!({ "result": { "winner": "white", "moves": 3 } }));
    assert_eq!(answer["contradictions"], 1);
    assert_eq!(known(&mut page, "")["position"]["contradictory"], true);
}

#[test]
fn every_change_can_be_undone_in_turn_also_from_another_page() {
    let (_folder, server) = start();
    let mut page = server.open();
    let mut states = vec![known(&mut page, "7,7")];
    for number in 0..30 {
        let change = match number % 5 {
            0 => json!({ "comment": format!("comment {number}") }),
            1 => json!({ "label": { "point": "3,3", "text": number.to_string() } }),
            2 => json!({ "result": { "winner": "white", "moves": number } }),
            3 => json!("remove"),
            _ => json!("add"),
        };
        edit(&mut page, "7,7", &change);
        states.push(known(&mut page, "7,7"));
        assert_eq!(states[states.len() - 1]["undo"], number + 1);
    }
    let mut other = server.open();
    assert_eq!(known(&mut other, "7,7"), states[30]);
    for state in states.iter().rev().skip(1) {
        assert_eq!(other.ask("undo", json!({}))["kind"], "changed");
        assert_eq!(&known(&mut page, "7,7"), state);
    }
    let answer = other.ask("undo", json!({}));
    assert_eq!((&answer["kind"], &answer["error"]), (&json!("error"), &json!("nothing to undo")));
}

#[test]
fn a_library_of_renlib_is_imported_undone_and_imported_again() {
    let (folder, server) = start();
    let mut page = server.open();
    edit(&mut page, "7,7", &json!({ "comment": "own" }));
    // H8 with the children H9, which is labelled D, and G8, which has a comment.
    let file = b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x78\x00\
        \x68\xc1\x00\x01D\x00\x77\x48hello\x00";
    for _ in 0..2 {
        let answer = import(&mut page, "some.lib", file);
        assert_eq!((&answer["kind"], &answer["positions"]), (&json!("imported"), &json!(3)), "{answer}");
        let known_now = known(&mut page, "7,7");
        assert_eq!(known_now["position"]["comment"], "own");
        assert_eq!(known_now["moves"].as_array().unwrap().len(), 4, "{known_now}");
        assert!(known_now["position"]["marks"].as_array().unwrap().contains(&json!(["7,6", "D"])));
        assert_eq!(known(&mut page, "7,7 6,7")["position"]["comment"], "hello");
        let again = import(&mut page, "some.lib", file);
        assert_eq!(again["error"], "\"some.lib\": imported before: its games would count twice");
        page.ask("undo", json!({}));
        assert_eq!(known(&mut page, "7,7")["moves"], json!([]));
    }
    drop((page, server));
    assert!(command(&["check"], &path(&folder)).starts_with("2 positions, 0 faults"));
}

#[test]
fn a_file_keeps_its_rule_and_gets_that_of_the_game_if_it_states_none() {
    let (_folder, server) = start();
    let mut page = server.open();
    let moves = |rule: &str, page: &mut Page| known_of(page, &game(rule, ""))["moves"].as_array().map_or(0, Vec::len);
    let stated = import(&mut page, "a.sgf", b"(;GM[4]SZ[15]RU[standard]RE[B+];B[hh];W[ii])");
    assert_eq!((&stated["games"], moves("standard", &mut page)), (&json!(1), 1), "{stated}");
    let listed = import(&mut page, "a.txt", b"h8i9j10\n");
    assert_eq!((&listed["games"], moves("renju", &mut page)), (&json!(1), 1), "{listed}");
    assert_eq!(known_of(&mut page, &game("standard", "7,7"))["position"]["games"], json!([1, 0, 0]));
}

fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn an_archive_is_imported_whole_or_not_at_all() {
    let (_folder, server) = start();
    let mut page = server.open();
    let games =
        [("one.txt", &b"h8i9\n"[..]), ("read me", b"\0"), ("b/two.txt", b"h8i8\nh8i9j10\n"), ("copy.txt", b"h8i9\n")];
    let damaged = [&games[..], &[("three.txt", b"h8h8")]].concat();
    let answer = import(&mut page, "games.zip", &zip_of(&damaged));
    assert_eq!(answer["error"], "\"games.zip\": three.txt: line 1: move 2, h8: the point is occupied");
    assert_eq!(known(&mut page, "7,7")["positions"], 0);
    let answer = import(&mut page, "games.zip", &zip_of(&games));
    assert_eq!(
        (&answer["games"], &answer["notes"]),
        (
            &json!(3),
            &json!(["read me: skipped, a file of an unknown form", "copy.txt: skipped, a copy of an earlier file"])
        )
    );
    assert_eq!(known(&mut page, "7,7")["moves"].as_array().map(Vec::len), Some(8));
    let many: Vec<_> = (0..12).map(|number| format!("{number}.bin")).collect();
    let many: Vec<_> = many.iter().map(|name| (name.as_str(), &b"\0"[..])).collect();
    let notes = import(&mut page, "other.zip", &zip_of(&many))["notes"].as_array().unwrap().clone();
    assert_eq!((notes.len(), notes.last()), (11, Some(&json!("2 more"))));
}

#[test]
fn a_damaged_file_is_one_line_and_changes_nothing() {
    let (_folder, server) = start();
    let mut page = server.open();
    edit(&mut page, "7,7", &json!({ "comment": "own" }));
    let before = known(&mut page, "7,7");
    for (name, bytes) in [
        ("a.lib", &b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x78\x00\xf0\x00"[..]),
        ("a.db", b"\x09\0\0\0\x03\0\0\0\0\x14"),
        ("a.sgf", b"(;SZ[15];B[hh]"),
        ("a.bin", b"\0\x01\x02"),
        ("a.jsonl", b"{\"turn\":1,\"black\":2}"),
    ] {
        let answer = import(&mut page, name, bytes);
        let error = answer["error"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(error.starts_with(&format!("\"{name}\": ")) && !error.contains('\n'), "{error}");
    }
    let import = json!({ "name": "a.lib", "data": "%", "rule": "renju", "size": 15 });
    assert_eq!(page.ask("import", import)["kind"], "error");
    assert_eq!(known(&mut page, "7,7"), before);
}

#[test]
fn a_file_has_a_limit() {
    let (_folder, server) = start();
    let mut page = server.open();
    let most = page.ask("hello", json!({}))["limits"]["file"].as_u64().unwrap() as usize;
    let answer = import(&mut page, "a.lib", &vec![0; most + 1]);
    assert_eq!(answer["error"], "\"a.lib\": larger than 11 MiB: use tengen-library import");
    let long = format!("7,7{}", " ".repeat(100_000));
    let edit = page.ask("edit", json!({ "game": game("renju", &long), "change": "add" }));
    assert_eq!(edit["error"], "invalid message: longer than 64 KiB");
}

#[test]
fn what_is_saved_is_imported_into_another_library() {
    let (_folder, server) = start();
    let mut page = server.open();
    edit(&mut page, "7,7 8,6", &json!({ "comment": "kept" }));
    edit(&mut page, "7,7 8,6", &json!({ "label": { "point": "9,5", "text": "A" } }));
    let formats = page.ask("hello", json!({}))["formats"].clone();
    for format in formats.as_array().unwrap() {
        let format = format.as_str().unwrap();
        let saved = page.ask("export", json!({ "game": game("renju", ""), "format": format }));
        // A tree does not count the empty board.
        let positions = if ["lib", "sgf"].contains(&format) { 2 } else { 3 };
        assert_eq!((&saved["kind"], &saved["positions"]), (&json!("exported"), &json!(positions)), "{saved}");
        let bytes = BASE64.decode(saved["data"].as_str().unwrap()).unwrap();
        let (_other_folder, other) = start();
        let mut other = other.open();
        import(&mut other, &format!("a.{format}"), &bytes);
        let found = known(&mut other, "7,7 8,6")["position"].clone();
        assert_eq!((&found["comment"], &found["marks"]), (&json!("kept"), &json!([["9,5", "A"]])), "{format}");
    }
    let nothing = page.ask("export", json!({ "game": game("standard", ""), "format": "lib" }));
    assert_eq!(nothing["error"], "the library: no position of standard 15 × 15 can be saved so");
}

#[test]
fn a_search_is_kept_and_so_is_a_proof() {
    let (_folder, server) = start();
    let mut page = server.open();
    let who = json!({ "picker": ["search", "shapes"] });
    let think = |page: &mut Page, moves: &str, who: &Value| {
        let fields = json!({ "game": game("renju", moves), "who": who, "effort": { "nodes": 3000 }, "keep": true });
        page.ask("think", fields)
    };
    let searched = think(&mut page, "7,7 8,8", &who);
    assert_eq!((&searched["kind"], &searched["kept"]), (&json!("move"), &json!(true)), "{searched}");
    let position = known(&mut page, "7,7 8,8")["position"].clone();
    let chance = position["chance"].as_f64().unwrap();
    assert!((chance - searched["verdict"]["chance"].as_f64().unwrap()).abs() < 1e-6, "black is to move: {position}");
    assert_eq!(position["depth"], searched["why"]["choice"]["depth"]);
    assert!(position["source"].as_str().unwrap().starts_with("Tengen "));
    // Black makes a five at once.
    let won = "7,7 0,0 8,7 0,2 9,7 0,4 10,7 0,6";
    assert_eq!(think(&mut page, won, &who)["kept"], true);
    let result = known(&mut page, won)["position"]["result"].clone();
    assert_eq!(result, json!({ "winner": "black", "moves": 1, "origin": "proved" }));
    assert_eq!(think(&mut page, "7,7 8,8", &json!({ "picker": ["greedy", "shapes"] }))["kept"], false);
    page.ask("undo", json!({}));
    assert_eq!(known(&mut page, won)["position"], Value::Null);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let (_folder, server) = start();
    let mut page = server.open();
    let mut refused = |what: &str, fields: Value| {
        let answer = page.ask(what, fields);
        assert_eq!(answer["kind"], "error", "{answer}");
        answer["error"].as_str().unwrap().to_owned()
    };
    let mut edit = |game: Value, change: Value| refused("edit", json!({ "game": game, "change": change }));
    assert_eq!(edit(game("renju", "7,7"), json!("remove")), "the library does not know this position");
    let label = |point: &str, text: &str| json!({ "label": { "point": point, "text": text } });
    assert_eq!(edit(game("renju", ""), label("1,1", "thirteen char")), "a label is a line of at most 12 characters");
    assert_eq!(edit(game("renju", ""), label("1,1", "a\nb")), "a label is a line of at most 12 characters");
    assert_eq!(edit(game("renju", ""), label("15,1", "a")), "15,1 is not an empty point of the board");
    assert!(edit(game("renju", "7,7 7,7"), json!("add")).contains("move 2"));
    let walls = json!({ "size": 15, "rule": "renju", "moves": "7,7", "continuous": true });
    assert_eq!(edit(walls.clone(), json!("add")), "a library holds no continuous games");
    assert!(
        edit(game("renju", ""), json!({ "result": { "winner": "black", "moves": 0 } })).contains("invalid message")
    );
    assert_eq!(known_of(&mut page, &walls), Value::Null);
    assert_eq!(known(&mut page, "")["positions"], 0);
}

#[test]
fn a_board_without_a_library_says_so() {
    let server = Server::start(&[]);
    let mut page = server.open();
    assert_eq!(page.ask("hello", json!({}))["library"], Value::Null);
    assert_eq!(page.ask("view", json!({ "game": game("renju", "") }))["library"], Value::Null);
    let without = "the board has no library: start it with --library FILE";
    assert_eq!(page.ask("view", json!({ "game": game("renju", ""), "library": true }))["error"], without);
    assert_eq!(page.ask("undo", json!({}))["error"], without);
    assert_eq!(import(&mut page, "a.lib", b"")["error"], without);
}

#[test]
fn a_library_that_cannot_be_opened_ends_the_board_with_one_line() {
    let (folder, _server) = start();
    std::fs::write(folder.0.join("b.library"), "no library").unwrap();
    for (name, reason) in [("a.library", "process"), ("b.library", "not a library"), ("missing/c.library", "")] {
        let file = folder.0.join(name);
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen-board"));
        let output = command.args(["--listen", "127.0.0.1:0", "--library"]).arg(&file).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{error}");
        let last = error.lines().last().unwrap();
        assert!(last.starts_with("tengen-board: ") && last.contains(name) && last.contains(reason), "{error}");
    }
}
