//! The arena and the shell that started it: Ctrl-Z, `nohup`, and a script that becomes the arena.

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::arena::{Folder, arena, eventually, ids_with, records, scripted, spawn};
use super::faults::{Leftovers, ends_soon, signal, word};

/// Two slow engines and the words of a short match between them, whose record begins at once.
fn slow_match(record: &str) -> (Vec<&str>, [Vec<String>; 2]) {
    let words = ["match", "--games", "2", "--draw-after", "8", "--openings", "none", "-q", "--record", record];
    let engines = ["one", "two"].map(|name| {
        let mut engine = scripted(name, "slow");
        engine.extend(["turn=1000", "tolerance=1000"].map(str::to_owned));
        engine
    });
    (words.to_vec(), engines)
}

/// Waits until a match has begun its first game.
fn begins(record: &str) {
    eventually("the match", || fs::read_to_string(record).is_ok_and(|text| text.contains('\n')));
    std::thread::sleep(Duration::from_millis(300));
}

/// Ctrl-Z stops the arena alone; the engines, in groups of their own, go on and answer.
#[test]
fn a_stopped_arena_charges_no_engine_for_the_stop() {
    let folder = Folder::new();
    let record = folder.path("record.jsonl");
    let (words, engines) = slow_match(&record);
    let child = spawn(&mut arena(&words, &engines));
    begins(&record);
    signal(&child, "-STOP");
    std::thread::sleep(Duration::from_millis(4000));
    signal(&child, "-CONT");
    assert!(ends_soon(child, "a match that was stopped").status.success());
    let games = records(&record);
    assert_eq!(games.iter().map(|game| game["end"].as_str()).collect::<Vec<_>>(), [Some("draw"); 2], "{games:?}");
    let longest = games.iter().flat_map(|game| game["times"].as_array().unwrap()).filter_map(Value::as_u64).max();
    assert!(longest < Some(2000), "{games:?}");
}

#[test]
fn an_arena_under_nohup_outlives_its_terminal() {
    let ignored = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = ignored.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    // These tests may run under nohup themselves.
    let status_without = if ignored.ends_with(['1', '3', '5', '7', '9', 'b', 'd', 'f']) { 0 } else { 130 };
    for (trap, status) in [("trap '' HUP", 0), (":", status_without)] {
        let folder = Folder::new();
        let record = folder.path("record.jsonl");
        let (words, engines) = slow_match(&record);
        let child = spawn(&mut below_shell(trap, &arena(&words, &engines)));
        begins(&record);
        signal(&child, "-HUP");
        assert_eq!(ends_soon(child, trap).status.code(), Some(status), "{trap}");
    }
}

#[test]
fn an_arena_spares_the_children_of_the_shell_that_became_it() {
    let word = word();
    let _leftovers = Leftovers(word.clone());
    let words = ["match", "--games", "2", "--draw-after", "6", "--openings", "none", "-q"];
    let engines = [scripted("one", "sound"), scripted("two", "sound")];
    let child = spawn(&mut below_shell(&format!("sleep {word} >/dev/null 2>&1 &"), &arena(&words, &engines)));
    assert!(ends_soon(child, "a match").status.success());
    let children = ids_with(&word);
    assert_eq!(children.len(), 1);
    assert!(Command::new("kill").args(&children).status().unwrap().success());
}

/// A shell that runs a line and then becomes this command.
fn below_shell(line: &str, command: &Command) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{line}\nexec \"$0\" \"$@\"")]).arg(command.get_program()).args(command.get_args());
    shell.stdin(Stdio::null());
    shell
}
