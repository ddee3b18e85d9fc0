//! [`files_in`]: the files of a path, which may be a folder or a zip archive. [`files_of`]: of bytes in memory.

use std::collections::{HashSet, VecDeque};
use std::fs;
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use thiserror::Error;
use zip::ZipArchive;
use zip::result::ZipError;

use crate::files::{self, InputError, MOST_BYTES};
use crate::fnv::Fnv1a;
use crate::text::Short;

/// The greatest size of a file that is not in an archive, in bytes: databases of positions are the largest.
pub const MOST_FILE_BYTES: u64 = 1 << 30;

/// The greatest size of an archive, in bytes. Only its list of files is in memory.
const MOST_ARCHIVE_BYTES: u64 = 1 << 32;

/// The greatest size of all files of an archive, unpacked, in bytes. A small archive can hold any number of zeros.
const MOST_UNPACKED_BYTES: u64 = 1 << 32;

/// The first bytes of an archive: of its first file, or of its end if it is empty.
const ARCHIVE_MARKS: [[u8; 4]; 2] = [*b"PK\x03\x04", *b"PK\x05\x06"];

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// The path as given; of a file in a folder or an archive, the rest of its path follows after a slash.
    pub name: String,
    /// The contents.
    pub bytes: Vec<u8>,
    /// Whether the file was found in a folder or an archive, which may hold files of any kind.
    pub is_member: bool,
}

/// Finds files with the same contents.
#[derive(Debug, Default)]
pub struct Copies(HashSet<u64>);

impl Copies {
    /// Whether an earlier file had the contents of this one.
    pub fn is_copy(&mut self, file: &SourceFile) -> bool {
        !self.0.insert(Fnv1a::of(&file.bytes))
    }
}

/// Error returned when a file, a folder or an archive cannot be read.
#[derive(Debug, Error)]
pub enum FilesError {
    /// A file or a folder.
    #[error("{0}: {1}")]
    File(String, io::Error),
    /// An archive or a file in it.
    #[error("{0}: {error}", error = Short(.1))]
    Archive(String, ZipError),
    /// The files of this archive are too large together.
    #[error("{0}: its files are larger than 4 GiB together")]
    Unpacked(String),
}

impl FilesError {
    /// The name of the file, folder or archive that cannot be read, as in [`SourceFile::name`].
    pub fn name(&self) -> &str {
        match self {
            Self::File(name, _) | Self::Archive(name, _) | Self::Unpacked(name) => name,
        }
    }
}

/// Iterates over the files of a source. See [`files_in`] and [`files_of`].
pub struct SourceFiles {
    /// Files that are still closed.
    closed: VecDeque<ClosedFile>,
    archive: Option<OpenArchive>,
}

/// A file that was not looked into.
struct ClosedFile {
    name: String,
    contents: Contents,
    is_member: bool,
}

/// Where the bytes of a file are.
enum Contents {
    Path(PathBuf),
    Memory(Vec<u8>),
}

/// An archive whose files are being read.
struct OpenArchive {
    name: String,
    zip: ZipArchive<Box<dyn Archive>>,
    next: usize,
    /// Bytes that its files may still have.
    left: u64,
}

/// The bytes of an archive.
trait Archive: Read + Seek {}

impl<T: Read + Seek> Archive for T {}

/// The files of a path: the file itself, all files of a folder and of the folders in it, or the files of a zip archive,
/// also of one in a folder. Files of a folder come in the order of their names, those of an archive in its order.
///
/// Links in a folder are not followed, and an archive in an archive is a file like any other. Nothing is written. One file
/// at a time is in memory: 1 GiB at most, or 64 MiB in an archive.
///
/// # Errors
/// When the path does not exist, or a folder cannot be read. An item is an error if its file cannot be read; the files
/// after it follow.
pub fn files_in(path: &Path) -> Result<SourceFiles, FilesError> {
    let name = path.display().to_string();
    let metadata = fs::metadata(path).map_err(|error| FilesError::File(name.clone(), error))?;
    let is_member = metadata.is_dir();
    let paths = if is_member { files_below(name, path)? } else { vec![(name, path.to_owned())] };
    let closed = paths.into_iter().map(|(name, path)| ClosedFile { name, contents: Contents::Path(path), is_member });
    Ok(SourceFiles { closed: closed.collect(), archive: None })
}

/// The files of bytes in memory, as [`files_in`] finds them in a file of this name: one, or those of a zip archive.
pub fn files_of(name: String, bytes: Vec<u8>) -> SourceFiles {
    let file = ClosedFile { name, contents: Contents::Memory(bytes), is_member: false };
    SourceFiles { closed: [file].into(), archive: None }
}

