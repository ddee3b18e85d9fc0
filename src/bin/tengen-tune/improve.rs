//! `improve`: generations of networks, each trained on games of the best one so far and taken if it wins a match.
//!
//! The steps and their order are [`Generations`]; here they are carried out.
//!
//! A folder holds it all: for generation k the files `k.games`, `k.net` and `k.jsonl` (the record of the match), the options
//! in `options.json`, and in `log.jsonl` a line for each step that is done. A killed run goes on where it was.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::builder::TypedValueParser;
use clap::{Args, value_parser};
use serde::{Deserialize, Serialize};
use tengen::arena::config::quoted;
use tengen::board::Rule;
use tengen::files::{Kind, MEBIBYTE, read_text};
use tengen::protocol::rule_number::parse_rule;
use tengen::shard::Shard;
use tengen::text::as_text;
use tengen::tune::{
    Engine, GameSettings, Generations, HeldOut, LearningRate, MOST_THREADS, NextStep, ResultShare, RoundEnd,
    SelfPlayConfig, SelfPlayPicker, Sizes, Step, TrainConfig,
};

use crate::files::{cannot_write, write_whole};
use crate::play::{MOST_GAMES, MOST_NODES, evaluation, play_into};
use crate::train::{MOST_ROUNDS, train_into};
use crate::{INTERRUPTED, count, halt_on_interrupt, report};

/// How the files of options and steps begin: with a line of JSON.
const LINES: Kind = Kind { name: "file of JSON lines", start: b"{" };

/// The most bytes of such a file that are read.
const MOST_BYTES: u64 = 64 * MEBIBYTE;

/// The greatest number of generations: more than any machine will see.
const MOST_GENERATIONS: u64 = 10_000;

/// The time between two looks at a match.
const POLL: Duration = Duration::from_millis(100);

/// Time for a move of a match in milliseconds: the nodes decide.
const TURN: u64 = 60_000;

#[derive(Debug, Args)]
pub(crate) struct ImproveArgs {
    /// The folder of the generations; made if it is missing. A run in it goes on
    folder: PathBuf,
    /// Generations to come to, those in the folder counted in
    #[arg(long, default_value = "4", value_parser = count(MOST_GENERATIONS))]
    generations: NonZeroUsize,
    /// Threads of self-play and training, games of the match played at once
    #[arg(long, default_value = "1", value_parser = count(MOST_THREADS as u64))]
    threads: NonZeroUsize,
    #[command(flatten)]
    options: Options,
}

/// What decides the generations; kept in the folder.
#[derive(Clone, Debug, PartialEq, Args, Serialize, Deserialize)]
struct Options {
    /// The rule: freestyle, standard, renju, caro_overline, caro
    #[arg(long, default_value_t, value_parser = parse_rule)]
    #[serde(with = "as_text")]
    rule: Rule,
    /// The side of the board of self-play, or a list
    #[arg(long, default_value = "15,15,20")]
    #[serde(with = "as_text")]
    size: Sizes,
    /// Games of a generation
    #[arg(long, default_value = "20000")]
    #[arg(value_parser = value_parser!(u32).range(1..=MOST_GAMES).try_map(NonZeroU32::try_from))]
    games: NonZeroU32,
    /// Nodes of search for each move of self-play
    #[arg(long, default_value = "1000")]
    #[arg(value_parser = value_parser!(u64).range(1..=MOST_NODES).try_map(NonZeroU64::try_from))]
    nodes: NonZeroU64,
    /// The search of self-play: search, or mcts, whose visits the network learns
    #[arg(long, value_name = "NAME", default_value_t)]
    #[serde(with = "as_text", default)]
    picker: SelfPlayPicker,
    /// Generations whose games a network is trained on
    #[arg(long, default_value = "3", value_parser = count(MOST_GENERATIONS))]
    window: NonZeroUsize,
    /// Rounds of the training over all samples
    #[arg(long, default_value = "8", value_parser = count(MOST_ROUNDS))]
    rounds: NonZeroUsize,
    /// The learning rate of the first batch; it falls to 0
    #[arg(long, default_value_t)]
    #[serde(with = "as_text")]
    rate: LearningRate,
    /// The share of the game's result in a label
    #[arg(long, default_value_t)]
    #[serde(with = "as_text")]
    result_share: ResultShare,
    /// The most games of the match
    #[arg(long, default_value = "2000")]
    #[arg(value_parser = value_parser!(u32).range(2..=MOST_GAMES).try_map(NonZeroU32::try_from))]
    match_games: NonZeroU32,
    /// Nodes for each move of the match
    #[arg(long, default_value = "8000")]
    #[arg(value_parser = value_parser!(u64).range(1..=MOST_NODES).try_map(NonZeroU64::try_from))]
    match_nodes: NonZeroU64,
    /// Elo: the network is taken if the test finds it this much stronger rather than not at all
    #[arg(long, default_value = "10")]
    gain: NonZeroU32,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// The folder of the generations.
struct Folder<'a> {
    path: &'a Path,
    options: &'a Options,
    threads: NonZeroUsize,
}

