//! NOTATION: how points, games and openings are written, each form with one parser that every tool uses.
//!
//! | form | example | here |
//! | --- | --- | --- |
//! | point, list of moves, for people | `h8`, `aa12`; `h8 i9 j10`, `h8i9j10` | [`Letters`] |
//! | point of the protocol | `7,7` | [`Point::parse_comma`](crate::board::Point::parse_comma), [`Point::comma`](crate::board::Point::comma) |
//! | list of moves, for programs | `7,7 8,8 9,9` | [`Moves`] |
//! | picture of a board | rows of `.`, `X`, `O`, `#` | [`Diagram`], [`parse_diagram`] |
//! | saved game of Piskvork | `Piskvorky 15x15, 11:11, 0` … | [`SavedGame`], [`GameMoves::from_psq`], [`Psq`] |
//! | record of a match | `{"format":2,"match":…}` and a line for each game | [`record`] |
//! | line of an opening list | `0,0, 1,1`, `id \| plies \| h8 i9 \| …` | [`opening_lines`], [`parse_opening`] |
//!
//! Only [`Letters`] knows files and ranks, because a rank means nothing without the size of the board. Programs exchange
//! `x,y`, which means the same point on every board; it stays in `board`.
//!
//! Owns these forms and their errors. Uses the board. Must never know a shape, a weight, a protocol or a file: text
//! comes in and goes out as values.

mod diagram;
mod game;
mod letters;
mod moves;
mod opening;
mod psq;
pub mod record;

pub use diagram::{Diagram, DiagramError, parse_diagram};
pub use game::{GameMoves, GameMovesError};
pub use letters::{File, Label, Labels, Letters, Ranks, RanksError};
pub use moves::{Moves, MovesError};
pub use opening::{OpeningSyntaxError, opening_lines, parse_opening};
pub use psq::{Psq, PsqResult, SavedGame};
