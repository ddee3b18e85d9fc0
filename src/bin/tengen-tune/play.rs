//! `play`: self-play into a file of games.

use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::builder::TypedValueParser;
use clap::{Args, value_parser};
use tengen::board::Rule;
use tengen::eval::Networks;
use tengen::picker::Evaluation;
use tengen::protocol::rule_number::parse_rule;
use tengen::shard::Shard;
use tengen::tune::{
    Engine, GameSettings, GameWriter, Header, MOST_THREADS, SelfPlayConfig, SelfPlayPicker, Sizes, engine_signature,
    play,
};

use crate::files::read_network;
use crate::{INTERRUPTED, count, halt_on_interrupt, report};

/// Finished games between two lines of progress.
const PROGRESS_EVERY: usize = 100;

/// The most games of a run: years of self-play, and a number has 32 bits.
pub(crate) const MOST_GAMES: i64 = 1_000_000_000;

/// The most nodes of a move: minutes of search.
pub(crate) const MOST_NODES: u64 = 1_000_000_000;

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// The rule: freestyle, standard, renju, caro_overline, caro
    #[arg(long, default_value_t, value_parser = parse_rule)]
    rule: Rule,
    /// The side of the board, or a list such as 15,15,20: here one game of three is played on 20 × 20
    #[arg(long, default_value = "15")]
    size: Sizes,
    /// Games to play, over all shards
    #[arg(long, default_value = "2000")]
    #[arg(value_parser = value_parser!(u32).range(1..=MOST_GAMES).try_map(NonZeroU32::try_from))]
    games: NonZeroU32,
    /// Nodes of search for each move
    #[arg(long, default_value = "2000")]
    #[arg(value_parser = value_parser!(u64).range(1..=MOST_NODES).try_map(NonZeroU64::try_from))]
    nodes: NonZeroU64,
    /// The seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The search that plays: search, or mcts, which records the visits of the moves too
    #[arg(long, value_name = "NAME", default_value_t)]
    picker: SelfPlayPicker,
    /// A network to play by, instead of the built-in one
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Which part of the games to play: 2/8 is the second of eight
    #[arg(long, value_name = "K/N", default_value_t = Shard::WHOLE)]
    shard: Shard,
    /// Threads to play on
    #[arg(long, default_value = "1", value_parser = count(MOST_THREADS as u64))]
    threads: NonZeroUsize,
    /// The file to write; one that is there is left as it is
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on with the file, which the same settings have begun
    #[arg(long)]
    resume: bool,
}

pub(crate) fn play_games(args: &PlayArgs) -> anyhow::Result<ExitCode> {
    let &PlayArgs { rule, size: sizes, games, nodes, seed, picker, ref network, shard, threads, ref out, resume } =
        args;
    let engine = Engine { picker, evaluation: evaluation(network.as_deref(), rule)? };
    let config = SelfPlayConfig { settings: GameSettings { rule, sizes, nodes, seed }, games, shard, threads };
    let halt = halt_on_interrupt()?;
    play_into(out, &config, engine, resume, &halt)?;
    Ok(if halt.load(Ordering::Relaxed) { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Plays the games that a file does not hold yet.
pub(crate) fn play_into(
    path: &Path,
    config: &SelfPlayConfig,
    engine: Engine,
    resume: bool,
    halt: &AtomicBool,
) -> anyhow::Result<()> {
    let SelfPlayConfig { settings, shard, .. } = *config;
    let header = Header { settings, shard, engine: engine_signature(settings.rule, engine)? };
    let open = if resume { GameWriter::resume } else { GameWriter::create };
    let mut file = open(path, &header)?;
    if file.cut() > 0 {
        report(&format!("{}: {} bytes of an unfinished game were cut off", path.display(), file.cut()));
    }
    let recorded = file.recorded().to_vec();
    let mut played = recorded.len();
    play(config, engine, &recorded, halt, &mut |game| {
        file.write(&game)?;
        played += 1;
        if played % PROGRESS_EVERY == 0 {
            report(&format!("{}: {played} games", path.display()));
        }
        Ok(())
    })?;
    report(&format!("{}: {played} games", path.display()));
    Ok(())
}

/// The evaluation by a network file, or by the built-in network.
pub(crate) fn evaluation(network: Option<&Path>, rule: Rule) -> anyhow::Result<Evaluation> {
    let Some(path) = network else { return Ok(Evaluation::default()) };
    let weights = read_network(path)?;
    anyhow::ensure!(weights.rule == rule, "{}: it is a network of {}, not of {rule}", path.display(), weights.rule);
    let mut networks = Networks::none();
    networks.insert(weights);
    // Kept until the process ends, as the built-in ones are.
    Ok(Evaluation { available: Box::leak(Box::new(networks)), ..Evaluation::default() })
}
