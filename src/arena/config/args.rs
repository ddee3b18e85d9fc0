//! The command line of `tengen-arena`. The options of a match file count as if they stood before the others, unless they
//! conflict with one of them.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, Subcommand};
use thiserror::Error;

use super::{
    BUILTIN, ConfigError, EngineSpec, Format, GameConfig, MatchConfig, NO_OPENINGS, SpecError, file, load_openings,
};
use crate::files::{self, MEBIBYTE};
use crate::notation::{Letters, Ranks};
use crate::opening::Procedure;
use crate::opening::lists::Opening;
use crate::shard::Shard;
use crate::text::{Alternatives, Quoted, Short};

/// Matches between Gomocup engines.
#[derive(Debug, Parser)]
#[command(name = "tengen-arena", version, args_override_self = true, subcommand_required = true)]
struct ArenaCli {
    #[command(subcommand)]
    action: Action,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
enum Action {
    /// Two engines against each other.
    Match(MatchOptions),
    /// The first engine against each of the others.
    Gauntlet(MatchOptions),
    /// Each engine against each other one.
    RoundRobin(MatchOptions),
    /// Encounters whose loser is out.
    Knockout(MatchOptions),
    /// The table of games on record; shards of one match add up.
    Table(TableArgs),
    /// The table of games on record as one page for a browser, with every game to replay.
    Report(ReportArgs),
    /// Runs an engine for an arena and kills all its processes at the end. For use by the arena only.
    #[command(hide = true)]
    Supervise(SuperviseArgs),
}

/// The options of a subcommand that plays.
#[derive(Debug, Args)]
#[command(args_override_self = true)]
pub struct MatchOptions {
    #[arg(long, num_args = 1.., action = clap::ArgAction::Append, value_name = "KEY=VALUE", help = EngineSpec::help())]
    engine: Vec<String>,
    #[command(flatten)]
    described: MatchArgs,
    /// A match file: the same options in TOML, with tables named each and engine.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The files of the match.
    #[command(flatten)]
    pub files: MatchFiles,
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

/// The options that describe a match. A record that is resumed without engines has a match already and refuses them.
#[derive(Debug, Args)]
struct MatchArgs {
    /// The same words for every engine; an engine's own words override them.
    #[arg(long, num_args = 1.., action = clap::ArgAction::Append, value_name = "KEY=VALUE")]
    each: Vec<String>,
    #[command(flatten)]
    game: GameConfig,
    /// Games of each pairing: two for each opening.
    #[arg(long, default_value_t = 100)]
    games: usize,
    /// A file, builtin (near-even openings of the program), 26 (the named openings of renju), or none (an empty board).
    #[arg(long, default_value = BUILTIN)]
    openings: String,
    /// The place of rank 1 in the openings: bottom, or top as in the lists of Rapfi and the Gomocup judge.
    #[arg(long, value_name = "END", default_value_t, conflicts_with = "procedure")]
    ranks: Ranks,
    /// The seed of the order of the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Take the openings in the order of the file.
    #[arg(long, conflicts_with = "seed")]
    in_order: bool,
    /// Turn and mirror the openings when they come again.
    #[arg(long)]
    transform: bool,
    #[arg(long, value_name = "NAME", conflicts_with_all = ["openings", "seed", "in_order", "transform"])]
    #[arg(help = format!("Let the engines open by a procedure on an empty board, without openings: {}", Alternatives(Procedure::NAMES)))]
    procedure: Option<Procedure>,
    /// The same as --procedure swap2.
    #[arg(long, conflicts_with_all = ["procedure", "openings", "ranks", "seed", "in_order", "transform"])]
    swap2: bool,
    /// Stop as soon as the test is decided; a shard plays all its games. elo0=0 elo1=10 alpha=0.05 beta=0.05; nelo0=0
    /// nelo1=5 are normalized Elo.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE", overrides_with = "sprt")]
    sprt: Vec<String>,
    /// Play one part of the match: 2/8 is the second of eight.
    #[arg(long, value_name = "K/N", default_value = "1/1")]
    shard: Shard,
}

/// The files of a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct MatchFiles {
    /// The record: one line of JSON a game. The file must not exist.
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Continue a record. Without engines the match is the record's; with engines a missing record is begun.
    #[arg(long, value_name = "FILE", conflicts_with = "record")]
    pub resume: Option<PathBuf>,
    /// A folder for the games in Piskvork's format.
    #[arg(long, value_name = "FOLDER")]
    pub psq: Option<PathBuf>,
}

/// The options of `table`.
#[derive(Debug, Args)]
pub struct TableArgs {
    /// Records.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Print the table as JSON.
    #[arg(long)]
    pub json: bool,
}

/// The options of `report`.
#[derive(Debug, Args)]
pub struct ReportArgs {
    /// Records.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The page to write.
    #[arg(long, value_name = "FILE")]
    pub html: PathBuf,
}

/// An engine to be supervised.
#[derive(Debug, Args)]
pub struct SuperviseArgs {
    /// The process that starts the engine.
    #[arg(long)]
    pub arena: u32,
    /// The engine's program and arguments.
    #[arg(last = true, required = true)]
    pub command: Vec<OsString>,
}

/// The greatest size of a match file in bytes.
const MOST_BYTES: u64 = MEBIBYTE;

/// Error returned when a command line or match file is refused.
#[derive(Debug, Error)]
pub enum ArgsError {
    /// The message is clap's, help and version included.
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// The match file cannot be read.
    #[error("{}: {}", .0.display(), .1)]
    Read(PathBuf, std::io::Error),
    /// The match file is not valid TOML near this line.
    #[error("{}, line {}: {}", .0.display(), .1, Short(.2.message()))]
    Toml(PathBuf, usize, Box<toml::de::Error>),
    /// The value of this key in the match file has a type that options cannot have.
    #[error("{}: the value of {} has a type that options do not accept", .0.display(), Quoted(.1))]
    Value(PathBuf, String),
    /// The match cannot be played.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// This option describes a match, but the match is that of a record.
    #[error("--{0}: without --engine the match is that of the record; leave --{0} out")]
    OfRecord(String),
}

/// The task that a command line names.
#[derive(Debug)]
pub enum Task {
    /// Play a match.
    Play(Box<PlayTask>),
    /// Print a table.
    Table(TableArgs),
    /// Write a page.
    Report(ReportArgs),
    /// Supervise an engine.
    Supervise(SuperviseArgs),
}

/// A match to play.
#[derive(Debug)]
pub struct PlayTask {
    /// The subcommand.
    pub format: Format,
    /// The options.
    pub options: MatchOptions,
    engines: Vec<EngineSpec>,
    /// The first given option that describes a match.
    describing: Option<String>,
}

/// The command line, for its manual page.
pub fn command() -> Command {
    ArenaCli::command()
}

/// Reads a command line and its match file.
///
/// # Errors
/// When a word or a value is not understood; [`ArgsError::Usage`] prints itself.
pub fn parse(words: &[OsString]) -> Result<Task, ArgsError> {
    let read = |words: &[OsString]| command().try_get_matches_from(words);
    let mut matches = read(words)?;
    let of_action = matches.subcommand().map(|(_, matches)| matches);
    if let Some(path) = of_action.and_then(|matches| matches.try_get_one::<PathBuf>("config").ok().flatten()) {
        let text = files::read_text(path, MOST_BYTES).map_err(|error| ArgsError::Read(path.clone(), error))?;
        let table = file::table(&text).map_err(|(line, error)| ArgsError::Toml(path.clone(), line, error.into()))?;
        let table = overridden(table, &command(), &matches);
        let of_file = file::words(&table).map_err(|key| ArgsError::Value(path.clone(), key))?;
        let (head, tail) = words.split_at(2.min(words.len()));
        let of_file = of_file.into_iter().map(OsString::from);
        matches = read(&head.iter().cloned().chain(of_file).chain(tail.iter().cloned()).collect::<Vec<_>>())?;
    }
    let play = |format, options| Ok(Task::Play(Box::new(PlayTask::new(format, options, &matches)?)));
    match ArenaCli::from_arg_matches(&matches)?.action {
        Action::Match(options) => play(Format::Match, options),
        Action::Gauntlet(options) => play(Format::Gauntlet, options),
        Action::RoundRobin(options) => play(Format::RoundRobin, options),
        Action::Knockout(options) => play(Format::Knockout, options),
        Action::Table(args) => Ok(Task::Table(args)),
        Action::Report(args) => Ok(Task::Report(args)),
        Action::Supervise(args) => Ok(Task::Supervise(args)),
    }
}

/// A match file without the keys that conflict with an option of the command line, such as `record` with `--resume`.
fn overridden(table: toml::Table, command: &Command, matches: &ArgMatches) -> toml::Table {
    let Some((name, given)) = matches.subcommand() else { return table };
    let Some(action) = command.find_subcommand(name) else { return table };
    let is_given = |arg: &&Arg| given.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let given: Vec<&Arg> = action.get_arguments().filter(is_given).collect();
    let conflict = |one: &Arg, other: &Arg| action.get_arg_conflicts_with(one).contains(&other);
    let is_kept = |key: &str| {
        let of_key = action.get_arguments().find(|arg| arg.get_long() == Some(&*key.replace('_', "-")));
        of_key.is_none_or(|arg| !given.iter().any(|given| conflict(given, arg) || conflict(arg, given)))
    };
    table.into_iter().filter(|(key, _)| is_kept(key)).collect()
}

/// The engines of the options `engine`, each by the words of the option `each` and then its own.
///
/// # Errors
/// At the first word that is not understood, or when two engines have one name.
pub fn engines(matches: &ArgMatches) -> Result<Vec<EngineSpec>, SpecError> {
    let each = matches.get_many::<String>("each").into_iter().flatten();
    let engines = matches.get_occurrences::<String>("engine").into_iter().flatten();
    let engine = |own| EngineSpec::parse(each.clone().chain(own).map(String::as_str));
    let engines = engines.map(engine).collect::<Result<Vec<_>, _>>()?;
    EngineSpec::check_names(&engines)?;
    Ok(engines)
}

impl PlayTask {
    fn new(format: Format, options: MatchOptions, matches: &ArgMatches) -> Result<Self, ConfigError> {
        let matches = matches.subcommand().map_or(matches, |(_, matches)| matches);
        let described = MatchArgs::augment_args(Command::default());
        let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
        let describing = described.get_arguments().find(|option| is_given(option.get_id().as_str()));
        let describing = describing.and_then(|option| option.get_long()).map(str::to_owned);
        Ok(Self { format, options, engines: engines(matches)?, describing })
    }

