//! Self-play and fitting are repeatable, learn what the samples contain, and report their errors.

use std::cell::RefCell;
use std::fs;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use tengen::board::{Color, Point, Rule, Size};
use tengen::files::{Kind, OutputFile};
use tengen::notation::parse_comma;
use tengen::score::Score;
use tengen::shard::Shard;
use tengen::tune::{
    Engine, EngineSignature, Fit, FitConfig, Found, GameReader, GameSettings, GameWriter, Header, Loss, MIN_SAMPLES,
    OpeningKind, Ply, Sample, SelfPlayConfig, SelfPlayGame, Sizes, TrainError, VisitShares, WeightFile,
    engine_signature, fit, play,
};

use super::arena::held_by;

const SETTINGS: GameSettings =
    GameSettings { rule: Rule::Renju, sizes: Sizes::one(Size::FIFTEEN), nodes: NonZeroU64::new(150).unwrap(), seed: 5 };

const SELF_PLAY: SelfPlayConfig = SelfPlayConfig {
    settings: SETTINGS,
    games: NonZeroU32::new(12).unwrap(),
    shard: Shard::WHOLE,
    threads: NonZeroUsize::MIN,
};

const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

fn fit_config(rounds: usize) -> FitConfig {
    let rounds = NonZeroUsize::new(rounds).unwrap();
    FitConfig { rule: SETTINGS.rule, result_share: 0.5, rounds, seed: 1 }
}

/// The games of a run in the order of their numbers.
fn games(config: &SelfPlayConfig) -> Vec<SelfPlayGame> {
    games_without(config, &[])
}

fn games_without(config: &SelfPlayConfig, recorded: &[u32]) -> Vec<SelfPlayGame> {
    let mut games = Vec::new();
    let mut write = |game| {
        games.push(game);
        Ok(())
    };
    play(config, Engine::default(), recorded, &AtomicBool::new(false), &mut write).unwrap();
    games.sort_by_key(|game| game.number);
    games
}

fn samples_of(games: &[SelfPlayGame]) -> Vec<Sample> {
    games.iter().flat_map(SelfPlayGame::samples).collect()
}

/// The samples of one game form one part of the fit's input.
fn fitted(config: &FitConfig, games: &[Vec<Sample>]) -> Fit {
    fit(config, games, &|_| {}).unwrap()
}

#[test]
fn games_depend_on_the_seed_alone() {
    let played = games(&SELF_PLAY);
    assert!(played.iter().map(|game| game.number).eq(0..12));
    assert_eq!(played, games(&SelfPlayConfig { threads: TWO, ..SELF_PLAY }), "on two threads");
    let settings = GameSettings { seed: 6, ..SETTINGS };
    assert_ne!(played, games(&SelfPlayConfig { settings, ..SELF_PLAY }));
    let samples = samples_of(&played);
    assert!(!samples.is_empty());
    assert!(samples.iter().all(|sample| sample.position(SETTINGS.rule).is_some()));
}

#[test]
fn a_game_depends_on_its_number_and_not_on_the_games_before_it() {
    let whole = games(&SELF_PLAY);
    let few = NonZeroU32::new(4).unwrap();
    assert_eq!(games(&SelfPlayConfig { games: few, ..SELF_PLAY }), whole[..4]);
    let rest = games_without(&SelfPlayConfig { threads: TWO, ..SELF_PLAY }, &[0, 3, 4, 11]);
    assert!(rest.iter().eq(whole.iter().filter(|game| ![0, 3, 4, 11].contains(&game.number))));
}

#[test]
fn the_shards_of_a_run_are_the_run() {
    let shards = ["1/3", "2/3", "3/3"].map(|shard| shard.parse().unwrap());
    let mut parts: Vec<_> =
        shards.into_iter().flat_map(|shard| games(&SelfPlayConfig { shard, ..SELF_PLAY })).collect();
    parts.sort_by_key(|game| game.number);
    assert_eq!(parts, games(&SELF_PLAY));
}

#[test]
fn a_halt_ends_the_run_after_the_games_in_play() {
    let halt = AtomicBool::new(false);
    let mut played = Vec::new();
    let many = SelfPlayConfig { games: NonZeroU32::MAX, threads: TWO, ..SELF_PLAY };
    let mut write = |game: SelfPlayGame| {
        played.push(game);
        halt.store(played.len() >= 3, Ordering::Relaxed);
        Ok(())
    };
    play(&many, Engine::default(), &[], &halt, &mut write).unwrap();
    played.sort_by_key(|game| game.number);
    assert!(played.iter().map(|game| game.number).eq(0..played.len() as u32), "every game begun is written");
    assert!((3..12).contains(&played.len()), "{} games", played.len());
}

