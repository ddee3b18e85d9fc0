//! The command line of `tengen-arena`. A match file counts as words before those of the command line.

use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use super::{
    BUILTIN, ConfigError, EngineSpec, Format, GameConfig, MatchConfig, NO_OPENINGS, Shard, SpecError, Sprt, file,
    load_openings,
};
use crate::board::{Rule, Size};
use crate::files::{self, MEBIBYTE};
use crate::notation::{Letters, Ranks};
use crate::opening::Procedure;
use crate::opening::lists::Opening;
use crate::text::{Quoted, Short};

/// Matches between Gomocup engines.
#[derive(Debug, Parser)]
#[command(name = "tengen-arena", version, args_override_self = true, subcommand_required = true)]
pub struct Cli {
    /// The action.
    #[command(subcommand)]
    pub action: Action,
}

/// The actions of the arena.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Two engines against each other.
    Match(PlayArgs),
    /// The first engine against each of the others.
    Gauntlet(PlayArgs),
    /// Each engine against each.
    RoundRobin(PlayArgs),
    /// Encounters whose loser is out.
    Knockout(PlayArgs),
    /// The table of games on record; shards of one match add up.
    Table(TableArgs),
    /// The table of games on record as one page for a browser, with every game to replay.
    Report(ReportArgs),
    /// Runs an engine for an arena and leaves nothing of it behind; no command for a person.
    #[command(hide = true)]
    Supervise(SuperviseArgs),
}

/// A match.
#[derive(Debug, Args)]
#[command(args_override_self = true)]
pub struct PlayArgs {
    /// An engine: cmd='program arguments', name, dir, turn, match, increment, tolerance, start, grace (all in ms),
    /// nodes, depth, threads, memory (bytes, or 350M), dialect (gomocup or yixin), and option.X=V, which is sent as INFO X V.
    #[arg(long, num_args = 1.., action = clap::ArgAction::Append, value_name = "KEY=VALUE")]
    pub engine: Vec<String>,
    /// The same for every engine; its own words override these.
    #[arg(long, num_args = 1.., action = clap::ArgAction::Append, value_name = "KEY=VALUE")]
    pub each: Vec<String>,
    /// A match file: the same options in TOML, with tables named each and engine.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// freestyle, standard, renju, caro, caro_overline, or Gomocup's number.
    #[arg(long, default_value = "freestyle")]
    pub rule: Rule,
    /// The side of the board.
    #[arg(long, default_value = "15")]
    pub size: Size,
    /// Games of each pairing: two for each opening.
    #[arg(long, default_value_t = 100)]
    pub games: usize,
    /// A file, builtin (near-even openings of the program), 26 (the named openings of renju), or none (an empty board).
    #[arg(long, default_value = BUILTIN)]
    pub openings: String,
    /// Where rank 1 of the openings is: bottom, or top as in the lists of Rapfi and the Gomocup judge.
    #[arg(long, value_name = "END", default_value_t, conflicts_with = "procedure")]
    pub ranks: Ranks,
    /// The seed of the order of the openings.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Take the openings in the order of the file.
    #[arg(long, conflicts_with = "seed")]
    pub in_order: bool,
    /// Turn and mirror the openings when they come again.
    #[arg(long)]
    pub transform: bool,
    /// Let the engines open by this procedure on an empty board; no openings are used.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["openings", "seed", "in_order", "transform"])]
    #[arg(help = format!("Let the engines open by a procedure on an empty board, without openings: {}", Procedure::names()))]
    pub procedure: Option<Procedure>,
    /// The same as --procedure swap2.
    #[arg(long, conflicts_with_all = ["procedure", "openings", "seed", "in_order", "transform"])]
    pub swap2: bool,
    /// A draw at this number of stones.
    #[arg(long, value_name = "STONES")]
    pub draw_after: Option<usize>,
    /// Suspend an engine while it is not its turn, from its start on, as the Gomocup judge does. Refused where the
    /// system cannot suspend a process.
    #[arg(long)]
    pub suspend: bool,
    /// Start the engines anew for every game.
    #[arg(long)]
    pub restart: bool,
    /// A line in place of a move loses the game, OK, MESSAGE and DEBUG excepted.
    #[arg(long)]
    pub strict: bool,
    /// Stop as soon as the test is decided: elo0=0 elo1=10 alpha=0.05 beta=0.05.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    pub sprt: Vec<String>,
    /// Play one part of the match: 2/8 is the second of eight.
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    pub shard: Shard,
    /// The record: one line of JSON a game.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Go on with a record. Without engines the match is the record's; with engines it is begun if there is no record
    /// yet.
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    pub resume: Option<PathBuf>,
    /// A folder for the games in Piskvork's format.
    #[arg(long, value_name = "FOLDER")]
    pub psq: Option<PathBuf>,
    /// A folder for transcripts of the lines to and from the engines.
    #[arg(long, value_name = "FOLDER")]
    pub log: Option<PathBuf>,
    /// Games at once; more than 1,024 count as 1,024.
    #[arg(short, long, default_value_t = 1)]
    pub jobs: usize,
    /// Print the table as JSON.
    #[arg(long)]
    pub json: bool,
    /// Print nothing but the table.
    #[arg(short, long)]
    pub quiet: bool,
    /// Fail (status 5) when an engine lost a game by crashing, hanging or breaking the rules of the protocol.
    #[arg(long)]
    pub fail_on_forfeit: bool,
}

