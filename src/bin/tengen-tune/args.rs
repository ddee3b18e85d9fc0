//! The arguments of `tengen-tune`.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use tengen::board::Rule;
use tengen::shard::Shard;
use tengen::tune::{
    FitConfig, GameSettings, GenerationsConfig, LearningRate, MOST_GAMES, MOST_GENERATIONS, MOST_NODES, MOST_ROUNDS,
    MOST_THREADS, RegretConfig, ResultShare, SelfPlayConfig, SelfPlayPicker, Sizes, TrainConfig, number,
};

/// Maximum number of positions: weeks of long searches.
const MOST_POSITIONS: u64 = 1_000_000;

/// Plays the engine against itself, and trains its evaluations on the games. A seed makes every result repeatable.
#[derive(Debug, Parser)]
#[command(version, about)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) task: Task,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Task {
    /// Plays games and appends each to a file as it ends
    Play(PlayArgs),
    /// Fits the weights of the classical evaluation to files of games
    Fit(FitArgs),
    /// Trains the network of a rule on files of games
    Train(TrainArgs),
    /// Plays, trains and tests generation after generation in a folder
    Improve(ImproveArgs),
    /// Judges the moves of short searches by long searches
    Regret(RegretArgs),
    /// Prints the games of a file and their samples
    Show(ShowArgs),
    /// Checks files of games and prints their statistics
    Info(InfoArgs),
}

