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
//! points in its games. A move that was searched less, with a better score than those that are known well, makes all of
//! them hints: a search should decide. Contradictory results settle nothing.

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
    /// The nodes of searches after a move by which it is known well.
    pub nodes: u64,
    /// The games through a move by which it is known well.
    pub games: u64,
    /// The greatest distance of a playable move to the best chance to win, in per cent.
    pub margin: f32,
    /// Which results settle a move.
    pub trust: Trust,
}

impl Default for BookConfig {
    /// A million nodes: some 1.5 s of a search on one thread, more than most moves get. Fifty games: their share of points
    /// is within 14 points of the true one, 19 times of 20. Set by hand.
    fn default() -> Self {
        Self { nodes: 1_000_000, games: 50, margin: 2.0, trust: Trust::Claims }
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

/// Error returned when a library is not compiled.
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
    let mut graph = Graph::read(view, rule, size)?;
    if config.trust == Trust::Proofs {
        graph.forget_claims();
    }
    let is_searched = graph.searched(config.nodes);
    let (mut won, mut playable) = (0, 0);
    let mut positions = Vec::new();
    for position in &graph.positions {
        let moves = graph.decide(position, config, &is_searched);
        let Some(best) = moves.first() else { continue };
        won += usize::from(best.kind == MoveKind::Wins);
        playable += usize::from(best.kind == MoveKind::Playable);
        positions.push((position.key.hash(), moves));
    }
    let book = Book::new(rule, size, positions);
    match book.file_bytes() {
        bytes if bytes > MOST_BOOK_BYTES => Err(CompileError::TooLarge { bytes }),
        _ => Ok(CompiledBook { book, won, playable }),
    }
}

/// A known position.
struct Known {
    key: PositionKey,
    turn: Color,
    /// The place of its moves in the graph.
    moves: Range<usize>,
    result: Option<Proof>,
    /// The result if it is proved and follows from no other position.
    proof: Option<Proof>,
    score: Option<Score>,
    games: GameCounts,
    /// The nodes of its own search.
    nodes: u64,
}

impl Known {
    fn new(key: PositionKey, turn: Color, record: &Record, moves: Range<usize>) -> Self {
        let result = record.settled();
        let proved = record.proof.filter(|proof| proof.origin == ProofOrigin::Proved);
        // A row of five on the board is a fact, and follows from no other position.
        let row = record.derived.filter(|proof| proof.plies == Some(0));
        let proof = proved.or(row).filter(|_| result.is_some());
        let nodes = record.search.map_or(0, |search| search.nodes);
        Self { key, turn, moves, result, proof, score: record.undecided_score(), games: record.games, nodes }
    }
}

/// The known positions of a rule and size, in ascending order of their number of stones, and the legal moves between
/// them. Passes are left out.
struct Graph {
    positions: Vec<Known>,
    /// The moves of all positions, and the places of the positions that they lead to.
    moves: Vec<(Point, usize)>,
}

impl Graph {
    fn read(view: &View<'_>, rule: Rule, size: Size) -> Result<Self, LibraryError> {
        let (mut positions, mut keys) = (Vec::new(), Vec::new());
        view.scan(rule, size, &mut |key, entry| {
            let begin = keys.len();
            let cursor = Cursor::from_stones(&entry.stones);
            keys.extend(legal_moves(&cursor, &entry).map(|point| (point, cursor.key_after(Some(point)))));
            positions.push(Known::new(key, cursor.turn(), &entry.record, begin..keys.len()));
            ControlFlow::Continue(())
        })?;
        let place = |key| positions.binary_search_by_key(&key, |known| known.key);
        // A damaged library may lack the position after a move.
        let found = keys.iter().map(|&(point, key)| Some((point, place(key).ok()?)));
        let moves = found.collect::<Option<_>>().ok_or(LibraryError::NotALibrary)?;
        Ok(Self { positions, moves })
    }

    fn moves_of(&self, position: &Known) -> &[(Point, usize)] {
        &self.moves[position.moves.clone()]
    }

    /// Reduces the results to what is proved. Positions with more stones come first.
    fn forget_claims(&mut self) {
        for place in (0..self.positions.len()).rev() {
            let result = self.proved(&self.positions[place]);
            self.positions[place].result = result;
        }
    }

    fn proved(&self, position: &Known) -> Option<Proof> {
        let known = position.result?;
        if position.proof.is_some() {
            return position.proof;
        }
        let children = || self.moves_of(position).iter().map(|&(_, child)| self.positions[child].result);
        let derived = |is_win, plies: Option<u16>| {
            let plies = plies.and_then(|plies| plies.checked_add(1));
            Proof { is_win, plies, origin: ProofOrigin::Derived }
        };
        let lost = children().flatten().filter(|proof| !proof.is_win);
        if let Some(shortest) = lost.min_by_key(|proof| proof.plies.unwrap_or(u16::MAX)) {
            return Some(derived(true, shortest.plies));
        }
        // The library derives a loss only from all legal moves.
        let is_derived_loss = !known.is_win && known.origin == ProofOrigin::Derived;
        let won = children().map(|result| result.filter(|proof| proof.is_win)).collect::<Option<Vec<_>>>();
        let plies = won.filter(|_| is_derived_loss)?.iter().map(|proof| proof.plies).collect::<Option<Vec<_>>>();
        Some(derived(false, plies.and_then(|plies| plies.into_iter().max())))
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
            is_searched[place] &= most[place] >= nodes && self.has_nodes(place, nodes, &most);
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
    fn decide(&self, position: &Known, config: &BookConfig, is_searched: &[bool]) -> Vec<StoredMove> {
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
    fn new(point: Point, after: &Known, mover: Color, config: &BookConfig, is_searched: bool) -> Self {
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
