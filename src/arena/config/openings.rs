//! [`OpeningsSource`]: where the openings of a match come from.

use serde::{Deserialize, Serialize};

use super::ConfigError;
use crate::board::{Rule, Size};
use crate::fnv::Fnv1a;
use crate::opening::NamedOpening;
use crate::opening::lists::{self, Opening};

/// Where the openings come from, and a fingerprint that changes with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningsSource {
    /// `builtin`, `26`, `none`, or the path of a file.
    pub name: String,
    /// The number of openings.
    pub count: usize,
    /// FNV-1a of all stones.
    pub fingerprint: String,
}

/// The built-in openings for the rule and size of the match.
pub const BUILTIN: &str = "builtin";

/// The 26 named openings of renju.
pub const NAMED: &str = "26";

/// Games that begin on an empty board.
pub const NO_OPENINGS: &str = "none";

/// Reads the openings of a match.
///
/// # Errors
/// When there are none, or the file is wrong.
pub fn load_openings(name: &str, rule: Rule, size: Size) -> Result<(OpeningsSource, Vec<Opening>), ConfigError> {
    let wrong = |error| ConfigError::List(name.to_owned(), error);
    let openings = match name.split_once(':').unwrap_or((name, "")) {
        (NO_OPENINGS, "") => vec![Opening::new()],
        (NAMED, "") => NamedOpening::all().iter().map(|opening| opening.stones(size).to_vec()).collect(),
        (BUILTIN, wanted) => {
            if !wanted.is_empty() && wanted.parse() != Ok(rule) {
                return Err(ConfigError::WrongBuiltin(wanted.to_owned(), rule));
            }
            let text = lists::builtin(rule, size).ok_or(ConfigError::NoBuiltin(rule, size))?;
            lists::parse_list(text, rule, size).map_err(wrong)?
        }
        _ => {
            let bytes = std::fs::read(name).map_err(|error| ConfigError::Read(name.to_owned(), error))?;
            lists::parse_list(&String::from_utf8_lossy(&bytes), rule, size).map_err(wrong)?
        }
    };
    if openings.is_empty() {
        return Err(ConfigError::Empty(name.to_owned()));
    }
    let stones = openings.iter().flat_map(|opening| opening.iter().map(|point| point.index()).chain([usize::MAX]));
    let mut sum = Fnv1a::default();
    stones.for_each(|stone| sum.add_bytes(&(stone as u64).to_le_bytes()));
    let fingerprint = format!("{:016x}", sum.get());
    Ok((OpeningsSource { name: name.to_owned(), count: openings.len(), fingerprint }, openings))
}