#[test]
fn games_are_played_on_the_smallest_board_under_every_rule() {
    let (sizes, nodes) = (Sizes::one(Size::new(5).unwrap()), NonZeroU64::MIN);
    for rule in Rule::ALL {
        let settings = GameSettings { rule, sizes, nodes, ..SETTINGS };
        let samples = samples_of(&games(&SelfPlayConfig { settings, games: NonZeroU32::new(3).unwrap(), ..SELF_PLAY }));
        assert!(!samples.is_empty() && samples.iter().all(|sample| sample.position(rule).is_some()), "{rule}");
    }
}

#[test]
fn the_signature_of_an_engine_repeats_and_differs_between_rules() {
    let signatures = Rule::ALL.map(|rule| engine_signature(rule, Engine::default()).unwrap());
    assert_eq!(signatures[1], engine_signature(Rule::ALL[1], Engine::default()).unwrap());
    assert!((1..5).all(|index| signatures[index] != signatures[0]), "{signatures:?}");
}

#[test]
fn a_fit_learns_and_depends_on_the_seed_alone() {
    let samples: Vec<Vec<_>> = games(&SELF_PLAY).iter().map(|game| game.samples().collect()).collect();
    let config = fit_config(4);
    let losses = RefCell::new(Vec::new());
    let fit = fit(&config, &samples, &|report| losses.borrow_mut().push(report)).unwrap();
    let losses = losses.into_inner();
    assert_eq!(losses.iter().map(|report| report.round).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(losses[3].fitted[Loss::Chance] < losses[0].fitted[Loss::Chance], "{losses:?}");
    assert!(losses[3].fitted[Loss::Moves] < losses[0].fitted[Loss::Moves], "{losses:?}");
    assert!(losses[3].held_out.is_none(), "one block of samples leaves none to hold out");
    assert_eq!((fit.samples, fit.skipped), (samples.concat().len(), 0));
    let names: Vec<_> = fit.files.iter().map(|file| file.name).collect();
    assert_eq!(names, ["renju_black.txt", "renju_white.txt"]);
    assert_eq!(fitted(&config, &samples).files, fit.files);
    assert_ne!(fitted(&FitConfig { seed: 2, ..config }, &samples).files, fit.files);
}

fn point(name: &str) -> Point {
    parse_comma(name).unwrap()
}

/// A position of two stones with this best move.
fn sample(best: &str) -> Sample {
    let moves = vec![point("7,7"), point("8,8")];
    Sample {
        size: Size::FIFTEEN,
        moves,
        best: point(best),
        visits: VisitShares::default(),
        chance: 0.5,
        result: Some(1.0),
    }
}

#[test]
fn too_few_samples_are_an_error_before_the_first_round() {
    let mut samples = vec![sample("9,9"); MIN_SAMPLES];
    // Its best move is far from every stone.
    samples[7] = sample("0,0");
    let error = fit(&fit_config(1), &[samples.clone()], &|_| panic!("a round")).unwrap_err();
    assert!(matches!(error, TrainError::TooFewSamples(255, MIN_SAMPLES)), "{error}");
    let error = fit(&fit_config(1), &[], &|_| panic!("a round")).unwrap_err();
    assert!(matches!(error, TrainError::TooFewSamples(0, MIN_SAMPLES)), "{error}");
    samples.push(samples[0].clone());
    assert_eq!(fitted(&fit_config(1), &[samples]).skipped, 1);
}

#[test]
fn losses_that_are_not_numbers_are_an_error() {
    let samples = vec![Sample { chance: f32::NAN, ..sample("9,9") }; MIN_SAMPLES];
    assert!(matches!(fit(&fit_config(2), &[samples], &|_| {}), Err(TrainError::Diverged(1))));
}

/// A temporary folder for one test, removed when dropped.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tengen-tune-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    /// Writes a file of games with one sample each.
    pub(crate) fn write_games(&self, name: &str, rule: Rule, count: u32) {
        let settings = GameSettings { rule, ..SETTINGS };
        let header = Header { settings, shard: Shard::WHOLE, engine: EngineSignature(0) };
        let mut file = GameWriter::create(&self.0.join(name), &header).unwrap();
        let opening = ["7,7", "8,8"].map(|name| Ply { point: point(name), found: None, stray: None });
        let found = Found { best: point("9,9"), score: Score::ZERO, visits: VisitShares::default(), is_quiet: true };
        let last = Ply { point: point("9,9"), found: Some(found), stray: None };
        let plies = [&opening[..], &[last]].concat();
        let (size, winner, opening) = (Size::FIFTEEN, Some(Color::Black), OpeningKind::Random);
        let game = SelfPlayGame { number: 0, size, winner, opening, opening_plies: 2, plies };
        (0..count).for_each(|number| file.write(&SelfPlayGame { number, ..game.clone() }).unwrap());
    }

    /// The games of a file.
    fn games(&self, name: &str) -> Vec<SelfPlayGame> {
        GameReader::open(&self.0.join(name)).unwrap().collect::<Result<_, _>>().unwrap()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// The file names in the folder.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs the tool in the folder.
    pub(crate) fn tune(&self, words: &[&str]) -> Output {
        self.run(env!("CARGO_BIN_EXE_tengen-tune"), words)
    }

    fn run(&self, program: &str, words: &[&str]) -> Output {
        Command::new(program).args(words).current_dir(&self.0).env_remove("RUST_BACKTRACE").output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Asserts that the run ended with this status and that its stderr contains these words.
pub(crate) fn fails(output: &Output, status: i32, words: &str) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert!(text.contains(words), "{text}");
}

impl Folder {
    /// Plays a short run into the file `new.games`.
    fn play(&self, options: &[&str]) -> Output {
        self.tune(&Self::short(options))
    }

    fn short<'a>(options: &[&'a str]) -> Vec<&'a str> {
        [&["play", "--nodes=10", "--size=15,20", "--out=new.games"], options].concat()
    }
}

