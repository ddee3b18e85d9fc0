//! A gomoku and renju engine for the Gomocup/Piskvork line protocol. This page describes the architecture. The README
//! says what the engine plays and how to start it.
//!
//! # From a line to a move
//!
//! ```text
//! manager ── "TURN 7,8\r\n" ─► reader thread        bytes → lines, not yet parsed
//!                               ▼ channel
//!                        CommandReader              lines → commands (BOARD … DONE is one)
//!                               ▼
//!                        Session::handle            the only state machine: Clock → deadlines; plays the opponent's stone
//!                               ▼
//!                        Player::ask                a Question about a position; guards the picker's thread
//!                               ▼
//!                        Picker::answer             greedy: at once; alpha-beta, tree search: on a thread of its own
//!                               ▼
//!                        Answer {decision, reason, nodes}
//!                               ▼
//!                        protocol::run              one line, one write, one flush ─► "8,8\n"
//! ```
//!
//! If a picker panics, is late, or returns a point that cannot be played, the player answers with its best point so far, or
//! with the greedy picker's. A bug costs a move, not the game. [`explain`] prints an [`Answered`](player::Answered): the
//! position that the picker read, and its answer.
//!
//! # The two ideas that carry the middle
//!
//! **The window is the index.** A [`LineWindow`](threat::LineWindow) is the ten cells round an empty point in one
//! direction: own, opponent, empty or off the board. Packed into a number it *is* the index of every table: of patterns
//! and of each documented weighting. A stone changes at most forty windows and adds a constant to the number of each.
//! Unchanged windows are never recomputed.
//!
//! **The accumulator follows.** The changes made by a stone are one value, a [`Delta`](threat::Delta): the point, the color,
//! and every changed window with its number before and after. The [`ThreatCache`](threat::ThreatCache) creates it, keeps it
//! on its stack, and undoes it. An [`Accumulator`](position::Accumulator) holds the sums over the board from which a picker
//! evaluates. The type of a [`Position<A>`](position::Position) names its accumulator:
//!
//! ```text
//!               ┌─ ThreatBoard<S> ─────────────────────────────┐
//! play, undo ─► │ Board ─► ThreatCache ─► S: () or ThreatSets  │ ─► A: () │ WeightAccumulator │ Classical
//!               └──────────────────────────────────────────────┘
//! Position<WeightAccumulator>   the greedy picker: windows and weights
//! Position<Network>             the search: windows, threat sets, the learned evaluation
//! Position<Classical>           the same with the classical evaluation
//! Position<Rollout>             the tree search with rollouts: classical evaluation and weights
//! ThreatBoard                   a solver: windows and threat sets, lent by the search
//! ```
//!
//! All derived state can be computed from scratch. The tests compare both after every play and undo. Debug builds compare
//! the accumulator at some of the nodes that a search evaluates, and occasionally all derived state.
//!
//! # The modules, from the ground up
//!
//! A module uses only modules above it in this table. A word in the last column is the module's own: no module above it
//! contains the word in its code. `tests/tengen/layering.rs` reads the table and checks both, and the third column.
//!
//! | module | owns | must never use | its own words |
//! | --- | --- | --- | --- |
//! | [`platform`] | the clock and the threads: of the system, or of a worker in a browser | | |
//! | [`rng`], [`fnv`], [`score`], [`shard`] | seeded numbers; a checksum; the value of a search; a share of the work | | |
//! | [`text`], [`files`] | lines and their quotation in errors; opening, locking and replacing files | [`score`] | |
//! | [`board`] | RULES: legal moves and the end of a game | [`threat`], [`score`] | |
//! | [`notation`] | the written forms of points, games and records | [`threat`] | |
//! | [`threat`] | SHAPES: the patterns of every empty point | [`weights`], [`eval`], [`score`] | |
//! | [`position`] | the board, its threats and one accumulator, updated together | [`weights`], [`eval`], [`score`] | |
//! | [`weights`], [`eval`], [`solver`] | THE DOCUMENTED WEIGHTS; A NUMBER FOR A POSITION; PROOFS | [`picker`] | |
//! | [`puzzle`] | PUZZLES: positions where one move alone wins | [`picker`] | |
//! | [`opening`] | OPENINGS: lists, the 26, procedures | [`weights`], [`eval`], [`solver`], [`picker`] | |
//! | [`library`] | WHAT IS KNOWN: the database of positions, its imports and exports, the compiled book | [`weights`], [`eval`], [`solver`], [`picker`] | |
//! | [`picker`] | CHOICE: greedy, alpha-beta or tree search, one interface | [`player`], [`protocol`] | |
//! | [`player`] | a picker on a thread: deadlines, guard, fallback | [`protocol`], [`solver`], [`eval`] | |
//! | [`expansion`] | grows a library by searches | [`protocol`] | |
//! | [`protocol`] | WORDS: lines in and out | [`eval`], [`solver`], [`arena`], [`explain`] | `INFO`, `MESSAGE`, `YX` |
//! | [`arena`] | matches between engines, which are processes; of the protocol only the numbers of rules and limits | [`threat`], [`position`], [`weights`], [`eval`], [`solver`], [`picker`], [`player`], [`score`] | |
//! | [`explain`], [`mod@bench`], [`cube`] | why this point; a fixed piece of work; four in a row on 4 × 4 × 4, with a board and a search of its own | | |
//! | [`analyse`] | MANY POSITIONS: queries in lines of JSON, answered several at once | [`tune`], [`web`] | |
//! | [`tune`] | self-play, training, learning by playing, generations of networks, regret | | |
//! | [`web`] | the board in a browser: the page, and the sessions that answer it | [`tune`], [`cube`] | |
//! | [`cli`] | the command line of both engines: arguments, `tengen.toml`, log, subcommands | [`tune`], [`web`], [`cube`] | |
//!
//! The same test checks four more rules. Only the arena, [`cli`] and the binaries touch the streams of the process. Only
//! [`cli`] and the binaries use `anyhow`. Outside `board/rule.rs` no code compares a [`Rule`](board::Rule) with a variant:
//! it calls a method of the rule or matches all variants. What compiles without the feature `programs`, for a page in a
//! browser, has its clock and its threads from [`platform`]. Comments are exempt from all of them.
//!
//! The binaries are thin: they read arguments, call the library once, and print its results. Those of the engines are one
//! call of [`cli`].
//!
//! # The tree
//!
//! ```text
//! src/
//!   rng.rs, fnv.rs, score.rs, shard.rs, text.rs
//!   files/          bounded reading, locks, files that appear whole
//!   platform/       the clock and the threads of a system, or of a worker in a browser
//!   board/          points, bitboards, rules, renju's fouls, the end of a game
//!   notation/       h8i9, "7,7", PSQ, SGF, opening lists, the record of a match: one parser each
//!   threat/         window, pattern, cache, threat sets
//!   position/       ThreatBoard<S>, Position<A>, Accumulator
//!   weights/        one file, one document; their accumulator
//!   eval/           evaluators: classical, network
//!   solver/         VCF, VCT, defences
//!   puzzle/         positions with one winning move
//!   opening/        lists, the 26 named openings, procedures
//!   library/        database, proofs and scores that flow back, formats, book
//!   picker/         greedy, alphabeta, mcts; limits, reports
//!   player/         asks a picker; guard, fallback, the opponent's time
//!   expansion/      the positions of a library that are searched next
//!   protocol/       commands, session, clock, replies; what Yixin-Board adds
//!   explain/        text and JSON of an answer; facts about a move; a game move by move; the fifth moves
//!   analyse/        queries in lines of JSON, answered several at once
//!   cube/           4 × 4 × 4: geometry, search, proofs, terminal, protocol
//!   bench.rs        signature and speed
//!   tune/           self-play, the files of its games, fit, training, learning by playing, generations
//!   arena/          contest, schedule, journal, stats, report
//!   web/            the page of the board, its messages and sessions, the report of a match
//!   cli/            the command line and the file of settings of both engines
//!   main.rs         pbrain-tengen
//!   bin/            pbrain-tengen-search, tengen-arena, tengen-board, tengen-cube, tengen-library, tengen-tune
//!   lib.rs          this page
//! ```
//!
//! # Where to start reading
//!
//! [`threat::LineWindow`], then [`Position`](position::Position) and [`Greedy`](picker::Greedy): a whole engine in three
//! short files. Then `weights/shapes.rs` beside the document that it quotes, `picker/alphabeta/node.rs` and
//! `picker/mcts/playout.rs` for the searches, and [`protocol`] for what a manager may send. The short programs in `examples`
//! use the library from outside.

#[cfg(feature = "programs")]
pub mod analyse;
#[cfg(feature = "programs")]
pub mod arena;
pub mod bench;
pub mod board;
#[cfg(feature = "programs")]
pub mod cli;
#[cfg(feature = "programs")]
pub mod cube;
pub mod eval;
#[cfg(feature = "programs")]
pub mod expansion;
pub mod explain;
pub mod files;
pub mod fnv;
pub mod library;
pub mod notation;
pub mod opening;
pub mod picker;
pub mod platform;
pub mod player;
pub mod position;
#[cfg(feature = "programs")]
pub mod protocol;
pub mod puzzle;
pub mod rng;
pub mod score;
pub mod shard;
pub mod solver;
pub mod text;
pub mod threat;
#[cfg(feature = "programs")]
pub mod tune;
pub mod web;
pub mod weights;
