//! [`Game`]: a finished game from any file.

use thiserror::Error;

use crate::board::{Board, Color, Outcome, PlayError, Point, Rule, Size};
use crate::notation::{GameTree, Letters, Ranks};

/// A game of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The size of the board.
    pub size: Size,
    /// The moves with black first; `None` is a pass. They can be played one after the other.
    pub moves: Vec<Option<Point>>,
    /// The winner: `None` if it is unknown, `Some(None)` for a draw.
    pub winner: Option<Option<Color>>,
    /// The rule, if the file states it.
    pub rule: Option<Rule>,
    /// The names of black and white; empty if they are unknown.
    pub players: [String; 2],
}

/// Facts of games that a file may leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameDefaults {
    /// The size of the board in lists of moves.
    pub size: Size,
    /// The rule by which winners are checked.
    pub rule: Rule,
    /// The row of rank 1 in lists of moves.
    pub ranks: Ranks,
}

/// Error returned when a move of a game cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("move {number}, {}: {error}", Letters::new(*.size).point(*.point))]
pub struct UnplayableError {
    /// The number of the move, counted from 1, passes included.
    pub number: usize,
    /// The size of the board.
    pub size: Size,
    /// The point of the move.
    pub point: Point,
    /// The reason.
    pub error: PlayError,
}

impl Game {
    /// A game without names, whose winner the moves alone decide.
    ///
    /// # Errors
    /// When a move lies outside the board or on a stone.
    pub fn new(size: Size, moves: Vec<Option<Point>>, rule: Rule) -> Result<Self, UnplayableError> {
        Self::claimed(size, moves, rule, None)
    }

    /// The main line of a tree as a game; `None` if stones are set up in it. See [`GameTree::main_moves`].
    ///
    /// # Errors
    /// When a move lies outside the board or on a stone.
    pub fn of_main_line(tree: &GameTree, default_rule: Rule) -> Result<Option<Self>, UnplayableError> {
        let Some(moves) = tree.main_moves() else { return Ok(None) };
        let rule = tree.info.known_rule();
        let game = Self::claimed(tree.size(), moves, rule.unwrap_or(default_rule), tree.info.winner())?;
        Ok(Some(Self { rule, players: tree.info.players.clone(), ..game }))
    }

    /// A game whose source names the winner. The winner of the moves counts for more: a winning row of the last mover, a
    /// full board. A forbidden point counts only if the source names nobody, as the rule may be another one.
    ///
    /// # Errors
    /// When a move lies outside the board or on a stone.
    pub(super) fn claimed(
        size: Size,
        moves: Vec<Option<Point>>,
        rule: Rule,
        claimed: Option<Option<Color>>,
    ) -> Result<Self, UnplayableError> {
        let outcome = final_outcome(size, &moves, rule)?;
        let decided = outcome.map(Outcome::winner);
        let winner = match outcome {
            Some(Outcome::Foul { .. }) => claimed.or(decided),
            Some(Outcome::Row { .. } | Outcome::Draw) | None => decided.or(claimed),
        };
        Ok(Self { size, moves, winner, rule: None, players: <[String; 2]>::default() })
    }
}

