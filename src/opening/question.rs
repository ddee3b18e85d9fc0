//! [`ProcedureQuestion`] and [`ProcedureAnswer`]: what a procedure asks a player, and which answers are legal.

use std::fmt;

use thiserror::Error;

use super::stone_symmetries::StoneSymmetries;
use super::stones::Stones;
use super::{NamedOpening, Seat};
use crate::board::{Board, PlayError, Point, PointSet, Size};
use crate::notation::Comma;

/// A question to a player. With the stones on the board it determines which answers are legal.
///
/// The player who is asked about colors, or for a stone, has the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcedureQuestion {
    /// On an empty board: three stones, black, white and black.
    Open(ThreeStones),
    /// Swap colors, or keep the side to move.
    Swap(Ahead),
    /// One stone of the side to move, in this square or anywhere.
    Stone(Square),
    /// The same, but the other player may swap next.
    StoneBeforeSwap(Square),
    /// White's fourth stone, and the number of fifth moves that black will offer, up to this.
    Fourth {
        /// The greatest number.
        most: u8,
    },
    /// White's fourth stone. Black will offer this number of fifth moves.
    FourthFor {
        /// The number of fifth moves.
        fifths: u8,
    },
    /// Swap2 after three stones: black, white with a stone, or two stones that leave the choice to the other player.
    Choose,
    /// Swap2 after five stones: black, or white with a stone.
    Decide,
    /// Black after the fourth stone: takes white, plays a fifth in this square, or offers this many fifth moves.
    FifthOrOffer(Square, u8),
    /// Black's fifth moves, no two of them equivalent.
    Offer(u8),
    /// The fifth move that white leaves to black.
    Pick(Stones),
}

/// The three stones that may open a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreeStones {
    /// Any three points.
    Any,
    /// One of the 26, with the number of fifth moves if the procedure fixes it.
    Named(Option<u8>),
    /// One of the 26, with the number of fifth moves that black will offer, up to this.
    Announced {
        /// The greatest number.
        most: u8,
    },
}

/// The rest of the opening for a player who may swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    /// The game, or stones after each of which the other player may swap.
    Game,
    /// Black will offer this many fifth moves. If there are three stones, white plays the fourth first.
    Fifths(u8),
    /// White puts the fourth stone and says how many fifth moves, up to this; then the other player may swap.
    Fourth {
        /// The greatest number.
        most: u8,
    },
}

/// A central square, or the whole board. A reach of 2 is the central 5 × 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Square(Option<u8>);

impl Square {
    /// The whole board.
    pub const ANYWHERE: Self = Self(None);
    /// The centre alone.
    pub const CENTRE: Self = Self(Some(0));

    /// The central square with this odd side.
    pub const fn of_side(side: u8) -> Self {
        Self(Some(side / 2))
    }

    /// Whether a point lies in the square.
    pub fn contains(self, point: Point, size: Size) -> bool {
        self.0.is_none_or(|reach| point.distance(size.centre()) <= reach)
    }

    /// The empty points of a board in the square.
    pub fn empty_points(self, board: &Board) -> PointSet {
        board.empty_points().iter().filter(|&point| self.contains(point, board.size())).collect()
    }
}

/// A player's answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcedureAnswer {
    /// Take the color that is not to move.
    Swap,
    /// Keep the side to move.
    Keep,
    /// Stones in playing order. In Swap2 a single stone also keeps white.
    Stones(Stones),
    /// Stones, and the number of fifth moves that black will offer.
    Announce(Stones, u8),
}

impl ProcedureAnswer {
    /// The stones in playing order: stones to play, offered fifth moves, or the chosen one.
    pub const fn stones(&self) -> Stones {
        match self {
            Self::Swap | Self::Keep => Stones::NONE,
            Self::Stones(stones) | Self::Announce(stones, _) => *stones,
        }
    }

    /// An answer with one stone.
    pub fn stone(point: Point) -> Self {
        Self::Stones([point].into_iter().collect())
    }
}

/// `swap`, `keep`, `7,7 7,6 8,5`, `7,7 7,6 8,5 5`.
impl fmt::Display for ProcedureAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Swap => f.write_str("swap"),
            Self::Keep => f.write_str("keep"),
            Self::Stones(stones) => stones.fmt(f),
            Self::Announce(stones, number) => write!(f, "{stones} {number}"),
        }
    }
}

