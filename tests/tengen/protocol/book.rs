//! A book in the protocol: INFO book, arguments, the file of settings, and the answers.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use tengen::board::{Rule, Size};
use tengen::library::{ImportConfig, Library, Proof, ProofOrigin, Record, learn};

use super::engine::{Engine, Program, both};
use crate::library::book::{result, searched, write_book};
use crate::tune::Folder;

/// A folder with a book of renju, whose name holds blanks.
struct Books(Folder);

/// A win for black after h8 i9, and three near-equal answers to h8.
fn positions() -> Vec<(&'static str, Record)> {
    vec![("h8i9j10", result(false, 10)), ("h8h9", searched(-10)), ("h8i10", searched(-12)), ("h8h10", searched(-8))]
}

impl Books {
    fn new() -> Self {
        let books = Self(Folder::new());
        write_book(books.0.0.join("a book, of renju.book").as_path(), Rule::Renju, &positions());
        books
    }

    fn path(&self) -> String {
        self.0.0.join("a book, of renju.book").display().to_string()
    }
}

/// Runs an engine in a folder, and returns what it prints.
fn run(program: Program, folder: &Folder, arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(program.path());
    command.args(arguments).env_remove("RUST_LOG").current_dir(&folder.0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // An engine that refuses its arguments does not read.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

const WIN: &str = "BOARD\n7,7,1\n8,6,2\nDONE";

#[test]
fn a_path_may_hold_blanks_and_off_or_nothing_ends_the_book() {
    both(|program| {
        let books = Books::new();
        let mut engine = Engine::spawn_with(program, &[]);
        engine.expect("START 15\nINFO rule 4\nINFO max_node 100", "OK");
        for off in ["off", "", "OFF"] {
            engine.send(&format!("INFO book {}", books.path()));
            engine.expect(WIN, "MESSAGE book ev +M11 moves 1 pv j10");
            assert_eq!(engine.line(), "9,5");
            engine.send(&format!("INFO book {off}\nINFO show_detail 0"));
            assert_ne!(engine.ask(WIN), "9,5");
            engine.send("INFO show_detail 1");
        }
        engine.end();
    });
}

#[test]
fn a_file_that_is_no_book_is_reported_and_the_book_in_play_stays() {
    both(|program| {
        let books = Books::new();
        let folder = &books.0.0;
        let mut damaged = fs::read(books.path()).unwrap();
        *damaged.last_mut().unwrap() ^= 1;
        fs::write(folder.join("damaged"), damaged).unwrap();
        fs::write(folder.join("other"), "a text").unwrap();
        let mut engine = Engine::spawn_with(program, &["--book", &books.path()]);
        engine.expect("START 15\nINFO rule 4\nINFO timeout_turn 1000", "OK");
        for (name, error) in [
            ("damaged", "it is damaged"),
            ("other", "it is not a book"),
            ("missing", "No such file or directory (os error 2)"),
            ("", "not a regular file"),
        ] {
            let path = folder.join(name).display().to_string();
            engine.send(&format!("INFO book {path}"));
            engine.expect(WIN, &format!("MESSAGE cannot read the book {path}: {error}"));
            assert_eq!(engine.line(), "MESSAGE book ev +M11 moves 1 pv j10");
            assert_eq!(engine.line(), "9,5");
        }
        engine.end();
    });
}

#[test]
fn an_argument_or_a_file_of_settings_names_a_book() {
    let books = Books::new();
    let input = format!("START 15\nINFO rule 4\n{WIN}\n");
    for program in [Program::Greedy, Program::Search] {
        let output = run(program, &books.0, &["--book", "a book, of renju.book"], &input);
        assert!(String::from_utf8(output.stdout).unwrap().ends_with("\n9,5\n"));
        for arguments in [&["--book", "missing"][..], &["explain", "h8", "--book", "missing"], &["--book=missing"]] {
            let output = run(program, &books.0, arguments, &input);
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?} {error}");
            assert!(error.contains(": cannot read the book missing: ") && error.lines().count() == 1, "{error}");
        }
        let explained =
            run(program, &books.0, &["explain", "h8", "i9", "--rule", "renju", "--book", &books.path()], "");
        let explained = String::from_utf8(explained.stdout).unwrap();
        assert!(explained.contains("* black plays j10 (9,5): the book: a win in 11 plies\n"), "{explained}");
    }
}

#[test]
fn a_book_of_another_rule_or_size_is_silent() {
    let books = Books::new();
    for start in ["START 15\nINFO rule 0", "START 20\nINFO rule 4"] {
        let input = format!("{start}\nINFO max_node 100\n{WIN}\n");
        let with = run(Program::Search, &books.0, &["--book", &books.path()], &input);
        let without = run(Program::Search, &books.0, &[], &input);
        let last = |output: Output| String::from_utf8(output.stdout).unwrap().lines().last().unwrap().to_owned();
        assert_eq!(last(with), last(without), "{start}");
    }
}

#[test]
fn draws_differ_from_game_to_game_and_repeat_in_another_run() {
    let books = Books::new();
    let games = "START 15\nINFO rule 4\n".to_owned() + &"TURN 7,7\nRESTART\n".repeat(40);
    let answers = |seed: &str| {
        let input = format!("INFO book_seed {seed}\nINFO show_detail 0\n{games}");
        let output = run(Program::Search, &books.0, &["--book", &books.path()], &input);
        let output = String::from_utf8(output.stdout).unwrap();
        output.lines().filter(|line| *line != "OK").map(str::to_owned).collect::<Vec<_>>()
    };
    let first = answers("1");
    assert_eq!((first.len(), answers("1") == first, answers("2") == first), (40, true, false));
    let distinct: std::collections::BTreeSet<_> = first.iter().collect();
    // h9 and h10 have four images each, i10 has eight.
    assert!(distinct.len() > 8, "{distinct:?}");
}

#[test]
fn an_analysis_is_not_answered_by_the_book() {
    let books = Books::new();
    let mut engine = Engine::spawn_with(Program::Search, &["--book", &books.path()]);
    engine.expect("START 15\nINFO rule 4\nINFO max_node 2000\nYXBOARD\n7,7,1\n8,6,2\nDONE\nYXNBEST 1", "OK");
    let mut lines = vec![engine.line()];
    while lines.last().is_some_and(|line| line.starts_with("MESSAGE")) {
        lines.push(engine.line());
    }
    assert!(lines.len() > 1 && lines.iter().all(|line| !line.contains("book")), "{lines:?}");
    // Thinking on the opponent's time does not delay the next move of the book.
    engine.expect(&format!("INFO pondering 1\nINFO show_detail 0\nRESTART\n{WIN}"), "OK");
    assert_eq!(engine.line(), "9,5");
    engine.expect(&format!("RESTART\n{WIN}"), "OK");
    assert_eq!(engine.line(), "9,5");
    engine.end();
}

#[test]
fn two_engines_play_from_a_book_while_the_library_is_written() {
    let books = Books::new();
    let path = books.0.0.join("a.library");
    let library = Library::create(&path).unwrap();
    let mut edit = library.edit().unwrap();
    let record = concat!(
        r#"{"format":2,"match":{"rule":"renju","size":"15"}}"#,
        "\n",
        r#"{"game":"0-1.0a","black":"a","white":"b","winner":"black","end":"row","detail":"","opening":"7,7","#,
        r#""moves":"7,6 8,8","times":[1,1],"said":[],"wall":2}"#,
        "\n"
    );
    learn(&mut edit, "record", record.as_bytes(), &ImportConfig::default()).unwrap();
    let mut engines = [Program::Search, Program::Greedy].map(|program| {
        let mut engine = Engine::spawn_with(program, &["--book", &books.path()]);
        engine.expect("START 15\nINFO rule 4\nINFO show_detail 0", "OK");
        engine
    });
    for engine in &mut engines {
        engine.expect(WIN, "9,5");
    }
    edit.commit().unwrap();
    // A new book replaces the file, and the engines keep the one that they have read.
    let compiled = Command::new(env!("CARGO_BIN_EXE_tengen-library")).args(["book"]).arg(&path).output();
    assert!(!compiled.unwrap().status.success(), "without --out");
    drop(library);
    let mut compile = Command::new(env!("CARGO_BIN_EXE_tengen-library"));
    let compiled = compile.arg("book").arg(&path).args(["--out", &books.path()]).output().unwrap();
    assert!(compiled.status.success(), "{compiled:?}");
    assert_eq!(tengen::library::book::Book::open(books.path().as_ref()).unwrap().size(), Size::FIFTEEN);
    for mut engine in engines {
        engine.expect(&format!("RESTART\n{WIN}"), "OK");
        assert_eq!(engine.line(), "9,5");
        engine.end();
    }
}

#[test]
fn a_win_of_unknown_length_has_no_distance() {
    let folder = Folder::new();
    let path = folder.0.join("a.book");
    let proof = Some(Proof { is_win: false, plies: None, origin: ProofOrigin::Claimed });
    write_book(&path, Rule::Renju, &[("h8i9j10", Record { proof, ..Record::default() })]);
    let mut engine = Engine::spawn_with(Program::Search, &["--book", path.to_str().unwrap()]);
    engine.expect("START 15\nINFO rule 4\nINFO max_node 100", "OK");
    engine.expect(WIN, "MESSAGE book moves 1 pv j10");
    assert_eq!(engine.line(), "9,5");
    engine.end();
}
