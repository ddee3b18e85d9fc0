//! `tengen-arena`: matches between engines, from the shell.
//!
//! Exit status: 0 finished (with `--sprt`: H1 accepted); 1 something failed; 2 wrong usage; 3 H0 accepted; 4 the SPRT
//! is undecided; 5 forfeits, with `--fail-on-forfeit`; 130 broken off by Ctrl-C or SIGTERM.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use tengen::arena::args::{self, Action, ArgsError, Parsed, PlayArgs, TableArgs};
use tengen::arena::config::{Format, MatchConfig, load_openings};
use tengen::arena::journal::{self, Journal};
use tengen::arena::live::Live;
use tengen::arena::report::{Report, merge};
use tengen::arena::runner::{self, Event, RunOptions};
use tengen::arena::stats::results::{Played, sequential};
use tengen::arena::stats::sprt::Decision;
use tengen::opening::lists::Opening;

/// How often it is looked whether the SPRT is decided; games beyond the decision are not counted.
const TEST_EVERY: Duration = Duration::from_millis(250);

const USAGE: u8 = 2;
const H0_ACCEPTED: u8 = 3;
const UNDECIDED: u8 = 4;
const FORFEITS: u8 = 5;
const BROKEN_OFF: u8 = 130;

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
    // Nobody is left to be told when the error output is gone.
    let _ = writeln!(io::stderr(), "tengen-arena: {message}");
    ExitCode::from(status)
}

fn table(args: &TableArgs) -> anyhow::Result<u8> {
    let files: Result<Vec<_>, _> = args.files.iter().map(|path| journal::read(path)).collect();
    let (matches, shards) = merge(files?)?;
    print(&Report::new(&matches, &shards), args.json)?;
    Ok(0)
}

fn print(report: &Report, json: bool) -> anyhow::Result<()> {
    let text = if json { serde_json::to_string_pretty(report)? + "\n" } else { report.to_string() };
    io::stdout().write_all(text.as_bytes()).context("the table cannot be written")
}

fn play(parsed: &Parsed, format: Format, args: &PlayArgs) -> anyhow::Result<u8> {
    let (mut journal, mut played, openings) = prepare(parsed, format, args)?;
    let halt = Arc::new(AtomicBool::new(false));
    let broken_off = Arc::new(AtomicBool::new(false));
    {
        let (halt, broken_off) = (Arc::clone(&halt), Arc::clone(&broken_off));
        ctrlc::set_handler(move || {
            halt.store(true, Ordering::Relaxed);
            if broken_off.swap(true, Ordering::Relaxed) {
                // Asked twice: the engines see the end of their input.
                std::process::exit(BROKEN_OFF.into());
            }
        })?;
    }
    let options = RunOptions { jobs: args.jobs.max(1), transcripts: args.log.clone(), halt: Arc::clone(&halt) };
    let mut live = Live::new(&played, args.quiet);
    let config = played.config.clone();
    let mut tested = Instant::now();
    let outcome = runner::run(&mut played, openings, &options, |event, played| {
        match event {
            Event::Game(game) => {
                live.game(game);
                journal.write(game, &config)?;
            }
            Event::Tick => {}
        }
        live.tick(played);
        if tested.elapsed() >= TEST_EVERY {
            tested = Instant::now();
            if decided(played) {
                halt.store(true, Ordering::Relaxed);
            }
        }
        Ok::<_, journal::JournalError>(())
    });
    live.clear();
    let report = Report::new(std::slice::from_ref(&played), &[config.shard]);
    print(&report, args.json)?;
    outcome?;
    Ok(match report.decision() {
        _ if broken_off.load(Ordering::Relaxed) => BROKEN_OFF,
        _ if args.fail_on_forfeit && report.has_forfeits() => FORFEITS,
        Some(Decision::H0) => H0_ACCEPTED,
        None if config.sprt.is_some() => UNDECIDED,
        Some(Decision::H1) | None => 0,
    })
}

fn decided(played: &Played) -> bool {
    let progress = sequential(played, |opening| played.config.shard.has(opening));
    progress.is_some_and(|(progress, _)| progress.decision.is_some())
}

/// The record to be written, what it holds already, and the openings.
fn prepare(parsed: &Parsed, format: Format, args: &PlayArgs) -> anyhow::Result<(Journal, Played, Vec<Opening>)> {
    let begins = |path: &PathBuf| parsed.names_engines() && !path.exists();
    let Some(path) = args.resume.as_ref().filter(|path| !begins(path)) else {
        let (config, openings) = parsed.config(format, args)?;
        let record = args.record.as_ref().or(args.resume.as_ref());
        let journal = Journal::create(record.map(PathBuf::as_path), args.psq.clone(), &config)?;
        return Ok((journal, Played { config, games: BTreeMap::new() }, openings));
    };
    let (journal, played) = Journal::resume(path, args.psq.clone())?;
    if parsed.names_engines() {
        let (config, _) = parsed.config(format, args)?;
        check_same(&config, &played.config).with_context(|| path.display().to_string())?;
    } else if played.config.format != format {
        bail!("{}: the record is of another kind of match", path.display());
    }
    let MatchConfig { openings, conduct, .. } = &played.config;
    let (source, list) = load_openings(&openings.name, conduct.rule, conduct.size)?;
    if source != *openings {
        bail!("{}: the openings {} have changed since", path.display(), openings.name);
    }
    Ok((journal, played, list))
}

/// Whether the options describe the match on record; names what differs.
fn check_same(wanted: &MatchConfig, recorded: &MatchConfig) -> anyhow::Result<()> {
    if wanted == recorded {
        return Ok(());
    }
    let (wanted, recorded) = (serde_json::to_value(wanted)?, serde_json::to_value(recorded)?);
    let differing = recorded.as_object().into_iter().flatten().filter(|(key, value)| wanted.get(key) != Some(value));
    let names: Vec<_> = differing.map(|(key, _)| key.as_str()).collect();
    bail!("the record is of another match: {} differ", names.join(", "))
}