pub(crate) fn improve(args: &ImproveArgs) -> anyhow::Result<ExitCode> {
    let ImproveArgs { folder, generations, threads, options } = args;
    fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
    let folder = Folder { path: folder, options, threads: *threads };
    folder.check_options()?;
    let halt = halt_on_interrupt()?;
    let mut so_far = folder.read_log()?;
    while so_far.done() < generations.get() {
        let Some(step) = folder.go_on(so_far, &halt)? else { return Ok(ExitCode::from(INTERRUPTED)) };
        folder.log(step)?;
        so_far = so_far.after(step).context("the steps of the generations are in disorder")?;
    }
    report(&so_far.best().map_or("the built-in network is the best".into(), |best| {
        format!("the best network is {}", folder.network(best).display())
    }));
    Ok(ExitCode::SUCCESS)
}

impl Folder<'_> {
    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn games(&self, generation: usize) -> PathBuf {
        self.file(&format!("{generation}.games"))
    }

    fn network(&self, generation: usize) -> PathBuf {
        self.file(&format!("{generation}.net"))
    }

    /// Writes the options of a new run; an error where the folder was begun with others.
    fn check_options(&self) -> anyhow::Result<()> {
        let path = self.file("options.json");
        match read_text(&path, MOST_BYTES) {
            Ok(text) => {
                let begun: Options =
                    serde_json::from_str(&text).with_context(|| format!("cannot read {}", path.display()))?;
                ensure!(
                    begun == *self.options,
                    "{} was begun with other options: {}",
                    self.path.display(),
                    text.trim()
                );
                Ok(())
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                write_whole(&path, &LINES, (serde_json::to_string(self.options)? + "\n").as_bytes())
            }
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    /// What the log says. A line that a kill has cut is taken off.
    fn read_log(&self) -> anyhow::Result<Generations> {
        let path = self.file("log.jsonl");
        let cannot_read = || format!("cannot read {}", path.display());
        let text = match read_text(&path, MOST_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            text => text.with_context(cannot_read)?,
        };
        let (generations, length) = Generations::read(&text).with_context(cannot_read)?;
        if length < text.len() {
            write_whole(&path, &LINES, &text.as_bytes()[..length])?;
        }
        Ok(generations)
    }

    /// Adds a line to the log.
    fn log(&self, step: Step) -> anyhow::Result<()> {
        let path = self.file("log.jsonl");
        let line = serde_json::to_string(&step)? + "\n";
        let file = OpenOptions::new().create(true).append(true).open(&path);
        file.and_then(|mut file| file.write_all(line.as_bytes())).with_context(|| cannot_write(&path))
    }

    /// The next step: a generation is played and trained, or tested; `None` where it was interrupted.
    fn go_on(&self, so_far: Generations, halt: &AtomicBool) -> anyhow::Result<Option<Step>> {
        let best = so_far.best().map(|best| self.network(best));
        match so_far.next() {
            NextStep::Test(generation) => {
                let taken = self.is_better(generation, best.as_deref(), halt)?;
                Ok(taken.map(|taken| Step::Tested { generation, taken }))
            }
            NextStep::Train(generation) => {
                let end = self.train(generation, best.as_deref(), halt)?;
                let held_out = |HeldOut { rounded, .. }: HeldOut| [rounded.loss.chance, rounded.loss.moves];
                Ok(end.map(|end| Step::Trained { generation, held_out: end.held_out.map(held_out) }))
            }
        }
    }

    /// Plays the games of a generation and trains its network, as far as they are missing; `None` where it was interrupted.
    fn train(&self, generation: usize, best: Option<&Path>, halt: &AtomicBool) -> anyhow::Result<Option<RoundEnd>> {
        let &Options { rule, size, games, nodes, picker, window, rounds, rate, result_share, seed, .. } = self.options;
        let seed = seed.wrapping_add(generation as u64 - 1);
        let settings = GameSettings { rule, sizes: size, nodes, seed };
        let config = SelfPlayConfig { settings, games, shard: Shard::WHOLE, threads: self.threads };
        play_into(
            &self.games(generation),
            &config,
            Engine { picker, evaluation: evaluation(best, rule)? },
            true,
            halt,
        )?;
        if halt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let files: Vec<_> =
            Generations::window(generation, window.get()).map(|generation| self.games(generation)).collect();
        let config = TrainConfig { rule, result_share, rounds, rate, seed, threads: self.threads };
        let plot = self.file(&format!("{generation}.svg"));
        train_into(&self.network(generation), &files, &config, best, true, Some(&plot), halt)
    }

    /// Plays the match of a new network against the best one; `None` where it was interrupted.
    fn is_better(&self, generation: usize, best: Option<&Path>, halt: &AtomicBool) -> anyhow::Result<Option<bool>> {
        let Options { rule, match_games, match_nodes, gain, .. } = self.options;
        let quoted = |path: &Path| quoted(&path.to_string_lossy());
        let program = quoted(&sibling("pbrain-tengen-search")?);
        let command = |network: Option<&Path>| match network {
            Some(path) => format!("cmd={program} --network {}", quoted(path)),
            None => format!("cmd={program}"),
        };
        let mut arena = Command::new(sibling("tengen-arena")?);
        arena.args(["match", "--rule", &rule.to_string(), "--games", &match_games.to_string(), "--transform"]);
        arena.args(["--sprt", &format!("elo0=0 elo1={gain}"), "--jobs", &self.threads.to_string()]);
        arena.args(["--each", &format!("turn={TURN}"), &format!("nodes={match_nodes}")]);
        arena.args(["--engine", "name=new", &command(Some(&self.network(generation)))]);
        arena.args(["--engine", "name=best", &command(best)]);
        arena.arg("--resume").arg(self.file(&format!("{generation}.jsonl")));
        let mut arena = arena.spawn().context("tengen-arena cannot be started")?;
        let mut is_asked = false;
        let status = loop {
            if let Some(status) = arena.try_wait()? {
                break status;
            }
            if halt.load(Ordering::Relaxed) && !is_asked {
                ask_to_end(&mut arena);
                is_asked = true;
            }
            thread::sleep(POLL);
        };
        match status.code() {
            Some(0) => Ok(Some(true)),
            Some(3 | 4) => Ok(Some(false)),
            Some(code) if code == i32::from(INTERRUPTED) => Ok(None),
            _ => bail!("tengen-arena: {status}"),
        }
    }
}

/// Ends a match with its record whole.
#[cfg(unix)]
fn ask_to_end(arena: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};
    // It fails where the arena has just ended.
    let _ = kill_process(Pid::from_child(arena), Signal::TERM);
}

/// Ends a match; its record is whole up to the last game.
#[cfg(not(unix))]
fn ask_to_end(arena: &mut Child) {
    // It fails where the arena has just ended.
    let _ = arena.kill();
}

/// A program in the folder of this one.
fn sibling(name: &str) -> anyhow::Result<PathBuf> {
    let own = std::env::current_exe().context("the path of this program is unknown")?;
    let path = own.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    ensure!(path.is_file(), "{} is missing: build all programs of the package", path.display());
    Ok(path)
}
