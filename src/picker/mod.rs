//! CHOICE: the pickers of the next point, behind one interface: a [`Question`] in, an [`Answer`] with its reason out.
//!
//! Owns the pickers, their limits and their reports. Uses the position, the weights, the evaluation, the solvers and the
//! openings. Must never know a thread of its caller, a protocol, a stream or a process.

mod alphabeta;
mod control;
mod greedy;
mod info;
mod judge;
mod mcts;
mod table;
mod tactics;
mod time;

use std::io::{self, Write};

use strum::{Display, EnumString, VariantNames};

pub use alphabeta::AlphaBeta;
pub use control::{Limits, SearchControl};
pub use greedy::Greedy;
pub use info::{Line, MoveStatistics, PointLabel, Report, SearchInfo};
pub use judge::{Evaluation, JudgeName, RolloutPolicy};
pub use mcts::Mcts;
pub use table::{TABLE_KIND, TableError, TableInput};
pub use time::Deadlines;

use crate::board::{Point, Rule, Size};
use crate::opening;
use crate::score::Score;
use crate::text::UnknownName;
use crate::weights::{WeightedPosition, Weights};

/// What a picker is asked about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The move of the side to move, with this many of the best moves in the reports; 0 where the move is enough.
    Move {
        /// The number of best moves, the choice among them.
        lines: usize,
    },
    /// What a procedure of the opening asks about the stones on the board.
    Opening(opening::Question),
    /// The move of the side to move, with every move that does not lose in the reports.
    Defend,
    /// The stones that make the position even.
    Balance(Balance),
}

/// The stones that are sought for an even position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// How many stones.
    pub stones: BalanceStones,
    /// The score that counts as even, for the side that puts the first of them.
    pub bias: i32,
}

/// The number of stones that are sought for an even position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalanceStones {
    /// One, of the side to move.
    One,
    /// Two, the other side's second.
    Two,
}

impl Question {
    /// The move alone.
    pub const MOVE: Self = Self::Move { lines: 0 };

    /// The same question, with at least the line of the choice in the reports.
    #[must_use]
    pub fn with_line(self) -> Self {
        match self {
            Self::Move { lines } => Self::Move { lines: lines.max(1) },
            Self::Opening(_) | Self::Defend | Self::Balance(_) => self,
        }
    }

    /// Whether the moves in the reports are a part of what is asked for.
    pub const fn asks_for_lines(self) -> bool {
        matches!(self, Self::Move { lines: 1.. } | Self::Defend | Self::Balance(_))
    }
}

/// What a picker answers, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What it decided.
    pub decision: Decision,
    /// What decided it.
    pub reason: Reason,
    /// The nodes that were searched; for the greedy picker a node is one decision.
    pub nodes: u64,
}

/// What a picker decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A move of the side to move.
    Move(Point),
    /// An answer to [`Question::Opening`].
    Opening(opening::Answer),
    /// A move of the side to move, and one of the other side.
    Pair([Point; 2]),
}

/// A picked move and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The point.
    pub point: Point,
    /// What decided.
    pub reason: Reason,
    /// The nodes that were searched; for the greedy picker a node is one decision.
    pub nodes: u64,
}

impl From<Choice> for Answer {
    fn from(Choice { point, reason, nodes }: Choice) -> Self {
        Self { decision: Decision::Move(point), reason, nodes }
    }
}

impl Answer {
    /// The move, where the answer is one.
    pub fn choice(&self) -> Option<Choice> {
        let &Self { decision, reason, nodes } = self;
        match decision {
            Decision::Move(point) => Some(Choice { point, reason, nodes }),
            Decision::Opening(_) | Decision::Pair(_) => None,
        }
    }
}

