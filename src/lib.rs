//! stub
pub mod bench;
pub mod board;
pub mod eval;
pub mod explain;
pub mod picker;
pub mod position;
pub mod rng;
pub mod score;
pub mod threat;
pub mod weights;
