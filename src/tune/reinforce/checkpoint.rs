//! [`Checkpoint`]: the state of a learner between two rounds, from which a killed run resumes.
//!
//! ```text
//! magic "tengen learning 4\n"   checksum, 8 bytes: FNV-1a of the rest
//! the rest, in the byte order of the machine: the options as JSON   the work so far as JSON
//!   the model and its optimizer   the state of the algorithm: opponent pool, or replay memory and target
//! ```

use super::config::ReinforceConfig;
use super::yardstick::Work;
use crate::files::{Kind, MEBIBYTE};
use crate::fnv::Fnv1a;
use crate::tune::network::{CheckpointError, State, read_numbers, write_numbers};

/// The first bytes of a file.
const MAGIC: &[u8] = b"tengen learning 4\n";

/// A learner between two rounds. Its file can be read only on a machine with the same byte order.
pub(super) struct Checkpoint {
    pub(super) config: ReinforceConfig,
    pub(super) work: Work,
    pub(super) state: State,
    /// The bytes that the algorithm adds.
    pub(super) rest: Vec<u8>,
}

impl Checkpoint {
    /// The kind of file, of any version.
    pub(super) const KIND: Kind = Kind { name: "checkpoint of a learner", start: b"tengen learning " };

    /// Maximum size of a file in bytes.
    pub(super) const MOST_BYTES: u64 = 256 * MEBIBYTE;

    /// The bytes of a file: some 30 MB, twice as many if the colors differ.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut content = Vec::new();
        // Options and counts are plain values, whose JSON does not fail.
        for json in [serde_json::to_vec(&self.config), serde_json::to_vec(&self.work)] {
            write_numbers(&mut content, &json.unwrap_or_default());
        }
        self.state.write(&mut content);
        content.extend_from_slice(&self.rest);
        [MAGIC, &Fnv1a::of(&content).to_ne_bytes(), &content].concat()
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When the bytes are not a checkpoint of this version, or damaged.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, CheckpointError> {
        Self::parse(bytes).ok_or(CheckpointError)
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let (checksum, mut rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk()?;
        if u64::from_ne_bytes(*checksum) != Fnv1a::of(rest) {
            return None;
        }
        let [config, work] = [(); 2].map(|()| read_numbers::<u8>(&mut rest));
        let (config, work) = (serde_json::from_slice(&config?).ok()?, serde_json::from_slice(&work?).ok()?);
        let state = State::read(&mut rest)?;
        Some(Self { config, work, state, rest: rest.to_vec() })
    }
}
