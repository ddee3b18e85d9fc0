//! The pages of the project print what the programs print: each command behind a `$` is run.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use tengen::eval::EvaluationName;
use tengen::picker::PickerName;

use super::arena::{Folder, stdout};

/// Words of the commands whose answer hangs on the clock, or that take too long here.
const NOT_RUN: [&str; 3] = ["timeout_turn 1000\\nSWAP2BOARD", "--time ", "pbrain-tengen-search bench |"];

/// A command of a page, and what the page says that it prints.
struct Example {
    command: String,
    output: Vec<String>,
}

/// The examples of a page: indented lines, of which the first begins with `$`. A command goes on behind a `\`.
fn examples(page: &str) -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    let mut is_example = false;
    for line in page.lines() {
        let text = line.strip_prefix("    ");
        if let Some(command) = text.and_then(|text| text.strip_prefix("$ ")) {
            examples.push(Example { command: command.to_owned(), output: Vec::new() });
            is_example = true;
            continue;
        }
        is_example &= text.is_some() || line.is_empty();
        let Some(example) = examples.last_mut().filter(|_| is_example) else { continue };
        if example.command.ends_with('\\') {
            example.command = format!("{}\n{}", example.command, text.unwrap_or_default());
        } else {
            example.output.push(text.unwrap_or_default().to_owned());
        }
    }
    for example in &mut examples {
        let length = example.output.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        example.output.truncate(length);
    }
    examples
}

/// A line without what differs from run to run: times, speeds and where a program lies.
fn lasting(line: &str) -> String {
    let words: Vec<_> = line.split(' ').collect();
    let is_clocked = |at: usize| {
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        matches!(before, "n/ms" | "tm" | "time" | "SPEED") || words.get(at + 1) == Some(&"nps")
    };
    let lasting = words.iter().enumerate().map(|(at, word)| match word.rsplit_once('/') {
        _ if is_clocked(at) => "…",
        Some((_, file @ "tengen.toml:")) => file,
        _ => word,
    });
    lasting.collect::<Vec<_>>().join(" ").trim_end().to_owned()
}

#[test]
fn the_examples_print_what_the_pages_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let programs = Path::new(env!("CARGO_BIN_EXE_pbrain-tengen")).parent().unwrap();
    let folder = Folder::new();
    fs::create_dir(folder.0.join("target")).unwrap();
    symlink(programs, folder.0.join("target/release")).unwrap();
    symlink(root.join("protocol-samples"), folder.0.join("protocol-samples")).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let pages = docs.chain([root.join("README.md"), root.join("protocol-samples/README.md")]);
    let mut run = 0;
    let mut stale = String::new();
    for page in pages.filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        for Example { command, output } in examples(&fs::read_to_string(&page).unwrap()) {
            if NOT_RUN.iter().any(|words| command.contains(words)) {
                continue;
            }
            let words = command.replace("cargo run --release -q", "pbrain-tengen");
            let ran =
                Command::new("sh").args(["-c", &words]).current_dir(&folder.0).env("PATH", &path).output().unwrap();
            let printed: Vec<_> = stdout(&ran).lines().map(lasting).collect();
            if printed != output.iter().map(|line| lasting(line)).collect::<Vec<_>>() {
                let (printed, errors) = (stdout(&ran), String::from_utf8_lossy(&ran.stderr));
                stale.push_str(&format!("{}: {command}\n{printed}{errors}\n", page.display()));
            }
            run += 1;
        }
    }
    assert!(stale.is_empty(), "these print something else:\n{stale}");
    assert!(run >= 15, "{run} examples were found");
}

/// The lines of a page that hold a pipe from `printf`.
fn pipes(page: &str) -> impl Iterator<Item = &str> {
    page.lines().filter(|line| line.contains("printf '") && line.contains("| "))
}

#[test]
fn no_example_ends_a_search_before_its_move() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let docs = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut found = 0;
    for page in docs.chain([root.join("README.md")]).filter(|page| page.extension().is_some_and(|kind| kind == "md")) {
        let text = fs::read_to_string(&page).unwrap();
        for line in pipes(&text) {
            assert!(!line.contains("\\nEND\\n'"), "{}: {line}", page.display());
            found += 1;
        }
    }
    assert!(found >= 5, "{found} pipes were found");
}

#[test]
fn the_settings_of_the_page_are_those_of_the_program() {
    let page = include_str!("../../docs/protocol.md");
    let (_, file) = page.split_once("## A file of settings").unwrap();
    let (file, printed) = file.split_once("pbrain-tengen-search config").unwrap();
    let keys = |text: &str| -> Vec<String> {
        let settings = text.lines().filter_map(|line| line.strip_prefix("    ").unwrap_or(line).split_once(" = "));
        let mut keys: Vec<_> = settings.map(|(key, _)| key.to_owned()).filter(|key| !key.contains(' ')).collect();
        keys.sort();
        keys
    };
    let config = Command::new(env!("CARGO_BIN_EXE_pbrain-tengen-search")).arg("config").output().unwrap();
    let in_force = keys(&stdout(&config));
    assert!(in_force.len() >= 7, "{in_force:?}");
    assert_eq!(keys(file), in_force);
    assert_eq!(keys(printed.split("## ").next().unwrap()), in_force);
    let names = PickerName::ALL.map(|name| name.to_string()).into_iter();
    for name in names.chain(EvaluationName::ALL.map(|name| name.to_string())) {
        for (text, text_name) in
            [(file, "docs/protocol.md"), (include_str!("../../package/tengen.toml"), "tengen.toml")]
        {
            assert!(text.contains(&name), "{text_name} does not name {name}");
        }
    }
}

#[test]
fn every_info_key_stands_in_the_table_of_the_protocol() {
    let (_, reader) = include_str!("../../src/protocol/info.rs").split_once("match ").unwrap();
    let page = include_str!("../../docs/protocol.md");
    let keys = reader.lines().filter_map(|line| line.trim().strip_prefix('"')?.split_once("\" =>"));
    let keys: Vec<_> = keys.map(|(key, _)| key.to_ascii_lowercase()).collect();
    assert!(keys.len() >= 15, "{keys:?}");
    for key in keys {
        assert!(page.contains(&format!("| `{key}` |")), "{key}");
    }
}