/// Error returned when an answer is illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum AnswerError {
    /// The answer does not have the form that the question asks for.
    #[error("expected {0}, got {1}")]
    Form(ProcedureQuestion, ProcedureAnswer),
    /// The announced number of fifth moves is not between 1 and the greatest.
    #[error("expected 1 to {1} fifth moves, got {0}")]
    Number(u8, u8),
    /// A stone cannot be played on this point.
    #[error("{}: {}", Comma(*.0), .1)]
    Play(Point, PlayError),
    /// The first stone must be played on the centre.
    #[error("{} is not the centre", Comma(*.0))]
    OffCentre(Point),
    /// The point lies outside the central square of this side.
    #[error("{} lies outside the central {side} x {side}", Comma(*.0), side = .1)]
    Outside(Point, u8),
    /// The three stones are not one of the 26 openings.
    #[error("the three stones are not one of the 26 openings")]
    NotNamed,
    /// Two fifth moves are equivalent under a symmetry of the four stones.
    #[error("{} and {} are equivalent under a symmetry of the four stones", Comma(*.0), Comma(*.1))]
    Equivalent(Point, Point),
    /// The fifth move was not offered.
    #[error("{} was not offered as a fifth move", Comma(*.0))]
    NotOffered(Point),
    /// The procedure has ended.
    #[error("no answer is expected: the colors are settled")]
    Agreed,
}

/// The legal answers in words.
impl fmt::Display for ProcedureQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open(ThreeStones::Announced { .. }) => f.write_str("three stones and a number of fifth moves"),
            Self::Open(_) => f.write_str("three stones"),
            Self::Swap(_) => f.write_str("SWAP or KEEP"),
            Self::Stone(_) | Self::StoneBeforeSwap(_) | Self::FourthFor { .. } => f.write_str("one stone"),
            Self::Fourth { .. } => f.write_str("one stone and a number of fifth moves"),
            Self::Choose => f.write_str("SWAP, one stone or two"),
            Self::Decide => f.write_str("SWAP or one stone"),
            Self::FifthOrOffer(_, count) => write!(f, "SWAP, one stone or {count}"),
            Self::Offer(count) => write!(f, "{count} fifth moves"),
            Self::Pick(_) => f.write_str("one of the offered fifth moves"),
        }
    }
}

impl ProcedureQuestion {
    /// The numbers of stones that an answer may have, the greatest first. Answers without stones are not counted.
    pub const fn counts(&self) -> (usize, Option<usize>) {
        match self {
            Self::Open(_) => (3, None),
            Self::Swap(_) => (0, None),
            Self::Stone(_)
            | Self::StoneBeforeSwap(_)
            | Self::Fourth { .. }
            | Self::FourthFor { .. }
            | Self::Decide
            | Self::Pick(_) => (1, None),
            Self::Choose => (2, Some(1)),
            Self::FifthOrOffer(_, count) => (*count as usize, Some(1)),
            Self::Offer(count) => (*count as usize, None),
        }
    }

    /// The greatest number of fifth moves that the player may announce; `None` if the answer announces no number.
    pub const fn most_fifths(&self) -> Option<u8> {
        match self {
            Self::Open(ThreeStones::Announced { most }) | Self::Fourth { most } => Some(*most),
            _ => None,
        }
    }

    /// Whether the player may take the other color.
    pub const fn allows_swap(&self) -> bool {
        matches!(self, Self::Swap(_) | Self::Choose | Self::Decide | Self::FifthOrOffer(..))
    }

    /// The square in which a single stone must lie; `None` if the question asks for something else.
    pub const fn square(&self) -> Option<Square> {
        match self {
            Self::Stone(square) | Self::StoneBeforeSwap(square) | Self::FifthOrOffer(square, _) => Some(*square),
            _ => None,
        }
    }

    /// Checks an answer on the board with the stones so far. No stone of a procedure can end the game: neither side has
    /// five.
    ///
    /// # Errors
    /// When the answer is illegal: the first reason.
    pub fn check(&self, board: &Board, answer: &ProcedureAnswer) -> Result<(), AnswerError> {
        let form = AnswerError::Form(*self, *answer);
        let count = answer.stones().len();
        let (most, fewest) = self.counts();
        let is_counted = count > 0 && (count == most || Some(count) == fewest);
        match (answer, self.most_fifths()) {
            (ProcedureAnswer::Swap, _) if self.allows_swap() => Ok(()),
            (ProcedureAnswer::Keep, _) if matches!(self, Self::Swap(_)) => Ok(()),
            (ProcedureAnswer::Announce(stones, number), Some(greatest)) if is_counted => {
                if (1..=greatest).contains(number) {
                    self.check_stones(board, stones)
                } else {
                    Err(AnswerError::Number(*number, greatest))
                }
            }
            (ProcedureAnswer::Stones(stones), None) if is_counted => self.check_stones(board, stones),
            _ => Err(form),
        }
    }

