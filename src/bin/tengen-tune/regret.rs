//! `regret`: what the moves of short searches cost, by the judgement of long ones.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Context, ensure};
use clap::builder::TypedValueParser;
use clap::{Args, value_parser};
use tengen::arena::journal;
use tengen::notation::Moves;
use tengen::notation::record::GameRecord;
use tengen::rng::Rng;
use tengen::tune::{
    Comparison, Engine, JudgedFile, MOST_THREADS, Regret, RegretConfig, SelfPlayPicker, TestPosition, judge,
};

use crate::play::{MOST_NODES, evaluation};
use crate::{INTERRUPTED, count, halt_on_interrupt, report};

/// A position stands at least this many moves behind the opening of its game, and before its end.
const MARGIN: (usize, usize) = (2, 6);

/// The most positions: weeks of long searches.
const MOST_POSITIONS: u64 = 1_000_000;

/// Positions between two lines of progress, where nobody looks on.
const PROGRESS_EVERY: usize = 10;

#[derive(Debug, Args)]
pub(crate) struct RegretArgs {
    /// Records of the arena; one position is taken from a game
    #[arg(required = true, value_name = "RECORD")]
    records: Vec<PathBuf>,
    /// The file of what was found, which is added to: with it another build or network is compared on the same positions
    #[arg(long, value_name = "FILE")]
    judged: PathBuf,
    /// The name of this build, network or setting in that file; a new one for everything that plays otherwise
    #[arg(long, default_value = "engine")]
    name: String,
    /// Positions to ask about
    #[arg(long, value_name = "N", default_value = "200", value_parser = count(MOST_POSITIONS))]
    positions: NonZeroUsize,
    /// The seed by which they are chosen
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Nodes of the short searches, a list
    #[arg(long, value_delimiter = ',', default_values = ["30000", "300000"])]
    #[arg(value_parser = value_parser!(u64).range(1..=MOST_NODES).try_map(NonZeroU64::try_from))]
    nodes: Vec<NonZeroU64>,
    /// Nodes of a long search, which judges
    #[arg(long, value_name = "NODES", default_value = "3000000")]
    #[arg(value_parser = value_parser!(u64).range(1..=MOST_NODES).try_map(NonZeroU64::try_from))]
    reference: NonZeroU64,
    /// The search: search or mcts
    #[arg(long, value_name = "NAME", default_value_t)]
    picker: SelfPlayPicker,
    /// A network to play by, instead of the built-in one
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// Threads to search on, a position each
    #[arg(long, default_value = "1", value_parser = count(MOST_THREADS as u64))]
    threads: NonZeroUsize,
}

pub(crate) fn regret(args: &RegretArgs) -> anyhow::Result<ExitCode> {
    let positions = positions(&args.records, args.positions.get(), args.seed)?;
    let first = positions.first().context("the records have no position to ask about")?;
    let is_one_rule = positions.iter().all(|position| position.rule == first.rule);
    ensure!(is_one_rule, "the records are of several rules: ask about one at a time");
    let engine = Engine { picker: args.picker, evaluation: evaluation(args.network.as_deref(), first.rule)? };
    let mut file = JudgedFile::open(&args.judged)?;
    let (name, nodes) = (args.name.clone(), args.nodes.clone());
    let config = RegretConfig { name, nodes, reference: args.reference, threads: args.threads };
    let halt = halt_on_interrupt()?;
    let is_watched = stderr().is_terminal();
    let rows = judge(&config, engine, &positions, &mut file, &halt, &mut |done| {
        if is_watched || done % PROGRESS_EVERY == 0 {
            report(&format!("{done} of {} positions", positions.len()));
        }
    })?;
    print(&config, &rows).context("the table cannot be printed")?;
    Ok(if halt.load(Ordering::Relaxed) { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// The same positions for the same records and seed; fewer are the first of more.
fn positions(records: &[PathBuf], count: usize, seed: u64) -> anyhow::Result<Vec<TestPosition>> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    for path in records {
        let played = journal::read(path)?;
        let (rule, size) = (played.config.game.rule, played.config.game.size);
        let taken = played.games.values().filter_map(|game| stones(game, &mut rng));
        positions.extend(taken.map(|moves| TestPosition { rule, size, moves }));
    }
    rng.shuffle(&mut positions);
    positions.truncate(count);
    Ok(positions)
}

/// The stones before some move of a game; `None` where it is too short.
fn stones(game: &GameRecord, rng: &mut Rng) -> Option<Moves> {
    let choices = game.moves.0.len().checked_sub(MARGIN.0 + MARGIN.1)?;
    let played = MARGIN.0 + rng.below(choices + 1);
    Some(Moves(game.opening.0.iter().chain(&game.moves.0[..played]).copied().collect()))
}

fn print(config: &RegretConfig, rows: &[Regret]) -> std::io::Result<()> {
    let mut out = stdout().lock();
    writeln!(out, "regret of {}, in hundredths of a win, judged by {} nodes", config.name, config.reference)?;
    writeln!(out, "{:>12} {:>10} {:>7} {:>15}", "nodes", "positions", "alike", "regret")?;
    for Regret { nodes, positions, alike, mean, against } in rows {
        writeln!(out, "{nodes:>12} {positions:>10} {alike:>7} {:>15}", hundredths(*mean))?;
        for other in against {
            let Comparison { name, positions, mean } = other;
            writeln!(out, "{:>12} {positions:>10} {:>7} {:>15} against {name}", "", "", hundredths(*mean))?;
        }
    }
    Ok(())
}

/// `1.31 ± 0.40`.
fn hundredths((mean, half): (f64, f64)) -> String {
    format!("{:.2} ± {:.2}", 100.0 * mean, 100.0 * half)
}
