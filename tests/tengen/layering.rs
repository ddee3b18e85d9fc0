//! What may use what, how large a file may grow, and that the README's map is the tree.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The rooms of the library from the ground up: a room uses rooms of the floors below its own, and no others.
const FLOORS: [&[&str]; 12] = [
    &["rng", "score"],
    &["board"],
    &["notation"],
    &["threat"],
    &["weights", "eval"],
    &["position"],
    &["solver"],
    &["opening"],
    &["picker"],
    &["protocol"],
    &["explain", "bench", "tune", "arena"],
    BINARIES,
];

/// What is no room of the library: it uses the library from outside.
const BINARIES: &[&str] = &["main", "bin", "engine"];

/// The only rooms that may use these: whatever a referee knows, it does not know who picks.
const ARENA_USES: &[&str] = &["arena", "board", "notation", "opening", "rng"];

/// The modules of the arena: one uses those before it.
const ARENA_MODULES: [&str; 7] = ["config", "record", "stats", "game", "schedule", "report", "contest"];

/// Streams of the process: the protocol is given its streams by the binary, and nothing else has any. The arena has
/// those of the engines that it starts.
const STREAMS: [&str; 7] = ["stdin", "stdout", "stderr", "print!", "println!", "eprint!", "eprintln!"];

/// Lines of a file at the most.
const LONGEST: usize = 500;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The Rust files below a folder of the project, with their texts.
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

/// The room of a file: the first name below `src`.
fn room(file: &Path) -> String {
    let name = file.components().nth(1).unwrap().as_os_str().to_str().unwrap();
    name.trim_end_matches(".rs").to_owned()
}

/// The files of the library's rooms.
fn library() -> Vec<(PathBuf, String)> {
    let is_room = |file: &Path| room(file) != "lib" && !BINARIES.contains(&room(file).as_str());
    sources("src").into_iter().filter(|(file, _)| is_room(file)).collect()
}

/// The text without whole lines of comment.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| !line.trim_start().starts_with("//"))
}

/// The rooms that a line of code names.
fn rooms_named(line: &str) -> impl Iterator<Item = &str> {
    line.split("crate::").skip(1).map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        &rest[..end]
    })
}

fn floor(room: &str) -> usize {
    FLOORS.iter().position(|floor| floor.contains(&room)).unwrap_or_else(|| panic!("{room} has no floor"))
}

#[test]
fn a_room_uses_rooms_on_the_floors_below_it() {
    let mut uses = 0;
    for (file, text) in library() {
        let room = room(&file);
        for named in code(&text).flat_map(rooms_named) {
            uses += 1;
            assert!(named == room || floor(named) < floor(&room), "{}: {room} uses {named}", file.display());
            assert!(room != "arena" || ARENA_USES.contains(&named), "{}: the arena uses {named}", file.display());
        }
    }
    assert!(uses > 50, "{uses} uses seen: is the source read?");
}

/// The modules of the arena that a line of code names in `file`.
fn arena_modules_named(file: &Path, line: &str) -> Vec<&'static str> {
    // Only from `arena/MODULE/mod.rs` is another module one step up.
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
    for (file, text) in library().into_iter().filter(|(file, _)| room(file) != "arena") {
        for line in code(&text) {
            let stream = STREAMS.into_iter().find(|stream| line.contains(stream));
            assert_eq!(stream, None, "{}: {line}", file.display());
        }
    }
}

#[test]
fn files_stay_short_and_whole() {
    // Spelled in two halves, or this file would be the first offender.
    let unfinished = ["todo", "unimplemented"].map(|word| format!("{word}!"));
    for (file, text) in ["src", "tests", "benches"].into_iter().flat_map(sources) {
        let lines = text.lines().count();
        assert!(lines <= LONGEST, "{} has {lines} lines", file.display());
        assert!(!unfinished.iter().any(|word| text.contains(word)), "{} is unfinished", file.display());
    }
}

#[test]
fn the_map_of_the_readme_is_the_tree() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let (_, map) = readme.split_once("\n    src/").expect("a map of src");
    let names = map.lines().skip(1).take_while(|line| line.starts_with("    ")).filter_map(|line| {
        // Entries of src itself are indented once more.
        let entry = line.strip_prefix("      ")?;
        (!entry.starts_with(' ')).then(|| entry.split_whitespace().next())?
    });
    let drawn: BTreeSet<_> = names.map(str::to_owned).collect();
    let entries = std::fs::read_dir(root().join("src")).unwrap().map(|entry| entry.unwrap());
    let is_folder = |entry: &std::fs::DirEntry| entry.file_type().unwrap().is_dir();
    let name = |entry: std::fs::DirEntry| {
        let slash = if is_folder(&entry) { "/" } else { "" };
        format!("{}{slash}", entry.file_name().to_str().unwrap())
    };
    assert_eq!(drawn, entries.map(name).collect());
}
