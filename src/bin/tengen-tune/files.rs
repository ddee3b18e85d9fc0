//! Networks and checkpoints as files.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use tengen::eval::network::Weights;
use tengen::files::{self, Kind, OutputFile};
use tengen::tune::Checkpoint;

pub(crate) fn read_network(path: &Path) -> anyhow::Result<Weights> {
    let bytes = files::read(path, Weights::MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
    Weights::from_bytes(&bytes).with_context(|| format!("cannot read {}", path.display()))
}

/// Reads a checkpoint; `None` where there is no file.
pub(crate) fn read_checkpoint(path: &Path) -> anyhow::Result<Option<Checkpoint>> {
    match files::read(path, Checkpoint::MOST_BYTES) {
        Ok(bytes) => {
            Ok(Some(Checkpoint::from_bytes(&bytes).with_context(|| format!("cannot read {}", path.display()))?))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
    }
}

/// Writes a file beside its place, and renames it.
pub(crate) fn write_whole(path: &Path, kind: &'static Kind, bytes: &[u8]) -> anyhow::Result<()> {
    Ok(OutputFile::create(path, kind)?.write_whole(bytes)?)
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
