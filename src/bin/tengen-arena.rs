//! `tengen-arena`: matches between engines, from the shell.
//!
//! Exit status: 0 finished (with `--sprt`: H1 accepted); 1 something failed; 2 wrong usage; 3 H0 accepted; 4 the SPRT
//! is undecided; 5 forfeits, with `--fail-on-forfeit`; 130 interrupted by Ctrl-C or SIGTERM.

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use tengen::arena::config::Format;
use tengen::arena::config::args::{self, Action, ArgsError, Parsed, PlayArgs, TableArgs};
use tengen::arena::contest::{Conclusion, Contest, Event, Files, Forfeits, RunOptions};
use tengen::arena::record;
use tengen::arena::report::{Live, Report, merge};

const USAGE: u8 = 2;
const INTERRUPTED: u8 = 130;

fn main() -> ExitCode {
    let parsed = match args::parse(&std::env::args_os().collect::<Vec<_>>()) {
        Ok(parsed) => parsed,
        Err(ArgsError::Usage(error)) => error.exit(),
        Err(error) => return fail(&error.to_string(), USAGE),
    };
    let outcome = match &parsed.action {
        Action::Table(args) => table(args),
        action => match action.play() {
            Some((format, args)) => play(&parsed, format, args),
            None => Ok(0),
        },
    };
    match outcome {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            let status = if error.is::<ArgsError>() { USAGE } else { 1 };
            fail(&format!("{error:#}"), status)
        }
    }
}

fn fail(message: &str, status: u8) -> ExitCode {
    // The status reports the failure where the error output is closed.
    let _ = writeln!(io::stderr(), "tengen-arena: {message}");
    ExitCode::from(status)
}

fn table(args: &TableArgs) -> anyhow::Result<u8> {
    let files: Result<Vec<_>, _> = args.files.iter().map(|path| record::read(path)).collect();
    let (matches, shards) = merge(files?)?;
    print(&Report::new(&matches, &shards), args.json)?;
    Ok(0)
}

fn print(report: &Report, json: bool) -> anyhow::Result<()> {
    let text = if json { serde_json::to_string_pretty(report)? + "\n" } else { report.to_string() };
    io::stdout().write_all(text.as_bytes()).context("the table cannot be written")
}

fn play(parsed: &Parsed, format: Format, args: &PlayArgs) -> anyhow::Result<u8> {
    let files = Files { record: args.record.clone(), resume: args.resume.clone(), psq: args.psq.clone() };
    let mut contest = Contest::prepare(format, parsed.described(format, args)?, &files)?;
    let halt = Arc::new(AtomicBool::new(false));
    let is_interrupted = halt_on_interrupt(&halt)?;
    let options = RunOptions { jobs: args.jobs, transcripts: args.log.clone(), halt };
    let mut live = Live::new(contest.played(), args.quiet);
    let outcome = contest.play(&options, |event, played| {
        if let Event::Game(game) = event {
            live.game(game);
        }
        live.tick(played);
    });
    live.clear();
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

/// Sets `halt` at the first Ctrl-C or SIGTERM, so that the match ends with its table; the second one ends the process.
fn halt_on_interrupt(halt: &Arc<AtomicBool>) -> anyhow::Result<Arc<AtomicBool>> {
    let is_interrupted = Arc::new(AtomicBool::new(false));
    let (halt, interrupted) = (Arc::clone(halt), Arc::clone(&is_interrupted));
    ctrlc::set_handler(move || {
        halt.store(true, Ordering::Relaxed);
        if interrupted.swap(true, Ordering::Relaxed) {
            // The engines see the end of their input.
            std::process::exit(INTERRUPTED.into());
        }
    })?;
    Ok(is_interrupted)
}
