//! The command line.

use std::ffi::OsString;
use std::net::SocketAddr;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use tengen::arena::config::EngineSpec;

/// A board in the browser: play against Tengen or any Gomocup engine, look at what they see, replay games.
/// Prints the address of the page and serves it until it is ended.
#[derive(Debug, Parser)]
#[command(name = "tengen-board", bin_name = "tengen-board", version, about)]
struct Cli {
    /// An engine that the page may choose: cmd='program arguments', name, dir, tolerance, start, grace, memory,
    /// threads, dialect, and option.X=V, which is sent as INFO X V. May be repeated.
    #[arg(long, num_args = 1.., action = clap::ArgAction::Append, value_name = "KEY=VALUE")]
    engine: Vec<String>,

    /// The same for every engine; its own words override these.
    #[arg(long, num_args = 1.., action = clap::ArgAction::Append, value_name = "KEY=VALUE")]
    each: Vec<String>,

    /// The address and port to listen on; 0 is any free port [default: 127.0.0.1:7315, or a free port]
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<SocketAddr>,

    /// Threads of a search
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Runs an engine for a board and leaves nothing of it behind; no command for a person.
    #[command(hide = true)]
    Supervise(SuperviseArgs),
}

#[derive(Debug, Args)]
struct SuperviseArgs {
    /// The process of the board.
    #[arg(long)]
    arena: u32,
    /// The engine's program and arguments.
    #[arg(last = true, required = true)]
    command: Vec<OsString>,
}

/// What to do.
#[derive(Debug)]
pub(crate) enum Action {
    Serve(Parsed),
    Supervise(u32, Vec<OsString>),
}

/// How to serve.
#[derive(Debug)]
pub(crate) struct Parsed {
    pub(crate) listen: Option<SocketAddr>,
    pub(crate) engines: Vec<EngineSpec>,
    pub(crate) threads: usize,
}

/// Reads the arguments, the first of which is the program.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Action, clap::Error> {
    let mut command = Cli::command();
    let matches = command.try_get_matches_from_mut(arguments)?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    if let Some(Task::Supervise(args)) = cli.task {
        return Ok(Action::Supervise(args.arena, args.command));
    }
    let wrong = |message: String| Cli::command().error(ErrorKind::ValueValidation, message);
    let mut engines: Vec<EngineSpec> = Vec::new();
    let groups = if matches.value_source("engine") == Some(ValueSource::CommandLine) {
        matches.get_occurrences::<String>("engine").into_iter().flatten().map(Iterator::collect).collect()
    } else {
        Vec::<Vec<&String>>::new()
    };
    for words in groups {
        let words = cli.each.iter().chain(words).map(String::as_str);
        let engine = EngineSpec::parse(words).map_err(|error| wrong(error.to_string()))?;
        if engines.iter().any(|other| other.name == engine.name) {
            return Err(wrong(format!("two engines have the name {:?}; give one of them name=…", engine.name)));
        }
        engines.push(engine);
    }
    Ok(Action::Serve(Parsed { listen: cli.listen, engines, threads: cli.threads.into() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_words(line: &str) -> Result<Action, clap::Error> {
        parse(std::iter::once("tengen-board").chain(line.split_whitespace()).map(OsString::from))
    }

    #[test]
    fn the_definition_of_the_command_line_holds_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn engines_come_one_for_each_option_and_the_common_words_first() {
        let parsed = parse_words("--each tolerance=7 --engine name=a cmd=x --engine cmd=y tolerance=9");
        let Ok(Action::Serve(parsed)) = parsed else { panic!("{parsed:?}") };
        let engines: Vec<_> = parsed.engines.iter().map(|engine| (&*engine.name, engine.time.tolerance)).collect();
        assert_eq!(engines, [("a", 7), ("y", 9)]);
    }

    #[test]
    fn wrong_words_are_refused() {
        for line in ["--engine name=a", "--engine cmd=a --engine cmd=a", "--listen x", "--threads 0", "x", "--each a"] {
            let parsed = parse_words(line);
            let is_refused = parsed.as_ref().is_err_and(|error| error.exit_code() == 2);
            assert!(is_refused || line == "--each a", "{line}: {parsed:?}");
        }
    }
}
