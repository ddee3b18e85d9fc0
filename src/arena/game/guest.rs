//! [`Guest`]: one engine without an opponent, asked for single answers by whoever keeps the game.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::engine::{Answer as Asked, Engine, EngineError, EngineOptions};
use super::halt::Halt;
use super::inquiry::Inquiry;
use super::messages::{self, Response};
use crate::arena::config::{Dialect, EngineSpec, GameConfig, TimeControl};
use crate::arena::record::End;
use crate::board::{Board, ContinuousGame, Point, PointSet, RuleInfo, Size};
use crate::opening::{self, Answer, Negotiation, Procedure};

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
    engine: Option<(Game, TimeControl, Engine)>,
    known: Option<Known>,
}

/// The game of a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Game {
    config: GameConfig,
    /// Whether it goes on after a five.
    continuous: bool,
}

/// What an engine was told of the position.
#[derive(Debug)]
struct Known {
    /// The stones, its own answer among them.
    stones: Vec<Point>,
    /// The stones that it was told to be walls. It may not know that its own five or the other side's has become one.
    walls: PointSet,
}

impl Known {
    const NOTHING: Self = Self { stones: Vec::new(), walls: PointSet::EMPTY };
}

impl Guest {
    /// A guest that has not been started. `supervisor` is the program above it, as in a match; the halt gives up the
    /// question that runs, for good.
    pub fn new(spec: EngineSpec, supervisor: Option<PathBuf>, halt: Arc<Halt>) -> Self {
        let options = EngineOptions { supervisor, transcripts: None, halt, continuous: false };
        Self { spec, options, engine: None, known: None }
    }

    /// Asks for the move of the side to move. Waits for the answer, at most for the time and its tolerance.
    ///
    /// An engine that knows other stones is restarted and gets the whole board. So it is after each five of a continuous
    /// game, as in Piskvork: `TURN` does not tell of walls, and an engine that ignores bit 2 of the rule learns of them too.
    ///
    /// # Errors
    /// When the engine cannot be started, fails, is late, or plays where no stone can be put.
    pub fn choose(
        &mut self,
        size: Size,
        rule: RuleInfo,
        stones: &[Point],
        time: GuestTime,
    ) -> Result<GuestAnswer<Point>, GuestError> {
        self.prepare(game(size, rule, Procedure::PLAIN), time)?;
        let board = board(size, rule, stones);
        let walls = board.walls();
        let follows = |known: &Known| stones.starts_with(&known.stones) && known.walls == walls;
        if !self.known.as_ref().is_some_and(|known| known.stones.is_empty() || follows(known)) {
            self.restart()?;
        }
        let known = self.known.take().filter(follows).map(|known| known.stones.len());
        let is_move = |response: &Response, _: &str| matches!(response, Response::Points(points) if points.len() == 1);
        let (response, time, said) = self.ask(messages::move_request(stones, &walls, known), is_move)?;
        let point = if let Response::Points(points) = response { points.first().copied() } else { None };
        let Some(point) = point else { return Err(self.fail(End::Nonsense, "no move".to_owned())) };
        if let Err(reason) = board.check_empty(point) {
            return Err(self.fail(End::Illegal, format!("played {}: {reason}", point.comma())));
        }
        self.known = Some(Known { stones: stones.iter().copied().chain([point]).collect(), walls });
        Ok(GuestAnswer { answer: point, time, said })
    }

    /// Asks what an opening procedure asks next, in a game that may be continuous.
    ///
    /// # Errors
    /// Those of [`choose`](Self::choose), and an answer that the procedure does not allow.
    pub fn negotiate(
        &mut self,
        negotiation: &Negotiation,
        rule: RuleInfo,
        limits: GuestTime,
    ) -> Result<GuestAnswer<Answer>, GuestError> {
        let (board, procedure) = (negotiation.board(), negotiation.procedure());
        self.prepare(game(board.size(), rule, procedure), limits)?;
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
    fn prepare(&mut self, game: Game, time: GuestTime) -> Result<(), GuestError> {
        if game.continuous && self.spec.dialect == Dialect::Yixin {
            let detail = "Yixin's dialect has no words for a continuous game";
            return Err(GuestError::Failed(End::Nonsense, detail.to_owned()));
        }
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
            let options = EngineOptions { continuous: game.continuous, ..self.options.clone() };
            let mut engine = Engine::new(spec, game.config, options);
            engine.new_game().map_err(error)?;
            self.known = Some(Known::NOTHING);
            self.engine = Some((game, control, engine));
        }
        if let Some((_, _, engine)) = &mut self.engine {
            engine.set_left((time.left > 0).then(|| Duration::from_millis(time.left)));
        }
        Ok(())
    }

    /// Empties the board of the engine.
    fn restart(&mut self) -> Result<(), GuestError> {
        if let Some((_, _, engine)) = &mut self.engine {
            engine.restart().map_err(error)?;
        }
        self.known = Some(Known::NOTHING);
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
const fn game(size: Size, RuleInfo { rule, continuous }: RuleInfo, procedure: Procedure) -> Game {
    let config = GameConfig { rule, size, draw_after: None, procedure, suspend: false, restart: false, strict: false };
    Game { config, continuous }
}

/// The board after these stones, with the walls of a continuous game. What cannot be played is passed over.
fn board(size: Size, RuleInfo { rule, continuous }: RuleInfo, stones: &[Point]) -> Board {
    if !continuous {
        return opening::board(size, rule, stones.iter().copied());
    }
    let mut game = ContinuousGame::new(size, rule);
    for &stone in stones {
        let _ = game.play(stone);
    }
    game.board().clone()
}

fn error(error: EngineError) -> GuestError {
    match error {
        EngineError::Forfeit(end, detail) => GuestError::Failed(end, detail),
        EngineError::Interrupted => GuestError::Interrupted,
        EngineError::Spawn(tried, error) => GuestError::Broken(format!("{tried}: {error}")),
        EngineError::Transcript(path, error) => GuestError::Broken(format!("{}: {error}", path.display())),
    }
}
