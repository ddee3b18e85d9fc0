//! Moves of short searches, judged by long ones: regrets recounted from the file, and each position searched once.

use std::collections::HashMap;
use std::fs;

use serde_json::Value;
use tengen::board::{Color, Rule};
use tengen::eval::Networks;
use tengen::eval::network::Weights;
use tengen::score::Score;

use super::arena::arena;
use super::tune::{Folder, fails, succeeds};

/// Games of the greedy engine under two weightings, from the built-in openings.
fn play(folder: &Folder, rule: &str, name: &str) {
    let engines = ["shapes", "runs"].map(|weights| {
        let cmd = format!("cmd='{}' --weights {weights}", env!("CARGO_BIN_EXE_pbrain-tengen"));
        vec!["--engine".to_owned(), format!("name={weights}"), cmd, "tolerance=30000".to_owned()]
    });
    let record = folder.0.join(name);
    let words = ["match", "-q", "--games", "8", "--rule", rule, "--record", record.to_str().unwrap()];
    assert!(arena(&words, &engines).output().unwrap().status.success());
}

const SHORT: [&str; 4] = ["regret", "games.jsonl", "--judged=judged", "--reference=400"];

fn with<'a>(words: &[&'a str]) -> Vec<&'a str> {
    [&SHORT, words].concat()
}

/// The mean regret of a name, computed from the lines of the file.
fn counted(lines: &str, name: &str, nodes: u64) -> (usize, f64) {
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let text = |line: &Value, key: &str| line[key].as_str().map(str::to_owned);
    let mut best = HashMap::new();
    let mut worth = HashMap::new();
    for line in &lines {
        let position = text(line, "position").unwrap();
        if let Some(point) = text(line, "best") {
            best.insert(position, point);
        } else if let Some(point) = text(line, "move") {
            let score = Score::from_eval(line["score"].as_i64().unwrap() as i32);
            worth.insert((position, point), f64::from(score.win_chance()));
        }
    }
    let chosen = lines.iter().filter(|line| line["name"] == name && line["nodes"] == nodes);
    let regrets: Vec<_> = chosen
        .map(|line| {
            let position = text(line, "position").unwrap();
            let of = |point: String| worth[&(position.clone(), point)];
            of(best[&position].clone()) - of(text(line, "chosen").unwrap())
        })
        .collect();
    (regrets.len(), regrets.iter().sum::<f64>() / regrets.len() as f64)
}

#[test]
fn regrets_are_those_of_the_file_and_nothing_is_searched_twice() {
    let folder = Folder::new();
    play(&folder, "freestyle", "games.jsonl");
    let first = folder.tune(&with(&["--nodes=20,100", "--name=old", "--threads=2"]));
    succeeds(&first);
    let table = String::from_utf8(first.stdout).unwrap();
    let lines = folder.read("judged");
    for nodes in [20, 100] {
        let (positions, mean) = counted(&lines, "old", nodes);
        let row = table.lines().find(|row| row.trim_start().starts_with(&format!("{nodes} "))).unwrap();
        let words: Vec<_> = row.split_whitespace().collect();
        assert_eq!((words[1], words[3]), (&*positions.to_string(), &*format!("{:.2}", 100.0 * mean)), "{table}");
        assert!(positions > 0 && row.contains(" ± "), "{table}");
    }

    // The same run on one thread finds all positions in the file. A line that a kill left incomplete is cut off.
    fs::write(folder.0.join("judged"), format!("{lines}{{\"position\":\"fr")).unwrap();
    let again = folder.tune(&with(&["--nodes=20,100", "--name=old"]));
    assert_eq!(String::from_utf8(again.stdout).unwrap(), table);
    assert_eq!(folder.read("judged"), lines);

    // The same engine under another name chooses the same moves.
    let other = folder.tune(&with(&["--nodes=20", "--name=new"]));
    succeeds(&other);
    let other = String::from_utf8(other.stdout).unwrap();
    assert!(other.contains("0.00 ± 0.00 against old"), "{other}");
    // Fewer positions are the first of the larger number, and another node limit adds a row.
    let fewer = folder.tune(&with(&["--nodes=20", "--name=old", "--positions=2"]));
    succeeds(&fewer);
    assert!(folder.read("judged").starts_with(&lines));
}

#[test]
fn a_network_or_a_picker_does_not_judge_its_own_moves() {
    let folder = Folder::new();
    play(&folder, "freestyle", "games.jsonl");
    // A network that takes every win for a loss plays otherwise.
    let weights = Weights::from_bytes(&Networks::built_in().file(Rule::Freestyle).unwrap()).unwrap();
    let mut view = weights.view(Color::Black).clone();
    let head = &mut view.head;
    let outputs = [&mut head.direct[..], &mut head.first_output, &mut head.second_output];
    outputs.into_iter().flatten().for_each(|weight| *weight = -*weight);
    let weights = Weights::new(Rule::Freestyle, vec![view]).unwrap();
    fs::write(folder.0.join("other.net"), weights.to_bytes()).unwrap();
    let judged = |more: &[&str]| {
        succeeds(&folder.tune(&with(&[&["--nodes=20"], more].concat())));
        let lines = folder.read("judged");
        fs::remove_file(folder.0.join("judged")).unwrap();
        let best = lines.lines().filter(|line| line.contains("\"best\"")).map(str::to_owned);
        (best.collect::<Vec<_>>(), lines)
    };
    let own = judged(&[]);
    for searched in ["--network=other.net", "--picker=mcts"] {
        let other = judged(&[searched]);
        assert_eq!(own.0, other.0, "{searched}");
        assert_ne!(own.1, other.1, "{searched}");
    }
}

#[test]
fn input_that_cannot_be_judged_is_an_error() {
    let folder = Folder::new();
    play(&folder, "freestyle", "games.jsonl");
    play(&folder, "renju", "renju.jsonl");
    fails(&folder.tune(&with(&["renju.jsonl"])), 1, "the records have several rules");
    fails(&folder.tune(&["regret", "none.jsonl", "--judged=judged"]), 1, "none.jsonl");
    fails(&folder.tune(&with(&["--nodes=0"])), 2, "0 is not in 1..=1000000000");
    folder.write("judged", "{}\n");
    fails(&folder.tune(&SHORT), 1, "judged, line 1:");
    folder.write(
        "short.jsonl",
        folder.read("games.jsonl").lines().next().map(|line| format!("{line}\n")).unwrap().as_str(),
    );
    fails(&folder.tune(&["regret", "short.jsonl", "--judged=new"]), 1, "no position to judge");
}
