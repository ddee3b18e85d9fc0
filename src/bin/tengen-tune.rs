//! tengen-tune: fits the weights of the evaluation to games of the engine against itself.
//!
//! Exit status: 0 finished; 1 something failed, or a file is damaged; 2 wrong usage; 130 interrupted by Ctrl-C or SIGTERM.

use std::fs;
use std::io::{self, BufWriter, ErrorKind, Write, stderr, stdout};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::builder::TypedValueParser;
use clap::{Args, Parser, Subcommand, value_parser};
use tengen::board::Rule;
use tengen::eval::network::Weights;
use tengen::shard::Shard;
use tengen::tune::{
    FitConfig, GameFileError, GameReader, GameRecord, GameSettings, GameWriter, Header, HeldOut, LearningRate,
    MOST_THREADS, OutputFile, ResultShare, RoundReport, SelfPlayConfig, Sizes, Summary, TrainConfig, TrainReport,
    WeightFile, engine_signature, fit, play, read_games, train,
};

/// Finished games between two lines of progress.
const PROGRESS_EVERY: usize = 100;

/// The most games of a run: years of self-play, and a number has 32 bits.
const MOST_GAMES: i64 = 1_000_000_000;

/// The most nodes of a move: minutes of search.
const MOST_NODES: u64 = 1_000_000_000;

/// The most rounds of a fit: some hundred times what has ever been of use.
const MOST_ROUNDS: u64 = 10_000;

/// The exit status of a run that was interrupted.
const INTERRUPTED: u8 = 130;

/// Fits the evaluation of one rule to self-play. Repeats from its seed.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Plays games and adds each, as it ends, to a file
    Play(PlayArgs),
    /// Fits the weights to such files
    Fit(FitArgs),
    /// Trains the network of a rule on such files
    Train(TrainArgs),
    /// Prints the games of a file and their samples
    Show(ShowArgs),
    /// Checks files of games and says what is in them
    Info(InfoArgs),
}

#[derive(Debug, Args)]
struct PlayArgs {
    /// The rule: freestyle, standard, renju, caro_overline, caro
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The side of the board, or a list such as 15,15,20: here one game of three is played on 20 × 20
    #[arg(long, default_value = "15")]
    size: Sizes,
    /// Games to play, over all shards
    #[arg(long, default_value = "2000")]
    #[arg(value_parser = value_parser!(u32).range(1..=MOST_GAMES).try_map(NonZeroU32::try_from))]
    games: NonZeroU32,
    /// Nodes of search for each move
    #[arg(long, default_value = "2000")]
    #[arg(value_parser = value_parser!(u64).range(1..=MOST_NODES).try_map(NonZeroU64::try_from))]
    nodes: NonZeroU64,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Which part of the games to play: 2/8 is the second of eight
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Threads to play on
    #[arg(long, default_value = "1", value_parser = count(MOST_THREADS as u64))]
    threads: NonZeroUsize,
    /// The file to write; one that is there is left as it is
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on with the file, which the same settings have begun
    #[arg(long)]
    resume: bool,
}

