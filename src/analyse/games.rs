//! [`queries_of`]: a query for each game of a file.

use thiserror::Error;

use super::query::Query;
use crate::library::source::{self, Game, GameDefaults, SourceFile, SourceKind, UnplayableError, read_games};
use crate::notation::{Ranks, SgfError, read_sgf};

/// Error returned when a file cannot be analysed game by game.
#[derive(Debug, Error)]
pub enum GamesError {
    /// The file has an unknown format, or holds positions instead of games.
    #[error("expected games: PSQ, SGF, a record of tengen-arena, or moves such as h8i9")]
    NotGames,
    /// The file is damaged.
    #[error(transparent)]
    Games(#[from] source::GamesError),
    /// An SGF file is damaged.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// A move of an SGF file cannot be played.
    #[error(transparent)]
    Play(#[from] UnplayableError),
    /// This game, counted from 1, has a setup or a pass.
    #[error("game {0}: expected moves of black and white in turn")]
    Turns(usize),
}

/// The queries for the games of a file; for SGF, for its main lines. Each is a copy of `like` with the moves of its
/// game. Rule and size come from the file if it states them, else from `like`. The id is the name of the file, followed
/// by `#` and the number of the game if the file has several.
///
/// # Errors
/// When the file is damaged, holds no games, or a game cannot be played.
pub fn queries_of(file: &SourceFile, like: &Query) -> Result<Vec<Query>, GamesError> {
    let SourceFile { name, bytes, .. } = file;
    let games: Vec<Option<Game>> = match SourceKind::detect(name, bytes) {
        None | Some(SourceKind::Json | SourceKind::Library(_)) => return Err(GamesError::NotGames),
        Some(SourceKind::Sgf) => {
            read_sgf(bytes)?.iter().map(|tree| Game::of_main_line(tree, like.rule)).collect::<Result<_, _>>()?
        }
        Some(kind) => {
            let defaults = GameDefaults { size: like.size, rule: like.rule, ranks: Ranks::Bottom };
            read_games(kind, bytes, defaults)?.into_iter().map(Some).collect()
        }
    };
    let is_single = games.len() == 1;
    let query = |(number, game): (usize, Option<Game>)| {
        let id = if is_single { name.clone() } else { format!("{name}#{number}") };
        let Game { size, moves, rule, .. } = game.ok_or(GamesError::Turns(number))?;
        let moves = moves.into_iter().collect::<Option<_>>().ok_or(GamesError::Turns(number))?;
        Ok(Query { id, rule: rule.unwrap_or(like.rule), size, moves, ..like.clone() })
    };
    (1..).zip(games).map(query).collect()
}
