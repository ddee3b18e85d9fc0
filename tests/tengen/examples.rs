//! The programs in `examples`: what they print, and how they fail.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::arena::{Folder, stdout};
use super::library::faults::run_well;

const SEARCH: &str = env!("CARGO_BIN_EXE_pbrain-tengen-search");

/// An example has fewer lines than this.
const MOST_LINES: usize = 60;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")
}

/// A built example. `cargo test` builds it, but `cargo test --test tengen` does not.
fn program(name: &str) -> PathBuf {
    let path = Path::new(SEARCH).with_file_name("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(path.exists(), "{} is missing: cargo build --examples", path.display());
    path
}

fn run(program: &Path, words: &[&str], input: &str) -> Output {
    let mut command = Command::new(program);
    // A backtrace would follow the error.
    command.args(words).env("RUST_BACKTRACE", "0").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that refuses its arguments reads no input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// The output of an example that succeeds.
fn text_of(name: &str, words: &[&str], input: &str) -> String {
    let output = run(&program(name), words, input);
    assert!(output.status.success() && output.stderr.is_empty(), "{name} {words:?}: {output:?}");
    stdout(&output)
}

/// The error of an example that fails.
fn error_of(name: &str, words: &[&str]) -> String {
    let output = run(&program(name), words, "");
    assert_eq!(output.status.code(), Some(1), "{name} {words:?}: {output:?}");
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("Error: ") && !error.contains("panicked"), "{name} {words:?}: {error}");
    error
}

/// The stones of the last board that a text shows.
fn stones(text: &str) -> usize {
    let board = &text[text.rfind("   a b c").expect("a board")..];
    board.lines().skip(1).take(15).flat_map(str::chars).filter(|sign| "XOxo".contains(*sign)).count()
}

#[test]
fn play_plays_a_whole_game_against_itself() {
    let text = text_of("play", &["none", "5"], "");
    assert!(text.starts_with("black h8\nwhite "), "{text}");
    let moves = text.lines().filter(|line| line.starts_with("black ") || line.starts_with("white "));
    // The last line names the color too.
    assert_eq!(moves.count() - usize::from(!text.ends_with("draw\n")), stones(&text), "{text}");
    assert!(text.ends_with(" has a winning row\n") || text.ends_with("\ndraw\n"), "{text}");
    assert!(text.contains(" at depth "), "{text}");
}

#[test]
fn play_asks_a_person_again_until_the_move_can_be_played() {
    let output = run(&program("play"), &["black", "5"], "7,7,7\nh8\nh8\n");
    let (text, error) = (stdout(&output), String::from_utf8(output.stderr).unwrap());
    assert!(
        text.contains("your move: expected a point such as h8\n   a b c") && text.contains("your move: white "),
        "{text}"
    );
    assert!(text.contains("your move: h8: the point is occupied\n") && stones(&text) == 2, "{text}");
    assert_eq!((output.status.code(), error.as_str()), (Some(1), "Error: the input has ended\n"));
    assert!(error_of("play", &["green"]).contains("expected black or white"));
    assert!(error_of("play", &["none", "soon"]).contains("milliseconds of a move"));
}

#[test]
fn analyse_prints_the_lines_of_the_analysis_for_programs() {
    let text = text_of("analyse", &["renju", "h8", "i9", "g9"], "");
    assert_eq!(stones(&text), 3, "{text}");
    let (_, lines) = text.split_once("\nwhite plays ").unwrap();
    let (best, lines) = lines.split_once('\n').unwrap();
    let query = r#"{"id": "a", "rule": "renju", "moves": "h8 i9 g9", "nodes": 20000, "lines": 3}"#;
    let answer: Value = serde_json::from_str(&stdout(&run(Path::new(SEARCH), &["analyse"], query))).unwrap();
    assert!(best.starts_with(&format!("{}: depth {}, ", answer["move"].as_str().unwrap(), answer["depth"])), "{text}");
    let candidates = answer["candidates"].as_array().unwrap();
    assert_eq!((lines.lines().count(), candidates.len()), (3, 3), "{text}");
    for (line, candidate) in lines.lines().zip(candidates) {
        let mut words = line.split_whitespace();
        assert_eq!(words.next(), Some(&*candidate["score"].to_string()), "{text}{answer}");
        let moves: Vec<_> = words.skip(2).collect();
        assert_eq!(candidate["line"].as_array().unwrap(), &moves, "{text}{answer}");
    }
    assert_eq!(error_of("analyse", &["h8", "h8"]), "Error: move 2, h8: the point is occupied\n");
    let five = "a1 a3 b1 b3 c1 c3 d1 d3 e1";
    let over = error_of("analyse", &five.split(' ').collect::<Vec<_>>());
    assert_eq!(over, "Error: the game is over at move 9: black has a winning row\n");
}

#[test]
#[cfg(unix)]
fn referee_prints_the_moves_and_the_result_of_two_engines() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/scripted.sh");
    let engine = |fault: &str| format!("/bin/sh '{}' {fault}", script.display());
    // The engines answer at once. The limit is long because the machine may be busy.
    let text = text_of("referee", &[&engine("sound"), &engine("sound"), "freestyle", "60000"], "");
    assert!(text.starts_with("  1 black ") && text.contains("\n  2 white "), "{text}");
    assert!(text.ends_with(" has a winning row\n"), "{text}");
    let moves = text.lines().filter(|line| line.ends_with(" ms")).count();
    assert_eq!(moves, stones(&text), "{text}");
    let text = text_of("referee", &[&engine("sound"), &engine("occupied"), "renju", "60000"], "");
    assert!(text.contains("\nwhite loses by illegal: played ") && text.contains("the point is occupied"), "{text}");
    assert!(error_of("referee", &["one"]).contains("expected the commands of two engines"));
    assert!(error_of("referee", &["'open", "two"]).contains("with every quote closed"));
    assert!(error_of("referee", &["/no/such/engine", "two"]).contains("/no/such/engine"));
}

