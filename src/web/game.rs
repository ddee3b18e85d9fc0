//! [`Played`]: the game of a message, replayed by the rules.

use serde_json::{Value, json};

use super::Failure;
use super::message::GameText;
use crate::board::{Board, Color, ContinuousGame, Outcome, Point, PointSet, Referee, Scored};
use crate::notation::record::GameEnd;
use crate::notation::{Comma, GameMovesError};
use crate::opening::NamedOpening;

/// A game after its moves were played.
pub(super) struct Played {
    pub(super) moves: Vec<Point>,
    /// The board, with the walls of a continuous game.
    pub(super) board: Board,
    /// How the game ended; `None` if it is not over.
    end: Option<End>,
    /// The scores of a continuous game with the numbers of their stones, counted from one; `None` for another game.
    scored: Option<Vec<(usize, Scored)>>,
}

/// The end of a game.
enum End {
    /// The last stone ended it.
    Outcome(Outcome),
    /// The board of a continuous game is full.
    Full(Box<ContinuousGame>),
}

impl Played {
    /// Whether the last stone ended the game.
    pub(super) const fn has_outcome(&self) -> bool {
        matches!(self.end, Some(End::Outcome(_)))
    }

    /// Plays the moves of a message. The Gomocup judge's draw rule applies; a continuous game ends on a full board.
    ///
    /// # Errors
    /// When a move cannot be played, or the game was over before it.
    pub(super) fn of(game: &GameText) -> Result<Self, Failure> {
        if game.continuous {
            return Self::of_continuous(game);
        }
        let mut referee = Referee::new(game.size, game.rule, None);
        let mut outcome = None;
        for (number, &point) in (1..).zip(&game.moves.0) {
            if outcome.is_some() {
                return Err(Failure::Over(number));
            }
            outcome = referee.play(point).map_err(|error| GameMovesError::Play(number, game.size, point, error))?;
        }
        let board = referee.board().clone();
        Ok(Self { moves: game.moves.0.clone(), board, end: outcome.map(End::Outcome), scored: None })
    }

    fn of_continuous(game: &GameText) -> Result<Self, Failure> {
        let mut played = ContinuousGame::new(game.size, game.rule);
        let mut scored = Vec::new();
        for (number, &point) in (1..).zip(&game.moves.0) {
            let of_stone = played.play(point).map_err(|error| GameMovesError::Play(number, game.size, point, error))?;
            scored.extend(of_stone.map(|of_stone| (number, of_stone)));
        }
        let board = played.board().clone();
        let end = played.is_over().then(|| End::Full(Box::new(played)));
        Ok(Self { moves: game.moves.0.clone(), board, end, scored: Some(scored) })
    }

    /// Plays the moves of a game that must not be over.
    ///
    /// # Errors
    /// Those of [`of`](Self::of), and when the game is over.
    pub(super) fn open(game: &GameText) -> Result<Self, Failure> {
        let played = Self::of(game)?;
        if played.end.is_some() { Err(Failure::Ended) } else { Ok(played) }
    }

    /// The facts about a position that the page always shows.
    pub(super) fn view(&self) -> Value {
        let Self { moves, board, end, scored } = self;
        let opening = NamedOpening::of_moves(moves, board.size());
        let scored = scored.as_ref().map(|scored| {
            let of_stone = |(number, Scored { winner, walls }): &(usize, Scored)| {
                json!({ "ply": number, "winner": winner.to_string(), "walls": names(walls.iter()) })
            };
            scored.iter().map(of_stone).collect::<Vec<_>>()
        });
        json!({
            "turn": board.turn().to_string(),
            "outcome": end.as_ref().map(End::to_json),
            "row": names(self.row().iter()),
            "scored": scored,
            "forbidden": self.forbidden(),
            "opening": opening.map(|opening| json!({
                "code": opening.code(), "name": opening.romaji, "zh": opening.zh,
            })),
        })
    }

    /// The winning rows of the last stone.
    pub(super) fn row(&self) -> PointSet {
        let Self { moves, board, end, scored } = self;
        let mover = !board.turn();
        match (end, scored, moves.last()) {
            (_, Some(scored), _) => match scored.last() {
                Some((number, Scored { winner, walls })) if *number == moves.len() && *winner == mover => *walls,
                _ => PointSet::EMPTY,
            },
            (Some(End::Outcome(Outcome::Row { .. })), None, Some(&last)) => board.winning_row(last, mover),
            _ => PointSet::EMPTY,
        }
    }

    /// The forbidden points of black with their reasons. Empty if the game is over.
    fn forbidden(&self) -> Vec<[String; 2]> {
        if self.end.is_some() {
            return Vec::new();
        }
        let foul = |point| Some([Comma(point).to_string(), self.board.foul(point)?.to_string()]);
        self.board.empty_points().iter().filter_map(foul).collect()
    }
}

impl End {
    fn to_json(&self) -> Value {
        let (winner, end, text) = match self {
            Self::Outcome(outcome) => (outcome.winner(), GameEnd::from(*outcome).to_string(), outcome.to_string()),
            Self::Full(game) => {
                let [black, white] = Color::ALL.map(|color| game.fives(color));
                let end = if game.leader().is_some() { "fives" } else { "draw" };
                (game.leader(), end.to_owned(), format!("fives: black {black}, white {white}"))
            }
        };
        json!({ "winner": winner.map(|winner| winner.to_string()), "end": end, "text": text })
    }
}

/// Points in the form of messages, `x,y`.
pub(super) fn names(points: impl IntoIterator<Item = Point>) -> Vec<String> {
    points.into_iter().map(|point| Comma(point).to_string()).collect()
}
