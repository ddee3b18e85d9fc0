//! tengen-cube: four in a row on 4 × 4 × 4, for a person on a terminal and a script on a pipe.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{anyhow, ensure};
use clap::builder::RangedU64ValueParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use tengen::cli::output;
use tengen::cube::solve::{Bounds, Solver, Verdict};
use tengen::cube::terminal::{TerminalGame, replay};
use tengen::cube::{Analysis, Gravity, Paint, PickerName, protocol};
use tengen::picker::{Deadlines, Limits, SearchControl};
use tengen::protocol::MOST_MILLISECONDS;

/// Milliseconds of a move against a person, and of an analysis.
const DEFAULT_TIME: u64 = 2_000;

/// The largest table of a proof, in MiB.
const MOST_MEMORY: u64 = 1 << 20;

/// Four in a row in a cube of 4 × 4 × 4. Without a subcommand: on a terminal a game against a person, on a pipe the
/// Gomocup protocol (START 4, BEGIN, TURN 1,2, END).
#[derive(Debug, Parser)]
#[command(name = "tengen-cube", version)]
struct Cli {
    /// Whether pieces drop to the lowest empty level of their column: on or off
    #[arg(long, value_name = "on|off", default_value_t, global = true)]
    gravity: Gravity,

    /// The picker of the moves: greedy, the documented weights, or search
    #[arg(long, value_name = "NAME", default_value_t = PickerName::Search, global = true)]
    picker: PickerName,

    /// Milliseconds of a move against a person, or of an analysis; a manager gives its own
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_TIME, global = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=MOST_MILLISECONDS))]
    time: u64,

    /// What to do instead of playing
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Print the score of every move
    Analyse(Analyse),
    /// Prove that the side to move wins, and check the proof
    Solve(Solve),
}

#[derive(Debug, Args)]
struct Analyse {
    /// The moves of the game: columns x,y, or without gravity cells x,y,z
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Solve {
    /// The moves of the game; without any, the empty cube is proved
    #[arg(value_name = "MOVE")]
    moves: Vec<String>,

    /// The most seconds of the proof; its check has no limit
    #[arg(long, value_name = "S", default_value_t = 3_600)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=MOST_MILLISECONDS))]
    seconds: u64,

    /// MiB of the table of positions, 32 bytes for each of its entries
    #[arg(long, value_name = "MIB", default_value_t = Bounds::DEFAULT.table_bytes >> 20)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=MOST_MEMORY))]
    memory: usize,

    /// The moves that the attacker is given in a position, the most promising ones
    #[arg(long, value_name = "N")]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=64))]
    width: Option<usize>,
}

impl Cli {
    /// Reads the arguments. Refuses those that the task would ignore.
    fn from_arguments() -> Self {
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
fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

fn main() {
    let started = Instant::now();
    tengen::files::survive_size_limit();
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    let cli = Cli::from_arguments();
    let done = match &cli.task {
        None if is_terminal() => play(&cli),
        None => run_protocol(&cli, started),
        Some(Task::Analyse(analyse)) => show_analysis(&cli, analyse),
        Some(Task::Solve(solve)) => prove(&cli, solve),
    };
    if let Err(error) = done {
        let _ = writeln!(io::stderr(), "tengen-cube: {error:#}");
        process::exit(1);
    }
    // Threads and tables end with the process.
    process::exit(0);
}

/// A game against a person, to its end or that of the input.
fn play(cli: &Cli) -> anyhow::Result<()> {
    let mut game = TerminalGame::new(cli.gravity, cli.picker.build(), Duration::from_millis(cli.time), Paint::Colors);
    let mut output = anstream::stdout();
    write!(output, "{}", game.opening())?;
    let mut lines = io::stdin().lock().lines();
    while !game.is_over() {
        write!(output, "{}", game.prompt())?;
        output.flush()?;
        let Some(line) = lines.next() else { break };
        write!(output, "{}", game.handle(&line?))?;
    }
    Ok(())
}

/// The protocol, until the manager leaves.
fn run_protocol(cli: &Cli, started: Instant) -> anyhow::Result<()> {
    // Managers read stderr as protocol text, so a panic, which costs a move at most, goes to the log.
    std::panic::set_hook(Box::new(|info| log::error!("{info}")));
    let name = cli.picker;
    let setup = protocol::Setup {
        name: "TengenCube",
        picker: Box::new(move || name.build()),
        gravity: cli.gravity,
        started,
        is_unread: output::is_unread,
    };
    protocol::run(io::stdin(), io::stdout(), setup)?;
    Ok(())
}

fn show_analysis(cli: &Cli, analyse: &Analyse) -> anyhow::Result<()> {
    let board = replay(cli.gravity, &analyse.moves).map_err(|error| anyhow!(error))?;
    let limits = Limits { control: control(Duration::from_millis(cli.time)), ..Limits::default() };
    let Some(analysis) = Analysis::ask(&board, cli.picker, &limits) else {
        return Err(anyhow!("the game is over"));
    };
    if analyse.json {
        output::print(&format_args!("{:#}", analysis.to_json()))
    } else {
        output::print(&analysis.text(Paint::Colors))
    }
}

/// Proves, and checks what was proved. The progress goes to stderr.
fn prove(cli: &Cli, solve: &Solve) -> anyhow::Result<()> {
    let board = replay(cli.gravity, &solve.moves).map_err(|error| anyhow!(error))?;
    ensure!(board.outcome().is_none(), "the game is over");
    let usual = Bounds::of(cli.gravity);
    let bounds = Bounds { table_bytes: solve.memory << 20, width: solve.width.unwrap_or(usual.width), ..usual };
    let mut solver = Solver::new(board.position(), bounds, control(Duration::from_secs(solve.seconds)));
    let verdict = solver.prove(&mut |progress| _ = writeln!(io::stderr(), "{progress}"));
    let turn = board.position().turn();
    output::print(&solver.progress())?;
    match verdict {
        Verdict::Open => output::print(&format_args!("open: no win of {turn} is proved yet")),
        Verdict::Disproved => {
            output::print(&format_args!("disproved: none of the moves that were tried wins for {turn}"))
        }
        Verdict::Proved => {
            let first = solver.winning_move().map_or(String::new(), |cell| cli.gravity.name(cell));
            output::print(&format_args!("proved: {turn} wins with {first}"))?;
            let checked = solver.check(&mut |checked| _ = writeln!(io::stderr(), "checked {checked}"))?;
            output::print(&format_args!("checked: {checked}"))
        }
    }
}

fn control(time: Duration) -> Arc<SearchControl> {
    let control = SearchControl::default();
    control.set_deadlines(Deadlines::within(time));
    Arc::new(control)
}
