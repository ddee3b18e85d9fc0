//! [`TestPosition`] and [`test_positions`], which draws them from records of matches.

use std::fmt;
use std::path::PathBuf;

use super::RegretError;
use crate::arena::journal;
use crate::board::{Board, Rule, Size};
use crate::notation::record::GameRecord;
use crate::notation::{GameMoves, Moves};
use crate::rng::Rng;

/// Minimum number of moves of a game before a position, and after it. Hand-set.
const MARGIN: (usize, usize) = (2, 6);

/// A position of a game. The stones can be played and do not end the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TestPosition {
    /// The rule.
    pub rule: Rule,
    /// The size of the board.
    pub size: Size,
    /// The stones, black first.
    pub moves: Moves,
}

impl TestPosition {
    /// The stones on a board; `None` if one of them cannot be played.
    pub(super) fn board(&self) -> Option<Board> {
        let game = GameMoves { size: self.size, moves: self.moves.0.clone() };
        game.board(self.rule, None).ok()
    }
}

/// `freestyle 15 7,7 8,6`.
impl fmt::Display for TestPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.rule, self.size.side(), self.moves)
    }
}

/// Draws positions from records of the arena, at most one from a game. The same records and seed yield the same positions;
/// fewer are the first of more.
///
/// # Errors
/// When a record cannot be read, the records have no position, or their rules differ.
pub fn test_positions(records: &[PathBuf], count: usize, seed: u64) -> Result<Vec<TestPosition>, RegretError> {
    let mut rng = Rng::new(seed);
    let mut positions = Vec::new();
    for path in records {
        let played = journal::read(path)?;
        let (rule, size) = (played.config.game.rule, played.config.game.size);
        let taken = played.games.values().filter_map(|game| stones(game, &mut rng));
        positions.extend(taken.map(|moves| TestPosition { rule, size, moves }));
    }
    rng.shuffle(&mut positions);
    positions.truncate(count);
    let rule = positions.first().ok_or(RegretError::NoPosition)?.rule;
    if positions.iter().any(|position| position.rule != rule) {
        return Err(RegretError::SeveralRules);
    }
    Ok(positions)
}

/// The stones before a random move of a game; `None` if it is too short.
fn stones(game: &GameRecord, rng: &mut Rng) -> Option<Moves> {
    let choices = game.moves.0.len().checked_sub(MARGIN.0 + MARGIN.1)?;
    let played = MARGIN.0 + rng.below(choices + 1);
    Some(Moves(game.opening.0.iter().chain(&game.moves.0[..played]).copied().collect()))
}
