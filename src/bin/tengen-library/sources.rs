//! The files that an import reads: a file, the files of a folder and of the folders below it, or of a zip archive.

use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use tengen::files::{self, MEBIBYTE};

/// The largest file, in bytes. A library of seven million moves takes 14 MB without its texts.
const MOST_BYTES: u64 = 1_024 * MEBIBYTE;

/// The most bytes of all files of an archive, unpacked.
const MOST_ARCHIVE_BYTES: u64 = 4_096 * MEBIBYTE;

/// The first bytes of a zip archive.
const ZIP: &[u8] = b"PK\x03\x04";

/// Passes the name and the contents of each file to `read`, in the order of the paths and of the names in a folder.
pub(crate) fn for_each(
    paths: &[PathBuf],
    read: &mut dyn FnMut(&str, &[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    for path in paths {
        if path.is_dir() {
            for file in files_of(path)? {
                read_file(&file, read)?;
            }
        } else {
            read_file(path, read)?;
        }
    }
    Ok(())
}

/// The files of a folder and of the folders below it. Links are not followed.
fn files_of(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
        for entry in entries {
            let entry = entry.with_context(|| folder.display().to_string())?;
            let kind = entry.file_type()?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn read_file(path: &Path, read: &mut dyn FnMut(&str, &[u8]) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let name = path.display().to_string();
    let bytes = files::read(path, MOST_BYTES).with_context(|| name.clone())?;
    if bytes.starts_with(ZIP) { read_zip(&name, &bytes, read) } else { read(&name, &bytes) }
}

fn read_zip(
    archive_name: &str,
    bytes: &[u8],
    read: &mut dyn FnMut(&str, &[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).with_context(|| archive_name.to_owned())?;
    let mut total = 0;
    for index in 0..archive.len() {
        let file = archive.by_index(index).with_context(|| archive_name.to_owned())?;
        if !file.is_file() {
            continue;
        }
        let name = format!("{archive_name}: {}", file.name());
        let mut unpacked = Vec::new();
        // The size that the archive states may be wrong.
        file.take(MOST_BYTES + 1).read_to_end(&mut unpacked).with_context(|| name.clone())?;
        total += unpacked.len() as u64;
        let is_small = unpacked.len() as u64 <= MOST_BYTES && total <= MOST_ARCHIVE_BYTES;
        ensure!(is_small, "{name}: the archive holds more than {} MiB", MOST_ARCHIVE_BYTES / MEBIBYTE);
        read(&name, &unpacked)?;
    }
    Ok(())
}
