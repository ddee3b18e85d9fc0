//! The log of a run: JSON lines, the first for the run, then one for each measurement.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::yardstick::{LogLine, Work};
use crate::files::{Kind, MOST_BYTES, OutputFile, WholeLines, continue_lines, read_text};
use crate::tune::plot::{EloPoint, RunCurve};
use crate::tune::run::{RunError, cannot_read, if_exists};

/// The kind of a log.
const LINES: Kind = Kind { name: "log of a learner", start: b"{\"run\":" };

/// The log of a run.
pub(in crate::tune) struct Log {
    path: PathBuf,
    file: WholeLines<File>,
    pub(in crate::tune) lines: Vec<LogLine>,
}

impl Log {
    /// Opens the log of a run with this first line and number of updates, or begins it. Later measurements are removed,
    /// because the run repeats them.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is not a log.
    pub(in crate::tune) fn open(path: PathBuf, first: LogLine, updates: Option<u64>) -> Result<Self, RunError> {
        let text = if_exists(read_text(&path, MOST_BYTES)).map_err(cannot_read(&path))?.unwrap_or_default();
        let mut lines = vec![first];
        if let Some(updates) = updates {
            let is_done = |line: &LogLine| matches!(line, LogLine::Measured { work, .. } if work.updates <= updates);
            lines.extend(read(&text).into_iter().filter(is_done));
        }
        let cannot_write = |error| RunError::Write(path.clone(), error);
        let json: Vec<_> = lines.iter().map(json).collect::<Result<_, _>>().map_err(cannot_write)?;
        OutputFile::create(&path, &LINES)?.write_whole((json.join("\n") + "\n").as_bytes())?;
        let (_, file) = continue_lines(&path, MOST_BYTES, LINES.start).map_err(cannot_write)?;
        Ok(Self { path, file, lines })
    }

    /// Whether the last measurement is that of this work.
    pub(super) fn holds(&self, work: &Work) -> bool {
        matches!(self.lines.last(), Some(LogLine::Measured { work: last, .. }) if last.updates == work.updates)
    }

    /// Appends a measurement.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(in crate::tune) fn add(&mut self, line: LogLine) -> Result<(), RunError> {
        let added = json(&line).and_then(|json| self.file.add(&json));
        added.map_err(|error| RunError::Write(self.path.clone(), error))?;
        self.lines.push(line);
        Ok(())
    }
}

fn json(line: &LogLine) -> io::Result<String> {
    Ok(serde_json::to_string(line)?)
}

/// The lines of a log up to the first damaged one.
fn read(text: &str) -> Vec<LogLine> {
    text.lines().map_while(|line| serde_json::from_str(line).ok()).collect()
}

/// The curves of all logs in a folder and in its folders, in the order of their paths. Other files are ignored.
///
/// # Errors
/// When the folder cannot be read.
pub(super) fn curves_of(folder: &Path) -> Result<Vec<RunCurve>, RunError> {
    let mut paths = files_in(folder)?;
    let folders: Vec<_> = paths.iter().filter(|path| path.is_dir()).cloned().collect();
    for folder in folders {
        paths.extend(files_in(&folder)?);
    }
    paths.sort();
    let is_log = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "jsonl");
    let texts = paths.into_iter().filter(is_log).filter_map(|path| read_text(&path, MOST_BYTES).ok());
    Ok(texts.filter_map(|text| curve(&read(&text))).collect())
}

fn files_in(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let entries = fs::read_dir(folder).map_err(cannot_read(folder))?;
    Ok(entries.filter_map(|entry| Some(entry.ok()?.path())).collect())
}

/// The curve of a log; `None` for lines of another kind.
fn curve(lines: &[LogLine]) -> Option<RunCurve> {
    let (LogLine::Run { method, seed, rule, size, .. }, rest) = lines.split_first()? else { return None };
    let point = |line: &LogLine| match line {
        LogLine::Run { .. } => None,
        LogLine::Measured { work, result, .. } => {
            Some(EloPoint { games: work.games, cpu_minutes: work.cpu_seconds / 60.0, elo: result.elo })
        }
    };
    let name = format!("{method}, seed {seed}, {rule} {size} × {size}");
    Some(RunCurve { name, points: rest.iter().filter_map(point).collect() })
}
