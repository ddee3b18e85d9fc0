//! The first look at a position: forced wins, the defences left, the moves to try.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::Solver;
use super::table::Node;
use crate::cube::board::{Gravity, Position};
use crate::cube::geometry::{CELLS, Cell, CellSet};
use crate::cube::order::MoveWorth;
use crate::cube::threes::{Sequence, holds};

/// Nodes of a search for a sequence of threes. In the proof from the empty cube 950 of 300,000 searches used them up.
const THREE_NODES: u64 = 2_000;

/// Nodes of such a search in a check. It must find the sequences of the proof, which had another table of failures.
pub(super) const CLAIM_NODES: u64 = 100 * THREE_NODES;

/// Factor of the proof number if the attacker threatens nothing: each answer then starts a longer fight. Hand-set.
const QUIET_FACTOR: u32 = 2;

impl Solver {
    /// The initial proof numbers of a position.
    pub(super) fn evaluate(&mut self, position: &Position) -> Node {
        self.evaluated += 1;
        if position.turn() == self.attacker { self.evaluate_attack(position) } else { self.evaluate_defence(position) }
    }

    fn evaluate_attack(&mut self, position: &Position) -> Node {
        if self.threes.search(position, THREE_NODES).is_some() {
            return Node::PROVED;
        }
        let is_lost = position.winning_cells(!self.attacker).len() > 1;
        if is_lost || position.stone_count() >= self.bounds.deepest {
            return Node::DISPROVED;
        }
        Node::UNKNOWN
    }

    fn evaluate_defence(&mut self, position: &Position) -> Node {
        let wins = position.winning_cells(self.attacker);
        if !position.winning_cells(!self.attacker).is_empty() || position.playable().is_empty() {
            return Node::DISPROVED;
        }
        match wins.len() {
            0 => {}
            1 => return Node { moves: wins, ..Node::UNKNOWN },
            _ => return Node::PROVED,
        }
        if self.threes.search(position, THREE_NODES).is_some() {
            return Node::DISPROVED;
        }
        let all = position.playable();
        let threat = self.threes.search(&position.passed(), THREE_NODES);
        let is_quiet = threat.is_none();
        let moves = self.unanswered(position, threat);
        match moves.len() as u32 {
            0 => Node::PROVED,
            _ if is_quiet => Node { proof: QUIET_FACTOR * all.len() as u32, disproof: 1, moves },
            count => Node { proof: count, disproof: 1, moves },
        }
    }

    /// The defender's moves after which the attacker has no forced sequence. Known sequences are tried first: the threat,
    /// and those that won against earlier moves.
    fn unanswered(&mut self, position: &Position, threat: Option<Sequence>) -> CellSet {
        let moves = position.playable();
        // Without gravity a move of the defender takes from the attacker's lines and adds nothing to them.
        if threat.is_none() && position.gravity() == Gravity::Off {
            return moves;
        }
        let mut known: Vec<_> = threat.into_iter().collect();
        let is_unanswered = |cell: &Cell| {
            let next = position.after(*cell);
            if next.winning_cells(!self.attacker).len() < 2 {
                if known.iter().rev().any(|sequence| holds(&next, sequence)) {
                    return false;
                }
                if let Some(sequence) = self.threes.search(&next, THREE_NODES) {
                    known.push(sequence);
                    return false;
                }
            }
            true
        };
        moves.filter(is_unanswered).collect()
    }

    /// The attacker's moves that are tried: the block of a three, else the moves through the most valuable lines.
    /// Without gravity moves that make a three are left to the forced sequences. With gravity all moves are tried: they
    /// are few, and a three may fill a column at the right time.
    pub(super) fn candidates(&self, position: &Position) -> CellSet {
        let attacker = position.turn();
        let blocks = position.winning_cells(!attacker);
        if !blocks.is_empty() {
            return blocks;
        }
        let worth = MoveWorth::new(position);
        let is_tried = |cell: &Cell| match self.gravity {
            Gravity::On => true,
            Gravity::Off => position.after(*cell).winning_cells(attacker).is_empty(),
        };
        let mut moves: ArrayVec<_, CELLS> = position.playable().filter(is_tried).collect();
        moves.sort_by_key(|&cell| (Reverse(worth.of(cell)), cell));
        moves.truncate(self.bounds.width);
        moves.into_iter().collect()
    }
}
