//! The line protocol. The edge cases carry the numbers e1 to e62, and their names say what must hold.

// The file of settings beside the program.
mod config;
// Thinking on the opponent's time.
mod pondering;
// The commands of the analyst.
mod analysis;
// Commands beside the standard: extensions of other managers and of this engine.
mod extensions;
// BOARD: e32 to e43.
mod boards;
// Bytes, lines, processes: e1 to e12.
mod framing;
// The engine under test: the real binary, or the protocol in-process with a picker of the tests.
pub(crate) mod engine;
// The questions of the judge before an engine may play.
mod judge;
// TURN, TAKEBACK, PLAY: e23 to e31.
mod moves;
// The opening procedures in our words and in Yixin-Board's.
mod procedures;
// Swap2 and renju: e55 to e62.
mod openings;
// Arbitrary bytes and commands: nothing panics, nothing is lost, every line is well-formed.
mod arbitrary;
// The reports of a search: show_detail, YXNBEST.
mod reports;
// The transcripts of protocol-samples, replayed.
pub(crate) mod samples;
// INFO: e44 to e52.
mod settings;
// START, RESTART, ABOUT: e13 to e22.
mod starting;
// Commands while a search runs: e53 and e54, and pickers that fail.
mod searching;
// Times: medians, and ratios of medians.
mod timing;
// What must come in time; left out of `cargo test`.
mod clock;
