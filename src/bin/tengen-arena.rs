//! `tengen-arena`: matches between engines, from the shell.
//!
//! Exit status: 0 finished (with `--sprt`: H1 accepted); 1 something failed; 2 wrong usage, or another arena writes to the
//! record; 3 H0 accepted; 4 the SPRT is undecided; 5 forfeits, with `--fail-on-forfeit`; 130 interrupted by Ctrl-C, SIGTERM
//! or SIGHUP.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use tengen::arena::config::args::{self, ArgsError, PlayTask, Task};
use tengen::arena::contest::{Conclusion, Contest, ContestError, Forfeits, RunOptions};
use tengen::arena::game::{self, Halt};
use tengen::arena::journal::{self, JournalError, MatchRecord};
use tengen::arena::report::{Live, MatchReport, merge, printable};
use tengen::files::{self, OutputFile};
use tengen::platform;
use tengen::shard::Shard;
use tengen::text::Short;
use tengen::web::report;

/// The exit status of wrong usage.
const USAGE: u8 = 2;

/// The greatest length in bytes of a message of usage that is printed with its colors and in full, as `--help` is.
const LONGEST_USAGE: usize = 64 << 10;

fn main() -> ExitCode {
    files::survive_size_limit();
    let task = match args::parse(&std::env::args_os().collect::<Vec<_>>()) {
        Ok(task) => task,
        // A match file may hold a value of any length.
        Err(ArgsError::Usage(error)) if error.to_string().len() <= LONGEST_USAGE => error.exit(),
        Err(error) => return fail(&error.to_string(), USAGE),
    };
    match run(task) {
        Ok(conclusion) => ExitCode::from(conclusion as u8),
        Err(error) => {
            let is_held = |error: &ContestError| match error {
                ContestError::Journal(JournalError::File(_, error)) => error.kind() == io::ErrorKind::ResourceBusy,
                _ => false,
            };
            let is_usage = error.is::<ArgsError>() || error.downcast_ref().is_some_and(is_held);
            fail(&format!("{error:#}"), if is_usage { USAGE } else { 1 })
        }
    }
}

fn run(task: Task) -> anyhow::Result<Conclusion> {
    match task {
        Task::Play(task) => return play(&task),
        Task::Table(args) => {
            let (matches, shards) = read(&args.files)?;
            print(&MatchReport::new(&matches, &shards), args.json)?;
        }
        Task::Report(args) => {
            let (matches, shards) = read(&args.files)?;
            let page = report::html(&matches, &shards)?;
            OutputFile::create(&args.html, &report::KIND)?.write_whole(page.as_bytes())?;
        }
        Task::Supervise(args) => game::supervise(args.arena, &args.command)?,
    }
    Ok(Conclusion::Finished)
}

fn fail(message: &str, status: u8) -> ExitCode {
    note(message);
    ExitCode::from(status)
}

/// Writes a line to the error output. If that is closed, the exit status still reports a failure.
fn note(message: &str) {
    let _ = writeln!(io::stderr(), "tengen-arena: {}", printable(&Short(message).to_string()));
}

/// Reads records and joins the shards of one match.
fn read(paths: &[PathBuf]) -> anyhow::Result<(Vec<MatchRecord>, Vec<Shard>)> {
    let mut files = Vec::new();
    for path in paths {
        match journal::read(path) {
            // A shard that was killed within its first line has no games yet.
            Err(error @ JournalError::Unbegun(_)) => note(&error.to_string()),
            read => files.push(read?),
        }
    }
    anyhow::ensure!(!files.is_empty(), "no record holds a match");
    Ok(merge(files)?)
}

fn print(report: &MatchReport, json: bool) -> anyhow::Result<()> {
    let text = if json { serde_json::to_string_pretty(report)? + "\n" } else { report.to_string() };
    io::stdout().write_all(text.as_bytes()).context("the table cannot be written")
}

fn play(task: &PlayTask) -> anyhow::Result<Conclusion> {
    let args = &task.options;
    let mut contest = Contest::prepare(task.format, task.described()?, &args.files)?;
    let halt = Arc::new(Halt::default());
    let is_interrupted = halt_on_interrupt(&halt)?;
    game::end_with_this_process();
    let options = RunOptions { jobs: args.jobs, transcripts: args.log.clone(), supervisor: game::supervisor(), halt };
    let mut live = Live::new(contest.played(), args.quiet);
    let outcome = contest.play(&options, |game, played| {
        game.into_iter().for_each(|game| live.game(game));
        live.tick(played);
    });
    live.clear();
    game::kill_leftovers();
    let report = contest.report();
    // A match that fails before its first game has ended has no table.
    if outcome.is_ok() || !contest.played().games.is_empty() {
        print(&report, args.json)?;
    }
    outcome?;
    let forfeits = if args.fail_on_forfeit { Forfeits::Fail } else { Forfeits::Count };
    Ok(Conclusion::of(&report, &contest.played().config, is_interrupted.load(Ordering::Relaxed), forfeits))
}

/// Halts the match at Ctrl-C, SIGTERM or SIGHUP, so that it ends with its table. The first signal asks the engines to end,
/// the second kills them at once. The third ends the process, in case its output is held up.
fn halt_on_interrupt(halt: &Arc<Halt>) -> anyhow::Result<Arc<AtomicBool>> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let (halt, interrupted) = (Arc::clone(halt), Arc::clone(&is_interrupted));
    let mut signals = 0;
    platform::on_interrupt(move || {
        signals += 1;
        interrupted.store(true, Ordering::Relaxed);
        match signals {
            1 => halt.request(),
            2 => halt.request_at_once(),
            // The supervisors see the end of this process and leave no engine behind.
            _ => std::process::exit(Conclusion::Interrupted as i32),
        }
    })?;
    Ok(is_interrupted)
}
