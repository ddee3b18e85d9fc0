//! [`Lines`]: a file to which whole lines are added, and nothing else, whatever a write does.

use std::fs::File;
use std::io::{self, Write};

/// Where lines are kept: a file, or a test's that fails as a file can.
pub(super) trait Storage: Write {
    /// Cuts the file off after this number of bytes; the next write goes there.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

/// A file that is open for appending.
impl Storage for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// Adds lines to a file. A write that fails may leave a part of its line; that is cut off at once or, where this fails
/// too, before anything else is written.
#[derive(Debug)]
pub(super) struct Lines<S> {
    storage: S,
    /// The bytes of the whole lines.
    length: u64,
    is_torn: bool,
}

impl<S: Storage> Lines<S> {
    /// Goes on after the whole lines, which take this number of bytes; what follows them is cut off.
    pub(super) fn after(storage: S, length: u64) -> io::Result<Self> {
        let mut lines = Self { storage, length, is_torn: true };
        lines.mend()?;
        Ok(lines)
    }

    /// Adds a line, given without its end.
    pub(super) fn add(&mut self, line: &str) -> io::Result<()> {
        self.mend()?;
        let bytes = [line.as_bytes(), b"\n"].concat();
        match self.storage.write_all(&bytes) {
            Ok(()) => {
                self.length += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                self.is_torn = true;
                // The next line tries it again; without one the reader of the file leaves the part out.
                let _ = self.mend();
                Err(error)
            }
        }
    }

    fn mend(&mut self) -> io::Result<()> {
        if self.is_torn {
            self.storage.cut(self.length)?;
            self.is_torn = false;
        }
        Ok(())
    }
}
