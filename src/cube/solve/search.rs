//! Depth-first proof-number search.
//!
//! ```text
//!              proof number                       disproof number
//! attacker     the least of the children          the greatest + the others left, less one
//! defender     the greatest + the others, less one  the least of the children
//! ```
//!
//! The sum of the textbook counts a position once for each way to it, and threes in another order are many ways. The
//! greatest child and the number of the others (weak proof numbers: Ueda, Hashimoto, Hashimoto and Iida, 2008) do not.
//!
//! A child is searched until its number exceeds the second best's by a quarter, so that the search does not jump to
//! and fro between two equals.

use std::time::Instant;

use super::table::Node;
use super::{INFINITE, Progress, REPORT_INTERVAL, Solver};
use crate::cube::board::Position;
use crate::cube::geometry::{Cell, CellSet};

/// The part of the second best number by which the best may exceed it.
const SLACK: u32 = 4;

/// The clock is read once for this many evaluations. One takes some tenths of a millisecond, rarely several.
const CLOCK_INTERVAL: u64 = 4;

/// A move with what is known of the position after it.
struct Child {
    cell: Cell,
    position: Position,
    node: Node,
}

impl Solver {
    /// Searches below a position until one of its numbers reaches its limit; what is then known is in the table.
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
            // The number that decides which child comes next, and the one that it adds to.
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

    /// The moves of a position that is searched for the first time.
    fn expand(&mut self, position: &Position) -> CellSet {
        self.expanded += 1;
        self.deepest = self.deepest.max(position.stone_count());
        if position.turn() == self.attacker { self.candidates(position) } else { position.playable() }
    }

    /// The positions after these moves, each once however many symmetric moves lead there; `None` where the proof must
    /// stop in between.
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

    /// Whether the proof must stop; reports its progress now and then.
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

/// The numbers of a position by those of its children; drops the children that are settled and decide nothing. Of a
/// proved position of the attacker the winning move is kept.
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
    let moves = children.iter().fold(CellSet::EMPTY, |moves, child| moves.or(child.cell.set()));
    Node { proof, disproof, moves }
}

/// What one child may reach of a limit: its own number and what the whole has to spare.
fn rest(limit: u32, whole: u32, part: u32) -> u32 {
    limit.saturating_sub(whole).saturating_add(part).min(INFINITE)
}
