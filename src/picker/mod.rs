//! CHOICE: the pickers of the next point, behind one interface: a [`Question`] in, an [`Answer`] with its reason out.
//!
//! ```text
//! greedy/      the greatest documented weight
//! alphabeta/   alpha-beta search          mcts/   Monte Carlo tree search
//! policy.rs    the priors of an evaluation, without a search
//! level.rs     the strength of play against people
//! tactics.rs   what threats decide, and the budgets of proofs, for both searches
//! time.rs      deadlines and shares of the clock          control.rs   limits, stop token
//! evaluation.rs the names of `--evaluation`               info.rs      reports
//! book.rs      the moves of a book at the root, for all of them
//! ```
//!
//! Owns the pickers, their limits and their reports. Uses the position, the weights, the evaluation, the solvers, the
//! openings and books. Must never know a thread of its caller, a protocol, a stream or a process.

mod alphabeta;
mod book;
mod control;
mod evaluation;
mod greedy;
mod info;
mod level;
mod mcts;
mod policy;
mod table_file;
mod tactics;
mod time;

use std::io::{self, Write};

use strum::{Display, EnumString, VariantNames};

pub use alphabeta::AlphaBeta;
pub use book::{BookInPlay, BookReason, BookRole};
pub use control::{Limits, SearchControl};
pub use evaluation::{Evaluation, JudgeName};
pub use greedy::Greedy;
pub use info::{Line, MoveStatistics, PointLabel, Report, SearchInfo};
pub use level::Level;
pub use mcts::Mcts;
pub use policy::Policy;
pub use table_file::{TABLE_KIND, TableError, TableInput};
pub(crate) use tactics::urgent_move;
pub use time::Deadlines;

use self::level::Leveled;
use crate::board::{Point, Rule, Size};
use crate::opening;
use crate::score::Score;
use crate::text::UnknownName;
use crate::weights::{WeightedPosition, Weights};

/// A question about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// The move of the side to move.
    Move {
        /// The number of best moves in the reports, the choice among them; 0 if the move is enough.
        lines: usize,
    },
    /// A question of an opening procedure.
    Opening(opening::ProcedureQuestion),
    /// The move of the side to move; the reports hold every move that does not lose.
    Defend,
    /// One or two stones that make the position even.
    Balance(Balance),
}

/// A question for stones that make the position even.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Balance {
    /// The number of stones.
    pub stones: BalanceStones,
    /// The score that counts as even, for the side to move.
    pub bias: i32,
}

/// The number of stones of a [`Balance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BalanceStones {
    /// One stone of the side to move.
    One,
    /// One stone of the side to move, and one of the other side.
    Two,
}

impl Question {
    /// The move alone.
    pub const MOVE: Self = Self::Move { lines: 0 };

    /// The same question, with the line of the choice in the reports.
    #[must_use]
    pub fn with_line(self) -> Self {
        match self {
            Self::Move { lines } => Self::Move { lines: lines.max(1) },
            Self::Opening(_) | Self::Defend | Self::Balance(_) => self,
        }
    }

    /// Whether the moves in the reports are part of the answer.
    pub const fn asks_for_lines(self) -> bool {
        matches!(self, Self::Move { lines: 1.. } | Self::Defend | Self::Balance(_))
    }
}

/// The answer of a picker with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The decision.
    pub decision: Decision,
    /// The reason.
    pub reason: Reason,
    /// Nodes searched; the greedy picker counts a decision as one node.
    pub nodes: u64,
}

/// The decision of a picker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A move of the side to move.
    Move(Point),
    /// An answer to [`Question::Opening`].
    Opening(opening::ProcedureAnswer),
    /// A move of the side to move, then one of the other side.
    Pair([Point; 2]),
}

/// A picked move with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The point.
    pub point: Point,
    /// The reason.
    pub reason: Reason,
    /// Nodes searched; the greedy picker counts a decision as one node.
    pub nodes: u64,
}

impl From<Choice> for Answer {
    fn from(Choice { point, reason, nodes }: Choice) -> Self {
        Self { decision: Decision::Move(point), reason, nodes }
    }
}

impl Answer {
    /// The move, if the answer is a single move.
    pub fn choice(&self) -> Option<Choice> {
        let &Self { decision, reason, nodes } = self;
        match decision {
            Decision::Move(point) => Some(Choice { point, reason, nodes }),
            Decision::Opening(_) | Decision::Pair(_) => None,
        }
    }
}

