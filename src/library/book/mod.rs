//! [`Book`]: what a library knows of one rule and size, as a player needs it. [`compile`] makes one.
//!
//! ```text
//! View ─► compile: which moves win, lose, are known well ─► file.rs ─► one file, checked whole when it is read
//! Board ─► Cursor ─► Address {key, symmetries} ─► binary search ─► moves, in the orientation of the board
//! ```
//!
//! A book holds no record and needs no database. It never changes, so any number of processes may read it.

mod compile;
mod file;

use std::fmt;
use std::path::{Path, PathBuf};

use arrayvec::ArrayVec;

pub use compile::{BookConfig, CompileError, CompiledBook, Trust, compile};
pub use file::{BOOK_KIND, BookError, BookFileError, MOST_BOOK_BYTES};

use self::file::StoredMove;
use super::position::{Cursor, PositionHash, SYMMETRIES};
use crate::board::{Board, Point, Rule, Size};
use crate::files;
use crate::score::Score;

/// What a book says of a move, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, strum::FromRepr)]
#[repr(u8)]
pub enum MoveKind {
    /// It wins.
    Wins,
    /// It is known well and near the best: it may be played without a search.
    Playable,
    /// It is known: a search tries it early.
    Hint,
    /// It loses.
    Loses,
}

/// A move of a book, in the orientation of the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The empty points of the move: several if the position is symmetric.
    pub points: ArrayVec<Point, SYMMETRIES>,
    /// What the book says of it.
    pub kind: MoveKind,
    /// The score for the side to move. [`Score::MOST_PLIES`] to a win or a loss stand for an unknown number of plies.
    pub score: Option<Score>,
}

/// The moves that are known in the positions of one rule and size.
#[derive(Clone, PartialEq, Eq)]
pub struct Book {
    path: Option<PathBuf>,
    rule: Rule,
    size: Size,
    /// The positions, in ascending order.
    keys: Vec<PositionHash>,
    /// The end of the moves of each position. They begin where those of the position before it end.
    ends: Vec<u32>,
    /// The moves of all positions. Those of one position have the best first.
    moves: Vec<StoredMove>,
}

impl Book {
    /// Reads the book in a file.
    ///
    /// # Errors
    /// When the file cannot be read, is larger than [`MOST_BOOK_BYTES`], damaged, or no book that this version reads.
    pub fn open(path: &Path) -> Result<Self, BookFileError> {
        let read = files::read(path, MOST_BOOK_BYTES).map_err(BookError::Read);
        let book = read.and_then(|bytes| Self::from_bytes(&bytes));
        let path = path.to_owned();
        match book {
            Ok(book) => Ok(Self { path: Some(path), ..book }),
            Err(error) => Err(BookFileError { path, error }),
        }
    }

    /// The file that the book was read from.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The rule of its positions.
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// The board size of its positions.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether it has no position.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The memory that it takes, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.keys) + size_of_val(&*self.ends) + size_of_val(&*self.moves)
    }

    /// Whether the board is of its rule and size. A board with walls never is: a library holds none.
    pub fn covers(&self, board: &Board) -> bool {
        (board.rule(), board.size()) == (self.rule, self.size) && !board.has_walls()
    }

    /// The moves that are known in a position, the best first: wins, the shortest first; then by the chance to win;
    /// losses, the longest first. Takes some microseconds.
    pub fn look_up(&self, board: &Board) -> Vec<BookMove> {
        if !self.covers(board) {
            return Vec::new();
        }
        let address = Cursor::from_board(board).address();
        let moves = |stored: &StoredMove| {
            let mut points = address.restore(stored.point);
            points.retain(|point| board.is_empty(*point));
            BookMove { points, kind: stored.kind, score: stored.score }
        };
        self.stored_moves(&address.key().position_hash())
            .iter()
            .map(moves)
            .filter(|known| !known.points.is_empty())
            .collect()
    }

    fn stored_moves(&self, key: &PositionHash) -> &[StoredMove] {
        let Ok(place) = self.keys.binary_search(key) else { return &[] };
        let end = |place: usize| self.ends.get(place).map_or(0, |&end| end as usize);
        let begin = place.checked_sub(1).map_or(0, end);
        self.moves.get(begin..end(place)).unwrap_or_default()
    }
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book({:?}, {} {}, {} positions)", self.path, self.rule, self.size, self.len())
    }
}
