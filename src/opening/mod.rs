//! Openings: how a game may begin before the players simply alternate.
//!
//! Owns Swap2's answers. Uses the position and the books. Must never know a search or a protocol.

pub mod swap2;
