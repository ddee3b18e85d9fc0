//! The command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand};
use tengen::arena::config::EngineSpec;
use tengen::arena::config::args::{SuperviseArgs, engines};
use tengen::web::{ListenAddress, PORT, Password, ServerConfig, SessionConfig};

/// A board in the browser: play against Tengen or any Gomocup engine, look at what they see, replay games.
/// Prints the address of the page and serves it until it is ended.
#[derive(Debug, Parser)]
#[command(name = "tengen-board", bin_name = "tengen-board", version)]
pub(crate) struct Cli {
    /// An engine that the page may choose: cmd='program arguments', name, dir, tolerance, start, grace, memory,
    /// threads, dialect, and option.X=V, which is sent as INFO X V. May be repeated.
    #[arg(long, num_args = 1.., action = clap::ArgAction::Append, value_name = "KEY=VALUE")]
    engine: Vec<String>,

    /// The same for every engine; its own words override these.
    #[arg(long, num_args = 1.., action = clap::ArgAction::Append, value_name = "KEY=VALUE")]
    each: Vec<String>,

    #[arg(long, value_name = "ADDRESS:PORT")]
    #[arg(help = format!(
        "The address or name, and the port to listen on; 0 is any free port [default: 127.0.0.1:{PORT}, or a free port]"
    ))]
    listen: Option<ListenAddress>,

    /// Asks every browser for this word of at least 8 letters, digits, and - _ . ~. Needed with --listen if other
    /// machines can reach the address
    #[arg(long, value_name = "WORD")]
    password: Option<Password>,

    /// Threads of a search
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,

    /// What is known of positions, for the panel "Library": a file of tengen-library. A new one is created if there is
    /// none. Every page can change it
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,

    /// Open the page in the browser, and end when no page has been open for five minutes. If a board already runs at the
    /// usual address, only its page is opened
    #[arg(long)]
    open: bool,

    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Runs an engine for a board and kills all its processes at the end. For use by the board only.
    #[command(hide = true)]
    Supervise(SuperviseArgs),
}

/// What to do.
#[derive(Debug)]
pub(crate) enum Action {
    /// Serves pages.
    Serve(Box<Serving>),
    Supervise(SuperviseArgs),
}

/// How to serve.
#[derive(Debug)]
pub(crate) struct Serving {
    pub(crate) config: ServerConfig,
    /// The file of the library.
    pub(crate) library: Option<PathBuf>,
    /// Whether the page is opened, and the server ends with it.
    pub(crate) open: bool,
    /// Whether a board that runs already serves as well, because no other option is given.
    pub(crate) shares: bool,
}

/// Reads the arguments. The first one is the program.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Action, clap::Error> {
    let mut command = Cli::command();
    let matches = command.try_get_matches_from_mut(arguments)?;
    let cli = Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
    if let Some(Task::Supervise(args)) = cli.task {
        return Ok(Action::Supervise(args));
    }
    let wrong = |message: String| Cli::command().error(ErrorKind::ValueValidation, message);
    let engines = engines(&matches).map_err(|error| wrong(error.to_string()))?;
    engines.iter().try_for_each(EngineSpec::check_program).map_err(|error| wrong(error.to_string()))?;
    if let Some(open) = cli.listen.as_ref().filter(|listen| listen.is_public() && cli.password.is_none()) {
        return Err(wrong(format!("other machines reach {}: add --password WORD", open.name)));
    }
    let Cli { listen, password, threads, library, open, .. } = cli;
    let session = SessionConfig { engines, threads: threads.into(), ..SessionConfig::default() };
    let config = ServerConfig { listen, password, session };
    let is_given = |argument: &&Arg| matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine);
    let shares = open && command.get_arguments().filter(is_given).count() == 1;
    Ok(Action::Serve(Box::new(Serving { config, library, open, shares })))
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
        let parsed = parse_words("--each tolerance=7 --engine name=a cmd=sh --engine cmd=sh tolerance=9");
        let Ok(Action::Serve(parsed)) = parsed else { panic!("{parsed:?}") };
        let engines: Vec<_> =
            parsed.config.session.engines.iter().map(|engine| (&*engine.name, engine.time.tolerance)).collect();
        assert_eq!(engines, [("a", 7), ("sh", 9)]);
    }

    #[test]
    fn wrong_words_are_refused() {
        for line in ["--engine name=a", "--engine cmd=sh --engine cmd=sh", "--listen x", "--threads 0", "x", "--each a"]
        {
            let parsed = parse_words(line);
            let is_refused = parsed.as_ref().is_err_and(|error| error.exit_code() == 2);
            assert!(is_refused || line == "--each a", "{line}: {parsed:?}");
        }
    }

    /// The words of a refusal, which has the status of wrong usage.
    fn refusal(line: &str) -> String {
        let error = parse_words(line).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        error.to_string()
    }

    #[test]
    fn a_board_that_runs_serves_as_well_only_without_other_options() {
        for (line, expected) in [("--open", true), ("--open --threads 2", false), ("--threads 2", false), ("", false)] {
            let Ok(Action::Serve(serving)) = parse_words(line) else { panic!("{line}") };
            assert_eq!(serving.shares, expected, "{line}");
        }
    }

    #[test]
    fn a_name_is_an_address_to_listen_on() {
        for (line, name) in [("localhost:8000", "localhost"), ("127.0.0.1:0", "127.0.0.1"), ("[::1]:80", "[::1]")] {
            let parsed = parse_words(&format!("--listen {line}"));
            let Ok(Action::Serve(serving)) = parsed else { panic!("{line}: {parsed:?}") };
            let listen = serving.config.listen.unwrap();
            assert_eq!(listen.name, name);
            assert!(!listen.is_public(), "{listen:?}");
        }
        assert!(refusal("--listen localhost").contains("localhost:8000"));
    }

    #[test]
    fn an_address_that_other_machines_reach_needs_a_password() {
        for address in ["0.0.0.0:0", "[::]:0", "192.0.2.1:8000"] {
            assert!(refusal(&format!("--listen {address}")).contains("--password"), "{address}");
            assert!(parse_words(&format!("--listen {address} --password correct-horse")).is_ok(), "{address}");
        }
        for word in ["short", "with&sign", "nothing%20left"] {
            assert!(refusal(&format!("--password {word}")).contains("at least 8"), "{word}");
        }
    }

    #[test]
    fn an_engine_whose_program_is_missing_is_named() {
        assert!(refusal("--engine cmd=/nonexistent").contains("/nonexistent"));
        assert!(refusal("--engine cmd=no-such-program").contains("no-such-program"));
    }
}
