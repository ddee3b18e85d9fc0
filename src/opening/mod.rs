//! Openings: how a game may begin before the players simply alternate.
//!
//! Owns Swap2's course and answers, and lists of openings, built-in ones and those read from text.
//! Uses the position and the weightings. Must never know a search or a protocol.

pub mod lists;
pub mod swap2;