/// A table.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// Records.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Print the table as JSON.
    #[arg(long)]
    pub json: bool,
}

/// A page.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Records.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The page to write.
    #[arg(long, value_name = "FILE")]
    pub html: PathBuf,
}

/// The most bytes of a match file.
const MOST_BYTES: u64 = MEBIBYTE;

/// An engine to be supervised.
#[derive(Debug, Args)]
pub struct SuperviseArgs {
    /// The process of the arena.
    #[arg(long)]
    pub arena: u32,
    /// The engine's program and arguments.
    #[arg(last = true, required = true)]
    pub command: Vec<OsString>,
}

/// Why a command line or match file is refused.
#[derive(Debug)]
pub enum ArgsError {
    /// The message is clap's; help and version too.
    Usage(clap::Error),
    /// The match file cannot be read.
    Read(PathBuf, std::io::Error),
    /// The match file is not valid TOML near this line.
    Toml(PathBuf, usize, Box<toml::de::Error>),
    /// The value of this key in the match file has no form that an option could have.
    Value(PathBuf, String),
    /// The match cannot be played.
    Config(ConfigError),
    /// The option of this name describes a match, but the match is that of a record.
    OfRecord(&'static str),
}

impl fmt::Display for ArgsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(error) => error.fmt(f),
            Self::Read(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Toml(path, line, error) => {
                write!(f, "{}, line {line}: {}", path.display(), Short(error.message()))
            }
            Self::Value(path, key) => {
                write!(f, "{}: {} has no value that an option could have", path.display(), Quoted(key))
            }
            Self::Config(error) => error.fmt(f),
            Self::OfRecord(id) => {
                let option = id.replace('_', "-");
                write!(f, "--{option}: without --engine the match is that of the record; leave --{option} out")
            }
        }
    }
}

impl std::error::Error for ArgsError {}

/// A command line, with the engines kept apart.
#[derive(Debug)]
pub struct Parsed {
    /// The action.
    pub action: Action,
    /// The words of each `--engine`.
    engines: Vec<Vec<String>>,
    /// The given options that describe a match.
    describing: Vec<&'static str>,
}

/// Reads a command line. Options of a match file count as if they stood before the others.
///
/// # Errors
/// When a word or a value is not understood; [`ArgsError::Usage`] prints itself.
pub fn parse(words: &[OsString]) -> Result<Parsed, ArgsError> {
    let read = |words: &[OsString]| -> Result<(Cli, ArgMatches), ArgsError> {
        let matches = Cli::command().try_get_matches_from(words).map_err(ArgsError::Usage)?;
        Ok((Cli::from_arg_matches(&matches).map_err(ArgsError::Usage)?, matches))
    };
    let (mut cli, mut matches) = read(words)?;
    if let Some(path) = cli.action.play().and_then(|(_, args)| args.config.clone()) {
        let text = files::read_text(&path, MOST_BYTES).map_err(|error| ArgsError::Read(path.clone(), error))?;
        let table = file::table(&text).map_err(|(line, error)| ArgsError::Toml(path.clone(), line, error.into()))?;
        let from_file = file::words(&table).map_err(|key| ArgsError::Value(path, key))?;
        let (head, tail) = words.split_at(2.min(words.len()));
        let from_file = from_file.into_iter().map(OsString::from);
        let all: Vec<_> = head.iter().cloned().chain(from_file).chain(tail.iter().cloned()).collect();
        (cli, matches) = read(&all)?;
    }
    let action = matches.subcommand().map(|(_, matches)| matches);
    let engines = action.and_then(|matches| matches.try_get_occurrences::<String>("engine").ok().flatten());
    let engines = engines.map_or_else(Vec::new, |groups| groups.map(|group| group.cloned().collect()).collect());
    let is_given = |id: &&str| action.is_some_and(|matches| is_typed(matches, id));
    let describing = DESCRIBING.into_iter().filter(is_given).collect();
    Ok(Parsed { action: cli.action, engines, describing })
}

/// The options that describe a match. Without engines they would change nothing of a record that is resumed.
const DESCRIBING: [&str; 17] = [
    "each",
    "rule",
    "size",
    "games",
    "openings",
    "ranks",
    "seed",
    "in_order",
    "transform",
    "procedure",
    "swap2",
    "draw_after",
    "suspend",
    "restart",
    "strict",
    "sprt",
    "shard",
];

/// Whether the value of an option is from the command line and not its default.
fn is_typed(matches: &ArgMatches, id: &str) -> bool {
    matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine)
}

