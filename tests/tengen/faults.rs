//! The arena and its engines under faults of engines, of the system and of the caller. Each test checks the loser and
//! the reason, that no process is left, that memory stays bounded, and that the record is readable.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tengen::rng::Rng;

use super::arena::{Folder, arena, eventually, held_by, ids_with, records, scripted, spawn, stdout};

/// The maximum memory of an arena, in KiB. Two engines that flood it may cost 40 MiB.
const MOST_MEMORY: u64 = 300 << 10;

/// The faults of `scripted.sh` that lose a game, each with the reason and a part of its detail.
const LOSING: [(&str, &str, &str); 19] = [
    ("crash-start", "crash", "exited with status 1"),
    ("refuse", "start", "ERROR no boards today"),
    ("late-start", "start", "no OK to START in 3000 ms, but nothing"),
    ("flood-start", "start", "no OK to START in 3000 ms, but \"MESSAGE on and on"),
    ("deaf-start", "start", "did not read what prepares a game in 3000 ms"),
    ("crash", "crash", "exited with status 3: last words"),
    ("silent", "time", "no move within 500 ms"),
    ("late", "time", "no move within 500 ms"),
    ("flood-move", "time", "no move within 500 ms"),
    ("deaf", "time", "no move within 500 ms"),
    ("no-newline", "time", "no move within 500 ms"),
    ("stop", "time", "no move within 500 ms"),
    ("occupied", "illegal", "the point is occupied"),
    ("off-board", "illegal", "99,99, off the board"),
    ("nonsense", "nonsense", "banana"),
    ("utf-16", "nonsense", "no move, but"),
    ("twice", "unasked", "unasked"),
    ("orphan", "crash", "its supervisor ended: signal: 9"),
    ("hoard", "memory", " of 40960 KiB"),
];

/// The faults of `scripted.sh` that do not lose a game.
const HARMLESS: [&str; 9] =
    ["garbage", "flood-after", "flood-errors", "long-line", "bytes", "stay", "leave", "chain", "fork"];

/// An argument that identifies the processes of one test: the time they sleep.
pub(super) fn word() -> String {
    let mut bytes = [0; 4];
    File::open("/dev/urandom").unwrap().read_exact(&mut bytes).unwrap();
    format!("300.{}", u32::from_le_bytes(bytes))
}

/// The arguments of an engine with a fault. Its processes are identified by `word`.
fn faulty(fault: &str, word: &str) -> Vec<String> {
    let mut engine = scripted(fault, &format!("{fault} {word}"));
    let is_late = LOSING.iter().any(|(name, end, _)| *name == fault && matches!(*end, "time" | "nonsense"));
    engine[3] = format!("tolerance={}", if is_late { 2500 } else { 60_000 });
    match fault {
        // More than a pipe buffers.
        "deaf-start" => engine.push(format!("option.x={}", "x".repeat(100_000))),
        "hoard" => engine.push("memory=40M".to_owned()),
        _ => {}
    }
    // A busy machine needs time to start a sound engine.
    let start = if matches!(fault, "late-start" | "flood-start" | "deaf-start") { 3000 } else { 60_000 };
    engine.push(format!("start={start}"));
    engine
}

/// Waits for the end of an arena. Returns its peak memory in KiB.
fn peak_of(child: &mut Child) -> u64 {
    let start = Instant::now();
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        assert!(start.elapsed() < Duration::from_secs(300), "the arena hangs");
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
        peak = line.trim().trim_end_matches(" kB").parse().unwrap_or(peak);
        std::thread::sleep(Duration::from_millis(20));
    }
    peak
}

/// Kills the processes that a failed test leaves behind.
pub(super) struct Leftovers(pub(super) String);

impl Drop for Leftovers {
    fn drop(&mut self) {
        if std::thread::panicking() {
            for process in ids_with(&self.0) {
                let _ = Command::new("kill").args(["-KILL", &process]).status();
            }
        }
    }
}

fn nobody_is_left(word: &str) {
    // A killed process may take a moment to die on a busy machine.
    eventually("the end of every process", || ids_with(word).is_empty());
}

