//! `tengen-arena` on the command line, with sound and faulty scripted engines (`tests/engines/scripted.sh`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;
use tengen::board::{Outcome, Referee};
use tengen::files::Holder;

use super::data;

/// A temporary folder for one test, removed when dropped.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tengen-arena-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(super) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The arguments of a scripted engine. An engine that must not lose on time gets a long time limit, because the machine
/// may be busy. An engine that loses on time at its second move gets enough time for its first.
pub(super) fn scripted(name: &str, fault: &str) -> Vec<String> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/scripted.sh");
    let tolerance = if matches!(fault, "silent" | "late" | "nonsense") { 2500 } else { 60_000 };
    let cmd = format!("cmd=sh '{}' {fault}", script.display());
    ["--engine", &format!("name={name}"), &cmd, &format!("tolerance={tolerance}"), "start=60000"]
        .map(str::to_owned)
        .to_vec()
}

pub(super) fn arena(words: &[&str], engines: &[Vec<String>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen-arena"));
    command.args(words).args(engines.iter().flatten()).stdin(Stdio::null());
    command
}

pub(super) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(super) fn records(path: &str) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Plays two games of a faulty engine against a sound one. Returns the records, sorted by game number.
fn play_faulty(fault: &str, words: &[&str]) -> Vec<Value> {
    let folder = Folder::new();
    let record = folder.path("record.jsonl");
    let words = [&["match", "--games", "2", "--record", &record, "--quiet"], words].concat();
    let output = arena(&words, &[scripted("faulty", fault), scripted("sound", "sound")]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{fault}: {}", String::from_utf8_lossy(&output.stderr));
    let mut games = records(&record);
    games.sort_by_key(|game| game["game"].to_string());
    assert_eq!(games.len(), 2, "{fault}");
    games
}

/// Checks that the faulty engine loses both games for this reason, with this text in the detail.
fn loses(fault: &str, words: &[&str], end: &str, detail: &str) {
    for game in play_faulty(fault, words) {
        let loser = if game["winner"] == "black" { &game["white"] } else { &game["black"] };
        assert_eq!((loser.as_str(), game["end"].as_str()), (Some("faulty"), Some(end)), "{fault}: {game}");
        assert!(game["detail"].as_str().unwrap().contains(detail), "{fault}: {game}");
    }
}

#[test]
fn engines_that_fail_at_their_start_lose_every_game_of_the_table() {
    let folder = Folder::new();
    let record = folder.path("record.jsonl");
    let engines = [scripted("faulty", "crash-start"), scripted("sound", "sound")];
    let output = arena(&["match", "--games", "6", "--quiet", "--record", &record], &engines).output().unwrap();
    let table = stdout(&output);
    assert!(table.contains("6 games") && !table.contains("repeats"), "{table}");
    let games = records(&record);
    assert!(games.len() == 6 && games.iter().all(|game| game["opening"] != ""), "{games:?}");
}

#[test]
fn a_program_for_one_game_is_started_again_for_the_next() {
    let folder = Folder::new();
    let record = folder.path("record.jsonl");
    let words = ["match", "--games", "6", "--quiet", "--openings", "none", "--draw-after", "6", "--record", &record];
    let output = arena(&words, &[scripted("once", "once"), scripted("sound", "sound")]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let ends: Vec<_> = records(&record).iter().map(|game| game["end"].clone()).collect();
    assert_eq!(ends, ["draw"; 6]);
}

/// A time limit that keeps the waits of these tests short.
const FAST: [&str; 2] = ["--each", "turn=500"];

#[test]
fn faulty_engines_lose_for_the_right_reason_and_the_match_goes_on() {
    loses("crash-start", &FAST, "crash", "exited with status 1");
    loses("crash", &FAST, "crash", "exited with status 3: last words");
    loses("refuse", &FAST, "start", "answered START with \"ERROR no boards today\"");
    #[cfg(unix)]
    loses("refuse", &["--suspend"], "start", "answered START with \"ERROR no boards today\"");
    loses("silent", &FAST, "time", "no move within 500 ms and 2500 ms of tolerance");
    loses("late", &FAST, "time", "no move within 500 ms");
    loses("occupied", &FAST, "illegal", "the point is occupied");
    loses("off-board", &FAST, "illegal", "99,99, off the board");
    loses("nonsense", &FAST, "nonsense", "banana");
    loses("twice", &FAST, "unasked", "unasked");
}

#[test]
fn a_forbidden_point_loses_for_black_alone() {
    let folder = Folder::new();
    let openings = folder.path("openings.txt");
    fs::write(&openings, "g8 a15 i8 a13 h9 a11 h7 a9\n").unwrap();
    let games = play_faulty("forbidden", &["--rule", "renju", "--openings", &openings]);
    assert_eq!((games[0]["end"].as_str(), games[0]["winner"].as_str()), (Some("foul"), Some("white")));
    assert!(games[0]["detail"].as_str().unwrap().contains("33"), "{}", games[0]);
    assert_eq!(games[0]["moves"], "7,7");
    assert_ne!(games[1]["end"], "foul");
    let games = play_faulty("forbidden", &["--rule", "freestyle", "--openings", &openings]);
    assert!(games.iter().all(|game| game["end"] == "row"), "{games:?}");
}

#[test]
fn garbage_before_a_move_is_kept_and_loses_only_in_a_strict_match() {
    for game in play_faulty("garbage", &FAST) {
        assert_eq!(game["end"], "row", "{game}");
        assert!(game["said"].as_array().unwrap().iter().any(|line| line["text"] == "banana"), "{game}");
    }
    loses("garbage", &["--strict"], "nonsense", "banana");
}

#[test]
fn lateness_within_the_tolerance_is_forgiven() {
    let games = play_faulty("slow", &["--each", "turn=100", "--draw-after", "16"]);
    assert!(games.iter().all(|game| game["end"] == "draw"), "{games:?}");
    let times = games[0]["times"].as_array().unwrap();
    assert!(times.iter().filter(|time| time.as_u64().unwrap() >= 200).count() >= 4, "{times:?}");
}

/// The ids of the processes with this word on their command line.
pub(super) fn ids_with(word: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let has_word = |process: &fs::DirEntry| {
        let line = fs::read(process.path().join("cmdline")).unwrap_or_default();
        line.split(|byte| matches!(byte, 0 | b' ')).any(|argument| argument == word.as_bytes())
    };
    processes.filter(has_word).map(|process| process.file_name().into_string().unwrap()).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn no_process_is_left_behind() {
    let word = format!("300.{}", std::process::id());
    let games = play_faulty(&format!("children {word}"), &FAST);
    assert!(games.iter().all(|game| game["end"] == "row"), "{games:?}");
    // A killed process may take a moment to die on a busy machine.
    eventually("the end of every process", || ids_with(&word).is_empty());
}

/// The error for a file that the process with this id has locked. Only Linux reports the id.
pub(crate) fn held_by(id: u32) -> String {
    if cfg!(target_os = "linux") { Holder::Process(id).to_string() } else { Holder::Unknown.to_string() }
}

/// Waits until a condition holds.
pub(super) fn eventually(what: &str, holds: impl Fn() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(200), "{what}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn lines(path: &str) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

pub(super) fn spawn(command: &mut Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_killed_match_resumes_to_the_same_table() {
    let folder = Folder::new();
    let (whole, broken) = (folder.path("whole.jsonl"), folder.path("broken.jsonl"));
    let engines = [scripted("one", "sound"), scripted("two", "slow")];
    let words = ["match", "--games", "6", "--draw-after", "12", "--seed", "7", "-j", "2", "-q", "--record"];
    let uninterrupted = arena(&[&words[..], &[&whole]].concat(), &engines).output().unwrap();
    assert!(stdout(&uninterrupted).contains("6 games\n"), "{}", stdout(&uninterrupted));

    let mut killed = spawn(&mut arena(&[&words[..], &[&broken]].concat(), &engines));
    eventually("the first games", || lines(&broken) >= 3);
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(lines(&broken) < 7);
    // A kill can leave an incomplete line.
    let torn = fs::read_to_string(&broken).unwrap() + r#"{"game":"0-1.2a","bla"#;
    fs::write(&broken, torn).unwrap();

    let resumed = arena(&["match", "--resume", &broken, "-j", "2", "-q"], &[]).output().unwrap();
    assert_eq!(stdout(&resumed), stdout(&uninterrupted));
    let table = arena(&["table", &broken], &[]).output().unwrap();
    assert_eq!(stdout(&table), stdout(&uninterrupted));
    let other = arena(&["match", "--resume", &broken, "--games", "8"], &engines).output().unwrap();
    assert_eq!(other.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&other.stderr).contains("games"), "{other:?}");
}

#[test]
fn shards_add_up_to_the_match() {
    let folder = Folder::new();
    let engines = [scripted("one", "sound"), scripted("two", "sound"), scripted("three", "sound")];
    let play = |shard: &str, file: &str| {
        let record = folder.path(file);
        let words = ["round-robin", "--games", "6", "--draw-after", "20", "-q", "--shard", shard, "--record", &record];
        let output = arena(&words, &engines).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        (record, stdout(&output))
    };
    let (_, whole) = play("1/1", "whole.jsonl");
    let (one, _) = play("1/2", "one.jsonl");
    let (two, _) = play("2/2", "two.jsonl");
    assert_eq!((lines(&one), lines(&two)), (1 + 12, 1 + 6));
    let table = arena(&["table", &two, &one], &[]).output().unwrap();
    assert_eq!(stdout(&table), whole);
    assert!(whole.contains("18 games\n"), "{whole}");
    let table = arena(&["table", &one], &[]).output().unwrap();
    assert!(stdout(&table).contains("12 games, 6 not played\n"), "{table:?}");
}

#[test]
#[cfg(unix)]
fn an_interrupted_match_prints_the_table_so_far() {
    let folder = Folder::new();
    let record = folder.path("record.jsonl");
    let word = format!("300.1{}", std::process::id());
    let engines = [scripted("one", "slow"), scripted("two", &format!("children {word}"))];
    let words = ["match", "--games", "100", "--draw-after", "10", "-q", "--record", &record];
    let child = spawn(&mut arena(&words, &engines));
    eventually("the first game", || lines(&record) >= 2);
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(stdout(&output).contains(" not played\n"), "{}", stdout(&output));
    // A killed process may take a moment to die on a busy machine.
    eventually("the end of every process", || ids_with(&word).is_empty());
}

#[test]
fn swap2_games_follow_the_judges_questions() {
    let play = |fault: &str| {
        let games = play_faulty(fault, &["--swap2", "--rule", "standard"]);
        let game = |game: &Value| {
            let answers: Vec<_> = game["negotiation"].as_array().unwrap().iter().map(|a| a.as_str().unwrap()).collect();
            (
                game["black"].as_str().unwrap().to_owned(),
                answers.join(", "),
                game["opening"].as_str().unwrap().to_owned(),
            )
        };
        (game(&games[0]), game(&games[1]))
    };
    let names = |(black, answers, opening): &(String, String, String)| format!("{black}: {answers}: {opening}");
    let (faulty_opens, sound_opens) = play("swap");
    // The engine named first opens the first game. The other takes white and plays its stone.
    assert_eq!(names(&faulty_opens), "faulty: faulty 7,7 8,7 9,9, sound 0,0: 7,7 8,7 9,9 0,0");
    assert_eq!(names(&sound_opens), "faulty: sound 7,7 8,7 9,9, faulty swap: 7,7 8,7 9,9");
    let (_, sound_opens) = play("two");
    // The opener, now white, answers the question about five stones with a stone of its own.
    assert_eq!(
        names(&sound_opens),
        "faulty: sound 7,7 8,7 9,9, faulty 0,0 0,1, sound 14,14: 7,7 8,7 9,9 0,0 0,1 14,14"
    );
}

#[test]
fn an_illegal_answer_of_a_procedure_loses_with_its_reason() {
    for game in play_faulty("sound", &["--procedure", "rif", "--rule", "renju"]) {
        // The opener counts as black until the colors are settled.
        assert_eq!((game["winner"].as_str(), game["end"].as_str()), (Some("white"), Some("illegal")), "{game}");
        let reason = "answered rif with 7,7 7,8 12,12: the three stones are not one of the 26 openings";
        assert_eq!(game["detail"], reason);
    }
    let games = play_faulty("sound", &["--procedure", "swap"]);
    let negotiation: Vec<_> = games[0]["negotiation"].as_array().unwrap().iter().map(|a| a.as_str().unwrap()).collect();
    assert_eq!(negotiation, ["faulty 7,7 7,8 12,12", "sound swap"]);
    assert_eq!((games[0]["black"].as_str(), games[1]["black"].as_str()), (Some("sound"), Some("faulty")));
}

#[test]
fn engines_negotiate_every_procedure_and_the_table_shows_their_openings() {
    let folder = Folder::new();
    let tengen = |name| {
        let cmd = format!("cmd='{}'", env!("CARGO_BIN_EXE_pbrain-tengen"));
        vec!["--engine".to_owned(), format!("name={name}"), cmd, "tolerance=60000".to_owned()]
    };
    let engines = [tengen("one"), tengen("two")];
    for &procedure in tengen::opening::Procedure::ALL {
        let (name, record) = (procedure.name(), folder.path(procedure.name()));
        let words = ["match", "--games", "2", "--procedure", name, "--rule", "renju", "--record", &record, "-q"];
        let output = arena(&[&words[..], &["--draw-after", "20"]].concat(), &engines).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{procedure}");
        let games = records(&record);
        assert!(games.iter().all(|game| ["row", "foul", "draw"].contains(&game["end"].as_str().unwrap())), "{games:?}");
        let is_plain = name == "plain";
        assert_eq!(games.iter().all(|game| game["negotiation"].is_array()), !is_plain, "{games:?}");
        assert_eq!(stdout(&output).contains("the side that opened took"), !is_plain, "{}", stdout(&output));
        // The match is complete, so the table is unchanged.
        let resumed = arena(&["match", "--resume", &record, "-q"], &[]).output().unwrap();
        assert_eq!(stdout(&resumed), stdout(&output));
    }
    let rif = stdout(&arena(&["table", &folder.path("rif")], &[]).output().unwrap());
    assert!(rif.contains("3D Sosei (Sparse Star)"), "{rif}");
}

#[test]
fn an_engine_opens_alike_in_the_words_of_gomocup_and_of_yixin_board() {
    let folder = Folder::new();
    for procedure in ["swap2", "soosorv-8"] {
        let play = |dialects: [&str; 2]| {
            let engines = dialects.map(|dialect| {
                let cmd = format!("cmd='{}'", env!("CARGO_BIN_EXE_pbrain-tengen"));
                // The two engines differ, so that colors are both taken and left.
                let weights = ["option.weights=shapes", "option.weights=runs"];
                let number = usize::from(dialect.ends_with('2'));
                let name = ["one", "two"][number];
                let dialect = format!("dialect={}", dialect.trim_end_matches('2'));
                let words = [&format!("name={name}"), &cmd, weights[number], "tolerance=60000", &dialect];
                [vec!["--engine".to_owned()], words.map(str::to_owned).to_vec()].concat()
            });
            let record = folder.path(&format!("{procedure}-{}", dialects.concat()));
            let words =
                ["match", "--games", "4", "--procedure", procedure, "--rule", "renju", "--record", &record, "-q"];
            let output = arena(&[&words[..], &["--draw-after", "20"]].concat(), &engines).output().unwrap();
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
            let mut games: Vec<_> = records(&record)
                .iter()
                .map(|game| {
                    ["game", "black", "negotiation", "opening", "moves", "end"].map(|key| game[key].to_string())
                })
                .collect();
            games.sort();
            games
        };
        let games = play(["gomocup", "gomocup2"]);
        assert!(games.len() == 4 && games.iter().all(|game| game[2].starts_with("[\"")), "{games:?}");
        assert_eq!(games, play(["yixin", "yixin2"]), "{procedure}");
        assert_eq!(games, play(["yixin", "gomocup2"]), "{procedure}");
    }
    // A procedure that the dialect cannot express is refused before the match.
    let engines = ["one", "two"].map(|name| [scripted(name, "sound"), vec!["dialect=yixin".to_owned()]].concat());
    let output = arena(&["match", "--procedure", "rif", "--rule", "renju"], &engines).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("has no words for it"));
}

#[test]
fn match_files_and_suspension_work_together() {
    let folder = Folder::new();
    let (file, psq) = (folder.path("match.toml"), folder.path("psq"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/engines/scripted.sh");
    let text = format!(
        "rule = 'caro'\nsize = 15\ngames = 2\nsuspend = true\ndraw_after = 20\n[each]\nturn = 400\noption = {{ a = 1 }}\n\
         [[engine]]\nname = 'one'\ncmd = \"sh '{0}' sound\"\n[[engine]]\nname = 'two'\ncmd = \"sh '{0}' sound\"\n",
        script.display()
    );
    fs::write(&file, text).unwrap();
    let words = ["match", "--config", &file, "--psq", &psq, "--json", "--draw-after", "18", "-q"];
    let output = arena(&words, &[]).output().unwrap();
    let report: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!((&report["games"], &report["black"]), (&2.into(), &serde_json::json!([0, 2, 0])), "{report}");
    let game = fs::read_to_string(folder.0.join("psq/0-1.0a.psq")).unwrap();
    assert!(game.starts_with("Piskvorky 15x15, 11:11, 0\n") && game.ends_with("\none\ntwo\n0\n"), "{game}");
    assert_eq!(game.lines().count(), 1 + 18 + 3);
}

#[test]
fn exit_statuses_distinguish_wrong_usage_from_failure() {
    let status = |words: &[&str], engines: &[Vec<String>]| arena(words, engines).output().unwrap().status.code();
    let two = [scripted("one", "sound"), scripted("two", "sound")];
    assert_eq!(status(&["match"], &[]), Some(2));
    assert_eq!(status(&["match", "--games", "3"], &two), Some(2));
    assert_eq!(status(&["match", "--openings", "/nowhere"], &two), Some(2));
    assert_eq!(status(&["match", "--size", "20", "--rule", "renju"], &two), Some(2));
    assert_eq!(status(&["match", "--swap2", "--openings", "builtin"], &two), Some(2));
    assert_eq!(status(&["match", "--resume", "/nowhere", "--games", "8"], &[]), Some(2));
    assert_eq!(status(&["table", "/nowhere"], &[]), Some(1));
    let crash = [scripted("one", "crash-start"), scripted("two", "sound")];
    assert_eq!(status(&["match", "--games", "2", "-q", "--fail-on-forfeit"], &crash), Some(5));
    let words = ["match", "--games", "100", "-q", "--openings", "none", "--sprt", "elo0=0", "elo1=100"];
    assert_eq!(status(&words, &two), Some(4), "one pair and its repeats decide nothing");
}

#[test]
fn a_program_that_cannot_be_started_is_named_with_its_place() {
    let missing = |words: &[&str]| {
        let engine = ["--engine", "name=one"].iter().chain(words).map(|&word| word.to_owned()).collect();
        let output = arena(&["match", "--games", "2", "-q"], &[engine, scripted("two", "sound")]).output().unwrap();
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(1), ""), "no game, no table");
        String::from_utf8(output.stderr).unwrap()
    };
    let folder = Folder::new();
    let path = folder.path("no engine");
    let error = missing(&[&format!("cmd='{path}' 7")]);
    assert!(error.starts_with(&format!("tengen-arena: engine \"one\" cannot be started: {path}: ")), "{error}");
    let error = missing(&["cmd=no-engine"]);
    assert!(error.contains("cannot be started: no-engine (looked up "), "{error}");
    let error = missing(&[&format!("cmd={}", env!("CARGO_BIN_EXE_pbrain-tengen")), &format!("dir={path}")]);
    assert!(error.contains(&format!(" in the folder {path}: ")), "{error}");
}

/// Runs a match with a stack of 1 GiB for each thread and a limit of `halves` × 0.5 GiB for the process.
#[cfg(target_os = "linux")]
fn with_little_memory(halves: u32) -> Output {
    let limit = format!("ulimit -v {}; exec \"$0\" \"$@\"", halves << 19);
    let mut command = Command::new("sh");
    command.args(["-c", &limit, env!("CARGO_BIN_EXE_tengen-arena"), "match", "--games", "8", "-j", "100000", "-q"]);
    let engines = [scripted("one", "sound"), scripted("two", "sound")];
    command.args(engines.iter().flatten()).env("RUST_MIN_STACK", (1 << 30).to_string()).stdin(Stdio::null());
    command.output().unwrap()
}

#[test]
#[cfg(target_os = "linux")]
fn a_thread_that_the_system_refuses_is_an_error() {
    // The thread that waits for Ctrl-C takes the first GiB, a worker the second, the engine's reader the third.
    for (halves, refused) in [(3, "the thread of worker 1 cannot be started"), (5, "cannot be started")] {
        let output = with_little_memory(halves);
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(refused) && !message.contains("panicked"), "{halves}: {message}");
        assert_eq!(output.status.code(), Some(1), "{halves}: {message}");
    }
}

#[test]
fn the_referee_is_right_on_every_labelled_end() {
    for record in data::records("terminal.jsonl") {
        let board = data::board(&record);
        let mover = board.turn();
        let point = data::point(&record, &record["move"]);
        let outcome = Referee::on(board, None).play(point).unwrap();
        let result = match outcome {
            Some(Outcome::Row { winner }) if winner == mover => "win",
            Some(Outcome::Foul { loser, .. }) if loser == mover => "foul",
            None => "none",
            other => panic!("{record}: {other:?}"),
        };
        assert_eq!(result, data::text(&record["expect"]["result"]), "{record}");
    }
}
