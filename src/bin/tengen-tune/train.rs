//! `fit` and `train`: weights and networks from files of games.

use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Args;
use tengen::board::Rule;
use tengen::eval::network::Weights;
use tengen::files::OutputFile;
use tengen::protocol::rule_number::parse_rule;
use tengen::tune::{
    CURVES_KIND, Checkpoint, FitConfig, GameFileError, HeldOut, LearningRate, MOST_THREADS, ResultShare, RoundEnd,
    RoundReport, TrainConfig, TrainError, TrainReport, WeightFile, fit, learning_curves, read_games, train,
};

use crate::files::{beside, cannot_write, read_checkpoint, read_network};
use crate::{INTERRUPTED, count, halt_on_interrupt, report, tail};

/// The most rounds of a fit: some hundred times what has ever been of use.
pub(crate) const MOST_ROUNDS: u64 = 10_000;

/// The least time between two checkpoints within a round: each is some 26 MB, twice as many under renju.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(120);

#[derive(Debug, Args)]
pub(crate) struct FitArgs {
    /// The files of games
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The rule by which they were played
    #[arg(long, default_value_t, value_parser = parse_rule)]
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
pub(crate) struct TrainArgs {
    /// The files of games
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The rule by which they were played
    #[arg(long, default_value_t, value_parser = parse_rule)]
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
    /// Go on from FILE.checkpoint, which a training with the same options has left; without one begin
    #[arg(long)]
    resume: bool,
    /// Draw the losses into this SVG file, anew after each round
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

pub(crate) fn fit_weights(args: &FitArgs) -> anyhow::Result<()> {
    let &FitArgs { rule, result_share, rounds, seed, ref out, .. } = args;
    fs::create_dir_all(out).with_context(|| cannot_write(out))?;
    let file = |name: &&str| OutputFile::create(&out.join(name), &WeightFile::KIND);
    let files = WeightFile::names(rule).iter().map(file).collect::<Result<Vec<_>, _>>()?;
    let games = read_games(&args.games, rule)?;
    games.files().iter().filter(|file| file.tail() > 0).for_each(|file| report(&tail(file)));
    let samples = games.map(|game| Ok(game?.samples().collect()));
    let samples: Vec<Vec<_>> = samples.collect::<Result<_, GameFileError>>()?;
    let fit = fit(&FitConfig { rule, result_share, rounds, seed }, &samples, &report_round)?;
    if fit.skipped > 0 {
        let all = fit.samples + fit.skipped;
        report(&format!("{} of {all} samples are no positions of {rule} and were left out", fit.skipped));
    }
    for (mut file, WeightFile { text, .. }) in files.into_iter().zip(fit.files) {
        file.write_whole(text.as_bytes())?;
    }
    Ok(())
}

fn report_round(RoundReport { round, fitted, held_out }: RoundReport) {
    let held_out = held_out.map(|loss| [loss.chance, loss.moves].map(|loss| format!("{loss:.4}")));
    let [chance, moves] = held_out.unwrap_or_else(|| ["-", "-"].map(str::to_owned));
    report(&format!(
        "round {round:2}: chance {:.4}, held out {chance}; moves {:.4}, held out {moves}",
        fitted.chance, fitted.moves
    ));
}

pub(crate) fn train_network(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    let &TrainArgs { rule, result_share, rounds, rate, seed, threads, resume, .. } = args;
    let config = TrainConfig { rule, result_share, rounds, rate, seed, threads };
    let (halt, start, plot) = (halt_on_interrupt()?, args.start.as_deref(), args.plot.as_deref());
    let trained = train_into(&args.out, &args.games, &config, start, resume, plot, &halt)?;
    Ok(trained.map_or(ExitCode::from(INTERRUPTED), |_| ExitCode::SUCCESS))
}

/// Trains a network on files of games and writes it, its checkpoint beside it. `None` where `halt` has stopped it: then the
/// checkpoint is left.
pub(crate) fn train_into(
    out: &Path,
    games: &[PathBuf],
    config: &TrainConfig,
    start: Option<&Path>,
    resume: bool,
    plot: Option<&Path>,
    halt: &AtomicBool,
) -> anyhow::Result<Option<RoundEnd>> {
    // What would fail after hours of work fails now, and no other training takes the files; each round writes them anew.
    let checkpoint_file = beside(out, ".checkpoint");
    let mut network_out = OutputFile::create(out, &Weights::KIND)?;
    let mut checkpoint_out = OutputFile::create(&checkpoint_file, &Checkpoint::KIND)?;
    let mut plot_out = plot.map(|plot| OutputFile::create(plot, &CURVES_KIND)).transpose()?;
    let start = start.map(read_network).transpose()?;
    let checkpoint = if resume { read_checkpoint(&checkpoint_file)? } else { None };
    let games = read_games(games, config.rule)?;
    games.files().iter().filter(|file| file.tail() > 0).for_each(|file| report(&tail(file)));
    let games: Vec<_> = games.collect::<Result<_, GameFileError>>()?;
    let mut written: anyhow::Result<()> = Ok(());
    let mut last = Instant::now();
    let trained = train(config, &games, start.as_ref(), checkpoint, &mut |progress| {
        report_part(&progress);
        let is_halted = halt.load(Ordering::Relaxed);
        let is_due = is_halted || progress.end.is_some() || last.elapsed() >= CHECKPOINT_EVERY;
        written = (|| -> anyhow::Result<()> {
            if let Some(end) = progress.end {
                network_out.write_whole(&end.weights.to_bytes())?;
                if let Some(plot) = &mut plot_out {
                    plot.write_whole(learning_curves(progress.curve).as_bytes())?;
                }
            }
            if is_due {
                last = Instant::now();
                checkpoint_out.write_whole(&(progress.checkpoint)().to_bytes())?;
            }
            Ok(())
        })();
        // A network that cannot be written need not be trained.
        if written.is_ok() && !is_halted { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written?;
    let end = match trained {
        Err(TrainError::Stopped) => return Ok(None),
        trained => trained?,
    };
    fs::remove_file(&checkpoint_file).with_context(|| cannot_write(&checkpoint_file))?;
    if let Some(HeldOut { network, rounded, classical }) = end.held_out {
        report(&format!(
            "held out, network:   {network}\nheld out, rounded:   {rounded}\nheld out, classical: {classical}"
        ));
    }
    Ok(Some(end))
}

fn report_part(progress: &TrainReport<'_>) {
    let round = progress.round;
    if let Some(part) = progress.curve.last() {
        let (batches, loss) = (part.batches, part.fitted);
        report(&format!("round {round:2}, batch {batches}: chance {:.4}, moves {:.4}", loss.chance, loss.moves));
    }
    if let Some(HeldOut { network, .. }) = progress.end.and_then(|end| end.held_out) {
        report(&format!("round {round:2}: held out: {network}"));
    }
}
