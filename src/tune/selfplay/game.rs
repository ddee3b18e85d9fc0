//! One game of the engine against itself, and the results of its searches.
//!
//! ```text
//! size ─► random opening, kept if near-even ─► search ─► play ─► … ─► outcome, or a draw by even scores
//!                                                └► in every other position: random move, if quiet search ─► stray
//! ```

use std::time::Duration;

use super::NewPicker;
use super::opening::{Start, random_near};
use crate::board::{Board, Color, Point, Size};
use crate::picker::{Deadlines, Evaluation, Limits, MoveStatistics, Question, Reason};
use crate::player::{Answered, Player, Request};
use crate::position::ThreatBoard;
use crate::rng::Rng;
use crate::score::Score;
use crate::solver::{trap_fours, winning_four};
use crate::threat::{Threat, ThreatSets};
use crate::tune::record::{Found, GameSettings, Ply, SelfPlayGame, Stray, VisitShares};
use crate::weights::{WeightedPosition, Weighting};

/// Maximum number of random openings tried for a game. Hand-set: some 40 % of them are kept.
const OPENING_TRIES: usize = 100;

/// Upper bound of the absolute score after an opening that is kept at once: a chance to win of 27 to 73 %. Hand-set: most
/// random openings are less even, and a game that is decided from its start teaches little about the positions that a
/// search has to judge.
const NEAR_EVEN: i32 = 200;

/// One uneven, undecided opening of this number is kept, because searches meet such positions too. Hand-set.
const UNEVEN_EVERY: usize = 5;

/// A random move is tried in one position of this number. Hand-set.
const STRAY_EVERY: usize = 2;

/// Divisor of the nodes of a move for a position off the game. Hand-set.
const STRAY_NODES: u64 = 2;

/// Upper bound, exclusive, of the absolute score in a game that counts as even. A score of 10 is a chance to win of 51 %.
/// Hand-set: in games between networks 51 % were drawn, and nodes spent on even endgames teach little.
const EVEN_SCORE: i32 = 10;

/// Number of consecutive plies with such scores after which a game is drawn. Hand-set.
const EVEN_PLIES: usize = 8;

/// Minimum percentage of occupied points at which such plies count. It keeps even openings going. Hand-set.
const EVEN_FROM: usize = 60;

/// Size of the transposition table in bytes. It holds some thousands of nodes. Hand-set.
const TABLE_BYTES: usize = 1 << 20;

/// Bytes of a tree for each playout. A node with 40 children of 32 bytes takes 1,280, and not every playout makes one.
/// Hand-set.
pub(super) const PLAYOUT_BYTES: u64 = 1 << 10;

/// Bytes of the table for each node of a long search. Hand-set.
pub(super) const ENTRY_BYTES: u64 = 16;

/// Error returned when a game cannot be played to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GameError {
    /// Each of this number of random openings was discarded, because it was decided or uneven.
    #[error("each of {0} random openings is decided or uneven: fewer nodes or a larger board may help")]
    DiscardedOpenings(usize),
    /// The picker panicked, found no move or broke the rules.
    #[error("the picker panicked, found no move or broke the rules")]
    Picker,
    /// The game panicked with this message.
    #[error("panicked: {0}")]
    Panicked(String),
}

/// The player of both sides.
pub(in crate::tune) struct Searcher {
    player: Player,
    evaluation: Evaluation,
    /// Seed of the noise, which makes games from the same opening differ.
    seed: u64,
    /// Bytes of memory for each node of a search, beyond a small table.
    bytes_per_node: u64,
}

/// The result of a search.
pub(in crate::tune) struct Searched {
    /// The position, unchanged.
    pub(in crate::tune) position: WeightedPosition,
    pub(in crate::tune) best: Point,
    /// 0 without one.
    pub(in crate::tune) score: Score,
    /// Whether the search has a score. Positions without a score are not sampled.
    has_score: bool,
    visits: VisitShares,
}

impl Searcher {
    /// A searcher whose memory grows by this number of bytes for each node of a search.
    pub(super) fn new(picker: NewPicker, evaluation: Evaluation, bytes_per_node: u64) -> Self {
        // Every search has a node limit, so the time of an unlimited one does not matter.
        Self { player: Player::inline(Box::new(picker), Duration::ZERO), evaluation, seed: 0, bytes_per_node }
    }

    /// Clears the tables of earlier searches.
    pub(in crate::tune) fn clear(&mut self) {
        self.player.clear();
    }

