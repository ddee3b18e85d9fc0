//! The command line.
//!
//! Managers start an engine with arguments of their own (`--force-utf8`), which must not prevent play. Unknown
//! arguments are therefore ignored unless there is a subcommand. A known option with a bad value is an error. People
//! type the subcommands, so their arguments are strict. A misspelled subcommand (`explian`) is an error that names the
//! right one.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::PathBuf;
use std::process;

use crate::board::{Rule, Size};
use crate::notation::Ranks;
use crate::notation::record::GameId;
use crate::protocol::rule_number::parse_rule;
use crate::protocol::{Info, Key, MOST_MILLISECONDS, Place, Row, Settings, Values};
use clap::{Arg, Args, Command, FromArgMatches, Parser, Subcommand};

use super::Program;

/// A gomoku and renju engine. Without a subcommand it runs the Gomocup protocol on stdin and stdout: start it from
/// a manager such as Piskvork, or type START 15, BEGIN, TURN 7,8, END.
#[derive(Debug, Parser)]
#[command(version, about)]
pub(super) struct Cli {
    /// The settings from the arguments.
    #[arg(skip)]
    pub(super) settings: Vec<Info>,

    /// A network file to play its rule by, instead of the built-in one; may be repeated
    #[arg(long, value_name = "FILE", global = true)]
    pub(super) network: Vec<PathBuf>,

    /// Write a log to this file; RUST_LOG sets its level
    #[arg(long, value_name = "FILE")]
    pub(super) log: Option<PathBuf>,

    /// What to do instead of running the protocol
    #[command(subcommand)]
    pub(super) task: Option<Task>,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub(super) enum Task {
    /// Play a fixed set of games and print their signature and the speed
    Bench {
        /// Run only the part that the tests pin, in less than a second
        #[arg(long)]
        short: bool,
    },
    /// Show the engine's move and the reason for it
    Explain(Question),
    /// Step through a finished game, with the engine's verdict on each move and the move that lost it
    Replay(Game),
    /// Answer queries about positions, lines of JSON on stdin; or analyse the games of files
    Analyse(Analyse),
    /// Print the 26 named openings of renju: names, pictures, and what a number of fifth moves makes of each
    Openings {
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Search each opening with 1 to 12 fifth moves, this number of milliseconds for each, and print a table
        #[arg(long, value_name = "MS", conflicts_with = "json", value_parser = clap::value_parser!(u64).range(1..=MOST_MILLISECONDS))]
        judge: Option<u64>,
    },
    /// Print the settings in force and where each comes from: the file tengen.toml or the arguments
    Config,
}

/// The position to explain.
#[derive(Debug, Args)]
pub(super) struct Question {
    /// The moves of the game, black first: h8 i9 j10, or h8i9j10
    #[arg(value_name = "MOVE", conflicts_with = "file")]
    pub(super) moves: Vec<String>,

    /// A saved game of Piskvork (*.psq), or lines of the protocol; - is stdin
    #[arg(long, value_name = "FILE")]
    pub(super) file: Option<PathBuf>,

    /// Explain the position in which this move of the game was played, counted from one [default: after the last]
    #[arg(long = "move", value_name = "NUMBER")]
    pub(super) number: Option<usize>,

    /// freestyle, standard, renju, caro_overline or caro, or its number in the protocol
    #[arg(long, value_name = "RULE", default_value_t, value_parser = parse_rule)]
    pub(super) rule: Rule,

    /// The side of the board, 5 to 32 [default: 15, or the saved game's]
    #[arg(long, value_name = "SIDE")]
    pub(super) size: Option<Size>,

    /// Where rank 1 of the moves is: bottom, or top as in the texts of Rapfi and the Gomocup judge
    #[arg(long, value_name = "END", default_value_t)]
    pub(super) ranks: Ranks,

    /// Milliseconds for a search, in place of what lines of the protocol set [default: theirs, else 1000]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=MOST_MILLISECONDS))]
    pub(super) time: Option<u64>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,

    /// Also draw the board with the totals of its points into this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
}

/// The positions to analyse.
#[derive(Debug, Args)]
pub(super) struct Analyse {
    /// Files of games, folders or zip archives of them: PSQ, SGF, records, lists of moves [default: queries on stdin]
    #[arg(value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,

    /// Positions that are searched at once [default: the cores, divided by the threads of a search]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) positions: Option<u16>,

    /// The file for the answers about games [default: stdout]
    #[arg(long, value_name = "FILE", requires = "files")]
    pub(super) out: Option<PathBuf>,

    /// The rule of games that do not state it
    #[arg(long, value_name = "RULE", default_value_t, value_parser = parse_rule, requires = "files")]
    pub(super) rule: Rule,

