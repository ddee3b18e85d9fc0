//! The line protocol. The edge cases are numbered e1 to e62, and their names state the required behaviour.

// The settings file beside the program.
mod config;
// Books: INFO book, arguments, the draws of games.
mod book;
// Pondering: thinking on the opponent's time.
mod pondering;
// The commands of Yixin-Board's analyst.
mod analysis;
// Commands outside the standard: extensions of other managers and of this engine.
mod extensions;
// BOARD: e32 to e43.
mod boards;
// Bytes, lines, processes: e1 to e12.
mod framing;
// The engine under test: the real binary, or the protocol in-process with a scripted picker.
pub(crate) mod engine;
// The Gomocup judge's checks before an engine may play.
mod judge;
// The library in the words of Yixin-Board: questions and changes.
pub(crate) mod library;
// The files of the library: opening, adding, writing; what searches keep.
mod library_files;
// Random changes of the library, compared with a naive one.
mod library_twin;
// TURN, TAKEBACK, PLAY: e23 to e31.
mod moves;
// The opening procedures, in our own commands and in Yixin-Board's.
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
// Commands during a search: e53 and e54, and failing pickers.
mod searching;
// Measured times: medians, and ratios of medians.
mod timing;
// Deadlines, which `cargo test` skips.
mod clock;
