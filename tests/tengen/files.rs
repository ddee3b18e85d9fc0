//! Wrong files: devices, oversized or foreign files, and a file-size limit. Every program reports the error in one
//! line.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tengen::board::Rule;
use tengen::files::open_locked;
use tengen::tune::{JudgedFile, MIN_SAMPLES};

use super::arena::{eventually, held_by};
use super::tune::{Folder, fails, succeeds};

/// Longer than any refusal takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The maximum number of bytes in a program's message about a file.
const LONGEST_ERROR: usize = 2000;

/// The binaries.
const ENGINE: &str = env!("CARGO_BIN_EXE_pbrain-tengen-search");
const ARENA: &str = env!("CARGO_BIN_EXE_tengen-arena");
const TUNE: &str = env!("CARGO_BIN_EXE_tengen-tune");
const CUBE: &str = env!("CARGO_BIN_EXE_tengen-cube");

/// Runs a program in a folder with these lines as its input.
fn run(folder: &Folder, program: &str, words: &[&str], input: &str) -> Output {
    let mut command = Command::new(program);
    command.args(words).current_dir(&folder.0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // The program may end before it has read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("{program} {words:?} waits");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

/// Sends an engine lines that ask for a move and, after the move, further lines. Returns its whole output.
fn talk(command: &mut Command, folder: &Folder, question: &str, rest: &str) -> String {
    let mut engine = command.current_dir(&folder.0).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = engine.stdin.take().unwrap();
    input.write_all(question.as_bytes()).unwrap();
    let mut lines = BufReader::new(engine.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut said = Vec::new();
    while said.last().is_none_or(|line: &String| !line.starts_with(|sign: char| sign.is_ascii_digit())) {
        said.push(lines.next().expect("a move"));
    }
    input.write_all(rest.as_bytes()).unwrap();
    drop(input);
    said.extend(lines);
    assert!(engine.wait().unwrap().success(), "{said:?}");
    said.retain(|line| !line.starts_with("MESSAGE depth"));
    said.join("\n") + "\n"
}

/// The text that a program has printed.
fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr].concat()).into_owned()
}

/// Makes a pipe without a writer.
fn make_pipe(folder: &Folder, name: &str) {
    assert!(Command::new("mkfifo").arg(folder.0.join(name)).status().unwrap().success());
}

/// Makes a sparse file of this length.
fn make_sparse(folder: &Folder, name: &str, length: u64) {
    File::create(folder.0.join(name)).unwrap().set_len(length).unwrap();
}

/// A question that the search answers.
const QUESTION: &str = "START 15\nINFO max_depth 6\nBOARD\n7,7,2\n8,8,1\n8,7,2\nDONE\n";

/// Arguments with which a program first of all reads the file `x`.
const READERS: [(&str, &[&str]); 12] = [
    (ENGINE, &["--network", "x", "config"]),
    (ENGINE, &["explain", "--file", "x"]),
    (ENGINE, &["replay", "x"]),
    (ARENA, &["match", "--config", "x"]),
    (ARENA, &["match", "--engine", "cmd=a", "--engine", "cmd=b", "--openings", "x"]),
    (ARENA, &["match", "--resume", "x"]),
    (ARENA, &["table", "x"]),
    (ARENA, &["report", "x", "--html", "x.html"]),
    (TUNE, &["play", "--network", "x", "--out", "new.games"]),
    (TUNE, &["train", "old.games", "--start", "x", "--out", "new.net"]),
    (TUNE, &["regret", "x", "--judged", "new.judged"]),
    (TUNE, &["info", "x"]),
];

