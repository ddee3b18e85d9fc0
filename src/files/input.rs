//! [`open()`]: a regular file within a bound.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use thiserror::Error;

use super::MEBIBYTE;

/// Error returned when a file is refused although the system allows it to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InputError {
    /// The path is a folder, a pipe or a device.
    #[error("not a regular file")]
    Irregular,
    /// The file is larger than this number of bytes.
    #[error("it is larger than {}", unit(*.0))]
    TooLarge(u64),
}

/// A number of bytes in MiB if it is a multiple of one, else in KiB.
fn unit(bytes: u64) -> String {
    if bytes % MEBIBYTE == 0 { format!("{} MiB", bytes / MEBIBYTE) } else { format!("{} KiB", bytes.div_ceil(1 << 10)) }
}

impl From<InputError> for io::Error {
    fn from(error: InputError) -> Self {
        let kind = match error {
            InputError::Irregular => ErrorKind::InvalidInput,
            InputError::TooLarge(_) => ErrorKind::FileTooLarge,
        };
        Self::new(kind, error)
    }
}

/// Opens a regular file of at most `limit` bytes for reading.
///
/// Never opens a pipe or a device. Even if one replaces the file between the check and the opening, the opening does
/// not block on Unix.
///
/// # Errors
/// An [`InputError`], or the system's error.
pub fn open(path: &Path, limit: u64) -> io::Result<File> {
    let (file, length) = open_regular(OpenOptions::new().read(true), path)?;
    if length > limit { Err(InputError::TooLarge(limit).into()) } else { Ok(file) }
}

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
/// Those of [`open()`], and when the file has grown beyond the limit.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    read_from(open(path, limit)?, limit)
}

/// Reads a regular file of at most `limit` bytes as text. Invalid UTF-8 becomes U+FFFD, because names of players may be
/// in any encoding.
///
/// # Errors
/// Those of [`read`].
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    read(path, limit).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads at most `limit` bytes to the end of an input, such as stdin.
///
/// # Errors
/// [`InputError::TooLarge`] if there are more, or the system's error.
pub(crate) fn read_from(input: impl Read, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(InputError::TooLarge(limit).into()) } else { Ok(bytes) }
}

/// Opens a regular file without blocking. Also returns its length.
pub(super) fn open_regular(options: &mut OpenOptions, path: &Path) -> io::Result<(File, u64)> {
    let regular = |metadata: Metadata| if metadata.is_file() { Ok(metadata) } else { Err(InputError::Irregular) };
    // Merely opening some devices changes them. A missing file may be created by the options.
    match path.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        metadata => _ = regular(metadata?)?,
    }
    let file = without_waiting(options).open(path)?;
    let length = regular(file.metadata()?)?.len();
    Ok((file, length))
}

/// Options with which opening a pipe does not block. The flag has no effect on a regular file.
pub(super) fn without_waiting(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32);
    }
    options
}

/// Takes bytes from the front of a slice; `None` without a change if it is shorter.
pub(crate) fn take_first<const COUNT: usize>(bytes: &mut &[u8]) -> Option<[u8; COUNT]> {
    let (&first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_named_in_its_unit() {
        assert_eq!(InputError::TooLarge(64 << 20).to_string(), "it is larger than 64 MiB");
        assert_eq!(InputError::TooLarge(64 << 10).to_string(), "it is larger than 64 KiB");
    }

    #[test]
    fn an_input_is_read_up_to_its_bound_and_no_further() {
        assert_eq!(read_from(&b"1234"[..], 4).unwrap(), b"1234");
        assert_eq!(read_from(&b"12345"[..], 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_from(io::repeat(0), 1 << 20).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }
}
