//! pbrain-tengen: the engine as a manager starts it.

mod cli;
mod tasks;

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::panic;
use std::process;
use std::time::Instant;

use anyhow::Context;
use cli::{Cli, Task};
use tengen::protocol::{self, Setup};

fn main() {
    let started = Instant::now();
    if let Err(error) = run(&Cli::from_arguments(), started) {
        let _ = writeln!(io::stderr(), "pbrain-tengen: {error:#}");
        process::exit(1);
    }
    // Whatever still runs or holds memory goes with the process: a manager waits half a second at most.
    process::exit(0);
}

fn run(cli: &Cli, started: Instant) -> anyhow::Result<()> {
    start_log(cli)?;
    match &cli.task {
        None => speak(cli, started),
        Some(Task::Bench) => tasks::bench(cli.picker),
        Some(Task::Explain(question)) => tasks::explain(question, cli.book, cli.picker),
    }
}

/// Speaks the protocol until the manager leaves.
fn speak(cli: &Cli, started: Instant) -> anyhow::Result<()> {
    // Managers take stderr for protocol text: a panic, which costs a move at most, is for the log.
    panic::set_hook(Box::new(|info| log::error!("{info}")));
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let _ = writeln!(io::stderr(), "The Gomocup protocol is spoken here: try START 15, BEGIN, END; or --help.");
    }
    protocol::run(io::stdin(), io::stdout(), Setup::new(cli.book, cli.picker, started))?;
    Ok(())
}

/// Logs only where it was asked for: to a file, or to stderr at the wish of RUST_LOG.
fn start_log(cli: &Cli) -> anyhow::Result<()> {
    let level = std::env::var_os("RUST_LOG").is_some();
    if !level && cli.log.is_none() {
        return Ok(());
    }
    let mut builder = env_logger::Builder::from_default_env();
    if let Some(path) = &cli.log {
        let file = File::create(path).with_context(|| format!("cannot write the log {}", path.display()))?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
        if !level {
            builder.filter_level(log::LevelFilter::Debug);
        }
    }
    builder.init();
    Ok(())
}
