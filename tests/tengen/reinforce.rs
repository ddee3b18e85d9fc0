//! Learning by playing from the command line: broken off and resumed, measured, drawn, and played by the engine.

use std::fs;
use std::io::BufRead;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::tune::{Folder, fails, succeeds};

/// The options of a short run of an algorithm.
fn options<'a>(algorithm: &'a str, games: &'a str, out: &'a str) -> [&'a str; 9] {
    ["reinforce", "--algorithm", algorithm, "--size=7", "--seed=3", "--games", games, "--out", out]
}

#[test]
fn a_resumed_run_yields_the_network_of_a_run_without_a_break() {
    let folder = Folder::new();
    for (algorithm, half, whole) in
        [("policy-gradient", "64", "128"), ("actor-critic", "512", "1024"), ("dqn", "256", "320")]
    {
        let [one, other] = ["whole", "broken"].map(|name| format!("{name}-{algorithm}.net"));
        succeeds(&folder.tune(&options(algorithm, whole, &one)));
        succeeds(&folder.tune(&options(algorithm, half, &other)));
        succeeds(&folder.tune(&[&options(algorithm, whole, &other)[..], &["--resume"]].concat()));
        let log = folder.read(&format!("{other}.jsonl"));
        let [one, other] = [one, other].map(|name| fs::read(folder.0.join(name)).unwrap());
        assert!(one == other, "{algorithm}");
        assert!(log.starts_with(&format!(r#"{{"run":{{"method":"{algorithm}","seed":3,"#)), "{log}");
        // Before the first game, at the break, and at the end.
        assert_eq!(log.lines().filter(|line| line.starts_with(r#"{"measured":"#)).count(), 3, "{log}");
    }
    let dqn = |games, more: &[&'static str]| [&options("dqn", games, "broken-dqn.net")[..], more].concat();
    fails(&folder.tune(&dqn("400", &["--resume", "--rate=0.01"])), 1, "broken-dqn.net was begun with other options");
    // Starting a run again by mistake loses nothing, and resuming a finished run adds no measurement.
    let files = || ["", ".checkpoint", ".jsonl"].map(|end| fs::read(folder.0.join(format!("broken-dqn.net{end}"))));
    let before = files().map(Result::unwrap);
    fails(&folder.tune(&dqn("320", &[])), 1, "broken-dqn.net.checkpoint: an earlier run left this checkpoint");
    assert!(files().map(Result::unwrap) == before);
    succeeds(&folder.tune(&dqn("320", &["--resume"])));
    let [network, _, log] = files().map(Result::unwrap);
    assert!(network == before[0] && log.lines().count() == before[2].lines().count());
    folder.write("broken-dqn.net.checkpoint", "tengen learning 1\n");
    let damaged = "broken-dqn.net.checkpoint: not a checkpoint of this version, or damaged";
    fails(&folder.tune(&dqn("400", &["--resume"])), 1, damaged);
    let small = ["reinforce", "--algorithm=dqn", "--size=6", "--out=new.net"];
    fails(&folder.tune(&small), 2, "expected a side from 7 to 20");
}

#[test]
fn a_killed_run_is_resumed_from_its_last_measurement() {
    let folder = Folder::new();
    let run = |games, more: &[&'static str]| [&options("policy-gradient", games, "killed.net")[..], more].concat();
    let mut endless = Command::new(env!("CARGO_BIN_EXE_tengen-tune"))
        .args(run("1000000", &[]))
        .current_dir(&folder.0)
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !folder.0.join("killed.net.checkpoint").exists() && start.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(20));
    }
    endless.kill().unwrap();
    endless.wait().unwrap();
    // A kill may cut the last line of the log.
    let log = folder.read("killed.net.jsonl");
    folder.write("killed.net.jsonl", &log[..log.len() - 5]);
    succeeds(&folder.tune(&run("96", &["--resume", "--plot=curves.svg"])));
    succeeds(&folder.tune(&options("policy-gradient", "96", "whole.net")));
    assert!(fs::read(folder.0.join("killed.net")).unwrap() == fs::read(folder.0.join("whole.net")).unwrap());
    let svg = folder.read("curves.svg");
    assert!(svg.contains("policy-gradient, seed 3, freestyle 7 × 7") && svg.contains("CPU minutes"), "{svg}");
}

#[test]
fn a_network_of_a_learner_plays_by_every_picker_that_reads_networks() {
    let folder = Folder::new();
    succeeds(&folder.tune(&options("policy-gradient", "640", "learned.net")));
    let engine = |picker: &str, more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-tengen-search"));
        command.args(["explain", "d4", "d5", "--size=7", "--json", "--time=200", "--picker", picker]);
        let network = folder.0.join("learned.net");
        let output = command.arg("--network").arg(&network).args(more).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    for picker in ["search", "mcts"] {
        assert!(engine(picker, &[])["choice"]["point"].is_string(), "{picker}");
    }
    let explained = engine("policy", &[]);
    let choice = &explained["choice"];
    assert_eq!(choice["reason"], "prior", "{choice}");
    assert!(choice["prior"].as_f64().is_some_and(|prior| prior > 0.0 && prior <= 1.0), "{choice}");
}

#[test]
fn generations_begin_with_nothing_if_asked_to() {
    let folder = Folder::new();
    let options = ["improve", "run", "--start=none", "--size=9", "--games=50", "--nodes=20", "--rounds=1", "--seed=3"];
    let match_options = ["--match-games=2", "--match-nodes=10", "--gain=100", "--generations=1"];
    succeeds(&folder.tune(&[&options[..], &match_options].concat()));
    let progress = folder.read("run/progress.jsonl");
    let lines: Vec<_> = progress.lines().collect();
    assert!(lines.len() == 3 && lines[0].contains(r#""method":"generations""#), "{progress}");
    assert!(lines[2].contains(r#""updates":1,"games":50,"#), "{progress}");
    assert!(folder.0.join("run/0.net").exists());
    // A kill between the match and the measurement.
    folder.write("run/progress.jsonl", &(lines[..2].join("\n") + "\n"));
    succeeds(&folder.tune(&[&options[..], &match_options].concat()));
    assert_eq!(folder.read("run/progress.jsonl").lines().count(), 3);
}
