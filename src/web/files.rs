//! Reads and writes files of games: PSQ, SGF, lists of moves, links, records of the arena.

use std::ops::Range;

use serde::Deserialize;
use serde_json::{Value, json};

use super::Failure;
use super::game::{Played, names};
use super::message::{GameText, GameToWrite, TextToRead};
use super::tree;
use crate::board::{Color, Outcome, Rule, Size};
use crate::explain::verdict;
use crate::notation::record::{EngineLine, GameRecord, RecordLine, RecordReader, record_lines};
use crate::notation::{
    GameMoves, GameMovesError, Letters, Moves, Pasted, PastedError, Psq, PsqResult, SavedGame, read_pasted,
};
use crate::score::Score;
use crate::text::{as_text, without_mark};

/// Maximum number of games that one file gives to the page.
const MOST_GAMES: usize = 5000;

/// Maximum size in bytes of a line of a record: twice the longest game with all lines of its engines.
const LONGEST_LINE: usize = 8 << 20;

/// Reads the games of a text and detects its format. The first line of a record may state size and rule; a record never
/// holds a continuous game. A PSQ file states its size, SGF its size and often its rule. A link of this board states
/// size, rule and whether the game is continuous.
///
/// # Errors
/// At the first line or word that is not part of a game, and if a game cannot be played. Places are counted as scripts
/// of the page count them, in units of UTF-16.
pub(super) fn read(file: &TextToRead) -> Result<Value, Failure> {
    let &TextToRead { ref text, size, rule, continuous, ranks, .. } = file;
    let whole = text;
    let text = without_mark(text);
    if text.trim().is_empty() {
        return Err(Failure::File("is empty"));
    }
    let of_record = |record: GameMoves, rest| {
        game(&GameText { size: record.size, rule, continuous, moves: Moves(record.moves) }, rest)
    };
    let games = if GameMoves::is_psq(text) {
        let saved = SavedGame::read(text)?;
        let (winner, end) = stated_result(&saved, rule, continuous)?;
        let SavedGame { record, times, players, .. } = saved;
        vec![of_record(record, json!({ "times": times, "players": players, "winner": winner, "end": end }))?]
    } else if text.trim_start().starts_with('{') {
        of_arena(text, size, rule)?
    } else {
        let start = whole.len() - text.len();
        let read = if text.trim_start().starts_with('(') {
            tree::of_sgf(text, rule, continuous)
        } else {
            pasted(text, Letters::new(size).counted_from(ranks), rule, continuous).map(|game| vec![game])
        };
        read.map_err(|failure| match failure {
            Failure::Place(Range { start: first, end }, failure) => {
                Failure::Place(units(whole, start + first)..units(whole, start + end), failure)
            }
            failure => failure,
        })?
    };
    if games.len() > MOST_GAMES {
        return Err(Failure::File("holds more than 5000 games"));
    }
    if games.is_empty() { Err(Failure::File("holds no game")) } else { Ok(json!({ "games": games })) }
}

/// The winner and the end that a saved game states, in the words of the page; nothing if its last stone has ended it. As in a
/// library, the judge counts for more than a forbidden point, and a row for more than the judge. The code of a game that was
/// played out does not make it a draw: earlier versions of the board gave it to all but games lost on time.
fn stated_result(
    saved: &SavedGame,
    rule: Rule,
    continuous: bool,
) -> Result<(Option<String>, Option<&'static str>), Failure> {
    let is_decided = !continuous
        && match saved.record.end(rule)? {
            Some((_, Outcome::Foul { .. })) => saved.judged.is_none(),
            end => end.is_some(),
        };
    let by_time = saved.is_lost_on_time().then(|| saved.winner_by_code()).flatten();
    Ok(match saved.judged.or(by_time).filter(|_| !is_decided) {
        Some(winner) => {
            let winner = winner.map_or_else(|| "draw".to_owned(), |winner| winner.to_string());
            (Some(winner), Some(if saved.is_lost_on_time() { "time" } else { "claimed" }))
        }
        None => (None, None),
    })
}

/// The number of units of UTF-16 before a byte of a text.
fn units(text: &str, byte: usize) -> usize {
    text.char_indices().take_while(|&(at, _)| at < byte).map(|(_, sign)| sign.len_utf16()).sum()
}