#[derive(Debug, Args)]
struct FitArgs {
    /// The files of games
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The rule by which they were played
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The share of the game's result in a label, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t)]
    result_share: ResultShare,
    /// Rounds of the fit over all samples
    #[arg(long, default_value = "20", value_parser = count(MOST_ROUNDS))]
    rounds: NonZeroUsize,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for the weight files; made if it is missing
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

#[derive(Debug, Args)]
struct TrainArgs {
    /// The files of games
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The rule by which they were played
    #[arg(long, default_value_t)]
    rule: Rule,
    /// A network to begin with, of this or another rule, instead of random weights
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// The share of the game's result in a label, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t)]
    result_share: ResultShare,
    /// Rounds of the training over all samples
    #[arg(long, default_value = "8", value_parser = count(MOST_ROUNDS))]
    rounds: NonZeroUsize,
    /// The learning rate of the first batch; it falls to 0
    #[arg(long, default_value_t)]
    rate: LearningRate,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads that compute gradients; their number does not change the result
    #[arg(long, default_value = "1", value_parser = count(MOST_THREADS as u64))]
    threads: NonZeroUsize,
    /// The network file; written anew after each round
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Debug, Args)]
struct ShowArgs {
    /// The file of games
    file: PathBuf,
    /// The games to print; without it all
    #[arg(long, value_name = "N", value_parser = count(MOST_GAMES as u64))]
    games: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
struct InfoArgs {
    /// The files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Reads a number from 1 to the greatest.
fn count(greatest: u64) -> impl TypedValueParser<Value = NonZeroUsize> {
    let number = |number: u64| NonZeroUsize::try_from(usize::try_from(number)?);
    value_parser!(u64).range(1..=greatest).try_map(number)
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().task {
        Task::Play(args) => play_games(&args),
        Task::Fit(args) => fit_weights(&args).map(|()| ExitCode::SUCCESS),
        Task::Train(args) => train_network(&args).map(|()| ExitCode::SUCCESS),
        Task::Show(args) => show(&args).map(|()| ExitCode::SUCCESS),
        Task::Info(args) => info(&args),
    };
    outcome.unwrap_or_else(|error| {
        report(&format!("tengen-tune: {error:#}"));
        ExitCode::FAILURE
    })
}

fn play_games(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let &PlayArgs { rule, size: sizes, games, nodes, seed, shard, threads, ref out, resume } = args;
    let settings = GameSettings { rule, sizes, nodes, seed };
    let header = Header { settings, shard, engine: engine_signature(rule)? };
    let open = if resume { GameWriter::resume } else { GameWriter::create };
    let mut file = open(out, &header)?;
    if file.cut() > 0 {
        report(&format!("{}: {} bytes of an unfinished game were cut off", out.display(), file.cut()));
    }
    let recorded = file.recorded().to_vec();
    let halt = halt_on_interrupt()?;
    let mut played = recorded.len();
    play(&SelfPlayConfig { settings, games, shard, threads }, &recorded, &halt, &mut |game| {
        file.write(&game)?;
        played += 1;
        if played % PROGRESS_EVERY == 0 {
            report(&format!("{}: {played} games", out.display()));
        }
        Ok(())
    })?;
    report(&format!("{}: {played} games", out.display()));
    Ok(if halt.load(Ordering::Relaxed) { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// A flag that the first Ctrl-C or SIGTERM sets, so that the run ends after the games in play; the second one ends the
/// process.
fn halt_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let halt = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&halt);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            // The file is whole but for a game that is being written, which readers leave out.
            std::process::exit(INTERRUPTED.into());
        }
        report("the games in play are played to their end");
    })
    .context("the system refuses a thread that waits for Ctrl-C")?;
    Ok(halt)
}

fn fit_weights(args: &FitArgs) -> anyhow::Result<()> {
    let &FitArgs { rule, result_share, rounds, seed, ref out, .. } = args;
    fs::create_dir_all(out).with_context(|| cannot_write(out))?;
    let files: Result<Vec<_>, _> =
        WeightFile::names(rule).iter().map(|name| OutputFile::create(&out.join(name))).collect();
    let files = files?;
    let games = read_games(&args.games, rule)?;
    games.files().iter().filter(|file| file.tail() > 0).for_each(|file| report(&tail(file)));
    let samples = games.map(|game| Ok(game?.samples().collect()));
    let samples: Vec<Vec<_>> = samples.collect::<Result<_, GameFileError>>()?;
    let fit = fit(&FitConfig { rule, result_share, rounds, seed }, &samples, &report_round)?;
    if fit.skipped > 0 {
        let all = fit.samples + fit.skipped;
        report(&format!("{} of {all} samples are no positions of {rule} and were left out", fit.skipped));
    }
    for (mut file, WeightFile { name, text }) in files.into_iter().zip(fit.files) {
        file.write_all(text.as_bytes()).with_context(|| cannot_write(&out.join(name)))?;
        file.finish()?;
    }
    Ok(())
}

