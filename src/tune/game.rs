//! One game of the engine against itself, and the samples drawn from it.
//!
//! ```text
//! random opening, kept if undecided ─► search ─► quiet? sample ─► play ─► … ─► outcome ─► result of every sample
//!                                        └► in every other position a random move, quiet? search ─► sample off the game
//! ```

use std::fmt;
use std::time::Duration;

use super::selfplay::NewPicker;
use super::{Sample, SelfPlayConfig};
use crate::board::{Board, Point};
use crate::picker::{Deadlines, Limits, Question, Reason};
use crate::player::{Answered, Player, Request};
use crate::position::ThreatBoard;
use crate::rng::Rng;
use crate::score::Score;
use crate::threat::{Threat, ThreatSets};
use crate::weights::{WeightedPosition, Weighting};

/// What the number of a game is multiplied by before it joins the seed: 2⁶⁴ divided by the golden ratio, the increment of
/// SplitMix64 (Steele, Lea and Flood, 2014).
const GAME_SEED: u64 = 0x9E37_79B9_7F4A_7C15;

/// The greatest number of stones of a random opening. Hand-set: no match has tried another.
const OPENING_STONES: usize = 9;

/// The least distance from the centre, in steps, within which the first stone of an opening lies; on larger boards up to
/// the side's half is drawn. Hand-set: no match has tried another.
const FIRST_STONE_REACH: usize = 2;

/// Random openings of one game before it gives up. Hand-set: in 1,000 games of each rule on 15 × 15 with 2,000 nodes at most
/// 3.3 % of the openings were decided, and no game took more than three.
const OPENING_TRIES: usize = 100;

/// The number of positions of which one is left by a random move. Hand-set: no match has tried another.
const OFF_GAME_EVERY: usize = 2;

/// What the nodes of a move are divided by for a position off the game. Hand-set: no match has tried another.
const OFF_GAME_NODES: u64 = 2;

/// Bytes of the transposition table. Hand-set: some thousands of nodes need no more.
const TABLE_BYTES: usize = 1 << 20;

/// Why a game has failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameError {
    /// The search saw a win or a loss behind each of this number of random openings.
    DecidedOpenings(usize),
    /// The picker panicked, found no move or answered against the rules.
    Picker,
    /// The game panicked with this message.
    Panicked(String),
}

impl fmt::Display for GameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DecidedOpenings(tries) => {
                write!(f, "each of {tries} random openings is decided: fewer nodes or a larger board may help")
            }
            Self::Picker => f.write_str("the picker panicked, found no move or answered against the rules"),
            Self::Panicked(message) => write!(f, "panicked: {message}"),
        }
    }
}

impl std::error::Error for GameError {}

/// The player of both sides.
pub(super) struct Searcher(Player);

/// What a search has found.
struct Found {
    /// The position, as it was.
    position: WeightedPosition,
    best: Point,
    score: Score,
}

impl Searcher {
    pub(super) fn new(picker: NewPicker) -> Self {
        // Every search has a limit of nodes: the time of one without a limit is never needed.
        Self(Player::inline(Box::new(picker), Duration::ZERO))
    }

    /// Forgets what earlier searches have left behind.
    fn clear(&mut self) {
        self.0.clear();
    }

    /// Searches a position with this many nodes.
    fn search(&mut self, position: WeightedPosition, nodes: u64) -> Result<Found, GameError> {
        let limits = Limits { nodes: Some(nodes), memory: Some(TABLE_BYTES), ..Limits::default() };
        let request = Request { question: Question::MOVE, position, limits, deadlines: Deadlines::NONE };
        self.0.ask(request, &mut |_| {});
        let Answered { position, answer, .. } = self.0.take_answered().ok_or(GameError::Picker)?;
        // Any other reason is that of the player's fallback.
        let Reason::Search { score, .. } = answer.reason else { return Err(GameError::Picker) };
        let best = answer.choice().ok_or(GameError::Picker)?.point;
        Ok(Found { position, best, score })
    }
}

/// A game in play.
struct Game<'a> {
    config: &'a SelfPlayConfig,
    searcher: &'a mut Searcher,
    rng: Rng,
    moves: Vec<Point>,
    /// The threats of the position, moved along with it.
    threats: ThreatBoard,
}

/// Plays a game and returns its samples: those of the game, then those off it.
///
/// # Errors
/// When every opening that was tried is decided, or the picker fails.
pub(super) fn play(config: &SelfPlayConfig, number: u64, searcher: &mut Searcher) -> Result<Vec<Sample>, GameError> {
    let mut rng = Rng::new(config.seed ^ number.wrapping_mul(GAME_SEED));
    let (position, moves) = undecided_opening(config, searcher, &mut rng)?;
    searcher.clear();
    let threats = ThreatBoard::new(position.board().clone());
    Game { config, searcher, rng, moves, threats }.play_out(position)
}

