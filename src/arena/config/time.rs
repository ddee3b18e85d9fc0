//! [`TimeControl`]: the time that an engine has.

use serde::{Deserialize, Serialize};

/// The time that an engine has, all in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// For one move; 0 asks the engine to answer without thinking.
    pub turn: u64,
    /// For all moves of a game; 0: no limit.
    #[serde(rename = "match")]
    pub game: u64,
    /// Added to what is left of the game's time after each move.
    pub increment: u64,
    /// The time by which a move may be late. It allows for delays of the arena itself and is not sent to the engine.
    pub tolerance: u64,
}

/// One second a move, no limit for the game; the tolerance is Gomocup's.
impl Default for TimeControl {
    fn default() -> Self {
        Self { turn: 1000, game: 0, increment: 0, tolerance: 1000 }
    }
}