/// Asserts that the run succeeded.
pub(crate) fn succeeds(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn meaningless_options_are_refused_before_any_work() {
    let folder = Folder::new();
    folder.write_games("old.games", Rule::Freestyle, MIN_SAMPLES as u32);
    for (option, words) in [
        ("--games=0", "0 is not in 1..=1000000000"),
        ("--games=1000000001", "1000000001 is not in 1..=1000000000"),
        ("--nodes=0", "0 is not in 1..=1000000000"),
        ("--nodes=1000000001", "1000000001 is not in 1..=1000000000"),
        ("--threads=0", "0 is not in 1..=1024"),
        ("--threads=1025", "1025 is not in 1..=1024"),
        ("--size=4", "sides of 5 to 32"),
        ("--size=15,33", "sides of 5 to 32"),
        ("--shard=0/2", "K/N with K from 1 to N"),
        ("--seed=-1", "--seed"),
    ] {
        fails(&folder.tune(&["play", option, "--out", "new.games"]), 2, words);
    }
    for (option, words) in [
        ("--result-share=nan", "a number from 0 to 1"),
        ("--result-share=1.01", "a number from 0 to 1"),
        ("--result-share=-0.01", "a number from 0 to 1"),
        ("--rounds=0", "0 is not in 1..=10000"),
        ("--rounds=10001", "10001 is not in 1..=10000"),
    ] {
        fails(&folder.tune(&["fit", option, "--out", "weights", "old.games"]), 2, words);
    }
    fails(&folder.tune(&["fit", "old.games"]), 2, "--out");
    fails(&folder.tune(&["play"]), 2, "--out");
    assert_eq!(folder.names(), ["old.games"]);
}

#[test]
fn a_file_of_games_is_continued_and_never_emptied() {
    let folder = Folder::new();
    succeeds(&folder.play(&["--games=6"]));
    let games = folder.games("new.games");
    assert_eq!(games.len(), 6);
    assert!([15, 20].iter().all(|&side| games.iter().any(|game| game.size.side() == side)));
    let bytes = fs::read(folder.0.join("new.games")).unwrap();
    fails(&folder.play(&[]), 1, "new.games: the file exists and is not overwritten; --resume continues it");
    fails(&folder.play(&["--resume", "--seed=2"]), 1, "begun with seed 1 and cannot continue with seed 2");
    succeeds(&folder.play(&["--resume", "--games=6"]));
    assert_eq!(fs::read(folder.0.join("new.games")).unwrap(), bytes);
    // The state after a kill.
    fs::write(folder.0.join("new.games"), &bytes[..bytes.len() - 1]).unwrap();
    succeeds(&folder.play(&["--resume", "--games=6", "--threads=2"]));
    assert_eq!(folder.games("new.games"), games);
    succeeds(&folder.play(&["--resume", "--games=8"]));
    assert_eq!(folder.games("new.games")[..6], games);
    assert_eq!(folder.games("new.games").len(), 8);
}

#[test]
fn a_file_of_games_is_used_by_one_process_at_a_time() {
    let folder = Folder::new();
    let header = Header { settings: SETTINGS, shard: Shard::WHOLE, engine: EngineSignature(0) };
    let _writer = GameWriter::create(&folder.0.join("new.games"), &header).unwrap();
    for options in [&["--games=6"][..], &["--games=6", "--resume"]] {
        fails(&folder.play(options), 1, &format!("new.games: {}", held_by(std::process::id())));
    }
}

#[cfg(unix)]
#[test]
fn a_termination_ends_the_run_after_the_games_in_play() {
    let folder = Folder::new();
    let words = ["play", "--nodes", "100", "--games", "1000000000", "--out", "new.games"];
    let mut run = Command::new(env!("CARGO_BIN_EXE_tengen-tune")).args(words).current_dir(&folder.0).spawn().unwrap();
    let path = folder.0.join("new.games");
    // Some games are longer than any header.
    while !fs::metadata(&path).is_ok_and(|file| file.len() > 1_000) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let id = run.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(run.wait().unwrap().code(), Some(130));
    let reader = GameReader::open(&path).unwrap();
    assert_eq!(reader.tail(), 0);
    assert!(reader.count() > 0);
}

#[cfg(target_os = "linux")] // The shell of macOS sets no such limit.
#[test]
fn a_thread_that_the_system_refuses_is_an_error_before_the_first_game() {
    let folder = Folder::new();
    succeeds(&folder.play(&["--games=6"]));
    let games = folder.games("new.games");
    // Of two stacks of 1 GiB, only that of the thread that waits for Ctrl-C fits.
    let refused = "ulimit -v 1900000 && RUST_MIN_STACK=1073741824 exec \"$0\" \"$@\"";
    let options = ["--resume", "--games=8", "--threads=2"];
    let words = [&["-c", refused, env!("CARGO_BIN_EXE_tengen-tune")], &Folder::short(&options)[..]].concat();
    let output = folder.run("sh", &words);
    fails(&output, 1, "the system refuses thread 1 of self-play");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    assert_eq!(folder.games("new.games"), games);
}

#[test]
fn an_output_that_cannot_be_written_is_an_error_before_the_first_game() {
    let folder = Folder::new();
    fs::create_dir(folder.0.join("folder")).unwrap();
    // A run of this number of games would exceed any patience.
    for (out, words) in [("missing/new.games", "missing/new.games: its folder is missing"), ("folder", "folder: ")] {
        fails(&folder.tune(&["play", "--games", "1000000000", "--out", out]), 1, words);
    }
    assert_eq!(folder.names(), ["folder"]);
}

#[test]
fn a_fit_makes_its_folder_and_replaces_files_only_when_done() {
    let folder = Folder::new();
    folder.write_games("old.games", Rule::Standard, MIN_SAMPLES as u32);
    folder.write_games("few.games", Rule::Standard, 3);
    folder.write_games("other.games", Rule::Caro, 3);
    let kept = "# see src/eval/classical/weights.rs\nkept\n";
    folder.write("standard.txt", kept);
    let fit = |games, out| folder.tune(&["fit", "--rule", "standard", "--rounds", "1", "--out", out, games]);
    fails(&fit("few.games", "."), 1, "3 training samples of the rule, expected at least 256");
    fails(&fit("missing.games", "."), 1, "missing.games: ");
    fails(&fit("other.games", "."), 1, "other.games: its games are caro, expected standard");
    fails(&fit("standard.txt", "."), 1, "standard.txt: not a file of games");
    assert_eq!(folder.read("standard.txt"), kept);
    fails(&fit("old.games", "few.games"), 1, "cannot write few.games");
    for out in [".", "new/weights"] {
        succeeds(&fit("old.games", out));
    }
    assert_eq!(folder.names(), ["few.games", "new", "old.games", "other.games", "standard.txt"]);
    let weights = folder.read("new/weights/standard.txt");
    assert_eq!(tengen::eval::classical::check_weights(&weights), Ok(()));
    assert_eq!(folder.read("standard.txt"), weights);
}

#[test]
fn shards_are_fitted_as_the_whole_run() {
    let folder = Folder::new();
    let run = ["play", "--nodes=10", "--games=24", "--out"];
    let fit = |games: &[&str], out| succeeds(&folder.tune(&[&["fit", "--rounds=1", "--out", out], games].concat()));
    for (name, shard) in [("whole.games", "1/1"), ("a.games", "1/2"), ("b.games", "2/2")] {
        succeeds(&folder.tune(&[&run[..], &[name, "--shard", shard]].concat()));
    }
    fit(&["whole.games"], "whole");
    fit(&["b.games", "a.games"], "parts");
    assert_eq!(folder.read("whole/freestyle.txt"), folder.read("parts/freestyle.txt"));
    fails(&folder.tune(&["fit", "--out", "twice", "a.games", "a.games"]), 1, "a.games: game 0 is also in a.games");
}

#[test]
fn games_are_shown_as_text_and_damage_fails_the_info() {
    let folder = Folder::new();
    folder.write_games("a.games", Rule::Standard, 2);
    let text = |words: &[&str]| {
        let output = folder.tune(words);
        succeeds(&output);
        String::from_utf8(output.stdout).unwrap()
    };
    let game = "# game 0: 15 × 15, 2 plies of random opening, 3 plies, black won\n15 h8i7 j6 0.500 1\n";
    assert_eq!(text(&["show", "a.games"]), [game, &game.replace("game 0", "game 1")].concat());
    assert_eq!(text(&["show", "a.games", "--games=1"]), game);
    let info = "rule standard, size 15, nodes 150, seed 5, shard 1/1, engine 00000000\n\
                2 games: black won 2, white 0, drawn 0; 3.0 plies a game\n\
                2 samples: 2 positions, 0 strays; openings: random 100.0 %, edge 0.0 %, list 0.0 %\n";
    assert_eq!(text(&["info", "a.games"]), format!("a.games: {info}"));
    assert!(text(&["info", "a.games", "a.games"]).contains("2 files\n4 games: "));
    let mut bytes = fs::read(folder.0.join("a.games")).unwrap();
    fs::write(folder.0.join("cut.games"), &bytes[..bytes.len() - 1]).unwrap();
    assert!(text(&["info", "cut.games"]).contains("bytes of an unfinished game are ignored\n1 games: "));
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(folder.0.join("damaged.games"), &bytes).unwrap();
    for words in [&["info", "damaged.games", "a.games"][..], &["show", "damaged.games"]] {
        fails(&folder.tune(words), 1, "damaged.games: damaged at byte ");
    }
    fails(&folder.tune(&["show", "a.games", "--games=0"]), 2, "0 is not in 1..=1000000000");
}

/// A kind of file for the tests.
const TEXT: Kind = Kind { name: "text", start: b"# " };

#[test]
fn an_output_is_written_by_one_process_at_a_time() {
    let folder = Folder::new();
    folder.write_games("old.games", Rule::Standard, MIN_SAMPLES as u32);
    let _writing = OutputFile::create(&folder.0.join("standard.txt"), &WeightFile::KIND).unwrap();
    let output = folder.tune(&["fit", "--rule=standard", "--rounds=1", "--out", ".", "old.games"]);
    fails(&output, 1, "cannot write ./standard.txt: process ");
    assert_eq!(folder.names(), ["old.games", "standard.txt.lock"]);
}

#[test]
fn an_output_appears_whole_or_not_at_all() {
    use std::io::Write;

    let folder = Folder::new();
    let path = folder.0.join("out.txt");
    let mut file = OutputFile::create(&path, &TEXT).unwrap();
    file.write_all(b"half").unwrap();
    file.flush().unwrap();
    assert_eq!(folder.names(), ["out.txt.lock", "out.txt.part"]);
    drop(file);
    assert_eq!(folder.names(), [""; 0]);
    let mut file = OutputFile::create(&path, &TEXT).unwrap();
    file.write_all(b"# whole").unwrap();
    file.finish().unwrap();
    assert_eq!(folder.names(), ["out.txt"]);
    assert_eq!(folder.read("out.txt"), "# whole");
}

#[test]
fn an_output_replaces_only_its_kind_of_file_and_keeps_its_lock_between_writes() {
    let folder = Folder::new();
    let path = folder.0.join("out.txt");
    let foreign = "out.txt: the existing file is not a text and is not replaced";
    folder.write("out.txt", "games of a year");
    assert!(OutputFile::create(&path, &TEXT).unwrap_err().to_string().ends_with(foreign));
    folder.write("out.txt", "");
    let mut file = OutputFile::create(&path, &TEXT).unwrap();
    for text in ["# one", "# two"] {
        file.write_whole(text.as_bytes()).unwrap();
        assert_eq!(
            (folder.read("out.txt"), folder.names()),
            (text.to_owned(), vec!["out.txt".into(), "out.txt.lock".into()])
        );
        assert!(OutputFile::create(&path, &TEXT).unwrap_err().to_string().contains("writes to it"));
    }
    // Another process put a file there meanwhile.
    folder.write("out.txt", "games of a year");
    assert!(file.write_whole(b"# three").unwrap_err().to_string().ends_with(foreign));
    drop(file);
    assert_eq!((folder.read("out.txt").as_str(), folder.names()), ("games of a year", vec!["out.txt".into()]));
}
