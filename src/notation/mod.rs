//! NOTATION: the written forms of points, games and openings. Each form has one parser, which every tool uses.
//!
//! | form | example | types |
//! | --- | --- | --- |
//! | point, list of moves, for people | `h8`, `aa12`; `h8 i9 j10`, `h8i9j10`, `--` a pass | [`Letters`] |
//! | point, list of moves, for programs | `7,7`; `7,7 8,8 9,9` | [`Comma`] and [`parse_comma`]; [`Moves`] |
//! | what people paste | `1. h8 2. i9`, `h8,i9`, `http://…/#/renju/15/h8i9` | [`read_pasted`] |
//! | picture of a board | rows of `.`, `X`, `O`, `#` | [`Diagram`], [`parse_diagram`] |
//! | saved game of Piskvork | `Piskvorky 15x15, 11:11, 0` … | [`SavedGame`], [`Psq`] |
//! | saved game of Gomotur, of RenLib | names, then `7,7,0` …; bytes | [`SavedGame::read_rec`]; [`read_pos`] |
//! | numbered moves of PlayOK | `1. h8 i9 2. j10` | [`numbered_games`] |
//! | record of a match | `{"format":2,"match":…}` and a line for each game | [`record`] |
//! | moves with alternatives, comments and labels | `(;GM[4]SZ[15];B[hh](;W[hg])(;W[ig]))` | [`GameTree`]; [`read_sgf`], [`write_sgf`] |
//! | line of an opening list | `0,0, 1,1`, `id \| plies \| h8 i9 \| …` | [`opening_lines`], [`parse_opening`] |
//!
//! Only [`Letters`] knows files and ranks, because a rank means nothing without the size of the board. Programs
//! exchange `x,y`, which means the same point on every board.
//!
//! Owns these forms and their errors. Uses the board. Must never know a shape, a weight, a protocol or a file: it turns
//! text into values and values into text.

mod charset;
mod comma;
mod diagram;
mod game;
mod info;
mod letters;
mod numbered;
mod opening;
mod pasted;
mod pos;
mod psq;
pub mod record;
pub mod sgf;
mod tree;

pub use charset::{Decoded, TextEncoding};
pub use comma::{Comma, Moves, MovesError, parse_comma};
pub use diagram::{Diagram, DiagramError, parse_diagram};
pub use game::{GameMoves, GameMovesError};
pub use letters::{Label, Labels, Letters, Ranks};
pub use numbered::{NumberedError, NumberedGame, numbered_games};
pub use opening::{OpeningSyntaxError, opening_lines, parse_opening};
pub use pasted::{Pasted, PastedError, PastedProblem, read_pasted};
pub use pos::{PosError, read_pos};
pub use psq::{Psq, PsqResult, SavedGame};
pub use sgf::{SgfError, SgfProblem, read_sgf, read_sgf_in, read_sgf_text, write_sgf};
pub use tree::{Chance, GameInfo, GameTree, NodeId, NodeScore, RenLibFlags, Step, TreeNode};

use thiserror::Error;

/// Error returned when a text is not a point of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PointError {
    /// The text is not two numbers with a comma between them.
    #[error("expected a point such as 7,7")]
    Numbers,
    /// The text is not a file and a rank.
    #[error("expected a point such as h8")]
    Letters,
    /// The point lies outside every board, or outside the board in use.
    #[error("the point lies outside the board")]
    OffBoard,
}