#[test]
fn a_pipe_or_a_device_in_place_of_a_file_is_refused_at_once() {
    let folder = Folder::new();
    make_pipe(&folder, "x");
    for (program, words) in READERS {
        let output = run(&folder, program, words, "");
        let said = said(&output);
        assert!(!output.status.success() && said.contains("not a regular file"), "{words:?}: {said}");
    }
    // Files that are also written.
    fails(&run(&folder, TUNE, &["train", "a", "--out", "x"], ""), 1, "not a regular file");
    let error = open_locked(File::options().read(true).write(true), &folder.0.join("x")).unwrap_err();
    assert_eq!(error.to_string(), "not a regular file");
    let error = JudgedFile::open(&folder.0.join("x")).unwrap_err();
    assert!(error.to_string().ends_with("x: not a regular file"), "{error}");
    fails(&run(&folder, ENGINE, &["explain", "--file", "/dev/zero"], ""), 1, "not a regular file");
    fails(&run(&folder, ENGINE, &["--log", "x"], "END\n"), 2, "cannot write the log x");
    let started = run(&folder, ENGINE, &["--log", "/dev/null"], "START 15\nEND\n");
    assert_eq!((started.status.code(), &started.stdout[..]), (Some(0), &b"OK\n"[..]));
}

#[test]
fn a_file_of_four_gigabytes_is_refused_by_its_length() {
    let folder = Folder::new();
    make_sparse(&folder, "x", 4 << 30);
    for (program, words) in READERS {
        let output = run(&folder, program, words, "");
        let said = said(&output);
        // Game files may have any length, because they are read game by game.
        let reason = if words[0] == "info" { "not a file of games" } else { "it is larger than " };
        assert!(!output.status.success() && said.contains(reason), "{words:?}: {said}");
    }
}

#[test]
fn an_endless_input_is_refused() {
    let folder = Folder::new();
    let output = run(&folder, ENGINE, &["explain", "--file", "-"], &"BEGIN \n".repeat(10 << 20));
    fails(&output, 1, "stdin: it is larger than 64 MiB");
}

#[test]
fn a_table_with_more_entries_than_its_memory_holds_is_refused_by_its_length() {
    let folder = Folder::new();
    talk(&mut Command::new(ENGINE), &folder, QUESTION, "YXHASHDUMP\nhash.bin\n");
    let path = folder.0.join("hash.bin");
    let mut bytes = fs::read(&path).unwrap();
    let length: u64 = 4 << 30;
    bytes[48..56].copy_from_slice(&((length - 64) / 16).to_le_bytes());
    fs::write(&path, bytes).unwrap();
    File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
    make_pipe(&folder, "pipe");
    let output = run(&folder, ENGINE, &[], "START 15\nYXHASHLOAD\nhash.bin\nYXHASHLOAD\npipe\nYXHASHDUMP pipe\nEND\n");
    let expected = "OK\nERROR the file is larger than the memory that the table may take\n\
                    ERROR the file is not a table of this engine\nERROR no table of a search is kept yet\n";
    assert_eq!(said(&output), expected);
}

#[test]
fn a_dump_without_a_path_or_over_a_foreign_file_is_one_error() {
    let folder = Folder::new();
    folder.write("record.jsonl", "{\"match\":\"of a week\"}\n");
    folder.write("empty.bin", "");
    let rest = "YXHASHDUMP\nrecord.jsonl\nYXHASHDUMP\nempty.bin\nYXHASHDUMP\nempty.bin\nYXHASHDUMP\nTAKEBACK 7,7\n\
                YXHASHLOAD\nINFO max_depth 1\n";
    let said = talk(&mut Command::new(ENGINE), &folder, QUESTION, rest);
    let lines: Vec<_> = said.lines().collect();
    let entries = lines[3];
    assert!(entries.starts_with("MESSAGE hash entries "), "{said}");
    let no_path = "ERROR expected a path after the command or on the next line";
    let foreign = "ERROR the existing file is not a table and is not replaced";
    assert_eq!((lines[0], &lines[2..]), ("OK", &[foreign, entries, entries, no_path, "OK", no_path][..]), "{said}");
    assert_eq!(folder.read("record.jsonl"), "{\"match\":\"of a week\"}\n");
    assert_eq!(folder.names(), ["empty.bin", "record.jsonl"]);
}

