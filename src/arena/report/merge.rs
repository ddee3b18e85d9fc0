//! [`merge`]: the shards of a match as one.

use std::fmt;

use crate::arena::config::Shard;
use crate::arena::record::Played;

/// Joins the shards of each match; returns the matches, and the shards that were found.
///
/// # Errors
/// When two files of one match hold different games with one number.
pub fn merge(files: Vec<Played>) -> Result<(Vec<Played>, Vec<Shard>), MergeError> {
    let mut matches: Vec<(String, Played)> = Vec::new();
    let mut shards = Vec::new();
    for played in files {
        let fingerprint = played.config.fingerprint();
        if !shards.contains(&played.config.shard) {
            shards.push(played.config.shard);
        }
        let Some((_, whole)) = matches.iter_mut().find(|(other, _)| *other == fingerprint) else {
            matches.push((fingerprint, played));
            continue;
        };
        for (id, game) in played.games {
            match whole.games.get(&id) {
                Some(known) if !known.same_play(&game) => return Err(MergeError(id.to_string())),
                _ => drop(whole.games.insert(id, game)),
            }
        }
    }
    Ok((matches.into_iter().map(|(_, played)| played).collect(), shards))
}

/// Two files of one match hold different games with this number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeError(pub String);

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "two different games have the number {} in the same match", self.0)
    }
}

impl std::error::Error for MergeError {}
