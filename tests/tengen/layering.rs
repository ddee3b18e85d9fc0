//! Which module may use which, how long a file may be, and that the map in `src/lib.rs` matches the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Users of the library from outside.
const BINARIES: &[&str] = &["main", "bin"];

/// The modules of the arena, in order: each uses only those before it.
const ARENA_MODULES: [&str; 7] = ["config", "journal", "stats", "game", "schedule", "report", "contest"];

/// The streams of the process. The binary passes them to the protocol, and no other module touches them. The arena owns
/// the streams of the engines it starts.
const STREAMS: [&str; 7] = ["stdin", "stdout", "stderr", "print!", "println!", "eprint!", "eprintln!"];

/// The maximum number of lines of a file in `src`, without its tests.
const LONGEST: usize = 400;

/// The maximum number of lines of any file.
const LONGEST_WITH_TESTS: usize = 500;

/// The layers of the library and the absences between modules, as the table in `src/lib.rs` states them.
struct Layers {
    /// The layer of each module. A module uses only modules of earlier layers.
    layers: BTreeMap<String, usize>,
    /// Modules that a module must never use, even where the layers allow it.
    absences: BTreeSet<(String, String)>,
    /// Words that must not occur in the code of modules below this layer.
    words: Vec<(usize, String)>,
}

impl Layers {
    /// Reads rows such as `//! | [`a`], [`b`] | what they own | [`c`] | `WORD` |`, one layer a row.
    fn read() -> Self {
        let page = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
        let (_, table) =
            page.split_once("| module | owns | must never use | its own words |").expect("a table of modules");
        let rows = table.lines().skip(2).take_while(|line| line.starts_with("//! |"));
        let (mut layers, mut absences, mut words) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        for (layer, row) in rows.enumerate() {
            let columns: Vec<_> = row.split('|').collect();
            for module in linked(columns[1]) {
                absences.extend(linked(columns[3]).into_iter().map(|never| (module.clone(), never)));
                layers.insert(module, layer);
            }
            words.extend(columns[4].split('`').skip(1).step_by(2).map(|word| (layer, word.to_owned())));
        }
        Self { layers, absences, words }
    }

    fn of(&self, module: &str) -> usize {
        *self.layers.get(module).unwrap_or_else(|| panic!("{module} is not in the table of src/lib.rs"))
    }
}

/// The names in links such as [`board`] or [`mod@bench`].
fn linked(column: &str) -> Vec<String> {
    let links = column.split("[`").skip(1).filter_map(|rest| rest.split("`]").next());
    links.map(|name| name.trim_start_matches("mod@").to_owned()).collect()
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files below a folder of the project, and their texts.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut folders = vec![root().join(folder)];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if entry.is_dir() {
                folders.push(entry);
            } else if entry.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&entry).unwrap();
                files.push((entry.strip_prefix(root()).unwrap().to_owned(), text));
            }
        }
    }
    files
}

/// The module of a file: the first name below `src`.
fn module(file: &Path) -> String {
    let name = file.components().nth(1).unwrap().as_os_str().to_str().unwrap();
    name.trim_end_matches(".rs").to_owned()
}

/// The files of the library.
fn library() -> Vec<(PathBuf, String)> {
    let is_module = |file: &Path| module(file) != "lib" && !BINARIES.contains(&module(file).as_str());
    sources("src").into_iter().filter(|(file, _)| is_module(file)).collect()
}

/// The lines that are not comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// The modules named in a line of code.
fn modules_named(line: &str) -> impl Iterator<Item = &str> {
    line.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

#[test]
fn a_module_uses_modules_of_the_layers_before_its_own() {
    let layers = Layers::read();
    let mut uses = 0;
    for (file, text) in library() {
        let module = module(&file);
        for named in code(&text).flat_map(modules_named) {
            uses += 1;
            let is_allowed = named == module || layers.of(named) < layers.of(&module);
            assert!(is_allowed, "{}: {module} uses {named}", file.display());
            let is_absent = !layers.absences.contains(&(module.clone(), named.to_owned()));
            assert!(is_absent, "{}: {module} must never use {named}", file.display());
        }
        for (_, path) in
            code(&text).filter(|_| module == "arena").filter_map(|line| line.split_once("crate::protocol::"))
        {
            // The numbers of rules, and constants.
            let is_known = path.starts_with("rule_number::") || !path.contains(char::is_lowercase);
            assert!(is_known, "{}: the arena uses more of the protocol: {path}", file.display());
        }
    }
    assert!(uses > 50, "{uses} uses seen: is the source read?");
    assert!(layers.absences.len() > 10, "{:?}: is the table read?", layers.absences);
}

/// Whether a line contains a word, or an identifier that begins with it.
fn says(line: &str, word: &str) -> bool {
    let is_start = |before: &str| !before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(place, _)| is_start(&line[..place]))
}

