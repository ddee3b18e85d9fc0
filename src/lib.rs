//! stub
pub mod board;
pub mod picker;
pub mod position;
pub mod rng;
pub mod threat;
pub mod weights;
