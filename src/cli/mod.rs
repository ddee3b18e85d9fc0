//! The main function of both engine binaries: arguments, log, then the protocol or a subcommand.

mod args;
mod tasks;

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::panic;
use std::process;
use std::time::Instant;

use args::{Cli, Task};
use tengen::bench::Extent;
use tengen::picker::PickerName;
use tengen::protocol::{self, Setup};

/// Runs the engine with this picker, unless `--picker` names another, and ends the process.
pub(crate) fn main(default: PickerName) -> ! {
    let started = Instant::now();
    if let Err(error) = run(&Cli::from_arguments(), default, started) {
        let _ = writeln!(io::stderr(), "pbrain-tengen: {error:#}");
        process::exit(1);
    }
    // Threads and tables end with the process: freeing them could take longer than the half second that managers wait.
    process::exit(0);
}

fn run(cli: &Cli, default: PickerName, started: Instant) -> anyhow::Result<()> {
    start_log(cli);
    let picker = cli.picker.unwrap_or(default);
    match &cli.task {
        None => run_protocol(Setup::new(cli.weighting, picker, started)),
        Some(Task::Bench { short }) => tasks::bench(picker, if *short { Extent::Short } else { Extent::Full }),
        Some(Task::Explain(question)) => tasks::explain(question, cli.weighting, picker),
    }
}

/// Runs the protocol until the manager leaves.
fn run_protocol(setup: Setup) -> anyhow::Result<()> {
    // Managers read stderr as protocol text, so a panic, which costs a move at most, goes to the log.
    panic::set_hook(Box::new(|info| log::error!("{info}")));
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let _ = writeln!(io::stderr(), "This is the Gomocup protocol: try START 15, BEGIN, END; or --help.");
    }
    protocol::run(io::stdin(), io::stdout(), Setup { is_unread: is_output_unread, ..setup })?;
    Ok(())
}

/// Whether the reader of stdout is gone. Systems other than Unix say so at the next write.
fn is_output_unread() -> bool {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let stdout = io::stdout();
        let mut streams = [PollFd::new(&stdout, PollFlags::empty())];
        let is_told = poll(&mut streams, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|told| told > 0);
        is_told && streams[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
    }
    #[cfg(not(unix))]
    false
}

/// Logs to the file of `--log`, or to stderr where only RUST_LOG is set; else there is no log.
fn start_log(cli: &Cli) {
    let level = std::env::var_os("RUST_LOG").is_some();
    if !level && cli.log.is_none() {
        return;
    }
    let mut builder = env_logger::Builder::from_default_env();
    if let Some(path) = &cli.log {
        let file = File::create(path)
            .unwrap_or_else(|error| args::refuse(&format!("cannot write the log {}: {error}", path.display())));
        builder.target(env_logger::Target::Pipe(Box::new(file)));
        if !level {
            builder.filter_level(log::LevelFilter::Debug);
        }
    }
    builder.init();
}
