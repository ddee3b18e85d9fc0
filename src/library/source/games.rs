//! [`read_games`]: the games of a file of any form.

use serde_json::Value;
use thiserror::Error;

use super::{Game, GameDefaults, SourceKind, UnplayableError};
use crate::board::{Color, Point, Rule, Size};
use crate::notation::record::{GameRecord, RecordLine, RecordReader, Winner, record_lines};
use crate::notation::{
    Decoded, GameMovesError, Letters, MovesError, NumberedError, PosError, SavedGame, numbered_games, opening_lines,
    read_pos,
};
use crate::text::Short;

/// Error returned when a file does not hold games of the expected form.
#[derive(Debug, Error)]
pub enum GamesError {
    /// A file of this kind holds trees or positions; another reader reads it.
    #[error("{0} is not read as single games")]
    NotGames(SourceKind),
    /// A saved game.
    #[error(transparent)]
    Saved(#[from] GameMovesError),
    /// A game of RenLib.
    #[error(transparent)]
    Pos(#[from] PosError),
    /// Numbered moves.
    #[error(transparent)]
    Numbered(#[from] NumberedError),
    /// This line, counted from 1, of a list has a word that is not a move.
    #[error("line {0}: {1}")]
    Moves(usize, MovesError),
    /// This line, counted from 1, of a match record is neither a match nor a game.
    #[error("line {}: {}", .0, Short(.1))]
    Record(usize, serde_json::Error),
    /// The rule or the size of the match in this line, counted from 1, is unknown.
    #[error("line {0}: a match of an unknown {1}")]
    Match(usize, &'static str),
    /// The game that begins in this line, counted from 1, cannot be played.
    #[error("line {0}: {1}")]
    Game(usize, UnplayableError),
}

/// Reads the games of a file and checks their winners: a winning row of the last mover decides, whatever the file says.
///
/// Trees are read by [`read_sgf`](crate::notation::read_sgf); [`Game::of_main_line`] makes a game of each.
///
/// ```
/// use tengen::board::{Rule, Size};
/// use tengen::library::source::{GameDefaults, SourceKind, read_games};
/// use tengen::notation::Ranks;
///
/// let defaults = GameDefaults { size: Size::FIFTEEN, rule: Rule::Renju, ranks: Ranks::Bottom };
/// let games = read_games(SourceKind::Moves, b"# two games\nh8i9j10\nh8 h9\n", defaults)?;
/// assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [3, 2]);
/// # Ok::<(), tengen::library::source::GamesError>(())
/// ```
///
/// # Errors
/// When the file has another form, or the moves of a game cannot be played. A kind whose files hold trees or positions is
/// refused.
pub fn read_games(kind: SourceKind, bytes: &[u8], defaults: GameDefaults) -> Result<Vec<Game>, GamesError> {
    let text = || Decoded::read(bytes, None).text;
    let letters = Letters::new(defaults.size);
    match kind {
        SourceKind::Psq => Ok(vec![of_saved(SavedGame::read(&text())?, defaults.rule)?]),
        SourceKind::Rec => Ok(vec![of_saved(SavedGame::read_rec(&text())?, defaults.rule)?]),
        SourceKind::Pos => {
            let game = Game::new(Size::FIFTEEN, read_pos(bytes)?, defaults.rule);
            Ok(vec![game.map_err(|error| GamesError::Game(1, error))?])
        }
        SourceKind::Record => of_record(bytes, defaults),
        SourceKind::Moves => of_moves(&text(), letters.counted_from(defaults.ranks), defaults.rule),
        SourceKind::Numbered => of_numbered(&text(), letters, defaults.rule),
        SourceKind::Sgf | SourceKind::Json | SourceKind::Library(_) => Err(GamesError::NotGames(kind)),
    }
}

fn of_saved(saved: SavedGame, rule: Rule) -> Result<Game, GamesError> {
    let by_code = saved.winner_by_code();
    let SavedGame { record, players, judged, .. } = saved;
    let moves = record.moves.into_iter().map(Some).collect();
    let game = Game::claimed(record.size, moves, rule, judged);
    let game = game.map_err(|UnplayableError { number, size, point, error }| {
        GamesError::Saved(GameMovesError::Play(number, size, point, error))
    })?;
    Ok(Game { players, winner: game.winner.or(by_code), ..game })
}

/// The games of a list, one in each line.
fn of_moves(text: &str, letters: Letters, rule: Rule) -> Result<Vec<Game>, GamesError> {
    let game = |(line, text): (usize, &str)| {
        let moves = letters.parse_moves_and_passes(text).map_err(|error| GamesError::Moves(line, error))?;
        Game::new(letters.size(), moves, rule).map_err(|error| GamesError::Game(line, error))
    };
    opening_lines(text).map(game).collect()
}

fn of_numbered(text: &str, letters: Letters, rule: Rule) -> Result<Vec<Game>, GamesError> {
    let games = numbered_games(text, letters)?.into_iter().map(|numbered| {
        let game = Game::new(letters.size(), numbered.moves, rule);
        let game = game.map_err(|error| GamesError::Game(numbered.line, error))?;
        Ok(Game { players: numbered.players, ..game })
    });
    games.collect()
}

/// The games of a match record.
fn of_record(bytes: &[u8], defaults: GameDefaults) -> Result<Vec<Game>, GamesError> {
    let (mut rule, mut size) = (None, defaults.size);
    let (mut reader, mut games) = (RecordReader::default(), Vec::new());
    for (number, line) in record_lines(bytes) {
        match reader.read::<Value>(line).map_err(|error| GamesError::Record(number, error))? {
            RecordLine::Match(config) => (rule, size) = conditions(&config, number)?,
            RecordLine::Game(record) => {
                let game = of_arena(*record, size, rule.unwrap_or(defaults.rule));
                let game = game.map_err(|error| GamesError::Game(number, error))?;
                games.push(Game { rule, ..game });
            }
        }
    }
    Ok(games)
}

/// The rule and the size in the configuration of a match.
fn conditions(config: &Value, line: usize) -> Result<(Option<Rule>, Size), GamesError> {
    let text = |key| config.get(key).and_then(Value::as_str);
    let rule = text("rule").and_then(|rule| rule.parse().ok()).ok_or(GamesError::Match(line, "rule"))?;
    let size = text("size").and_then(|size| size.parse().ok()).ok_or(GamesError::Match(line, "size"))?;
    Ok((Some(rule), size))
}

fn of_arena(record: GameRecord, size: Size, rule: Rule) -> Result<Game, UnplayableError> {
    // A forfeit says nothing about the positions.
    let is_known = !record.end.is_forfeit();
    let winner = match record.winner {
        Winner::Black => Some(Color::Black),
        Winner::White => Some(Color::White),
        Winner::Draw => None,
    };
    let moves: Vec<Option<Point>> = record.opening.0.into_iter().chain(record.moves.0).map(Some).collect();
    let game = Game::claimed(size, moves, rule, is_known.then_some(winner))?;
    Ok(Game { players: [record.black, record.white], ..game })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::LibraryKind;
    use super::*;
    use crate::notation::Ranks;

    const DEFAULTS: GameDefaults = GameDefaults { size: Size::FIFTEEN, rule: Rule::Freestyle, ranks: Ranks::Top };

    fn read(kind: SourceKind, text: &str) -> Vec<Game> {
        read_games(kind, text.as_bytes(), DEFAULTS).unwrap()
    }

    fn error(kind: SourceKind, text: &str) -> String {
        read_games(kind, text.as_bytes(), DEFAULTS).unwrap_err().to_string()
    }

    fn points(text: &str, ranks: Ranks) -> Vec<Option<Point>> {
        Letters::new(Size::FIFTEEN).counted_from(ranks).parse_moves_and_passes(text).unwrap()
    }

    #[test]
    fn a_saved_game_has_the_winner_of_its_row_not_that_of_its_judge() {
        let row = "1,1,0\n1,3,0\n2,1,0\n2,3,0\n3,1,0\n3,3,0\n4,1,0\n4,3,0\n";
        let saved = |last: &str, judged: u8| {
            let text = format!("Piskvorky 15x15, 11:11, 0\n{row}{last}a\nb\n-1\n{judged},Freestyle_1\n");
            read(SourceKind::Psq, &text).remove(0).winner
        };
        assert_eq!(saved("5,1,0\n", 2), Some(Some(Color::Black)));
        assert_eq!(saved("9,9,0\n", 2), Some(Some(Color::White)));
        assert_eq!(saved("9,9,0\n", 0), Some(None));
        let winner =
            |end: &str| read(SourceKind::Psq, &format!("Piskvorky 15x15, 0:0, 0\n{row}a\nb\n{end}\n")).remove(0).winner;
        assert_eq!(
            (winner("15"), winner("15\n1,Freestyle_1"), winner("0")),
            (Some(Some(Color::White)), Some(Some(Color::Black)), None)
        );
        assert_eq!(
            error(SourceKind::Psq, "Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0"),
            "move 2, h8: the point is occupied"
        );
        assert_eq!(read(SourceKind::Rec, "a\nb\n0,0,0\n-1").remove(0).players, ["a", "b"].map(str::to_owned));
        let gbk = read_games(SourceKind::Psq, b"Piskvorky 15x15, 0:0, 0\n8,8,0\n\xBA\xDA\nb\n0", DEFAULTS).unwrap();
        assert_eq!(gbk[0].players[0], "黑");
    }

    #[test]
    fn lists_are_read_with_the_size_and_ranks_of_the_caller() {
        let games = read(SourceKind::Moves, "# list\r\n\r\na1b2--\r\nc3\n");
        assert_eq!(
            games.iter().map(|game| game.moves.clone()).collect::<Vec<_>>(),
            [points("a1 b2 --", Ranks::Top), points("c3", Ranks::Top)]
        );
        assert_eq!((games[0].size, games[0].rule, games[0].winner), (Size::FIFTEEN, None, None));
        assert_eq!(error(SourceKind::Moves, "h8\n\nh8 x"), "line 3: \"x\": expected a point such as h8");
        assert_eq!(error(SourceKind::Moves, "h8\nh8h8"), "line 2: move 2, h8: the point is occupied");
    }

    #[test]
    fn numbered_moves_count_ranks_from_the_bottom() {
        let games = read(SourceKind::Numbered, "[White \"b\"]\n\n1. a1 b2");
        assert_eq!(games[0].moves, points("a1 b2", Ranks::Bottom));
        assert_eq!(games[0].players[1], "b");
        assert_eq!(error(SourceKind::Numbered, "\n1. h8 h8"), "line 2: move 2, h8: the point is occupied");
    }

    #[test]
    fn a_game_of_renlib_has_fifteen_points_a_side() {
        let games = read_games(SourceKind::Pos, b"\x05\x70\x71\x6f\xf0\x72", DEFAULTS).unwrap();
        assert_eq!(games[0].moves, points("h8 i8 g8 -- j8", Ranks::Bottom));
        assert!(read_games(SourceKind::Pos, b"\x02\x70\x70", DEFAULTS).is_err());
    }

    const GAME: &str = r#"{"game":"0-1.0a","black":"a","white":"b","winner":"white","end":"row","detail":"","opening":"7,7 8,8","moves":"0,0 19,19","times":[1,2],"said":[],"wall":3}"#;

    #[test]
    fn a_record_states_the_rule_and_size_of_its_games() {
        let heading = r#"{"format":2,"match":{"rule":"caro_overline","size":"20","games":2}}"#;
        let cut = &GAME[..100];
        let games = read(SourceKind::Record, &format!("\u{feff}{heading}\n{GAME}\n\n{cut}"));
        assert_eq!(games.len(), 1);
        let Game { size, moves, winner, rule, players } = &games[0];
        let expected = Letters::new(Size::TWENTY).parse_moves_and_passes("h13 i12 a20 t1").unwrap();
        assert_eq!(
            (*size, moves, *winner, *rule),
            (Size::TWENTY, &expected, Some(Some(Color::White)), Some(Rule::CaroOverline))
        );
        assert_eq!(players, &["a", "b"].map(str::to_owned));
        let forfeited = GAME.replace("row", "time");
        assert_eq!(read(SourceKind::Record, &format!("{heading}\n{forfeited}")).remove(0).winner, None);
        // Without a heading, the board is that of the caller.
        assert_eq!(error(SourceKind::Record, GAME), "line 1: move 4, t0: the point lies outside the board");
        let unknown = r#"{"format":2,"match":{"rule":"go","size":"20"}}"#;
        assert_eq!(error(SourceKind::Record, unknown), "line 1: a match of an unknown rule");
        assert!(read(SourceKind::Record, &format!("{heading}\n{cut}")).is_empty());
        assert!(error(SourceKind::Record, cut).starts_with("line 1: "));
        assert!(error(SourceKind::Record, &format!("{heading}\n{GAME}\n{cut}\n{GAME}\n")).starts_with("line 3: "));
    }

    #[test]
    fn files_of_trees_and_positions_are_refused() {
        for kind in [SourceKind::Sgf, SourceKind::Json, SourceKind::Library(LibraryKind::RenLib)] {
            assert!(matches!(read_games(kind, b"", DEFAULTS), Err(GamesError::NotGames(_))), "{kind}");
        }
        assert_eq!(error(SourceKind::Sgf, ""), "SGF is not read as single games");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

        #[test]
        fn damaged_files_never_panic(
            flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
            cut in any::<prop::sample::Index>(),
        ) {
            let heading = r#"{"format":2,"match":{"rule":"renju","size":"20"}}"#;
            let samples = [
                (SourceKind::Psq, "Piskvorky 15x15, 11:11, 1\n8,8,0\n9,9,5\na\nb\n-1\n1,x\n".to_owned()),
                (SourceKind::Rec, "a\nb\n8,8,0\n9,9,5\n-1\n".to_owned()),
                (SourceKind::Pos, "\u{5}pqor\n".to_owned()),
                (SourceKind::Record, format!("{heading}\n{GAME}\n")),
                (SourceKind::Moves, "h8i9j10\n# x\na1 -- b2\n".to_owned()),
                (SourceKind::Numbered, "[Black \"x\"]\n\n1. h8 i9 2.j10 --\n".to_owned()),
            ];
            for (kind, text) in samples {
                let mut bytes = text.into_bytes();
                for (place, byte) in &flips {
                    let place = place.index(bytes.len());
                    bytes[place] ^= byte;
                }
                for bytes in [&bytes[..], &bytes[..cut.index(bytes.len())]] {
                    let _ = read_games(kind, bytes, DEFAULTS);
                    let _ = SourceKind::detect("a.pos", bytes);
                }
            }
        }
    }
}
