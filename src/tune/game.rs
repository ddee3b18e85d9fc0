//! One game of the engine against itself, and what its searches find.
//!
//! ```text
//! size ─► random opening, kept if undecided ─► search ─► play ─► … ─► outcome, or even for long on a full board
//!                                                └► in every other position a random move, quiet? search ─► stray
//! ```

use std::fmt;
use std::time::Duration;

use super::opening::{Opening, random_near};
use super::record::{Found, GameRecord, GameSettings, Ply, Stray, VisitShares};
use super::selfplay::NewPicker;
use crate::board::{Board, Color, Point, Size};
use crate::picker::{Deadlines, Evaluation, Limits, MoveStatistics, Question, Reason};
use crate::player::{Answered, Player, Request};
use crate::position::ThreatBoard;
use crate::rng::Rng;
use crate::score::Score;
use crate::threat::{Threat, ThreatSets};
use crate::weights::{WeightedPosition, Weighting};

/// Random openings of one game before it gives up. Hand-set: in 1,000 games of each rule on 15 × 15 with 2,000 nodes at most
/// 3.3 % of the openings were decided, and no game took more than three.
const OPENING_TRIES: usize = 100;

/// The number of positions of which one is left by a random move. Hand-set: no match has tried another.
const STRAY_EVERY: usize = 2;

/// What the nodes of a move are divided by for a position off the game. Hand-set: no match has tried another.
const STRAY_NODES: u64 = 2;

/// The greatest score, exclusive and of either sign, in a game that is as good as drawn. Of the games of mix9, a network
/// of Rapfi, against others of its kind 51 % were drawn, and nodes spent on them teach little; 10 points are a chance to
/// win of 51 %. Hand-set: no match has tried another.
const EVEN_SCORE: i32 = 10;

/// The plies in a row with such scores after which a game is drawn. Hand-set: no match has tried another.
const EVEN_PLIES: usize = 8;

/// The hundredths of the points that must be taken before such a ply counts: even openings go on. Hand-set: no match has
/// tried another.
const EVEN_FROM: usize = 60;

/// Bytes of the transposition table. Hand-set: some thousands of nodes need no more.
const TABLE_BYTES: usize = 1 << 20;

/// Bytes of a tree for each playout: half of them give a node its 40 children, of 32 bytes each.
const PLAYOUT_BYTES: u64 = 1 << 10;

/// Bytes of the table for each node of a long search: more than most nodes take.
const ENTRY_BYTES: u64 = 16;

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
pub(super) struct Searcher {
    player: Player,
    evaluation: Evaluation,
    /// The memory of a search for each of its nodes, beside a small table.
    bytes_per_node: u64,
}

/// The answer of a search.
pub(super) struct Searched {
    /// The position, as it was.
    position: WeightedPosition,
    pub(super) best: Point,
    pub(super) score: Score,
    visits: VisitShares,
}

impl Searcher {
    pub(super) fn new(picker: NewPicker, evaluation: Evaluation) -> Self {
        // Every search has a limit of nodes: the time of one without a limit is never needed.
        Self { player: Player::inline(Box::new(picker), Duration::ZERO), evaluation, bytes_per_node: 0 }
    }

    /// The same for a picker that keeps a tree.
    pub(super) fn with_tree(picker: NewPicker, evaluation: Evaluation) -> Self {
        Self { bytes_per_node: PLAYOUT_BYTES, ..Self::new(picker, evaluation) }
    }

    /// The same with a table that keeps what long searches find.
    pub(super) fn with_table(picker: NewPicker, evaluation: Evaluation) -> Self {
        Self { bytes_per_node: ENTRY_BYTES, ..Self::new(picker, evaluation) }
    }

    /// Forgets what earlier searches have left behind.
    pub(super) fn clear(&mut self) {
        self.player.clear();
    }

    /// Searches a position with this many nodes.
    pub(super) fn search(&mut self, position: WeightedPosition, nodes: u64) -> Result<Searched, GameError> {
        let evaluation = self.evaluation;
        let grown = usize::try_from(nodes.saturating_mul(self.bytes_per_node)).unwrap_or(usize::MAX);
        let memory = TABLE_BYTES.max(grown);
        let limits = Limits { nodes: Some(nodes), memory: Some(memory), evaluation, ..Limits::default() };
        let request = Request { question: Question::MOVE, position, limits, deadlines: Deadlines::NONE };
        self.player.ask(request, &mut |_| {});
        let Answered { position, answer, info } = self.player.take_answered().ok_or(GameError::Picker)?;
        let score = match answer.reason {
            Reason::Search { score, .. } => score,
            // Too few nodes for a first depth: no score was found, and the position counts as even.
            Reason::Unfinished if answer.nodes > 0 => Score::ZERO,
            // The fallback of the player, which searches nothing.
            _ => return Err(GameError::Picker),
        };
        let best = answer.choice().ok_or(GameError::Picker)?.point;
        let visits = info.map_or_else(VisitShares::default, |info| targets(&info.moves));
        Ok(Searched { position, best, score, visits })
    }
}

/// The shares of the visits that are to be learnt: those of a winning move alone, and none of moves that lose beside one
/// that does not, however many visits the proof has taken. Where a position is as good as lost, values no longer tell proved
/// losses apart: a move with more visits than the best is one.
fn targets(moves: &[MoveStatistics]) -> VisitShares {
    let is_won = |known: &MoveStatistics| known.value == MoveStatistics::ONE;
    let is_lost = |known: &MoveStatistics| known.value == 0;
    let Some((best, others)) = moves.split_first() else { return VisitShares::default() };
    let others = others.iter().filter(|other| !is_won(best) && (is_lost(best) || !is_lost(other)));
    let others = others.filter(|other| other.visits <= best.visits);
    VisitShares::of(std::iter::once(best).chain(others).map(|known| (known.point, known.visits)))
}

