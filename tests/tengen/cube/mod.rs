//! Four in a row in a cube.

// Bad input, random input, pickers that fail; the transcripts of protocol-samples/cube.
mod protocol;
// Search and proofs: against the greedy picker, and walked.
mod search;
// The subcommands and the game on a terminal.
mod terminal;
// Random games against a naive twin: weights, wins, picks, undo.
mod twin;
