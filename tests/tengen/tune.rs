//! Fitting is repeatable, finds what is there to be found, and says what stops it.

use std::cell::RefCell;
use std::fs;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use tengen::board::{Rule, Size};
use tengen::tune::{
    Fit, FitConfig, FitError, GameError, MIN_SAMPLES, OutputFile, ResultShare, Sample, SelfPlayConfig, SelfPlayError,
    fit, play,
};

const SELF_PLAY: SelfPlayConfig = SelfPlayConfig {
    rule: Rule::Renju,
    size: Size::FIFTEEN,
    games: NonZeroU64::new(12).unwrap(),
    nodes: NonZeroU64::new(150).unwrap(),
    seed: 5,
    threads: NonZeroUsize::MIN,
};

const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

fn fit_config(rounds: usize) -> FitConfig {
    let rounds = NonZeroUsize::new(rounds).unwrap();
    FitConfig { rule: SELF_PLAY.rule, result_share: ResultShare::default(), rounds, seed: 1 }
}

fn texts(samples: &[Sample]) -> Vec<String> {
    samples.iter().map(Sample::to_string).collect()
}

fn fitted(config: &FitConfig, samples: &[Sample]) -> Fit {
    fit(config, samples, &|_| {}).unwrap()
}

#[test]
fn games_depend_on_the_seed_alone() {
    let samples = play(&SELF_PLAY, &|_| {}).unwrap();
    assert!(!samples.is_empty());
    assert!(samples.iter().all(|sample| sample.position(SELF_PLAY.rule).is_some()));
    let again = play(&SelfPlayConfig { threads: TWO, ..SELF_PLAY }, &|_| {}).unwrap();
    assert_eq!(texts(&samples), texts(&again), "on two threads");
    let others = play(&SelfPlayConfig { seed: 6, ..SELF_PLAY }, &|_| {}).unwrap();
    assert_ne!(texts(&samples), texts(&others));
}

#[test]
fn a_game_depends_on_its_number_and_not_on_the_games_before_it() {
    let games = |count| {
        let games = NonZeroU64::new(count).unwrap();
        texts(&play(&SelfPlayConfig { games, ..SELF_PLAY }, &|_| {}).unwrap())
    };
    let (few, more) = (games(2), games(4));
    assert!(few.len() < more.len());
    assert_eq!(few, more[..few.len()]);
}

#[test]
fn games_are_played_on_the_smallest_board_under_every_rule() {
    let (size, games) = (Size::new(5).unwrap(), NonZeroU64::new(3).unwrap());
    for rule in Rule::ALL {
        let config = SelfPlayConfig { rule, size, games, nodes: NonZeroU64::MIN, ..SELF_PLAY };
        let samples = play(&config, &|_| {}).unwrap();
        assert!(!samples.is_empty() && samples.iter().all(|sample| sample.position(rule).is_some()), "{rule}");
    }
}

