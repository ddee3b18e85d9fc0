//! `replay`: reads a game in any supported format and steps through it.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;
use std::time::Duration;

use crate::arena::config::MatchConfig;
use crate::arena::journal;
use crate::board::{Rule, Size};
use crate::explain::replay::{Judge, Replay, Walk};
use crate::notation::record::{GameId, RecordLine, RecordReader, record_lines};
use crate::notation::{GameMoves, GameMovesError, Letters, PointError, SavedGame};
use crate::picker::{Level, Limits, SearchControl};
use crate::protocol::Settings;
use crate::text::Quoted;
use anyhow::{Context, anyhow, bail, ensure};

use super::args::Game;
use super::output::print;
use super::tasks;

/// Replays a game: move by move on a terminal, otherwise all at once.
pub(super) fn replay(game: &Game, settings: &Settings) -> anyhow::Result<()> {
    let (record, rule) = read(game)?;
    tasks::check_size(game.size, record.size)?;
    let rule = game.rule.or(rule).unwrap_or_default();
    tasks::check_networks(settings, rule)?;
    let judge = Judge {
        picker: settings.picker,
        weighting: settings.weighting,
        // A move of the book has no score of a search, and a level judges weakly.
        limits: Limits { book: None, level: Level::FULL, ..settings.limits(SearchControl::default()) },
        time: Duration::from_millis(game.time),
    };
    let replay = Replay::of(record, rule, &judge)?;
    ensure!(game.number.is_none_or(|number| number <= replay.len()), "the game has {} moves", replay.len());
    if !io::stdout().is_terminal() {
        print(&replay)?;
        return game.number.map_or(Ok(()), |number| print(&format_args!("\n{}", replay.position(number))));
    }
    let mut walk = Walk::new(&replay, &judge, game.number.unwrap_or(0));
    print(&replay)?;
    print(&walk.show())?;
    for line in io::stdin().lock().lines() {
        let Some(text) = walk.line(&line?) else { break };
        print(&text)?;
    }
    Ok(())
}

/// Reads the game of the arguments, and its rule if the record contains one.
fn read(game: &Game) -> anyhow::Result<(GameMoves, Option<Rule>)> {
    let letters = Letters::new(game.size.unwrap_or(Size::FIFTEEN)).counted_from(game.ranks);
    if let [word] = &game.game[..] {
        let path = Path::new(word);
        if tasks::is_stdin(path) || path.exists() && !path.is_dir() {
            let read = tasks::read(path, journal::MOST_BYTES).and_then(|text| of_text(&text, letters, game.id));
            return read.with_context(|| if tasks::is_stdin(path) { "stdin".to_owned() } else { word.clone() });
        }
    }
    refuse_id(game.id)?;
    let moves =
        GameMoves::from_letters(&game.game.join(" "), letters).map_err(|error| match (&game.game[..], &error) {
            ([word], GameMovesError::Moves(moves)) if moves.error != PointError::OffBoard => {
                anyhow!("{} is neither a file nor a list of moves such as h8i9j10", Quoted(word))
            }
            _ => error.into(),
        });
    Ok((moves?, None))
}

/// Parses a game after detecting its format from the text.
fn of_text(text: &str, letters: Letters, id: Option<GameId>) -> anyhow::Result<(GameMoves, Option<Rule>)> {
    if text.trim_start().starts_with('{') {
        return of_arena(text, letters.size(), id);
    }
    refuse_id(id)?;
    if GameMoves::is_psq(text) {
        return Ok((SavedGame::read(text)?.record, None));
    }
    Ok((GameMoves::from_letters(text, letters)?, None))
}

/// Fails if `--id` was given. Only a record holds several games.
fn refuse_id(id: Option<GameId>) -> anyhow::Result<()> {
    ensure!(id.is_none(), "--id is for a record of tengen-arena");
    Ok(())
}

/// Parses a game from the lines of an arena record. The first line may describe the match.
fn of_arena(text: &str, mut size: Size, id: Option<GameId>) -> anyhow::Result<(GameMoves, Option<Rule>)> {
    let (mut rule, mut reader) = (None, RecordReader::default());
    for (number, line) in record_lines(text.as_bytes()) {
        let game = match reader.read(line).with_context(|| format!("line {number}"))? {
            RecordLine::<MatchConfig>::Match(config) => {
                (rule, size) = (Some(config.game.rule), config.game.size);
                continue;
            }
            RecordLine::Game(game) => game,
        };
        if id.is_none_or(|id| id == game.game) {
            let moves = game.opening.0.into_iter().chain(game.moves.0).collect();
            return Ok((GameMoves { size, moves }, rule));
        }
    }
    match id {
        Some(id) => bail!("the record has no game {id}"),
        None => bail!("the record has no games"),
    }
}
