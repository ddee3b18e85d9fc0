//! The lock on a record: one arena at a time writes to it.

use std::fs::{File, OpenOptions};
use std::io;

/// Who else writes to a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Holder {
    /// The process of this number.
    Process(u32),
    /// The system does not say; perhaps a process on another machine.
    Unknown,
}

/// Opens a file that this process alone may write to while it is open.
///
/// Unix: an exclusive `flock`, also on NFS where its server has locks. A file system without locks (Lustre may be
/// mounted so) gives the file unlocked. Windows: the file is not shared for writing.
///
/// # Errors
/// `Ok(Err(…))` when somebody holds the file; else what the system says.
pub(super) fn open(options: &mut OpenOptions, path: &std::path::Path) -> io::Result<Result<File, Holder>> {
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        /// `FILE_SHARE_READ`: others may read.
        const SHARE_READ: u32 = 1;
        /// `ERROR_SHARING_VIOLATION`.
        const IN_USE: i32 = 32;
        match options.share_mode(SHARE_READ).open(path) {
            Err(error) if error.raw_os_error() == Some(IN_USE) => Ok(Err(Holder::Unknown)),
            opened => opened.map(Ok),
        }
    }
    #[cfg(not(windows))]
    {
        let file = options.open(path)?;
        #[cfg(unix)]
        {
            use rustix::fs::{FlockOperation, flock};
            use rustix::io::Errno;
            if let Err(Errno::WOULDBLOCK) = flock(&file, FlockOperation::NonBlockingLockExclusive) {
                return Ok(Err(holder(&file)));
            }
        }
        Ok(Ok(file))
    }
}

/// The process that holds a file, as Linux lists it: `1: FLOCK  ADVISORY  WRITE 4711 08:02:1234 0 EOF`.
#[cfg(unix)]
fn holder(file: &File) -> Holder {
    use std::os::unix::fs::MetadataExt;
    let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
    let inode = file.metadata().map_or(0, |data| data.ino());
    find_holder(&locks, inode).map_or(Holder::Unknown, Holder::Process)
}

/// The holder of the first lock on this inode. The device is left out: some file systems report another one there.
#[cfg(unix)]
fn find_holder(locks: &str, inode: u64) -> Option<u32> {
    locks.lines().find_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        let [_, "FLOCK", _, "WRITE", process, place, ..] = words[..] else { return None };
        let is_same = place.rsplit(':').next()?.parse() == Ok(inode);
        process.parse().ok().filter(|_| is_same)
    })
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