/// What decided an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The first move of a game: the centre.
    Centre,
    /// The greatest total of a weighting.
    Weights(Weights),
    /// A fixed answer to an opening procedure, or one by a comparison of weights.
    Rule,
    /// No answer came in time, or none that the rules allow: the best point so far, or any.
    Unfinished,
    /// A search.
    Search {
        /// The score for the side that moves.
        score: Score,
        /// The depth that was finished; 0 for a proof, and where the first depth was left after some of its moves.
        depth: u32,
    },
}

/// Answers questions about positions.
///
/// ```
/// use tengen::board::{Board, Rule, Size};
/// use tengen::notation::{Comma, parse_comma};
/// use tengen::picker::{Greedy, Limits, Picker};
/// use tengen::weights::{WeightedPosition, Weighting};
///
/// let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
/// ["7,7", "8,8", "8,7", "9,7", "6,7"].iter().for_each(|point| board.play(parse_comma(point).unwrap()));
/// let mut position = WeightedPosition::new(board, Weighting::SHAPES);
/// let choice = Greedy.pick(&mut position, &Limits::default()).unwrap();
/// assert_eq!(Comma(choice.point).to_string(), "5,7");
/// ```
pub trait Picker: Send {
    /// Answers a question about an unfinished game, or `None` on a full board, and leaves the position as it was. The
    /// points of an answer are empty; a move is none of `limits.left_out`.
    ///
    /// A picker looks at `limits.control` often enough to return within some milliseconds of a stop or a deadline. The
    /// last of its reports holds as many moves as the question asks for, if there are as many, and the first of them is
    /// the choice.
    fn answer(
        &mut self,
        question: Question,
        position: &mut WeightedPosition,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer>;

    /// Picks a move and reports nothing.
    fn pick(&mut self, position: &mut WeightedPosition, limits: &Limits) -> Option<Choice> {
        self.answer(Question::MOVE, position, limits, &mut |_| {})?.choice()
    }

    /// Whether [`answer`](Self::answer) always returns within some microseconds, so that it needs no thread of its own.
    fn is_instant(&self) -> bool {
        false
    }

    /// Fills the tables that a question about such a position needs beside those of the position: built once in a
    /// process, and kept. What is not filled here is filled by the first question, which pays for it.
    fn preload(&self, _: &WeightedPosition, _: Evaluation) {}

    /// Forgets what earlier questions have left behind: tables, histories.
    fn clear(&mut self) {}

    /// How full the table of earlier questions is, in thousandths; `None` where there is none.
    fn table_usage(&self) -> Option<usize> {
        None
    }

    /// Writes the table of earlier questions; returns the number of its entries. `None` where there is none.
    ///
    /// # Errors
    /// When the output cannot be written.
    fn dump_table(&self, _: &mut dyn Write) -> io::Result<Option<u64>> {
        Ok(None)
    }

    /// Reads a table of such positions, which later questions use; returns the number of its entries. `None` where the
    /// picker keeps none.
    ///
    /// # Errors
    /// When the input is not right in every byte; then nothing is changed.
    fn load_table(&mut self, _: Rule, _: Size, _: &Limits, _: &mut dyn TableInput) -> Option<Result<u64, TableError>> {
        None
    }
}

/// The pickers by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive, parse_err_ty = UnknownName, parse_err_fn = unknown_picker)]
pub enum PickerName {
    /// [`Greedy`]: the greatest weight of the weighting in use.
    #[default]
    Greedy,
    /// [`AlphaBeta`]: alpha-beta search with threat proofs.
    Search,
    /// [`Mcts`]: Monte Carlo tree search.
    Mcts,
}

impl PickerName {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Greedy, Self::Search, Self::Mcts];

    /// A new picker of this name.
    pub fn build(self) -> Box<dyn Picker> {
        match self {
            Self::Greedy => Box::new(Greedy),
            Self::Search => Box::new(AlphaBeta::default()),
            Self::Mcts => Box::new(Mcts::default()),
        }
    }
}

fn unknown_picker(_: &str) -> UnknownName {
    UnknownName::of::<PickerName>("picker")
}
