//! [`queries_of`]: a query for each game of a file.

use std::num::NonZeroUsize;

use thiserror::Error;

use super::query::Query;
use crate::arena::config::MatchConfig;
use crate::board::{Board, PlayError, Point, Rule, Size};
use crate::notation::record::{RecordLine, RecordReader};
use crate::notation::{GameMoves, GameMovesError, Letters, PastedError, SavedGame, SgfError, read_pasted, read_sgf};
use crate::text::{lines, without_mark};

/// Error returned when a text is not a list of games.
#[derive(Debug, Error)]
pub enum GamesError {
    /// A saved game of Piskvork is damaged.
    #[error(transparent)]
    Saved(#[from] GameMovesError),
    /// An SGF file is damaged.
    #[error(transparent)]
    Sgf(#[from] SgfError),
    /// A game of an SGF file is a setup or has passes, counted from 1.
    #[error("game {0}: expected moves of black and white in turn")]
    Turns(usize),
    /// A line of a record is damaged.
    #[error("line {0}: {1}")]
    Record(NonZeroUsize, #[source] serde_json::Error),
    /// A line is not a list of moves.
    #[error("line {0}: {1}")]
    Moves(NonZeroUsize, #[source] PastedError),
    /// A move of a game cannot be played.
    #[error("{0}: move {1}: {2}")]
    Play(String, usize, #[source] PlayError),
    /// The text holds no game.
    #[error("expected a game: PSQ, SGF, a record of tengen-arena, or moves such as h8i9")]
    Empty,
}

/// The queries for the games of a text: a saved game of Piskvork, SGF (main lines), a record of the arena, or lists of moves,
/// one a line. Each is `like` this query, with the moves of its game; its rule and size are those that the text states, else
/// those of `like`. Its id is the name of the text, with the number or name of the game if there may be several.
///
/// # Errors
/// At the first game that cannot be read or played.
pub fn queries_of(name: &str, bytes: &[u8], like: &Query) -> Result<Vec<Query>, GamesError> {
    let whole = String::from_utf8_lossy(bytes);
    let text = without_mark(&whole);
    let of_game = |id: String, rule, size, moves| played(Query { id, rule, size, moves, ..like.clone() });
    let first = text.trim_start();
    let queries = if GameMoves::is_psq(text) {
        let GameMoves { size, moves } = SavedGame::read(text)?.record;
        vec![of_game(name.to_owned(), like.rule, size, moves)?]
    } else if first.starts_with('(') {
        let games = (1..).zip(read_sgf(bytes)?).map(|(number, tree)| {
            let moves: Option<Vec<Point>> = tree.main_moves().and_then(|moves| moves.into_iter().collect());
            let rule = tree.info.rule.parse().unwrap_or(like.rule);
            of_game(format!("{name}#{number}"), rule, tree.size(), moves.ok_or(GamesError::Turns(number))?)
        });
        games.collect::<Result<_, _>>()?
    } else if first.starts_with('{') {
        of_record(name, text, like)?
    } else {
        let written = (1..).zip(lines(text)).filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
        let games = written.map(|(number, line)| {
            let on_line = |error| GamesError::Moves(NonZeroUsize::new(number).unwrap_or(NonZeroUsize::MIN), error);
            let pasted = read_pasted(line, Letters::new(like.size)).map_err(on_line)?;
            let rule = pasted.rule.map_or(like.rule, |(rule, _)| rule);
            let moves = pasted.moves.into_iter().map(|(point, _)| point).collect();
            of_game(format!("{name}:{number}"), rule, pasted.size, moves)
        });
        games.collect::<Result<_, _>>()?
    };
    if queries.is_empty() { Err(GamesError::Empty) } else { Ok(queries) }
}

/// The games of a record of the arena. Its first line may describe the match.
fn of_record(name: &str, text: &str, like: &Query) -> Result<Vec<Query>, GamesError> {
    let (mut rule, mut size): (Rule, Size) = (like.rule, like.size);
    let (mut queries, mut reader) = (Vec::new(), RecordReader::default());
    for (number, line) in (1..).zip(lines(text)).filter(|(_, line)| !line.trim().is_empty()) {
        let on_line = |error| GamesError::Record(NonZeroUsize::new(number).unwrap_or(NonZeroUsize::MIN), error);
        match reader.read(line.as_bytes()).map_err(on_line)? {
            RecordLine::<MatchConfig>::Match(config) => (rule, size) = (config.game.rule, config.game.size),
            RecordLine::Game(game) => {
                let moves = game.opening.0.into_iter().chain(game.moves.0).collect();
                let id = format!("{name}:{}", game.game);
                queries.push(played(Query { id, rule, size, moves, ..like.clone() })?);
            }
        }
    }
    Ok(queries)
}

/// The query, if its moves can be played.
fn played(query: Query) -> Result<Query, GamesError> {
    let mut board = Board::new(query.size, query.rule);
    for (number, &point) in (1..).zip(&query.moves) {
        board.check_empty(point).map_err(|error| GamesError::Play(query.id.clone(), number, error))?;
        board.play(point);
    }
    Ok(query)
}
