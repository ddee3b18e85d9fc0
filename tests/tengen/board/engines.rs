//! Engines behind the server.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Server, game};

/// The words of `--engine` for a scripted engine.
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
fn a_dead_engine_is_reported_and_started_anew() {
    let words = scripted("dies", "crash");
    let server = Server::start(&[
        "--engine",
        &words[0],
        &words[1],
        "tolerance=60000",
        "start=60000",
        "--engine",
        "name=none",
        "cmd=./nothing",
    ]);
    let mut page = server.open();
    assert_eq!(page.ask("think", think("dies", "7,7", 1000))["point"], "0,0");
    let failed = page.ask("think", think("dies", "7,7 0,0 8,7", 1000));
    assert_eq!((&failed["kind"], &failed["engine"]), (&json!("failed"), &json!("dies")), "{failed}");
    assert!(failed["error"].as_str().unwrap().contains("last words"), "{failed}");
    assert_eq!(page.ask("think", think("dies", "7,7 0,0 8,7", 1000))["kind"], "move", "a new process answers");
    assert_eq!(page.ask("think", think("none", "7,7", 1000))["kind"], "failed");
    let unknown = page.ask("think", think("sh -c true", "7,7", 1000));
    assert_eq!(unknown["kind"], "error", "a command is no name: {unknown}");
}

/// Whether a process is there.
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
        assert!(start.elapsed() < super::PATIENCE, "the engine outlives its page");
        std::thread::sleep(Duration::from_millis(10));
    }
    // A search of the server itself: its thread is gone.
    let mut page = server.open();
    let who = json!({ "picker": ["search", "shapes"] });
    page.begin("think", json!({ "game": game("freestyle", "7,7"), "who": who, "effort": { "time": 3_600_000 } }));
    page.line().unwrap();
    let searches = || {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", server.child.id())).unwrap();
        let names = tasks.filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).ok());
        names.filter(|name| name.trim() == "picker").count()
    };
    assert_eq!(searches(), 1);
    drop(page);
    while searches() > 0 {
        assert!(start.elapsed() < super::PATIENCE, "the search outlives its page");
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = std::fs::remove_dir_all(folder);
}