    /// The size of the board of games that do not state it
    #[arg(long, value_name = "SIDE", default_value_t = Size::FIFTEEN, requires = "files")]
    pub(super) size: Size,

    /// Nodes of a search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: Option<u64>,

    /// Plies of a search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) depth: Option<u32>,

    /// Milliseconds of a search [default: 1000 without another limit]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=MOST_MILLISECONDS))]
    pub(super) time: Option<u64>,

    /// Candidates of a position
    #[arg(long, value_name = "N", default_value_t = 1, requires = "files")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) lines: u16,
}

/// The game to replay.
#[derive(Debug, Args)]
pub(super) struct Game {
    /// A saved game of Piskvork, a record of the arena or a line of it, - for stdin, or the moves: h8 i9 j10
    #[arg(value_name = "GAME", required = true)]
    pub(super) game: Vec<String>,

    /// The game of a record of the arena, such as 0-1.17a [default: the first]
    #[arg(long, value_name = "ID")]
    pub(super) id: Option<GameId>,

    /// Begin after this number of moves [default: 0; the last if stdout is not a terminal]
    #[arg(long = "move", value_name = "NUMBER")]
    pub(super) number: Option<usize>,

    /// The rule [default: that of the record, else freestyle]
    #[arg(long, value_name = "RULE", value_parser = parse_rule)]
    pub(super) rule: Option<Rule>,

    /// The side of the board, 5 to 32 [default: 15, or the game's]
    #[arg(long, value_name = "SIDE")]
    pub(super) size: Option<Size>,

    /// Where rank 1 of a list of moves is: bottom, or top as in the texts of Rapfi and the Gomocup judge
    #[arg(long, value_name = "END", default_value_t)]
    pub(super) ranks: Ranks,

    /// Milliseconds of a search for each move
    #[arg(long, value_name = "MS", default_value_t = 100, value_parser = clap::value_parser!(u64).range(..=MOST_MILLISECONDS))]
    pub(super) time: u64,
}

/// The argument of a setting. `None` if the table of settings defines no argument for it.
fn argument(key: Key) -> Option<Arg> {
    let Row { place: Place::Argument(name), values, help } = key.row() else { return None };
    let (value_name, values) = match values {
        Values::Names(names) => ("NAME", names().join(", ")),
        Values::Count { file_unit, most, .. } => ("N", format!("1 to {most} {file_unit}")),
        Values::Number(unit) => ("N", unit.to_owned()),
        Values::Switch => ("SWITCH", "true or false".to_owned()),
        Values::File => ("FILE", "a path".to_owned()),
    };
    let default = match Settings::default().value(key) {
        Some(value) if key != Key::Picker => value,
        _ => "that of the program".to_owned(),
    };
    let help = format!("{help}: {values} [default: {default}]");
    let argument = Arg::new(name).long(name).value_name(value_name).global(true).help(help);
    Some(argument.value_parser(move |text: &str| key.parse(text)))
}

impl Cli {
    /// Parses the arguments of the process. Prints and exits on `--help`, on `--version` and on an error.
    pub(super) fn from_arguments(program: &Program) -> Self {
        Self::parse(program, std::env::args_os()).unwrap_or_else(|error| error.exit())
    }

    /// Parses arguments. The first one is the program's path.
    fn parse(program: &Program, arguments: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut command = command(program);
        let arguments = without_foreign(&command, arguments);
        let matches = command.try_get_matches_from_mut(arguments)?;
        let value = |key: Key| matches.get_one::<Info>(argument(key)?.get_id().as_str()).cloned();
        let settings = Key::all().filter_map(value).collect();
        let cli = Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))?;
        Ok(Self { settings, ..cli })
    }

    /// Parses the words after the program's name.
    #[cfg(test)]
    pub(super) fn parse_words(program: &Program, words: &[&str]) -> Result<Self, clap::Error> {
        Self::parse(program, std::iter::once(program.file).chain(words.iter().copied()).map(OsString::from))
    }
}

/// The command line, with the program's own name even if the file was renamed.
pub fn command(program: &Program) -> Command {
    let settings = Command::new(program.file).args(Key::all().filter_map(argument));
    Cli::augment_args(settings).bin_name(program.file)
}

/// Prints one line and exits with status 2, like a usage error. Managers show the last line of an engine.
pub(super) fn refuse(program: &Program, message: &str) -> ! {
    let _ = writeln!(io::stderr(), "{}: {message}", program.file);
    process::exit(2);
}