#[test]
fn a_module_never_uses_the_words_of_later_layers() {
    let layers = Layers::read();
    assert!(layers.words.len() >= 3, "{:?}: is the table read?", layers.words);
    for (file, text) in library() {
        let own = layers.of(&module(&file));
        for (_, word) in layers.words.iter().filter(|(layer, _)| own < *layer) {
            let line = code(&text).find(|line| says(line, word));
            assert_eq!(line, None, "{} says {word}", file.display());
        }
    }
}

#[test]
fn only_the_command_lines_use_anyhow() {
    for (file, text) in library().into_iter().filter(|(file, _)| module(file) != "cli") {
        assert_eq!(code(&text).find(|line| says(line, "anyhow")), None, "{}", file.display());
    }
}

/// Comparisons of a rule with a variant, and `matches!` on variants, in a text without comments.
fn silent_rules(text: &str) -> Vec<&str> {
    let is_variant = |rest: &str| !rest.starts_with("ALL") && rest.starts_with(|c: char| c.is_ascii_uppercase());
    let found = text.match_indices("Rule::").filter(|(place, name)| is_variant(&text[place + name.len()..]));
    let found = found.filter(|(place, name)| {
        let before = text[..*place].trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == ':').trim_end();
        let rest = &text[place + name.len()..];
        let after = rest.trim_start_matches(|c: char| c.is_alphanumeric()).trim_start();
        let is_matched = before.rsplit_once("matches!(").is_some_and(|(_, inside)| !inside.contains([';', '{']));
        ["==", "!=", "let"].iter().any(|sign| before.ends_with(sign))
            || after.starts_with(['=', '!']) && !after.starts_with("=>")
            || is_matched
    });
    found
        .map(|(place, _)| text[..place].rfind('\n').map_or(text, |line| &text[line + 1..]).lines().next().unwrap())
        .collect()
}

#[test]
fn a_rule_is_asked_by_its_methods_or_matched_whole() {
    for text in
        ["a == Rule::Renju", "Rule::Caro != a", "matches!(a, board::Rule::Caro | Rule::Renju)", "if let Rule::Caro = a"]
    {
        assert!(!silent_rules(text).is_empty(), "{text}");
    }
    assert_eq!(silent_rules("match a { Rule::Caro => 1, Rule::Renju | Rule::Freestyle => f(Rule::ALL) }"), [""; 0]);
    for (file, text) in sources("src").into_iter().filter(|(file, _)| !file.ends_with("board/rule.rs")) {
        let is_tests = file.ends_with("tests.rs");
        let text = text.split("#[cfg(test)]\nmod tests").next().unwrap();
        let code = code(text).collect::<Vec<_>>().join("\n");
        assert!(is_tests || silent_rules(&code).is_empty(), "{}: {:?}", file.display(), silent_rules(&code));
    }
}

/// The arena modules named by a line of code in `file`.
fn arena_modules_named(file: &Path, line: &str) -> Vec<&'static str> {
    // `super` refers to another module of the arena only in `arena/MODULE/mod.rs`.
    let is_root = file.ends_with("mod.rs") && file.components().count() == 4;
    let prefixes = if is_root { &["crate::arena::", "super::"][..] } else { &["crate::arena::"] };
    let paths = prefixes.iter().flat_map(|prefix| line.split(prefix).skip(1));
    paths.filter_map(|path| ARENA_MODULES.into_iter().find(|module| path.starts_with(&format!("{module}::")))).collect()
}

#[test]
fn a_module_of_the_arena_uses_those_before_it() {
    let place = |module: &str| ARENA_MODULES.iter().position(|other| *other == module);
    let mut uses = 0;
    for (file, text) in library().into_iter().filter(|(file, _)| file.starts_with("src/arena")) {
        let Some(own) = file.components().nth(2).and_then(|module| place(module.as_os_str().to_str()?)) else {
            continue;
        };
        for named in code(&text).flat_map(|line| arena_modules_named(&file, line)) {
            uses += 1;
            assert!(place(named).is_some_and(|place| place <= own), "{} uses {named}", file.display());
        }
    }
    assert!(uses > 20, "{uses} uses seen: is the source read?");
}

