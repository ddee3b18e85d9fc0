//! SHAPES: what each empty point would make, in each direction, for each color.
//!
//! Owns the window that indexes every table, the patterns and their tables, the cache that moves with the
//! board, and the census of the threats in it.
//! Uses the board. Must never know a weight, a score or a search.

mod cache;
mod census;
mod pattern;
mod window;

pub use cache::{CHANGES, Change, Changes, PatternChange, PatternPair, Patterns, Step, ThreatCache};
pub use census::{Census, Threat};
pub use pattern::{Pattern, PatternTable};
pub use window::{Cell, LineWindow, REACH};
