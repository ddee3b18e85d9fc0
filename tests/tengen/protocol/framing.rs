//! Bytes, lines, processes: e1 to e12.

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::engine::{Behaviour, Engine, Program, SEARCHING, both, read_move};
use super::timing::time_of;

#[test]
fn e1_blank_lines_tabs_case_and_mixed_line_ends_are_ignored() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.send_bytes(b"\r\n\nstart 15\r\tINFO  timeout_turn   300 \nbegin\n");
        assert_eq!(engine.line(), "OK");
        engine.take_move();
        engine.end();
    });
}

#[test]
fn e1_a_byte_order_mark_is_ignored() {
    both(|program| {
        let mut engine = Engine::bare(program);
        engine.send_bytes(b"\xEF\xBB\xBFSTART 15\r\n");
        assert_eq!(engine.line(), "OK");
        engine.end();
    });
}

#[test]
fn e2_a_lone_return_ends_a_line() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.send_bytes(b"START 15\rINFO timeout_turn 300\rBEGIN\r");
        assert_eq!(engine.line(), "OK");
        engine.take_move();
        engine.send_bytes(b"END\r");
        engine.finish();
    });
}

#[test]
fn e3_a_long_line_is_one_unknown_command() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("START 15", "OK");
        engine.expect(&"A".repeat(100_000), "UNKNOWN command");
        engine.ask_move("BEGIN");
        engine.end();
    });
}

#[test]
#[cfg(target_os = "linux")]
fn e3_an_endless_line_does_not_fill_the_memory() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("START 15", "OK");
        engine.ask_move("BEGIN");
        let before = engine.peak_memory();
        let part = vec![b'A'; 1 << 20];
        (0..64).for_each(|_| engine.send_bytes(&part));
        engine.expect("", "UNKNOWN command");
        assert!(engine.peak_memory() < before + (4 << 20));
        engine.end();
    });
}

#[test]
fn e4_bytes_that_are_not_text_are_ignored() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect("START 15", "OK");
        engine.send_bytes(b"INFO folder C:\\\xE8\xF8\0\xFF\n");
        engine.ask_move("BEGIN");
        engine.end();
    });
}

#[test]
fn e5_a_folder_may_hold_blanks_and_apostrophes() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.expect_silence("INFO folder C:\\Documents and Settings\\All Users\\AI's");
        engine.end();
    });
}

#[test]
fn e6_the_end_of_the_input_before_anything_ends_the_engine() {
    both(|program| assert_eq!(Engine::bare(program).close(), [""; 0]));
}

/// Closes the input of an engine that searches with a limit of 400 ms, and waits for its move.
pub(super) fn close_in_a_search(mut engine: Engine) {
    engine.send("START 15\nINFO timeout_turn 400\nBOARD\n7,7,2\nDONE");
    let lines = engine.close();
    let [ok, .., last] = &lines[..] else { panic!("{lines:?}") };
    assert_eq!(ok, "OK");
    assert!(read_move(last).is_some(), "{lines:?}");
}

#[test]
fn e7_a_search_finishes_after_the_end_of_the_input() {
    close_in_a_search(Engine::inside(Behaviour::Patient));
    close_in_a_search(Engine::spawn_picker(Behaviour::Patient));
    both(|program| close_in_a_search(Engine::bare(program)));
}

#[test]
fn e7_a_search_without_an_end_is_answered_when_the_input_ends() {
    let mut engine = Engine::inside(Behaviour::Patient);
    engine.send("START 15\nINFO timeout_turn 2147483647\nBEGIN");
    assert_eq!(engine.line(), "OK");
    assert_eq!(engine.line(), SEARCHING);
    assert_eq!(engine.close(), ["7,7"]);
}

#[test]
fn e8_the_last_line_needs_no_line_end() {
    both(|program| {
        let mut engine = Engine::spawn(program);
        engine.send_bytes(b"START 15\nEND");
        assert_eq!(engine.close(), ["OK"]);
    });
}

#[test]
fn e9_a_closed_output_ends_the_engine_quietly() {
    both(|program| {
        let mut child = Command::new(program.path())
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"START 15\nINFO timeout_turn 100\nTURN 7,7\n")
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(output.stderr, b"");
    });
}

/// Ends a search without limits with a signal. Returns the time from the signal to the exit.
#[cfg(unix)]
pub(super) fn end_by_signal() -> Duration {
    use std::os::unix::process::ExitStatusExt;
    let mut engine = Engine::spawn_picker(Behaviour::Patient);
    engine.expect("START 15\nINFO timeout_turn 2147483647", "OK");
    engine.expect("BEGIN", SEARCHING);
    time_of(|| {
        engine.send_signal("-TERM");
        assert_eq!(engine.wait().unwrap().signal(), Some(15));
    })
}

#[test]
#[cfg(unix)]
fn e10_a_termination_signal_ends_a_search() {
    end_by_signal();
}

/// The move's time limit passes during the suspension. If suspended time counted, none would be left for a search.
#[test]
#[cfg(unix)]
fn e11_time_in_suspension_does_not_count() {
    let mut engine = Engine::spawn_picker(Behaviour::Patient);
    engine.expect("START 15\nINFO timeout_turn 4000\nINFO rule 0", "OK");
    engine.send_signal("-STOP");
    thread::sleep(Duration::from_millis(4500));
    engine.send_signal("-CONT");
    assert_eq!(engine.ask("BOARD\n7,7,2\nDONE"), SEARCHING);
    engine.ask_move("STOP");
    engine.end();
}

/// Ends an engine after these lines. Returns the time from END to the exit.
pub(super) fn end_behind(program: Program, lines: &str) -> Duration {
    let mut engine = Engine::spawn(program);
    engine.send(lines);
    if lines.contains("START") {
        assert_eq!(engine.line(), "OK");
    }
    engine.end()
}

/// Lines after which END may come.
pub(super) const UNFINISHED: [&str; 6] =
    ["", "START 15", "START 15\nBOARD\n7,7,1", "START 15\nSWAP2BOARD", "BOARD", "YXHASHLOAD"];

#[test]
fn end_ends_the_engine_wherever_it_comes() {
    both(|program| {
        for lines in UNFINISHED {
            end_behind(program, lines);
        }
    });
}