/// The reason of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The first move of a game: the centre.
    Centre,
    /// The greatest total of a weighting.
    Weights(Weights),
    /// A fixed answer to an opening procedure, or a comparison of weights.
    Rule,
    /// A move of a book.
    Book(BookReason),
    /// The prior of the move, or a draw by the priors: its share of all priors, in [`MoveStatistics::ONE`]ths.
    Prior(u32),
    /// No legal answer came in time: the best point so far, a move that the threats demand, or any point.
    Unfinished,
    /// A search.
    Search {
        /// The score for the side to move.
        score: Score,
        /// The last finished depth; for a tree search the mean depth of its playouts, rounded up. 0 for a proof, or if
        /// the first iteration or playout was not finished.
        depth: u32,
    },
}

impl Reason {
    /// The score and the depth of a search that has proved something or finished a depth.
    pub fn searched(self) -> Option<(Score, u32)> {
        match self {
            Self::Search { score, depth } if depth > 0 || score.is_decided() => Some((score, depth)),
            _ => None,
        }
    }
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
/// let mut position = WeightedPosition::new(board, Weighting::Shapes);
/// let choice = Greedy.pick(&mut position, &Limits::default()).unwrap();
/// assert_eq!(Comma(choice.point).to_string(), "5,7");
/// ```
pub trait Picker: Send {
    /// Answers a question about an unfinished game; `None` on a full board. Leaves the position as it was. The points of an
    /// answer are empty, and a move is not in `limits.left_out`.
    ///
    /// A picker checks `limits.control` often enough to return within some milliseconds of a stop or a deadline. Its
    /// last report holds the number of moves that the question asks for, or all moves if there are fewer. The choice is
    /// first. If it comes from a book, the only report says so.
    fn answer(
        &mut self,
        question: Question,
        position: &mut WeightedPosition,
        limits: &Limits,
        report: &mut dyn FnMut(Report),
    ) -> Option<Answer>;

    /// Picks a move without reports.
    fn pick(&mut self, position: &mut WeightedPosition, limits: &Limits) -> Option<Choice> {
        self.answer(Question::MOVE, position, limits, &mut |_| {})?.choice()
    }

    /// Whether [`answer`](Self::answer) always returns within some microseconds and needs no thread of its own.
    fn is_instant(&self) -> bool {
        false
    }

    /// Fills the tables of the process that a question about such a position reads. Otherwise the first question fills
    /// them.
    fn preload(&self, _: &WeightedPosition, _: Evaluation) {}

    /// Forgets earlier questions: tables, histories.
    fn clear(&mut self) {}

    /// The usage of the table in thousandths; `None` without a table.
    fn table_usage(&self) -> Option<usize> {
        None
    }

    /// Writes the table and returns the number of its entries; `None` without a table that [`load_table`](Self::load_table) can read.
    ///
    /// # Errors
    /// When the output cannot be written.
    fn dump_table(&self, _: &mut dyn Write) -> io::Result<Option<u64>> {
        Ok(None)
    }

    /// Reads a table for positions of this rule and size, and returns the number of its entries; `None` if the picker
    /// keeps no table.
    ///
    /// # Errors
    /// When the input is damaged or of another kind; the picker then keeps its table.
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
    /// [`Policy`]: the priors of the evaluation, without a search.
    Policy,
}

impl PickerName {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Greedy, Self::Search, Self::Mcts, Self::Policy];

    /// The depth limit that applies to this picker. Alpha-beta stops at a maximum depth of its own, so that a limit of that
    /// depth or more is dropped.
    pub fn depth_limit(self, depth: Option<u32>) -> Option<u32> {
        depth.filter(|&depth| self != Self::Search || depth < AlphaBeta::MAX_DEPTH)
    }

    /// Whether a limit of nodes or depth applies to this picker.
    pub fn has_work_limit(self, nodes: Option<u64>, depth: Option<u32>) -> bool {
        nodes.is_some() || self.depth_limit(depth).is_some()
    }

    /// A new picker of this name.
    pub fn build(self) -> Box<dyn Picker> {
        match self {
            Self::Greedy => Box::new(Greedy),
            Self::Search => Box::new(Leveled(AlphaBeta::default())),
            Self::Mcts => Box::new(Leveled(Mcts::default())),
            Self::Policy => Box::new(Leveled(Policy)),
        }
    }
}

fn unknown_picker(_: &str) -> UnknownName {
    UnknownName::of::<PickerName>("picker")
}