/// The arguments without the unknown ones. All arguments if one is a subcommand or a misspelled one.
fn without_foreign(command: &Command, arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let all: Vec<OsString> = arguments.into_iter().collect();
    let mut rest = all.iter().cloned();
    let mut kept: Vec<OsString> = rest.next().into_iter().collect();
    while let Some(argument) = rest.next() {
        if is_near_subcommand(command, &argument) {
            return all;
        }
        let Some(takes_value) = known_option(command, &argument) else { continue };
        kept.push(argument);
        if takes_value {
            kept.extend(rest.next());
        }
    }
    kept
}

/// Whether the argument is a subcommand, with at most one typo per three letters: a wrong, missing, added or swapped
/// letter. File names and the words of managers differ more.
fn is_near_subcommand(command: &Command, argument: &OsStr) -> bool {
    const LETTERS_OF_A_SLIP: usize = 3;
    let letters_only = |word: &&str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let Some(word) = argument.to_str().filter(letters_only) else { return false };
    let slips = |name: &str| strsim::damerau_levenshtein(word, name);
    // The parser adds the subcommand `help`.
    let mut names = command.get_subcommands().map(Command::get_name).chain(["help"]);
    names.any(|name| slips(name) <= name.len() / LETTERS_OF_A_SLIP)
}

/// Whether the next argument is the value of this option. `None` if the argument is not an option of the command.
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
    use crate::weights::Weighting;

    const PROGRAM: Program = Program::GREEDY;

    fn parse(line: &str) -> Result<Cli, clap::Error> {
        Cli::parse_words(&PROGRAM, &line.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn the_definition_of_the_command_line_holds_together() {
        command(&PROGRAM).debug_assert();
    }

    #[test]
    fn arguments_of_a_manager_are_ignored() {
        let cli = parse("--force-utf8 x --weights decimal -q --foo=bar --log=a.log").unwrap();
        assert_eq!(cli.settings, [Info::Weights(Weighting::Decimal)]);
        assert_eq!(cli.log, Some("a.log".into()));
        let silent = parse("").unwrap();
        assert_eq!(silent.settings, []);
    }

    #[test]
    fn a_subcommand_is_strict() {
        assert!(matches!(parse("bench --picker greedy").unwrap().task, Some(Task::Bench { short: false })));
        assert_eq!(parse("explain --weights runs h8 i9").unwrap().settings, [Info::Weights(Weighting::Runs)]);
        assert!(matches!(parse("config --weights runs").unwrap().task, Some(Task::Config)));
        for line in [
            "config x",
            "openings 4D",
            "bench --force-utf8",
            "explain --foo",
            "explain --size 4",
            "explain h8 --file x",
            "explain --move x",
        ] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn a_word_near_a_subcommand_is_an_error_that_names_it() {
        for (line, name) in [
            ("explian h8", "explain"),
            ("--weights runs Explain", "explain"),
            ("replya game.psq", "replay"),
            ("bnech", "bench"),
            ("opening", "openings"),
            ("conifg", "config"),
            ("--force-utf8 exlain h8", ""),
        ] {
            let error = parse(line).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
            assert!(error.to_string().contains(name), "{line}: {error}");
        }
        assert!(parse("help").unwrap_err().to_string().contains("Usage:"));
    }

    #[test]
    fn a_word_far_from_every_subcommand_is_ignored() {
        for line in [
            "engine",
            "game",
            "--log explian",
            "config.ini",
            "./bench.sh",
            "piskvork",
            "C:\\games\\replay",
            "bin",
            "1",
            "-",
            "open",
            "protocol",
            "gomocup",
            "--config",
            "x=config",
            "pela",
            "Renju",
            "",
        ] {
            assert!(parse(line).unwrap().task.is_none(), "{line}");
        }
    }

    #[test]
    fn each_program_has_its_own_name_in_its_texts() {
        for program in [PROGRAM, Program::SEARCH] {
            let text = |words: &[&str]| Cli::parse_words(&program, words).unwrap_err().to_string();
            assert_eq!(text(&["--version"]), format!("{} {}\n", program.file, env!("CARGO_PKG_VERSION")));
            for words in [&["--help"][..], &["--weights", "x"], &["bench", "x"]] {
                assert!(text(words).contains(&format!("{} ", program.file)) || words.len() == 2, "{words:?}");
            }
            let help = text(&["--help"]);
            assert!(help.contains(&format!("Usage: {} [OPTIONS]", program.file)), "{help}");
        }
    }

    #[test]
    fn a_known_option_with_a_bad_value_is_an_error() {
        for line in ["--weights", "--weights x", "--weights=", "--picker oracle", "--log"] {
            assert_eq!(parse(line).unwrap_err().exit_code(), 2, "{line}");
        }
    }
}