#[test]
fn read_psq_prints_the_board_and_the_result() {
    let folder = Folder::new();
    let psq = |text: &str| {
        let path = folder.path("game.psq");
        fs::write(&path, text).unwrap();
        path
    };
    let row = "1,15,0\n1,13,900\n2,15,0\n2,13,0\n3,15,0\n3,13,0\n4,15,0\n4,13,0\n5,15,600\n";
    let won = psq(&format!("Piskvorky 15x15, 11:11, 0\n{row}one\ntwo\n0\n"));
    let text = text_of("read_psq", &[&won], "");
    assert!(text.starts_with("black: one\nwhite: two\n\n   a b c"), "{text}");
    assert!(text.contains("\n 1 X X X X x . "), "{text}");
    assert!(
        text.ends_with("\n9 moves in 1.5 s: a1 a3 b1 b3 c1 c3 d1 d3 e1\nblack has a winning row, at move 9\n"),
        "{text}"
    );
    let lost = psq("Piskvorky 15x15, 11:11, 0\n8,8,0\none\ntwo\n15\n");
    assert!(text_of("read_psq", &[&lost, "renju"], "").ends_with("\nblack has won by the file, not by a row\n"));
    let judged = psq("Piskvorky 15x15, 11:11, 0\n8,8,0\none\ntwo\n-1\n0,Freestyle\n");
    assert!(text_of("read_psq", &[&judged], "").ends_with("\ndraw by the file\n"));
    let open = psq("Piskvorky 15x15, 11:11, 0\n8,8,0\none\ntwo\n-1\n");
    assert!(text_of("read_psq", &[&open], "").ends_with("\nthe game was not finished\n"));
    let wrong = error_of("read_psq", &[&psq("Gomoku\n")]);
    assert!(wrong.contains("game.psq") && wrong.contains("line 1: expected"), "{wrong}");
    assert!(error_of("read_psq", &["missing.psq"]).contains("missing.psq"));
}

