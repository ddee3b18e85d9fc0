//! BOOKS: what a book says of the moves at the root of a search, for all pickers.
//!
//! ```text
//! role Answers   a win, else one of the playable moves, drawn ─► the answer, without a search
//!                else ─► the search, with the moves of the book first, without those that lose
//! role Orders    the search, with the moves of the book first
//! ```
//!
//! A book is not used for the questions of opening procedures, of defence and of balance.

use std::sync::Arc;

use super::{Answer, Choice, Level, Limits, Question, Reason, Report};
use crate::board::{Board, Point, PointSet};
use crate::library::book::{Book, BookMove, MoveKind};
use crate::rng::Rng;
use crate::score::Score;

/// A book beside a picker.
#[derive(Clone, Debug)]
pub struct BookInPlay {
    /// The book.
    pub book: Arc<Book>,
    /// Seed of the draws among playable moves.
    pub seed: u64,
    /// The number of the game. Each game has draws of its own.
    pub game: u64,
    /// The use of the book.
    pub role: BookRole,
}

/// The use of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookRole {
    /// Its wins and its playable moves are played, and its losses are avoided.
    Answers,
    /// Its moves are the first in the order of the search.
    Orders,
}

/// Why a move is played from a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookReason {
    /// The score of the move; `None` if the book has only results of games for it.
    pub score: Option<Score>,
    /// The number of moves that it was drawn from; 1 for a win.
    pub moves: usize,
}

impl BookReason {
    /// Whether the book knows the move as a win.
    pub fn is_win(self) -> bool {
        self.score.is_some_and(Score::is_win)
    }

    /// The plies to the last stone, if the book knows the move as a win and their number.
    pub fn plies(self) -> Option<u32> {
        let plies = self.score.filter(|score| score.is_win()).and_then(Score::plies);
        plies.filter(|&plies| plies < Score::MOST_PLIES)
    }
}

/// The move that the book of the limits plays; `None` without one, and for questions that it does not answer.
pub(super) fn answer(
    question: Question,
    board: &Board,
    limits: &Limits,
    report: &mut dyn FnMut(Report),
) -> Option<Answer> {
    let (Question::Move { lines: 0 | 1 }, Some(used)) = (question, &limits.book) else { return None };
    if used.role != BookRole::Answers {
        return None;
    }
    let moves = allowed_moves(used, board, limits);
    let win = moves.iter().find(|known| known.kind == MoveKind::Wins);
    let playable: Vec<_> = moves.iter().filter(|known| known.kind == MoveKind::Playable).collect();
    let mut draws = draws(used, board);
    let (known, count) = match win {
        Some(win) => (win, 1),
        None if playable.is_empty() => return None,
        None => (playable[draws.below(playable.len())], playable.len()),
    };
    let point = known.points[draws.below(known.points.len())];
    let reason = BookReason { score: known.score, moves: count };
    report(Report::Book { point, reason });
    Some(Choice { point, reason: Reason::Book(reason), nodes: 0 }.into())
}

/// The generator of the draws in a position of a game.
fn draws(used: &BookInPlay, board: &Board) -> Rng {
    let of_game = Rng::numbered(used.seed, used.game).next_u64();
    Rng::numbered(of_game, board.key().bits())
}

/// The moves of the book on points where the side to move may play.
fn allowed_moves(used: &BookInPlay, board: &Board, limits: &Limits) -> Vec<BookMove> {
    let book = &used.book;
    if !book.covers(board) {
        log::debug!(
            "the book is of {} {}, and the game of {} {}",
            book.rule(),
            book.size(),
            board.rule(),
            board.size()
        );
    }
    let mut moves = book.look_up(board);
    for known in &mut moves {
        known.points.retain(|point| is_allowed(*point, board, limits));
    }
    moves.retain(|known| !known.points.is_empty());
    moves
}

fn is_allowed(point: Point, board: &Board, limits: &Limits) -> bool {
    !limits.left_out.contains(point) && !board.is_forbidden(point, board.turn())
}

impl Limits {
    /// Whether the search of this question leaves out moves, because the limits, their level or their book say so. Its
    /// score is then not that of the position.
    pub fn leave_out_moves(&self, question: Question, board: &Board) -> bool {
        let draws_moves = self.level < Level::FULL && matches!(question, Question::Move { .. });
        draws_moves || !self.left_out.is_empty() || Advice::of(board, self).avoids_moves()
    }
}

/// The moves that a book recommends and rules out at the root of a search.
#[derive(Debug, Default)]
pub(super) struct Advice {
    /// The moves that it tries first, the best first.
    pub(super) first: Vec<Point>,
    /// The moves that it does not search. At least one other move is allowed.
    pub(super) avoided: PointSet,
}

impl Advice {
    /// What the book of the limits says of the moves of a position. Nothing without a book.
    pub(super) fn of(board: &Board, limits: &Limits) -> Self {
        let Some(used) = &limits.book else { return Self::default() };
        let moves = allowed_moves(used, board, limits);
        let points = |is_loss: bool| {
            let moves = moves.iter().filter(move |known| (known.kind == MoveKind::Loses) == is_loss);
            moves.flat_map(|known| known.points.iter().copied())
        };
        let avoided = match used.role {
            BookRole::Answers => points(true).collect(),
            BookRole::Orders => PointSet::EMPTY,
        };
        let is_open = |point: Point| !avoided.contains(point) && is_allowed(point, board, limits);
        let has_others = !avoided.is_empty() && board.empty_points().iter().any(is_open);
        Self { first: points(false).collect(), avoided: if has_others { avoided } else { PointSet::EMPTY } }
    }

    /// Whether there are moves that the search avoids.
    pub(super) fn avoids_moves(&self) -> bool {
        !self.avoided.is_empty()
    }

    /// These moves without those that are avoided; all of them if none is left.
    pub(super) fn keep(&self, points: PointSet) -> PointSet {
        if !self.avoids_moves() {
            return points;
        }
        let kept: PointSet = points.iter().filter(|&point| !self.avoided.contains(point)).collect();
        if kept.is_empty() { points } else { kept }
    }

    /// Puts the moves of the book first in a list that is in the order of a search, and removes those that are avoided
    /// unless none is left.
    pub(super) fn arrange(&self, points: &mut Vec<Point>) {
        let kept = self.keep(points.iter().copied().collect());
        points.retain(|&point| kept.contains(point));
        if !self.first.is_empty() {
            points.sort_by_key(|point| self.first.iter().position(|first| first == point).unwrap_or(usize::MAX));
        }
    }
}
