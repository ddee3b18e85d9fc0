//! stub
pub mod arena;
pub mod board;
pub mod opening;
pub mod picker;
pub mod position;
pub mod rng;
pub mod threat;
pub mod weights;
