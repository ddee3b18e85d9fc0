//! stub
pub mod board;
pub mod rng;
