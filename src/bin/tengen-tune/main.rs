//! tengen-tune: games of the engine against itself, and what is learnt from them. Arguments, then one call.
//!
//! Exit status: 0 finished; 1 something failed, or a file is damaged; 2 wrong usage; 130 interrupted by Ctrl-C or SIGTERM.

mod args;
mod inspect;

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr, stdout};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use clap::Parser;
use tengen::arena::contest::Conclusion;
use tengen::platform;
use tengen::text::Short;
use tengen::tune::{JudgedFile, ReinforceFiles, Run, TrainFiles, judge, test_positions};

use self::args::{Cli, RegretArgs, Task};
use self::inspect::{info, show};

/// Number of positions between two lines of progress, if stderr is not a terminal.
const PROGRESS_EVERY: usize = 10;

fn main() -> ExitCode {
    tengen::files::survive_size_limit();
    run(Cli::parse().task).unwrap_or_else(|error| {
        report(&format!("tengen-tune: {}", Short(format_args!("{error:#}"))));
        ExitCode::FAILURE
    })
}

fn run(task: Task) -> anyhow::Result<ExitCode> {
    let halt = if task.is_long() { halt_on_interrupt(task.is_resumable())? } else { Arc::default() };
    let run = Run { halt: &halt, report: &|line| report(&line.to_string()), progress: &show_progress };
    let is_done = match task {
        Task::Play { config, engine, out, resume } => {
            run.play(&out, &config, engine.engine(config.settings.rule)?, resume)?;
            !run.is_halted()
        }
        Task::Fit { games, config, out } => {
            run.fit(&out, &games, &config)?;
            true
        }
        Task::Train { games, held_out, start, config, out, resume, plot } => {
            let (start, plot) = (start.as_deref(), plot.as_deref());
            let files = TrainFiles { games: &games, held_out: &held_out, start, network: &out, plot };
            run.train(files, &config, resume)?.is_some()
        }
        Task::Improve { folder, generations, threads, config } => {
            run.improve(&folder, &config, generations, threads)?
        }
        Task::Reinforce { config, extent, out, resume, plot } => {
            let files = ReinforceFiles { network: &out, plot: plot.as_deref() };
            run.reinforce(files, &config, &extent, resume)?
        }
        Task::Openings { config, from, engine, out } => {
            run.find_openings(&out, from.as_deref(), &config, engine.engine(config.rule)?)?;
            !run.is_halted()
        }
        Task::Puzzles { config, out } => {
            run.find_puzzles(&out, &config)?;
            !run.is_halted()
        }
        Task::Regret(args) => {
            regret(&args, &halt)?;
            !run.is_halted()
        }
        Task::Show { file, games } => {
            show(&file, games)?;
            true
        }
        Task::Info { files } => return info(&files),
    };
    Ok(ExitCode::from(if is_done { Conclusion::Finished } else { Conclusion::Interrupted } as u8))
}

fn regret(args: &RegretArgs, halt: &AtomicBool) -> anyhow::Result<()> {
    let positions = test_positions(&args.records, args.positions.get(), args.seed)?;
    let rule = positions.first().map(|position| position.rule).unwrap_or_default();
    let engine = args.engine.engine(rule)?;
    let mut file = JudgedFile::open(&args.judged)?;
    let is_watched = stderr().is_terminal();
    let table = judge(&args.config, engine, &positions, &mut file, halt, &mut |done| {
        if is_watched || done % PROGRESS_EVERY == 0 {
            report(&format!("{done} of {} positions", positions.len()));
        }
    })?;
    writeln!(stdout(), "{table}").context("cannot print the table")
}

/// A flag that the first Ctrl-C or SIGTERM sets. The second one ends the process.
fn halt_on_interrupt(is_resumable: bool) -> anyhow::Result<Arc<AtomicBool>> {
    let halt = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&halt);
    platform::on_interrupt(move || {
        if flag.swap(true, Ordering::Relaxed) {
            // Readers ignore a game that is being written.
            std::process::exit(Conclusion::Interrupted as i32);
        }
        report(if is_resumable { "stopping; the run can be resumed" } else { "stopping" });
    })
    .context("the system refuses a thread that waits for Ctrl-C")?;
    Ok(halt)
}

/// Shows the state of a task on a terminal, in a line that is written over. Nothing if stderr is not a terminal.
fn show_progress(state: &dyn Display) {
    /// The codes of terminals (ANSI) that clear the rest of the line.
    const CLEAR: &str = "\u{1b}[K";
    if stderr().is_terminal() {
        let _ = write!(stderr(), "\r{state}{CLEAR}\r");
    }
}

/// Writes a line of progress. A closed stderr is ignored.
fn report(line: &str) {
    let _ = writeln!(stderr(), "{line}");
}
