//! [`compile`]: decides what a player may do with each known move, and makes a [`Book`].
//!
//! | a move | becomes |
//! | --- | --- |
//! | after which the other side loses | a win, the shortest first |
//! | after which the other side wins | a loss |
//! | that is known well, and whose chance to win is near the best | playable |
//! | that is known otherwise | a hint |
//!
//! A move is known well if enough nodes were searched in the known positions after it, each counted once, or if enough
//! games passed through it. Its chance to win is that of its score if enough nodes were searched, else the share of the
//! points in its games if these are enough, else again that of its score. The best chance counts moves that are not
//! known well too: if one of them leads by more than the margin, no move is playable, and a search decides.
//! Contradictory results settle nothing.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ops::{ControlFlow, Range};

use thiserror::Error;

use super::file::{MOST_BOOK_BYTES, StoredMove};
use super::{Book, MoveKind};
use crate::board::{Color, Point, Rule, Size};
use crate::library::position::{Cursor, PositionKey};
use crate::library::record::{Entry, GameCounts, Proof, ProofOrigin, Record};
use crate::library::{LibraryError, View};
use crate::score::Score;

/// Which results settle a move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trust {
    /// All, also those that a person or another program claims.
    #[default]
    Claims,
    /// Those that this program has proved, and what follows from them alone.
    Proofs,
}

/// What a compiled book plays without a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BookConfig {
    /// Nodes searched after a move that make it known well.
    pub nodes: u64,
    /// Games through a move that make it known well.
    pub games: u64,
    /// How far the chance of a playable move may lie below the best one, in percentage points.
    pub margin: f32,
    /// Which results settle a move.
    pub trust: Trust,
}

impl Default for BookConfig {
    /// Twenty million nodes: many short searches see less than one search of as many nodes, and with a million a book lost
    /// more games than it won against no book (`docs/lab/library.md`). Fifty games: their share of the points is within 14
    /// percentage points of the true one, 19 times out of 20.
    fn default() -> Self {
        Self { nodes: 20_000_000, games: 50, margin: 2.0, trust: Trust::Claims }
    }
}

/// A book and the numbers of its positions.
#[derive(Clone, Debug)]
pub struct CompiledBook {
    /// The book.
    pub book: Book,
    /// Positions with a winning move.
    pub won: usize,
    /// Other positions with a playable move.
    pub playable: usize,
}

/// Error returned when a library cannot be compiled.
#[derive(Debug, Error)]
pub enum CompileError {
    /// The library cannot be read.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The book would be larger than engines load.
    #[error("the book would have {bytes} bytes, and engines load at most {MOST_BOOK_BYTES}: prune the library")]
    TooLarge {
        /// The size of the book.
        bytes: u64,
    },
}

/// Compiles what a library knows of a rule and size.
///
/// # Errors
/// When the library cannot be read, or the book would be too large.
pub fn compile(view: &View<'_>, (rule, size): (Rule, Size), config: &BookConfig) -> Result<CompiledBook, CompileError> {
    let graph = Graph::read(view, (rule, size), config.trust)?;
    let is_searched = graph.searched(config.nodes);
    let (mut won, mut playable) = (0, 0);
    let mut positions = Vec::new();
    for position in &graph.positions {
        let moves = graph.decide(position, config, &is_searched);
        let Some(best) = moves.first() else { continue };
        won += usize::from(best.kind == MoveKind::Wins);
        playable += usize::from(best.kind == MoveKind::Playable);
        positions.push((position.key.position_hash(), moves));
    }
    let book = Book::new(rule, size, positions);
    match book.file_bytes() {
        bytes if bytes > MOST_BOOK_BYTES => Err(CompileError::TooLarge { bytes }),
        _ => Ok(CompiledBook { book, won, playable }),
    }
}

/// A known position, as a node of the graph.
struct Node {
    key: PositionKey,
    turn: Color,
    /// The place of its moves in the graph.
    moves: Range<usize>,
    result: Option<Proof>,
    score: Option<Score>,
    games: GameCounts,
    /// The nodes of its own search.
    nodes: u64,
}

impl Node {
    fn new(key: PositionKey, turn: Color, record: &Record, moves: Range<usize>, trust: Trust) -> Self {
        let is_trusted = |proof: &Proof| trust == Trust::Claims || proof.origin > ProofOrigin::Claimed;
        let result = record.settled().filter(is_trusted);
        let nodes = record.search.map_or(0, |search| search.nodes);
        Self { key, turn, moves, result, score: record.undecided_score(), games: record.games, nodes }
    }
}

/// The known positions of a rule and size, in ascending order of their number of stones, and the legal moves between
/// them. Passes are left out.
struct Graph {
    positions: Vec<Node>,
    /// The moves of all positions, and the places of the positions that they lead to.
    moves: Vec<(Point, usize)>,
}

impl Graph {
    fn read(view: &View<'_>, (rule, size): (Rule, Size), trust: Trust) -> Result<Self, LibraryError> {
        let (mut positions, mut keys) = (Vec::new(), Vec::new());
        view.scan(rule, size, &mut |key, entry| {
            let begin = keys.len();
            let cursor = Cursor::from_stones(&entry.stones);
            keys.extend(legal_moves(&cursor, &entry).map(|point| (point, cursor.key_after(Some(point)))));
            positions.push(Node::new(key, cursor.turn(), &entry.record, begin..keys.len(), trust));
            ControlFlow::Continue(())
        })?;
        let place = |key| positions.binary_search_by_key(&key, |node| node.key);
        // A damaged library may lack the position after a move.
        let found = keys.iter().map(|&(point, key)| Some((point, place(key).ok()?)));
        let moves = found.collect::<Option<_>>().ok_or(LibraryError::NotALibrary)?;
        Ok(Self { positions, moves })
    }