/// Plays every fault under a subcommand and checks the state afterwards.
fn play_all(format: &str, faults: &[&str]) -> Vec<Value> {
    let (folder, word) = (Folder::new(), word());
    let _leftovers = Leftovers(word.clone());
    let record = folder.path("record.jsonl");
    let mut engines = vec![scripted("sound", &format!("sound {word}"))];
    engines.extend(faults.iter().map(|fault| faulty(fault, &word)));
    let words = [format, "--games", "2", "--size", "5", "--openings", "none", "--draw-after", "12", "-q", "-j", "4"];
    let words = [&words[..], &["--each", "turn=500", "--record", &record]].concat();
    let mut child = spawn(&mut arena(&words, &engines));
    let peak = peak_of(&mut child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{format}");
    assert!((1..MOST_MEMORY).contains(&peak), "{peak} KiB");
    nobody_is_left(&word);
    let table = arena(&["table", &record], &[]).output().unwrap();
    assert_eq!(stdout(&table), stdout(&output));
    assert!(fs::metadata(&record).unwrap().len() < 1 << 22, "the record is bounded");
    records(&record)
}

fn loser(game: &Value) -> Option<&str> {
    match game["winner"].as_str() {
        Some("black") => game["white"].as_str(),
        Some("white") => game["black"].as_str(),
        _ => None,
    }
}

#[test]
#[cfg(target_os = "linux")]
fn every_engine_fault_loses_for_its_reason_and_leaves_no_process() {
    let faults: Vec<_> = LOSING.iter().map(|(fault, ..)| *fault).chain(HARMLESS).collect();
    let games = play_all("gauntlet", &faults);
    assert_eq!(games.len(), 2 * faults.len());
    let of = |name: &str| {
        let name = name.to_owned();
        games.iter().filter(move |game| game["black"] == name.as_str() || game["white"] == name.as_str())
    };
    for (fault, end, detail) in LOSING {
        for game in of(fault) {
            assert_eq!((loser(game), game["end"].as_str()), (Some(fault), Some(end)), "{game}");
            assert!(game["detail"].as_str().unwrap().contains(detail), "{game}");
        }
    }
    for game in HARMLESS.iter().flat_map(|fault| of(fault)) {
        assert!(matches!(game["end"].as_str(), Some("row" | "draw")), "{game}");
    }
}

#[test]
#[ignore = "minutes: every fault against every other under every subcommand"]
#[cfg(target_os = "linux")]
fn every_fault_against_every_other_leaves_nothing_under_any_subcommand() {
    let faults: Vec<_> = LOSING.iter().map(|(fault, ..)| *fault).chain(HARMLESS).collect();
    for fault in &faults {
        assert_eq!(play_all("match", &[fault]).len(), 2);
    }
    let count = faults.len() + 1;
    assert_eq!(play_all("round-robin", &faults).len(), count * (count - 1));
    assert!(play_all("knockout", &faults).len() > count);
}

/// Sends a signal to an arena.
pub(super) fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

/// Waits for the end of a process, for much less than the waits that these tests interrupt.
pub(super) fn ends_soon(mut child: Child, what: &str) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(200) {
            child.kill().unwrap();
            panic!("{what}: it goes on");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupt_ends_whatever_the_arena_waits_for() {
    // The arena waits for a start, a write, a rest and a move, and for engines that ignore the request to end.
    let waits = [("flood-start", 1), ("deaf-start", 1), ("stay", 1), ("silent", 1), ("stay", 2), ("flood-move", 2)];
    for (fault, signals) in waits {
        let word = word();
        let _leftovers = Leftovers(word.clone());
        let mut engine = faulty(fault, &word);
        engine.extend(["start=1000000", "tolerance=1000000", "grace=1000000"].map(str::to_owned));
        let mut second = faulty("stay", &word);
        second.push("name=second".to_owned());
        let engines = [engine, second];
        let words = ["match", "--games", "2", "--size", "5", "--openings", "none", "-q"];
        let child = spawn(&mut arena(&words, &engines));
        eventually("the engines", || !ids_with(&word).is_empty());
        std::thread::sleep(Duration::from_millis(700));
        for _ in 0..signals {
            signal(&child, "-TERM");
            std::thread::sleep(Duration::from_millis(50));
        }
        let output = ends_soon(child, fault);
        assert_eq!(output.status.code(), Some(130), "{fault}");
        assert!(stdout(&output).contains("0 games, 2 not played\n"), "{fault}: {}", stdout(&output));
        assert!(!stdout(&output).contains("drawn game was added"), "{}", stdout(&output));
        nobody_is_left(&word);
    }
}

/// Slurm ends a job this way. The engine that ends first must not count as crashed.
#[test]
#[cfg(target_os = "linux")]
fn a_signal_to_every_process_of_a_match_loses_no_game() {
    let word = word();
    let _leftovers = Leftovers(word.clone());
    let mut engine = faulty("silent", &word);
    engine.push("tolerance=1000000".to_owned());
    let engines = [engine, scripted("second", &format!("sound {word}"))];
    let child = spawn(&mut arena(&["match", "--games", "2", "--size", "5", "--openings", "none", "-q"], &engines));
    eventually("the engines", || ids_with(&word).len() > 2);
    std::thread::sleep(Duration::from_millis(700));
    for process in ids_with(&word).into_iter().filter(|process| *process != child.id().to_string()) {
        let _ = Command::new("kill").args(["-TERM", &process]).status();
    }
    std::thread::sleep(Duration::from_millis(100));
    signal(&child, "-TERM");
    let output = ends_soon(child, "a match whose every process is ended");
    assert!(stdout(&output).contains("0 games, 2 not played\n"), "{}", stdout(&output));
    nobody_is_left(&word);
}

#[test]
#[cfg(target_os = "linux")]
fn processes_left_by_a_killed_arena_end_by_themselves() {
    for name in ["-KILL", "-ABRT"] {
        let word = word();
        let _leftovers = Leftovers(word.clone());
        let engines = [faulty("leave", &word), faulty("stay", &word)];
        let words = ["match", "--games", "100", "--size", "5", "--openings", "none", "--each", "grace=1000000", "-q"];
        let mut child = spawn(&mut arena(&words, &engines));
        // The engine, its supervisor, and some of the processes it has started.
        eventually("the engines", || ids_with(&word).len() > 6);
        signal(&child, name);
        child.wait().unwrap();
        nobody_is_left(&word);
    }
}

#[test]
#[cfg(unix)]
fn a_second_arena_on_a_record_is_refused() {
    let folder = Folder::new();
    let record = folder.path("record.jsonl");
    let engines = [scripted("one", "slow"), scripted("two", "slow")];
    let words = ["match", "--games", "4", "--draw-after", "10", "-q", "--resume", &record];
    let first = spawn(&mut arena(&words, &engines));
    eventually("the first game", || fs::read_to_string(&record).is_ok_and(|text| text.lines().count() >= 2));
    for second in [&words[..], &["match", "-q", "--resume", &record]] {
        let engines = if second.len() > 4 { &engines[..] } else { &[] };
        let output = arena(second, engines).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(&held_by(first.id())), "{message}");
    }
    let output = first.wait_with_output().unwrap();
    assert_eq!(stdout(&arena(&["table", &record], &[]).output().unwrap()), stdout(&output));
    assert!(stdout(&output).contains("4 games\n"));
}

/// The greedy engine with these weights.
fn greedy(weights: &str) -> Vec<String> {
    let cmd = format!("cmd='{}' --weights {weights}", env!("CARGO_BIN_EXE_pbrain-tengen"));
    ["--engine", &format!("name={weights}ñ"), &cmd, "tolerance=60000", "start=60000"].map(str::to_owned).to_vec()
}

/// The arguments of a match between greedy engines with this record.
fn match_on<'a>(record: &'a str, games: &'a str) -> Vec<&'a str> {
    vec!["match", "--games", games, "--transform", "-q", "-j", "2", "--resume", record]
}

/// Plays in a folder whose file system is full after some KiB: a tiny mount if the test may mount one, else under a
/// limit on file size. The record is copied to `kept.jsonl`.
fn with_little_space(folder: &Folder, engines: &[Vec<String>], kib: u32) -> Output {
    let may_mount = Command::new("unshare").args(["-m", "true"]).status().is_ok_and(|status| status.success());
    let limit = if may_mount {
        "mount -t tmpfs -o size=${kib}k tengen \"$space\""
    } else {
        "trap '' XFSZ; ulimit -f $((kib * 2))"
    };
    let script =
        format!("{limit}; cd \"$space\"; \"$@\"; status=$?; cp record.jsonl \"$kept\"; rm record.jsonl; exit $status");
    let space = folder.path("space");
    fs::create_dir_all(&space).unwrap();
    // The mount disappears with the process that sees it.
    let mut command = Command::new(if may_mount { "unshare" } else { "env" });
    command.args(if may_mount { &["-m"][..] } else { &[] }).args(["sh", "-c", &script, "sh"]);
    command.env("kib", kib.to_string()).env("space", space).env("kept", folder.path("kept.jsonl"));
    command.arg(env!("CARGO_BIN_EXE_tengen-arena")).args(match_on("record.jsonl", "40"));
    command.args(engines.iter().flatten()).stdin(Stdio::null()).output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_a_readable_record_that_can_be_resumed() {
    let engines = [greedy("shapes"), greedy("decimal")];
    let folder = Folder::new();
    let (whole, kept) = (folder.path("whole.jsonl"), folder.path("kept.jsonl"));
    let whole = arena(&match_on(&whole, "40"), &engines).output().unwrap();
    for kib in [8, 12] {
        let output = with_little_space(&folder, &engines, kib);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("record.jsonl: "), "{message}");
        let text = fs::read_to_string(&kept).unwrap();
        assert!(text.len() <= kib as usize * 1024 && text.ends_with('\n'), "{kib} KiB");
        assert!(arena(&["table", &kept], &[]).output().unwrap().status.success());
        let resumed = arena(&match_on(&kept, "40"), &engines).output().unwrap();
        assert_eq!(stdout(&resumed), stdout(&whole));
    }
}

/// Kills an arena the given number of times, each after a random time below the given number of µs, and resumes it.
fn killed_at_random(kills: u32, games: &str, longest: usize) {
    let folder = Folder::new();
    let (whole, record, psq) = (folder.path("whole.jsonl"), folder.path("record.jsonl"), folder.path("psq"));
    let engines = [greedy("shapes"), greedy("decimal")];
    let whole = arena(&match_on(&whole, games), &engines).output().unwrap();
    let mut rng = Rng::new(u64::from(kills));
    for _ in 0..kills {
        let words = [&match_on(&record, games)[..], &["--psq", &psq]].concat();
        let child = spawn(&mut arena(&words, &engines));
        std::thread::sleep(Duration::from_micros(rng.below(longest) as u64));
        signal(&child, "-KILL");
        assert_eq!(child.wait_with_output().unwrap().status.code(), None, "a match of more games is needed");
        // A file without a complete line is not a record yet.
        let has_line = fs::read(&record).is_ok_and(|bytes| bytes.contains(&b'\n'));
        let table = arena(&["table", &record], &[]).output().unwrap();
        assert_eq!(table.status.success(), has_line, "{}", String::from_utf8_lossy(&table.stderr));
    }
    let resumed = arena(&match_on(&record, games), &engines).output().unwrap();
    assert_eq!(stdout(&resumed), stdout(&whole));
}

#[test]
#[cfg(unix)]
fn a_match_killed_at_random_moments_resumes_to_the_same_table() {
    killed_at_random(8, "400", 30_000);
}

#[test]
#[ignore = "minutes: two hundred kills"]
#[cfg(unix)]
fn a_match_killed_two_hundred_times_resumes_to_the_same_table() {
    killed_at_random(200, "20000", 100_000);
}

#[test]
#[cfg(target_os = "linux")]
fn the_memory_of_a_match_does_not_grow_with_games_to_come() {
    let folder = Folder::new();
    let record = folder.path("record.jsonl");
    let limited = "ulimit -v 3000000; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", limited, env!("CARGO_BIN_EXE_tengen-arena"), "round-robin", "--games", "200000000", "-q"]);
    let engines = [scripted("one", "sound"), scripted("two", "sound"), scripted("three", "sound")];
    command.args(["--size", "5", "--openings", "none", "--record", &record]).args(engines.iter().flatten());
    let child = spawn(command.stdin(Stdio::null()));
    eventually("the first game", || fs::read_to_string(&record).is_ok_and(|text| text.lines().count() >= 2));
    signal(&child, "-INT");
    let output = ends_soon(child, "many games");
    assert_eq!(output.status.code(), Some(130));
    assert!(stdout(&output).contains(" not played\n"), "{}", stdout(&output));
}

