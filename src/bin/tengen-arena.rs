//! `tengen-arena`: matches between engines, from the shell.
//!
//! Exit status: 0 finished (with `--sprt`: H1 accepted); 1 something failed; 2 wrong usage, or another arena writes to
//! the record; 3 H0 accepted; 4 the SPRT
//! is undecided; 5 forfeits, with `--fail-on-forfeit`; 130 interrupted by Ctrl-C or SIGTERM.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
#[cfg(target_os = "linux")]
use std::time::Duration;

use anyhow::Context;
use tengen::arena::config::args::{self, Action, ArgsError, Parsed, PlayArgs, ReportArgs, SuperviseArgs, TableArgs};
use tengen::arena::config::{Format, Shard};
use tengen::arena::contest::{Conclusion, Contest, ContestError, Forfeits, MatchEvent, MatchFiles, RunOptions};
use tengen::arena::game::Halt;
#[cfg(target_os = "linux")]
use tengen::arena::game::supervisor;
use tengen::arena::journal::{self, JournalError, MatchRecord};
use tengen::arena::report::{Live, MatchReport, merge, printable};
use tengen::files;
use tengen::text::Short;

const USAGE: u8 = 2;
const INTERRUPTED: u8 = 130;

/// The most bytes of a message of usage that is printed with its colors and in full, as all of `--help` is.
const LONGEST_USAGE: usize = 64 << 10;

/// The longest wait at the end of a match for processes that the system does not kill at once.
#[cfg(target_os = "linux")]
const LAST_KILLS: Duration = Duration::from_secs(2);

fn main() -> ExitCode {
    files::survive_size_limit();
    let parsed = match args::parse(&std::env::args_os().collect::<Vec<_>>()) {
        Ok(parsed) => parsed,
        // A match file may bring along a value of any length.
        Err(ArgsError::Usage(error)) if error.to_string().len() > LONGEST_USAGE => {
            return fail(&error.to_string(), USAGE);
        }
        Err(ArgsError::Usage(error)) => error.exit(),
        Err(error) => return fail(&error.to_string(), USAGE),
    };
    let outcome = match &parsed.action {
        Action::Table(args) => table(args),
        Action::Report(args) => page(args),
        Action::Supervise(args) => supervise(args),
        action => match action.play() {
            Some((format, args)) => play(&parsed, format, args),
            None => Ok(0),
        },
    };
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            let is_held = |error| matches!(error, &ContestError::Journal(JournalError::Held(..)));
            let is_usage = error.is::<ArgsError>() || error.downcast_ref().is_some_and(is_held);
            fail(&format!("{error:#}"), if is_usage { USAGE } else { 1 })
        }
    }
}

fn fail(message: &str, status: u8) -> ExitCode {
    note(message);
    ExitCode::from(status)
}

/// Writes a line to the error output. Where that is closed the status reports a failure.
fn note(message: &str) {
    let _ = writeln!(io::stderr(), "tengen-arena: {}", printable(&Short(message).to_string()));
}

fn table(args: &TableArgs) -> anyhow::Result<u8> {
    let (matches, shards) = read(&args.files)?;
    print(&MatchReport::new(&matches, &shards), args.json)?;
    Ok(0)
}

/// Writes the table and the games as a page.
fn page(args: &ReportArgs) -> anyhow::Result<u8> {
    let (matches, shards) = read(&args.files)?;
    let page = tengen::web::report::html(&matches, &shards)?;
    std::fs::write(&args.html, page).with_context(|| args.html.display().to_string())?;
    Ok(0)
}

/// Reads records and puts shards of one match together.
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

fn play(parsed: &Parsed, format: Format, args: &PlayArgs) -> anyhow::Result<u8> {
    let files = MatchFiles { record: args.record.clone(), resume: args.resume.clone(), psq: args.psq.clone() };
    let mut contest = Contest::prepare(format, parsed.described(format, args)?, &files)?;
    let halt = Arc::new(Halt::default());
    let is_interrupted = halt_on_interrupt(&halt)?;
    let options = RunOptions { jobs: args.jobs, transcripts: args.log.clone(), supervisor: supervisor(), halt };
    let mut live = Live::new(contest.played(), args.quiet);
    let outcome = contest.play(&options, |event, played| {
        if let MatchEvent::Game(game) = event {
            live.game(game);
        }
        live.tick(played);
    });
    live.clear();
    leave_nobody();
    let report = contest.report();
    print(&report, args.json)?;
    outcome?;
    let forfeits = if args.fail_on_forfeit { Forfeits::Fail } else { Forfeits::Count };
    let is_interrupted = is_interrupted.load(Ordering::Relaxed);
    Ok(status(Conclusion::of(&report, &contest.played().config, is_interrupted, forfeits)))
}

/// The exit status that README and `--help` promise.
const fn status(conclusion: Conclusion) -> u8 {
    match conclusion {
        Conclusion::Finished => 0,
        Conclusion::H0 => 3,
        Conclusion::Undecided => 4,
        Conclusion::Forfeits => 5,
        Conclusion::Interrupted => INTERRUPTED,
    }
}

/// Halts the match at Ctrl-C, SIGTERM or SIGHUP, so that it ends with its table: engines are asked to end first, and
/// killed at once from the second signal on. The third one ends the process, should its output be held up.
fn halt_on_interrupt(halt: &Arc<Halt>) -> anyhow::Result<Arc<AtomicBool>> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let (halt, interrupted) = (Arc::clone(halt), Arc::clone(&is_interrupted));
    let mut signals = 0;
    ctrlc::set_handler(move || {
        signals += 1;
        interrupted.store(true, Ordering::Relaxed);
        match signals {
            1 => halt.request(),
            2 => halt.request_at_once(),
            // The supervisors see the end of this process and leave nobody behind.
            _ => std::process::exit(INTERRUPTED.into()),
        }
    })?;
    Ok(is_interrupted)
}

/// The program above each engine: this one, also where its file has been replaced since.
#[cfg(target_os = "linux")]
fn supervisor() -> Option<PathBuf> {
    supervisor::adopt_orphans();
    Some("/proc/self/exe".into())
}

/// Other systems have no parent for the orphans of a process. On Windows they end with this one.
#[cfg(not(target_os = "linux"))]
fn supervisor() -> Option<PathBuf> {
    #[cfg(windows)]
    tengen::arena::game::end_with_this_process();
    None
}

/// Kills what an engine has left behind that had killed its supervisor.
fn leave_nobody() {
    #[cfg(target_os = "linux")]
    supervisor::kill_children(LAST_KILLS);
}

/// Runs an engine below this process.
#[cfg(target_os = "linux")]
fn supervise(args: &SuperviseArgs) -> anyhow::Result<u8> {
    supervisor::supervise(args.arena, &args.command)?;
    Ok(0)
}

/// The arena asks for no supervisor on other systems.
#[cfg(not(target_os = "linux"))]
fn supervise(_: &SuperviseArgs) -> anyhow::Result<u8> {
    anyhow::bail!("this system has no supervisors")
}
