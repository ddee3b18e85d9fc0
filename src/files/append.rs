//! [`WholeLines`]: a file that holds whole lines only, even after a failed write.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use super::{open_locked, read_from};

/// The storage of lines: a file, or a test's storage that fails as a file can.
pub trait Storage: Write {
    /// Truncates the storage to this number of bytes. The next write goes there.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

/// A file opened for appending.
impl Storage for File {
    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// Adds lines to a file. A failed write may leave a part of its line. The part is cut off at once, or before the next write
/// if that fails too.
#[derive(Debug)]
pub struct WholeLines<S> {
    storage: S,
    /// The size of the whole lines in bytes.
    length: u64,
    is_torn: bool,
}

impl<S: Storage> WholeLines<S> {
    /// Continues after the whole lines, which take this number of bytes. The rest is cut off before the next line.
    fn before_rest(storage: S, length: u64) -> Self {
        Self { storage, length, is_torn: true }
    }

    /// Continues after the whole lines, which take this number of bytes, and cuts off the rest.
    ///
    /// # Errors
    /// When the storage cannot be cut.
    pub fn after(storage: S, length: u64) -> io::Result<Self> {
        let mut lines = Self::before_rest(storage, length);
        lines.mend()?;
        Ok(lines)
    }

    /// Adds a line, given without its end.
    ///
    /// # Errors
    /// When the line cannot be written.
    pub fn add(&mut self, line: &str) -> io::Result<()> {
        self.mend()?;
        let bytes = [line.as_bytes(), b"\n"].concat();
        match self.storage.write_all(&bytes) {
            Ok(()) => {
                self.length += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                self.is_torn = true;
                // The next write tries again. Without one, the reader of the file skips the part.
                let _ = self.mend();
                Err(error)
            }
        }
    }

    /// Cuts off the part of a line that a failed write or a killed process has left.
    ///
    /// # Errors
    /// When the storage cannot be cut.
    pub fn mend(&mut self) -> io::Result<()> {
        if self.is_torn {
            self.storage.cut(self.length)?;
            self.is_torn = false;
        }
        Ok(())
    }
}

/// Opens a file of lines to which this process alone may append, or begins it. Returns its whole lines. The part of a line
/// that a killed process has left stays until [`mend`](WholeLines::mend) or the next line: the caller refuses a file of
/// another kind, which is then not changed. A file without a whole line must begin with `start`.
///
/// # Errors
/// When the file cannot be read or written, is larger than `most_bytes` or of another kind, or another process writes to it.
pub fn continue_lines(path: &Path, most_bytes: u64, start: &[u8]) -> io::Result<(Vec<u8>, WholeLines<File>)> {
    let file = open_locked(File::options().read(true).append(true).create(true), path)?;
    let mut bytes = read_from(&file, most_bytes)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    if whole == 0 && !bytes.starts_with(start) && !start.starts_with(&bytes) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is of another kind"));
    }
    bytes.truncate(whole);
    let lines = WholeLines::before_rest(file, whole as u64);
    Ok((bytes, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with room for some bytes, which may refuse to cut too.
    #[derive(Default)]
    struct Disk {
        bytes: Vec<u8>,
        room: usize,
        is_stuck: bool,
    }

    impl Write for &mut Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let written = bytes.len().min(self.room);
            if written == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.room -= written;
            self.bytes.extend(&bytes[..written]);
            Ok(written)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Storage for &mut Disk {
        fn cut(&mut self, length: u64) -> io::Result<()> {
            if self.is_stuck {
                return Err(io::ErrorKind::Other.into());
            }
            self.bytes.truncate(length as usize);
            Ok(())
        }
    }

    const LINES: [&str; 3] = ["{\"first\":\"ñ\"}", "{\"→\":2}", "{\"end\":\"五\"}"];

    #[test]
    fn a_write_that_fails_anywhere_leaves_whole_lines_and_the_next_one_follows_them() {
        let whole = LINES.map(|line| line.to_owned() + "\n");
        for room in 0..whole.concat().len() {
            for is_stuck in [false, true] {
                let mut disk = Disk { room, is_stuck: false, ..Disk::default() };
                let mut lines = WholeLines::after(&mut disk, 0).unwrap();
                lines.storage.is_stuck = is_stuck;
                let added = LINES.iter().take_while(|line| lines.add(line).is_ok()).count();
                assert!(added < LINES.len());
                let kept = whole[..added].concat();
                if is_stuck {
                    // A kill would now leave whole lines and a part of one.
                    assert!(lines.storage.bytes.starts_with(kept.as_bytes()));
                    assert!(lines.add("more").is_err() && lines.storage.bytes.len() == room);
                } else {
                    assert_eq!(lines.storage.bytes, kept.as_bytes());
                }
                // Space comes back.
                (lines.storage.room, lines.storage.is_stuck) = (1000, false);
                LINES[added..].iter().for_each(|line| lines.add(line).unwrap());
                assert_eq!(disk.bytes, whole.concat().as_bytes(), "{room}");
            }
        }
    }

    #[test]
    fn a_file_of_another_kind_is_not_changed() {
        let path = std::env::temp_dir().join(format!("tengen-lines-{}", std::process::id()));
        let start = b"{\"first\"";
        let opened = |content: &[u8]| {
            std::fs::write(&path, content).unwrap();
            let opened = continue_lines(&path, 1 << 10, start);
            assert_eq!(std::fs::read(&path).unwrap(), content);
            opened
        };
        assert!(opened(b"h8 i9").is_err() && opened(b"{\"other\"").is_err());
        // The caller refuses the first line. A part of an own line is written over.
        let whole = |content: &[u8]| opened(content).unwrap().0;
        assert_eq!((whole(b"h8\ni9"), whole(b""), whole(b"{\"fi")), (b"h8\n".to_vec(), Vec::new(), Vec::new()));
        let (bytes, mut lines) = opened(b"{\"first\":1}\n{\"sec").unwrap();
        lines.add("{\"second\":2}").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), [&bytes[..], b"{\"second\":2}\n"].concat());
        std::fs::remove_file(&path).unwrap();
    }
}
