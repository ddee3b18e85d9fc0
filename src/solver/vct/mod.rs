//! [`Vct`]: victory by continuous threats (追い詰め, 连攻胜), by proof numbers.
//!
//! ```text
//! attacker   five? open or double four? continuous fours? else every four and every open three
//! defender   a five holds, and so do continuous fours of its own; else every point that may meet
//!            the threat, and its own fours, to which the attacker must reply
//! ```
//!
//! Depth-first proof-number search with a table (A. Nagai, *Df-pn algorithm for searching AND/OR trees and its
//! applications*, 2002); numbers of siblings are joined as in weak proof-number search (T. Ueda and others, 2008): the
//! greatest, and one for each other, because the same defence meets many threats.

mod memory;
mod moves;

use self::memory::{Known, Memory, NEVER};
use super::defence::stops;
use super::vcf::take_back;
use super::{Budget, Proof, Vcf, unanswerable};
use crate::board::{Color, Point, PointSet};
use crate::position::Position;
use crate::threat::Threat;

/// A solver of continuous threats: fours, and threes that become an open four where they are let alone.
///
/// The proof takes every defence into account; fouls and own fours too. Its memory stays from proof to proof.
pub struct Vct {
    memory: Memory,
    vcf: Vcf,
    attacker: Color,
    /// Sets apart the proofs of both attackers, and those of other rules and sizes.
    salt: u64,
    nodes: u64,
    budget: u64,
    is_over: bool,
}

/// Positions of the memory: 8 MB.
const MEMORY: usize = 1 << 19;

/// What continuous fours may cost at a position of the attacker, and of the defender.
const FOURS: Budget = Budget { nodes: 60, fours: 16 };
const COUNTER_FOURS: Budget = Budget { nodes: 60, fours: 16 };

/// What a preparation is thought to cost.
const PREPARATION: u32 = 4;

impl Default for Vct {
    fn default() -> Self {
        Self {
            memory: Memory::new(MEMORY),
            vcf: Vcf::default(),
            attacker: Color::Black,
            salt: 0,
            nodes: 0,
            budget: 0,
            is_over: false,
        }
    }
}

/// A move, and what is known of the position behind it.
struct Child {
    point: Point,
    key: u64,
    known: Known,
}

/// What the defender can do.
enum Defence {
    /// Nothing is threatened, or something better is at hand.
    Holds,
    /// Only these may help; where there are none, all is lost.
    Points(PointSet),
}

impl Vct {
    /// Any win of the side to move by continuous threats. The position must be surveyed, and comes back as it was.
    /// `NoWin` means that no chain of fours and open threes wins. Ends where `nodes` positions were looked at, or soon
    /// after `must_end` says so, which is asked every few microseconds.
    pub fn any(&mut self, position: &mut Position, nodes: u64, must_end: &dyn Fn() -> bool) -> Proof {
        self.begin(position, nodes);
        let mut known = self.look(position);
        while !known.is_decided() && !self.is_over {
            known = self.search(position, NEVER, NEVER, must_end);
        }
        match known {
            Known { own: 0, .. } => Proof::Win(self.line(position, must_end)),
            Known { other: 0, .. } => Proof::NoWin,
            _ => Proof::OutOfBudget,
        }
    }

    /// The positions that the last proof looked at, those of continuous fours among them.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn begin(&mut self, position: &Position, nodes: u64) {
        let board = position.board();
        self.attacker = board.turn();
        let kind = board.rule().index() as u64 * 64 + u64::from(board.size().side()) * 2 + self.attacker.index() as u64;
        self.salt = (kind + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.memory.grow_old();
        self.nodes = 0;
        self.budget = nodes;
        self.is_over = false;
    }

    fn key(&self, position: &Position) -> u64 {
        position.board().key().bits() ^ self.salt
    }