impl Action {
    /// The match to play, if one is to be played.
    pub const fn play(&self) -> Option<(Format, &PlayArgs)> {
        match self {
            Self::Match(args) => Some((Format::Match, args)),
            Self::Gauntlet(args) => Some((Format::Gauntlet, args)),
            Self::RoundRobin(args) => Some((Format::RoundRobin, args)),
            Self::Knockout(args) => Some((Format::Knockout, args)),
            Self::Table(_) | Self::Report(_) | Self::Supervise(_) => None,
        }
    }
}

impl Parsed {
    /// The match that the options describe, and its openings. `None` where a record is resumed and no engine is named:
    /// the match is then the record's.
    ///
    /// # Errors
    /// When the match cannot be played.
    pub fn described(&self, format: Format, args: &PlayArgs) -> Result<Option<(MatchConfig, Vec<Opening>)>, ArgsError> {
        if !self.engines.is_empty() || args.resume.is_none() {
            return self.config(format, args).map(Some);
        }
        self.describing.first().map_or(Ok(None), |id| Err(ArgsError::OfRecord(id)))
    }

    fn config(&self, format: Format, args: &PlayArgs) -> Result<(MatchConfig, Vec<Opening>), ArgsError> {
        let engines: Result<Vec<_>, SpecError> = self
            .engines
            .iter()
            .map(|words| EngineSpec::parse(args.each.iter().chain(words).map(String::as_str)))
            .collect();
        let engines = engines.map_err(|error| ArgsError::Config(error.into()))?;
        let sprt: Option<Sprt> = if args.sprt.is_empty() {
            None
        } else {
            let usage = |error| ArgsError::Usage(Cli::command().error(clap::error::ErrorKind::ValueValidation, error));
            Some(args.sprt.join(" ").parse().map_err(usage)?)
        };
        let procedure = if args.swap2 { Some(Procedure::SWAP2) } else { args.procedure };
        let name = if procedure.is_some() { NO_OPENINGS } else { &args.openings };
        let (source, openings) = load_openings(name, args.rule, Letters::new(args.size).counted_from(args.ranks))
            .map_err(ArgsError::Config)?;
        let config = MatchConfig {
            format,
            engines,
            game: GameConfig {
                rule: args.rule,
                size: args.size,
                draw_after: args.draw_after,
                procedure: procedure.unwrap_or(Procedure::PLAIN),
                suspend: args.suspend,
                restart: args.restart,
                strict: args.strict,
            },
            games: args.games,
            openings: source,
            seed: (!args.in_order).then_some(args.seed),
            transform: args.transform,
            sprt,
            shard: args.shard,
        };
        config.check().map_err(ArgsError::Config)?;
        Ok((config, openings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(line: &str) -> Result<Option<MatchConfig>, ArgsError> {
        let words = ["tengen-arena", "match"].into_iter().chain(line.split_whitespace());
        let parsed = parse(&words.map(OsString::from).collect::<Vec<_>>())?;
        let (format, args) = parsed.action.play().unwrap();
        Ok(parsed.described(format, args)?.map(|(config, _)| config))
    }

    const ENGINES: &str = "--engine cmd=a --engine cmd=b";

    #[test]
    fn the_definition_of_the_command_line_holds_together() {
        Cli::command().debug_assert();
    }

    #[test]
    fn options_that_would_do_nothing_are_refused() {
        let conflict = |line: &str| match described(&format!("{ENGINES} {line}")) {
            Err(ArgsError::Usage(error)) => error.kind() == clap::error::ErrorKind::ArgumentConflict,
            _ => false,
        };
        for line in ["--openings list.txt", "--openings builtin", "--seed 3", "--in-order", "--transform"] {
            assert!(conflict(&format!("--swap2 {line}")), "{line}");
            assert!(conflict(&format!("--procedure rif {line}")), "{line}");
        }
        assert!(conflict("--in-order --seed 3") && conflict("--swap2 --procedure rif"));
        let swap2 = described(&format!("{ENGINES} --swap2")).unwrap().unwrap();
        assert!(swap2.game.procedure == Procedure::SWAP2 && swap2.openings.name == NO_OPENINGS);
        assert!(described(&format!("{ENGINES} --procedure rif --size 7")).is_err());
    }

    #[test]
    fn the_match_is_that_of_the_record_where_no_engine_is_named() {
        assert_eq!(described("--resume x.jsonl -j 3 --quiet").unwrap(), None);
        assert!(described(&format!("{ENGINES} --resume x.jsonl --games 8")).unwrap().is_some());
        for option in ["--games 100", "--rule caro", "--strict", "--draw-after 9", "--shard 1/2", "--each turn=5"] {
            let error = described(&format!("--resume x.jsonl {option}")).unwrap_err();
            let name = option.split(' ').next().unwrap();
            assert!(error.to_string().starts_with(&format!("{name}: without --engine")), "{error}");
        }
    }
}
