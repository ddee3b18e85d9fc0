//! The settings file: beside the program, in the folder of the user.

use std::env::consts::EXE_SUFFIX;
use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tengen::board::Rule;

use super::engine::Program;
use crate::library::book::{result, write_book};

/// A copy of an engine in its own folder, with a settings file.
struct Installed(PathBuf);

impl Installed {
    fn new(program: Program, name: &str, settings: Option<&str>) -> Self {
        let folder = std::env::temp_dir().join(format!("tengen {name} {program:?} {}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let installed = Self(folder);
        std::fs::copy(program.path(), installed.path()).unwrap();
        if let Some(settings) = settings {
            std::fs::write(installed.0.join("tengen.toml"), settings).unwrap();
        }
        installed
    }

    fn path(&self) -> PathBuf {
        self.0.join(format!("engine{EXE_SUFFIX}"))
    }

    /// The path of a file in the folder as the engine prints it. On Linux the engine's own path has its links resolved.
    fn named(&self, file: &str) -> PathBuf {
        let folder = if cfg!(target_os = "linux") { self.0.canonicalize().unwrap() } else { self.0.clone() };
        folder.join(file)
    }

    fn run(&self, arguments: &[&str], input: &str) -> Output {
        use std::io::Write;
        let mut command = Command::new(self.path());
        // The program's folder counts, not the current folder.
        command.args(arguments).env_remove("RUST_LOG").current_dir(std::env::temp_dir());
        command.env("XDG_CONFIG_HOME", self.0.join("settings")).env("XDG_DATA_HOME", self.0.join("data"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = loop {
            match command.spawn() {
                // If another test started a program while this copy was written, that process holds the file open for a
                // moment.
                Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
                child => break child.unwrap(),
            }
        };
        match child.stdin.take().unwrap().write_all(input.as_bytes()) {
            // The program has ended without reading its input.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
            written => written.unwrap(),
        }
        child.wait_with_output().unwrap()
    }

    fn lines(&self, arguments: &[&str], input: &str) -> Vec<String> {
        let output = self.run(arguments, input);
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
    }
}

impl Drop for Installed {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const WEIGHTS: &str = "START 15\nWEIGHTS\nEND\n";

#[test]
fn the_file_sets_what_arguments_and_info_may_change() {
    for program in [Program::Greedy, Program::Search] {
        let engine = Installed::new(
            program,
            "file",
            Some("weights = \"runs\"\npicker = \"greedy\"\ncoordinates = \"numbers\"\n"),
        );
        let last = |arguments: &[&str], input: &str| engine.lines(arguments, input).pop().unwrap();
        assert_eq!(last(&[], WEIGHTS), "MESSAGE WEIGHTS END runs");
        assert_eq!(last(&["--weights", "counts"], WEIGHTS), "MESSAGE WEIGHTS END counts");
        assert_eq!(last(&[], &format!("INFO weights decimal\n{WEIGHTS}")), "MESSAGE WEIGHTS END decimal");
        let lines = engine.lines(&[], "START 15\nYXNBEST 1\nEND\n");
        assert!(lines[1].starts_with("MESSAGE rank 1 ") && lines[1].ends_with(" pv [7,7]"), "{lines:?}");
    }
}

#[test]
fn a_level_is_set_by_argument_file_and_info_and_greedy_has_none() {
    let engine = Installed::new(Program::Search, "level", None);
    let input = "START 15\nINFO timeout_turn 0\nBOARD\n7,7,2\n8,8,1\n9,7,2\nDONE\n";
    let last = |arguments: &[&str], input: &str| engine.lines(arguments, input).pop().unwrap();
    let moves = |seed: u32| {
        let with =
            |line: &str| format!("INFO level_seed {seed}\n{line}{}", input.replace("timeout_turn 0", "max_node 9"));
        let point = last(&["--level", "1"], &with(""));
        assert_eq!(last(&[], &with("INFO level 1\n")), point);
        assert_eq!(last(&[], &with("INFO strength 11\n")), point);
        // Values out of range are ignored, as any other of INFO.
        assert_eq!(last(&["--level", "1"], &with("INFO level 0\nINFO level 11\n")), point);
        point
    };
    assert!((0..6).map(moves).collect::<std::collections::BTreeSet<_>>().len() > 1);
    assert!(engine.lines(&["config", "--level", "3"], "").contains(&"level = 3               # --level".to_owned()));
    for value in ["0", "11", "x"] {
        assert_eq!(engine.run(&["--level", value], "").status.code(), Some(2), "{value}");
    }
    let greedy = Installed::new(Program::Greedy, "level", Some("level = 4\n"));
    let lines = greedy.lines(&[], "START 15\nBEGIN\n");
    assert_eq!(lines[1], "MESSAGE level 4 needs picker search; picker greedy has no levels");
}

#[test]
fn without_a_file_no_message_is_written() {
    let engine = Installed::new(Program::Search, "none", None);
    assert_eq!(engine.lines(&[], WEIGHTS).pop().unwrap(), "MESSAGE WEIGHTS END shapes");
    assert_eq!(engine.lines(&[], "START 15\nINFO max_node 100\nBEGIN\n"), ["OK", "7,7"]);
}

#[test]
fn an_error_in_the_file_is_one_message_before_the_first_move() {
    let engine = Installed::new(Program::Greedy, "error", Some("threads = 1\nweights = \"heavy\"\n"));
    let lines = engine.lines(&[], "ABOUT\nSTART 15\nBEGIN\nTURN 0,0\nEND\n");
    assert!(lines[0].starts_with("name=") && lines[1] == "OK", "{lines:?}");
    assert!(lines[2].starts_with("MESSAGE tengen.toml line 2: unknown weights"), "{lines:?}");
    assert_eq!((lines[3].as_str(), lines.len()), ("7,7", 5), "{lines:?}");
    // The bench reads no settings file.
    assert!(engine.run(&["bench", "--short"], "").stderr.is_empty());
}

#[test]
fn config_prints_each_setting_and_its_source() {
    let engine = Installed::new(Program::Search, "config", Some("memory = 64\nweights = \"runs\"\n"));
    let path = engine.named("tengen.toml");
    let lines = engine.lines(&["config", "--weights", "counts"], "");
    assert_eq!(lines[0], format!("# {}: read", path.display()));
    for line in [
        "picker = \"search\"       # default of this program",
        "weights = \"counts\"      # --weights",
        "memory = 64             # tengen.toml, MiB of the process",
    ] {
        assert!(lines.contains(&line.to_owned()), "{lines:?}");
    }
    let engine = Installed::new(Program::Search, "bad config", Some("memory = \"much\"\n"));
    let output = engine.run(&["config"], "");
    let (text, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("memory = 350            # default"), "{text}");
    assert!(error.starts_with("pbrain-tengen-search: tengen.toml line 1: "), "{error}");
}

#[test]
fn the_packaged_file_shows_every_setting_with_its_default() {
    let packaged = include_str!("../../../package/tengen.toml");
    let settings = |name, file: Option<&str>| {
        let mut lines = Installed::new(Program::Search, name, file).lines(&["config"], "");
        lines.remove(0);
        lines
    };
    let defaults = settings("no file", None);
    assert_eq!(settings("as packaged", Some(packaged)), defaults);
    let is_setting = |line: &&str| line.starts_with(|sign: char| sign.is_ascii_lowercase());
    let all: Vec<_> = packaged.lines().filter_map(|line| line.strip_prefix('#')).filter(is_setting).collect();
    let value = |line: &String| line.split_once('#').map(|(value, _)| value.trim().to_owned());
    let set = settings("all set", Some(&all.join("\n")));
    assert!(set.iter().all(|line| line.contains("# tengen.toml")), "{set:?}");
    assert_eq!(set.iter().map(value).collect::<Vec<_>>(), defaults.iter().map(value).collect::<Vec<_>>());
}

#[test]
fn a_book_in_the_file_lies_beside_it_and_one_that_is_not_read_ends_no_engine() {
    let engine = Installed::new(Program::Search, "book", Some("book = \"a book\"\nweights = \"runs\"\n"));
    let input = "START 15\nINFO rule 4\nINFO timeout_turn 0\nBOARD\n7,7,1\n8,6,2\nDONE\n";
    let lines = engine.lines(&[], input);
    assert!(lines[1].starts_with("MESSAGE tengen.toml: cannot read the book "), "{lines:?}");
    assert!(lines[1].ends_with("; the file sets nothing") && lines.len() == 3, "{lines:?}");
    assert_eq!(engine.lines(&[], WEIGHTS).pop().unwrap(), "MESSAGE WEIGHTS END shapes");
    let path = engine.named("a book");
    write_book(&path, Rule::Renju, &[("h8i9j10", result(false, 10))]);
    assert_eq!(engine.lines(&[], input), ["OK", "MESSAGE book ev +M11 moves 1 pv j10", "9,5"]);
    assert!(!engine.lines(&["--book", "off"], input).contains(&"9,5".to_owned()));
    let printed = engine.lines(&["config"], "");
    let line = format!("book = \"{}\" # tengen.toml", path.display());
    assert!(printed.contains(&line), "{printed:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_files_of_the_user_count_if_none_lies_beside_the_program() {
    let engine = Installed::new(Program::Search, "user", None);
    let lines = engine.lines(&["config"], "");
    let [beside, user] = ["tengen.toml", "settings/tengen/tengen.toml"].map(|file| engine.0.join(file));
    let found = format!("# not found: {}, {}, /etc/tengen/tengen.toml", beside.display(), user.display());
    assert_eq!(lines[0], found);

    let data = engine.0.join("data/tengen");
    std::fs::create_dir_all(&data).unwrap();
    std::fs::create_dir_all(user.parent().unwrap()).unwrap();
    write_book(&data.join("own.book"), Rule::Renju, &[("h8i9j10", result(false, 10))]);
    std::fs::copy(RENJU, data.join("own.net")).unwrap();
    std::fs::write(&user, "weights = \"counts\"\nbook = \"own.book\"\n").unwrap();
    let lines = engine.lines(&["config"], "");
    let book = format!("book = \"{}\" # tengen.toml", data.join("own.book").display());
    assert!(lines[0] == format!("# {}: read", user.display()) && lines.contains(&book), "{lines:?}");
    // Arguments are found too. A name with a folder means that folder.
    assert!(engine.run(&["--network", "own.net", "bench", "--short"], "").status.success());
    assert_eq!(engine.run(&["--network", "./own.net", "bench", "--short"], "").status.code(), Some(2));
    let book = format!("book = \"{}\" # --book", data.join("own.book").display());
    assert!(engine.lines(&["config", "--book", "own.book"], "").contains(&book));

    std::fs::write(&beside, "weights = \"runs\"\n").unwrap();
    assert_eq!(engine.lines(&[], WEIGHTS).pop().unwrap(), "MESSAGE WEIGHTS END runs");
}

#[test]
fn each_program_names_itself() {
    for (program, name) in [(Program::Greedy, "pbrain-tengen"), (Program::Search, "pbrain-tengen-search")] {
        let engine = Installed::new(program, "name", None);
        let version = engine.lines(&["--version"], "");
        assert_eq!(version, [format!("{name} {}", env!("CARGO_PKG_VERSION"))]);
        let help = engine.lines(&["--help"], "").join("\n");
        assert!(help.contains(&format!("Usage: {name} [OPTIONS]")), "{help}");
        let error = engine.run(&["bench", "x"], "").stderr;
        assert!(String::from_utf8_lossy(&error).contains(&format!("Usage: {name} bench")), "{error:?}");
    }
}

#[test]
fn the_other_programs_name_themselves_too() {
    for (name, path) in [
        ("tengen-arena", env!("CARGO_BIN_EXE_tengen-arena")),
        ("tengen-board", env!("CARGO_BIN_EXE_tengen-board")),
        ("tengen-cube", env!("CARGO_BIN_EXE_tengen-cube")),
        ("tengen-library", env!("CARGO_BIN_EXE_tengen-library")),
        ("tengen-tune", env!("CARGO_BIN_EXE_tengen-tune")),
    ] {
        let version = Command::new(path).arg("--version").output().unwrap().stdout;
        assert_eq!(String::from_utf8(version).unwrap(), format!("{name} {}\n", env!("CARGO_PKG_VERSION")));
    }
}

/// The renju network built into the program.
const RENJU: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/networks/renju.net");

#[test]
fn a_network_that_does_not_load_ends_the_program_before_it_plays() {
    let engine = Installed::new(Program::Search, "networks", None);
    let damaged = engine.0.join("damaged.net");
    let mut bytes = std::fs::read(RENJU).unwrap();
    bytes[100] ^= 1;
    std::fs::write(&damaged, bytes).unwrap();
    let missing = engine.0.join("missing.net");
    for path in [&missing, &damaged] {
        let path = path.to_str().unwrap();
        for arguments in
            [&["--network", path][..], &["explain", "h8", "--network", path], &["--network", RENJU, "--network", path]]
        {
            let output = engine.run(arguments, "START 15\nBEGIN\nEND\n");
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{arguments:?} {error}");
            assert!(error.contains(path) && error.lines().count() == 1, "{error}");
        }
    }
    let output = engine.run(&["--network", RENJU, "--evaluation", "classical"], "");
    assert_eq!(output.status.code(), Some(2), "the program ends without a network");

    // A match reports the failure and counts it as a loss.
    let [own, other] = [
        format!("\"{}\" --network \"{}\"", engine.path().display(), missing.display()),
        format!("\"{}\"", engine.path().display()),
    ];
    let mut arena = Command::new(env!("CARGO_BIN_EXE_tengen-arena"));
    arena.args(["match", "--games", "2", "--fail-on-forfeit", "--each", "nodes=100"]);
    arena.args(["--engine", "name=own", &format!("cmd={own}"), "--engine", "name=other", &format!("cmd={other}")]);
    let output = arena.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(5), "{error}");
    assert!(error.contains("own loses (crash): exited with status 2: ") && error.contains("missing.net"), "{error}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("crash 2"), "{output:?}");
}

#[test]
fn a_network_among_the_arguments_wins_over_the_evaluation_of_the_file() {
    let engine = Installed::new(Program::Search, "overridden", Some("evaluation = \"classical\"\n"));
    let config = |arguments: &[&str]| {
        let output = engine.run(&[arguments, &["config"]].concat(), "");
        String::from_utf8(output.stdout)
            .unwrap()
            .lines()
            .find(|line| line.starts_with("evaluation"))
            .unwrap()
            .to_owned()
    };
    assert!(config(&[]).contains("classical"), "{}", config(&[]));
    let with = config(&["--network", RENJU]);
    assert!(with.contains("network") && with.contains("# --network"), "{with}");
}

#[test]
fn an_evaluation_that_the_picker_lacks_is_reported_once_for_each_choice() {
    let engine = Installed::new(Program::Search, "rollouts", Some("evaluation = \"rollout\"\n"));
    let note = |name| format!("MESSAGE evaluation {name} needs picker mcts; picker search uses classical");
    let lines = engine.lines(
        &[],
        "INFO timeout_turn 1000\nSTART 15\nBEGIN\nRESTART\nBEGIN\nINFO evaluation greedy-rollout\nRESTART\nBEGIN\n\
         INFO evaluation network\nRESTART\nBEGIN\nINFO evaluation rollout\nINFO picker greedy\nRESTART\nBEGIN\n",
    );
    let expected =
        ["OK", &note("rollout"), "7,7", "OK", "7,7", "OK", &note("greedy-rollout"), "7,7", "OK", "7,7", "OK", "7,7"];
    assert_eq!(lines, expected);
}

#[test]
fn a_network_of_another_rule_is_reported_before_the_first_move_of_a_game() {
    let engine = Installed::new(Program::Search, "other rule", None);
    let lines = engine.lines(
        &["--network", RENJU],
        "INFO timeout_turn 1000\nSTART 15\nBEGIN\nINFO rule 4\nRESTART\nBEGIN\nINFO rule 1\nRESTART\nBEGIN\n",
    );
    let told =
        |rule| format!("MESSAGE --network was given without a network for {rule}; using the built-in evaluation");
    assert_eq!(lines, ["OK", &told("freestyle"), "7,7", "OK", "7,7", "OK", &told("standard"), "7,7"]);
    let output = engine.run(&["explain", "h8", "i9", "--network", RENJU, "--time", "20"], "");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.success(), output.stdout.len()), (false, 0), "{error}");
    assert!(error.contains("--network was given without a network for freestyle"), "{error}");
    assert!(
        engine
            .run(&["explain", "h8", "i9", "--rule", "renju", "--network", RENJU, "--time", "20"], "")
            .status
            .success()
    );
}
