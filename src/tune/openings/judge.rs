//! [`Judge`]: whether an opening is near even.

use std::fmt;

use super::OpeningsConfig;
use super::candidate::Candidate;
use crate::board::{Board, Color, Symmetry};
use crate::rng::Rng;
use crate::tune::GameError;
use crate::tune::selfplay::{Engine, EvenPlies, Searcher};
use crate::weights::{WeightedPosition, Weighting};

/// The short search has a long search's nodes divided by this. It drops most openings at a small part of the cost.
/// Hand-set.
const SHORT_SEARCH: u64 = 50;

/// The range of the short search is wider by this number of percent on both sides. Hand-set.
const SHORT_MARGIN: u8 = 15;

/// A side wins a game of the pair once its chance to win is at least this for [`SURE_PLIES`] plies in succession. Hand-set:
/// it saves a third of the nodes.
const SURE_CHANCE: f32 = 0.95;

/// Number of plies for [`SURE_CHANCE`].
const SURE_PLIES: usize = 4;

/// What was found out about an opening. Each step is taken only if the one before allows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Judgement {
    /// A search sees one side ahead: black's chance to win.
    Uneven(f32),
    /// Black's chance to win, and the winners of both games of the pair.
    Played(f32, [Option<Color>; 2]),
}

impl Judgement {
    /// Whether the opening is kept. It is dropped if one color wins both games, or if both are drawn: then two engines of
    /// nearly the same strength play a level pair.
    pub(super) fn is_kept(&self) -> bool {
        matches!(self, Self::Played(_, [one, other]) if one != other)
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Uneven(chance) | Self::Played(chance, _)) = self;
        write!(f, "black's chance {:.1} %", chance * 100.0)?;
        if let Self::Played(_, winners) = self {
            write!(f, ", pair {}", winner_letters(*winners))?;
        }
        Ok(())
    }
}

/// The winners of a pair, each as `B`, `W` or `=`.
pub(super) fn winner_letters(winners: [Option<Color>; 2]) -> String {
    let letter = |winner| match winner {
        Some(Color::Black) => 'B',
        Some(Color::White) => 'W',
        None => '=',
    };
    winners.map(letter).iter().collect()
}

/// The searcher of a thread.
pub(super) struct Judge<'a> {
    config: &'a OpeningsConfig,
    analyst: Searcher,
    player: Searcher,
}

impl<'a> Judge<'a> {
    pub(super) fn new(config: &'a OpeningsConfig, engine: Engine) -> Self {
        // Both remember what a long search needs.
        Self { config, analyst: engine.analyst(), player: engine.analyst() }
    }

    /// Judges an opening; `None` if `must_stop` says so meanwhile.
    pub(super) fn judge(
        &mut self,
        candidate: &Candidate,
        must_stop: &dyn Fn() -> bool,
    ) -> Result<Option<Judgement>, GameError> {
        let OpeningsConfig { nodes, chance: range, seed, .. } = *self.config;
        let mut black_chance = 0.5;
        for (nodes, margin) in [((nodes.get() / SHORT_SEARCH).max(1), SHORT_MARGIN), (nodes.get(), 0)] {
            if must_stop() {
                return Ok(None);
            }
            self.analyst.clear();
            let position = WeightedPosition::new(candidate.board.clone(), Weighting::default());
            let score = self.analyst.search(position, nodes)?.score;
            let chance = score.win_chance();
            black_chance = if candidate.board.turn() == Color::Black { chance } else { 1.0 - chance };
            if score.is_decided() || !range.contains(black_chance, margin) {
                return Ok(Some(Judgement::Uneven(black_chance)));
            }
        }
        // The search is not symmetric, so the games of two images differ.
        let turned = 1 + Rng::numbered(seed, candidate.number).below(Symmetry::all().count() - 1);
        let mut winners = [None; 2];
        for (winner, symmetry) in winners.iter_mut().zip([0, turned]) {
            let Some(symmetry) = Symmetry::all().nth(symmetry) else { continue };
            match self.play_out(image(candidate, symmetry), must_stop)? {
                Some(outcome) => *winner = outcome,
                None => return Ok(None),
            }
        }
        Ok(Some(Judgement::Played(black_chance, winners)))
    }

    /// Plays a game until it is over, proved or as good as won. Returns its winner; `None` if `must_stop` says so meanwhile.
    fn play_out(&mut self, board: Board, must_stop: &dyn Fn() -> bool) -> Result<Option<Option<Color>>, GameError> {
        self.player.clear();
        let mut position = WeightedPosition::new(board, Weighting::default());
        let mut even_plies = EvenPlies::default();
        let mut sure = (Color::Black, 0);
        while !must_stop() {
            let mover = position.board().turn();
            let searched = self.player.search(position, self.config.pair_nodes.get())?;
            position = searched.position;
            let (leader, chance) = match searched.score.win_chance() {
                chance if chance >= 0.5 => (mover, chance),
                chance => (!mover, 1.0 - chance),
            };
            sure = match sure {
                _ if chance < SURE_CHANCE => (leader, 0),
                (color, plies) if color == leader => (color, plies + 1),
                _ => (leader, 1),
            };
            if searched.score.is_decided() || sure.1 >= SURE_PLIES {
                return Ok(Some(Some(leader)));
            }
            if let Some(outcome) = position.board().outcome_of(searched.best, mover) {
                return Ok(Some(outcome.winner()));
            }
            if even_plies.are_a_draw(position.board(), searched.score) {
                return Ok(Some(None));
            }
            position.play(searched.best);
        }
        Ok(None)
    }
}

/// The board of an opening under a symmetry.
fn image(candidate: &Candidate, symmetry: Symmetry) -> Board {
    let size = candidate.board.size();
    let mut board = Board::new(size, candidate.board.rule());
    candidate.moves.iter().for_each(|&point| board.play(symmetry.apply(point, size)));
    board
}
