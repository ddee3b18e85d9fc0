//! THE FILE OF A MATCH: [`Journal`], which keeps the record of a match, and [`MatchRecord`], what it holds.
//!
//! Owns the journal, which stays readable after any kill. Uses the format of records in `notation` and the configuration
//! that heads a journal. Must never know how a game is played or what results mean.

mod file;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

pub use file::{Journal, JournalError, MOST_BYTES, read};

use super::config::MatchConfig;
use crate::notation::record::{GameId, GameRecord};

/// A match and its finished games.
#[derive(Clone, Debug)]
pub struct MatchRecord {
    /// The match; for several shards, the configuration of one of them.
    pub config: MatchConfig,
    /// The games by their numbers.
    pub games: BTreeMap<GameId, GameRecord>,
}

impl MatchRecord {
    /// A match without games.
    pub const fn new(config: MatchConfig) -> Self {
        Self { config, games: BTreeMap::new() }
    }

    /// Adds a game unless it is there already.
    ///
    /// # Errors
    /// The number of the game, when another game has the same one.
    pub(super) fn add(&mut self, game: GameRecord) -> Result<(), GameId> {
        match self.games.entry(game.game) {
            Entry::Occupied(known) if known.get().same_play(&game) => Ok(()),
            Entry::Occupied(known) => Err(*known.key()),
            Entry::Vacant(place) => {
                place.insert(game);
                Ok(())
            }
        }
    }
}
