//! One game: two engines, an opening, the referee between them.

use std::time::Instant;

use super::config::Conduct;
use super::engine::{Answer, Engine, Trouble};
use super::record::{End, GameId, GameRecord, Leg, Said, Winner};
use super::referee::Referee;
use super::swap2;
use super::words::{self, Word};
use crate::board::{ByColor, Color, Outcome, PlayError, Point};
use crate::notation::Moves;
use crate::opening::lists::Opening;

/// Why a game came to no result.
#[derive(Debug)]
pub(super) enum Broken {
    /// The match was broken off.
    Interrupted,
    /// An engine could not be started: its name, and why.
    Spawn(String, std::io::Error),
}

/// A game in play.
pub(super) struct Game {
    referee: Referee,
    stones: Vec<Point>,
    known: ByColor<Option<usize>>,
    times: Vec<u64>,
    said: Vec<Said>,
}

/// How a game came to its end.
pub(super) struct Finish {
    pub(super) winner: Winner,
    pub(super) end: End,
    pub(super) detail: String,
}

/// What stops a game: its end, or the match's.
pub(super) enum Stop {
    Finished(Finish),
    Broken(Broken),
}

impl Finish {
    pub(super) fn lost_by(color: Color, end: End, detail: String) -> Self {
        Self { winner: Winner::color(!color), end, detail }
    }
}

impl From<Outcome> for Finish {
    fn from(outcome: Outcome) -> Self {
        let end = match outcome {
            Outcome::Row { .. } => End::Row,
            Outcome::Foul { .. } => End::Foul,
            Outcome::Draw => End::Draw,
        };
        Self { winner: outcome.winner().map_or(Winner::Draw, Winner::color), end, detail: outcome.to_string() }
    }
}

/// Plays a game to its end. `first` and `second` are the engines of the pairing, in its order.
pub(super) fn play(
    id: GameId,
    opening: &Opening,
    conduct: &Conduct,
    first: &mut Engine,
    second: &mut Engine,
) -> Result<GameRecord, Broken> {
    let started = Instant::now();
    let (mut black, mut white) = if id.leg == Leg::Straight { (first, second) } else { (second, first) };
    let mut game = Game::new(conduct);
    let mut answers = Vec::new();
    let prepared = game.prepare(opening, black, white).and_then(|()| {
        if conduct.swap2 && swap2::negotiate(&mut game, black, white, &mut answers)? {
            std::mem::swap(&mut black, &mut white);
        }
        Ok(())
    });
    let opening_stones = game.stones.len();
    let stop = prepared.and_then(|()| game.play_out(black, white));
    let finish = match stop {
        Ok(finish) | Err(Stop::Finished(finish)) => finish,
        Err(Stop::Broken(broken)) => return Err(broken),
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
        swap2: answers,
        times: game.times,
        moves: Moves(moves),
        said: game.said,
        wall: started.elapsed().as_millis() as u64,
    })
}

impl Game {
    fn new(conduct: &Conduct) -> Self {
        Self {
            referee: Referee::new(conduct.size, conduct.rule, conduct.draw_after),
            stones: Vec::new(),
            known: ByColor([None, None]),
            times: Vec::new(),
            said: Vec::new(),
        }
    }

    pub(super) fn stones(&self) -> &[Point] {
        &self.stones
    }

    /// Starts both engines and puts the opening on the board.
    fn prepare(&mut self, opening: &Opening, black: &mut Engine, white: &mut Engine) -> Result<(), Stop> {
        for (engine, color) in [(black, Color::Black), (white, Color::White)] {
            let ready = engine.new_game();
            self.hear(engine);
            ready.map_err(|trouble| stop(trouble, engine, color))?;
        }
        for &point in opening {
            self.put(point).map_err(|flaw| Stop::Finished(opening_flaw(flaw)))?;
        }
        if opening.is_empty() {
            self.known = ByColor([Some(0), Some(0)]);
        }
        Ok(())
    }

    /// Puts a stone of an opening that must not end the game.
    pub(super) fn put(&mut self, point: Point) -> Result<(), Flaw> {
        let outcome = self.referee.play(point).map_err(Flaw::Illegal)?;
        self.stones.push(point);
        outcome.map_or(Ok(()), |outcome| Err(Flaw::Over(outcome)))
    }

    fn play_out(&mut self, black: &mut Engine, white: &mut Engine) -> Result<Finish, Stop> {
        loop {
            let color = self.referee.turn();
            let engine = if color == Color::Black { &mut *black } else { &mut *white };
            let request = words::move_request(&self.stones, self.known[color]);
            let is_move = |word: &Word| matches!(word, Word::Points(points) if points.len() == 1);
            let Answer { word, time } = self.ask(engine, color, request, is_move)?;
            let Word::Points(points) = word else { continue };
            let point = points[0];
            let outcome = match self.referee.play(point) {
                Ok(outcome) => outcome,
                Err(reason) => {
                    let trouble = engine.forfeit(End::Illegal, format!("played {}: {reason}", point.comma()));
                    return Err(stop(trouble, engine, color));
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

    /// Asks an engine and keeps what it says beside its answer.
    pub(super) fn ask(
        &mut self,
        engine: &mut Engine,
        color: Color,
        request: Vec<String>,
        answers: impl Fn(&Word) -> bool,
    ) -> Result<Answer, Stop> {
        let answer = engine.ask(request, answers);
        self.hear(engine);
        answer.map_err(|trouble| stop(trouble, engine, color))
    }

    fn hear(&mut self, engine: &mut Engine) {
        let ply = self.stones.len();
        self.said.extend(engine.take_said().into_iter().map(|text| Said { ply, text }));
    }
}

/// Why a stone of an opening does not fit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flaw {
    Illegal(PlayError),
    Over(Outcome),
}

/// The match has checked its openings before; what is left is a draw after fewer stones than the opening has.
fn opening_flaw(flaw: Flaw) -> Finish {
    match flaw {
        Flaw::Over(outcome) => outcome.into(),
        Flaw::Illegal(error) => {
            Finish { winner: Winner::Draw, end: End::Draw, detail: format!("the opening: {error}") }
        }
    }
}

/// What trouble with an engine of this color means for the game.
pub(super) fn stop(trouble: Trouble, engine: &Engine, color: Color) -> Stop {
    match trouble {
        Trouble::Forfeit(end, detail) => Stop::Finished(Finish::lost_by(color, end, detail)),
        Trouble::Interrupted => Stop::Broken(Broken::Interrupted),
        Trouble::Spawn(error) => Stop::Broken(Broken::Spawn(engine.name().to_owned(), error)),
    }
}
