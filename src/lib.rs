//! stub
pub mod board;
pub mod opening;
pub mod picker;
pub mod position;
pub mod protocol;
pub mod rng;
pub mod threat;
pub mod weights;
