//! `analyse`: queries on stdin, or the games of files.

use std::fs;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, ensure};
use indicatif::{ProgressBar, ProgressStyle};

use super::args::Analyse;
use super::tasks;
use crate::analyse::{Analyst, Query, Turns, queries_of};
use crate::arena::journal;
use crate::files::{self, Kind, OutputFile};
use crate::picker::{Limits, SearchControl};
use crate::protocol::Settings;

/// The kind of file that `--out` may replace.
const ANSWERS: Kind = Kind { name: "file of answers", start: b"{" };

/// Answers the queries of stdin, or queries about all positions of the games of files.
pub(super) fn analyse(task: &Analyse, settings: Settings) -> anyhow::Result<()> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let threads = settings.threads.clamp(1, cores);
    let workers = task.positions.map_or(cores / threads, usize::from).max(1);
    // Each search has its share of the memory of the process.
    let settings = Settings { memory: settings.memory / workers as u64, threads, ..settings };
    let own = settings.limits(SearchControl::default());
    let is_limited = task.nodes.is_some() || task.depth.is_some() || task.time.is_some();
    let limits = if is_limited { Limits { nodes: task.nodes, depth: task.depth, ..own } } else { own };
    let analyst = Analyst {
        picker: settings.picker,
        weighting: settings.weighting,
        limits,
        time: task.time.map(Duration::from_millis),
        workers: NonZeroUsize::new(workers).unwrap_or(NonZeroUsize::MIN),
    };
    if task.files.is_empty() {
        return match analyst.run(io::stdin(), &mut io::stdout().lock()) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            done => Ok(done?),
        };
    }
    let mut queries = Vec::new();
    let like = Query {
        turns: Turns::All,
        lines: task.lines.into(),
        ..Query::new(String::new(), task.rule, task.size, Vec::new())
    };
    for path in all_files(&task.files)? {
        let name = path.display().to_string();
        let bytes = files::read(&path, journal::MOST_BYTES).with_context(|| name.clone())?;
        queries.extend(queries_of(&name, &bytes, &like).with_context(|| name.clone())?);
    }
    for query in &queries {
        tasks::check_networks(&settings, query.rule)?;
    }
    let output = task.out.as_deref().map(|path| OutputFile::create(path, &ANSWERS)).transpose()?;
    write_answers(&analyst, queries, output)
}

/// The files, and those of the folders in the order of their names.
fn all_files(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in paths {
        if path.is_dir() {
            let entries = fs::read_dir(path).and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect());
            let mut inner: Vec<PathBuf> = entries.with_context(|| path.display().to_string())?;
            inner.retain(|path: &PathBuf| path.is_file() && !is_hidden(path));
            inner.sort();
            ensure!(!inner.is_empty(), "{}: the folder holds no files", path.display());
            all.extend(inner);
        } else {
            all.push(path.clone());
        }
    }
    Ok(all)
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
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
