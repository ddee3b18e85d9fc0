//! Locks on files that are written: [`open_locked`] for a file that grows, [`LockFile`] for one that is replaced.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::input::open_regular;

/// Error returned when another process holds the lock on a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Holder {
    /// The process with this id.
    #[error("process {0} writes to it")]
    Process(u32),
    /// The system does not name the process. It may run on another machine.
    #[error("another process writes to it, perhaps on another machine")]
    Unknown,
}

impl From<Holder> for io::Error {
    fn from(holder: Holder) -> Self {
        Self::new(io::ErrorKind::ResourceBusy, holder)
    }
}

/// Opens a regular file that only this process may write to while it is open.
///
/// Unix: an exclusive `flock`, which also works on NFS if its server has locks. A file system without locks (as Lustre
/// may be mounted) returns the file unlocked. Windows: the file is not shared for writing.
///
/// # Errors
/// A [`Holder`] of kind `ResourceBusy` when another process holds the file; else an [`InputError`](super::InputError), or
/// the system's error.
pub fn open_locked(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        /// `FILE_SHARE_READ`: others may read.
        const SHARE_READ: u32 = 1;
        /// `ERROR_SHARING_VIOLATION`.
        const IN_USE: i32 = 32;
        match open_regular(options.share_mode(SHARE_READ), path) {
            Err(error) if error.raw_os_error() == Some(IN_USE) => Err(Holder::Unknown.into()),
            opened => opened.map(|(file, _)| file),
        }
    }
    #[cfg(not(windows))]
    {
        let (file, _) = open_regular(options, path)?;
        #[cfg(unix)]
        {
            use rustix::fs::{FlockOperation, flock};
            use rustix::io::Errno;
            if let Err(Errno::WOULDBLOCK) = flock(&file, FlockOperation::NonBlockingLockExclusive) {
                return Err(holder(&file).into());
            }
        }
        Ok(file)
    }
}

/// The process that holds a file, from Linux's list of locks: `1: FLOCK  ADVISORY  WRITE 4711 08:02:1234 0 EOF`.
#[cfg(unix)]
fn holder(file: &File) -> Holder {
    use std::os::unix::fs::MetadataExt;
    let locks = fs::read_to_string("/proc/locks").unwrap_or_default();
    let inode = file.metadata().map_or(0, |data| data.ino());
    find_holder(&locks, inode).map_or(Holder::Unknown, Holder::Process)
}

/// The holder of the first lock on this inode. The device is not compared, because some file systems list another one.
#[cfg(unix)]
fn find_holder(locks: &str, inode: u64) -> Option<u32> {
    locks.lines().find_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        let [_, "FLOCK", _, "WRITE", process, place, ..] = words[..] else { return None };
        let is_same = place.rsplit(':').next()?.parse() == Ok(inode);
        process.parse().ok().filter(|_| is_same)
    })
}

/// `NAME.lock`: an empty file that a process locks while it writes `NAME`, which it may replace meanwhile. It is
/// removed at the end. If a killed process leaves one behind, the file is not locked.
#[derive(Debug)]
pub(super) struct LockFile {
    path: PathBuf,
    /// `None` once the file is closed.
    file: Option<File>,
}

impl LockFile {
    /// Takes the lock on a name.
    ///
    /// # Errors
    /// When another process holds the lock, or the file cannot be created.
    pub(super) fn take(name: &Path) -> io::Result<Self> {
        let path = beside(name, ".lock");
        loop {
            let mut options = OpenOptions::new();
            let file = open_locked(options.write(true).create(true).truncate(false), &path)?;
            // The last holder may have removed the file between the opening and the lock.
            if is_at(&file, &path) {
                return Ok(Self { path, file: Some(file) });
            }
        }
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        // Windows cannot remove an open file. Other systems must remove it before the lock is released.
        if cfg!(windows) {
            self.file = None;
        }
        let _ = fs::remove_file(&self.path);
    }
}

/// Whether a path leads to an open file.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let place = |data: fs::Metadata| (data.dev(), data.ino());
        let places = (file.metadata().map(place), fs::metadata(path).map(place));
        matches!(places, (Ok(open), Ok(there)) if open == there)
    }
    // On Windows a file that is open in this way cannot be removed.
    #[cfg(not(unix))]
    {
        let _ = (file, path);
        true
    }
}

/// The path of a file beside another one: its name with a second ending, such as `a.net.checkpoint`.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_read_from_the_list_of_locks() {
        let locks = "1: POSIX  ADVISORY  WRITE 11 08:02:77 0 EOF\n2: FLOCK  ADVISORY  WRITE 4711 08:02:1234 0 EOF\n\
                     2: -> FLOCK  ADVISORY  WRITE 12 08:02:1234 0 EOF\n";
        assert_eq!(find_holder(locks, 1234), Some(4711));
        assert_eq!(find_holder(locks, 77), None);
    }
}
