//! The output of an engine: lines with the times at which they came, read on a thread of its own, the last line of its error
//! output, and the transcript.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The bytes of a line that are kept. The managers of the field cut there or earlier.
const LINE_LIMIT: usize = 4096;

/// Unread batches of lines after which the engine has to wait. A batch is what one read of 8 KiB holds, so an engine that
/// floods takes 20 MiB at most: 4,096 lines of one character a batch.
pub(super) const BATCHES_WAITING: usize = 64;

/// The bytes of a transcript for each process of an engine.
const LOG_LIMIT: usize = 64 << 20;

/// Maximum wait for the last lines of a process that has ended, and for the end of one that closed its output.
pub(super) const LAST_OUTPUT: Duration = Duration::from_millis(500);

/// A line from the engine, and the time at which it was read.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) at: Instant,
    pub(super) text: String,
}

/// A transcript: the lines of both directions with their times, up to [`LOG_LIMIT`].
#[derive(Debug)]
pub(super) struct Log {
    start: Instant,
    /// The file, and the bytes that may still be written.
    file: Mutex<(File, usize)>,
}

impl Log {
    /// Continues the file, or creates it with its folder. The times count from now.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let file = File::options().create(true).append(true).open(path)?;
        Ok(Self { start: Instant::now(), file: Mutex::new((file, LOG_LIMIT)) })
    }

    /// Adds a line: `>` to the engine, `<` from it.
    pub(super) fn note(&self, at: Instant, sign: char, line: &str) {
        let text = format!("{:>10.3} {sign} {line}\n", at.saturating_duration_since(self.start).as_secs_f64() * 1e3);
        let (file, left) = &mut *lock(&self.file);
        // A transcript that cannot be written does not end the match.
        if text.len() <= *left {
            *left -= text.len();
            let _ = file.write_all(text.as_bytes());
        } else if *left > 0 {
            *left = 0;
            let _ = writeln!(file, "the rest is left out: {LOG_LIMIT} bytes are written");
        }
    }
}

/// Locks a value even if a thread panicked while it held the lock. Holders never leave the value half changed.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits until the condition holds, at most for this time.
pub(super) fn wait(limit: Duration, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() && start.elapsed() < limit {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Forwards every line until the output ends or the receiver is gone. Lines that came in one piece form one batch.
/// Therefore a second move is never taken as the answer to the next request.
pub(super) fn read_lines(stdout: impl Read, sender: &SyncSender<Vec<Line>>, log: Option<&Log>) {
    let mut reader = BufReader::new(stdout);
    let mut batch = Vec::new();
    while let Some(text) = read_line(&mut reader) {
        let at = Instant::now();
        if !text.is_empty() {
            if let Some(log) = log {
                log.note(at, '<', &text);
            }
            batch.push(Line { at, text });
        }
        let more = reader.buffer().contains(&b'\n');
        if !more && !batch.is_empty() && sender.send(std::mem::take(&mut batch)).is_err() {
            return;
        }
    }
    // The receiver may be gone.
    let _ = sender.send(batch);
}

/// A line without its end, LF or CR LF, and without blanks at either side; `None` at the end of the output. Invalid UTF-8 is
/// replaced, and bytes past the limit are dropped.
fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(LINE_LIMIT as u64).read_until(b'\n', &mut bytes).ok()?;
    if read == LINE_LIMIT && !bytes.ends_with(b"\n") {
        reader.skip_until(b'\n').ok()?;
    }
    (read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// The last line of an error output. A thread reads the output to its end, so that it never blocks the engine.
#[derive(Debug)]
pub(super) struct LastLine {
    line: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl LastLine {
    /// Starts the thread.
    ///
    /// # Errors
    /// When the system refuses it.
    pub(super) fn of(stderr: impl Read + Send + 'static) -> io::Result<Self> {
        let line = Arc::new(Mutex::new(String::new()));
        let last = Arc::clone(&line);
        let reader = thread::Builder::new().name("engine errors".to_owned()).spawn(move || {
            let mut reader = BufReader::new(stderr);
            while let Some(text) = read_line(&mut reader) {
                if !text.is_empty() {
                    *lock(&last) = text;
                }
            }
        })?;
        Ok(Self { line, reader })
    }

    /// The last line of an engine that has ended. Waits a moment for the end of the output.
    pub(super) fn get(&self) -> String {
        wait(LAST_OUTPUT, || self.reader.is_finished());
        lock(&self.line).clone()
    }
}
