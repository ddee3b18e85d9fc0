//! `analyse` as a process: queries on stdin, games of files, and the schema of its lines.

use std::fs;
use std::io::{Cursor, Write};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tengen::board::Rule;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::arena::Folder;
use super::library::book::{result, write_book};

const PROGRAM: &str = env!("CARGO_BIN_EXE_pbrain-tengen-search");

fn analyse(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(PROGRAM);
    command.arg("analyse").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn values(output: &Output) -> Vec<Value> {
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A definition of the schema, with those that it refers to.
struct Schema {
    whole: Value,
    of: String,
}

fn schema(of: &str) -> Schema {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/analyse.schema.json");
    Schema { whole: serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap(), of: of.to_owned() }
}

impl Schema {
    fn is_valid(&self, value: &Value) -> bool {
        self.error(&self.whole["$defs"][&self.of], value).is_none()
    }

    /// What is wrong with a value. It knows the keywords of this schema alone: the crates for all of them would double the
    /// crates of the tests.
    fn error(&self, schema: &Value, value: &Value) -> Option<String> {
        let fails = |is_right: bool, word: &str| (!is_right).then(|| format!("{word}: {value}"));
        schema.as_object().unwrap().iter().find_map(|(word, expected)| match word.as_str() {
            "$ref" => {
                self.error(&self.whole["$defs"][expected.as_str().unwrap().strip_prefix("#/$defs/").unwrap()], value)
            }
            "type" => fails(has_type(expected, value), word),
            "enum" => fails(expected.as_array().unwrap().contains(value), word),
            "const" => fails(expected == value, word),
            "minimum" => fails(value.as_f64().is_none_or(|number| number >= expected.as_f64().unwrap()), word),
            "maximum" => fails(value.as_f64().is_none_or(|number| number <= expected.as_f64().unwrap()), word),
            "pattern" => {
                assert_eq!(expected, "^a?[a-z][1-9][0-9]?$", "the only pattern is that of a point");
                fails(value.as_str().is_none_or(is_point), word)
            }
            "required" => {
                let (fields, names) = (value.as_object()?, expected.as_array().unwrap());
                fails(names.iter().all(|name| fields.contains_key(name.as_str().unwrap())), word)
            }
            "properties" => value.as_object()?.iter().find_map(|(name, value)| self.error(expected.get(name)?, value)),
            "additionalProperties" => {
                let names = value.as_object()?.keys();
                fails(expected != false || names.into_iter().all(|name| schema["properties"].get(name).is_some()), word)
            }
            "minItems" => {
                fails(value.as_array().is_none_or(|items| items.len() as u64 >= expected.as_u64().unwrap()), word)
            }
            "items" => value.as_array()?.iter().find_map(|item| self.error(expected, item)),
            "oneOf" => {
                let fitting = expected.as_array().unwrap().iter().filter(|schema| self.error(schema, value).is_none());
                fails(fitting.count() == 1, word)
            }
            word => panic!("the keyword {word} is unknown"),
        })
    }
}

fn has_type(expected: &Value, value: &Value) -> bool {
    match expected {
        Value::Array(any) => any.iter().any(|expected| has_type(expected, value)),
        expected => match expected.as_str().unwrap() {
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            "null" => value.is_null(),
            word => panic!("the type {word} is unknown"),
        },
    }
}

/// Whether a text is one or two letters and a rank of one or two digits.
fn is_point(text: &str) -> bool {
    let letters = text.bytes().take_while(u8::is_ascii_lowercase).count();
    let (file, rank) = text.split_at(letters);
    let is_file = letters == 1 || letters == 2 && file.starts_with('a');
    is_file && matches!(rank.len(), 1 | 2) && !rank.starts_with('0') && rank.bytes().all(|byte| byte.is_ascii_digit())
}

#[track_caller]
fn check(schema: &Schema, value: &Value) {
    let error = schema.error(&schema.whole["$defs"][&schema.of], value);
    assert_eq!(error, None, "{value}");
}

/// Queries with every field, actions, and lines that are refused.
fn lines() -> Vec<(Value, bool)> {
    let all = json!({
        "id": "all", "rule": "renju", "size": 15, "moves": ["h8", "i9", "g9"], "turns": [1, 3], "nodes": 3000,
        "depth": 6, "time": 60000, "lines": 3, "priority": -2, "report_every": 1, "left_out": "h7 h9", "weights": true,
        "forbidden": true, "proof": "vcf",
    });
    vec![
        (all, true),
        (json!({ "id": "tuned", "moves": "h8 i9", "turns": "all", "depth": 2 }), true),
        (
            json!({ "id": "over", "size": 9, "moves": "a1 b9 c1 d9 e1 f9 b1 h9 d1", "turns": [8, 9], "proof": "vct" }),
            true,
        ),
        (json!({ "id": "v", "action": "version" }), true),
        (json!({ "id": "c", "action": "cancel", "query": "nothing", "turns": [0] }), true),
        (json!({ "id": "bad", "nodes": 0 }), false),
        (json!({ "id": "bad", "turns": "none" }), false),
        (json!({ "id": "bad", "turns": [] }), false),
        (json!({ "id": "bad", "rule": "go" }), false),
        (json!({ "id": "bad", "visits": 1 }), false),
        (json!({ "moves": "h8" }), false),
    ]
}

#[test]
fn the_schema_holds_the_lines_of_every_picker() {
    let (input, output) = (schema("input"), schema("output"));
    let mut text = String::new();
    for (line, is_right) in lines() {
        assert_eq!(input.is_valid(&line), is_right, "{line}");
        text.push_str(&format!("{line}\n"));
    }
    for picker in ["greedy", "search", "mcts", "policy"] {
        let found = values(&analyse(&["--picker", picker, "--positions", "2"], &text));
        found.iter().for_each(|value| check(&output, value));
        let refused = found.iter().filter(|value| value.get("error").is_some()).count();
        assert_eq!(refused, lines().iter().filter(|(_, is_right)| !is_right).count(), "{picker}");
        let is_final = |value: &&Value, id: &str| value["id"] == id && value["is_final"] == true;
        let finals = ["all", "tuned", "over"].map(|id| found.iter().filter(|value| is_final(value, id)).count());
        assert_eq!(finals, [2, 3, 2], "{picker}");
        let chosen = found.iter().filter(|value| is_final(value, "all"));
        chosen.for_each(|value| assert!(value["move"] != "h7" && value["move"] != "h9", "{value}"));
    }
}

/// The schema refuses what the program does not write, so that the test above means something.
#[test]
fn the_schema_refuses_other_lines() {
    let output = schema("output");
    for value in [
        json!({ "id": "a", "turn": 0 }),
        json!({ "id": "a", "turn": 0, "is_final": true, "other": 1 }),
        json!({ "id": "a", "turn": 0, "is_final": true, "move": "7,7" }),
        json!({ "id": "a", "turn": 0, "is_final": true, "verdict": { "result": null, "chance": 1.5 } }),
        json!({ "id": "a", "error": "e" }),
    ] {
        assert!(!output.is_valid(&value), "{value}");
    }
}

#[test]
fn every_field_of_the_page_is_in_the_schema_and_the_other_way_round() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/analyse");
    let schema: Value = serde_json::from_str(&fs::read_to_string(format!("{path}.schema.json")).unwrap()).unwrap();
    let page = fs::read_to_string(format!("{path}.md")).unwrap();
    let fields = |part: &str| -> Vec<String> {
        let (_, rest) = page.split_once(&format!("## {part}\n")).unwrap();
        let (_, table) = rest.split_once("| field |").unwrap();
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        let cells = rows.filter_map(|row| row.split('|').nth(1));
        let mut names: Vec<_> =
            cells.flat_map(|cell| cell.split(',')).map(|name| name.trim().trim_matches('`').to_owned()).collect();
        names.sort();
        names
    };
    let defined = |name: &str| -> Vec<String> {
        schema["$defs"][name]["properties"].as_object().unwrap().keys().cloned().collect()
    };
    assert_eq!(fields("Queries"), defined("query"));
    assert_eq!(fields("Answers"), defined("answer"));
}

#[test]
fn the_games_of_a_folder_are_analysed_into_a_file() {
    let folder = Folder::new();
    let games = folder.0.join("games");
    fs::create_dir(&games).unwrap();
    fs::write(games.join("b.txt"), "h8i9\n").unwrap();
    fs::write(games.join("picture.png"), b"\x89PNG\r\n\x1a\n").unwrap();
    fs::write(games.join("a.psq"), "Piskvorky 20x20, 11:11, 0\n10,10,0\n11,11,0\na.exe\nb.exe\n-1\n").unwrap();
    let out = folder.0.join("answers.jsonl");
    let arguments = [games.to_str().unwrap(), "--nodes", "100", "--out", out.to_str().unwrap()];
    assert!(values(&analyse(&arguments, "")).is_empty());
    let text = fs::read_to_string(&out).unwrap();
    let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names = |value: &Value| {
        let id = value["id"].as_str().unwrap();
        format!("{}@{}", id.rsplit('/').next().unwrap(), value["turn"])
    };
    let order: Vec<_> = answers.iter().map(names).collect();
    assert_eq!(order, ["a.psq@0", "a.psq@1", "a.psq@2", "b.txt@0", "b.txt@1", "b.txt@2"]);
    let again = analyse(&arguments, "");
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 6, "{again:?}");
    let record = "{\"format\":2,\"match\":{}}\n";
    fs::write(&out, record).unwrap();
    assert!(!analyse(&arguments, "").status.success());
    assert_eq!(fs::read_to_string(&out).unwrap(), record, "a record of the arena is not replaced");
    fs::remove_file(&out).unwrap();
    fs::write(games.join("c.sgf"), "(;GM[4]SZ[15];B[hh];W[])").unwrap();
    let partial = analyse(&arguments, "");
    let error = String::from_utf8_lossy(&partial.stderr).into_owned();
    assert!(!partial.status.success() && error.contains("c.sgf: game 1: expected moves"), "{error}");
    assert_eq!(fs::read_to_string(&out).unwrap().lines().count(), 6, "the other games are analysed");
    for (file, part) in [("missing", "missing"), ("empty", "expected games")] {
        let path = folder.0.join(file);
        if file == "empty" {
            fs::write(&path, "").unwrap();
        }
        let failed = analyse(&[path.to_str().unwrap()], "");
        let error = String::from_utf8_lossy(&failed.stderr).into_owned();
        assert!(!failed.status.success() && error.contains(part) && error.lines().count() == 1, "{error}");
    }
}

