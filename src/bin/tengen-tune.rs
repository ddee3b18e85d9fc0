//! tengen-tune: fits the weights of the evaluation to games of the engine against itself.

use std::fs;
use std::io::{Write, stderr};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use tengen::board::{Rule, Size};
use tengen::tune::{FitConfig, OutputFile, ResultShare, RoundReport, Sample, SelfPlayConfig, WeightFile, fit, play};

/// Finished games between two lines of progress.
const PROGRESS_EVERY: u64 = 100;

/// Fits the evaluation of one rule to self-play. Repeats from its seed.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Plays games and writes their positions, one a line, to a file
    Play(PlayArgs),
    /// Fits the weights to such files
    Fit(FitArgs),
}

#[derive(Debug, Args)]
struct PlayArgs {
    /// The rule: freestyle, standard, renju, caro
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The side of the board
    #[arg(long, default_value = "15")]
    size: Size,
    /// Games to play
    #[arg(long, default_value = "2000")]
    games: NonZeroU64,
    /// Nodes of search for each move
    #[arg(long, default_value = "2000")]
    nodes: NonZeroU64,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads to play on; more than 1,024 count as 1,024
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// The file to write; one that is there is replaced at the end
    #[arg(long, default_value = "samples.txt")]
    out: PathBuf,
}

#[derive(Debug, Args)]
struct FitArgs {
    /// The files of positions
    #[arg(required = true)]
    samples: Vec<PathBuf>,
    /// The rule by which they were played
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The share of the game's result in a label, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t)]
    result_share: ResultShare,
    /// Rounds of the fit over all samples
    #[arg(long, default_value = "20")]
    rounds: NonZeroUsize,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for the weight files; made if it is missing
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Play(args) => play_games(&args),
        Task::Fit(args) => fit_weights(&args),
    }
}

fn play_games(args: &PlayArgs) -> anyhow::Result<()> {
    let &PlayArgs { rule, size, games, nodes, seed, threads, ref out } = args;
    let mut file = OutputFile::create(out)?;
    let samples = play(&SelfPlayConfig { rule, size, games, nodes, seed, threads }, &|game| {
        if (game + 1) % PROGRESS_EVERY == 0 {
            report(&format!("{} of {games} games", game + 1));
        }
    })?;
    samples.iter().try_for_each(|sample| writeln!(file, "{sample}")).with_context(|| cannot_write(out))?;
    Ok(file.finish()?)
}

fn fit_weights(args: &FitArgs) -> anyhow::Result<()> {
    let &FitArgs { rule, result_share, rounds, seed, ref out, .. } = args;
    fs::create_dir_all(out).with_context(|| cannot_write(out))?;
    let files: Result<Vec<_>, _> =
        WeightFile::names(rule).iter().map(|name| OutputFile::create(&out.join(name))).collect();
    let files = files?;
    let mut samples = Vec::new();
    for path in &args.samples {
        samples.extend(read_samples(path)?);
    }
    let fit = fit(&FitConfig { rule, result_share, rounds, seed }, &samples, &report_round)?;
    if fit.skipped > 0 {
        report(&format!("{} of {} samples are no positions of {rule} and were left out", fit.skipped, samples.len()));
    }
    for (mut file, WeightFile { name, text }) in files.into_iter().zip(fit.files) {
        file.write_all(text.as_bytes()).with_context(|| cannot_write(&out.join(name)))?;
        file.finish()?;
    }
    Ok(())
}

fn read_samples(path: &Path) -> anyhow::Result<Vec<Sample>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let sample =
        |(line, number): (&str, u32)| line.parse().with_context(|| format!("{}, line {number}", path.display()));
    text.lines().zip(1..).map(sample).collect()
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
