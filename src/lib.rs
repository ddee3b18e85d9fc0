//! A gomoku and renju engine for the Gomocup/Piskvork line protocol. This page is the architecture; what the engine
//! plays and how to start it is in the README.
//!
//! # From a line to a move
//!
//! ```text
//! manager ── "TURN 7,8\r\n" ─► reader thread        bytes → lines; nothing is judged here
//!                               ▼ channel
//!                        Session::handle            the one state machine: lines → commands (BOARD … DONE is one),
//!                               │                   commands → replies; Clock → Limits
//!                               ▼
//!                        Position::play             the opponent's stone: Board (the truth) and what is derived
//!                               │                   from it move together
//!                               ▼
//!                        Picker::pick               greedy: here and now; search: on a thread of its own
//!                               ▼
//!                        Choice {point, reason, nodes}
//!                               ▼
//!                        protocol::run              one line, one write, one flush ─► "8,8\n"
//! ```
//!
//! If a picker panics, is late or offers a point that cannot be played, the session plays what the weighting in use
//! prefers: a bug costs a move and not the game. [`explain`] is a picker's [`Choice`](picker::Choice) printed with the
//! position that the picker read, so it cannot disagree with the move.
//!
//! # The idea that carries the middle
//!
//! A [`LineWindow`](threat::LineWindow) is the ten cells round an empty point in one direction: own, opponent, empty or
//! off the board. Packed into a number it *is* the index of every table, of patterns and of weightings. A stone touches at
//! most forty windows, and adds a constant to the number of each: no window is ever read anew.
//!
//! ```text
//!                      ┌─► Board          the truth
//! Position::play, undo ┼─► ThreatCache    forty windows → patterns, by one table a rule
//!                      ├─► Sums           the same windows → weights, by one table a weighting; for the greedy picker
//!                      └─► Survey         the same points → threats and the evaluation; for a searcher
//! ```
//!
//! Every derived thing can be made from scratch, and the tests compare both after every step.
//!
//! # The rooms, from the ground up
//!
//! A room uses rooms above it in this list, and no others; a test holds it (`tests/tengen/layering.rs`).
//!
//! | room | is | knows nothing of |
//! | --- | --- | --- |
//! | [`rng`], [`score`] | seeded numbers; the value of a search | the game |
//! | [`board`] | RULES: what a legal game is | shapes |
//! | [`notation`] | how games are written: moves, PSQ, opening lists | files |
//! | [`threat`] | SHAPES: what each empty point would make | weights |
//! | [`weights`] | THE DOCUMENTED WEIGHTS: attack and defence of a point | rules, search |
//! | [`eval`] | A NUMBER FOR A POSITION, without looking ahead | weightings, search |
//! | [`position`] | the board and all that rides along | who asks |
//! | [`solver`] | PROOFS: forced wins | weightings, clocks |
//! | [`opening`] | how a game may begin: lists of openings, Swap2 | words, searches |
//! | [`picker`] | CHOICE: greedy or search, one interface | words, streams |
//! | [`protocol`] | WORDS: the only room that speaks; streams are given to it | – |
//! | [`explain`], [`mod@bench`] | why this point; a fixed piece of work and its signature | streams |
//! | [`tune`] | the weights of the evaluation, fitted to games | – |
//! | [`arena`] | matches between engines, which are processes | pickers, positions |
//!
//! The binaries are thin: `src/engine` reads arguments for both engines, `src/bin` has the others.
//!
//! # Where to start reading
//!
//! [`threat::LineWindow`], then [`Position`](position::Position) and
//! [`Greedy`](picker::Greedy): a whole engine in three short files. Then `weights/shapes.rs` beside the document that it
//! quotes, and [`protocol`] for what a manager may say.

pub mod arena;
pub mod bench;
pub mod board;
pub mod eval;
pub mod explain;
pub mod notation;
pub mod opening;
pub mod picker;
pub mod player;
pub mod position;
pub mod protocol;
pub mod rng;
pub mod score;
pub mod solver;
pub mod threat;
pub mod tune;
pub mod weights;
