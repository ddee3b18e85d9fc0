//! CUBE: four in a row on 4 × 4 × 4, a small engine of its own.
//!
//! ```text
//! geometry ─► symmetry, board ─► weights ─► greedy ─┐
//!                  │                                ├─► picker ─► player ─► protocol, terminal, analysis
//!                  └─► threes ─► solve ─► search ───┘
//! ```
//!
//! Owns the 76 lines, the 192 symmetries, the stones of a game, the documented weights of the cube, its searches and
//! proofs, and the words in which it plays. Uses the colors, outcomes, scores, search controls and guard of the flat
//! board, and its reader and clock. Must never know a flat board's point, position or evaluation.
//!
//! Whether pieces drop is a value, [`Gravity`]. A proof of the whole game is [`solve`]; docs/cube.md has the numbers.

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
pub use board::{Board, Gravity, GravityError, Position};
pub use draw::{Drawing, Paint};
pub use geometry::{CELLS, COLUMNS, Cell, CellError, CellSet, LINE_CELLS, LINES, LINES_THROUGH, LineSet, SIDE};
pub use greedy::{Greedy, greediest, ranking};
pub use picker::{Answer, Picker, PickerName, PickerNameError, Reason, Scores, SearchInfo, picker};
pub use player::PickerSource;
pub use search::Search;
pub use symmetry::{SYMMETRIES, Symmetry, canonical};
pub use weights::{LINE_VALUES, Weights};
