//! [`Failure`]: why a request is refused.

use std::ops::Range;

use super::message::{LONGEST_TIME, MOST_LINES};
use super::tree::MOST_NODES;
use crate::board::Point;
use crate::library::LibraryError;
use crate::notation::{Comma, GameMovesError, PastedProblem, SgfError};
use crate::opening::ReadError;
use crate::text::Quoted;

/// Error returned when a request is refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// The line is not a message that the server knows.
    #[error("invalid message: {0}")]
    Message(String),
    /// The moves do not make a game.
    #[error(transparent)]
    Record(#[from] GameMovesError),
    /// The game was over before this move, counted from one.
    #[error("move {0}: the game is over before it")]
    Over(usize),
    /// The request needs a game that is not over.
    #[error("the game is over")]
    Ended,
    /// The point is not empty, or off the board.
    #[error("{} is not an empty point of the board", Comma(*.0))]
    Point(Point),
    /// No engine has this name.
    #[error("no engine is named {}", Quoted(.0))]
    Engine(String),
    /// The procedure does not allow the answers.
    #[error(transparent)]
    Opening(ReadError),
    /// A word of an answer is not a point, a number, `swap` or `keep`.
    #[error("{} is not an answer: expected points, a number, swap or keep", Quoted(.0))]
    Word(String),
    /// The opening is complete: the procedure has no further question.
    #[error("the opening is settled")]
    Agreed,
    /// The search has no limit, or a limit is out of range.
    #[error(
        "a search needs a limit of time, nodes or depth; times are at most {} s, lines at most {MOST_LINES}",
        LONGEST_TIME / 1000
    )]
    Effort,
    /// A file holds no game, holds more than the page can show, or begins with stones on the board.
    #[error("the file {0}")]
    File(&'static str),
    /// A line of a file, counted from one, is not part of a game.
    #[error("line {0}: {1}")]
    FileLine(usize, String),
    /// A word of a pasted text is not a move.
    #[error(transparent)]
    Pasted(#[from] PastedProblem),
    /// A text is not games in SGF.
    #[error("SGF: {0}")]
    Sgf(SgfError),
    /// The failure lies in this part of the text, in bytes.
    #[error("{1}")]
    Place(Range<usize>, Box<Self>),
    /// A node of a tree, counted from 0, does not follow its parent, cannot be played, or is one too many.
    #[error(
        "node {0} of the tree: a node must follow its parent and hold a legal move, and a tree has at most {MOST_NODES} nodes"
    )]
    Node(usize),
    /// The system refuses a thread or a process.
    #[error("{0}")]
    System(String),
    /// The server was started without a library.
    #[error("the board has no library: start it with --library FILE")]
    NoLibrary,
    /// The library cannot be read or written, or a file cannot be made of it.
    #[error("the library: {0}")]
    Library(String),
    /// Another page changes the library, or this one reads or writes a file.
    #[error("the library is busy with another change: try again")]
    LibraryBusy,
    /// A library holds no walls.
    #[error("a library holds no continuous games")]
    Continuous,
    /// The library does not know the position.
    #[error("the library does not know this position")]
    Unknown,
    /// No change is left to take back.
    #[error("nothing to undo")]
    NothingToUndo,
    /// The label of a point is too long.
    #[error("a label is a line of at most {0} characters")]
    Label(usize),
    /// A file cannot be imported. Nothing of it is in the library.
    #[error("{}: {}", Quoted(.0), .1)]
    Import(String, String),
}

impl From<LibraryError> for Failure {
    fn from(error: LibraryError) -> Self {
        Self::Library(error.to_string())
    }
}
