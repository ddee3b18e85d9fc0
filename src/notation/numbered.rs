//! [`numbered_games`]: games with numbered moves, as PlayOK offers them.
//!
//! ```text
//! [Black "ann"]
//! [White "bob"]
//!
//! 1. h8 i9 2. j10 g7 3. k11
//! ```
//!
//! Blank lines separate blocks. A block that begins with `1.` holds moves, any other block describes the game after it.
//! Ranks count from the bottom. Words such as `1-0`, which begin with a digit and have no dot after it, are skipped:
//! the text does not say whose win comes first.

use thiserror::Error;

use super::{Letters, MovesError};
use crate::board::Point;
use crate::text::lines;

/// A game with numbered moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NumberedGame {
    /// Number of the line, counted from 1, with the first move.
    pub line: usize,
    /// The moves; `None` is a pass.
    pub moves: Vec<Option<Point>>,
    /// The names of black and white; empty if they are missing.
    pub players: [String; 2],
}

/// Error returned when a word among numbered moves is not a move.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {error}")]
pub struct NumberedError {
    /// Number of the line, counted from 1.
    pub line: usize,
    /// The word, and what is wrong with it.
    pub error: MovesError,
}

/// Reads the games of a text. The caller checks whether the moves can be played.
///
/// ```
/// use tengen::board::Size;
/// use tengen::notation::{Letters, numbered_games};
///
/// let games = numbered_games("[Black \"ann\"]\n\n1. h8 i9 2. j10\n", Letters::new(Size::FIFTEEN))?;
/// assert_eq!((games[0].moves.len(), games[0].players[0].as_str()), (3, "ann"));
/// # Ok::<(), tengen::notation::NumberedError>(())
/// ```
///
/// # Errors
/// When a word among moves is not a point of the board or a pass.
pub fn numbered_games(text: &str, letters: Letters) -> Result<Vec<NumberedGame>, NumberedError> {
    let mut games: Vec<NumberedGame> = Vec::new();
    let mut players = <[String; 2]>::default();
    let (mut is_block_start, mut are_moves) = (true, false);
    for (number, text) in (1..).zip(lines(text).map(str::trim)) {
        if text.is_empty() {
            is_block_start = true;
            continue;
        }
        if is_block_start {
            are_moves = begins_moves(text);
            is_block_start = false;
        }
        if !are_moves {
            read_tag(text, &mut players);
            continue;
        }
        for word in text.split_whitespace() {
            let (count, word) = without_number(word);
            if count == Some("1") {
                games.push(NumberedGame { line: number, moves: Vec::new(), players: std::mem::take(&mut players) });
            }
            let is_skipped = word.is_empty() || word.starts_with(|sign: char| sign.is_ascii_digit() || sign == '*');
            let Some(game) = games.last_mut().filter(|_| !is_skipped) else { continue };
            let moves = letters.parse_moves_and_passes(word);
            game.moves.extend(moves.map_err(|error| NumberedError { line: number, error })?);
        }
    }
    Ok(games)
}

/// Whether a line begins with the number of the first move.
fn begins_moves(line: &str) -> bool {
    let is_move = |rest: &str| rest.trim_start().starts_with(|sign: char| sign.is_ascii_alphabetic() || sign == '-');
    line.strip_prefix("1.").is_some_and(is_move)
}

/// The number before the dot at the start of a word, and the rest.
fn without_number(word: &str) -> (Option<&str>, &str) {
    match word.split_once('.') {
        Some((number, rest)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            (Some(number), rest.trim_start_matches('.'))
        }
        _ => (None, word),
    }
}

/// Reads a name from a line such as `[Black "ann"]`.
fn read_tag(line: &str, players: &mut [String; 2]) {
    let tag = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')).and_then(|tag| tag.split_once(' '));
    let Some((key, value)) = tag else { return };
    let place = ["black", "white"].iter().position(|color| key.eq_ignore_ascii_case(color));
    if let Some(place) = place {
        players[place] = value.trim().trim_matches('"').to_owned();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    const LETTERS: Letters = Letters::new(Size::FIFTEEN);

    fn read(text: &str) -> Vec<(usize, String, [String; 2])> {
        let name = |played: Option<Point>| played.map_or("--".to_owned(), |point| LETTERS.point(point).to_string());
        let games = numbered_games(text, LETTERS).unwrap();
        let moves = |game: &NumberedGame| game.moves.iter().copied().map(name).collect::<Vec<_>>().join(" ");
        games.into_iter().map(|game| (game.line, moves(&game), game.players)).collect()
    }

    #[test]
    fn games_follow_the_blocks_that_tell_of_them() {
        let text = "[Event \"x\"]\r\n[Black \"ann\"]\r\n[white \"bob b\"]\r\n\r\n1. h8 i9 2. j10\r\n-- 3.a1 1-0\r\n\r\n\
                    Some words\r\n\r\n1.h8 *\r\n\r\n\r\n1. a1 b2 1. c3\r\n";
        let [ann, bob, none] = ["ann", "bob b", ""].map(str::to_owned);
        let nobody = [none.clone(), none];
        let game = |line, moves: &str| (line, moves.to_owned(), nobody.clone());
        let first = (5, "h8 i9 j10 -- a1".to_owned(), [ann, bob]);
        assert_eq!(read(text), [first, game(10, "h8"), game(13, "a1 b2"), game(13, "c3")]);
        assert_eq!(read("no moves"), []);
    }

    #[test]
    fn a_word_that_is_not_a_move_is_named_with_its_line() {
        let error = |text| numbered_games(text, LETTERS).unwrap_err().to_string();
        assert_eq!(error("1. h8\n2. resigns"), "line 2: \"resigns\": expected a point such as h8");
        assert_eq!(error("1. h8 p1"), "line 1: \"p1\": the point lies outside the board");
    }

    #[test]
    fn a_text_begins_moves_with_their_first_number() {
        for (line, begins) in [("1. h8", true), ("1.h8", true), ("1. --", true), ("1.5", false), ("1,1", false)] {
            assert_eq!(begins_moves(line), begins, "{line}");
        }
    }
}
