//! NOTATION: how points, games and openings are written, each form with one parser that every tool uses.
//!
//! | form | example | here |
//! | --- | --- | --- |
//! | point | `h8`, `aa12` | [`Point`](crate::board::Point)'s `FromStr` and `Display` |
//! | point of the protocol | `7,7` | [`Point::parse_comma`](crate::board::Point::parse_comma), [`Point::comma`](crate::board::Point::comma) |
//! | list of moves | `h8 i9 j10`, `h8i9j10` | [`Moves`] |
//! | saved game of Piskvork | `Piskvorky 15x15, 11:11, 0` … | [`SavedGame`], [`Record::from_psq`], [`Psq`] |
//! | line of an opening list | `0,0, 1,1`, `id \| plies \| h8 i9 \| …` | [`opening_lines`], [`parse_opening`] |
//!
//! The two forms of a point stay in `board`, which draws boards and writes error messages with them.
//!
//! Owns these forms and their errors. Uses the board. Must never know a shape, a weight, a protocol or a file: text
//! comes in and goes out as values.

mod moves;
mod opening;
mod psq;
mod record;

pub use moves::{Moves, MovesError};
pub use opening::{OpeningSyntaxError, opening_lines, parse_opening};
pub use psq::{Psq, PsqResult, SavedGame};
pub use record::{Record, RecordError};
