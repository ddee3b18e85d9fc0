//! What a picker of the cube is asked and answers.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use super::board::{Gravity, Position};
use super::geometry::Cell;
use super::greedy::Greedy;
use super::search::Search;
use crate::picker::{self, Limits};
use crate::score::Score;

/// Chooses moves in the cube.
pub trait Picker: Send {
    /// The move of the side to move; `None` where no cell can be played. Reports its progress. The time, the depth, the
    /// nodes, the memory and the stop of the limits hold.
    fn answer(
        &mut self,
        position: &Position,
        limits: &Limits,
        scores: Scores,
        report: &mut dyn FnMut(SearchInfo),
    ) -> Option<Answer>;

    /// Whether an answer takes microseconds, so that it needs no thread.
    fn is_instant(&self) -> bool {
        false
    }

    /// Forgets what earlier questions have left behind.
    fn clear(&mut self) {}
}

/// The pickers of the cube by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickerName {
    /// [`Greedy`]: the documented weights.
    Greedy,
    /// [`Search`]: alpha-beta search.
    Search,
}

impl PickerName {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Greedy, Self::Search];
}

/// The flat board has one that the cube has not.
impl TryFrom<picker::PickerName> for PickerName {
    type Error = PickerNameError;

    fn try_from(name: picker::PickerName) -> Result<Self, PickerNameError> {
        match name {
            picker::PickerName::Greedy => Ok(Self::Greedy),
            picker::PickerName::Search => Ok(Self::Search),
            picker::PickerName::Mcts => Err(PickerNameError),
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

/// Why a text or a picker of the flat board names no picker of the cube.
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

/// The picker of this name.
pub fn picker(name: PickerName) -> Box<dyn Picker> {
    match name {
        PickerName::Greedy => Box::new(Greedy),
        PickerName::Search => Box::<Search>::default(),
    }
}

/// Which moves get a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    /// The best one.
    Best,
    /// All of them.
    All,
}

/// A move, and why it was chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move.
    pub cell: Cell,
    /// What decided.
    pub reason: Reason,
    /// The nodes that were searched; of the greedy picker one.
    pub nodes: u64,
    /// The moves with their scores, the best first: all where all were asked for, else the choice. `None` where no score
    /// was found: the limits ended the search before.
    pub moves: Vec<(Cell, Option<Score>)>,
}

impl Answer {
    /// An answer with the score of the choice alone.
    pub(super) fn of(cell: Cell, reason: Reason, score: Option<Score>, nodes: u64) -> Self {
        Self { cell, reason, nodes, moves: vec![(cell, score)] }
    }
}

/// What decided a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The greatest weight, of both sides together.
    Weights(i32),
    /// It makes four in a line.
    Four,
    /// It stops four in a line.
    Block,
    /// A forced sequence of threes wins.
    Threes,
    /// A proof of the whole game.
    Proof,
    /// The search, to this depth.
    Search(u32),
    /// No answer came in time, or the game is over.
    Unfinished,
}

impl Reason {
    /// The reason in one word, for scripts.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Weights(_) => "weights",
            Self::Four => "four",
            Self::Block => "block",
            Self::Threes => "threes",
            Self::Proof => "proof",
            Self::Search(_) => "search",
            Self::Unfinished => "unfinished",
        }
    }
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

/// The progress of a search: a depth that was finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchInfo {
    /// The depth in plies.
    pub depth: u32,
    /// The score of the best move.
    pub score: Score,
    /// The nodes so far.
    pub nodes: u64,
    /// The time since the question was read.
    pub elapsed: Duration,
    /// The moves that are expected.
    pub line: Vec<Cell>,
    /// How the moves are written.
    pub gravity: Gravity,
}

impl fmt::Display for SearchInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { depth, score, nodes, elapsed, line, gravity } = self;
        write!(f, "depth {depth} ev {score} n {nodes} tm {} pv", elapsed.as_millis())?;
        line.iter().try_for_each(|&cell| write!(f, " {}", gravity.name(cell)))
    }
}
