//! The command line.
//!
//! Managers start an engine with arguments of their own (`--force-utf8`), which must not keep it from playing: without a
//! subcommand, unknown arguments are ignored. A known option with a bad value is an error. A subcommand is typed by a
//! person; it is strict.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, Command, CommandFactory, Parser, Subcommand};
use tengen::board::{Rule, Size};
use tengen::picker::PickerName;
use tengen::weights::Weighting;

/// The greatest number of milliseconds: that of the protocol, 24 days.
const LONGEST_TIME: u64 = i32::MAX as u64;

/// A gomoku and renju engine. Without a subcommand it runs the Gomocup protocol on stdin and stdout: start it from
/// a manager such as Piskvork, or type START 15, BEGIN, TURN 7,8, END.
#[derive(Debug, Parser)]
#[command(name = "pbrain-tengen", version, about)]
pub(crate) struct Cli {
    // Its help line is made of the list of weightings.
    #[arg(long = "weights", value_name = "NAME", default_value_t, global = true)]
    #[arg(help = format!("The documented weights: {}", Weighting::names()))]
    pub(crate) weighting: Weighting,

    /// The picker of the moves: greedy (pbrain-tengen's default) or search (pbrain-tengen-search's)
    #[arg(long, value_name = "NAME", global = true)]
    pub(crate) picker: Option<PickerName>,

    /// Write a log to this file; RUST_LOG sets its level
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// What to do instead of running the protocol
    #[command(subcommand)]
    pub(crate) task: Option<Task>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Play a fixed set of games and print their signature and the speed
    Bench {
        /// Do a small part: what the tests pin, in less than a second
        #[arg(long)]
        short: bool,
    },
    /// Show the move of the engine and what decided it
    Explain(Question),
}

/// The position to explain.
#[derive(Debug, Args)]
pub(crate) struct Question {
    /// The moves of the game, black first: h8 i9 j10, or h8i9j10
    #[arg(value_name = "MOVE", conflicts_with = "file")]
    pub(crate) moves: Vec<String>,

    /// A saved game of Piskvork (*.psq), or lines of the protocol; - is stdin
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Explain the position in which this move of the game was played, counted from one [default: after the last]
    #[arg(long = "move", value_name = "NUMBER")]
    pub(crate) number: Option<usize>,

    /// freestyle, standard, renju, caro_overline or caro, or its number in the protocol
    #[arg(long, value_name = "RULE", default_value_t)]
    pub(crate) rule: Rule,

    /// The side of the board, 5 to 32 [default: 15, or the saved game's]
    #[arg(long, value_name = "SIDE")]
    pub(crate) size: Option<Size>,

    /// Milliseconds for a search, in place of what lines of the protocol set [default: theirs, else 1000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=LONGEST_TIME))]
    pub(crate) time: Option<u64>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl Cli {
    /// Reads the arguments of the process. Prints and exits where they ask for help or the version, or are wrong.
    pub(crate) fn from_arguments() -> Self {
        Self::parse_from(without_foreign(&Self::command(), std::env::args_os()))
    }
}

/// Ends the process with status 2, as wrong arguments do.
pub(crate) fn refuse(message: &str) -> ! {
    Cli::command().error(ErrorKind::Io, message).exit()
}

/// The arguments without what the command does not know; all of them where a subcommand is among them.
fn without_foreign(command: &Command, arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments = arguments.into_iter();
    let mut kept: Vec<OsString> = arguments.next().into_iter().collect();
    let rest: Vec<OsString> = arguments.collect();
    if rest.iter().any(|argument| command.find_subcommand(argument).is_some()) {
        kept.extend(rest);
        return kept;
    }
    let mut rest = rest.into_iter();
    while let Some(argument) = rest.next() {
        let Some(takes_value) = known_option(command, &argument) else { continue };
        kept.push(argument);
        if takes_value {
            kept.extend(rest.next());
        }
    }
    kept
}

/// Whether the argument is an option of the command; and if so, whether its value is the next argument.
fn known_option(command: &Command, argument: &OsStr) -> Option<bool> {
    let text = argument.to_str()?;
    let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value)));
    if matches!(name, "--help" | "-h" | "--version" | "-V") {
        return Some(false);
    }
    let option = command.get_arguments().find(|option| name.strip_prefix("--") == option.get_long())?;
    Some(option.get_action().takes_values() && value.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        let words = line.split_whitespace().map(OsString::from);
        let arguments = std::iter::once("pbrain-tengen".into()).chain(words);
        Cli::try_parse_from(without_foreign(&Cli::command(), arguments))
    }

    #[test]
    fn the_definition_of_the_command_line_holds_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn arguments_of_a_manager_are_ignored() {
        let cli = parse("--force-utf8 x --weights decimal -q --foo=bar --log=a.log").unwrap();
        assert_eq!(cli.weighting, Weighting::DECIMAL);
        assert_eq!(cli.log, Some("a.log".into()));
        let silent = parse("").unwrap();
        assert_eq!((silent.weighting, silent.picker), (Weighting::SHAPES, None));
    }

    #[test]
    fn a_subcommand_is_strict() {
        assert!(matches!(parse("bench --picker greedy").unwrap().task, Some(Task::Bench { short: false })));
        assert_eq!(parse("explain --weights runs h8 i9").unwrap().weighting, Weighting::RUNS);
        for line in
            ["bench --force-utf8", "explain --foo", "explain --size 4", "explain h8 --file x", "explain --move x"]
        {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn a_known_option_with_a_bad_value_is_an_error() {
        for line in ["--weights", "--weights x", "--weights=", "--picker oracle", "--log"] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }
}
