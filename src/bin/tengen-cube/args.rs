//! The arguments of `tengen-cube`.

use std::io::{self, IsTerminal};

use clap::builder::RangedU64ValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use tengen::cube::solve::Bounds;
use tengen::cube::{Gravity, PickerName};
use tengen::protocol::MOST_MILLISECONDS;

/// Milliseconds of a move against a person, and of an analysis.
const DEFAULT_TIME: u64 = 2_000;

/// The largest table of a proof, in MiB.
const MOST_MEMORY: u64 = 1 << 20;

/// Four in a row in a cube of 4 × 4 × 4. Without a subcommand: on a terminal a game against a person, on a pipe the
/// Gomocup protocol (START 4, BEGIN, TURN 1,2, END).
#[derive(Debug, Parser)]
#[command(name = "tengen-cube", version)]
pub(crate) struct Cli {
    /// Whether pieces drop to the lowest empty level of their column: on or off
    #[arg(long, value_name = "on|off", default_value_t, global = true)]
    pub(crate) gravity: Gravity,

    /// The picker of the moves: greedy, the documented weights, or search
    #[arg(long, value_name = "NAME", default_value_t = PickerName::Search, global = true)]
    pub(crate) picker: PickerName,

    /// Milliseconds of a move against a person, or of an analysis; a manager gives its own
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_TIME, global = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=MOST_MILLISECONDS))]
    pub(crate) time: u64,

    /// What to do instead of playing
    #[command(subcommand)]
    pub(crate) task: Option<Task>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Print the score of every move
    Analyse(Analyse),
    /// Prove that the side to move wins, and check the proof
    Solve(Solve),
}

#[derive(Debug, Args)]
pub(crate) struct Analyse {
    /// The moves of the game: columns x,y, or without gravity cells x,y,z
    #[arg(value_name = "MOVE")]
    pub(crate) moves: Vec<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Solve {
    /// The moves of the game; without any, the empty cube is proved
    #[arg(value_name = "MOVE")]
    pub(crate) moves: Vec<String>,

    /// The most seconds of the proof; its check has no limit
    #[arg(long, value_name = "S", default_value_t = 3_600)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=MOST_MILLISECONDS))]
    pub(crate) seconds: u64,

    /// MiB of the table of positions, 32 bytes for each of its entries
    #[arg(long, value_name = "MIB", default_value_t = Bounds::DEFAULT.table_bytes >> 20)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=MOST_MEMORY))]
    pub(crate) memory: usize,

    /// The moves that the attacker is given in a position, the most promising ones
    #[arg(long, value_name = "N")]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=64))]
    pub(crate) width: Option<usize>,
}

impl Cli {
    /// Reads the arguments. Refuses those that the task would ignore.
    pub(crate) fn from_arguments() -> Self {
        let arguments = Self::command().get_matches();
        let cli = Self::from_arg_matches(&arguments).unwrap_or_else(|error| error.exit());
        let (ignored, place): (&[&str], _) = match cli.task {
            None if !is_terminal() => (&["time"], "on a pipe, where the manager sets the time"),
            Some(Task::Solve(_)) => (&["picker", "time"], "on solve"),
            None | Some(Task::Analyse(_)) => (&[], ""),
        };
        let is_given = |name: &&&str| arguments.value_source(name) == Some(ValueSource::CommandLine);
        if let Some(name) = ignored.iter().find(is_given) {
            let message = format!("--{name} has no effect {place}");
            Self::command().error(ErrorKind::ArgumentConflict, message).exit();
        }
        cli
    }
}

/// Whether a person plays, not a manager.
pub(crate) fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}
