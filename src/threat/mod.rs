//! SHAPES: the patterns that a stone of either color would make on each empty point, in each direction.
//!
//! Owns the window that indexes every table, the patterns and their tables, the cache of windows that follows the
//! board, and the threat sets. Uses the board. Must never know a weight, a score or a search.

mod cache;
mod pattern;
mod patterns;
mod sets;
mod window;

pub use cache::{Delta, ThreatCache, WINDOW_CHANGES, WindowChange};
pub use pattern::{Pattern, PatternTable};
pub use patterns::{PatternPair, Patterns};
pub use sets::{PatternChange, Threat, ThreatSets};
pub use window::{Cell, LineWindow, REACH};