/// The result of a game with its last move; `None` if the game could continue.
fn final_outcome(size: Size, moves: &[Option<Point>], rule: Rule) -> Result<Option<Outcome>, UnplayableError> {
    let mut board = Board::new(size, rule);
    let mut outcome = None;
    for (number, &played) in (1..).zip(moves) {
        let Some(point) = played else {
            board.set_turn(!board.turn());
            continue;
        };
        board.check_empty(point).map_err(|error| UnplayableError { number, size, point, error })?;
        if number == moves.len() {
            outcome = board.outcome_of(point, board.turn());
        }
        board.play(point);
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::read_sgf;

    fn game(text: &str, rule: Rule, claimed: Option<Option<Color>>) -> Option<Option<Color>> {
        let moves = Letters::new(Size::FIFTEEN).parse_moves_and_passes(text).unwrap();
        Game::claimed(Size::FIFTEEN, moves, rule, claimed).unwrap().winner
    }

    const FIVE: &str = "a1 a3 b1 b3 c1 c3 d1 d3 e1";

    #[test]
    fn a_winning_row_of_the_last_mover_decides_whatever_the_source_claims() {
        for claimed in [None, Some(None), Some(Some(Color::White))] {
            assert_eq!(game(FIVE, Rule::Freestyle, claimed), Some(Some(Color::Black)));
        }
        // White completes the row, after a pass of black.
        assert_eq!(game("a1 a3 b1 b3 c1 c3 d1 d3 -- e3", Rule::Freestyle, None), Some(Some(Color::White)));
        // Six in a row under the standard rule.
        let six = "a1 a3 b1 b3 c1 c3 e1 e3 f1 f3 d1";
        assert_eq!(game(six, Rule::Freestyle, None), Some(Some(Color::Black)));
        assert_eq!(game(six, Rule::Standard, None), None);
    }

    #[test]
    fn without_a_row_the_source_is_believed() {
        assert_eq!(game("h8 i9", Rule::Freestyle, None), None);
        assert_eq!(game("h8 i9", Rule::Freestyle, Some(None)), Some(None));
        assert_eq!(game("h8 i9", Rule::Freestyle, Some(Some(Color::White))), Some(Some(Color::White)));
        // The row stands, but the game went on.
        assert_eq!(game(&format!("{FIVE} o15"), Rule::Freestyle, Some(Some(Color::White))), Some(Some(Color::White)));
        assert_eq!(game(&format!("{FIVE} --"), Rule::Freestyle, None), None);
    }

    #[test]
    fn a_forbidden_point_decides_if_the_source_names_nobody() {
        let foul = "g8 a1 i8 a3 h9 a5 h7 a7 h8";
        assert_eq!(game(foul, Rule::Renju, None), Some(Some(Color::White)));
        assert_eq!(game(foul, Rule::Renju, Some(Some(Color::Black))), Some(Some(Color::Black)));
        assert_eq!(game(foul, Rule::Freestyle, None), None);
    }

    #[test]
    fn a_full_board_is_a_draw() {
        let size = Size::new(5).unwrap();
        // Two of a color alternate in each row, and rows are shifted: no five.
        let color = |point: &Point| (point.x() / 2 + point.y()) % 2 == 0;
        let (black, white): (Vec<_>, Vec<_>) = size.points().partition(color);
        assert_eq!((black.len(), white.len()), (13, 12));
        let white = white.into_iter().map(Some).chain([None]);
        let moves: Vec<_> = black.into_iter().map(Some).zip(white).flat_map(|(b, w)| [b, w]).take(25).collect();
        assert_eq!(Game::new(size, moves, Rule::Freestyle).unwrap().winner, Some(None));
    }

    #[test]
    fn a_move_that_cannot_be_played_is_named() {
        let error = |moves: &str, size| {
            let moves = Letters::new(Size::TWENTY).parse_moves_and_passes(moves).unwrap();
            Game::new(size, moves, Rule::Freestyle).unwrap_err().to_string()
        };
        assert_eq!(error("h8 -- h8", Size::TWENTY), "move 3, h8: the point is occupied");
        assert_eq!(error("a20 t20", Size::FIFTEEN), "move 2, t15: the point lies outside the board");
    }

    #[test]
    fn the_main_line_of_a_tree_is_a_game() {
        let tree = |text: &str| read_sgf(text.as_bytes()).unwrap().remove(0);
        let read = |text| Game::of_main_line(&tree(text), Rule::Freestyle).unwrap();
        let game = read("(;PB[a]RU[Renju]RE[W+R];B[hh](;W[hg])(;W[ig]))").unwrap();
        assert_eq!((game.moves.len(), game.rule, game.winner), (2, Some(Rule::Renju), Some(Some(Color::White))));
        assert_eq!(game.players[0], "a");
        assert_eq!(read("(;AB[hh];W[hg])"), None);
    }
}