#[test]
fn a_worker_that_panics_is_an_error_with_the_number_of_its_game() {
    for threads in [NonZeroUsize::MIN, TWO] {
        let error = play(&SelfPlayConfig { threads, ..SELF_PLAY }, &|game| assert!(game < 3, "no fourth game"));
        match error {
            Err(SelfPlayError::Game { number: 3, error: GameError::Panicked(message) }) => {
                assert_eq!(message, "no fourth game");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_fit_learns_and_depends_on_the_seed_alone() {
    let samples = play(&SELF_PLAY, &|_| {}).unwrap();
    let config = fit_config(4);
    let losses = RefCell::new(Vec::new());
    let fit = fit(&config, &samples, &|report| losses.borrow_mut().push(report)).unwrap();
    let losses = losses.into_inner();
    assert_eq!(losses.iter().map(|report| report.round).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(losses[3].fitted.chance < losses[0].fitted.chance, "{losses:?}");
    assert!(losses[3].fitted.moves < losses[0].fitted.moves, "{losses:?}");
    assert!(losses[3].held_out.is_none(), "one block of samples leaves none to hold out");
    assert_eq!((fit.samples, fit.skipped), (samples.len(), 0));
    let names: Vec<_> = fit.files.iter().map(|file| file.name).collect();
    assert_eq!(names, ["renju_black.txt", "renju_white.txt"]);
    assert_eq!(fitted(&config, &samples).files, fit.files);
    assert_ne!(fitted(&FitConfig { seed: 2, ..config }, &samples).files, fit.files);
}

#[test]
fn too_few_samples_are_an_error_before_the_first_round() {
    let sample: Sample = "15 h8i9 j10 0.500 1".parse().unwrap();
    let mut samples = vec![sample; MIN_SAMPLES];
    // Its best move is on no near point.
    samples[7] = "15 h8i9 a1 0.500 1".parse().unwrap();
    let error = fit(&fit_config(1), &samples, &|_| panic!("a round")).unwrap_err();
    assert_eq!(error, FitError::TooFewSamples(MIN_SAMPLES - 1));
    assert_eq!(fit(&fit_config(1), &[], &|_| panic!("a round")).unwrap_err(), FitError::TooFewSamples(0));
    samples.push(samples[0].clone());
    assert_eq!(fitted(&fit_config(1), &samples).skipped, 1);
}

#[test]
fn losses_that_are_no_numbers_are_an_error() {
    let sample: Sample = "15 h8i9 j10 0.500 1".parse().unwrap();
    let samples = vec![Sample { chance: f32::NAN, ..sample }; MIN_SAMPLES];
    assert_eq!(fit(&fit_config(2), &samples, &|_| {}).unwrap_err(), FitError::Diverged(1));
}

/// A folder of its own for a test, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("tengen-tune-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// The names in the folder.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs the tool in the folder.
    fn tune(&self, words: &[&str]) -> Output {
        self.tune_with_stack(words, None)
    }

    /// Runs the tool in the folder; each of its threads asks for a stack of this many bytes.
    fn tune_with_stack(&self, words: &[&str], stack: Option<u64>) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tengen-tune"));
        command.args(words).current_dir(&self.0).env_remove("RUST_BACKTRACE");
        command.envs(stack.map(|stack| ("RUST_MIN_STACK", stack.to_string()))).output().unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The run has ended with this status, and its last words hold these.
fn fails(output: &Output, status: i32, words: &str) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{text}");
    assert!(text.contains(words), "{text}");
}

/// One quiet position, this number of times.
fn samples(count: usize) -> String {
    "15 h8i9 j10 0.500 1\n".repeat(count)
}

#[test]
fn options_without_meaning_are_refused_before_any_work() {
    let folder = Folder::new();
    folder.write("samples.txt", &samples(MIN_SAMPLES));
    for option in ["--games=0", "--nodes=0", "--threads=0", "--size=4"] {
        let (name, _) = option.split_once('=').unwrap();
        fails(&folder.tune(&["play", "--games=1", "--nodes=10", option, "--out", "new.txt"]), 2, name);
    }
    for option in ["--result-share=nan", "--result-share=1.01", "--result-share=-0.01", "--rounds=0"] {
        let (name, _) = option.split_once('=').unwrap();
        fails(&folder.tune(&["fit", option, "--out", "weights", "samples.txt"]), 2, name);
    }
    fails(&folder.tune(&["fit", "samples.txt"]), 2, "--out");
    assert_eq!(folder.names(), ["samples.txt"]);
}

#[test]
fn a_thread_that_the_system_refuses_is_an_error_and_leaves_the_file_as_it_was() {
    let folder = Folder::new();
    folder.write("samples.txt", "kept\n");
    let words = ["play", "--games", "2", "--nodes", "10", "--threads", "2"];
    let output = folder.tune_with_stack(&words, Some(1 << 60));
    fails(&output, 1, "the system refuses thread 1 of self-play");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("panicked"));
    assert_eq!(folder.names(), ["samples.txt"]);
    assert_eq!(folder.read("samples.txt"), "kept\n");
}

#[test]
fn more_threads_than_games_are_not_started() {
    let folder = Folder::new();
    let output = folder.tune(&["play", "--games", "1", "--nodes", "10", "--threads", "100000000"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.read("samples.txt").lines().all(|line| line.parse::<Sample>().is_ok()));
}

#[test]
fn an_output_that_cannot_be_written_is_an_error_before_the_first_game() {
    let folder = Folder::new();
    fs::create_dir(folder.0.join("folder")).unwrap();
    // This number of games outlasts any patience.
    for out in ["missing/samples.txt", "folder"] {
        let output = folder.tune(&["play", "--games", "1000000000", "--out", out]);
        fails(&output, 1, &format!("cannot write {out}"));
    }
    assert_eq!(folder.names(), ["folder"]);
}

#[test]
fn a_fit_makes_its_folder_and_replaces_what_is_there_only_when_it_is_done() {
    let folder = Folder::new();
    folder.write("samples.txt", &samples(MIN_SAMPLES));
    folder.write("few.txt", &samples(3));
    folder.write("standard.txt", "kept\n");
    let fit = |samples, out| folder.tune(&["fit", "--rule", "standard", "--rounds", "1", "--out", out, samples]);
    fails(&fit("few.txt", "."), 1, "3 samples are positions of the rule, expected at least 256");
    fails(&fit("missing.txt", "."), 1, "cannot read missing.txt");
    assert_eq!(folder.read("standard.txt"), "kept\n");
    fails(&fit("samples.txt", "few.txt"), 1, "cannot write few.txt");
    for out in [".", "new/weights"] {
        let output = fit("samples.txt", out);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(folder.names(), ["few.txt", "new", "samples.txt", "standard.txt"]);
    let weights = folder.read("new/weights/standard.txt");
    assert_eq!(tengen::eval::classical::check_weights(&weights), Ok(()));
    assert_eq!(folder.read("standard.txt"), weights);
}

#[test]
fn an_output_appears_whole_or_not_at_all() {
    use std::io::Write;

    let folder = Folder::new();
    let path = folder.0.join("out.txt");
    let mut file = OutputFile::create(&path).unwrap();
    file.write_all(b"half").unwrap();
    file.flush().unwrap();
    assert_eq!(folder.names(), ["out.txt.part"]);
    drop(file);
    assert_eq!(folder.names(), [""; 0]);
    let mut file = OutputFile::create(&path).unwrap();
    file.write_all(b"whole").unwrap();
    file.finish().unwrap();
    assert_eq!(folder.names(), ["out.txt"]);
    assert_eq!(folder.read("out.txt"), "whole");
}