#[test]
fn what_cannot_be_analysed_of_an_archive_is_left_out_and_named() {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let freestyle = "(;GM[4]SZ[15]RU[freestyle];B[hh];W[ii])";
    for (name, text) in [("damaged.txt", "h8 i9"), ("freestyle.sgf", freestyle), ("sound.txt", "h8 g9")] {
        zip.start_file(name, stored).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let mut bytes = zip.finish().unwrap().into_inner();
    let damaged = bytes.windows(5).position(|part| part == b"h8 i9").unwrap();
    bytes[damaged] = b'g';
    let folder = Folder::new();
    let path = folder.0.join("games.zip");
    fs::write(&path, bytes).unwrap();
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/networks/renju.net");
    let partial = analyse(&[path.to_str().unwrap(), "--rule", "renju", "--network", network, "--nodes", "100"], "");
    let error = String::from_utf8_lossy(&partial.stderr).into_owned();
    assert!(!partial.status.success(), "{error}");
    for part in ["games.zip/damaged.txt: ", "games.zip/freestyle.sgf: --network", "left out: 2"] {
        assert!(error.contains(part), "{error}");
    }
    let answers = String::from_utf8_lossy(&partial.stdout).into_owned();
    assert!(answers.lines().count() == 3 && answers.lines().all(|line| line.contains("sound.txt")), "{answers}");
}

#[test]
fn analyse_leaves_out_moves_that_the_book_knows_as_lost() {
    let folder = Folder::new();
    let book = folder.0.join("a.book");
    write_book(&book, Rule::Renju, &[("h8h9g7", result(true, 9))]);
    let query = r#"{"id":"a","rule":"renju","moves":"h8 h9","nodes":20000,"lines":40}"#;
    let candidates = |arguments: &[&str]| {
        let answer = values(&analyse(arguments, query)).remove(0);
        let moves = answer["candidates"].as_array().unwrap().iter();
        moves.map(|candidate| candidate["move"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let (all, by_book) = (candidates(&[]), candidates(&["--book", book.to_str().unwrap()]));
    assert!(all.contains(&"g7".to_owned()) && by_book.len() > 20, "{all:?} {by_book:?}");
    assert!(!by_book.contains(&"g7".to_owned()), "{by_book:?}");
}
