//! [`Picker`]: the interface of the pickers of the cube, their answers and their reports.

use std::fmt;
use std::time::Duration;

use strum::{Display, EnumString, IntoStaticStr, VariantNames};

use super::board::{Gravity, Position};
use super::geometry::Cell;
use super::greedy::Greedy;
use super::search::Search;
use crate::picker::{self, Limits};
use crate::score::Score;
use crate::text::UnknownName;

/// Chooses moves in the cube.
pub trait Picker: Send {
    /// Chooses a move for the side to move and reports its progress; `None` if no cell can be played. The time, depth,
    /// nodes, memory and stop token of the limits apply.
    fn answer(
        &mut self,
        position: &Position,
        limits: &Limits,
        scores: Scores,
        report: &mut dyn FnMut(SearchInfo),
    ) -> Option<Answer>;

    /// Whether an answer takes microseconds only, so that no thread is needed.
    fn is_instant(&self) -> bool {
        false
    }

    /// Clears what earlier questions have stored.
    fn clear(&mut self) {}
}

/// The name of a picker of the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
#[strum(parse_err_ty = UnknownName, parse_err_fn = unknown_picker)]
pub enum PickerName {
    /// [`Greedy`]: the documented weights.
    Greedy,
    /// [`Search`]: alpha-beta search.
    Search,
}

impl PickerName {
    /// The cube's counterpart of a picker of the flat board, if there is one.
    pub(super) const fn of(name: picker::PickerName) -> Option<Self> {
        match name {
            picker::PickerName::Greedy => Some(Self::Greedy),
            picker::PickerName::Search => Some(Self::Search),
            picker::PickerName::Mcts | picker::PickerName::Policy => None,
        }
    }

    /// Builds the picker.
    pub fn build(self) -> Box<dyn Picker> {
        match self {
            Self::Greedy => Box::new(Greedy),
            Self::Search => Box::<Search>::default(),
        }
    }
}

/// The error for an unknown name of a picker.
fn unknown_picker(_: &str) -> UnknownName {
    UnknownName::of::<PickerName>("picker")
}

/// The moves that get a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    /// The best move only.
    Best,
    /// All moves.
    All,
}

/// A move and the reason for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move.
    pub cell: Cell,
    /// The reason for the move.
    pub reason: Reason,
    /// The number of nodes searched. The greedy picker counts one.
    pub nodes: u64,
    /// The moves with their scores, best first: all moves if all were asked for, else the choice only. A score is `None`
    /// if the limits ended the search before it was found.
    pub moves: Vec<(Cell, Option<Score>)>,
}

impl Answer {
    /// An answer that scores the choice only.
    pub(super) fn of(cell: Cell, reason: Reason, score: Option<Score>, nodes: u64) -> Self {
        Self { cell, reason, nodes, moves: vec![(cell, score)] }
    }
}

/// The reason for a move. Its name in lower case is the `reason` of the JSON output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Reason {
    /// It has the greatest weight, summed over both sides.
    Weights(i32),
    /// It makes four in a line.
    Four,
    /// It stops four in a line.
    Block,
    /// It begins a forced sequence of threes that wins.
    Threes,
    /// It begins a win that was proved to the end of the game.
    Proof,
    /// The search found it best at this depth.
    Search(u32),
    /// No answer came in time, or the game is over.
    Unfinished,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Weights(weight) => write!(f, "the greatest weight, {weight}"),
            Self::Four => f.write_str("four in a line"),
            Self::Block => f.write_str("stops four in a line"),
            Self::Threes => f.write_str("a forced sequence of threes wins"),
            Self::Proof => f.write_str("a proved win"),
            Self::Search(depth) => write!(f, "the search to depth {depth}"),
            Self::Unfinished => f.write_str("no answer came in time"),
        }
    }
}

/// Report of a search that has finished a depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// The depth in plies.
    pub depth: u32,
    /// The score of the best move.
    pub score: Score,
    /// The number of nodes so far.
    pub nodes: u64,
    /// The time since the question was read.
    pub elapsed: Duration,
    /// The principal variation.
    pub line: Vec<Cell>,
    /// The gravity, which decides how moves are written.
    pub gravity: Gravity,
}

impl fmt::Display for SearchInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, score, nodes, elapsed, line, gravity } = self;
        write!(f, "depth {depth} ev {score} n {nodes} tm {} pv", elapsed.as_millis())?;
        line.iter().try_for_each(|&cell| write!(f, " {}", gravity.name(cell)))
    }
}