    /// Follows the most promising moves until one of the numbers reaches its limit.
    fn search(&mut self, position: &mut Position, own: u32, other: u32, must_end: &dyn Fn() -> bool) -> Known {
        let started = self.nodes;
        let key = self.key(position);
        let mut children = match self.children(position) {
            Ok(children) => children,
            Err(known) => {
                self.memory.put(key, known, 1);
                return known;
            }
        };
        loop {
            let known = self.sum(position, &children);
            self.is_over = self.is_over || self.nodes >= self.budget || must_end();
            if known.own >= own || known.other >= other || known.is_decided() || self.is_over {
                self.memory.put(key, known, self.nodes - started);
                return known;
            }
            let (mut best, mut second, mut open) = (0, NEVER, 0);
            for (index, child) in children.iter().enumerate() {
                open += u32::from(child.known.own > 0);
                if index == 0 {
                    continue;
                }
                if child.known.other < children[best].known.other {
                    second = children[best].known.other;
                    best = index;
                } else {
                    second = second.min(child.known.other);
                }
            }
            let Some(child) = children.get_mut(best) else { return known };
            // A little more than the second best, lest the search jumps to and fro.
            let child_other = own.min(second.saturating_add(1 + second / 4).min(NEVER));
            let child_own = if other >= NEVER { NEVER } else { other.saturating_sub(open - 1).max(child.known.own + 1) };
            position.play(child.point);
            child.known = self.search(position, child_own, child_other, must_end);
            take_back(position, child.point);
        }
    }

    /// What the children together say of their parent.
    fn sum(&self, position: &Position, children: &[Child]) -> Known {
        let is_attack = position.board().turn() == self.attacker;
        let reached = children.iter().filter(|child| child.known.other == 0);
        // The attacker is in a hurry.
        if let Some(length) = reached.map(|child| child.known.length).min() {
            return Known::reached(length as usize + 1);
        }
        let failed = |child: &&Child| child.known.own == 0;
        if children.iter().all(|child| failed(&child)) {
            let length = children.iter().map(|child| child.known.length).max().map_or(0, |length| length as usize + 1);
            return Known::failed(if is_attack { 0 } else { length });
        }
        let open = || children.iter().filter(|child| child.known.own > 0);
        let own = open().map(|child| child.known.other).min().unwrap_or(NEVER);
        let greatest = open().map(|child| child.known.own).max().unwrap_or(0);
        Known::open(own, greatest + open().count() as u32 - 1)
    }

    /// The moves of a position, or that it is decided.
    fn children(&mut self, position: &mut Position) -> Result<Vec<Child>, Known> {
        let mut children = Vec::new();
        let is_attack = position.board().turn() == self.attacker;
        let points: Vec<Point> = if is_attack {
            moves::attacks(position)
        } else {
            match self.defend(position) {
                Defence::Holds => return Err(Known::reached(0)),
                Defence::Points(points) => points.iter().collect(),
            }
        };
        for point in points {
            let key = position.board().key_after(point).bits() ^ self.salt;
            let known = match self.memory.get(key) {
                Some(known) => known,
                None => {
                    position.play(point);
                    let known = self.look(position);
                    take_back(position, point);
                    self.memory.put(key, known, 1);
                    known
                }
            };
            let is_end = known.other == 0;
            children.push(Child { point, key, known });
            // One good move is enough.
            if is_end {
                break;
            }
        }
        let is_forced = position.survey().is_some_and(|survey| survey.census().count(!self.attacker, Threat::Five) > 0);
        if is_attack && !is_forced {
            for point in moves::preparations(position) {
                let key = position.board().key_after(point).bits() ^ self.salt;
                let known = self.memory.get(key).unwrap_or(Known::open(1, PREPARATION));
                children.push(Child { point, key, known });
            }
        }
        if children.is_empty() { Err(Known::failed(0)) } else { Ok(children) }
    }

    /// A first look at a position.
    fn look(&mut self, position: &mut Position) -> Known {
        self.nodes += 1;
        if position.board().turn() == self.attacker {
            self.look_attack(position)
        } else {
            match self.defend(position) {
                Defence::Holds => Known::reached(0),
                Defence::Points(points) if points.is_empty() => Known::failed(0),
                Defence::Points(points) => Known::open(1, points.len() as u32),
            }
        }
    }

    fn look_attack(&mut self, position: &mut Position) -> Known {
        let Some(census) = position.survey().map(crate::eval::Survey::census) else { return Known::failed(0) };
        if census.count(self.attacker, Threat::Five) > 0 {
            return Known::reached(0);
        }
        if census.count(!self.attacker, Threat::Five) == 0 && unanswerable(position, self.attacker).is_some() {
            return Known::reached(1);
        }
        if Vcf::is_promising(position) {
            let proof = self.vcf.any(position, FOURS);
            self.nodes += self.vcf.nodes();
            if let Proof::Win(line) = proof {
                return Known::reached(line.len());
            }
        }
        Known::open(1, 1)
    }

