//! The cube: four in a row on 4 × 4 × 4.

// Bad input, random input, failing pickers, and the transcripts of protocol-samples/cube.
mod protocol;
// Search and proofs: games against the greedy picker, and proofs checked against every defence.
mod search;
// The subcommands, and the game on a terminal.
mod terminal;
// Random games compared with a naive twin: weights, wins, picks, undo.
mod twin;
