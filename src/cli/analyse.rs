//! `analyse`: queries on stdin, or the games of files.

use std::fmt::Display;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use super::args::Analyse;
use super::{output, tasks};
use crate::analyse::{Analyst, GamesError, Query, Turns, queries_of};
use crate::files::{Kind, OutputFile};
use crate::library::source::files_in;
use crate::picker::Limits;
use crate::protocol::Settings;

/// The kind of file that `--out` may replace. The fields of an answer are sorted, and an answer with a move begins with
/// its candidates.
const ANSWERS: Kind = Kind { name: "file of answers", start: b"{\"candidates\":" };

/// Answers the queries of stdin, or queries about all positions of the games of files.
pub(super) fn analyse(task: &Analyse, settings: &Settings) -> anyhow::Result<()> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = settings.threads.clamp(1, cores);
    let workers = task.positions.map_or(cores / threads, usize::from).max(1);
    let (own, workers) = settings.shared_limits(workers);
    let is_limited = settings.picker.has_work_limit(task.nodes, task.depth) || task.time.is_some();
    let limits = if is_limited { Limits { nodes: task.nodes, depth: task.depth, ..own } } else { own };
    let analyst = Analyst {
        picker: settings.picker,
        weighting: settings.weighting,
        limits,
        time: task.time.map(Duration::from_millis),
        workers: NonZeroUsize::new(workers).unwrap_or(NonZeroUsize::MIN),
    };
    if task.files.is_empty() {
        return match analyst.run(io::stdin(), &mut io::stdout().lock(), output::is_unread) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => Ok(done?),
        };
    }
    let like = Query::new(String::new(), task.rule, task.size, Vec::new());
    let like = Query { turns: Turns::All, lines: task.lines.into(), ..like };
    let (queries, left_out) = read_queries(&task.files, &like, settings)?;
    let output = task.out.as_deref().map(|path| OutputFile::create(path, &ANSWERS)).transpose()?;
    write_answers(&analyst, queries, output)?;
    ensure!(left_out == 0, "files that were left out: {left_out}");
    Ok(())
}

/// The queries for all games of these files, and the number of files in folders and archives that are left out and named
/// on stderr because their games cannot be analysed. Other files there without games are skipped.
fn read_queries(paths: &[PathBuf], like: &Query, settings: &Settings) -> anyhow::Result<(Vec<Query>, usize)> {
    let mut queries = Vec::new();
    let mut left_out = 0;
    let mut leave_out = |error: &dyn Display| {
        left_out += 1;
        let _ = writeln!(io::stderr(), "{error}");
    };
    for path in paths {
        for file in files_in(path)? {
            let file = match file {
                Err(error) if error.name() != path.display().to_string() => {
                    leave_out(&error);
                    continue;
                }
                file => file?,
            };
            let read = match queries_of(&file, like) {
                Err(GamesError::NotGames) if file.is_member => continue,
                read => read.map_err(anyhow::Error::from),
            };
            let usable = read.and_then(|queries| {
                queries.iter().try_for_each(|query| tasks::check_networks(settings, query.rule)).map(|()| queries)
            });
            match usable {
                Err(error) if file.is_member => leave_out(&format_args!("{}: {error}", file.name)),
                read => queries.extend(read.with_context(|| file.name.clone())?),
            }
        }
    }
    ensure!(!queries.is_empty(), "the files hold no games");
    Ok((queries, left_out))
}

/// Writes the answers to a file or stdout, with a bar if stderr is a terminal.
fn write_answers(analyst: &Analyst, queries: Vec<Query>, mut output: Option<OutputFile>) -> anyhow::Result<()> {
    let bar = ProgressBar::new(0);
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos} of {len} positions, {eta} left") {
        bar.set_style(style);
    }
    let mut stdout = io::stdout().lock();
    let written = analyst.answer_all(queries, &mut |answer, done, all| {
        let line = format!("{answer}\n");
        match &mut output {
            Some(file) => file.write_all(line.as_bytes())?,
            None => stdout.write_all(line.as_bytes())?,
        }
        bar.set_length(all as u64);
        bar.set_position(done as u64);
        Ok(())
    });
    bar.finish_and_clear();
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe && output.is_none() => return Ok(()),
        written => written?,
    }
    stdout.flush()?;
    output.map_or(Ok(()), |file| Ok(file.finish()?))
}
