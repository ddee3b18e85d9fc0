//! [`Guest`]: one engine without an opponent, asked for single answers by whoever keeps the game.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::engine::{Answer as Asked, Engine, EngineError, EngineOptions};
use super::halt::Halt;
use super::inquiry::Inquiry;
use super::messages::{self, Response};
use crate::arena::config::{EngineSpec, GameConfig, TimeControl};
use crate::arena::record::End;
use crate::board::{Point, Rule, Size};
use crate::opening::{Answer, Negotiation, Procedure};

/// The time of a guest for an answer, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GuestTime {
    /// For each move; 0 asks for an answer at once.
    pub turn: u64,
    /// For the rest of the game; 0 is no limit.
    pub left: u64,
    /// Added to the game's after each move.
    pub increment: u64,
}

/// Why a guest gave no answer.
#[derive(Debug)]
pub enum GuestError {
    /// It failed as an engine, and is started anew for the next question: the reason, and the same in words.
    Failed(End, String),
    /// It could not be started, or its transcript not be written.
    Broken(String),
    /// The question was given up.
    Interrupted,
}

impl fmt::Display for GuestError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(_, detail) => f.write_str(detail),
            Self::Broken(detail) => write!(f, "cannot be started: {detail}"),
            Self::Interrupted => f.write_str("the question was given up"),
        }
    }
}

impl std::error::Error for GuestError {}

/// What a guest answered.
#[derive(Clone, Debug)]
pub struct GuestAnswer<T> {
    /// The answer.
    pub answer: T,
    /// The time that it took.
    pub time: Duration,
    /// The last of its lines that were no answers.
    pub said: Vec<String>,
}

/// An engine that is asked about one position after another. Its process is started by the first question, and anew
/// after a failure or for another board, rule or time.
#[derive(Debug)]
pub struct Guest {
    spec: EngineSpec,
    options: EngineOptions,
    /// The engine with the game that it was prepared for.
    engine: Option<(GameConfig, TimeControl, Engine)>,
    /// The stones that it knows of.
    known: Option<Vec<Point>>,
}

impl Guest {
    /// A guest that has not been started. `supervisor` is the program above it, as in a match; the halt gives up the
    /// question that runs, for good.
    pub fn new(spec: EngineSpec, supervisor: Option<PathBuf>, halt: Arc<Halt>) -> Self {
        Self { spec, options: EngineOptions { supervisor, transcripts: None, halt }, engine: None, known: None }
    }

    /// Asks for the move of the side to move. Waits for the answer, at most for the time and its tolerance.
    ///
    /// # Errors
    /// When the engine cannot be started, fails, is late, or plays where no stone can be put.
    pub fn choose(
        &mut self,
        size: Size,
        rule: Rule,
        stones: &[Point],
        time: GuestTime,
    ) -> Result<GuestAnswer<Point>, GuestError> {
        // Some engines take no BOARD without stones: a game that begins anew is a new START.
        if stones.len() < 2 && self.known.as_ref().is_none_or(|known| !stones.starts_with(known)) {
            self.end();
        }
        self.prepare(game(size, rule, Procedure::PLAIN), time)?;
        let follows = |known: &Vec<Point>| stones.starts_with(known);
        let known = self.known.take().filter(follows).map(|known| known.len());
        let is_move = |response: &Response, _: &str| matches!(response, Response::Points(points) if points.len() == 1);
        let (response, time, said) = self.ask(messages::move_request(stones, known), is_move)?;
        let point = if let Response::Points(points) = response { points.first().copied() } else { None };
        let Some(point) = point else { return Err(self.fail(End::Nonsense, "no move".to_owned())) };
        let board = crate::opening::board(size, rule, stones.iter().copied());
        if let Err(reason) = board.check_empty(point) {
            return Err(self.fail(End::Illegal, format!("played {}: {reason}", point.comma())));
        }
        self.known = Some(stones.iter().copied().chain([point]).collect());
        Ok(GuestAnswer { answer: point, time, said })
    }

