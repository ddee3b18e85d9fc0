//! [`merge`]: the shards of a match as one.

use thiserror::Error;

use crate::arena::journal::MatchRecord;
use crate::notation::record::GameId;
use crate::shard::Shard;

/// Joins the shards of each match. Returns the matches, and the shards that were found.
///
/// # Errors
/// When two files of one match hold different games with one number.
pub fn merge(files: Vec<MatchRecord>) -> Result<(Vec<MatchRecord>, Vec<Shard>), MergeError> {
    let mut matches: Vec<(String, MatchRecord)> = Vec::new();
    let mut shards = Vec::new();
    for played in files {
        let fingerprint = played.config.fingerprint();
        if !shards.contains(&played.config.shard) {
            shards.push(played.config.shard);
        }
        match matches.iter_mut().find(|(other, _)| *other == fingerprint) {
            Some((_, whole)) => {
                played.games.into_values().try_for_each(|game| whole.add(game)).map_err(MergeError)?;
            }
            None => matches.push((fingerprint, played)),
        }
    }
    Ok((matches.into_iter().map(|(_, played)| played).collect(), shards))
}

/// Error returned when two files of one match hold different games with this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("two different games have the number {0} in the same match")]
pub struct MergeError(pub GameId);
