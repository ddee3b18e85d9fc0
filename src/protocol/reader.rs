//! [`LineSplitter`] and the reader thread: bytes in, lines out.

use std::io::{self, Read};
use std::thread;
use std::time::Instant;

/// Maximum number of bytes kept of a line. The rest of the line is dropped. A command needs only its first words, a line
/// of a comment is a paragraph, and an endless line must not fill the memory.
pub(super) const LINE_CAP: usize = 16 << 10;

/// Maximum number of bytes per read.
const CHUNK: usize = 16 * 1024;

/// UTF-8's byte order mark, which Windows shells put before the first line.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// An event from the reader thread.
pub(crate) enum Input {
    /// A line, and the time at which it was read.
    Line { text: String, at: Instant },
    /// The input has ended.
    Ended,
}

/// Splits bytes into lines. A line ends with `\n`, `\r\n` or a lone `\r`. Managers mix all three.
#[derive(Debug, Default)]
pub(super) struct LineSplitter {
    line: Vec<u8>,
    after_return: bool,
    past_first: bool,
}

impl LineSplitter {
    /// Takes bytes and calls `line` with each completed line. Invalid UTF-8 becomes U+FFFD.
    pub(super) fn feed(&mut self, bytes: &[u8], mut line: impl FnMut(String)) {
        for &byte in bytes {
            let ends_return = std::mem::replace(&mut self.after_return, byte == b'\r');
            match byte {
                b'\n' if ends_return => {}
                b'\n' | b'\r' => line(self.take()),
                _ if self.line.len() < LINE_CAP => self.line.push(byte),
                _ => {}
            }
        }
    }

    /// The last line if the input ended without a line end.
    pub(super) fn finish(mut self) -> Option<String> {
        (!self.line.is_empty()).then(|| self.take())
    }

    fn take(&mut self) -> String {
        let is_first = !std::mem::replace(&mut self.past_first, true);
        let line = match self.line.strip_prefix(BOM) {
            Some(rest) if is_first => rest,
            _ => &self.line,
        };
        let line = String::from_utf8_lossy(line).into_owned();
        self.line.clear();
        line
    }
}

/// Reads on its own thread until the input ends or `pass` returns false. A read error counts as the end of the input.
///
/// The reader does not interpret the lines. The session is busy for more than a few milliseconds only while it reads or
/// writes a file, so it handles END and STOP as early as a flag set here would, and in the order of the commands.
///
/// # Errors
/// If the system refuses the thread.
pub(crate) fn spawn(
    mut input: impl Read + Send + 'static,
    mut pass: impl FnMut(Input) -> bool + Send + 'static,
) -> io::Result<()> {
    let read = move || {
        let mut splitter = LineSplitter::default();
        let mut chunk = vec![0; CHUNK];
        loop {
            let count = match input.read(&mut chunk) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) => break,
            };
            let at = Instant::now();
            let mut is_open = true;
            splitter.feed(chunk.get(..count).unwrap_or_default(), |text| {
                is_open = is_open && pass(Input::Line { text, at });
            });
            if !is_open {
                return;
            }
        }
        if let Some(text) = splitter.finish() {
            pass(Input::Line { text, at: Instant::now() });
        }
        pass(Input::Ended);
    };
    thread::Builder::new().name("reader".into()).spawn(read).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(chunks: &[&[u8]]) -> Vec<String> {
        let mut splitter = LineSplitter::default();
        let mut lines = Vec::new();
        for chunk in chunks {
            splitter.feed(chunk, |line| lines.push(line));
        }
        lines.extend(splitter.finish());
        lines
    }

    #[test]
    fn three_line_ends_mix() {
        assert_eq!(lines(&[b"a\nb\r\nc\rd\r\r\ne"]), ["a", "b", "c", "d", "", "e"]);
        assert_eq!(lines(&[b"a\r", b"\nb"]), ["a", "b"], "an end cut in two by a read");
    }

    #[test]
    fn a_mark_before_the_first_line_is_no_part_of_it() {
        assert_eq!(lines(&[b"\xEF\xBB\xBFSTART 15\n\xEF\xBB\xBFx\n"]), ["START 15", "\u{FEFF}x"]);
    }

    #[test]
    fn an_endless_line_is_cut() {
        let long = vec![b'A'; 100_000];
        let lines = lines(&[&long, b"\nBEGIN\n"]);
        assert_eq!(lines.iter().map(String::len).collect::<Vec<_>>(), [LINE_CAP, 5]);
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        assert_eq!(lines(&[b"INFO folder \xE8\xF8\0\xFF\n"]), ["INFO folder \u{FFFD}\u{FFFD}\0\u{FFFD}"]);
    }
}
