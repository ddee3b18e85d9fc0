//! The tests of Tengen, one binary; each module below holds one kind.

// What only tests for Unix or Linux use stays beside what all use.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

// Matches of the arena between scripted engines, sound and faulty.
mod arena;
// The signature of the bench: a new one is the notice that some move has changed.
mod bench;
// The server of the board in a browser, as a page speaks to it; and the page itself.
mod board;
// Four in a row in a cube.
mod cube;
// Labelled positions from files: forbidden points, ends of games, line codes.
mod data;
// The evaluation against its weight files, summed in floating point.
mod eval;
// The learned evaluation against a twin that sums the network cell by cell.
mod network;
// The examples of the pages print what the pages say.
#[cfg(unix)]
mod docs;
// What `explain` shows, as text and as JSON, and that it is what the picker plays.
mod explain;
// The arena and the engines under faults: of engines, of the system, of whoever ends a match.
mod faults;
// Files that are none, too large or foreign, and a system that lets no file grow.
#[cfg(unix)]
mod files;
// The named openings and the procedures.
mod openings;
// Records of earlier versions, and lists of openings with their ranks.
mod records;
// What may use what, and the map of the source.
mod layering;
// The tree search against the alpha-beta search, and its games with itself.
mod mcts;
// The naive twins that the others compare with.
mod naive;
// Threats by playing them out on the board, and positions to do so.
mod playout;
// The line protocol, through the real binary and in-process.
mod protocol;
// Moves of short searches, judged by long ones.
mod regret;
// Threat sets and what answers threats, against playing them out.
mod shapes;
// Proofs of forced wins against labelled ones.
mod solver;
// Continuous threats, challenged by every defence.
mod threats;
// The training of networks, ended and resumed.
mod train;
// Self-play and the fit of the weights.
mod tune;
// Random play with undo against the naive twins.
mod twins;
mod walk;