/// The game of a pasted text.
fn pasted(text: &str, letters: Letters, rule: Rule, continuous: bool) -> Result<Value, Failure> {
    let Pasted { size, rule: stated, moves } = read_pasted(text, letters)
        .map_err(|PastedError { place, problem }| Failure::Place(place, Box::new(problem.into())))?;
    let (rule, continuous) = stated.unwrap_or((rule, continuous));
    let (moves, places): (Vec<_>, Vec<_>) = moves.into_iter().unzip();
    game(&GameText { size, rule, continuous, moves: Moves(moves) }, json!({})).map_err(|failure| {
        let number = match failure {
            Failure::Over(number) | Failure::Record(GameMovesError::Play(number, ..)) => number,
            _ => return failure,
        };
        places.get(number - 1).map_or(failure.clone(), |place| Failure::Place(place.clone(), Box::new(failure)))
    })
}

/// What the page reads of the description of a match.
#[derive(Deserialize)]
struct RecordedMatch {
    #[serde(with = "as_text")]
    size: Size,
    #[serde(with = "as_text")]
    rule: Rule,
}

/// The games of a record of the arena. Its first line may describe the match.
fn of_arena(text: &str, mut size: Size, mut rule: Rule) -> Result<Vec<Value>, Failure> {
    let (mut games, mut reader) = (Vec::new(), RecordReader::default());
    for (number, line) in record_lines(text.as_bytes()) {
        if line.len() > LONGEST_LINE {
            return Err(Failure::FileLine(number, format!("longer than {} MiB", LONGEST_LINE >> 20)));
        }
        let in_line = |error: serde_json::Error| Failure::FileLine(number, error.to_string());
        let record = match reader.read(line).map_err(in_line)? {
            RecordLine::<RecordedMatch>::Match(config) => {
                (size, rule) = (config.size, config.rule);
                continue;
            }
            RecordLine::Game(record) => record,
        };
        let on_line = |failure: Failure| Failure::FileLine(number, failure.to_string());
        games.push(of_record(&record, size, rule).map_err(on_line)?);
        if games.len() > MOST_GAMES {
            return Err(Failure::FileLine(number, format!("more than {MOST_GAMES} games")));
        }
    }
    Ok(games)
}

/// A game of the arena in the form of the page.
///
/// # Errors
/// When a move cannot be played.
pub(super) fn of_record(record: &GameRecord, size: Size, rule: Rule) -> Result<Value, Failure> {
    let moves = Moves(record.opening.0.iter().chain(&record.moves.0).copied().collect());
    let said = |line: &EngineLine| json!({ "ply": line.ply, "text": line.text, "verdict": verdict(line) });
    let times: Vec<_> = record.to_psq(size).moves.into_iter().map(|(_, time)| time).collect();
    let rest = json!({
        "name": record.game.to_string(),
        "players": [record.black, record.white],
        "winner": record.winner,
        "end": record.end,
        "detail": record.detail,
        "opening": record.opening.0.len(),
        "negotiation": record.negotiation,
        "times": times,
        "said": record.said.iter().map(said).collect::<Vec<_>>(),
    });
    game(&GameText { size, rule, continuous: false, moves }, rest)
}

/// The verdict on the position before a move, from the score that its engine wrote as Tengen, Yixin and Rapfi do: `ev 30`,
/// `ev +M7`.
fn verdict(line: &EngineLine) -> Option<Value> {
    let turn = Color::after(line.ply);
    let score = line.text.split_whitespace().skip_while(|&word| word != "ev").nth(1)?;
    let score = score.trim_end_matches(|sign: char| !sign.is_ascii_digit());
    match score.split_once('M') {
        Some((sign, plies)) => Some(verdict::of_result(if sign == "-" { !turn } else { turn }, plies.parse().ok())),
        None => Some(verdict::of_score(Score::from_value(score.parse().ok()?), turn)),
    }
}

/// A game as JSON: its moves, after a check that they can be played, the winning row at their end, and its other fields.
fn game(game: &GameText, mut rest: Value) -> Result<Value, Failure> {
    let played = Played::of(game)?;
    rest["size"] = game.size.side().into();
    rest["rule"] = game.rule.to_string().into();
    rest["continuous"] = game.continuous.into();
    rest["row"] = names(played.row().iter()).into();
    rest["moves"] = names(played.moves).join(" ").into();
    Ok(rest)
}

/// A game as a PSQ file.
///
/// # Errors
/// When a move cannot be played.
pub(super) fn psq(write: &GameToWrite) -> Result<Value, Failure> {
    let GameToWrite { game, times, players: [black, white], is_time } = write;
    let played = Played::of(game)?;
    let result = if *is_time {
        PsqResult::Time
    } else if played.has_outcome() {
        PsqResult::PlayedOut
    } else {
        PsqResult::Other
    };
    let times = times.iter().copied().chain(std::iter::repeat(0));
    let psq =
        Psq { size: game.size, moves: played.moves.into_iter().zip(times).collect(), players: [black, white], result };
    Ok(json!({ "text": psq.to_string() }))
}
