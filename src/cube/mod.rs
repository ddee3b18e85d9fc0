//! CUBE: four in a row on 4 × 4 × 4, a small engine of its own.

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
pub use picker::{Answer, Picker, Reason, Scores, SearchInfo, picker};
pub use player::PickerSource;
pub use search::Search;
pub use symmetry::{SYMMETRIES, Symmetry, canonical};
pub use weights::{LINE_VALUES, Weights};