fn train_network(args: &TrainArgs) -> anyhow::Result<()> {
    let &TrainArgs { rule, result_share, rounds, rate, seed, threads, ref out, .. } = args;
    // Said before hours of work; each round writes the file anew.
    drop(OutputFile::create(out)?);
    let start = args.start.as_deref().map(read_network).transpose()?;
    let games = read_games(&args.games, rule)?;
    games.files().iter().filter(|file| file.tail() > 0).for_each(|file| report(&tail(file)));
    let games: Vec<_> = games.collect::<Result<_, GameFileError>>()?;
    let config = TrainConfig { rule, result_share, rounds, rate, seed, threads };
    let mut written = Ok(());
    let trained = train(&config, &games, start.as_ref(), &mut |progress| {
        report_training(&progress);
        if let Some(end) = &progress.end {
            written = write_network(out, &end.weights);
        }
        // A network that cannot be written need not be trained.
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written?;
    if let Some(HeldOut { network, classical }) = trained?.held_out {
        report(&format!(
            "held out: chance {:.4}, moves {:.4}; classical evaluation: {:.4}, {:.4}",
            network.chance, network.moves, classical.chance, classical.moves
        ));
    }
    Ok(())
}

fn read_network(path: &Path) -> anyhow::Result<Weights> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Weights::from_bytes(&bytes).with_context(|| format!("cannot read {}", path.display()))
}

fn write_network(path: &Path, weights: &Weights) -> anyhow::Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(&weights.to_bytes()).with_context(|| cannot_write(path))?;
    Ok(file.finish()?)
}

fn report_training(progress: &TrainReport) {
    let TrainReport { round, batches, fitted, end } = progress;
    report(&format!("round {round:2}, batch {batches}: chance {:.4}, moves {:.4}", fitted.chance, fitted.moves));
    if let Some(HeldOut { network, .. }) = end.as_ref().and_then(|end| end.held_out) {
        report(&format!("round {round:2}: held out: chance {:.4}, moves {:.4}", network.chance, network.moves));
    }
}

fn show(args: &ShowArgs) -> anyhow::Result<()> {
    let games = GameReader::open(&args.file)?;
    let mut out = BufWriter::new(stdout().lock());
    for game in games.take(args.games.map_or(usize::MAX, NonZeroUsize::get)) {
        match print_game(&mut out, &game?) {
            // The reader has seen enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            printed => printed.context("the games cannot be printed")?,
        }
    }
    Ok(())
}

/// Prints what a game is in a line of comment, and its samples in a line each.
fn print_game(out: &mut impl Write, game: &GameRecord) -> io::Result<()> {
    writeln!(out, "# {game}")?;
    game.samples().try_for_each(|sample| writeln!(out, "{sample}"))?;
    out.flush()
}

/// Prints what is in each file, and of several files in all; fails where one cannot be read or is damaged.
fn info(args: &InfoArgs) -> anyhow::Result<ExitCode> {
    let (mut all, mut readable) = (Summary::default(), 0);
    for path in &args.files {
        match summary(path) {
            Ok((text, summary)) => {
                print(&format!("{text}{summary}\n"))?;
                all = all + summary;
                readable += 1;
            }
            Err(error) => report(&format!("tengen-tune: {error}")),
        }
    }
    if readable > 1 {
        print(&format!("{readable} files\n{all}\n"))?;
    }
    Ok(if readable == args.files.len() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What heads a file, and what its games come to.
fn summary(path: &Path) -> Result<(String, Summary), GameFileError> {
    let mut games = GameReader::open(path)?;
    let mut text = format!("{}: {}\n", path.display(), games.header());
    if games.tail() > 0 {
        text.push_str(&(tail(&games) + "\n"));
    }
    let summary = games.try_fold(Summary::default(), |summary, game| Ok(summary + Summary::of(&game?)))?;
    Ok((text, summary))
}

fn tail(file: &GameReader) -> String {
    format!("{}: {} bytes of an unfinished game are left out", file.path().display(), file.tail())
}

fn print(text: &str) -> anyhow::Result<()> {
    stdout().write_all(text.as_bytes()).context("the summary cannot be printed")
}

fn report_round(RoundReport { round, fitted, held_out }: RoundReport) {
    let held_out = held_out.map(|loss| [loss.chance, loss.moves].map(|loss| format!("{loss:.4}")));
    let [chance, moves] = held_out.unwrap_or_else(|| ["-", "-"].map(str::to_owned));
    report(&format!(
        "round {round:2}: chance {:.4}, held out {chance}; moves {:.4}, held out {moves}",
        fitted.chance, fitted.moves
    ));
}

/// Writes a line of progress; it does not matter where nobody reads it.
fn report(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
