//! The command line of both engines, `pbrain-tengen` and `pbrain-tengen-search`.
//!
//! Owns the arguments, `tengen.toml`, the log and the subcommands; their binaries are one call of [`main`]. Uses the
//! whole library except `tune`, `web` and `cube`. Must never be used by another module.

mod args;
mod config;
mod output;
mod replay;
mod tasks;

use std::io::{self, IsTerminal, Write};
use std::panic;
use std::process;
use std::time::Instant;

use crate::bench::Extent;
use crate::eval::Networks;
use crate::files;
use crate::picker::{JudgeName, PickerName};
use crate::protocol::{self, Info, Settings, Setup};
use crate::text::Short;
use args::{Cli, Task};
use config::Config;

/// The differences between the two engines.
pub struct Program {
    /// The name of the binary, in usage lines and errors.
    file: &'static str,
    /// The name of the engine in the answer to ABOUT.
    name: &'static str,
    /// The picker, unless `--picker` or `tengen.toml` names another.
    picker: PickerName,
}

impl Program {
    /// The engine that plays the greatest documented weight.
    pub const GREEDY: Self = Self { file: "pbrain-tengen", name: "Tengen", picker: PickerName::Greedy };

    /// The engine that searches.
    pub const SEARCH: Self = Self { file: "pbrain-tengen-search", name: "TengenSearch", picker: PickerName::Search };
}

/// Runs an engine and ends the process.
pub fn main(program: &Program) -> ! {
    let started = Instant::now();
    files::survive_size_limit();
    if let Err(error) = run(&Cli::from_arguments(program), program, started) {
        let _ = writeln!(io::stderr(), "{}: {}", program.file, Short(format_args!("{error:#}")));
        process::exit(1);
    }
    // Threads and tables end with the process: freeing them could take longer than the half second that managers wait.
    process::exit(0);
}

fn run(cli: &Cli, program: &Program, started: Instant) -> anyhow::Result<()> {
    start_log(cli, program);
    let networks = networks(cli, program);
    let config = || Config::read(cli, program, networks);
    match &cli.task {
        None => {
            let config = config();
            run_protocol(Setup { name: program.name, note: config.error, ..Setup::new(config.settings, started) })
        }
        // The same work everywhere: no file changes it.
        Some(Task::Bench { short }) => {
            let Settings { picker, evaluation, .. } = settings(&Config::of_arguments(cli, program, networks), program);
            tasks::bench(picker, if *short { Extent::Short } else { Extent::Full }, evaluation)
        }
        Some(Task::Openings { json, judge: None }) => tasks::openings(*json),
        Some(Task::Openings { judge: Some(time), .. }) => tasks::judge_openings(*time, &settings(&config(), program)),
        Some(Task::Config) => tasks::config(&config()),
        Some(Task::Explain(question)) => tasks::explain(question, &settings(&config(), program)),
        Some(Task::Replay(game)) => replay::replay(game, &settings(&config(), program)),
    }
}

/// The networks of `--network`, and the built-in ones of the other rules. If a file does not load, the process ends with
/// status 2, because a match would go on without it.
fn networks(cli: &Cli, program: &Program) -> &'static Networks {
    for setting in cli.settings.iter().filter(|_| !cli.network.is_empty()) {
        match setting {
            Info::Evaluation(name) if *name != JudgeName::Network => {
                args::refuse(program, &format!("--evaluation {name} uses no network, but --network names one"));
            }
            _ => {}
        }
    }
    config::networks(&cli.network).unwrap_or_else(|error| args::refuse(program, &error))
}

/// The settings of a subcommand; a note on them is one line on stderr. In the protocol it is a message.
fn settings(config: &Config, program: &Program) -> Settings {
    if let Some(note) = config.note() {
        let _ = writeln!(io::stderr(), "{}: {note}", program.file);
    }
    config.settings
}

/// Runs the protocol until the manager leaves.
fn run_protocol(setup: Setup) -> anyhow::Result<()> {
    // Managers read stderr as protocol text, so a panic, which costs a move at most, goes to the log.
    panic::set_hook(Box::new(|info| log::error!("{info}")));
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let _ = writeln!(io::stderr(), "This is the Gomocup protocol: try START 15, BEGIN, END; or --help.");
    }
    protocol::run(io::stdin(), io::stdout(), Setup { is_unread: output::is_unread, ..setup })?;
    Ok(())
}

/// Logs to the file of `--log`, or to stderr where only RUST_LOG is set; else there is no log.
fn start_log(cli: &Cli, program: &Program) {
    let level = std::env::var_os("RUST_LOG").is_some();
    if !level && cli.log.is_none() {
        return;
    }
    let mut builder = env_logger::Builder::from_default_env();
    if let Some(path) = &cli.log {
        let file = files::create(path).unwrap_or_else(|error| {
            args::refuse(program, &format!("cannot write the log {}: {error}", path.display()))
        });
        builder.target(env_logger::Target::Pipe(Box::new(file)));
        if !level {
            builder.filter_level(log::LevelFilter::Debug);
        }
    }
    builder.init();
}
