//! [`Played`]: the game of a message, replayed by the referee.

use serde_json::{Value, json};

use super::message::{Failure, GameText};
use crate::arena::game::Referee;
use crate::board::{Board, Color, Outcome, Point};
use crate::notation::RecordError;
use crate::opening::NamedOpening;

/// A game as far as it was played.
pub(super) struct Played {
    pub(super) moves: Vec<Point>,
    pub(super) board: Board,
    pub(super) outcome: Option<Outcome>,
}

impl Played {
    /// Plays the moves of a message. Draws are the Gomocup judge's.
    ///
    /// # Errors
    /// When a move cannot be played, or the game was over before it.
    pub(super) fn of(game: &GameText) -> Result<Self, Failure> {
        let mut referee = Referee::new(game.size, game.rule, None);
        let mut outcome = None;
        for (number, &point) in (1..).zip(&game.moves.0) {
            if outcome.is_some() {
                return Err(Failure::Over(number));
            }
            outcome = referee.play(point).map_err(|error| RecordError::Play(number, point, error))?;
        }
        Ok(Self { moves: game.moves.0.clone(), board: referee.board().clone(), outcome })
    }

    /// The same, where the game goes on.
    ///
    /// # Errors
    /// Also when the game is over.
    pub(super) fn open(game: &GameText) -> Result<Self, Failure> {
        let played = Self::of(game)?;
        if played.outcome.is_some() { Err(Failure::Ended) } else { Ok(played) }
    }

    /// What the page shows of it, whatever is looked at.
    pub(super) fn view(&self) -> Value {
        let Self { moves, board, outcome } = self;
        let last = moves.last().copied();
        let row = last.map(|last| board.winning_row(last, !board.turn())).unwrap_or_default();
        let opening = NamedOpening::of_moves(moves, board.size());
        json!({
            "turn": board.turn().to_string(),
            "outcome": outcome.map(|outcome| json!({
                "winner": outcome.winner().map(|winner| winner.to_string()),
                "end": match outcome {
                    Outcome::Row { .. } => "row",
                    Outcome::Foul { .. } => "foul",
                    Outcome::Draw => "draw",
                },
                "text": outcome.to_string(),
            })),
            "row": if matches!(outcome, Some(Outcome::Row { .. })) { names(row.iter()) } else { Vec::new() },
            "forbidden": self.forbidden(),
            "opening": opening.map(|opening| json!({
                "code": opening.code(), "name": opening.romaji, "zh": opening.zh,
            })),
        })
    }

    /// The points that the rule forbids to black, with the reason, while the game goes on.
    fn forbidden(&self) -> Vec<[String; 2]> {
        if self.outcome.is_some() || !self.board.rule().forbids(Color::Black) {
            return Vec::new();
        }
        let foul = |point: Point| {
            self.board
                .foul(point)
                .filter(|_| !self.board.wins(point, Color::Black))
                .map(|foul| [point.to_string(), foul.to_string()])
        };
        self.board.empty_points().iter().filter_map(foul).collect()
    }
}

/// The names of points.
pub(super) fn names(points: impl IntoIterator<Item = Point>) -> Vec<String> {
    points.into_iter().map(|point| point.to_string()).collect()
}
