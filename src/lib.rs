//! stub
pub mod arena;
pub mod bench;
pub mod board;
pub mod eval;
pub mod explain;
pub mod opening;
pub mod picker;
pub mod position;
pub mod protocol;
pub mod rng;
pub mod score;
pub mod solver;
pub mod threat;
pub mod tune;
pub mod weights;
