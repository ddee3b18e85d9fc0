//! [`Guest`]: one engine without an opponent, asked for single answers by the keeper of the game.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::engine::{Engine, EngineError, EngineOptions};
use super::messages;
use super::process::Halt;
use crate::arena::config::{EngineDialect, EngineSpec, GameConfig, MOST_NODES, TimeControl};
use crate::board::{Board, ContinuousGame, Point, PointSet, Size};
use crate::notation::Comma;
use crate::notation::record::GameEnd;
use crate::opening::{self, Negotiation, Procedure, ProcedureAnswer};
use crate::protocol::YIXIN_UNLIMITED_TURN;
use crate::protocol::rule_number::RuleInfo;

/// The limits of a guest's answer. Times are in milliseconds; 0 means no limit.
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
    /// [`YIXIN_UNLIMITED_TURN`], or the time of the game if that is longer: 0 would ask for an answer at once, and an
    /// engine that never gets the line may use its own limit or never move.
    fn apply(self, mut spec: EngineSpec) -> EngineSpec {
        let Self { turn, left, increment, nodes, depth } = self;
        let turn = if turn > 0 { turn } else { left.max(YIXIN_UNLIMITED_TURN) };
        spec.time = TimeControl { turn, game: left, increment, tolerance: spec.time.tolerance };
        for (key, most) in [("max_node", nodes.min(MOST_NODES)), ("max_depth", depth.into())] {
            if most > 0 {
                spec.add_info(key, &most.to_string());
            }
        }
        spec
    }

    /// Whether an engine that has received these limits needs no new `INFO` lines for the other ones. `time_left` is
    /// sent with each question.
    fn covers(self, other: Self) -> bool {
        (self.left > 0) == (other.left > 0) && Self { left: 0, ..self } == Self { left: 0, ..other }
    }
}

/// The answer of a guest.
#[derive(Clone, Debug)]
pub struct GuestAnswer<T> {
    /// The answer.
    pub answer: T,
    /// The time that it took.
    pub time: Duration,
    /// Its last lines that were not the answer.
    pub said: Vec<String>,
}

/// An engine that is asked about one position after another. The first question starts its process. A failure, and a
/// question with another board, rule or time, start a new one.
#[derive(Debug)]
pub struct Guest {
    spec: EngineSpec,
    options: EngineOptions,
    seated: Option<SeatedGuest>,
}

/// An engine that was prepared for a game.
#[derive(Debug)]
struct SeatedGuest {
    engine: Engine,
    game: GameConfig,
    /// Whether the game continues after a five.
    continuous: bool,
    limits: GuestLimits,
    /// `None` when the position that the engine knows is uncertain.
    known: Option<Known>,
}

/// The position that an engine was told.
#[derive(Debug)]
struct Known {
    /// The stones, its own answer among them.
    stones: Vec<Point>,
    /// The walls that it was sent. It may not know that a five has turned into walls.
    walls: PointSet,
}

impl Known {
    const NOTHING: Self = Self { stones: Vec::new(), walls: PointSet::EMPTY };
}

impl SeatedGuest {
    /// Takes the lines of an engine that has been asked, and its answer.
    fn answer<T>(&mut self, asked: Result<(T, Duration), EngineError>) -> Result<GuestAnswer<T>, EngineError> {
        let said = self.engine.take_other_lines().into();
        asked.map(|(answer, time)| GuestAnswer { answer, time, said })
    }
}

impl Guest {
    /// A guest that has not been started. `supervisor` is the program above it, as in a match. The halt gives up the
    /// question that is being asked, for good.
    pub fn new(spec: EngineSpec, supervisor: Option<PathBuf>, halt: Arc<Halt>) -> Self {
        let options = EngineOptions { supervisor, transcripts: None, halt, continuous: false };
        Self { spec, options, seated: None }
    }

