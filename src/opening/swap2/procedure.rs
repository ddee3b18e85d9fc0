//! [`Procedure`]: the course of Swap2, by the sequence of questions that the Gomocup judge asks.
//!
//! ```text
//! stones  question  asked   answers
//! 0       Open      opener  three stones: black, white, black
//! 3       Choose    other   takes black | takes white and puts a stone | puts two stones: white, black
//! 5       Decide    opener  takes black | takes white and puts a stone
//! ```

use std::fmt;

use super::Answer;
use crate::board::{Board, PlayError, Point, Rule, Size};

/// The two players before they have colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// Puts the first three stones.
    Opener,
    /// Chooses after three stones.
    Other,
}

/// The question that the stones on the board pose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// On an empty board: three stones.
    Open,
    /// After three stones: a color, or two more stones.
    Choose,
    /// After five stones: a color.
    Decide,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A player has to answer a question.
    Ask(Player, Question),
    /// The colors are settled, and the game goes on with the side to move.
    Agreed {
        /// The player with the black stones.
        black: Player,
    },
}

/// Why an answer is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerError {
    /// The question does not allow this number of stones; SWAP has none.
    Count(Question, usize),
    /// A stone cannot be put on this point.
    Play(Point, PlayError),
    /// A stone on this point would end the game.
    GameOver(Point),
    /// The colors are settled already.
    Agreed,
}

impl fmt::Display for AnswerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(Question::Open, count) => write!(f, "expected three stones, got {count}"),
            Self::Count(Question::Choose, count) => write!(f, "expected SWAP, one stone or two, got {count}"),
            Self::Count(Question::Decide, count) => write!(f, "expected SWAP or one stone, got {count}"),
            Self::Play(point, error) => write!(f, "{point}: {error}"),
            Self::GameOver(point) => write!(f, "{point} would end the game"),
            Self::Agreed => f.write_str("the colors are settled already"),
        }
    }
}

impl std::error::Error for AnswerError {}

impl Question {
    /// The number of stones that pose it.
    pub const fn stones(self) -> usize {
        match self {
            Self::Open => 0,
            Self::Choose => 3,
            Self::Decide => 5,
        }
    }

    /// The question that this number of stones poses.
    pub const fn of(stone_count: usize) -> Option<Self> {
        match stone_count {
            0 => Some(Self::Open),
            3 => Some(Self::Choose),
            5 => Some(Self::Decide),
            _ => None,
        }
    }

    /// Reads an answer from its stones; none stand for SWAP, which takes black.
    ///
    /// # Errors
    /// When the question does not allow this number of stones.
    pub fn read(self, points: &[Point]) -> Result<Answer, AnswerError> {
        match (self, points) {
            (Self::Open, &[one, two, three]) => Ok(Answer::Open([one, two, three])),
            (Self::Choose | Self::Decide, []) => Ok(Answer::TakeBlack),
            (Self::Choose | Self::Decide, &[point]) => Ok(Answer::Play(point)),
            (Self::Choose, &[white, black]) => Ok(Answer::Offer([white, black])),
            _ => Err(AnswerError::Count(self, points.len())),
        }
    }
}

/// An opening by Swap2 in progress.
///
/// ```
/// use tengen::board::{Rule, Size};
/// use tengen::opening::swap2::{Answer, Player, Procedure, Question, Step};
///
/// let mut procedure = Procedure::new(Size::FIFTEEN, Rule::Standard);
/// let stones = ["h8", "i8", "j10"].map(|name| name.parse().unwrap());
/// procedure.answer(Answer::Open(stones))?;
/// assert_eq!(procedure.step(), Step::Ask(Player::Other, Question::Choose));
/// procedure.answer(Answer::TakeBlack)?;
/// assert_eq!(procedure.step(), Step::Agreed { black: Player::Other });
/// # Ok::<(), tengen::opening::swap2::AnswerError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Procedure {
    board: Board,
    step: Step,
}

impl Procedure {
    /// The procedure on an empty board.
    pub fn new(size: Size, rule: Rule) -> Self {
        Self { board: Board::new(size, rule), step: Step::Ask(Player::Opener, Question::Open) }
    }

    /// The board with the stones so far.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// What comes next.
    pub const fn step(&self) -> Step {
        self.step
    }

