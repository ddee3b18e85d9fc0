//! [`Negotiation`]: a procedure in progress. It is pure: answers go in, questions come out.

use thiserror::Error;

use super::{AnswerError, Procedure, ProcedureAnswer, ProcedureQuestion, Step, Stones};
use crate::board::{Board, Color, Point, Rule, Size};
use crate::notation::parse_comma;

/// The two players before they have colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seat {
    /// The player who opens the game, black until a swap.
    Opener,
    /// The other player.
    Other,
}

impl Seat {
    /// The other of the two.
    pub const fn opponent(self) -> Self {
        match self {
            Self::Opener => Self::Other,
            Self::Other => Self::Opener,
        }
    }
}

/// An opening by a procedure in progress.
///
/// ```
/// use tengen::board::{Rule, Size};
/// use tengen::notation::Letters;
/// use tengen::opening::{Ahead, ProcedureAnswer, Negotiation, Seat, Procedure, ProcedureQuestion, Step};
///
/// let mut negotiation = Negotiation::new(Procedure::Swap, Size::FIFTEEN, Rule::Renju);
/// let stones = Letters::new(Size::FIFTEEN).parse_moves("h8 i8 j10")?.into_iter().collect();
/// negotiation.answer(ProcedureAnswer::Stones(stones))?;
/// assert_eq!(negotiation.step(), Step::Ask(Seat::Other, ProcedureQuestion::Swap(Ahead::Game)));
/// negotiation.answer(ProcedureAnswer::Swap)?;
/// assert_eq!(negotiation.step(), Step::Agreed { black: Seat::Other });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Negotiation {
    procedure: Procedure,
    board: Board,
    stones: Vec<Point>,
    answers: Vec<ProcedureAnswer>,
}

/// A part of an answer: one line of a list in the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A stone.
    Stone(Point),
    /// `SWAP`.
    Swap,
    /// `KEEP`.
    Keep,
    /// The number of fifth moves that black will offer.
    Number(u8),
}

impl Item {
    /// Parses one item of an answer: `SWAP`, `KEEP`, a point such as `7,7`, or a number.
    pub fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_uppercase().as_str() {
            "SWAP" => Some(Self::Swap),
            "KEEP" => Some(Self::Keep),
            text => match text.parse() {
                Ok(number) => Some(Self::Number(number)),
                Err(_) => parse_comma(text).ok().map(Self::Stone),
            },
        }
    }
}

/// Error returned when a list is not a state of a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    /// The board is smaller than the procedure needs.
    #[error("{0} needs a board of {side} x {side} or more", side = .0.least_side())]
    Small(Procedure),
    /// An answer of the list is illegal.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// The list ends within an answer to this question.
    #[error("the list ends where {0} should stand")]
    Unfinished(ProcedureQuestion),
    /// The item at this place of the list, counted from 1, does not answer the question.
    #[error("line {0} of the list: expected {1}")]
    Unexpected(usize, ProcedureQuestion),
    /// The colors are settled before this place of the list, counted from 1.
    #[error("line {0} of the list: the colors are settled before it")]
    TooMany(usize),
}

impl Negotiation {
    /// The procedure on an empty board. If the board is smaller than [`Procedure::least_side`], a question may have no
    /// legal answer.
    pub fn new(procedure: Procedure, size: Size, rule: Rule) -> Self {
        Self { procedure, board: Board::new(size, rule), stones: Vec::new(), answers: Vec::new() }
    }

    /// The state after the answers of a list.
    ///
    /// # Errors
    /// When an item does not answer its question, or the last answer is incomplete.
    pub fn read(procedure: Procedure, size: Size, rule: Rule, items: &[Item]) -> Result<Self, ReadError> {
        if size.side() < procedure.least_side() {
            return Err(ReadError::Small(procedure));
        }
        let mut negotiation = Self::new(procedure, size, rule);
        let mut read = 0;
        while read < items.len() {
            let Step::Ask(_, question) = negotiation.step() else { return Err(ReadError::TooMany(read + 1)) };
            let (answer, length) = first_answer(question, &items[read..]).map_err(|error| match error {
                ReadError::Unexpected(place, question) => ReadError::Unexpected(read + place, question),
                error => error,
            })?;
            negotiation.answer(answer)?;
            read += length;
        }
        Ok(negotiation)
    }

