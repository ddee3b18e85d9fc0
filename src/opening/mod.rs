//! OPENINGS: how games begin.
//!
//! Owns lists of openings, carried ones and those read from text.
//! Uses the board. Must never know an engine, a search or a protocol.

pub mod lists;