#[test]
fn query_library_prints_what_is_known_of_a_position_and_its_moves() {
    let folder = Folder::new();
    run_well(&folder.0, &["create", "a.library"]);
    run_well(&folder.0, &["edit", "a.library", "--rule", "renju", "h8", "i9", "--win", "11", "--comment", "an attack"]);
    let library = folder.path("a.library");
    let text = text_of("query_library", &[&library, "h8"], "");
    assert!(text.contains("\nrenju, 15 x 15\n") && stones(&text) == 1, "{text}");
    assert!(text.contains("\nwhite to move: known\n"), "{text}");
    assert!(text.contains("\n   i9: loses in 11 plies (claimed)\n"), "{text}");
    let text = text_of("query_library", &[&library, "h8", "g7"], "");
    assert!(text.ends_with("\nblack to move: wins in 11 plies (claimed), \"an attack\"\n"), "{text}");
    assert!(text_of("query_library", &[&library, "a1"], "").ends_with("\nwhite to move: unknown\n"));
    assert!(error_of("query_library", &[&library, "h8", "h8"]).contains("move 2, h8"));
    assert!(error_of("query_library", &[&folder.path("b.library")]).contains("b.library"));
    assert!(!folder.0.join("b.library").exists(), "reading makes no library");
}

/// The output of an example in Python, or that it is skipped: there is no Python 3, or this module is not installed.
fn python(name: &str, module: &str, words: &[&str]) -> Result<String, String> {
    let has_module = Command::new("python3").args(["-c", &format!("import {module}")]).output();
    if !has_module.is_ok_and(|output| output.status.success()) {
        return Err(format!("skipped: {name} needs python3 with {module}"));
    }
    let path = folder().join("python").join(name);
    let output = Command::new("python3").arg(path).args(words).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{name} {words:?}: {output:?}");
    Ok(stdout(&output).replace("\r\n", "\n"))
}

#[test]
fn analyse_in_python_prints_the_candidates_of_each_position() {
    let text = match python("analyse.py", "json", &[SEARCH]) {
        Ok(text) => text,
        Err(skipped) => return println!("{skipped}"),
    };
    for head in ["h8 i9 g9: white plays ", "h8 h9 i9 g7: black plays ", "h8 i7 i8 j8 g8 a15 f8: white plays "] {
        let (_, answer) = text.split_once(head).unwrap_or_else(|| panic!("{head:?} is missing: {text}"));
        let candidates: Vec<_> = answer.lines().skip(1).take_while(|line| line.starts_with("  ")).collect();
        assert_eq!(candidates.len(), 3, "{head}: {text}");
        assert!(answer.starts_with(candidates[0].rsplit("  ").next().unwrap().split(' ').next().unwrap()), "{text}");
    }
    assert!(text.contains("  black has ") && text.contains("black wins in "), "{text}");
    let over = "a1 a3 b1 b3 c1 c3 d1 d3 e1";
    let text = python("analyse.py", "json", &[SEARCH, over, "h8 z1"]).unwrap();
    assert!(text.contains(&format!("{over}: the game is over, winner: black\n")), "{text}");
    assert!(text.contains("h8 z1: moves: "), "{text}");
}

#[test]
fn pygomo_plays_a_short_game() {
    let text = match python("pygomo_play.py", "pygomo", &[SEARCH, "4"]) {
        Ok(text) => text,
        Err(skipped) => return println!("{skipped}"),
    };
    assert!(text.contains("Tengen") && text.contains("\n  1 black h8 "), "{text}");
    assert!(text.contains("\n  2 white ") && text.contains("\n  4 white ") && text.contains(" depth "), "{text}");
    assert!(!text.contains("\n  5 "), "{text}");
}

/// The files of a folder with this ending, and their texts.
fn sources(folder: &Path, ending: &str) -> Vec<(PathBuf, String)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let paths = paths.filter(|path| path.extension().is_some_and(|extension| extension == ending));
    paths.map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn an_example_is_short_and_says_how_it_is_run() {
    let page = include_str!("../../examples/README.md");
    let (rust, python) = (sources(&folder(), "rs"), sources(&folder().join("python"), "py"));
    assert_eq!((rust.len(), python.len()), (5, 2));
    for (path, text) in rust.iter().chain(&python) {
        let lines = text.lines().count();
        assert!(lines < MOST_LINES, "{} has {lines} lines", path.display());
        let name = path.file_stem().unwrap().to_str().unwrap();
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        let start = if is_rust { format!("--example {name}") } else { format!("examples/python/{name}.py ") };
        assert!(text.contains(&start), "{} does not say how to run it", path.display());
        assert!(page.contains(start.trim()), "examples/README.md does not show {start}");
        assert!(!is_rust || !text.contains(".unwrap()"), "{} may panic", path.display());
    }
}
