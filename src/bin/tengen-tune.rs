//! tengen-tune: fits the weights of the evaluation to games of the engine against itself.

use std::io::{Write, stderr};
use std::path::PathBuf;

use anyhow::Context;
use clap::Parser;
use tengen::board::{Rule, Size};
use tengen::tune::{Plan, fit, play};

/// Fits the evaluation of one rule to self-play. Repeats from its seed.
#[derive(Debug, Parser)]
#[command(version, about)]
struct Cli {
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
    #[arg(long, default_value_t = 1500)]
    nodes: u64,
    /// Where the random numbers begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads to play on
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// How much of a label is the result of the game, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t = 0.6)]
    result_share: f32,
    /// Rounds of the fit over all samples
    #[arg(long, default_value_t = 30)]
    rounds: usize,
    /// The folder for the files of weights
    #[arg(long, default_value = "src/eval/weights")]
    out: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    let plan = Plan {
        rule: cli.rule,
        size: cli.size,
        games: cli.games,
        nodes: cli.nodes,
        seed: cli.seed,
        threads: cli.threads,
        result_share: cli.result_share,
    };
    let samples = play(&plan, &|game| {
        if game % 100 == 99 {
            let _ = writeln!(stderr(), "{} of {} games", game + 1, cli.games);
        }
    });
    let fit = fit(cli.rule, &samples, cli.rounds, cli.seed);
    let _ = writeln!(stderr(), "{} samples, loss {:.4}, held out {:.4}", samples.len(), fit.loss, fit.held_out_loss);
    for (name, text) in fit.files {
        let path = cli.out.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