/// The regular files below a folder with their names, in the order of their paths.
fn files_below(name: String, path: &Path) -> Result<Vec<(String, PathBuf)>, FilesError> {
    let mut found = Vec::new();
    let mut folders = vec![(name, path.to_owned())];
    while let Some((name, folder)) = folders.pop() {
        let in_folder = |error| FilesError::File(name.clone(), error);
        for entry in fs::read_dir(&folder).map_err(in_folder)? {
            let entry = entry.map_err(in_folder)?;
            let kind = entry.file_type().map_err(in_folder)?;
            let own = format!("{}/{}", name.trim_end_matches('/'), entry.file_name().to_string_lossy());
            if kind.is_dir() {
                folders.push((own, entry.path()));
            } else if kind.is_file() {
                found.push((own, entry.path()));
            }
        }
    }
    found.sort_by(|(_, a), (_, b)| a.cmp(b));
    Ok(found)
}

impl Iterator for SourceFiles {
    type Item = Result<SourceFile, FilesError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.archive.as_mut().map(OpenArchive::next) {
                Some(Some(Err(error @ FilesError::Unpacked(_)))) => {
                    self.archive = None;
                    return Some(Err(error));
                }
                Some(Some(item)) => return Some(item),
                Some(None) => self.archive = None,
                None => {}
            }
            match open(self.closed.pop_front()?) {
                Ok(Opened::File(file)) => return Some(Ok(file)),
                Ok(Opened::Archive(archive)) => self.archive = Some(archive),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

enum Opened {
    File(SourceFile),
    Archive(OpenArchive),
}

/// Reads a file, or opens it if it is an archive.
fn open(ClosedFile { name, contents, is_member }: ClosedFile) -> Result<Opened, FilesError> {
    let is_archive = |bytes: &[u8]| ARCHIVE_MARKS.iter().any(|mark| bytes.starts_with(mark));
    let read = |path| {
        let mut file = files::open(path, MOST_ARCHIVE_BYTES)?;
        let mut mark = Vec::new();
        file.by_ref().take(4).read_to_end(&mut mark)?;
        file.rewind()?;
        if is_archive(&mark) { Ok(Err(file)) } else { files::read_from(&file, MOST_FILE_BYTES).map(Ok) }
    };
    let archive: Box<dyn Archive> = match contents {
        Contents::Memory(bytes) if is_archive(&bytes) => Box::new(Cursor::new(bytes)),
        Contents::Memory(bytes) => return Ok(Opened::File(SourceFile { name, bytes, is_member })),
        Contents::Path(path) => match read(&path) {
            Ok(Ok(bytes)) => return Ok(Opened::File(SourceFile { name, bytes, is_member })),
            Ok(Err(file)) => Box::new(file),
            Err(error) => return Err(FilesError::File(name, error)),
        },
    };
    match ZipArchive::new(archive) {
        Ok(zip) => Ok(Opened::Archive(OpenArchive { name, zip, next: 0, left: MOST_UNPACKED_BYTES })),
        Err(error) => Err(FilesError::Archive(name, error)),
    }
}

impl OpenArchive {
    /// The next file of the archive. Folders and links are skipped.
    fn next(&mut self) -> Option<Result<SourceFile, FilesError>> {
        while self.next < self.zip.len() {
            let number = self.next;
            self.next += 1;
            let name = format!("{}/{}", self.name, self.zip.name_for_index(number).unwrap_or_default());
            let file = match self.zip.by_index(number) {
                Ok(file) if file.is_file() => file,
                Ok(_) => continue,
                Err(error) => return Some(Err(FilesError::Archive(name, error))),
            };
            // The size that the archive states may be false: the bytes that come out count, also those before an error.
            let mut bytes = Vec::new();
            let most = self.left.min(MOST_BYTES);
            let read = file.take(most + 1).read_to_end(&mut bytes);
            let is_too_large = bytes.len() as u64 > most;
            if is_too_large && most < MOST_BYTES {
                return Some(Err(FilesError::Unpacked(self.name.clone())));
            }
            self.left -= most.min(bytes.len() as u64);
            let read = read.and_then(|_| if is_too_large { Err(InputError::TooLarge(most).into()) } else { Ok(()) });
            if let Err(error) = read {
                return Some(Err(FilesError::File(name, error)));
            }
            return Some(Ok(SourceFile { name, bytes, is_member: true }));
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    /// A folder that is removed with the value.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("tengen-sources-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn write(&self, name: &str, bytes: &[u8]) {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }

        /// The names and contents of a path in the folder; of an error its text.
        fn read(&self, name: &str) -> Vec<(String, String)> {
            let prefix = self.0.to_str().unwrap().to_owned();
            let item = |item: Result<SourceFile, FilesError>| match item {
                Ok(file) => (file.name.replace(&prefix, ""), String::from_utf8_lossy(&file.bytes).into_owned()),
                Err(error) => ("error".to_owned(), error.to_string().replace(&prefix, "")),
            };
            files_in(&self.0.join(name)).unwrap().map(item).collect()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes) in files {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(bytes).unwrap();
        }
        zip.add_directory("folder", SimpleFileOptions::default()).unwrap();
        zip.finish().unwrap().into_inner()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn files_of_a_folder_come_in_order_and_archives_are_opened() {
        let folder = Folder::new("order");
        folder.write("b/two", b"2");
        folder.write("b/one", b"1");
        folder.write("c.txt", b"3");
        let inner = zip_of(&[("x", b"inner")]);
        folder.write("a.zip", &zip_of(&[("z.sgf", b"(;)"), ("../../evil", b"e"), ("in.zip", &inner)]));
        folder.write("empty.zip", &ZipWriter::new(Cursor::new(Vec::new())).finish().unwrap().into_inner());
        #[cfg(unix)]
        std::os::unix::fs::symlink(&folder.0, folder.0.join("b/link")).unwrap();
        let read = folder.read("");
        let names: Vec<_> = read.iter().map(|(name, _)| name.trim_start_matches('/')).collect();
        let in_archive = ["a.zip/z.sgf", "a.zip/../../evil", "a.zip/in.zip"];
        assert_eq!(names, [&in_archive[..], &["b/one", "b/two", "c.txt"]].concat());
        assert_eq!(read[0].1, "(;)");
        assert!(read[2].1.starts_with("PK"));
        assert_eq!(folder.read("c.txt"), pairs(&[("/c.txt", "3")]));
        let in_memory = |name: &str| files_of(name.to_owned(), fs::read(folder.0.join(name)).unwrap());
        for name in ["a.zip", "c.txt"] {
            let of_path: Vec<_> = files_in(&folder.0.join(name)).unwrap().map(Result::unwrap).collect();
            let of_bytes: Vec<_> = in_memory(name).map(Result::unwrap).collect();
            assert!(of_path.iter().zip(&of_bytes).all(|(a, b)| (&a.bytes, a.is_member) == (&b.bytes, b.is_member)));
            assert_eq!(
                of_bytes.iter().map(|file| file.is_member).collect::<Vec<_>>(),
                vec![name == "a.zip"; of_path.len()]
            );
        }
        assert!(in_memory("empty.zip").next().is_none());
        assert!(files_in(&folder.0.join("missing")).is_err());
    }

    #[test]
    fn a_damaged_file_is_an_error_and_the_next_ones_follow() {
        let folder = Folder::new("damaged");
        let mut zip = zip_of(&[("a", b"first file"), ("b", b"second")]);
        let place = zip.windows(5).position(|bytes| bytes == b"first").unwrap_or(35);
        zip[place] ^= 0x55;
        folder.write("a.zip", &zip);
        folder.write("b.zip", b"PK\x03\x04 and no more");
        folder.write("c", b"whole");
        let read = folder.read("");
        let kinds: Vec<_> = read.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(kinds, ["error", "/a.zip/b", "error", "/c"]);
        assert!(read[0].1.starts_with("/a.zip/a: ") && read[2].1.starts_with("/b.zip: "), "{read:?}");
    }

    #[test]
    fn a_file_of_an_archive_has_a_limit_and_so_have_all_together() {
        let folder = Folder::new("limit");
        folder.write("a.zip", &zip_of(&[("large", &vec![0; MOST_BYTES as usize + 1]), ("b", b"12"), ("c", b"345")]));
        let mut files = files_in(&folder.0.join("a.zip")).unwrap();
        let error = files.next().unwrap().unwrap_err().to_string();
        assert!(error.ends_with("a.zip/large: it is larger than 64 MiB"), "{error}");
        let archive = files.archive.as_mut().unwrap();
        assert_eq!(archive.left, MOST_UNPACKED_BYTES - MOST_BYTES);
        archive.left = 4;
        assert_eq!(files.next().unwrap().unwrap().bytes, b"12");
        let error = files.next().unwrap().unwrap_err().to_string();
        assert!(error.ends_with("a.zip: its files are larger than 4 GiB together"), "{error}");
        assert!(files.next().is_none());
    }

    #[test]
    fn flipped_bits_of_an_archive_never_panic() {
        let folder = Folder::new("flips");
        let zip = zip_of(&[("a", b"first file"), ("b", &[7; 300])]);
        for place in 4..zip.len() {
            let mut bytes = zip.clone();
            bytes[place] ^= 1 << (place % 8);
            folder.write("a.zip", &bytes);
            assert!(folder.read("a.zip").len() <= 3);
        }
    }
}
