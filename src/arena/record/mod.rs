//! WHAT WAS PLAYED: a game as a value and as a line of JSON, and the file that keeps a match.
//!
//! Owns the numbers of games, the records of finished ones and the journal that any kill leaves whole. Uses notation
//! (moves, PSQ) and the configuration that heads a journal. Must never know how a game is played or what results mean.

mod game;
mod id;
mod journal;
mod lines;
mod reader;

use std::collections::BTreeMap;

pub use game::{End, EngineLine, GameRecord, Winner};
pub use id::{GameId, GameIdError, Leg};
pub use journal::{Journal, JournalError, MOST_BYTES, read};
pub use reader::{LineReader, RecordLine};

use super::config::MatchConfig;

/// A match and its finished games.
#[derive(Clone, Debug)]
pub struct Played {
    /// The match; of several shards, one of them.
    pub config: MatchConfig,
    /// The games by their numbers.
    pub games: BTreeMap<GameId, GameRecord>,
}
