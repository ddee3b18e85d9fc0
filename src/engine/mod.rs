//! What both engine binaries are: arguments, logger, then the protocol or a task.

mod cli;
mod tasks;

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::panic;
use std::process;
use std::time::Instant;

use cli::{Cli, Task};
use tengen::bench::Extent;
use tengen::picker::PickerName;
use tengen::protocol::{self, Setup};

/// Runs an engine that picks so where nothing else is said, and ends the process.
pub(crate) fn main(default: PickerName) -> ! {
    let started = Instant::now();
    if let Err(error) = run(&Cli::from_arguments(), default, started) {
        let _ = writeln!(io::stderr(), "pbrain-tengen: {error:#}");
        process::exit(1);
    }
    // Whatever still runs or holds memory goes with the process: a manager waits half a second at most.
    process::exit(0);
}

fn run(cli: &Cli, default: PickerName, started: Instant) -> anyhow::Result<()> {
    start_log(cli);
    let picker = cli.picker.unwrap_or(default);
    match &cli.task {
        None => speak(Setup::new(cli.weighting, picker, started)),
        Some(Task::Bench { short }) => tasks::bench(picker, if *short { Extent::Short } else { Extent::Full }),
        Some(Task::Explain(question)) => tasks::explain(question, cli.weighting, picker),
    }
}

/// Speaks the protocol until the manager leaves.
fn speak(setup: Setup) -> anyhow::Result<()> {
    // Managers take stderr for protocol text: a panic, which costs a move at most, is for the log.
    panic::set_hook(Box::new(|info| log::error!("{info}")));
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let _ = writeln!(io::stderr(), "The Gomocup protocol is spoken here: try START 15, BEGIN, END; or --help.");
    }
    protocol::run(io::stdin(), io::stdout(), setup)?;
    Ok(())
}

/// Logs only where it was asked for: to a file, or to stderr at the wish of RUST_LOG.
fn start_log(cli: &Cli) {
    let level = std::env::var_os("RUST_LOG").is_some();
    if !level && cli.log.is_none() {
        return;
    }
    let mut builder = env_logger::Builder::from_default_env();
    if let Some(path) = &cli.log {
        let file = File::create(path)
            .unwrap_or_else(|error| cli::refuse(&format!("cannot write the log {}: {error}", path.display())));
        builder.target(env_logger::Target::Pipe(Box::new(file)));
        if !level {
            builder.filter_level(log::LevelFilter::Debug);
        }
    }
    builder.init();
}
