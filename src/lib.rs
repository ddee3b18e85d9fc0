//! stub
pub mod board;
pub mod eval;
pub mod picker;
pub mod position;
pub mod rng;
pub mod score;
pub mod solver;
pub mod threat;
pub mod weights;
