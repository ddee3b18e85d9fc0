//! The files of the page: their imports, and the texts in both languages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use tengen::web::page_files::{FILES, REPORT_FILES};

use super::Server;

fn file(path: &str) -> &'static str {
    FILES.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path} is not served")).text
}

/// The paths of the modules that a module imports.
fn imports(path: &str) -> Vec<String> {
    let words = file(path).split(" from \"").skip(1).filter_map(|rest| rest.split('"').next());
    words
        .map(|word| {
            let mut parts: Vec<_> = path.split('/').collect();
            parts.pop();
            for part in word.split('/').filter(|&part| part != ".") {
                if part == ".." {
                    parts.pop();
                } else {
                    parts.push(part);
                }
            }
            parts.join("/")
        })
        .collect()
}

#[test]
fn the_page_and_all_that_it_loads_are_served_by_the_program() {
    let server = Server::start(&[]);
    let host = format!("Host: {}", server.host);
    // The names are relative, because a page without a server may lie in any folder.
    let is_name = |word: &&str| [".css", ".js", ".svg"].iter().any(|ending| word.ends_with(ending));
    let mut open: Vec<_> = file("/index.html").split('"').filter(is_name).map(|name| format!("/{name}")).collect();
    let mut loaded = BTreeSet::from(["/index.html".to_owned()]);
    while let Some(path) = open.pop() {
        if loaded.insert(path.clone()) {
            let answer = server.http(&[&format!("GET {path} HTTP/1.1"), &host]);
            assert!(answer.starts_with("HTTP/1.1 200"), "{path}");
            assert!(!path.ends_with(".js") || answer.contains("text/javascript"), "{path} has another type");
            open.extend(imports(&path));
        }
    }
    let served: BTreeSet<_> = FILES.iter().map(|file| file.path.to_owned()).collect();
    assert_eq!(loaded, served, "every file is loaded");
    for file in FILES {
        let is_elsewhere = |word: &str| word.starts_with("http") && !word.starts_with("http://www.w3.org/2000/svg");
        assert!(!file.text.split(['"', '\'', '`', '(']).any(is_elsewhere), "{} loads from elsewhere", file.path);
    }
}

/// The paths of the files below a folder, without those of `root`.
fn paths(root: &Path, folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let paths = entries.flat_map(|path| match path.is_dir() {
        true => paths(root, &path),
        false => vec![format!("/{}", path.strip_prefix(root).unwrap().display()).replace('\\', "/")],
    });
    paths.collect()
}

#[test]
fn every_file_of_the_folder_is_part_of_the_page_or_of_the_report() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/page");
    let folder: BTreeSet<_> = paths(&root, &root).into_iter().collect();
    let listed: BTreeSet<_> = FILES.iter().chain(REPORT_FILES).map(|file| file.path.to_owned()).collect();
    assert_eq!(folder, listed);
}

/// The keys of the table of texts, each with both texts.
fn texts() -> BTreeMap<String, (String, String)> {
    let (_, table) = file("/texts.js").split_once("const TEXTS = {\n").unwrap();
    let (table, _) = table.split_once("\n};").unwrap();
    // A long row spans several lines.
    let table = table.replace("[\n    \"", "[\"").replace("\",\n    \"", "\", \"").replace("\",\n  ],", "\"],");
    let row = |line: &str| {
        let (key, texts) = line.trim().strip_suffix("],")?.split_once(": [")?;
        let (english, chinese) = texts.strip_prefix('"')?.strip_suffix('"')?.split_once("\", \"")?;
        Some((key.trim_matches('"').to_owned(), (english.to_owned(), chinese.to_owned())))
    };
    let is_comment = |line: &&str| !line.trim_start().starts_with("//");
    let rows = table.lines().filter(is_comment);
    rows.map(|line| row(line).unwrap_or_else(|| panic!("{line} is not a row"))).collect()
}

#[test]
fn every_text_exists_in_both_languages_with_the_same_placeholders() {
    let texts = texts();
    assert!(texts.len() > 150, "{}: is the table read?", texts.len());
    for (key, (english, chinese)) in &texts {
        assert!(!english.is_empty() && !chinese.is_empty(), "{key}");
        let places = |text: &str| (0..9).filter(|place| text.contains(&format!("{{{place}}}"))).collect::<Vec<_>>();
        assert_eq!(places(english), places(chinese), "{key}");
    }
}

/// Keys built from names that the server sends: pickers, rules, shapes, directions, origins of results.
const NAMED: [&str; 22] = [
    "search",
    "mcts",
    "freestyle",
    "standard",
    "renju",
    "caro",
    "caro_overline",
    "five",
    "four-three",
    "four",
    "three",
    "two",
    "one",
    "overline",
    "dead",
    "horizontal",
    "vertical",
    "diagonal",
    "antidiagonal",
    "claimed",
    "derived",
    "proved",
];

#[test]
fn every_text_used_is_in_the_table_and_every_row_is_used() {
    let texts = texts();
    let is_table = |path: &str| path == "/texts.js";
    let files = FILES.iter().chain(REPORT_FILES).filter(|file| !is_table(file.path));
    let sources: Vec<_> = files.map(|file| file.text).collect();
    for source in &sources {
        // A call t("…"), or text("…") in the actions, but not the end of another name as in getContext("2d").
        let is_call = |before: &str| {
            let before = before.strip_suffix("actions.tex").unwrap_or(before);
            !before.ends_with(|sign: char| sign.is_ascii_alphanumeric())
        };
        let pieces: Vec<_> = source.split("t(\"").collect();
        let of_code = pieces.windows(2).filter(|pair| is_call(pair[0])).map(|pair| pair[1]);
        let of_page = source.split("data-t=\"").skip(1).chain(source.split("data-t-label=\"").skip(1));
        for key in of_code.chain(of_page).filter_map(|rest| rest.split('"').next()) {
            let is_key = key.chars().all(|sign| sign.is_ascii_alphanumeric());
            assert!(!is_key || texts.contains_key(key), "{key:?} is not in the table");
        }
    }
    for key in texts.keys() {
        // A key of several words may be put together: `why ${fact}`. A continuous game has texts of its own.
        let key = key.strip_suffix(" continuous").unwrap_or(key);
        let is_composed = key.match_indices(' ').any(|(end, _)| {
            let start = format!("`{} ${{", &key[..end]);
            sources.iter().any(|text| text.contains(&start))
        });
        let is_named = is_composed
            || NAMED.contains(&key)
            || ["short ", "open ", "double ", "save "].iter().any(|start| key.starts_with(start));
        let is_used =
            sources.iter().any(|text| text.contains(&format!("\"{key}\"")) || text.contains(&format!("{key}:")));
        assert!(is_named || is_used, "{key} is used nowhere");
    }
}
