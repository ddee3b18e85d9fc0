//! [`Environment`]: the board on which learners play. [`Episode`]: a finished game.
//!
//! ```text
//! opening: one to four random stones ─► a player chooses among the legal moves, in turn ─► row, foul or full board
//! ```

use crate::board::{Board, Color, Point, PointSet, Rule, Size};
use crate::position::ThreatBoard;
use crate::rng::Rng;
use crate::tune::selfplay::{first_near_centre, random_near};

/// Maximum number of random stones after the first one of a game. Set by hand: they make games differ, and leave most of
/// the game to the players.
const OPENING_STONES: usize = 3;

/// A finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Episode {
    /// The stones in playing order, black first.
    pub(super) moves: Vec<Point>,
    /// The number of stones of the opening.
    pub(super) opening: usize,
    /// The winner; `None` for a draw.
    pub(super) winner: Option<Color>,
}

impl Episode {
    /// The return of the game for a color: 1 for a win, 0 for a draw, −1 for a loss.
    pub(super) fn result(&self, color: Color) -> f32 {
        match self.winner {
            None => 0.0,
            Some(winner) if winner == color => 1.0,
            Some(_) => -1.0,
        }
    }

    /// The color that played a stone.
    pub(super) const fn mover(number: usize) -> Color {
        Color::ALL[number % 2]
    }

    /// The number of moves that the players chose.
    pub(super) fn chosen(&self) -> usize {
        self.moves.len() - self.opening
    }
}

/// A board on which games are played and positions are set up, one after another.
pub(super) struct Environment {
    threats: ThreatBoard,
    moves: Vec<Point>,
}

impl Environment {
    pub(super) fn new(rule: Rule, size: Size) -> Self {
        Self { threats: ThreatBoard::new(Board::new(size, rule)), moves: Vec::new() }
    }

    /// The position.
    #[cfg(test)]
    pub(super) const fn threats(&self) -> &ThreatBoard {
        &self.threats
    }

    /// The position after these stones, which can be played. Only the stones that differ are undone and played.
    pub(super) fn set(&mut self, moves: &[Point]) -> &ThreatBoard {
        let common = self.moves.iter().zip(moves).take_while(|(a, b)| a == b).count();
        while self.moves.len() > common {
            self.threats.undo();
            self.moves.pop();
        }
        moves[common..].iter().for_each(|&point| self.play(point));
        &self.threats
    }

    /// Plays an empty point.
    pub(super) fn play(&mut self, point: Point) {
        self.threats.play(point);
        self.moves.push(point);
    }

    /// Clears the board and plays a random opening that leaves the game undecided by the rules. Returns its stones.
    pub(super) fn open(&mut self, rng: &mut Rng) -> Vec<Point> {
        let size = self.threats.board().size();
        let stones = 1 + rng.below(OPENING_STONES + 1);
        self.set(&[first_near_centre(size, rng)]);
        while self.moves.len() < stones {
            let Some(point) = random_near(self.threats.board(), rng) else { break };
            let board = self.threats.board();
            if board.outcome_of(point, board.turn()).is_some() {
                break;
            }
            self.play(point);
        }
        self.moves.clone()
    }

    /// Plays a game from these stones to its end. `choose` returns a legal move, or `None` to end the game as a draw.
    pub(super) fn episode(&mut self, opening: &[Point], mut choose: impl FnMut(&Turn<'_>) -> Option<Point>) -> Episode {
        self.set(opening);
        let winner = loop {
            let legal = legal_moves(&self.threats);
            let board = self.threats.board();
            if legal.is_empty() {
                // A full board is a draw. Else every empty point is a foul for the side to move.
                break if board.is_full() { None } else { Some(!board.turn()) };
            }
            let Some(point) = choose(&Turn { threats: &self.threats, moves: &self.moves, legal }) else { break None };
            let outcome = board.outcome_of(point, board.turn());
            self.play(point);
            if let Some(outcome) = outcome {
                break outcome.winner();
            }
        };
        Episode { moves: self.moves.clone(), opening: opening.len(), winner }
    }
}

/// A position in which a player chooses.
pub(super) struct Turn<'a> {
    pub(super) threats: &'a ThreatBoard,
    /// The stones in playing order.
    pub(super) moves: &'a [Point],
    /// The legal moves, at least one.
    pub(super) legal: PointSet,
}

impl Turn<'_> {
    /// The legal move of a number.
    pub(super) fn legal_move(&self, number: usize) -> Option<Point> {
        self.legal.iter().nth(number)
    }

    /// A random legal move.
    pub(super) fn random(&self, rng: &mut Rng) -> Option<Point> {
        self.legal_move(rng.below(self.legal.len()))
    }
}

/// The moves that a learner may choose: the allowed points near the stones, else all allowed points. Empty if only fouls
/// are left to the side to move.
pub(super) fn legal_moves(threats: &ThreatBoard) -> PointSet {
    let near = threats.allowed(&threats.board().near_stones());
    if near.is_empty() { threats.allowed(&threats.board().empty_points()) } else { near }
}

/// The number of the greatest value; among equals the first.
pub(super) fn greatest(values: &[f32]) -> usize {
    let mut best = 0;
    for (number, value) in values.iter().enumerate() {
        if *value > values[best] {
            best = number;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_game(rule: Rule, seed: u64) -> Episode {
        let mut rng = Rng::new(seed);
        let mut environment = Environment::new(rule, Size::new(9).unwrap());
        let opening = environment.open(&mut rng);
        environment.episode(&opening, |turn| turn.random(&mut rng))
    }

    #[test]
    fn a_game_ends_with_its_first_outcome_and_no_player_may_choose_a_foul() {
        for rule in Rule::ALL {
            for seed in 0..30 {
                let game = random_game(rule, seed);
                let mut board = Board::new(Size::new(9).unwrap(), rule);
                for (number, &point) in game.moves.iter().enumerate() {
                    assert!(board.is_empty(point));
                    let is_foul = board.is_forbidden(point, board.turn());
                    assert!(!is_foul || number < game.opening, "{rule} {seed}: a foul at {number}");
                    let outcome = board.outcome_of(point, board.turn());
                    let is_last = number + 1 == game.moves.len();
                    assert!(outcome.is_none() || is_last, "{rule} {seed}");
                    if let Some(outcome) = outcome {
                        assert_eq!(outcome.winner(), game.winner);
                    }
                    board.play(point);
                }
                assert_eq!(game.result(Color::Black), -game.result(Color::White));
            }
        }
    }

    #[test]
    fn a_table_that_is_set_to_another_game_equals_a_fresh_one() {
        let games: Vec<_> = (0..6).map(|seed| random_game(Rule::Renju, seed)).collect();
        let mut environment = Environment::new(Rule::Renju, Size::new(9).unwrap());
        for game in &games {
            environment.set(&game.moves[..game.moves.len() / 2]);
            assert!(environment.threats().is_consistent());
        }
    }

    #[test]
    fn the_first_of_equal_values_is_the_greatest() {
        assert_eq!(greatest(&[1.0, 3.0, 3.0]), 1);
    }
}