#[test]
fn only_the_binaries_have_the_streams_of_the_process() {
    for (file, text) in library().into_iter().filter(|(file, _)| !["arena", "cli"].contains(&&*module(file))) {
        for line in code(&text) {
            let stream = STREAMS.into_iter().find(|stream| line.contains(stream));
            assert_eq!(stream, None, "{}: {line}", file.display());
        }
    }
}

/// The folders and files of modules that only the feature `programs` compiles, without `.rs`.
fn of_programs() -> Vec<PathBuf> {
    let gate = "#[cfg(feature = \"programs\")]\n";
    let mut gated = Vec::new();
    for (file, text) in sources("src") {
        for line in text.split(gate).skip(1).filter_map(|rest| rest.lines().next()) {
            let name = line.trim_start_matches("pub ").strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'));
            gated.extend(name.map(|name| file.parent().unwrap().join(name)));
        }
    }
    gated
}

#[test]
fn what_compiles_for_a_browser_has_its_clock_and_threads_from_platform() {
    let gated = of_programs();
    assert!(gated.contains(&PathBuf::from("src/cli")) && gated.len() > 8, "{gated:?}: is the source read?");
    for (file, text) in library().into_iter().filter(|(file, _)| module(file) != "platform") {
        let is_gated = gated.iter().any(|gated| file.starts_with(gated) || file.with_extension("") == *gated);
        if is_gated || file.ends_with("tests.rs") {
            continue;
        }
        let text = text.split("#[cfg(test)]").next().unwrap();
        let names = |line: &&str| {
            let is_clock = line.contains("std::time::") && line.contains("Instant") || line.contains("SystemTime");
            is_clock || line.contains("thread::spawn") || line.contains("available_parallelism")
        };
        assert_eq!(code(text).find(names), None, "{}", file.display());
    }
}

#[test]
fn files_stay_short_and_finished() {
    // Written in two halves, so that this file does not contain the text itself.
    let unfinished = ["todo", "unimplemented"].map(|word| format!("{word}!"));
    for (file, text) in ["src", "tests", "benches", "examples"].into_iter().flat_map(sources) {
        let lines = text.lines().count();
        assert!(lines <= LONGEST_WITH_TESTS, "{} has {lines} lines", file.display());
        let without_tests = text.lines().take_while(|line| !line.starts_with("#[cfg(test)]")).count();
        // Files that contain only tests are exempt from the limit for sources.
        let is_short = without_tests <= LONGEST || !file.starts_with("src") || file.ends_with("tests.rs");
        assert!(is_short, "{} has {without_tests} lines without its tests", file.display());
        assert!(!unfinished.iter().any(|word| text.contains(word)), "{} is unfinished", file.display());
    }
}

#[test]
fn every_file_of_the_library_is_a_module() {
    let texts: BTreeMap<_, _> = sources("src").into_iter().collect();
    for file in library().into_iter().map(|(file, _)| file) {
        // `mod.rs` is the module of its folder.
        let path = if file.ends_with("mod.rs") { file.parent().unwrap() } else { &file };
        let (folder, name) = (path.parent().unwrap(), path.file_stem().unwrap().to_str().unwrap());
        let parents = [folder.join("mod.rs"), folder.join("lib.rs"), folder.with_extension("rs")];
        let declaration = format!("mod {name};");
        let is_declared = |text: &String| text.lines().any(|line| line.ends_with(&declaration));
        let is_module = parents.iter().filter_map(|parent| texts.get(parent)).any(is_declared);
        assert!(is_module, "{} is not part of any module", file.display());
    }
}

#[test]
fn the_map_of_the_architecture_page_is_the_tree() {
    let page = std::fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let (_, map) = page.split_once("//! src/\n").expect("a map of src");
    let lines = map.lines().take_while(|line| line.starts_with("//!   "));
    let entries = lines.flat_map(|line| {
        let names = line.trim_start_matches("//!").trim_start();
        // The names end at the first two blanks; their description follows.
        let names = names.split("  ").next().unwrap_or(names);
        names.split(", ").map(str::to_owned).collect::<Vec<_>>()
    });
    let drawn: BTreeSet<_> = entries.collect();
    let entries = std::fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap());
    let is_folder = |entry: &std::fs::DirEntry| entry.file_type().unwrap().is_dir();
    let name = |entry: std::fs::DirEntry| {
        let slash = if is_folder(&entry) { "/" } else { "" };
        format!("{}{slash}", entry.file_name().to_str().unwrap())
    };
    assert_eq!(drawn, entries.map(name).collect());
}