    /// The match that the options describe, and its openings. `None` when a record is resumed and no engine is named: the
    /// match is then the record's.
    ///
    /// # Errors
    /// When the match cannot be played.
    pub fn described(&self) -> Result<Option<(MatchConfig, Vec<Opening>)>, ArgsError> {
        if !self.engines.is_empty() || self.options.files.resume.is_none() {
            return Ok(Some(self.config()?));
        }
        self.describing.clone().map_or(Ok(None), |option| Err(ArgsError::OfRecord(option)))
    }

    fn config(&self) -> Result<(MatchConfig, Vec<Opening>), ConfigError> {
        let MatchArgs {
            game, games, openings, ranks, seed, in_order, transform, procedure, swap2, sprt, shard, ..
        } = &self.options.described;
        let sprt = (!sprt.is_empty()).then(|| sprt.join(" ").parse()).transpose();
        let sprt = sprt.map_err(ConfigError::SprtBounds)?;
        let procedure = if *swap2 { Some(Procedure::Swap2) } else { *procedure };
        let procedure = procedure.unwrap_or(Procedure::Plain);
        let name = if procedure == Procedure::Plain { openings } else { NO_OPENINGS };
        let letters = Letters::new(game.size).counted_from(*ranks);
        let (source, openings) = load_openings(name, game.rule, letters)?;
        let config = MatchConfig {
            format: self.format,
            engines: self.engines.clone(),
            game: GameConfig { procedure, ..*game },
            games: *games,
            openings: source,
            seed: (!in_order).then_some(*seed),
            transform: *transform,
            sprt,
            shard: *shard,
        };
        config.check()?;
        Ok((config, openings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(line: &str) -> Result<Option<MatchConfig>, ArgsError> {
        let words = ["tengen-arena", "match"].into_iter().chain(line.split_whitespace());
        let Task::Play(task) = parse(&words.map(OsString::from).collect::<Vec<_>>())? else { panic!("no match") };
        Ok(task.described()?.map(|(config, _)| config))
    }

    const ENGINES: &str = "--engine cmd=a --engine cmd=b";

    #[test]
    fn the_definition_of_the_command_line_holds_together() {
        command().debug_assert();
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
        assert!(
            conflict("--in-order --seed 3") && conflict("--swap2 --procedure rif") && conflict("--swap2 --ranks top")
        );
        let swap2 = described(&format!("{ENGINES} --swap2")).unwrap().unwrap();
        assert!(swap2.game.procedure == Procedure::Swap2 && swap2.openings.name == NO_OPENINGS);
        let plain = described(&format!("{ENGINES} --procedure plain")).unwrap();
        assert_eq!(plain, described(ENGINES).unwrap());
        assert!(described(&format!("{ENGINES} --procedure rif --size 7")).is_err());
    }

    #[test]
    fn the_command_line_overrides_a_match_file_also_where_options_conflict() {
        let path = std::env::temp_dir().join(format!("tengen-match-{}.toml", std::process::id()));
        std::fs::write(&path, "seed = 3\nopenings = \"none\"\nrecord = \"a.jsonl\"\ngames = 8\n").unwrap();
        let with = |line: &str| described(&format!("{ENGINES} --config {} {line}", path.display())).unwrap().unwrap();
        assert_eq!((with("").seed, with("").games), (Some(3), 8));
        assert_eq!((with("--in-order").seed, with("--seed 4 --games 6").games), (None, 6));
        assert_eq!(with("--swap2").game.procedure, Procedure::Swap2);
        assert_eq!(with("--resume b.jsonl").seed, Some(3));
        std::fs::write(&path, "sprt = \"elo0=-5 elo1=0\"\n").unwrap();
        for bounds in ["elo1=10", "nelo0=0 nelo1=5"] {
            assert_eq!(with(&format!("--sprt {bounds}")).sprt, Some(bounds.parse().unwrap()));
        }
        assert_eq!(with("").sprt, Some("elo0=-5 elo1=0".parse().unwrap()));
        std::fs::remove_file(&path).unwrap();
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
