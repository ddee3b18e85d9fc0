//! The tests of Tengen, one binary; each module below holds one kind.

// Labelled positions from files: forbidden points, ends of games, line codes.
mod data;
// The naive twins that the others compare with.
mod naive;
// The line protocol, through the real binary and in-process.
mod protocol;
// Proofs of forced wins against labelled ones.
mod solver;
// Random play with undo against the naive twins.
mod twins;
