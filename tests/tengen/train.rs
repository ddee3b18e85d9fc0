//! Training and generations of networks from the command line, interrupted and resumed.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::PathBuf;

use tengen::board::Rule;
use tengen::eval::Networks;
use tengen::files::{Kind, OutputFile};
use tengen::fnv::Fnv1a;
use tengen::tune::{TrainConfig, TrainingGames, read_games, train};

use crate::tune::{Folder, fails, succeeds};

#[test]
fn generations_continue_after_a_kill() {
    let folder = Folder::new();
    let options = ["improve", "run", "--size=9", "--games=20", "--nodes=20", "--rounds=1", "--seed=1"];
    let match_options = ["--match-games=2", "--match-nodes=10", "--gain=100", "--threads=2"];
    let improve = |more: &[&str]| folder.tune(&[&options[..], &match_options, more].concat());
    succeeds(&improve(&["--generations=1"]));
    let log = folder.read("run/log.jsonl");
    let lines: Vec<_> = log.lines().collect();
    assert_eq!(lines.len(), 2, "{log}");
    assert!(lines[0].starts_with(r#"{"trained":{"generation":1,"held_out":["#), "{log}");
    assert!(lines[1].starts_with(r#"{"tested":{"generation":1,"taken":"#), "{log}");
    assert!(folder.read("run/1.svg").contains("held out"));
    // The training began with the built-in network.
    let bytes = |name: &str| fs::read(folder.0.join(name)).unwrap();
    assert!(Networks::built_in().file(Rule::Freestyle).unwrap() == bytes("run/0.net"));
    let again =
        ["train", "run/1.games", "--start=run/0.net", "--rounds=1", "--rate=0.001", "--seed=1", "--out=again.net"];
    succeeds(&folder.tune(&again));
    assert!(bytes("again.net") == bytes("run/1.net"));
    let games = folder.read("run/1.jsonl");
    assert!(games.lines().count() > 1 && !games.contains("crash"), "{games}");
    // The log as a kill leaves it, cut within its last line or within the line of the training.
    for cut in [log.len() - 3, lines[0].len() - 3] {
        fs::write(folder.0.join("run/log.jsonl"), &log[..cut]).unwrap();
        succeeds(&improve(&["--generations=1"]));
        assert_eq!(folder.read("run/log.jsonl"), log);
    }
    {
        const LINES: Kind = Kind { name: "file of JSON lines", start: b"{" };
        let _running = OutputFile::create(&folder.0.join("run/options.json"), &LINES).unwrap();
        fails(&improve(&["--generations=1"]), 1, "another run uses run");
    }
    // A match whose games were forfeited is not taken for a result.
    fs::write(folder.0.join("run/log.jsonl"), lines[0].to_owned() + "\n").unwrap();
    fs::write(folder.0.join("run/1.net"), "damaged").unwrap();
    fs::remove_file(folder.0.join("run/1.jsonl")).unwrap();
    fails(&improve(&["--generations=1"]), 1, "an engine forfeited games of run");
    assert_eq!(folder.read("run/log.jsonl").lines().count(), 1);
    fails(&improve(&["--generations=1", "--rate=0.003"]), 1, "run was begun with other options");
    fails(&folder.tune(&["improve", "other", "--openings=missing.txt"]), 1, "missing.txt");
    for option in ["--match-games=101", "--gain=1001"] {
        fails(&folder.tune(&["improve", "other", option]), 2, option.split('=').next().unwrap());
    }
    assert!(!folder.0.join("other").exists());
    folder.write("run/log.jsonl", &(lines[1].to_owned() + "\n"));
    fails(&improve(&[]), 1, "log.jsonl: line 1: a step is missing");
    folder.write("run/log.jsonl", "{\"trained\"\n");
    fails(&improve(&[]), 1, "log.jsonl: line 1: EOF");
}

#[test]
fn an_interrupted_training_is_resumed_by_its_checkpoint() {
    let folder = Folder::new();
    succeeds(&folder.tune(&["play", "--size=9", "--nodes=20", "--games=20", "--threads=2", "--out=new.games"]));
    let train =
        |more: &[&str]| folder.tune(&[&["train", "new.games", "--rounds=2", "--out=new.net"][..], more].concat());
    succeeds(&train(&["--plot=new.svg"]));
    let network = fs::read(folder.0.join("new.net")).unwrap();
    assert!(!folder.names().contains(&"new.net.checkpoint".into()));
    folder.write("new.net.checkpoint", "tengen training 1\n");
    fails(&train(&["--resume"]), 1, "new.net.checkpoint: not a checkpoint of this version, or damaged");
    fails(&train(&[]), 1, "new.net.checkpoint: an earlier run left this checkpoint");
    // Without a checkpoint, `--resume` starts a new training.
    fs::remove_file(folder.0.join("new.net.checkpoint")).unwrap();
    succeeds(&train(&["--resume"]));
    assert_eq!(fs::read(folder.0.join("new.net")).unwrap(), network);
    let play =
        |network: &str| folder.tune(&["play", "--games=1", "--nodes=10", "--network", network, "--out=by.games"]);
    succeeds(&play("new.net"));
    fails(&play("missing.net"), 1, "cannot read missing.net");
    fails(&play("new.games"), 1, "cannot read new.games: it is not a network file of this version");
}

#[test]
fn games_are_read_from_disk_as_from_memory_and_others_judge_the_network() {
    let folder = Folder::new();
    let play = ["play", "--size=9", "--nodes=20", "--threads=2"];
    for (shard, name) in [("--shard=1/2", "a.games"), ("--shard=2/2", "b.games")] {
        succeeds(&folder.tune(&[&play[..], &["--games=60", shard, "--out", name]].concat()));
    }
    succeeds(&folder.tune(&[&play[..], &["--seed=2", "--games=10", "--out=judge.games"]].concat()));

    let options =
        ["train", "b.games", "a.games", "--held-out=judge.games", "--rounds=1", "--threads=2", "--out=new.net"];
    let output = folder.tune(&options);
    succeeds(&output);
    let lines = String::from_utf8(output.stderr).unwrap();
    for line in ["games: b.games: rule freestyle, size 9, nodes 20, seed 1, shard 2/2, engine ", "games: 60 games\n"] {
        assert!(lines.contains(line), "{lines}");
    }
    assert!(
        lines.contains("held out: judge.games: rule freestyle") && lines.contains("held out: 10 games\n"),
        "{lines}"
    );

    let paths = ["a.games", "b.games"].map(|name| folder.0.join(name));
    let read = |paths: &[PathBuf]| read_games(paths, Rule::Freestyle).unwrap().collect::<Result<Vec<_>, _>>().unwrap();
    let (mut games, mut judging) = (read(&paths), read(&[folder.0.join("judge.games")]));
    let sets = TrainingGames { fitted: &mut games, held_out: Some(&mut judging) };
    let config = TrainConfig {
        rule: Rule::Freestyle,
        result_share: 0.5,
        samples: None,
        rounds: NonZeroUsize::MIN,
        rate: 0.002,
        seed: 1,
        threads: NonZeroUsize::MIN,
    };
    let end = train(&config, sets, None, None, &mut |_| ControlFlow::Continue(())).unwrap();
    let bytes = end.weights.to_bytes();
    assert!(fs::read(folder.0.join("new.net")).unwrap() == bytes);
    assert!(lines.contains(&format!("checksum of the network: {:016x}", Fnv1a::of(&bytes))), "{lines}");

    fails(&folder.tune(&[&options[..], &["--samples=1"]].concat()), 1, "60 training samples of the rule, expected");
    fails(&folder.tune(&[&options[..], &["--samples=0"]].concat()), 2, "--samples");
    fails(
        &folder.tune(&["train", "a.games", "--start=./new.net", "--out=new.net"]),
        1,
        "new.net: the training would replace the network that it starts with",
    );
    fails(
        &folder.tune(&["train", "a.games", "--held-out=b.games", "--out=new.net"]),
        1,
        "b.games and a.games have seed 1; hold out games of a seed of their own",
    );
}
