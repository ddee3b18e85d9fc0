//! One game: two engines, an opening, the referee between them.

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use super::engine::{Answer, Engine, EngineError};
use super::messages::{self, Response};
use super::negotiate::negotiate;
use super::referee::Referee;
use crate::arena::config::GameConfig;
use crate::board::{Board, ByColor, Color, Outcome, Point, PointSet};
use crate::notation::record::{EngineLine, GameEnd, GameId, GameRecord, Leg, Winner};
use crate::notation::{Comma, Moves};
use crate::opening::lists::Opening;

/// Why a game has no result.
#[derive(Debug)]
pub(in crate::arena) enum GameError {
    /// The match was interrupted.
    Interrupted,
    /// The engine of this name could not be started, with what was tried.
    Spawn(String, String, io::Error),
    /// The transcript of an engine could not be written to this file.
    Transcript(PathBuf, io::Error),
}

/// Bytes of the lines that are no answers and are kept of one game; later ones are not.
const LINES_LIMIT: usize = 1 << 20;

/// A game in play.
pub(super) struct Game {
    referee: Referee,
    stones: Vec<Point>,
    /// The number of stones that the engine of each color knows of; `None` before its first request.
    known: ByColor<Option<usize>>,
    times: Vec<u64>,
    other_lines: Vec<EngineLine>,
    bytes_of_lines: usize,
}

/// The end of a game.
pub(super) struct Finish {
    pub(super) winner: Winner,
    pub(super) end: GameEnd,
    pub(super) detail: String,
}

/// Why a game stops: it is over, or it has no result.
pub(super) enum Stop {
    Finished(Finish),
    Failed(GameError),
}

impl Finish {
    pub(super) fn lost_by(color: Color, end: GameEnd, detail: String) -> Self {
        Self { winner: Winner::color(!color), end, detail }
    }
}

impl From<Outcome> for Finish {
    fn from(outcome: Outcome) -> Self {
        let end = match outcome {
            Outcome::Row { .. } => GameEnd::Row,
            Outcome::Foul { .. } => GameEnd::Foul,
            Outcome::Draw => GameEnd::Draw,
        };
        Self { winner: outcome.winner().map_or(Winner::Draw, Winner::color), end, detail: outcome.to_string() }
    }
}

/// Plays a game to its end. `first` and `second` are the engines of the pairing, in its order.
pub(in crate::arena) fn play(
    id: GameId,
    opening: &Opening,
    config: &GameConfig,
    first: &mut Engine,
    second: &mut Engine,
) -> Result<GameRecord, GameError> {
    let started = Instant::now();
    let (mut black, mut white) = if id.leg == Leg::Straight { (first, second) } else { (second, first) };
    let mut game = Game::new(config);
    let mut answers = Vec::new();
    let prepared = game.prepare(opening, black, white).and_then(|()| {
        if negotiate(config.procedure, &mut game, black, white, &mut answers)? {
            std::mem::swap(&mut black, &mut white);
        }
        Ok(())
    });
    let opening_stones = game.stones.len();
    let stop = prepared.and_then(|()| game.play_out(black, white));
    let finish = match stop {
        Ok(finish) | Err(Stop::Finished(finish)) => finish,
        Err(Stop::Failed(error)) => return Err(error),
    };
    let moves = game.stones.split_off(opening_stones);
    Ok(GameRecord {
        game: id,
        black: black.name().to_owned(),
        white: white.name().to_owned(),
        winner: finish.winner,
        end: finish.end,
        detail: finish.detail,
        opening: Moves(game.stones),
        negotiation: answers,
        times: game.times,
        moves: Moves(moves),
        said: game.other_lines,
        wall: started.elapsed().as_millis() as u64,
    })
}

impl Game {
    fn new(config: &GameConfig) -> Self {
        Self {
            referee: Referee::new(config.size, config.rule, config.draw_after),
            stones: Vec::new(),
            known: ByColor([None, None]),
            times: Vec::new(),
            other_lines: Vec::new(),
            bytes_of_lines: 0,
        }
    }

    pub(super) const fn board(&self) -> &Board {
        self.referee.board()
    }

    /// Starts both engines and puts the opening on the board.
    fn prepare(&mut self, opening: &Opening, black: &mut Engine, white: &mut Engine) -> Result<(), Stop> {
        for (engine, color) in [(black, Color::Black), (white, Color::White)] {
            let ready = engine.new_game();
            self.collect_lines(engine);
            ready.map_err(|error| stop(error, engine, color))?;
        }
        for &point in opening {
            self.put(point)?;
        }
        if opening.is_empty() {
            self.known = ByColor([Some(0), Some(0)]);
        }
        Ok(())
    }

    /// Puts a stone of an opening. Openings are checked before a match and answers of a procedure before they get here, so
    /// a stone can end the game only by the draw after fewer stones than the opening has.
    pub(super) fn put(&mut self, point: Point) -> Result<(), Stop> {
        let played = self.referee.play(point).map_err(|error| {
            let detail = format!("the opening: {error}");
            Stop::Finished(Finish { winner: Winner::Draw, end: GameEnd::Draw, detail })
        })?;
        self.stones.push(point);
        played.map_or(Ok(()), |outcome| Err(Stop::Finished(outcome.into())))
    }

    fn play_out(&mut self, black: &mut Engine, white: &mut Engine) -> Result<Finish, Stop> {
        loop {
            let color = self.referee.turn();
            let engine = if color == Color::Black { &mut *black } else { &mut *white };
            let request = messages::move_request(&self.stones, &PointSet::EMPTY, self.known[color]);
            let is_move =
                |response: &Response, _: &str| matches!(response, Response::Points(points) if points.len() == 1);
            let Answer { response, time } = self.ask(engine, color, request, is_move)?;
            let Response::Points(points) = response else { continue };
            let point = points[0];
            let outcome = match self.referee.play(point) {
                Ok(outcome) => outcome,
                Err(reason) => {
                    let error = engine.forfeit(GameEnd::Illegal, format!("played {}: {reason}", Comma(point)));
                    return Err(stop(error, engine, color));
                }
            };
            self.stones.push(point);
            self.times.push(time.as_millis() as u64);
            self.known[color] = Some(self.stones.len());
            if let Some(outcome) = outcome {
                return Ok(outcome.into());
            }
        }
    }

    /// Asks an engine and keeps its lines that are no answer.
    pub(super) fn ask(
        &mut self,
        engine: &mut Engine,
        color: Color,
        request: Vec<String>,
        answers: impl FnMut(&Response, &str) -> bool,
    ) -> Result<Answer, Stop> {
        let answer = engine.ask(request, answers);
        self.collect_lines(engine);
        answer.map_err(|error| stop(error, engine, color))
    }

    fn collect_lines(&mut self, engine: &mut Engine) {
        let ply = self.stones.len();
        for text in engine.take_other_lines() {
            self.bytes_of_lines += text.len();
            if self.bytes_of_lines <= LINES_LIMIT {
                self.other_lines.push(EngineLine { ply, text });
            }
        }
    }
}

/// What an error of the engine of this color means for the game.
pub(super) fn stop(error: EngineError, engine: &Engine, color: Color) -> Stop {
    match error {
        EngineError::Forfeit(end, detail) => Stop::Finished(Finish::lost_by(color, end, detail)),
        EngineError::Interrupted => Stop::Failed(GameError::Interrupted),
        EngineError::Spawn(tried, error) => Stop::Failed(GameError::Spawn(engine.name().to_owned(), tried, error)),
        EngineError::Transcript(path, error) => Stop::Failed(GameError::Transcript(path, error)),
    }
}