    fn check_stones(&self, board: &Board, stones: &Stones) -> Result<(), AnswerError> {
        let size = board.size();
        let is_offer = stones.len() > 1 && matches!(self, Self::Offer(_) | Self::FifthOrOffer(..));
        let square = match self {
            Self::Stone(square) | Self::StoneBeforeSwap(square) => *square,
            Self::FifthOrOffer(square, _) if !is_offer => *square,
            _ => Square::ANYWHERE,
        };
        let mut after = board.clone();
        for point in stones.iter() {
            after.try_play(point).map_err(|error| AnswerError::Play(point, error))?;
            match square.0.filter(|_| !square.contains(point, size)) {
                Some(0) => return Err(AnswerError::OffCentre(point)),
                Some(reach) => return Err(AnswerError::Outside(point, 2 * reach + 1)),
                None => {}
            }
        }
        let points: Vec<_> = stones.iter().collect();
        match (self, &points[..]) {
            (Self::Open(ThreeStones::Named(_) | ThreeStones::Announced { .. }), &[one, two, three]) => {
                let is_named = one == size.centre() && NamedOpening::of([one, two, three], size).is_some();
                is_named.then_some(()).ok_or(AnswerError::NotNamed)
            }
            (Self::Pick(offered), &[point]) => {
                offered.contains(point).then_some(()).ok_or(AnswerError::NotOffered(point))
            }
            (_, points) if is_offer => check_distinct(&StoneSymmetries::of(board), points),
            _ => Ok(()),
        }
    }

    /// Any legal answer, for a player without time left.
    pub fn any_answer(&self, board: &Board) -> Option<ProcedureAnswer> {
        let symmetries = || StoneSymmetries::of(board);
        let one = |square: Square| square.empty_points(board).iter().next().map(ProcedureAnswer::stone);
        let announced = |stones: Stones| ProcedureAnswer::Announce(stones, 1);
        match self {
            Self::Open(ThreeStones::Any) => Some(ProcedureAnswer::Stones(super::three_stones::anywhere(board.size())?)),
            Self::Open(ThreeStones::Named(_)) => Some(ProcedureAnswer::Stones(named(board.size())?)),
            Self::Open(ThreeStones::Announced { .. }) => Some(announced(named(board.size())?)),
            Self::Swap(_) => Some(ProcedureAnswer::Keep),
            Self::Stone(square) | Self::StoneBeforeSwap(square) | Self::FifthOrOffer(square, _) => one(*square),
            Self::FourthFor { .. } | Self::Choose | Self::Decide => one(Square::ANYWHERE),
            Self::Fourth { .. } => one(Square::ANYWHERE).map(|answer| announced(answer.stones())),
            Self::Offer(count) => {
                let distinct = symmetries().distinct(board.empty_points().iter());
                let offered: Stones = distinct.into_iter().take(usize::from(*count)).collect();
                (offered.len() == usize::from(*count)).then_some(ProcedureAnswer::Stones(offered))
            }
            Self::Pick(offered) => offered.iter().next().map(ProcedureAnswer::stone),
        }
    }
}

/// The stones of the first of the 26.
fn named(size: Size) -> Option<Stones> {
    NamedOpening::all().first().map(|opening| opening.stones(size).into_iter().collect())
}

fn check_distinct(symmetries: &StoneSymmetries, points: &[Point]) -> Result<(), AnswerError> {
    for (place, &point) in points.iter().enumerate() {
        if let Some(&other) = points[..place].iter().find(|&&other| symmetries.are_equivalent(other, point)) {
            return Err(AnswerError::Equivalent(other, point));
        }
    }
    Ok(())
}

/// The next step of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A player has to answer a question.
    Ask(Seat, ProcedureQuestion),
    /// The colors are settled, and the game goes on with the side to move.
    Agreed {
        /// The player who has black.
        black: Seat,
    },
}
