//! Openings: how a game may begin before the players simply alternate.
//!
//! Owns Swap2's procedure and answers, and lists of openings, built-in ones and those read from text.
//! Uses the board and the notation. Must never know a weight, a search or a protocol.

pub mod lists;
pub mod swap2;