    /// Searches a position with this number of nodes.
    pub(in crate::tune) fn search(&mut self, position: WeightedPosition, nodes: u64) -> Result<Searched, GameError> {
        let (evaluation, seed) = (self.evaluation, self.seed);
        let grown = usize::try_from(nodes.saturating_mul(self.bytes_per_node)).unwrap_or(usize::MAX);
        let memory = TABLE_BYTES.max(grown);
        let limits = Limits { nodes: Some(nodes), memory: Some(memory), evaluation, seed, ..Limits::default() };
        let request = Request { question: Question::MOVE, position, limits, deadlines: Deadlines::NONE };
        self.player.ask(request, &mut |_| {});
        let Answered { position, answer, info } = self.player.take_answered().ok_or(GameError::Picker)?;
        let (score, has_score) = match answer.reason {
            Reason::Search { score, .. } => (score, true),
            // The nodes did not suffice for depth 1.
            Reason::Unfinished if answer.nodes > 0 => (Score::ZERO, false),
            // The fallback of the player does not search.
            _ => return Err(GameError::Picker),
        };
        let best = answer.choice().ok_or(GameError::Picker)?.point;
        let visits = info.map_or_else(VisitShares::default, |info| targets(&info.moves));
        Ok(Searched { position, best, score, has_score, visits })
    }
}

/// The shares of visits that the network learns. Of a proved win only the best move counts. Proved losses are left out,
/// because a proof takes many visits, unless the best move loses too. In a nearly lost position a proved loss has the
/// same value as other moves; a move with more visits than the best one is taken as a proved loss.
fn targets(moves: &[MoveStatistics]) -> VisitShares {
    let is_won = |known: &MoveStatistics| known.value == MoveStatistics::ONE;
    let is_lost = |known: &MoveStatistics| known.value == 0;
    let Some((best, others)) = moves.split_first() else { return VisitShares::default() };
    let others = others.iter().filter(|other| !is_won(best) && (is_lost(best) || !is_lost(other)));
    let others = others.filter(|other| other.visits <= best.visits);
    VisitShares::of(std::iter::once(best).chain(others).map(|known| (known.point, known.visits)))
}

/// A game in progress.
struct OngoingGame<'a> {
    settings: &'a GameSettings,
    searcher: &'a mut Searcher,
    rng: Rng,
    plies: Vec<Ply>,
    /// The board and threats of the position.
    threats: ThreatBoard,
}

/// Plays a game.
///
/// # Errors
/// When every opening tried is decided or uneven, or the picker fails.
pub(super) fn play(settings: &GameSettings, number: u32, searcher: &mut Searcher) -> Result<SelfPlayGame, GameError> {
    let mut rng = Rng::numbered(settings.seed, number.into());
    searcher.seed = rng.clone().next_u64();
    let size = settings.sizes.draw(&mut rng);
    let (position, opening) = kept_opening(settings, size, searcher, &mut rng)?;
    searcher.clear();
    let threats = ThreatBoard::new(position.board().clone());
    let Start { kind, moves, .. } = opening;
    let plies = moves.iter().map(|&point| Ply { point, found: None, stray: None }).collect();
    let (plies, winner) = OngoingGame { settings, searcher, rng, plies, threats }.play_out(position)?;
    let opening_plies = moves.len() as u16;
    Ok(SelfPlayGame { number, size, winner, opening: kind, opening_plies, plies })
}

impl OngoingGame<'_> {
    /// Plays from a position to the end. Returns the plies of the whole game and its winner.
    fn play_out(mut self, mut position: WeightedPosition) -> Result<(Vec<Ply>, Option<Color>), GameError> {
        let mut even_plies = EvenPlies::default();
        loop {
            let mover = position.board().turn();
            let searched = self.searcher.search(position, self.settings.nodes.get())?;
            let Searched { best: point, score, has_score, visits, .. } = searched;
            position = searched.position;
            let found = Found { best: point, score, visits, is_quiet: has_score && is_quiet(&self.threats) };
            let stray = if self.rng.below(STRAY_EVERY) == 0 { self.stray(&position)? } else { None };
            let is_drawn = even_plies.are_a_draw(position.board(), score);
            let outcome = position.board().outcome_of(point, mover);
            position.play(point);
            self.threats.play(point);
            self.plies.push(Ply { point, found: Some(found), stray });
            if let Some(outcome) = outcome {
                return Ok((self.plies, outcome.winner()));
            }
            if is_drawn {
                return Ok((self.plies, None));
            }
        }
    }

    /// A position one random move off the game, labelled by a smaller search. Search trees contain many such positions.
    /// `None` if it is not quiet, the game is over, or the search has no score.
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
        let Searched { best, score, has_score, visits, .. } = self.searcher.search(position, nodes)?;
        Ok(has_score.then_some(Stray { point, best, score, visits }))
    }
}

