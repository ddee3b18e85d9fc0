//! pbrain-tengen: the engine as a manager starts it.

mod cli;

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::panic;
use std::process;
use std::time::Instant;

use anyhow::Context;
use cli::Cli;
use tengen::protocol::{self, Setup};

fn main() -> anyhow::Result<()> {
    let started = Instant::now();
    let cli = Cli::from_arguments();
    start_log(&cli)?;
    // Managers take stderr for protocol text: a panic, which costs a move at most, is for the log.
    panic::set_hook(Box::new(|info| log::error!("{info}")));
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let _ = writeln!(io::stderr(), "The Gomocup protocol is spoken here: try START 15, BEGIN, END; or --help.");
    }
    protocol::run(io::stdin(), io::stdout(), Setup::new(cli.book, cli.picker, started))?;
    // Whatever still runs or holds memory goes with the process: a manager waits half a second at most.
    process::exit(0);
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