    /// Asks what an opening procedure asks next.
    ///
    /// # Errors
    /// Those of [`choose`](Self::choose), and an answer that the procedure does not allow.
    pub fn negotiate(
        &mut self,
        negotiation: &Negotiation,
        limits: GuestTime,
    ) -> Result<GuestAnswer<Answer>, GuestError> {
        let (board, procedure) = (negotiation.board(), negotiation.procedure());
        self.prepare(game(board.size(), board.rule(), procedure), limits)?;
        self.known = None;
        let Some(mut inquiry) = Inquiry::new(negotiation, self.spec.dialect) else {
            return Err(self.fail(End::Nonsense, format!("no words for {procedure}")));
        };
        let (mut time, mut said) = (Duration::ZERO, Vec::new());
        let answer = loop {
            let (_, taken, lines) = self.ask(inquiry.request(), |response, line| inquiry.read(response, line))?;
            time += taken;
            said.extend(lines);
            match inquiry.answer() {
                Some(Ok(answer)) => break *answer,
                Some(Err(outside)) => return Err(self.fail(End::Illegal, outside.to_string())),
                None => {}
            }
        };
        match negotiation.clone().answer(answer) {
            Ok(()) => Ok(GuestAnswer { answer, time, said }),
            Err(error) => Err(self.fail(End::Illegal, format!("answered {procedure} with {answer}: {error}"))),
        }
    }

    /// Ends its process as the protocol has it.
    pub fn end(&mut self) {
        if let Some((_, _, mut engine)) = self.engine.take() {
            engine.end();
        }
    }

    /// Starts the engine and a game, where it is not in one like this.
    fn prepare(&mut self, game: GameConfig, time: GuestTime) -> Result<(), GuestError> {
        let tolerance = self.spec.time.tolerance;
        let control = TimeControl { turn: time.turn, game: time.left, increment: time.increment, tolerance };
        let is_same = |control: &TimeControl| {
            (control.turn, control.game > 0, control.increment) == (time.turn, time.left > 0, time.increment)
        };
        let is_ready = self.engine.as_ref().is_some_and(|(old_game, old_control, engine)| {
            *old_game == game && is_same(old_control) && engine.is_running()
        });
        if !is_ready {
            self.end();
            self.known = None;
            let spec = EngineSpec { time: control, ..self.spec.clone() };
            let mut engine = Engine::new(spec, game, self.options.clone());
            engine.new_game().map_err(error)?;
            self.known = Some(Vec::new());
            self.engine = Some((game, control, engine));
        }
        if let Some((_, _, engine)) = &mut self.engine {
            engine.set_left((time.left > 0).then(|| Duration::from_millis(time.left)));
        }
        Ok(())
    }

    fn ask(
        &mut self,
        request: Vec<String>,
        answers: impl FnMut(&Response, &str) -> bool,
    ) -> Result<(Response, Duration, Vec<String>), GuestError> {
        let Some((_, _, engine)) = &mut self.engine else { return Err(GuestError::Interrupted) };
        let asked = engine.ask(request, answers);
        let said = engine.take_other_lines().into();
        let Asked { response, time } = asked.map_err(error)?;
        Ok((response, time, said))
    }

    /// Ends the process of an engine that answered against the rules.
    fn fail(&mut self, end: End, detail: String) -> GuestError {
        self.engine.take().map_or(GuestError::Interrupted, |(_, _, mut engine)| error(engine.forfeit(end, detail)))
    }
}

/// The game of a guest: the engine is never suspended, and its process goes on from game to game.
const fn game(size: Size, rule: Rule, procedure: Procedure) -> GameConfig {
    GameConfig { rule, size, draw_after: None, procedure, suspend: false, restart: false, strict: false }
}

fn error(error: EngineError) -> GuestError {
    match error {
        EngineError::Forfeit(end, detail) => GuestError::Failed(end, detail),
        EngineError::Interrupted => GuestError::Interrupted,
        EngineError::Spawn(tried, error) => GuestError::Broken(format!("{tried}: {error}")),
        EngineError::Transcript(path, error) => GuestError::Broken(format!("{}: {error}", path.display())),
    }
}
