//! The tests of Tengen in one binary. Each module below holds one kind.

// Helpers used only by tests for Unix or Linux stay next to those that all tests use.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

// Arena matches between scripted engines, sound and faulty.
mod analyse;
mod arena;
// The signature of the bench. A new signature shows that some move has changed.
mod bench;
// The server of the board in a browser, as a page uses it, and the page itself.
mod board;
// The cube: four in a row on 4 × 4 × 4.
mod cube;
// Labelled positions from files: forbidden points, ends of games, line codes.
mod data;
// The evaluation compared with its weight files, summed in floating point.
mod eval;
// The learned evaluation compared with a twin that sums the network cell by cell.
mod network;
// The examples on the pages print the output that the pages show.
#[cfg(unix)]
mod docs;
// The programs in `examples`, as their comments say to run them.
mod examples;
// The text and JSON of `explain`, and that it explains the picker's own move.
mod explain;
// The arena and its engines under faults of engines, of the system and of the caller.
mod faults;
// The rows of renju's fouls.
mod fouls;
// Wrong files: devices, oversized or foreign files, and a file-size limit.
#[cfg(unix)]
mod files;
// Threatened wins and the points that prevent them.
mod defences;
// The named openings and the procedures.
mod openings;
// The library: its database, formats and book.
mod library;
// The facts about moves, compared with naive play of every answer.
mod reasons;
// Records of earlier versions, and opening lists with their ranks.
mod records;
mod reinforce;
// Which module may use which, and the map of the source.
mod layering;
// The tree search compared with the alpha-beta search, and its self-play.
mod mcts;
// The naive twins that other tests compare with.
mod naive;
// Threats found by playing them out on the board, and positions to test them.
mod playout;
// The line protocol, through the real binary and in-process.
mod protocol;
// Moves of short searches, judged by long ones.
mod regret;
// The output of `replay`, and the walk through a game.
mod replay;
// Threat sets and the answers to threats, compared with playing them out.
mod shapes;
// The arena and the shell that started it.
#[cfg(target_os = "linux")]
mod shell;
// Proofs of forced wins, compared with labelled ones.
mod solver;
// Wins by continuous threats, tested against every defence.
mod threats;
// Training of networks, interrupted and resumed.
mod train;
// Self-play and the fit of the weights.
mod tune;
// Random play with undo, compared with the naive twins.
mod twins;
mod walk;
