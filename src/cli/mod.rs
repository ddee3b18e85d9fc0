//! The command line of both engines, `pbrain-tengen` and `pbrain-tengen-search`.
//!
//! Owns the arguments, `tengen.toml`, the log and the subcommands. Each binary only calls [`main`]. Uses the whole
//! library except `tune`, `web` and `cube`. Other modules must never use it.

mod analyse;
mod args;
mod config;
pub mod output;
mod replay;
mod tasks;

use std::io::{self, IsTerminal, Write};
use std::panic;
use std::process;
use std::time::Instant;

use crate::bench::Extent;
use crate::eval::Networks;
use crate::files;
use crate::library::book::BookFileError;
use crate::picker::{JudgeName, PickerName};
use crate::protocol::{self, Info, Settings, Setup};
use crate::text::Short;
pub use args::command;
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
    // Exit without freeing threads and tables: that could take longer than the half second that managers wait.
    process::exit(0);
}

fn run(cli: &Cli, program: &Program, started: Instant) -> anyhow::Result<()> {
    start_log(cli, program);
    let networks = networks(cli, program);
    let checked = |config: Result<Config, BookFileError>| {
        config.unwrap_or_else(|error| args::refuse(program, &error.to_string()))
    };
    let config = || checked(Config::read(cli, program, networks));
    match &cli.task {
        None => {
            let config = config();
            run_protocol(Setup { name: program.name, note: config.error, ..Setup::new(config.settings, started) })
        }
        // The bench ignores `tengen.toml`, so that it does the same work on every machine.
        Some(Task::Bench { short }) => {
            let Settings { picker, evaluation, .. } =
                settings(checked(Config::of_arguments(cli, program, networks)), program);
            tasks::bench(picker, if *short { Extent::Short } else { Extent::Full }, evaluation)
        }
        Some(Task::Openings { json, judge: None }) => tasks::openings(*json),
        Some(Task::Openings { judge: Some(time), .. }) => tasks::judge_openings(*time, &settings(config(), program)),
        Some(Task::Config) => tasks::config(&config()),
        Some(Task::Explain(question)) => tasks::explain(question, &settings(config(), program)),
        Some(Task::Analyse(task)) => analyse::analyse(task, &settings(config(), program)),
        Some(Task::Replay(game)) => replay::replay(game, &settings(config(), program)),
    }
}

/// The networks of `--network`, and the built-in networks of the other rules. If a file does not load, the process
/// exits with status 2. Otherwise a match would continue without the network.
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

/// The settings of a subcommand. Prints a note on them to stderr. The protocol sends the note as a message instead.
fn settings(config: Config, program: &Program) -> Settings {
    if let Some(note) = config.note() {
        let _ = writeln!(io::stderr(), "{}: {note}", program.file);
    }
    config.settings
}

/// Runs the protocol until the manager leaves.
fn run_protocol(setup: Setup) -> anyhow::Result<()> {
    // Some managers read stderr as protocol text, so panics go to the log. A panic costs a move at most.
    panic::set_hook(Box::new(|info| log::error!("{info}")));
    if io::stdin().is_terminal() && io::stderr().is_terminal() {
        let _ = writeln!(io::stderr(), "This is the Gomocup protocol: try START 15, BEGIN, END; or --help.");
    }
    protocol::run(io::stdin(), io::stdout(), Setup { is_unread: output::is_unread, ..setup })?;
    Ok(())
}

/// Logs to the file of `--log`, or to stderr if only RUST_LOG is set. Without both the log is off.
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
