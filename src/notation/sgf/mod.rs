//! SGF, the form of games with variations: [`read_sgf`], [`write_sgf`].
//!
//! ```text
//! (;FF[4]GM[4]SZ[15]PB[Ann]RE[B+R]      the root: the board, what is known of the game, stones set up by AB and AW
//! ;B[hh];W[hg]C[direct]                 a move, column and row from the top left: aa is a15 on 15 x 15
//! LB[gg:A]                              a label
//! (;B[ig])(;B[gf];W[]))                 two variations; W[] is a pass
//! ```
//!
//! | in the file | in a [`GameTree`] |
//! | --- | --- |
//! | `SZ` | the size; without it 19 for `GM[1]`, which is Go, else 15. The board must be a square |
//! | `B`, `W` | a node each. Colors need not alternate. An empty value is a pass, on boards up to 19 also `tt` |
//! | `AB`, `AW`, `AE` | [`Step::Setup`]; in the node of a move a node before it. `aa:cc` is a rectangle |
//! | a node with neither | a setup of no stones |
//! | `C`, `N` | the comment. The name of the node is its first line |
//! | `LB` on the point of a child | the label of the first child on this point |
//! | `LB` elsewhere | a mark |
//! | `TR`, `SQ`, `CR`, `MA` | the labels △ □ ○ × |
//! | `SBKV` | black's chance in per cent, as Sabaki writes it |
//! | `WIN` | `B+5`: black wins with its fifth move from here; `B` if the number of moves is not known |
//! | `PB`, `PW`, `RE`, `DT`, `RU` in the root | the same of [`GameInfo`](super::GameInfo) |
//! | `EV`, else `GN`, in the root | the event |
//! | `CA` | the character set of a file that is not UTF-8, if it fits; else GBK if it fits, else Windows-1252 |
//! | all else, and text between games | ignored |
//!
//! `V`, the property of SGF for a score, counts points of territory, so chances have Sabaki's property. A win also has
//! `SBKV`, 100 or 0, for programs that do not know `WIN`.
//!
//! A writer writes UTF-8, and the labels △ □ ○ × as `LB`. Reading gives back what was written, except
//!
//! - the numbers of nodes: a reader numbers them depth first;
//! - flags of RenLib, and labels of nodes without a point, which are lost;
//! - line ends: U+0008, CR and CR LF in a comment become LF. Control characters in other texts become blanks;
//! - stones of a setup: black ones come first, then white ones, then points that are cleared;
//! - a mark on the point of a child without a label, which becomes its label.

mod read;
mod syntax;
#[cfg(test)]
mod tests;
mod write;

use thiserror::Error;

pub use read::{read_sgf, read_sgf_in, read_sgf_text};
pub use write::write_sgf;

#[cfg(doc)]
use super::{GameTree, Step};
use crate::board::Size;
use crate::text::Quoted;

/// Properties that mark points, and the labels that stand for them.
const SIGNS: [(&str, &str); 4] = [("TR", "△"), ("SQ", "□"), ("CR", "○"), ("MA", "×")];

/// The side of the largest board on which `tt` is a pass. On larger boards it is a point.
const LAST_WITH_TT: u8 = 19;

/// Error returned when bytes are not games in SGF.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("byte {byte}: {problem}")]
pub struct SgfError {
    /// The place in the file, counted from 0.
    pub byte: usize,
    /// The problem there.
    pub problem: SgfProblem,
}

/// A problem of a file of SGF.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SgfProblem {
    /// The file holds no `(;`.
    #[error("expected a game, which begins with \"(;\"")]
    NoGame,
    /// The file ends in the game that begins here.
    #[error("the game that begins here has no end")]
    OpenGame,
    /// The file ends in the value that begins here.
    #[error("the value that begins here has no end")]
    OpenValue,
    /// A character that has no meaning outside values.
    #[error("expected a bracket, a semicolon or a property, found {0:?}")]
    Sign(char),
    /// A name without a value.
    #[error("the property {} has no value", Quoted(.0))]
    NoValue(String),
    /// The board has no supported size.
    #[error("{} is not a square board of {} to {} points a side", Quoted(.0), Size::MIN, Size::MAX)]
    Size(String),
    /// A value is not a point of the board.
    #[error("{} is not a point of this board", Quoted(.0))]
    Point(String),
    /// A stone stands on the point of a move.
    #[error("the point {} is occupied", Quoted(.0))]
    Occupied(String),
    /// More nodes than a tree can have.
    #[error("too many nodes")]
    TooManyNodes,
    /// Rectangles of points with more points than any file of games has.
    #[error("too many rectangles of points")]
    TooManyPoints,
}
