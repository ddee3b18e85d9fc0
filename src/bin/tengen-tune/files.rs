//! Networks and checkpoints as files.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use tengen::eval::network::Weights;
use tengen::tune::{Checkpoint, OutputFile};

pub(crate) fn read_network(path: &Path) -> anyhow::Result<Weights> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    Weights::from_bytes(&bytes).with_context(|| format!("cannot read {}", path.display()))
}

/// Reads a checkpoint; `None` where there is no file.
pub(crate) fn read_checkpoint(path: &Path) -> anyhow::Result<Option<Checkpoint>> {
    match fs::read(path) {
        Ok(bytes) => {
            Ok(Some(Checkpoint::from_bytes(&bytes).with_context(|| format!("cannot read {}", path.display()))?))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Writes a file beside its place, and renames it.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(bytes).with_context(|| cannot_write(path))?;
    Ok(file.finish()?)
}

/// The file of this name with a second ending behind its own.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

pub(crate) fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
