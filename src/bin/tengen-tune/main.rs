//! tengen-tune: games of the engine against itself, and what is learnt from them.
//!
//! Exit status: 0 finished; 1 something failed, or a file is damaged; 2 wrong usage; 130 interrupted by Ctrl-C or SIGTERM.

mod files;
mod improve;
mod inspect;
mod play;
mod regret;
mod train;

use std::io::{Write, stderr};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::builder::TypedValueParser;
use clap::{Parser, Subcommand, value_parser};
use tengen::text::Short;
use tengen::tune::GameReader;

use self::improve::{ImproveArgs, improve};
use self::inspect::{InfoArgs, ShowArgs, info, show};
use self::play::{PlayArgs, play_games};
use self::regret::{RegretArgs, regret};
use self::train::{FitArgs, TrainArgs, fit_weights, train_network};

/// The exit status of a run that was interrupted.
pub(crate) const INTERRUPTED: u8 = 130;

/// Plays the engine against itself, and fits its evaluations to the games. Repeats from its seed.
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
    /// Plays, trains and tests generation after generation in a folder
    Improve(ImproveArgs),
    /// Judges the moves of short searches by long ones
    Regret(RegretArgs),
    /// Prints the games of a file and their samples
    Show(ShowArgs),
    /// Checks files of games and says what is in them
    Info(InfoArgs),
}

/// Reads a number from 1 to the greatest.
pub(crate) fn count(greatest: u64) -> impl TypedValueParser<Value = NonZeroUsize> {
    let number = |number: u64| NonZeroUsize::try_from(usize::try_from(number)?);
    value_parser!(u64).range(1..=greatest).try_map(number)
}

fn main() -> ExitCode {
    tengen::files::survive_size_limit();
    let outcome = match Cli::parse().task {
        Task::Play(args) => play_games(&args),
        Task::Fit(args) => fit_weights(&args).map(|()| ExitCode::SUCCESS),
        Task::Train(args) => train_network(&args),
        Task::Improve(args) => improve(&args),
        Task::Regret(args) => regret(&args),
        Task::Show(args) => show(&args).map(|()| ExitCode::SUCCESS),
        Task::Info(args) => info(&args),
    };
    outcome.unwrap_or_else(|error| {
        report(&format!("tengen-tune: {}", Short(format_args!("{error:#}"))));
        ExitCode::FAILURE
    })
}

/// A flag that the first Ctrl-C or SIGTERM sets, so that the run ends after the games in play; the second one ends the
/// process.
pub(crate) fn halt_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let halt = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&halt);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            // The file is whole but for a game that is being written, which readers leave out.
            std::process::exit(INTERRUPTED.into());
        }
        report("what is being played or trained is brought to an end that can be resumed");
    })
    .context("the system refuses a thread that waits for Ctrl-C")?;
    Ok(halt)
}

pub(crate) fn tail(file: &GameReader) -> String {
    format!("{}: {} bytes of an unfinished game are left out", file.path().display(), file.tail())
}

/// Writes a line of progress; it does not matter where nobody reads it.
pub(crate) fn report(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}
