//! What an engine writes: lines with the times at which they came, read on a thread of its own, and the transcript.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc::SyncSender;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Bytes of a line that are kept; the managers of the field cut there or earlier.
const LINE_LIMIT: usize = 4096;

/// Unread batches of lines after which the engine's output is held up. A batch is what one read of 8 KiB holds, so an
/// engine that floods takes 20 MiB at most: 4,096 lines of one character a batch.
pub(super) const BATCHES_WAITING: usize = 64;

/// Bytes of a transcript for each process of an engine.
const TRANSCRIPT_LIMIT: usize = 64 << 20;

/// A line from the engine, and the time at which it was read.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) at: Instant,
    pub(super) text: String,
}

/// A file of the lines of both directions with their times, up to [`TRANSCRIPT_LIMIT`].
#[derive(Debug)]
pub(super) struct Transcript {
    start: Instant,
    /// The file, and the bytes that may still be written.
    file: Mutex<(File, usize)>,
}

impl Transcript {
    /// A transcript whose times count from now.
    pub(super) fn new(file: File) -> Self {
        Self { start: Instant::now(), file: Mutex::new((file, TRANSCRIPT_LIMIT)) }
    }

    /// Adds a line: `>` to the engine, `<` from it.
    pub(super) fn note(&self, at: Instant, sign: char, line: &str) {
        let text = format!("{:>10.3} {sign} {line}\n", at.saturating_duration_since(self.start).as_secs_f64() * 1e3);
        let mut guard = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, left) = &mut *guard;
        // A transcript that cannot be written does not end the match.
        if text.len() <= *left {
            *left -= text.len();
            let _ = file.write_all(text.as_bytes());
        } else if *left > 0 {
            *left = 0;
            let _ = writeln!(file, "the rest is left out: {TRANSCRIPT_LIMIT} bytes are written");
        }
    }
}

/// Sends every line on until the output ends or the receiver is gone. Lines that came in one piece go in one batch, so
/// that a second move cannot pass for the answer to the next request.
pub(super) fn read_lines(stdout: impl Read, sender: &SyncSender<Vec<Line>>, transcript: Option<&Transcript>) {
    let mut reader = BufReader::new(stdout);
    let mut batch = Vec::new();
    while let Some(text) = read_line(&mut reader) {
        let at = Instant::now();
        if !text.is_empty() {
            if let Some(transcript) = transcript {
                transcript.note(at, '<', &text);
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

/// A line without its end, LF or CR LF, and without blanks at either side; `None` when there is no more. Bytes that
/// are no UTF-8 are replaced, and what is past the limit is dropped.
fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    let read = reader.by_ref().take(LINE_LIMIT as u64).read_until(b'\n', &mut bytes).ok()?;
    if read == LINE_LIMIT && !bytes.ends_with(b"\n") {
        reader.skip_until(b'\n').ok()?;
    }
    (read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned())
}

/// Reads the error output to its end, so that it never blocks the engine, and keeps its last line.
pub(super) fn keep_last_line(stderr: impl Read, last: &Mutex<String>) {
    let mut reader = BufReader::new(stderr);
    while let Some(text) = read_line(&mut reader) {
        if !text.is_empty() {
            *last.lock().unwrap_or_else(PoisonError::into_inner) = text;
        }
    }
}