    /// What the defender, who is to move, can do.
    fn defend(&mut self, position: &mut Position) -> Defence {
        let defender = position.board().turn();
        let Some(census) = position.survey().map(crate::eval::Survey::census) else { return Defence::Holds };
        if census.count(defender, Threat::Five) > 0 {
            return Defence::Holds;
        }
        let allowed = |position: &Position, points: PointSet| -> PointSet {
            points.iter().filter(|&point| !position.is_forbidden(point, defender)).collect()
        };
        if census.count(self.attacker, Threat::Five) > 0 {
            return Defence::Points(allowed(position, stops(position, self.attacker)));
        }
        let three = moves::meets_three(position);
        if unanswerable(position, defender).is_some() {
            return Defence::Holds;
        }
        let points = match three {
            Some(points) => points,
            None => {
                position.set_turn(self.attacker);
                let proof = if Vcf::is_promising(position) { self.vcf.any(position, FOURS) } else { Proof::NoWin };
                position.set_turn(defender);
                self.nodes += self.vcf.nodes();
                let Proof::Win(line) = proof else { return Defence::Holds };
                moves::meets_fours(position, &line)
            }
        };
        if Vcf::is_promising(position) {
            let proof = self.vcf.any(position, COUNTER_FOURS);
            self.nodes += self.vcf.nodes();
            if matches!(proof, Proof::Win(_)) {
                return Defence::Holds;
            }
        }
        Defence::Points(allowed(position, points.union(&moves::fours(position))))
    }

    /// The line of a win that is in the memory: the attacker's shortest way, the defender's longest.
    fn line(&mut self, position: &mut Position, must_end: &dyn Fn() -> bool) -> Vec<Point> {
        let mut line = Vec::new();
        loop {
            let is_attack = position.board().turn() == self.attacker;
            if is_attack {
                if let Some(mut rest) = self.finish(position) {
                    line.append(&mut rest);
                    break;
                }
            }
            let Some(point) = self.next(position, must_end) else { break };
            position.play(point);
            line.push(point);
        }
        for &point in line.iter().rev().filter(|_| true) {
            if !position.board().is_empty(point) {
                take_back(position, point);
            }
        }
        line
    }

    /// The end of a line: the moves of a win that needs no three.
    fn finish(&mut self, position: &mut Position) -> Option<Vec<Point>> {
        let census = position.survey()?.census();
        if census.count(self.attacker, Threat::Five) > 0 {
            return Some(Vec::new());
        }
        if census.count(!self.attacker, Threat::Five) == 0 {
            if let Some(point) = unanswerable(position, self.attacker) {
                return Some(vec![point]);
            }
        }
        match self.vcf.any(position, FOURS) {
            Proof::Win(line) => Some(line),
            Proof::NoWin | Proof::OutOfBudget => None,
        }
    }

    /// The next move of a won line; `None` where the last move was the one that decides.
    fn next(&mut self, position: &mut Position, must_end: &dyn Fn() -> bool) -> Option<Point> {
        let is_attack = position.board().turn() == self.attacker;
        for _ in 0..2 {
            let children = self.children(position).ok()?;
            let found = if is_attack {
                children.iter().filter(|child| child.known.other == 0).min_by_key(|child| child.known.length)
            } else {
                children.iter().filter(|child| child.known.own == 0).max_by_key(|child| child.known.length)
            };
            if let Some(child) = found {
                return Some(child.point);
            }
            // The memory has forgotten.
            self.search(position, NEVER, NEVER, must_end);
        }
        None
    }

    #[allow(missing_docs, clippy::print_stdout)]
    pub fn debug(&mut self, position: &mut Position, line: &[Point]) {
        self.begin(position, u64::MAX);
        for (ply, &point) in line.iter().enumerate() {
            let inside = match self.children(position) {
                Ok(children) => format!("{} {:?}", children.iter().any(|c| c.point == point), children.iter().map(|c| (c.point, c.known.own, c.known.other)).collect::<Vec<_>>()),
                Err(known) => format!("{known:?}"),
            };
            println!("{ply} {point} {} in {inside} null-vcf {}", ply % 2, {
                let turn = position.board().turn();
                position.set_turn(self.attacker);
                let p = self.vcf.any(position, Budget::GENEROUS);
                position.set_turn(turn);
                format!("{p:?} {}", self.vcf.nodes())
            });
            position.play(point);
        }
    }
}
