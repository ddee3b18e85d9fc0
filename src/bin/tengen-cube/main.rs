//! tengen-cube: four in a row on 4 × 4 × 4, for a person on a terminal and a script on a pipe.

mod args;

use std::io::{self, BufRead, Write};
use std::process;
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{anyhow, ensure};
use tengen::cli::output;
use tengen::cube::solve::{Bounds, Solver, Verdict};
use tengen::cube::terminal::{TerminalGame, replay};
use tengen::cube::{Analysis, Paint, protocol};
use tengen::picker::{Deadlines, Limits, SearchControl};

use self::args::{Analyse, Cli, Solve, Task, is_terminal};

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