/// A random opening after which a search sees neither a win nor a loss. Four in five uneven ones are discarded.
fn kept_opening(
    settings: &GameSettings,
    size: Size,
    searcher: &mut Searcher,
    rng: &mut Rng,
) -> Result<(WeightedPosition, Start), GameError> {
    for _ in 0..OPENING_TRIES {
        let opening = Start::random(settings.rule, size, rng);
        searcher.clear();
        let position = WeightedPosition::new(opening.board.clone(), Weighting::default());
        let searched = searcher.search(position, settings.nodes.get())?;
        let is_near_even = searched.score.value().abs() <= NEAR_EVEN;
        if !searched.score.is_decided() && (is_near_even || rng.below(UNEVEN_EVERY) == 0) {
            return Ok((searched.position, opening));
        }
    }
    Err(GameError::DiscardedOpenings(OPENING_TRIES))
}

/// The number of even plies in succession up to the last one.
#[derive(Default)]
pub(in crate::tune) struct EvenPlies(usize);

impl EvenPlies {
    /// Counts a ply, given the board before it and its score. Returns whether the game is a draw after it.
    pub(in crate::tune) fn are_a_draw(&mut self, board: &Board, score: Score) -> bool {
        let is_late = board.stone_count() * 100 >= board.size().area() * EVEN_FROM;
        self.0 = if is_late && score.value().abs() < EVEN_SCORE { self.0 + 1 } else { 0 };
        self.0 >= EVEN_PLIES
    }
}

/// Whether a position is quiet: the mover cannot make a five or a four that wins, and the other side cannot make a five. A
/// search evaluates quiet positions. Double fours that are forbidden to black leave it quiet.
fn is_quiet(threats: &ThreatBoard) -> bool {
    let mover = threats.board().turn();
    let sets: &ThreatSets = threats.sets();
    sets.count(mover, Threat::Five) == 0
        && sets.count(!mover, Threat::Five) == 0
        && winning_four(threats, mover).is_none()
        && trap_fours(threats, mover).is_empty()
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;
    use crate::board::Rule;
    use crate::notation::parse_comma;
    use crate::picker::{Mcts, PickerName};
    use crate::tune::selfplay::Sizes;

    #[test]
    fn most_games_begin_near_even() {
        let (sizes, nodes) = (Sizes::one(Size::FIFTEEN), NonZeroU64::new(100).unwrap());
        let settings = GameSettings { rule: Rule::Freestyle, sizes, nodes, seed: 1 };
        let mut searcher = Searcher::new(|| PickerName::Search.build(), Evaluation::default(), 0);
        let mut rng = Rng::new(5);
        let mut is_near_even = || {
            let (position, _) = kept_opening(&settings, Size::FIFTEEN, &mut searcher, &mut rng).unwrap();
            searcher.clear();
            searcher.search(position, nodes.get()).unwrap().score.value().abs() <= NEAR_EVEN
        };
        let near_even = (0..100).filter(|_| is_near_even()).count();
        // Of the openings that are not decided some 30 % are near-even, so about two thirds of those that are kept.
        assert!((50..85).contains(&near_even), "{near_even} of 100");
    }

    #[test]
    fn a_position_is_quiet_if_no_four_wins() {
        // Black's 7,7 makes two fours.
        let double = "4,7 3,7 5,7 7,3 6,7 0,0 7,4 0,14 7,5 14,0 7,6 14,14";
        // White's 7,7 makes a four, whose block at 8,7 would make two fours of black.
        let trap = "3,7 4,7 8,4 5,7 8,5 6,7 8,6 0,14 5,4 14,14 6,5 14,0 7,6";
        for (moves, rule, quiet) in [
            (double, Rule::Standard, false),
            (double, Rule::Renju, true),
            (trap, Rule::Standard, true),
            (trap, Rule::Renju, false),
        ] {
            let mut board = Board::new(Size::FIFTEEN, rule);
            moves.split(' ').for_each(|name| board.play(parse_comma(name).unwrap()));
            assert_eq!(is_quiet(&ThreatBoard::new(board)), quiet, "{moves}, {rule}");
        }
    }

    #[test]
    fn the_noise_of_a_game_depends_on_its_number() {
        let (sizes, nodes) = ("9".parse().unwrap(), NonZeroU64::new(30).unwrap());
        let settings = GameSettings { rule: Rule::Freestyle, sizes, nodes, seed: 1 };
        let mut searcher = Searcher::new(|| Box::new(Mcts::for_self_play()), Evaluation::default(), PLAYOUT_BYTES);
        let mut visits_after = |number| {
            play(&settings, number, &mut searcher).unwrap();
            searcher.clear();
            let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
            board.play(Size::FIFTEEN.centre());
            let position = WeightedPosition::new(board, Weighting::default());
            searcher.search(position, 300).unwrap().visits
        };
        let first = visits_after(0);
        assert_eq!(visits_after(0), first);
        assert_ne!(visits_after(1), first);
    }

    #[test]
    fn visits_of_a_proof_are_not_learnt() {
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
}