    /// Puts the stones of an answer on the board and moves to the next step.
    ///
    /// # Errors
    /// When the question does not allow the answer, or a stone cannot be put or would end the game; nothing has
    /// changed then.
    pub fn answer(&mut self, answer: Answer) -> Result<(), AnswerError> {
        let Step::Ask(player, question) = self.step else { return Err(AnswerError::Agreed) };
        // An answer of the wrong kind has the wrong number of stones.
        question.read(answer.stones())?;
        let mut board = self.board.clone();
        for &point in answer.stones() {
            board.check_empty(point).map_err(|error| AnswerError::Play(point, error))?;
            if board.outcome_of(point, board.turn()).is_some() {
                return Err(AnswerError::GameOver(point));
            }
            board.play(point);
        }
        self.board = board;
        self.step = match answer {
            Answer::Open(_) => Step::Ask(Player::Other, Question::Choose),
            Answer::Offer(_) => Step::Ask(Player::Opener, Question::Decide),
            Answer::TakeBlack => Step::Agreed { black: player },
            Answer::Play(_) => Step::Agreed { black: player.opponent() },
        };
        Ok(())
    }
}

impl Player {
    /// The other one of the two.
    pub const fn opponent(self) -> Self {
        match self {
            Self::Opener => Self::Other,
            Self::Other => Self::Opener,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::notation::Moves;

    fn points(text: &str) -> Vec<Point> {
        text.parse::<Moves>().unwrap().0
    }

    /// The step after these answers, `-` for SWAP, and the stones on the board.
    fn after(answers: &[&str]) -> Result<(Step, usize), AnswerError> {
        let mut procedure = Procedure::new(Size::FIFTEEN, Rule::Freestyle);
        for text in answers {
            let Step::Ask(_, question) = procedure.step() else { return Err(AnswerError::Agreed) };
            procedure.answer(question.read(&points(text.trim_matches('-')))?)?;
        }
        Ok((procedure.step(), procedure.board().stone_count()))
    }

    #[test]
    fn every_course_ends_with_settled_colors() {
        let (opener, other) = (Step::Agreed { black: Player::Opener }, Step::Agreed { black: Player::Other });
        assert_eq!(after(&[]), Ok((Step::Ask(Player::Opener, Question::Open), 0)));
        assert_eq!(after(&["h8 i8 j10"]), Ok((Step::Ask(Player::Other, Question::Choose), 3)));
        assert_eq!(after(&["h8 i8 j10", "-"]), Ok((other, 3)));
        assert_eq!(after(&["h8 i8 j10", "a1"]), Ok((opener, 4)));
        assert_eq!(after(&["h8 i8 j10", "a1 a2"]), Ok((Step::Ask(Player::Opener, Question::Decide), 5)));
        assert_eq!(after(&["h8 i8 j10", "a1 a2", "-"]), Ok((opener, 5)));
        assert_eq!(after(&["h8 i8 j10", "a1 a2", "o15"]), Ok((other, 6)));
    }

    #[test]
    fn an_answer_that_is_not_legal_names_the_reason() {
        let error = |answers: &[&str]| after(answers).unwrap_err();
        assert_eq!(error(&["-"]), AnswerError::Count(Question::Open, 0));
        assert_eq!(error(&["h8 i8"]), AnswerError::Count(Question::Open, 2));
        assert_eq!(error(&["h8 i8 j10", "a1 a2 a3"]), AnswerError::Count(Question::Choose, 3));
        assert_eq!(error(&["h8 i8 j10", "a1 a2", "b1 b2"]), AnswerError::Count(Question::Decide, 2));
        let taken = points("h8")[0];
        assert_eq!(error(&["h8 i8 h8"]), AnswerError::Play(taken, PlayError::Occupied));
        assert_eq!(error(&["h8 i8 j10", "h8"]), AnswerError::Play(taken, PlayError::Occupied));
        assert_eq!(error(&["h8 i8 p1"]), AnswerError::Play(points("p1")[0], PlayError::OffBoard));
        assert_eq!(error(&["h8 i8 j10", "-", "-"]), AnswerError::Agreed);
    }

    #[test]
    fn a_refused_answer_changes_nothing() {
        let mut procedure = Procedure::new(Size::FIFTEEN, Rule::Freestyle);
        assert!(procedure.answer(Answer::TakeBlack).is_err());
        let [one, two] = points("h8 i8")[..] else { panic!("two points") };
        assert!(procedure.answer(Answer::Open([one, two, two])).is_err());
        assert_eq!((procedure.board().stone_count(), procedure.board().turn()), (0, Color::Black));
    }

    #[test]
    fn the_number_of_stones_is_the_question() {
        let questions: Vec<_> = (0..7).filter_map(|count| Some((count, Question::of(count)?))).collect();
        assert_eq!(questions, [(0, Question::Open), (3, Question::Choose), (5, Question::Decide)]);
    }
}