#[test]
fn numbers_out_of_bounds_are_refused_with_their_bounds() {
    let engines = [scripted("one", "sound"), scripted("two", "sound")];
    for (words, bound) in [
        (&["--games", "1000000002"][..], "from 2 to 1000000000"),
        (&["--sprt", "elo1=1e308"], "from -1000 to 1000"),
        (&["--draw-after", "0"], "from 1 to 1024"),
        (&["--shard", "1/99999999999"], "at most 1000000"),
        (&["--each", "grace=99999999999"], "from 0 to 2147483647"),
    ] {
        let output = arena(&[&["match"], words].concat(), &engines).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains(bound), "{message}");
    }
}

#[test]
fn control_characters_reach_no_terminal() {
    let folder = Folder::new();
    let (config, record) = (folder.path("match.toml"), folder.path("record.jsonl"));
    let is_clean = |output: &Output| ![&output.stdout, &output.stderr].iter().any(|text| text.contains(&0x1b));
    fs::write(&config, "[[engine]]\nname = \"\\u001b[2J\"\ncmd = 'x'\n[[engine]]\ncmd = 'y'\n").unwrap();
    let output = arena(&["match", "--config", &config], &[]).output().unwrap();
    assert!(output.status.code() == Some(2) && is_clean(&output), "{output:?}");
    // The record of another program may contain such names.
    let words = ["match", "--games", "2", "--draw-after", "4", "-q", "--record", &record];
    arena(&words, &[scripted("one", "sound"), scripted("two", "sound")]).output().unwrap();
    let text = fs::read_to_string(&record).unwrap().replace("\"one\"", "\"one\\u001b[2J\"");
    fs::write(&record, text).unwrap();
    let output = arena(&["table", &record], &[]).output().unwrap();
    assert!(output.status.success() && is_clean(&output) && stdout(&output).contains("one"), "{output:?}");
}