    /// The procedure.
    pub const fn procedure(&self) -> Procedure {
        self.procedure
    }

    /// The board with the stones so far. Offered fifth moves are not on it until one of them is chosen.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The stones so far, in playing order.
    pub fn stones(&self) -> &[Point] {
        &self.stones
    }

    /// The answers so far.
    pub fn answers(&self) -> &[ProcedureAnswer] {
        &self.answers
    }

    /// The next step.
    pub fn step(&self) -> Step {
        self.procedure.step(self)
    }

    /// Plays the stones of an answer and advances to the next step.
    ///
    /// # Errors
    /// When the answer is illegal. The negotiation is unchanged.
    pub fn answer(&mut self, answer: ProcedureAnswer) -> Result<(), AnswerError> {
        let Step::Ask(_, question) = self.step() else { return Err(AnswerError::Agreed) };
        question.check(&self.board, &answer)?;
        // Offered fifth moves are not on the board yet.
        let is_offer = match question {
            ProcedureQuestion::Offer(_) => true,
            ProcedureQuestion::FifthOrOffer(..) => answer.stones().len() > 1,
            _ => false,
        };
        for point in answer.stones().iter().filter(|_| !is_offer) {
            self.board.play(point);
            self.stones.push(point);
        }
        self.answers.push(answer);
        Ok(())
    }

    /// The player who has black so far: the opener after an even number of swaps.
    pub(super) fn black(&self) -> Seat {
        let swaps = self.answers.iter().filter(|answer| **answer == ProcedureAnswer::Swap).count();
        if swaps % 2 == 0 { Seat::Opener } else { Seat::Other }
    }

    /// Asks the player with the side to move.
    pub(super) fn ask_mover(&self, question: ProcedureQuestion) -> Step {
        let black = self.black();
        Step::Ask(if self.board.turn() == Color::Black { black } else { black.opponent() }, question)
    }

    /// Asks white, who chooses among the fifth moves although black is to move.
    pub(super) fn ask_white(&self, question: ProcedureQuestion) -> Step {
        Step::Ask(self.black().opponent(), question)
    }

    /// The end of the procedure with the colors as they are.
    pub(super) fn agreed(&self) -> Step {
        Step::Agreed { black: self.black() }
    }

    /// The stones of the last answer.
    pub(super) fn last_stones(&self) -> Stones {
        self.answers.last().map_or(Stones::NONE, ProcedureAnswer::stones)
    }

    /// The announced number of fifth moves, or 0.
    pub(super) fn announced(&self) -> u8 {
        let number = |answer: &ProcedureAnswer| {
            if let ProcedureAnswer::Announce(_, number) = answer { Some(*number) } else { None }
        };
        self.answers.iter().find_map(number).unwrap_or(0)
    }
}

/// The answer at the beginning of a list, and the number of its items.
fn first_answer(question: ProcedureQuestion, items: &[Item]) -> Result<(ProcedureAnswer, usize), ReadError> {
    match items.first() {
        Some(Item::Swap) => return Ok((ProcedureAnswer::Swap, 1)),
        Some(Item::Keep) => return Ok((ProcedureAnswer::Keep, 1)),
        Some(Item::Number(_)) => return Err(ReadError::Unexpected(1, question)),
        Some(Item::Stone(_)) | None => {}
    }
    let stone = |item: &Item| if let Item::Stone(point) = item { Some(*point) } else { None };
    let in_a_row = items.iter().map_while(stone).count();
    let (most, fewest) = question.counts();
    let count = match fewest {
        _ if in_a_row >= most => most,
        Some(fewest) if in_a_row >= fewest => fewest,
        _ if in_a_row < items.len() => return Err(ReadError::Unexpected(in_a_row + 1, question)),
        _ => return Err(ReadError::Unfinished(question)),
    };
    if count == 0 {
        return Err(ReadError::Unexpected(1, question));
    }
    let stones = items[..count].iter().filter_map(stone).collect();
    if question.most_fifths().is_none() {
        return Ok((ProcedureAnswer::Stones(stones), count));
    }
    match items.get(count) {
        Some(&Item::Number(number)) => Ok((ProcedureAnswer::Announce(stones, number), count + 1)),
        Some(_) => Err(ReadError::Unexpected(count + 1, question)),
        None => Err(ReadError::Unfinished(question)),
    }
}
