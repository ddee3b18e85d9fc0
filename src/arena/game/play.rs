//! One game: two engines, an opening, the referee between them.

use std::time::Instant;

use super::engine::{Abort, Engine, EngineError};
use super::messages;
use crate::arena::config::GameConfig;
use crate::board::{ByColor, Color, Outcome, Point, PointSet, Referee};
use crate::notation::record::{EngineLine, GameEnd, GameId, GameRecord, Leg, Winner};
use crate::notation::{Comma, Moves};
use crate::opening::lists::Opening;
use crate::opening::{Negotiation, Procedure, Seat, Step};

/// Maximum number of bytes of lines without an answer that are kept of one game; later lines are dropped.
const LINES_LIMIT: usize = 1 << 20;

/// A game in play.
struct RunningGame {
    referee: Referee,
    stones: Vec<Point>,
    /// The number of stones that the engine of each color knows; `None` before its first request.
    known: ByColor<Option<usize>>,
    times: Vec<u64>,
    /// The answers to the questions of the opening procedure, each after the name of its engine.
    negotiation: Vec<String>,
    other_lines: Vec<EngineLine>,
    bytes_of_lines: usize,
}

/// The end of a game.
struct Finish {
    winner: Winner,
    end: GameEnd,
    detail: String,
}

/// The reason to stop a game: it is over, or it has no result.
enum Stop {
    Finished(Finish),
    Aborted(Abort),
}

impl From<Outcome> for Finish {
    fn from(outcome: Outcome) -> Self {
        let winner = outcome.winner().map_or(Winner::Draw, Winner::color);
        Self { winner, end: outcome.into(), detail: outcome.to_string() }
    }
}

impl Stop {
    /// The effect on the game of an error of the engine with this color.
    fn by(error: EngineError, color: Color) -> Self {
        match error {
            EngineError::Forfeit(end, detail) => Self::Finished(Finish { winner: Winner::color(!color), end, detail }),
            EngineError::Abort(abort) => Self::Aborted(abort),
        }
    }
}

/// Plays a game to its end. `first` and `second` are the engines of the pairing, in its order.
pub(in crate::arena) fn play(
    id: GameId,
    opening: &Opening,
    config: &GameConfig,
    first: &mut Engine,
    second: &mut Engine,
) -> Result<GameRecord, Abort> {
    let started = Instant::now();
    let (mut black, mut white) = if id.leg == Leg::Straight { (first, second) } else { (second, first) };
    let mut game = RunningGame::new(config);
    let prepared = game.prepare(opening, black, white).and_then(|()| {
        if game.negotiate(config.procedure, black, white)? {
            std::mem::swap(&mut black, &mut white);
        }
        Ok(())
    });
    let opening_stones = game.stones.len();
    let Finish { winner, end, detail } = match prepared.and_then(|()| game.play_out(black, white)) {
        Ok(finish) | Err(Stop::Finished(finish)) => finish,
        Err(Stop::Aborted(abort)) => return Err(abort),
    };
    let moves = game.stones.split_off(opening_stones);
    Ok(GameRecord {
        game: id,
        black: black.spec.name.clone(),
        white: white.spec.name.clone(),
        winner,
        end,
        detail,
        opening: Moves(game.stones),
        negotiation: game.negotiation,
        times: game.times,
        moves: Moves(moves),
        said: game.other_lines,
        wall: started.elapsed().as_millis() as u64,
    })
}

impl RunningGame {
    fn new(config: &GameConfig) -> Self {
        Self {
            referee: Referee::new(config.size, config.rule, config.draw_after),
            stones: Vec::new(),
            known: ByColor([None, None]),
            times: Vec::new(),
            negotiation: Vec::new(),
            other_lines: Vec::new(),
            bytes_of_lines: 0,
        }
    }

    /// Places the opening and starts both engines. The stones come first, so that the record of a game that an engine
    /// forfeits at its start names the opening.
    fn prepare(&mut self, opening: &Opening, black: &mut Engine, white: &mut Engine) -> Result<(), Stop> {
        opening.iter().try_for_each(|&point| self.put(point))?;
        for (engine, color) in [(black, Color::Black), (white, Color::White)] {
            let ready = engine.new_game();
            self.judge(ready, engine, color)?;
        }
        if opening.is_empty() {
            self.known = ByColor([Some(0), Some(0)]);
        }
        Ok(())
    }

    /// Places a stone of an opening. Openings are checked before a match, and the answers of a procedure before this call,
    /// so a stone can end the game only if the match calls a draw at fewer stones than the opening has.
    fn put(&mut self, point: Point) -> Result<(), Stop> {
        let played = self.referee.play(point).map_err(|error| {
            let detail = format!("the opening: {error}");
            Stop::Finished(Finish { winner: Winner::Draw, end: GameEnd::Draw, detail })
        })?;
        self.stones.push(point);
        played.map_or(Ok(()), |outcome| Err(Stop::Finished(outcome.into())))
    }

    /// Asks both engines what the opening procedure asks. Returns whether the opener plays white. Until that is decided the
    /// opener counts as black, even in the record of a forfeit.
    fn negotiate(&mut self, procedure: Procedure, opener: &mut Engine, other: &mut Engine) -> Result<bool, Stop> {
        let board = self.referee.board();
        let mut negotiation = Negotiation::new(procedure, board.size(), board.rule());
        loop {
            let (engine, color) = match negotiation.step() {
                Step::Ask(Seat::Opener, _) => (&mut *opener, Color::Black),
                Step::Ask(Seat::Other, _) => (&mut *other, Color::White),
                Step::Agreed { black } => return Ok(black == Seat::Other),
            };
            let asked = engine.ask_opening(&negotiation);
            let (answer, _) = self.judge(asked, engine, color)?;
            self.negotiation.push(format!("{} {answer}", engine.spec.name));
            let known = negotiation.stones().len();
            if let Err(error) = negotiation.answer(answer) {
                let detail = format!("answered {procedure} with {answer}: {error}");
                return Err(Stop::by(engine.forfeit(GameEnd::Illegal, detail), color));
            }
            negotiation.stones()[known..].iter().try_for_each(|&point| self.put(point))?;
        }
    }

    fn play_out(&mut self, black: &mut Engine, white: &mut Engine) -> Result<Finish, Stop> {
        loop {
            let color = self.referee.turn();
            let engine = if color == Color::Black { &mut *black } else { &mut *white };
            let asked = engine.ask_move(&messages::move_request(&self.stones, &PointSet::EMPTY, self.known[color]));
            let (point, time) = self.judge(asked, engine, color)?;
            let outcome = self.referee.play(point).map_err(|reason| {
                let detail = format!("played {}: {reason}", Comma(point));
                Stop::by(engine.forfeit(GameEnd::Illegal, detail), color)
            })?;
            self.stones.push(point);
            self.times.push(time.as_millis() as u64);
            self.known[color] = Some(self.stones.len());
            if let Some(outcome) = outcome {
                return Ok(outcome.into());
            }
        }
    }

    /// The answer of the engine with this color, or the end of the game. Keeps the engine's lines without an answer.
    fn judge<T>(&mut self, asked: Result<T, EngineError>, engine: &mut Engine, color: Color) -> Result<T, Stop> {
        let ply = self.stones.len();
        for text in engine.take_other_lines() {
            self.bytes_of_lines += text.len();
            if self.bytes_of_lines <= LINES_LIMIT {
                self.other_lines.push(EngineLine { ply, text });
            }
        }
        asked.map_err(|error| Stop::by(error, color))
    }
}
