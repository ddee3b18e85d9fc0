//! tengen-tune: fits the weights of the evaluation to games of the engine against itself.

use std::fs::File;
use std::io::{BufWriter, Write, stderr};
use std::path::PathBuf;

use anyhow::{Context, ensure};
use clap::{Args, Parser, Subcommand};
use tengen::board::{Rule, Size};
use tengen::tune::{Course, Plan, Sample, fit, play};

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
    #[arg(long, default_value_t = 2000)]
    games: u64,
    /// Nodes of search for each move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads to play on
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// The file to write
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
    /// How much of a label is the result of the game, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t = 0.5)]
    result_share: f32,
    /// Rounds of the fit over all samples
    #[arg(long, default_value_t = 20)]
    rounds: usize,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for the files of weights
    #[arg(long, default_value = "src/eval/weights")]
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
    let mut file = BufWriter::new(File::create(out).with_context(|| format!("cannot write {}", out.display()))?);
    let samples = play(&Plan { rule, size, games, nodes, seed, threads }, &|game| {
        if game % 100 == 99 {
            let _ = writeln!(stderr(), "{} of {games} games", game + 1);
        }
    });
    samples.iter().try_for_each(|sample| writeln!(file, "{sample}"))?;
    file.flush()?;
    Ok(())
}

fn fit_weights(args: &FitArgs) -> anyhow::Result<()> {
    let mut samples = Vec::new();
    for path in &args.samples {
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        for (line, number) in text.lines().zip(1..) {
            samples.push(line.parse::<Sample>().with_context(|| format!("{}, line {number}", path.display()))?);
        }
    }
    let &FitArgs { rule, result_share, rounds, seed, .. } = args;
    let course = Course { rule, result_share, rounds, seed };
    let fit = fit(&course, &samples, &|round, loss, held_out| {
        let _ = writeln!(
            stderr(),
            "round {:2}: chance {:.4}, held out {:.4}; moves {:.4}, held out {:.4}",
            round + 1,
            loss.chance,
            held_out.chance,
            loss.moves,
            held_out.moves
        );
    });
    ensure!(fit.samples > 0, "no position of {rule} in the samples");
    for (name, text) in fit.files {
        let path = args.out.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
