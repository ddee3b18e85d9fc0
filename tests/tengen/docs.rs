//! The pages of the project are correct: commands after a `$` are run, and paths, links and settings are checked.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use strum::VariantNames;
use tengen::picker::{JudgeName, PickerName};

use super::arena::{Folder, stdout};

/// Parts of commands that are not run, because their output depends on the clock or they take too long.
const NOT_RUN: [&str; 3] = ["timeout_turn 1000\\nSWAP2BOARD", "--time ", "pbrain-tengen-search bench |"];

/// The folder of the package.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every page of the project and its text.
fn pages() -> Vec<(PathBuf, String)> {
    let folders = ["", "docs", "docs/lab", "examples", "protocol-samples"].map(|folder| root().join(folder));
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    let pages = entries.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let mut pages: Vec<_> = pages.map(|page| (page.clone(), fs::read_to_string(page).unwrap())).collect();
    pages.sort();
    assert!(pages.len() >= 20, "{} pages were found", pages.len());
    pages
}

/// A command of a page, and the output that the page shows.
struct Example {
    command: String,
    output: Vec<String>,
}

/// The examples of a page: indented blocks whose first line begins with `$`. A `\` continues a command.
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

/// A line without the parts that vary between runs: times, speeds and the folders of settings.
fn lasting(line: &str) -> String {
    let words: Vec<_> = line.split(' ').collect();
    let is_clocked = |at: usize| {
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        matches!(before, "n/ms" | "tm" | "time" | "SPEED") || words.get(at + 1) == Some(&"nps")
    };
    let lasting = words.iter().enumerate().map(|(at, word)| match word.rsplit_once('/') {
        _ if is_clocked(at) => "…",
        Some((_, file @ ("tengen.toml" | "tengen.toml,"))) => file,
        _ => word,
    });
    lasting.collect::<Vec<_>>().join(" ").trim_end().to_owned()
}

#[test]
fn the_examples_print_what_the_pages_show() {
    let programs = Path::new(env!("CARGO_BIN_EXE_pbrain-tengen")).parent().unwrap();
    let folder = Folder::new();
    fs::create_dir(folder.0.join("target")).unwrap();
    symlink(programs, folder.0.join("target/release")).unwrap();
    symlink(root().join("protocol-samples"), folder.0.join("protocol-samples")).unwrap();
    let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap());
    let mut run = 0;
    let mut stale = String::new();
    for (page, text) in pages() {
        for Example { command, output } in examples(&text) {
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
    assert!(stale.is_empty(), "these commands print something else:\n{stale}");
    assert!(run >= 15, "{run} examples were found");
}

/// The lines of a page that contain a pipe from `printf`.
fn pipes(page: &str) -> impl Iterator<Item = &str> {
    page.lines().filter(|line| line.contains("printf '") && line.contains("| "))
}

#[test]
fn no_example_ends_a_search_before_its_move() {
    let mut found = 0;
    for (page, text) in pages() {
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
    for name in PickerName::VARIANTS.iter().chain(JudgeName::VARIANTS) {
        for (text, text_name) in
            [(file, "docs/protocol.md"), (include_str!("../../package/tengen.toml"), "tengen.toml")]
        {
            assert!(text.contains(name), "{text_name} does not name {name}");
        }
    }
}

#[test]
fn every_page_that_a_comment_names_exists() {
    let mut folders = ["src", "tests/tengen", "benches", "examples"].map(|folder| root().join(folder)).to_vec();
    let mut found = 0;
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let comments = text.lines().filter_map(|line| Some(line.split_once("//")?.1));
                for word in comments.flat_map(str::split_whitespace) {
                    let page = word.trim_matches(|character: char| !character.is_alphanumeric());
                    let page = page.split('#').next().unwrap_or_default();
                    if page.starts_with("docs/") {
                        assert!(root().join(page).exists(), "{}: {page}", path.display());
                        found += 1;
                    }
                }
            }
        }
    }
    assert!(found >= 3, "{found} pages were found");
}

#[test]
fn every_path_that_a_page_names_exists() {
    let is_of_path = |character: char| character.is_ascii_alphanumeric() || "_-./".contains(character);
    let mut found = 0;
    for (page, text) in pages().into_iter().filter(|(page, _)| !page.ends_with("CHANGELOG.md")) {
        for code in text.split('`').skip(1).step_by(2).filter(|code| code.chars().all(is_of_path)) {
            let tops = ["src/", "tests/", "docs/", "examples/", "package/", "protocol-samples/"];
            let is_path = tops.iter().any(|top| code.starts_with(top));
            assert!(!is_path || root().join(code).exists(), "{}: {code}", page.display());
            found += usize::from(is_path);
        }
    }
    assert!(found >= 30, "{found} paths were found");
}

/// The anchor of a heading, as forges derive it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|&character| character.is_alphanumeric() || " -_".contains(character));
    kept.map(|character| if character == ' ' { '-' } else { character }).collect()
}

#[test]
fn every_link_of_a_page_has_a_target() {
    let mut found = 0;
    for (page, text) in pages() {
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.contains("://") {
                continue;
            }
            let (file, name) = target.split_once('#').unwrap_or((target, ""));
            let path = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(path.exists(), "{}: {target}", page.display());
            if !name.is_empty() {
                let text = fs::read_to_string(&path).unwrap();
                let mut headings =
                    text.lines().filter_map(|line| Some(anchor(line.strip_prefix('#')?.trim_start_matches('#'))));
                assert!(headings.any(|heading| heading == name), "{}: {target}", page.display());
            }
            found += 1;
        }
    }
    assert!(found >= 50, "{found} links were found");
}

#[test]
fn the_readme_can_be_read_in_five_minutes() {
    let lines = include_str!("../../README.md").lines().count();
    assert!(lines <= 150, "{lines} lines");
}

/// The maximum line length of a page, in characters.
const LONGEST_LINE: usize = 120;

#[test]
fn the_lines_of_the_pages_fit_a_screen() {
    for (page, text) in pages() {
        for (number, line) in (1..).zip(text.lines()) {
            assert!(line.chars().count() <= LONGEST_LINE, "{}:{number}: {line}", page.display());
        }
    }
}
