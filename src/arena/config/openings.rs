//! [`OpeningsSource`]: the source of a match's openings.

use serde::{Deserialize, Serialize};

use super::ConfigError;
use crate::board::Rule;
use crate::files::{self, MOST_BYTES};
use crate::fnv::Fnv1a;
use crate::notation::{Letters, Ranks};
use crate::opening::NamedOpening;
use crate::opening::lists::{self, Opening};
use crate::protocol::rule_number::parse_rule;
use crate::text::as_text;

/// The source of a match's openings, and a fingerprint that changes with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningsSource {
    /// `builtin`, `26`, `none`, or the path of a file.
    pub name: String,
    /// The number of openings.
    pub count: usize,
    /// The end of the board at which rank 1 of the list is. Records of format 1 do not hold it: they counted from the top.
    #[serde(default = "top", with = "as_text")]
    pub ranks: Ranks,
    /// The FNV-1a checksum of all stones.
    pub fingerprint: String,
}

const fn top() -> Ranks {
    Ranks::Top
}

/// The built-in openings for the rule and size of the match.
pub const BUILTIN: &str = "builtin";

/// The 26 named openings of renju.
pub const NAMED: &str = "26";

/// No openings: games begin on an empty board.
pub const NO_OPENINGS: &str = "none";

/// Reads the openings of a match. Ranks from the top mirror the built-in openings too, as records of format 1 have them.
///
/// # Errors
/// When there are no openings, or the file cannot be read.
pub fn load_openings(name: &str, rule: Rule, letters: Letters) -> Result<(OpeningsSource, Vec<Opening>), ConfigError> {
    let size = letters.size();
    let wrong = |error| ConfigError::List(name.to_owned(), error);
    let openings = match name.split_once(':').unwrap_or((name, "")) {
        (NO_OPENINGS, "") => vec![Opening::new()],
        (NAMED, "") => NamedOpening::all().iter().map(|opening| named(opening, letters)).collect(),
        (BUILTIN, wanted) => {
            if !wanted.is_empty() && parse_rule(wanted) != Ok(rule) {
                return Err(ConfigError::WrongBuiltin(wanted.to_owned(), rule));
            }
            let text = lists::builtin(rule, size).ok_or(ConfigError::NoBuiltin(rule, size))?;
            lists::parse_list(text, rule, letters).map_err(wrong)?
        }
        _ => {
            let text = files::read_text(name.as_ref(), MOST_BYTES);
            let text = text.map_err(|error| ConfigError::Read(name.to_owned(), error))?;
            lists::parse_list(&text, rule, letters).map_err(wrong)?
        }
    };
    if openings.is_empty() {
        return Err(ConfigError::Empty(name.to_owned()));
    }
    let stones = openings.iter().flat_map(|opening| opening.iter().map(|point| point.index()).chain([usize::MAX]));
    let mut sum = Fnv1a::default();
    stones.for_each(|stone| sum.add_bytes(&(stone as u64).to_le_bytes()));
    let fingerprint = format!("{:016x}", sum.get());
    let (count, ranks) = (openings.len(), letters.ranks());
    Ok((OpeningsSource { name: name.to_owned(), count, ranks, fingerprint }, openings))
}

/// The stones of a named opening, mirrored if ranks count from the top.
fn named(opening: &NamedOpening, letters: Letters) -> Opening {
    let size = letters.size();
    let centre = size.centre().y();
    let stones = opening.stones(size);
    match letters.ranks() {
        Ranks::Bottom => stones.to_vec(),
        Ranks::Top => stones.iter().filter_map(|stone| size.point(stone.x(), 2 * centre - stone.y())).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn the_built_in_list_is_chosen_by_the_name_or_the_number_of_its_rule() {
        let letters = Letters::new(Size::FIFTEEN);
        let load = |name| load_openings(name, Rule::Renju, letters).map(|(source, _)| source.fingerprint);
        let fingerprint = load("builtin").unwrap();
        assert_eq!(load("builtin:renju").unwrap(), fingerprint);
        assert_eq!(load("builtin:4").unwrap(), fingerprint);
        assert!(load("builtin:1").is_err());
    }
}
