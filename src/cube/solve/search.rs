//! Depth-first proof-number search.
//!
//! ```text
//!              proof number                       disproof number
//! attacker     least of the children               greatest + number of the others
//! defender     greatest + number of the others     least of the children
//! ```
//!
//! The sum in textbooks counts a position once for each path to it, and threes in another order are many paths. The
//! greatest child plus the number of the others does not (weak proof numbers: Ueda, Hashimoto, Hashimoto and Iida, 2008).
//!
//! A child is searched until its number exceeds the second best number by a quarter, so that the search does not alternate
//! between two equal children.

use std::time::Instant;

use super::table::Node;
use super::{INFINITE, Progress, REPORT_INTERVAL, Solver};
use crate::cube::board::Position;
use crate::cube::geometry::{Cell, CellSet};

/// The best number may exceed the second best by one part in this number. Hand-set.
const SLACK: u32 = 4;

/// Number of evaluations between two looks at the clock. An evaluation takes some tenths of a millisecond.
const CLOCK_INTERVAL: u64 = 4;

/// A move, the position after it and its node.
struct Child {
    cell: Cell,
    position: Position,
    node: Node,
}

impl Solver {
    /// Searches below a position until one of its numbers reaches its limit. The table then holds the result.
    pub(super) fn search(
        &mut self,
        position: &Position,
        proof_limit: u32,
        disproof_limit: u32,
        report: &mut dyn FnMut(&Progress),
    ) {
        let is_attack = position.turn() == self.attacker;
        let node = self.look_up(position);
        let moves = if node.moves.is_empty() { self.expand(position) } else { node.moves };
        let Some(mut children) = self.children(position, moves, report) else { return };
        loop {
            let node = settle(&mut children, is_attack);
            self.put(position, node);
            if node.is_settled()
                || node.proof >= proof_limit
                || node.disproof >= disproof_limit
                || self.must_stop(report)
            {
                return;
            }
            // The number that selects the next child.
            let number = |child: &Child| if is_attack { child.node.proof } else { child.node.disproof };
            let rank = |child: &Child| (number(child), child.node.proof.max(child.node.disproof));
            let Some(best) = (0..children.len()).min_by_key(|&index| rank(&children[index])) else { return };
            let others = (0..children.len()).filter(|&index| index != best);
            let second = others.map(|index| number(&children[index])).min().unwrap_or(INFINITE);
            let least = second.saturating_add(second / SLACK).saturating_add(1);
            let child = &mut children[best];
            let (proof_limit, disproof_limit) = if is_attack {
                (proof_limit.min(least), rest(disproof_limit, node.disproof, child.node.disproof))
            } else {
                (rest(proof_limit, node.proof, child.node.proof), disproof_limit.min(least))
            };
            self.search(&child.position, proof_limit, disproof_limit, report);
            child.node = self.look_up(&child.position);
        }
    }

    /// The moves of a position that is expanded for the first time.
    fn expand(&mut self, position: &Position) -> CellSet {
        self.expanded += 1;
        self.deepest = self.deepest.max(position.stone_count());
        if position.turn() == self.attacker { self.candidates(position) } else { position.playable() }
    }

    /// The positions after these moves. Symmetric moves yield one child. `None` if the proof must stop.
    fn children(
        &mut self,
        position: &Position,
        moves: CellSet,
        report: &mut dyn FnMut(&Progress),
    ) -> Option<Vec<Child>> {
        let mut children: Vec<Child> = Vec::with_capacity(moves.len());
        for cell in moves {
            let position = self.folded(&position.after(cell));
            if children.iter().all(|child| child.position != position) {
                children.push(Child { cell, position, node: self.look_up(&position) });
            }
            if self.must_stop(report) {
                return None;
            }
        }
        Some(children)
    }

    /// Whether the proof must stop. Also reports its progress every ten seconds.
    fn must_stop(&mut self, report: &mut dyn FnMut(&Progress)) -> bool {
        if !self.is_stopped && self.evaluated >= self.clock_at {
            self.clock_at = self.evaluated + CLOCK_INTERVAL;
            self.is_stopped = self.evaluated >= self.bounds.evaluations || self.control.must_stop();
            let now = Instant::now();
            if now.duration_since(self.reported) >= REPORT_INTERVAL {
                self.reported = now;
                report(&self.progress());
            }
        }
        self.is_stopped
    }
}

/// Computes the node of a position from its children and drops settled children that decide nothing. A proved node of the
/// attacker holds the winning move.
fn settle(children: &mut Vec<Child>, is_attack: bool) -> Node {
    if is_attack {
        if let Some(won) = children.iter().find(|child| child.node.proof == 0) {
            return Node { moves: won.cell.set(), ..Node::PROVED };
        }
        children.retain(|child| child.node.disproof > 0);
    } else {
        if children.iter().any(|child| child.node.disproof == 0) {
            return Node::DISPROVED;
        }
        children.retain(|child| child.node.proof > 0);
    }
    let numbers = |node: &Node| if is_attack { (node.proof, node.disproof) } else { (node.disproof, node.proof) };
    let least = children.iter().map(|child| numbers(&child.node).0).min();
    let greatest = children.iter().map(|child| numbers(&child.node).1).max();
    let (Some(least), Some(greatest)) = (least, greatest) else {
        return if is_attack { Node::DISPROVED } else { Node::PROVED };
    };
    let together = greatest.saturating_add(children.len() as u32 - 1).min(INFINITE - 1);
    let (proof, disproof) = if is_attack { (least, together) } else { (together, least) };
    let moves = children.iter().map(|child| child.cell).collect();
    Node { proof, disproof, moves }
}

/// The limit of a child: its own number plus what its parent has left.
fn rest(limit: u32, whole: u32, part: u32) -> u32 {
    limit.saturating_sub(whole).saturating_add(part).min(INFINITE)
}