    /// Asks for the move of the side to move. Waits for the answer, at most for the time and its tolerance.
    ///
    /// An engine that knows other stones is restarted and gets the whole board. The same happens after each five of a
    /// continuous game, as in Piskvork: `TURN` does not report walls, and an engine that ignores bit 2 of the rule learns
    /// of them too.
    ///
    /// # Errors
    /// When the engine cannot be started, fails, is late, or plays where no stone can be placed.
    pub fn choose(
        &mut self,
        size: Size,
        rule: RuleInfo,
        stones: &[Point],
        limits: GuestLimits,
    ) -> Result<GuestAnswer<Point>, EngineError> {
        let guest = self.prepare(size, rule, Procedure::Plain, limits)?;
        let board = board(size, rule, stones);
        let walls = board.walls();
        let follows = |known: &Known| stones.starts_with(&known.stones) && known.walls == walls;
        if !guest.known.as_ref().is_some_and(|known| known.stones.is_empty() || follows(known)) {
            guest.engine.restart()?;
            guest.known = Some(Known::NOTHING);
        }
        let known = guest.known.take().filter(follows).map(|known| known.stones.len());
        let asked = guest.engine.ask_move(&messages::move_request(stones, &walls, known));
        let told = guest.answer(asked)?;
        if let Err(reason) = board.check_empty(told.answer) {
            let detail = format!("played {}: {reason}", Comma(told.answer));
            return Err(guest.engine.forfeit(GameEnd::Illegal, detail));
        }
        guest.known = Some(Known { stones: [stones, &[told.answer]].concat(), walls });
        Ok(told)
    }

    /// Asks the next question of an opening procedure, in a game that may be continuous.
    ///
    /// # Errors
    /// Those of [`choose`](Self::choose), and an answer that the procedure does not allow.
    pub fn negotiate(
        &mut self,
        negotiation: &Negotiation,
        rule: RuleInfo,
        limits: GuestLimits,
    ) -> Result<GuestAnswer<ProcedureAnswer>, EngineError> {
        let procedure = negotiation.procedure();
        let guest = self.prepare(negotiation.board().size(), rule, procedure, limits)?;
        guest.known = None;
        let asked = guest.engine.ask_opening(negotiation);
        let told = guest.answer(asked)?;
        if let Err(error) = negotiation.clone().answer(told.answer) {
            let detail = format!("answered {procedure} with {}: {error}", told.answer);
            return Err(guest.engine.forfeit(GameEnd::Illegal, detail));
        }
        Ok(told)
    }

    /// Ends its process as the protocol asks.
    pub fn end(&mut self) {
        if let Some(mut guest) = self.seated.take() {
            guest.engine.end();
        }
    }

    /// Starts the engine and a game, unless it is in one like this. The engine is never suspended, and its process
    /// continues from game to game.
    fn prepare(
        &mut self,
        size: Size,
        RuleInfo { rule, continuous }: RuleInfo,
        procedure: Procedure,
        limits: GuestLimits,
    ) -> Result<&mut SeatedGuest, EngineError> {
        if continuous && self.spec.dialect == EngineDialect::Yixin {
            let detail = "Yixin's dialect has no words for a continuous game";
            return Err(EngineError::Forfeit(GameEnd::Nonsense, detail.to_owned()));
        }
        let game =
            GameConfig { rule, size, draw_after: None, procedure, suspend: false, restart: false, strict: false };
        let is_ready = self.seated.as_ref().is_some_and(|guest| {
            (guest.game, guest.continuous) == (game, continuous)
                && guest.limits.covers(limits)
                && guest.engine.is_running()
        });
        if !is_ready {
            self.end();
        }
        let guest = match self.seated.take() {
            Some(guest) => guest,
            None => {
                let options = EngineOptions { continuous, ..self.options.clone() };
                let mut engine = Engine::new(limits.apply(self.spec.clone()), game, options);
                engine.new_game()?;
                SeatedGuest { engine, game, continuous, limits, known: Some(Known::NOTHING) }
            }
        };
        let guest = self.seated.insert(guest);
        guest.engine.clock.left = (limits.left > 0).then(|| Duration::from_millis(limits.left));
        Ok(guest)
    }
}

/// The board after these stones, with the walls of a continuous game. Stones that cannot be played are skipped.
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