/// A game in play.
struct Game<'a> {
    settings: &'a GameSettings,
    searcher: &'a mut Searcher,
    rng: Rng,
    plies: Vec<Ply>,
    /// The threats of the position, moved along with it.
    threats: ThreatBoard,
}

/// Plays a game.
///
/// # Errors
/// When every opening that was tried is decided, or the picker fails.
pub(super) fn play(settings: &GameSettings, number: u32, searcher: &mut Searcher) -> Result<GameRecord, GameError> {
    let mut rng = game_rng(settings.seed, number);
    let size = settings.sizes.draw(&mut rng);
    let (position, opening) = undecided_opening(settings, size, searcher, &mut rng)?;
    searcher.clear();
    let threats = ThreatBoard::new(position.board().clone());
    let Opening { kind, moves, .. } = opening;
    let plies = moves.iter().map(|&point| Ply { point, found: None, stray: None }).collect();
    let (plies, winner) = Game { settings, searcher, rng, plies, threats }.play_out(position)?;
    let opening_plies = moves.len() as u16;
    Ok(GameRecord { number, size, winner, opening: kind, opening_plies, plies })
}

/// The random numbers of a game.
///
/// The state of the generator grows by a constant with each number, so that near states share their numbers: the number
/// of the game is hashed, by a step of the generator, before it joins the seed.
const fn game_rng(seed: u64, number: u32) -> Rng {
    Rng::new(seed ^ Rng::new(number as u64).next_u64())
}

impl Game<'_> {
    /// Plays on from a position to the end; returns the plies of the whole game and its winner.
    fn play_out(mut self, mut position: WeightedPosition) -> Result<(Vec<Ply>, Option<Color>), GameError> {
        let mut even_plies = 0;
        loop {
            let mover = position.board().turn();
            let searched = self.searcher.search(position, self.settings.nodes.get())?;
            let Searched { best: point, score, visits, .. } = searched;
            position = searched.position;
            let found = Found { best: point, score, visits, is_quiet: is_quiet(&self.threats) };
            let stray = if self.rng.below(STRAY_EVERY) == 0 { self.stray(&position)? } else { None };
            even_plies = if is_even(position.board(), score) { even_plies + 1 } else { 0 };
            let outcome = position.board().outcome_of(point, mover);
            position.play(point);
            self.threats.play(point);
            self.plies.push(Ply { point, found: Some(found), stray });
            if let Some(outcome) = outcome {
                return Ok((self.plies, outcome.winner()));
            }
            if even_plies == EVEN_PLIES {
                return Ok((self.plies, None));
            }
        }
    }

    /// A position one random move off the game, labelled by a smaller search: search trees are full of such positions.
    /// `None` where it is not quiet or over.
    fn stray(&mut self, position: &WeightedPosition) -> Result<Option<Stray>, GameError> {
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
        let nodes = (self.settings.nodes.get() / STRAY_NODES).max(1);
        let Searched { best, score, visits, .. } = self.searcher.search(position, nodes)?;
        Ok(Some(Stray { point, best, score, visits }))
    }
}

/// A random opening behind which a search sees neither a win nor a loss.
fn undecided_opening(
    settings: &GameSettings,
    size: Size,
    searcher: &mut Searcher,
    rng: &mut Rng,
) -> Result<(WeightedPosition, Opening), GameError> {
    for _ in 0..OPENING_TRIES {
        let opening = Opening::random(settings.rule, size, rng);
        searcher.clear();
        let position = WeightedPosition::new(opening.board.clone(), Weighting::default());
        let searched = searcher.search(position, settings.nodes.get())?;
        if !searched.score.is_decided() {
            return Ok((searched.position, opening));
        }
    }
    Err(GameError::DecidedOpenings(OPENING_TRIES))
}

/// Whether a game with this score of the side to move is as good as drawn, if it stays so.
fn is_even(board: &Board, score: Score) -> bool {
    board.stone_count() * 100 >= board.size().area() * EVEN_FROM && score.value().abs() < EVEN_SCORE
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::notation::parse_comma;

    #[test]
    fn visits_of_a_proof_are_no_target() {
        let [win, loss, even, other] = ["0,0", "1,0", "2,0", "3,0"].map(|name| parse_comma(name).unwrap());
        let known = |(point, visits, value)| MoveStatistics { point, visits, prior: 0, value };
        let learnt = |moves: &[(Point, u32, u32)]| -> Vec<_> {
            let moves: Vec<_> = moves.iter().map(|&known_move| known(known_move)).collect();
            targets(&moves).iter().map(|(point, _)| point).collect()
        };
        assert_eq!(learnt(&[(win, 1, 10_000), (even, 99, 5000)]), [win]);
        assert_eq!(learnt(&[(even, 9, 5000), (other, 3, 4000), (loss, 99, 0)]), [even, other]);
        assert_eq!(learnt(&[(loss, 9, 0), (other, 3, 0)]), [loss, other]);
        assert_eq!(learnt(&[(win, 0, 10_000)]), [], "a proof without playouts");
        assert_eq!(learnt(&[]), []);
    }

    #[test]
    fn the_games_of_a_seed_share_no_random_numbers() {
        for seed in [0, 1, 43, u64::MAX] {
            let mut seen = BTreeSet::new();
            for number in 0..1_000 {
                let mut rng = game_rng(seed, number);
                assert!((0..30).all(|_| seen.insert(rng.next_u64())), "seed {seed}, game {number}");
            }
        }
    }
}
