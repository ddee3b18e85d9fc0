//! Records of earlier versions and all other files that hold the points of a game name the same points.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tengen::arena::config::MatchConfig;
use tengen::board::Size;
use tengen::notation::record::{GameRecord, RecordLine, RecordReader};
use tengen::notation::{Comma, Letters, Ranks};

use super::arena::{Folder, arena, records, stdout};

/// The lines of a record of an earlier version, with letters and ranks from the top. See `data/records/README.md`.
fn format_1(name: &str) -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/records/format-1-{name}.jsonl"));
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The moves of a game, which an earlier version wrote as letters.
fn play(game: &Value) -> Vec<Value> {
    let letters = Letters::new(Size::FIFTEEN).counted_from(Ranks::Top);
    let points = |key: &str| {
        let points = letters.parse_moves(game[key].as_str().unwrap()).unwrap();
        json!(points.iter().map(|point| Comma(*point).to_string()).collect::<Vec<_>>())
    };
    let same = ["game", "black", "white", "winner", "end", "detail"].map(|key| game[key].clone());
    same.into_iter().chain(["opening", "moves"].map(points)).collect()
}

#[test]
fn a_record_of_format_1_resumes_to_the_same_games() {
    for name in ["26", "builtin"] {
        let folder = Folder::new();
        let mut lines = format_1(name);
        let games = lines.split_off(1);
        for engine in lines[0]["match"]["engines"].as_array_mut().unwrap() {
            let arguments = engine["cmd"].as_str().unwrap().strip_prefix("pbrain-tengen").unwrap();
            engine["cmd"] = format!("'{}'{arguments}", env!("CARGO_BIN_EXE_pbrain-tengen")).into();
            engine["time"]["tolerance"] = 30_000.into();
        }
        lines.extend(games[..2].iter().cloned());
        let path = folder.path("record.jsonl");
        fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        let resumed = arena(&["match", "--resume", &path, "-q"], &[]).output().unwrap();
        assert!(resumed.status.success(), "{name}: {}", String::from_utf8_lossy(&resumed.stderr));
        assert!(stdout(&resumed).contains("6 games\n"), "{name}: {}", stdout(&resumed));
        let mut played: Vec<_> = records(&path).iter().map(play).collect();
        let mut expected: Vec<_> = games.iter().map(play).collect();
        played.sort_by_key(|play| play[0].to_string());
        expected.sort_by_key(|play| play[0].to_string());
        assert_eq!(played, expected, "{name}");
    }
}

#[test]
fn the_answers_of_a_procedure_are_read_from_a_record_of_format_1() {
    let mut reader = RecordReader::default();
    let games: Vec<GameRecord> = format_1("swap2")
        .iter()
        .filter_map(|line| match reader.read(line.to_string().as_bytes()).unwrap() {
            RecordLine::<MatchConfig>::Match(_) => None,
            RecordLine::Game(game) => Some(*game),
        })
        .collect();
    assert_eq!(games[0].negotiation, ["shapes 1,1 4,1 4,2", "runs 5,2"]);
    assert_eq!(games[1].negotiation, ["runs 1,1 4,1 4,2", "shapes swap"]);
    assert_eq!(games[0].opening.to_string(), "1,1 4,1 4,2 5,2");
}

#[test]
fn openings_of_a_list_are_read_with_the_given_ranks() {
    let folder = Folder::new();
    let list = folder.path("openings.txt");
    fs::write(&list, "h9 c4\n").unwrap();
    for (ranks, opening) in [(None, "7,6 2,11"), (Some("bottom"), "7,6 2,11"), (Some("top"), "7,8 2,3")] {
        let path = folder.path(&format!("{}.jsonl", ranks.unwrap_or("none")));
        let mut words =
            vec!["match", "--games", "2", "--draw-after", "4", "-q", "--openings", &list, "--record", &path];
        words.extend(ranks.iter().flat_map(|ranks| ["--ranks", ranks]));
        let engines = ["one", "two"].map(|name| super::arena::scripted(name, "sound"));
        let output = arena(&words, &engines).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(records(&path).iter().all(|game| game["opening"] == opening), "{:?}", records(&path));
    }
}
