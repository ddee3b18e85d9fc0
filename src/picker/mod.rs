//! CHOICE: who picks the next point, behind one interface.
//!
//! Owns the pickers and what they are told and tell: [`Limits`], [`Signal`], [`Choice`], [`Report`].
//! Uses the position, the weightings and what stands below them. Must never know a protocol, a stream or a process.

mod alphabeta;
mod greedy;
mod limits;
mod report;

use std::fmt;
use std::str::FromStr;

pub use alphabeta::AlphaBeta;
pub use greedy::Greedy;
pub use limits::{Limits, Signal};
pub use report::{Depth, Line, Report};

use crate::board::Point;
use crate::opening::swap2;
use crate::position::Position;
use crate::score::Score;
use crate::weights::Weights;

/// Chooses a point for the side to move.
pub trait Picker: Send {
    /// Picks an empty point, or `None` on a full board, and leaves the position as it was.
    ///
    /// A picker looks at `limits.signal` often enough to return within some milliseconds of a stop or a deadline.
    /// `report` may be told of progress; the last report holds as many moves as `limits.lines` asks for, if there are
    /// so many, and the first of them is the choice.
    fn pick(&mut self, position: &mut Position, limits: &Limits, report: &mut dyn FnMut(Report)) -> Option<Choice>;

    /// Answers the question of Swap2 that lies in these stones, and leaves the position as it was; `None` on a full
    /// board. Takes no longer than a pick may.
    ///
    /// Without a search the weighting in use answers.
    fn answer_swap2(
        &mut self,
        position: &mut Position,
        _: &Limits,
        _: &mut dyn FnMut(Report),
    ) -> Option<swap2::Answer> {
        swap2::answer(position)
    }

    /// Whether [`pick`](Self::pick) always returns within some microseconds, so that it needs no thread of its own.
    fn is_instant(&self) -> bool {
        false
    }

    /// Forgets what earlier picks have left behind: tables, histories.
    fn clear(&mut self) {}
}

/// A picked point and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The point.
    pub point: Point,
    /// What decided.
    pub reason: Reason,
    /// How many nodes were looked at; for the greedy picker a node is one decision.
    pub nodes: u64,
}

/// What decided a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The opening conduct of the weightings: an empty board is answered in its centre.
    Centre,
    /// The greatest total of a weighting.
    Weights(Weights),
    /// A search.
    Search {
        /// The score for the side that moves.
        score: Score,
        /// The depth that was finished; 0 for a proof, and where there was no time for one.
        depth: u32,
    },
}

/// The pickers by their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PickerName {
    /// [`Greedy`]: the greatest weight of the weighting in use.
    #[default]
    Greedy,
    /// [`AlphaBeta`]: alpha-beta search with threat proofs.
    Search,
}

impl PickerName {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Greedy, Self::Search];

    /// A new picker of this name.
    pub fn build(self) -> Box<dyn Picker> {
        match self {
            Self::Greedy => Box::new(Greedy),
            Self::Search => Box::new(AlphaBeta::default()),
        }
    }
}

impl fmt::Display for PickerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Greedy => "greedy",
            Self::Search => "search",
        })
    }
}

/// Why a text names no picker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickerNameError;

impl fmt::Display for PickerNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown picker, expected greedy or search")
    }
}

impl std::error::Error for PickerNameError {}

impl FromStr for PickerName {
    type Err = PickerNameError;

    fn from_str(text: &str) -> Result<Self, PickerNameError> {
        let named = |picker: &Self| text.eq_ignore_ascii_case(&picker.to_string());
        Self::ALL.into_iter().find(named).ok_or(PickerNameError)
    }
}