impl Game<'_> {
    /// Plays on from a position to the end.
    fn play_out(mut self, mut position: WeightedPosition) -> Result<Vec<Sample>, GameError> {
        let mut samples = Vec::new();
        let mut off_game = Vec::new();
        let winner = loop {
            let mover = position.board().turn();
            let found = self.searcher.search(position, self.config.nodes.get())?;
            position = found.position;
            if is_quiet(&self.threats) {
                samples.push((mover, self.sample(self.moves.clone(), found.best, found.score)));
            }
            if self.rng.below(OFF_GAME_EVERY) == 0 {
                off_game.extend(self.off_game_sample(&position)?);
            }
            let outcome = position.board().outcome_of(found.best, mover);
            position.play(found.best);
            self.threats.play(found.best);
            self.moves.push(found.best);
            if let Some(outcome) = outcome {
                break outcome.winner();
            }
        };
        let result = |mover| winner.map_or(0.5, |winner| if winner == mover { 1.0 } else { 0.0 });
        let played = samples.into_iter().map(|(mover, sample)| Sample { result: Some(result(mover)), ..sample });
        Ok(played.chain(off_game).collect())
    }

    /// A position one random move off the game, labelled by a smaller search: search trees are full of such positions.
    /// `None` where it is not quiet or over.
    fn off_game_sample(&mut self, position: &WeightedPosition) -> Result<Option<Sample>, GameError> {
        let Some(point) = random_near(position.board(), &mut self.rng) else { return Ok(None) };
        if position.board().outcome_of(point, position.board().turn()).is_some() {
            return Ok(None);
        }
        self.threats.play(point);
        let is_quiet = is_quiet(&self.threats);
        self.threats.undo();
        if !is_quiet {
            return Ok(None);
        }
        let mut position = position.clone();
        position.play(point);
        let found = self.searcher.search(position, (self.config.nodes.get() / OFF_GAME_NODES).max(1))?;
        let moves = self.moves.iter().copied().chain([point]).collect();
        Ok(Some(self.sample(moves, found.best, found.score)))
    }

    fn sample(&self, moves: Vec<Point>, best: Point, score: Score) -> Sample {
        Sample { size: self.config.size, moves, best, chance: score.win_chance(), result: None }
    }
}

/// A random opening behind which a search sees neither a win nor a loss.
fn undecided_opening(
    config: &SelfPlayConfig,
    searcher: &mut Searcher,
    rng: &mut Rng,
) -> Result<(WeightedPosition, Vec<Point>), GameError> {
    for _ in 0..OPENING_TRIES {
        let (board, moves) = random_opening(config, rng);
        searcher.clear();
        let found = searcher.search(WeightedPosition::new(board, Weighting::default()), config.nodes.get())?;
        if !found.score.is_decided() {
            return Ok((found.position, moves));
        }
    }
    Err(GameError::DecidedOpenings(OPENING_TRIES))
}

/// One to nine random stones near each other, none of which ends the game.
fn random_opening(config: &SelfPlayConfig, rng: &mut Rng) -> (Board, Vec<Point>) {
    let mut board = Board::new(config.size, config.rule);
    let mut moves = vec![random_first(config, rng)];
    board.play(moves[0]);
    for _ in 0..rng.below(OPENING_STONES) {
        let Some(point) = random_near(&board, rng) else { break };
        if board.outcome_of(point, board.turn()).is_none() {
            board.play(point);
            moves.push(point);
        }
    }
    (board, moves)
}

/// A random point round the centre, or the centre where that lies off the board.
fn random_first(config: &SelfPlayConfig, rng: &mut Rng) -> Point {
    let half = usize::from(config.size.side()) / 2;
    let reach = FIRST_STONE_REACH + rng.below((half - FIRST_STONE_REACH).max(1));
    let mut offset = || rng.below(2 * reach + 1) as i8 - reach as i8;
    let (dx, dy) = (offset(), offset());
    let centre = config.size.centre();
    let point = centre.x().checked_add_signed(dx).zip(centre.y().checked_add_signed(dy));
    point.and_then(|(x, y)| config.size.point(x, y)).unwrap_or(centre)
}

/// A random empty point near the stones; `None` where there is none.
fn random_near(board: &Board, rng: &mut Rng) -> Option<Point> {
    let near: Vec<_> = board.near_stones().iter().collect();
    if near.is_empty() { None } else { Some(near[rng.below(near.len())]) }
}

/// Whether a position is quiet, so that a search would ask the evaluation: no five and no open four of the mover, no five
/// of the other side.
fn is_quiet(threats: &ThreatBoard) -> bool {
    let mover = threats.board().turn();
    let sets: &ThreatSets = threats.sets();
    sets.count(mover, Threat::Five) == 0
        && sets.count(!mover, Threat::Five) == 0
        && sets.count(mover, Threat::OpenFour) == 0
        && sets.count(mover, Threat::DoubleFour) == 0
}
