//! External engines used by the server.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Server, game};

/// The value of `--engine` for a scripted engine.
fn scripted(name: &str, fault: &str) -> [String; 2] {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/engines/scripted.sh");
    [format!("name={name}"), format!("cmd=sh {script} {fault}")]
}

fn think(name: &str, moves: &str, time: u64) -> Value {
    json!({ "game": game("freestyle", moves), "who": { "engine": name }, "effort": { "time": time } })
}

#[test]
#[cfg(unix)]
fn an_engine_follows_a_game_with_takebacks() {
    let words = scripted("sound", "sound");
    let server = Server::start(&["--engine", &words[0], &words[1], "tolerance=60000", "start=60000"]);
    let mut page = server.open();
    assert_eq!(page.ask("hello", json!({}))["engines"], json!(["sound"]));
    for (moves, answer) in [
        ("7,7", "0,0"),
        ("7,7 0,0 8,7", "1,0"),
        ("7,7 0,0 2,2 3,3 4,4", "1,0"),
        ("7,7 0,0", "1,0"),
        ("", "0,0"),
        ("0,0 1,0 2,0", "3,0"),
    ] {
        let given = page.ask("think", think("sound", moves, 1000));
        assert_eq!((&given["kind"], &given["point"]), (&json!("move"), &json!(answer)), "{moves}: {given}");
    }
}

#[test]
#[cfg(unix)]
fn a_dead_engine_is_reported_and_restarted() {
    let words = scripted("dies", "crash");
    let program = std::env::temp_dir().join(format!("tengen-board-engine-{}", std::process::id()));
    std::fs::copy("/bin/sh", &program).unwrap();
    let command = format!("cmd={}", program.display());
    let server = Server::start(&[
        "--engine",
        &words[0],
        &words[1],
        "tolerance=60000",
        "start=60000",
        "--engine",
        "name=none",
        &command,
    ]);
    std::fs::remove_file(program).unwrap();
    let mut page = server.open();
    assert_eq!(page.ask("think", think("dies", "7,7", 1000))["point"], "0,0");
    let failed = page.ask("think", think("dies", "7,7 0,0 8,7", 1000));
    assert_eq!((&failed["kind"], &failed["engine"]), (&json!("failed"), &json!("dies")), "{failed}");
    assert!(failed["error"].as_str().unwrap().contains("last words"), "{failed}");
    assert_eq!(page.ask("think", think("dies", "7,7 0,0 8,7", 1000))["kind"], "move", "a new process answers");
    assert_eq!(page.ask("think", think("none", "7,7", 1000))["kind"], "failed");
    let unknown = page.ask("think", think("sh -c true", "7,7", 1000));
    assert_eq!(unknown["kind"], "error", "a command must not pass as a name: {unknown}");
}

/// The lines an engine receives before it is asked for a move with these limits.
#[cfg(unix)]
fn told(effort: &Value) -> String {
    static STARTED: AtomicUsize = AtomicUsize::new(0);
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    let log = std::env::temp_dir().join(format!("tengen-board-told-{}-{number}", std::process::id()));
    let answers = "case $line in START*) echo OK;; BEGIN) echo 0,0;; END) exit;; esac";
    let script = format!("cmd=sh -c 'while read -r line; do echo \"$line\" >> {}; {answers}; done'", log.display());
    let server = Server::start(&["--engine", "name=log", &script, "tolerance=60000", "start=60000"]);
    let asked = json!({ "game": game("freestyle", ""), "who": { "engine": "log" }, "effort": effort });
    assert_eq!(server.open().ask("think", asked)["kind"], "move");
    let lines = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(log).unwrap();
    lines
}

#[test]
#[cfg(unix)]
fn an_engine_gets_the_limits_of_the_page_and_no_others() {
    let by_nodes = told(&json!({ "nodes": 5000 }));
    assert!(
        by_nodes.contains("INFO max_node 5000\n") && by_nodes.contains("INFO timeout_turn 2000000\n"),
        "{by_nodes}"
    );
    let by_clock = told(&json!({ "left": 60_000, "increment": 1000 }));
    assert!(by_clock.contains("INFO timeout_turn 2000000\nINFO timeout_match 60000\n"), "{by_clock}");
    assert!(by_clock.contains("INFO time_left 60000\n") && !by_clock.contains("max_node"), "{by_clock}");
    let by_move = told(&json!({ "time": 700, "depth": 3 }));
    assert!(by_move.contains("INFO timeout_turn 700\n") && by_move.contains("INFO max_depth 3\n"), "{by_move}");
}

/// Whether a process exists.
#[cfg(target_os = "linux")]
fn is_running(id: &str) -> bool {
    std::path::Path::new("/proc").join(id).exists()
}

#[test]
#[cfg(target_os = "linux")]
fn a_page_that_goes_away_ends_its_search_and_its_engine() {
    let folder = std::env::temp_dir().join(format!("tengen-board-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("engine");
    let script =
        format!("cmd=sh -c 'echo $$ > {}; read a; echo OK; while read a; do :; done; sleep 600'", file.display());
    let server = Server::start(&["--engine", "name=thinks", &script, "tolerance=600000"]);
    let mut page = server.open();
    page.begin("think", think("thinks", "7,7", 3_600_000));
    let start = Instant::now();
    let id = loop {
        let id = std::fs::read_to_string(&file).unwrap_or_default().trim().to_owned();
        if !id.is_empty() {
            break id;
        }
        assert!(start.elapsed() < super::PATIENCE);
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(is_running(&id));
    drop(page);
    while is_running(&id) {
        assert!(start.elapsed() < super::PATIENCE, "the engine ends with its page");
        std::thread::sleep(Duration::from_millis(10));
    }
    // A search of the server itself ends: its thread disappears.
    let mut page = server.open();
    let who = json!({ "picker": ["search", "shapes"] });
    page.begin("think", json!({ "game": game("freestyle", "7,7"), "who": who, "effort": { "time": 3_600_000 } }));
    page.line().unwrap();
    assert_eq!(server.threads("picker"), 1);
    drop(page);
    while server.threads("picker") > 0 {
        assert!(start.elapsed() < super::PATIENCE, "the search ends with its page");
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = std::fs::remove_dir_all(folder);
}
