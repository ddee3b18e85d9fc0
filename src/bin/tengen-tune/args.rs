//! The arguments of `tengen-tune`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use tengen::board::Rule;
use tengen::tune::{
    Engine, FitConfig, GenerationsConfig, MOST_GAMES, MOST_GENERATIONS, MOST_THREADS, OpeningsConfig, PuzzlesConfig,
    RegretConfig, ReinforceConfig, ReinforceExtent, RunError, SelfPlayConfig, SelfPlayPicker, TrainConfig, evaluation,
    number,
};

/// Maximum number of positions: weeks of long searches.
const MOST_POSITIONS: u64 = 1_000_000;

/// Plays the engine against itself, and trains its evaluations on the games. A seed makes every result repeatable.
#[derive(Debug, Parser)]
#[command(name = "tengen-tune", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Plays games and appends each to a file as it ends
    Play {
        #[command(flatten)]
        config: SelfPlayConfig,
        #[command(flatten)]
        engine: EngineArgs,
        /// The file to write; an existing file is never emptied
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Continue the file, which the same settings have begun
        #[arg(long)]
        resume: bool,
    },
    /// Fits the weights of the classical evaluation to files of games
    Fit {
        /// The files of games
        #[arg(required = true, value_name = "FILE")]
        games: Vec<PathBuf>,
        #[command(flatten)]
        config: FitConfig,
        /// The folder for the weight files; made if it is missing
        #[arg(long, value_name = "FOLDER")]
        out: PathBuf,
    },
    /// Trains the network of a rule on files of games
    Train {
        /// The files of games
        #[arg(required = true, value_name = "GAMES")]
        games: Vec<PathBuf>,
        /// A file of games of another seed, on which the network is measured instead of one in twenty of GAMES; repeatable
        #[arg(long, value_name = "GAMES")]
        held_out: Vec<PathBuf>,
        /// A network to begin with, of this or another rule, instead of random weights
        #[arg(long, value_name = "FILE")]
        start: Option<PathBuf>,
        #[command(flatten)]
        config: TrainConfig,
        /// The network file, rewritten after each round
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Continue from FILE.checkpoint, which a training with the same options has left, if there is one
        #[arg(long)]
        resume: bool,
        /// Draw the losses into this SVG file after each round
        #[arg(long, value_name = "FILE")]
        plot: Option<PathBuf>,
    },
    /// Plays, trains and tests generation after generation in a folder
    Improve {
        /// The folder of the generations; made if it is missing. A run in it is resumed
        folder: PathBuf,
        /// Total number of generations
        #[arg(long, default_value = "4", value_parser = number::<NonZeroUsize>(1..=MOST_GENERATIONS))]
        generations: NonZeroUsize,
        /// Threads of self-play and training, and concurrent games of the match
        #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..=MOST_THREADS as u64))]
        threads: NonZeroUsize,
        #[command(flatten)]
        config: GenerationsConfig,
    },
    /// Learns by playing, from random weights
    Reinforce {
        #[command(flatten)]
        config: ReinforceConfig,
        #[command(flatten)]
        extent: ReinforceExtent,
        /// The network file, rewritten at each measurement; the log is FILE.jsonl
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Continue from FILE.checkpoint if it exists; its run must have had the same options
        #[arg(long)]
        resume: bool,
        /// Draw the Elo of all runs in the folder of FILE into this SVG file at each measurement
        #[arg(long, value_name = "FILE")]
        plot: Option<PathBuf>,
    },
    /// Finds near-even openings and appends each to a file
    Openings {
        #[command(flatten)]
        config: OpeningsConfig,
        /// Judge the openings of this file again instead of new ones
        #[arg(long, value_name = "FILE")]
        from: Option<PathBuf>,
        #[command(flatten)]
        engine: EngineArgs,
        /// The file, which is continued if the same settings have begun it
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Finds positions where one move alone wins by force
    Puzzles {
        #[command(flatten)]
        config: PuzzlesConfig,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Judges the moves of short searches by long searches
    Regret(RegretArgs),
    /// Prints the games of a file and their samples
    Show {
        /// The file of games
        file: PathBuf,
        /// Number of games to print; all without it
        #[arg(long, value_name = "N", value_parser = number::<NonZeroUsize>(1..=MOST_GAMES))]
        games: Option<NonZeroUsize>,
    },
    /// Checks files of games and prints their statistics
    Info {
        /// The files of games
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

impl Task {
    /// Whether an interrupt ends the task gracefully.
    pub(crate) const fn is_long(&self) -> bool {
        match self {
            Self::Play { .. }
            | Self::Train { .. }
            | Self::Improve { .. }
            | Self::Reinforce { .. }
            | Self::Openings { .. }
            | Self::Puzzles { .. }
            | Self::Regret(_) => true,
            Self::Fit { .. } | Self::Show { .. } | Self::Info { .. } => false,
        }
    }

    /// Whether an interrupted task goes on where it was ended.
    pub(crate) const fn is_resumable(&self) -> bool {
        self.is_long() && !matches!(self, Self::Puzzles { .. })
    }
}

/// The engine that plays.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The search: search, or mcts, whose visits of the moves are recorded too
    #[arg(long, value_name = "NAME", default_value_t)]
    picker: SelfPlayPicker,
    /// A network to play with instead of the built-in one
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
}

impl EngineArgs {
    pub(crate) fn engine(&self, rule: Rule) -> Result<Engine, RunError> {
        Ok(Engine { picker: self.picker, evaluation: evaluation(self.network.as_deref(), rule)? })
    }
}

#[derive(Debug, Args)]
pub(crate) struct RegretArgs {
    /// Records of the arena; at most one position is taken from a game
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) records: Vec<PathBuf>,
    /// The file of results, which is continued: with it another build or network is compared on the same positions
    #[arg(long, value_name = "FILE")]
    pub(crate) judged: PathBuf,
    #[command(flatten)]
    pub(crate) config: RegretConfig,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Positions to judge
    #[arg(long, value_name = "N", default_value = "200", value_parser = number::<NonZeroUsize>(1..=MOST_POSITIONS))]
    pub(crate) positions: NonZeroUsize,
    /// The seed by which they are chosen
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}