impl Task {
    /// Whether an interrupt ends the task gracefully.
    pub(crate) const fn is_long(&self) -> bool {
        match self {
            Self::Play(_) | Self::Train(_) | Self::Improve(_) | Self::Regret(_) => true,
            Self::Fit(_) | Self::Show(_) | Self::Info(_) => false,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// The rule: freestyle, standard, renju, caro_overline, caro
    #[arg(long, default_value_t)]
    pub(crate) rule: Rule,
    /// The board size, or a list: with 15,15,20 one game in three is played on 20 × 20
    #[arg(long, default_value = "15")]
    size: Sizes,
    /// Games to play, over all shards
    #[arg(long, default_value = "2000", value_parser = number::<NonZeroU32>(1..=MOST_GAMES))]
    games: NonZeroU32,
    /// Nodes of search for each move
    #[arg(long, default_value = "2000", value_parser = number::<NonZeroU64>(1..=MOST_NODES))]
    nodes: NonZeroU64,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The search that plays: search, or mcts, which also records the visits of the moves
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(crate) picker: SelfPlayPicker,
    /// A network to play with instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,
    /// The part of the games to play: 2/8 is the second of eight
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Threads to play on
    #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..=MOST_THREADS as u64))]
    threads: NonZeroUsize,
    /// The file to write; an existing file is never emptied
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Continue the file, which the same settings have begun
    #[arg(long)]
    pub(crate) resume: bool,
}

impl PlayArgs {
    pub(crate) fn config(&self) -> SelfPlayConfig {
        let &Self { rule, size: sizes, games, nodes, seed, shard, threads, .. } = self;
        SelfPlayConfig { settings: GameSettings { rule, sizes, nodes, seed }, games, shard, threads }
    }
}

#[derive(Debug, Args)]
pub(crate) struct FitArgs {
    /// The files of games
    #[arg(required = true, value_name = "FILE")]
    pub(crate) games: Vec<PathBuf>,
    /// The rule of the games
    #[arg(long, default_value_t)]
    rule: Rule,
    /// The share of the game's result in a label, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t)]
    result_share: ResultShare,
    /// Rounds of the fit over all samples
    #[arg(long, default_value = "20", value_parser = number::<NonZeroUsize>(1..=MOST_ROUNDS))]
    rounds: NonZeroUsize,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder for the weight files; made if it is missing
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
}

impl FitArgs {
    pub(crate) fn config(&self) -> FitConfig {
        let &Self { rule, result_share, rounds, seed, .. } = self;
        FitConfig { rule, result_share, rounds, seed }
    }
}

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    /// The files of games
    #[arg(required = true, value_name = "GAMES")]
    pub(crate) games: Vec<PathBuf>,
    /// The rule of the games
    #[arg(long, default_value_t)]
    rule: Rule,
    /// A network to begin with, of this or another rule, instead of random weights
    #[arg(long, value_name = "FILE")]
    pub(crate) start: Option<PathBuf>,
    /// The share of the game's result in a label, 0 to 1; the rest is the score of the search
    #[arg(long, default_value_t)]
    result_share: ResultShare,
    /// Rounds of the training over all samples
    #[arg(long, default_value = "8", value_parser = number::<NonZeroUsize>(1..=MOST_ROUNDS))]
    rounds: NonZeroUsize,
    /// The learning rate of the first batch; it falls to 0
    #[arg(long, default_value_t)]
    rate: LearningRate,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads that compute gradients; their number does not change the result
    #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..=MOST_THREADS as u64))]
    threads: NonZeroUsize,
    /// The network file, rewritten after each round
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Continue from FILE.checkpoint, which a training with the same options has left, if there is one
    #[arg(long)]
    pub(crate) resume: bool,
    /// Draw the losses into this SVG file after each round
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
}

impl TrainArgs {
    pub(crate) fn config(&self) -> TrainConfig {
        let &Self { rule, result_share, rounds, rate, seed, threads, .. } = self;
        TrainConfig { rule, result_share, rounds, rate, seed, threads }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ImproveArgs {
    /// The folder of the generations; made if it is missing. A run in it is resumed
    pub(crate) folder: PathBuf,
    /// Total number of generations
    #[arg(long, default_value = "4", value_parser = number::<NonZeroUsize>(1..=MOST_GENERATIONS))]
    pub(crate) generations: NonZeroUsize,
    /// Threads of self-play and training, and concurrent games of the match
    #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..=MOST_THREADS as u64))]
    pub(crate) threads: NonZeroUsize,
    #[command(flatten)]
    pub(crate) config: GenerationsConfig,
}

#[derive(Debug, Args)]
pub(crate) struct RegretArgs {
    /// Records of the arena; at most one position is taken from a game
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) records: Vec<PathBuf>,
    /// The file of results, which is continued: with it another build or network is compared on the same positions
    #[arg(long, value_name = "FILE")]
    pub(crate) judged: PathBuf,
    /// The name of this build, network or setting in that file; use a new name for anything that plays differently
    #[arg(long, default_value = "engine")]
    name: String,
    /// Positions to judge
    #[arg(long, value_name = "N", default_value = "200", value_parser = number::<NonZeroUsize>(1..=MOST_POSITIONS))]
    pub(crate) positions: NonZeroUsize,
    /// The seed by which they are chosen
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Nodes of the short searches, a list
    #[arg(long, value_delimiter = ',', default_values = ["30000", "300000"])]
    #[arg(value_parser = number::<NonZeroU64>(1..=MOST_NODES))]
    nodes: Vec<NonZeroU64>,
    /// Nodes of a long search, which judges
    #[arg(long, value_name = "NODES", default_value = "3000000", value_parser = number::<NonZeroU64>(1..=MOST_NODES))]
    reference: NonZeroU64,
    /// The search: search or mcts
    #[arg(long, value_name = "NAME", default_value_t)]
    pub(crate) picker: SelfPlayPicker,
    /// A network to play with instead of the built-in one
    #[arg(long, value_name = "FILE")]
    pub(crate) network: Option<PathBuf>,
    /// Threads to search on, one for each position
    #[arg(long, default_value = "1", value_parser = number::<NonZeroUsize>(1..=MOST_THREADS as u64))]
    threads: NonZeroUsize,
}

impl RegretArgs {
    pub(crate) fn config(&self) -> RegretConfig {
        let &Self { ref name, ref nodes, reference, threads, .. } = self;
        RegretConfig { name: name.clone(), nodes: nodes.clone(), reference, threads }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The file of games
    pub(crate) file: PathBuf,
    /// Number of games to print; all without it
    #[arg(long, value_name = "N", value_parser = number::<NonZeroUsize>(1..=MOST_GAMES))]
    pub(crate) games: Option<NonZeroUsize>,
}

#[derive(Debug, Args)]
pub(crate) struct InfoArgs {
    /// The files of games
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}
