//! [`Guest`]: one engine without an opponent, asked for single answers by whoever keeps the game.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::engine::{Answer as Asked, Engine, EngineError, EngineOptions};
use super::halt::Halt;
use super::inquiry::Inquiry;
use super::messages::{self, Response};
use crate::arena::config::{EngineDialect, EngineSpec, GameConfig, MOST_NODES, TimeControl};
use crate::board::{Board, ContinuousGame, Point, PointSet, RuleInfo, Size};
use crate::notation::Comma;
use crate::notation::record::GameEnd;
use crate::opening::{self, Negotiation, Procedure, ProcedureAnswer};

/// `timeout_turn` for "no limit", Yixin-Board's number: 0 would ask for an answer at once, and an engine that never gets
/// the line may take a limit of its own or never move.
const NO_TURN_LIMIT: u64 = 2_000_000;

/// What bounds an answer of a guest; times are in milliseconds, and 0 means no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GuestLimits {
    /// The time of each move.
    pub turn: u64,
    /// The time left for the game.
    pub left: u64,
    /// The time that each move adds to the game's.
    pub increment: u64,
    /// Nodes of each move, sent as `max_node`.
    pub nodes: u64,
    /// Plies of each search, sent as `max_depth`.
    pub depth: u32,
}

impl GuestLimits {
    /// The description of an engine with these limits in place of its own. Without a limit on the move it gets
    /// [`NO_TURN_LIMIT`], or the time of the game where that is longer.
    fn apply(self, mut spec: EngineSpec) -> EngineSpec {
        let Self { turn, left, increment, nodes, depth } = self;
        let turn = if turn > 0 { turn } else { left.max(NO_TURN_LIMIT) };
        spec.time = TimeControl { turn, game: left, increment, tolerance: spec.time.tolerance };
        for (key, most) in [("max_node", nodes.min(MOST_NODES)), ("max_depth", depth.into())] {
            if most > 0 {
                spec.add_info(key, &most.to_string());
            }
        }
        spec
    }

    /// Whether an engine that was told these limits knows the other ones: `time_left` is sent with each question.
    fn covers(self, other: Self) -> bool {
        (self.left > 0) == (other.left > 0) && Self { left: 0, ..self } == Self { left: 0, ..other }
    }
}

/// Why a guest gave no answer.
#[derive(Debug)]
pub enum GuestError {
    /// It failed as an engine, and is started anew for the next question: the reason, and the same in words.
    Failed(GameEnd, String),
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
    /// The engine with the game and the limits that it was prepared for.
    engine: Option<(Game, GuestLimits, Engine)>,
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
        limits: GuestLimits,
    ) -> Result<GuestAnswer<Point>, GuestError> {
        self.prepare(game(size, rule, Procedure::PLAIN), limits)?;
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
        let Some(point) = point else { return Err(self.fail(GameEnd::Nonsense, "no move".to_owned())) };
        if let Err(reason) = board.check_empty(point) {
            return Err(self.fail(GameEnd::Illegal, format!("played {}: {reason}", Comma(point))));
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
        limits: GuestLimits,
    ) -> Result<GuestAnswer<ProcedureAnswer>, GuestError> {
        let (board, procedure) = (negotiation.board(), negotiation.procedure());
        self.prepare(game(board.size(), rule, procedure), limits)?;
        self.known = None;
        let Some(mut inquiry) = Inquiry::new(negotiation, self.spec.dialect) else {
            return Err(self.fail(GameEnd::Nonsense, format!("no words for {procedure}")));
        };
        let (mut time, mut said) = (Duration::ZERO, Vec::new());
        let answer = loop {
            let (_, taken, lines) = self.ask(inquiry.request(), |response, line| inquiry.read(response, line))?;
            time += taken;
            said.extend(lines);
            match inquiry.answer() {
                Some(Ok(answer)) => break *answer,
                Some(Err(outside)) => return Err(self.fail(GameEnd::Illegal, outside.to_string())),
                None => {}
            }
        };
        match negotiation.clone().answer(answer) {
            Ok(()) => Ok(GuestAnswer { answer, time, said }),
            Err(error) => Err(self.fail(GameEnd::Illegal, format!("answered {procedure} with {answer}: {error}"))),
        }
    }

    /// Ends its process as the protocol has it.
    pub fn end(&mut self) {
        if let Some((_, _, mut engine)) = self.engine.take() {
            engine.end();
        }
    }

    /// Starts the engine and a game, where it is not in one like this.
    fn prepare(&mut self, game: Game, limits: GuestLimits) -> Result<(), GuestError> {
        if game.continuous && self.spec.dialect == EngineDialect::Yixin {
            let detail = "Yixin's dialect has no words for a continuous game";
            return Err(GuestError::Failed(GameEnd::Nonsense, detail.to_owned()));
        }
        let is_ready = self.engine.as_ref().is_some_and(|(old_game, old_limits, engine)| {
            *old_game == game && old_limits.covers(limits) && engine.is_running()
        });
        if !is_ready {
            self.end();
            self.known = None;
            let options = EngineOptions { continuous: game.continuous, ..self.options.clone() };
            let mut engine = Engine::new(limits.apply(self.spec.clone()), game.config, options);
            engine.new_game().map_err(error)?;
            self.known = Some(Known::NOTHING);
            self.engine = Some((game, limits, engine));
        }
        if let Some((_, _, engine)) = &mut self.engine {
            engine.set_left((limits.left > 0).then(|| Duration::from_millis(limits.left)));
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
    fn fail(&mut self, end: GameEnd, detail: String) -> GuestError {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::game::messages::game_infos;
    use crate::board::Rule;

    fn infos(limits: GuestLimits) -> String {
        let spec = EngineSpec::parse(["cmd=a", "nodes=7"]).unwrap();
        game_infos(&limits.apply(spec), RuleInfo { rule: Rule::Freestyle, continuous: false }).join(", ")
    }

    #[test]
    fn an_engine_without_a_limit_on_the_move_is_not_asked_to_answer_at_once() {
        let by_nodes = infos(GuestLimits { nodes: 5000, ..GuestLimits::default() });
        assert!(by_nodes.starts_with("INFO timeout_turn 2000000, INFO timeout_match 0,"), "{by_nodes}");
        assert!(by_nodes.ends_with("INFO max_node 5000"), "the engine's own limit gives way: {by_nodes}");
        let by_clock = infos(GuestLimits { left: 60_000, increment: 500, ..GuestLimits::default() });
        assert!(by_clock.starts_with("INFO timeout_turn 2000000, INFO timeout_match 60000,"), "{by_clock}");
        let by_hour = infos(GuestLimits { left: 3_600_000, ..GuestLimits::default() });
        assert!(by_hour.starts_with("INFO timeout_turn 3600000, INFO timeout_match 3600000,"), "{by_hour}");
        let by_move = infos(GuestLimits { turn: 300, depth: 4, nodes: u64::MAX, ..GuestLimits::default() });
        assert!(by_move.starts_with("INFO timeout_turn 300, INFO timeout_match 0,"), "{by_move}");
        assert!(by_move.ends_with("INFO max_node 1000000000000000, INFO max_depth 4"), "{by_move}");
    }
}