#[test]
fn a_transcript_that_cannot_be_written_is_named() {
    let file = Path::new(env!("CARGO_BIN_EXE_tengen-arena")).join("log");
    let words = ["match", "--games", "2", "-q", "--log", file.to_str().unwrap()];
    let output = arena(&words, &[scripted("one", "sound"), scripted("two", "sound")]).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("the transcript") && !message.contains("started"), "{message}");
}

#[test]
#[cfg(unix)]
fn a_search_without_a_reader_ends_with_its_input() {
    let mut engine = Command::new(env!("CARGO_BIN_EXE_pbrain-tengen-search"));
    let mut child = engine.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    // Without reports the engine writes nothing, so it cannot notice a failed write.
    let lines = "START 20\nINFO show_detail 0\nINFO timeout_turn 2147483647\nINFO max_node 1000000000000\nTURN 7,7\n";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "a search with a reader goes on");
    drop(child.stdout.take());
    ends_soon(child, "the search");
}

#[test]
fn the_time_of_explain_holds_for_lines_too() {
    for lines in ["START 15\nTURN 7,7\n", "START 15\nINFO timeout_turn 2147483647\nTURN 7,7\n"] {
        let mut explain = Command::new(env!("CARGO_BIN_EXE_pbrain-tengen-search"));
        explain.args(["explain", "--time", "50", "--file", "-"]).stdin(Stdio::piped()).stdout(Stdio::null());
        let mut child = explain.spawn().unwrap();
        child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
        assert!(ends_soon(child, lines).status.success());
    }
}