#[test]
fn a_record_is_read_with_any_byte_order_mark_and_line_ends() {
    let folder = Folder::new();
    let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,103\n10,8,7\none\ntwo\n0\n";
    let forms = [("game.psq", psq), ("lines.txt", "START 15\nBOARD\n7,7,1\n8,8,2\n9,7,1\nDONE\n")];
    for (name, text) in forms {
        let explained = |text: &str| {
            folder.write(name, text);
            let words = ["--picker", "greedy", "explain", "--file", name];
            let output = run(&folder, ENGINE, &words, "");
            succeeds(&output);
            said(&output)
        };
        let plain = explained(text);
        for changed in
            [format!("\u{feff}{text}"), text.replace('\n', "\r"), format!("\u{feff}{}", text.replace('\n', "\r\n"))]
        {
            assert_eq!(explained(&changed), plain, "{name}: {changed:?}");
        }
    }
    let replayed = |text: &str| {
        folder.write("game.txt", text);
        let output = run(&folder, ENGINE, &["--picker", "greedy", "replay", "game.txt"], "");
        succeeds(&output);
        said(&output)
    };
    let plain = replayed(psq);
    for changed in [format!("\u{feff}{psq}"), psq.replace('\n', "\r"), psq.replace("one", "'15,15,7")] {
        assert_eq!(replayed(&changed), plain, "{changed:?}");
    }
    replayed("\u{feff}h8 i9");
    folder.write("list.txt", "\u{feff}h8\rh8 i9\r");
    folder.write(
        "match.toml",
        "\u{feff}games = 2\nopenings = 'list.txt'\n[[engine]]\ncmd = '/nowhere/a'\n[[engine]]\ncmd = '/nowhere/b'\n",
    );
    // The list and the file are read before an engine starts.
    fails(&run(&folder, ARENA, &["match", "--config", "match.toml", "-q"], ""), 1, "cannot be started");
}

#[test]
fn an_empty_file_is_an_error() {
    let folder = Folder::new();
    for text in ["", "\u{feff}", "\r\n \r\n"] {
        folder.write("x", text);
        for words in [&["explain", "--file", "x"][..], &["replay", "x"]] {
            fails(&run(&folder, ENGINE, words, ""), 1, "x: it is empty");
        }
        fails(&run(&folder, ENGINE, &["replay", "-"], text), 1, "stdin: it is empty");
    }
}

#[test]
fn an_error_never_repeats_a_long_line() {
    let folder = Folder::new();
    let long = "x".repeat(900_000);
    let engines = ["--engine", "cmd=a", "--engine", "cmd=b"];
    let engine: &[&[&str]] = &[&["explain", "--file", "long"], &["replay", "long"]];
    let arena: &[&[&str]] = &[
        &["match", "--config", "long"],
        &[&["match", "--openings", "long"], &engines[..]].concat(),
        &["table", "long"],
    ];
    let forms = [
        long.clone(),
        format!("START 15\n{long}\n"),
        format!("Piskvorky {long}"),
        format!("Piskvorky 15x15,\n9,{long}"),
        format!("h8 {long}"),
        format!("{{\"game\":\"{long}\"}}"),
        format!("{{\"match\":{{\"rule\":\"{long}\"}}}}"),
        format!("rule = \"{long}\""),
        format!("rule = {long}"),
        format!("[[engine]]\n{long} = 1"),
        format!("[{long}]\nrule = [1]"),
    ];
    for form in &forms {
        folder.write("long", form);
        for (program, readers) in [(ENGINE, engine), (ARENA, arena)] {
            for words in readers {
                let output = run(&folder, program, words, "");
                let length = output.stderr.len() + output.stdout.len();
                assert!(!output.status.success() && (1..LONGEST_ERROR).contains(&length), "{words:?}: {length} bytes");
            }
        }
    }
}