    fn moves_of(&self, position: &Node) -> &[(Point, usize)] {
        &self.moves[position.moves.clone()]
    }

    /// Whether this number of nodes was searched in each position and the positions after it.
    fn searched(&self, nodes: u64) -> Vec<bool> {
        // An upper bound: a position that is reached in several ways counts several times.
        let mut most = vec![0; self.positions.len()];
        for (place, position) in self.positions.iter().enumerate().rev() {
            let after = self.moves_of(position).iter().map(|&(_, child)| most[child]);
            most[place] = after.fold(position.nodes, u64::saturating_add);
        }
        let mut is_searched = vec![true; self.positions.len()];
        for (place, position) in self.positions.iter().enumerate() {
            is_searched[place] = is_searched[place] && most[place] >= nodes && self.has_nodes(place, nodes, &most);
            if !is_searched[place] {
                // Fewer nodes were searched after its moves.
                self.moves_of(position).iter().for_each(|&(_, child)| is_searched[child] = false);
            }
        }
        is_searched
    }

    /// Whether this number of nodes was searched in a position and the positions after it, each counted once.
    fn has_nodes(&self, place: usize, nodes: u64, most: &[u64]) -> bool {
        let (mut waiting, mut seen, mut sum) = (vec![place], BTreeSet::from([place]), 0_u64);
        while let Some(place) = waiting.pop() {
            let position = &self.positions[place];
            sum = sum.saturating_add(position.nodes);
            if sum >= nodes {
                return true;
            }
            let after = self.moves_of(position).iter().map(|&(_, child)| child);
            waiting.extend(after.filter(|&child| most[child] > 0 && seen.insert(child)));
        }
        false
    }

    /// The moves of a position, the best first.
    fn decide(&self, position: &Node, config: &BookConfig, is_searched: &[bool]) -> Vec<StoredMove> {
        let candidate = |&(point, child): &(Point, usize)| {
            Candidate::new(point, &self.positions[child], position.turn, config, is_searched[child])
        };
        let mut candidates: Vec<_> = self.moves_of(position).iter().map(candidate).collect();
        let undecided = candidates.iter().filter(|candidate| candidate.stored.kind == MoveKind::Hint);
        let best = undecided.filter_map(|candidate| candidate.chance).fold(0.0, f32::max);
        for candidate in &mut candidates {
            let is_near = candidate.chance.is_some_and(|chance| chance >= best - config.margin / 100.0);
            if candidate.is_known_well && is_near {
                candidate.stored.kind = MoveKind::Playable;
            }
        }
        candidates.sort_by(|one, other| {
            let rank = |candidate: &Candidate| (candidate.stored.kind, Reverse(candidate.result));
            let value = |candidate: &Candidate| candidate.chance.unwrap_or(-1.0);
            rank(one)
                .cmp(&rank(other))
                .then(value(other).total_cmp(&value(one)))
                .then(other.games.cmp(&one.games))
                .then(one.stored.point.cmp(&other.stored.point))
        });
        candidates.into_iter().map(|candidate| candidate.stored).collect()
    }
}

/// A move on its way into a book.
struct Candidate {
    stored: StoredMove,
    /// The score of a win or a loss, else 0.
    result: Score,
    /// The chance to win of a move that is neither.
    chance: Option<f32>,
    is_known_well: bool,
    games: u64,
}

impl Candidate {
    /// The move of `mover` to a point, which leads to `after`.
    fn new(point: Point, after: &Node, mover: Color, config: &BookConfig, is_searched: bool) -> Self {
        let games = after.games.total();
        if let Some(result) = after.result {
            let score = one_ply_before(result);
            let kind = if score.is_win() { MoveKind::Wins } else { MoveKind::Loses };
            let stored = StoredMove { point, kind, score: Some(score) };
            return Self { stored, result: score, chance: None, is_known_well: false, games };
        }
        let score = after.score.map(|score| -score);
        let of_score = score.map(Score::win_chance);
        let has_games = games >= config.games;
        let share = after.games.share(mover).filter(|_| has_games);
        let stored = StoredMove { point, kind: MoveKind::Hint, score };
        let (chance, is_known_well) = match (of_score, share) {
            (Some(chance), _) if is_searched => (Some(chance), true),
            (_, Some(share)) => (Some(share), true),
            (chance, None) => (chance, false),
        };
        Self { stored, result: Score::ZERO, chance, is_known_well, games }
    }
}

/// The score of a move after which the other side has this result.
fn one_ply_before(result: Proof) -> Score {
    let plies = result.plies.and_then(|plies| plies.checked_add(1));
    Proof { is_win: !result.is_win, plies, ..result }.score()
}

/// The known moves of a position in the stored orientation that its side to move may play.
fn legal_moves(cursor: &Cursor, entry: &Entry) -> impl Iterator<Item = Point> {
    let turn = cursor.turn();
    let board = cursor.rule().forbids(turn).then(|| cursor.board());
    let is_legal = move |point: &Point| board.as_ref().is_none_or(|board| !board.is_forbidden(*point, turn));
    let points: Vec<_> = entry.moves.iter().flatten().copied().filter(|&point| cursor.is_empty(point)).collect();
    points.into_iter().filter(is_legal)
}
