//! CUBE: four in a row on 4 × 4 × 4, a small engine of its own.
//!
//! ```text
//! geometry ─► symmetry, board ─► weights ─► greedy ─┐
//!                  │                                ├─► picker ─► player ─► protocol, terminal, analysis
//!                  └─► threes ─► solve ─► search ───┘
//! ```
//!
//! Owns the 76 lines, the 192 symmetries, the stones of a game, the documented weights, the search, the proofs, and the
//! protocol of the cube. Uses the colors, outcomes, scores, search controls, guard, reader, loop and clock of the flat
//! board. Must never know a flat board's point, position or evaluation.
//!
//! [`Gravity`] is a value. [`solve`] proves whole games; docs/cube.md has the numbers.
//!
//! The player and the session are smaller copies of the flat board's. They have 570 lines of code; 140 of these, not
//! counting lines with only brackets, are identical in the flat board's. One generic session and player would need a
//! trait of a dozen types (question, position, answer, report, picker, command, game, reply, refusal, settings, …) with
//! two implementations, about as many lines as it would save, and a type parameter throughout 1,200 lines of the flat
//! board's.

mod analysis;
mod board;
mod draw;
mod geometry;
mod greedy;
mod order;
mod picker;
mod player;
pub mod protocol;
mod search;
pub mod solve;
mod symmetry;
pub mod terminal;
mod threes;
mod weights;

pub use analysis::Analysis;
pub use board::{Board, Gravity, Position};
pub use draw::{Drawing, Paint};
pub use geometry::{CELLS, COLUMNS, Cell, CellError, CellSet, LINE_CELLS, LINES, LINES_THROUGH, LineSet, SIDE};
pub use greedy::{Greedy, greediest, ranking};
pub use picker::{Answer, Picker, PickerName, Reason, Scores, SearchInfo};
pub use player::PickerSource;
pub use search::Search;
pub use symmetry::{SYMMETRIES, Symmetry, canonical};
pub use weights::{LINE_VALUES, Weights};