#[test]
fn a_training_never_replaces_a_foreign_file_or_that_of_another_training() {
    let folder = Folder::new();
    succeeds(&folder.tune(&["play", "--size=9", "--nodes=20", "--games=20", "--threads=2", "--out=new.games"]));
    let games = fs::read(folder.0.join("new.games")).unwrap();
    let train = |words: &[&str]| folder.tune(&[&["train", "new.games", "--rounds=1"][..], words].concat());
    fails(&train(&["--out=new.games"]), 1, "new.games: the existing file is not a network");
    folder.write("a.net.checkpoint", "what a person has written");
    fails(&train(&["--out=a.net"]), 1, "a.net.checkpoint: the existing file is not a checkpoint");
    fails(&train(&["--out=b.net", "--plot=new.games"]), 1, "the existing file is not a picture");
    folder.write("standard.txt", "my own standard\n");
    fails(&folder.tune(&["fit", "--rule=standard", "--out=.", "new.games"]), 1, "is not a weight file");
    assert_eq!(folder.read("a.net.checkpoint"), "what a person has written");
    assert_eq!(fs::read(folder.0.join("new.games")).unwrap(), games);
    let mut first = Command::new(TUNE);
    first.args(["train", "new.games", "--rounds=10000", "--out=c.net"]).current_dir(&folder.0).stderr(Stdio::null());
    let mut first = first.spawn().unwrap();
    eventually("a round of the first training", || folder.0.join("c.net").exists());
    let second = [train(&["--out=c.net"]), train(&["--out=c.net.checkpoint"])];
    first.kill().unwrap();
    first.wait().unwrap();
    for (output, name) in second.iter().zip(["c.net", "c.net.checkpoint"]) {
        fails(output, 1, &format!("cannot write {name}: {}", held_by(first.id())));
    }
    // A killed training blocks nobody.
    succeeds(&train(&["--out=c.net"]));
}

/// Runs a program whose files may not exceed the given number of blocks of 512 or 1024 bytes.
fn run_limited(folder: &Folder, blocks: u32, program: &str, words: &[&str], input: &str) -> Output {
    let script = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
    run(folder, "sh", &[&["-c", &script, program], words].concat(), input)
}

#[test]
fn a_file_size_limit_causes_an_error_line_and_not_death_by_signal() {
    let folder = Folder::new();
    let script = "ulimit -f 0; exec \"$0\" \"$@\"";
    let mut engine = Command::new("sh");
    let text = talk(
        engine.args(["-c", script, ENGINE, "--log", "log.txt"]),
        &folder,
        QUESTION,
        "YXHASHDUMP\nhash.bin\nABOUT\n",
    );
    assert!(text.contains("\nname=\"TengenSearch\""), "{text}");
    assert!(text.contains("\nERROR the table cannot be written: file too large\n"), "{text}");
    assert!(folder.0.join("log.txt").exists() && !folder.0.join("hash.bin").exists(), "{:?}", folder.names());
    let play = ["play", "--size=5", "--nodes=1", "--games=2", "--out=new.games"];
    fails(&run_limited(&folder, 0, TUNE, &play, ""), 1, "new.games: File too large");
    folder.write_games("old.games", Rule::Freestyle, MIN_SAMPLES as u32);
    fails(&run_limited(&folder, 2, TUNE, &["fit", "--rounds=1", "--out=.", "old.games"], ""), 1, "File too large");
    assert_eq!(folder.names(), ["log.txt", "new.games", "old.games"]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/scripted.sh");
    let engine =
        |name: &str| ["--engine".to_owned(), format!("name={name}"), format!("cmd=sh '{}' sound", script.display())];
    let engines = ["a", "b"].map(engine).concat();
    let words = ["match", "--games=100", "--record=record.jsonl", "-q"];
    let words: Vec<_> = words.into_iter().chain(engines.iter().map(String::as_str)).collect();
    fails(&run_limited(&folder, 8, ARENA, &words, ""), 1, "record.jsonl: File too large");
    // The same when stdout itself is such a file.
    for (program, words) in
        [(CUBE, &["analyse", "--time=1"][..]), (ENGINE, &["openings"]), (ARENA, &["table", "record.jsonl"])]
    {
        let script = "ulimit -f 0; exec \"$0\" \"$@\" > full.txt";
        let output = run(&folder, "sh", &[&["-c", script, program], words].concat(), "");
        fails(&output, 1, "File too large");
    }
}

#[test]
fn an_engine_answers_its_manager_while_its_network_is_a_pipe() {
    let folder = Folder::new();
    make_pipe(&folder, "x");
    // The engine may answer with the built-in network or end with an error, but it must not wait.
    let said = said(&run(&folder, ENGINE, &["--network", "x"], "START 15\nEND\n"));
    assert!(said == "OK\n" || said.contains("not a regular file"), "{said}");
}
