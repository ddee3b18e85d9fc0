//! The main function of both engine binaries: arguments, log, then the protocol or a subcommand.

mod args;
mod config;
mod output;
mod replay;
mod tasks;

use std::io::{self, IsTerminal, Write};
use std::panic;
use std::process;
use std::time::Instant;

use args::{Cli, Task};
use config::Config;
use tasks::Chooser;
use tengen::bench::Extent;
use tengen::eval::Networks;
use tengen::files;
use tengen::picker::{Evaluation, JudgeName, PickerName};
use tengen::protocol::{self, Setup};
use tengen::text::Short;

/// What tells the two engines apart.
pub(crate) struct Program {
    /// The name of the binary, in usage lines and errors.
    pub(crate) file: &'static str,
    /// What ABOUT calls the engine.
    pub(crate) name: &'static str,
    /// The picker, unless `--picker` or the file of settings names another.
    pub(crate) picker: PickerName,
}

/// Runs an engine and ends the process.
pub(crate) fn main(program: &Program) -> ! {
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
            let Chooser { weighting, picker, .. } = config.chooser();
            let setup = Setup::new(weighting, picker, started);
            run_protocol(Setup { name: program.name, options: config.options(), note: config.note(), ..setup })
        }
        // The same work everywhere: no file changes it.
        Some(Task::Bench { short }) => {
            let evaluation = Evaluation { name: cli.evaluation.unwrap_or_default(), available: networks };
            let extent = if *short { Extent::Short } else { Extent::Full };
            let picker = cli.picker.unwrap_or(program.picker);
            show_note(evaluation.note(picker), program);
            tasks::bench(picker, extent, evaluation)
        }
        Some(Task::Openings { json, judge: None }) => tasks::openings(*json),
        Some(Task::Openings { judge: Some(time), .. }) => tasks::judge_openings(*time, chooser(&config(), program)),
        Some(Task::Config) => tasks::config(&config()),
        Some(Task::Explain(question)) => tasks::explain(question, chooser(&config(), program)),
        Some(Task::Replay(game)) => replay::replay(game, chooser(&config(), program)),
    }
}

/// The networks that `--network` names and the built-in ones of the other rules. What a person has named plays, or
/// the process ends with status 2: a match would go on without it.
fn networks(cli: &Cli, program: &Program) -> &'static Networks {
    if let Some(evaluation) = cli.evaluation.filter(|&name| name != JudgeName::Network && !cli.network.is_empty()) {
        args::refuse(program, &format!("--evaluation {evaluation} plays by no network, but --network names one"));
    }
    config::networks(&cli.network).unwrap_or_else(|error| args::refuse(program, &error))
}

/// What answers the questions of a person; a note on the settings is one line on stderr.
fn chooser(config: &Config, program: &Program) -> Chooser {
    show_note(config.note(), program);
    config.chooser()
}

fn show_note(note: Option<String>, program: &Program) {
    if let Some(note) = note {
        let _ = writeln!(io::stderr(), "{}: {note}", program.file);
    }
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
