//! [`Threes`]: wins by forced sequences of threes.
//!
//! A three is a line with three stones of a side whose fourth cell is empty and can be played. The defender must take that
//! cell. A sequence of threes that ends with two winning cells wins against every defence:
//!
//! ```text
//! X X . .    X X X o    the attacker plays a three, the defender's answer is forced, …
//! X . . .    X . . .    … until one stone makes two threes with different fourth cells
//! X . . .    X . . .
//! ```
//!
//! A [`Sequence`] holds the attacker's moves only, because they determine the answers.

use arrayvec::ArrayVec;

use super::board::{Gravity, Position};
use super::geometry::{CELLS, Cell, CellSet, LINE_CELLS, LINES};

/// The attacker's moves of a forced win.
pub type Sequence = ArrayVec<Cell, { CELLS / 2 }>;

/// The slots of the table of failures: 512 KiB, which fit the cache of one core.
const SLOTS: usize = 1 << 16;

/// Searches for forced wins and remembers positions that have none.
#[derive(Clone, Debug)]
pub struct Threes {
    /// Keys of positions in which the attacker has no forced win. An empty slot is 0.
    failures: Box<[u64]>,
    line: Sequence,
    nodes: u64,
    /// The number of nodes at which the search gives up.
    limit: u64,
}

impl Default for Threes {
    fn default() -> Self {
        Self { failures: vec![0; SLOTS].into_boxed_slice(), line: Sequence::new(), nodes: 0, limit: 0 }
    }
}

impl Threes {
    /// The number of positions searched so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches for a forced win of the side to move with at most this number of nodes. Nobody may have won yet.
    ///
    /// A returned win is proved. `None` means that the side has no forced win or the nodes ran out. A pair of
    /// positions with the same key, one in 2⁶³ because one of the 64 bits is always set, may hide a win.
    pub fn search(&mut self, position: &Position, nodes: u64) -> Option<Sequence> {
        debug_assert!(position.outcome().is_none());
        self.line.clear();
        self.limit = self.nodes + nodes;
        self.wins(position).then(|| self.line.clone())
    }

    /// Searches below a position with the attacker to move. If the attacker wins, the moves are on the line.
    fn wins(&mut self, position: &Position) -> bool {
        self.nodes += 1;
        let attacker = position.turn();
        if let Some(four) = position.winning_cells(attacker).first() {
            self.line.push(four);
            return true;
        }
        let blocks = position.winning_cells(!attacker);
        let allowed = match blocks.len() {
            0 => position.playable(),
            1 => blocks,
            _ => return false,
        };
        let (threes, fork) = threes(position, allowed);
        if let Some(fork) = fork {
            self.line.push(fork);
            return true;
        }
        if threes.is_empty() {
            return false;
        }
        let key = key(position);
        let slot = key as usize % SLOTS;
        if self.failures[slot] == key {
            return false;
        }
        for (cell, answer) in threes {
            self.line.push(cell);
            if self.wins(&position.after(cell).after(answer)) {
                return true;
            }
            self.line.pop();
            if self.nodes >= self.limit {
                return false;
            }
        }
        self.failures[slot] = key;
        false
    }
}

/// A move that makes a three, and the answer that it forces.
type Three = (Cell, Cell);

/// The greatest number of threes in a position: both empty cells of each line.
const MOST_THREES: usize = 2 * LINES;

/// The threes that the side to move can make on these cells, and a cell that makes two at once. The attacker has no
/// winning cell. Every winning cell of the defender is among the allowed ones.
fn threes(position: &Position, allowed: CellSet) -> (ArrayVec<Three, MOST_THREES>, Option<Cell>) {
    match position.gravity() {
        Gravity::Off => threes_anywhere(position, allowed),
        Gravity::On => threes_dropped(position, allowed),
    }
}

/// Without gravity every line of two stones is two threes.
fn threes_anywhere(position: &Position, allowed: CellSet) -> (ArrayVec<Three, MOST_THREES>, Option<Cell>) {
    let attacker = position.turn();
    let stones = position.stones(attacker);
    let lines = position.lines_of(attacker, 2);
    let (mut once, mut twice) = (CellSet::EMPTY, CellSet::EMPTY);
    let mut threes = ArrayVec::new();
    for line in lines {
        let empty = LINE_CELLS[line].without(stones);
        twice = twice.or(once.and(empty));
        once = once.or(empty);
        for cell in empty.and(allowed) {
            threes.extend(empty.without(cell.set()).map(|answer| (cell, answer)));
        }
    }
    (threes, twice.and(allowed).first())
}

/// With gravity a stone makes a three that can be completed now, or opens the cell above it to complete another three.
fn threes_dropped(position: &Position, allowed: CellSet) -> (ArrayVec<Three, MOST_THREES>, Option<Cell>) {
    let attacker = position.turn();
    let mut threes = ArrayVec::new();
    for cell in allowed {
        let next = position.after(cell);
        // The stone may open a winning cell to the defender.
        if !next.winning_cells(!attacker).is_empty() {
            continue;
        }
        let wins = next.winning_cells(attacker);
        if wins.len() > 1 {
            return (threes, Some(cell));
        }
        threes.extend(wins.map(|answer| (cell, answer)));
    }
    (threes, None)
}

/// A key of the stones as the attacker sees them. It is never 0.
fn key(position: &Position) -> u64 {
    let (own, other) = (position.stones(position.turn()).0, position.stones(!position.turn()).0);
    let mixed = own.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ other.wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(32);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed ^ (mixed >> 32)) | 1 << 63
}

/// Whether the moves of a forced win also win in this position, against the answers that they force here.
pub fn holds(position: &Position, sequence: &[Cell]) -> bool {
    let attacker = position.turn();
    let mut position = *position;
    for &cell in sequence {
        if !position.winning_cells(attacker).is_empty() {
            return true;
        }
        let blocks = position.winning_cells(!attacker);
        let is_allowed = blocks.is_empty() || blocks == cell.set();
        if !is_allowed || !position.playable().contains(cell) {
            return false;
        }
        position.play(cell);
        if !position.winning_cells(!attacker).is_empty() {
            return false;
        }
        let wins = position.winning_cells(attacker);
        match wins.first() {
            Some(_) if wins.len() > 1 => return true,
            Some(answer) => position.play(answer),
            None => return false,
        }
    }
    !position.winning_cells(attacker).is_empty()
}

/// The number of plies from this position to the four of a forced win.
pub fn plies(position: &Position, sequence: &[Cell]) -> u32 {
    let attacker = position.turn();
    let mut position = *position;
    let mut plies = 0;
    for &cell in sequence {
        if !position.winning_cells(attacker).is_empty() {
            break;
        }
        position.play(cell);
        plies += 2;
        match position.winning_cells(attacker).first() {
            Some(answer) => position.play(answer),
            None => break,
        }
    }
    plies + 1
}
