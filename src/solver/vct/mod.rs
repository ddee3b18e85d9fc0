//! [`Vct`]: victory by continuous threats (追い詰め, 连攻胜), by proof numbers.
//!
//! Depth-first proof-number search with a table (A. Nagai, *Df-pn algorithm for searching AND/OR trees and its
//! applications*, 2002). The numbers of siblings are joined as in weak proof-number search (T. Ueda and others, *Weak
//! proof-number search*, 2008): the greatest, and one more for each other, because one defence meets many threats.

mod memory;
mod moves;

use self::memory::{Known, Memory, NEVER};
use super::defence::stops;
use super::salt;
use super::vcf::take_back;
use super::{Budget, Proof, Vcf, unanswerable};
use crate::board::{Color, Point, PointSet};
use crate::position::Position;
use crate::threat::Threat;

/// A solver of continuous threats, with a memory that lasts from proof to proof.
///
/// ```text
/// attacker   wins by a five, an open or double four, or continuous fours; else plays
///            a four, an open three, or what prepares continuous fours
/// defender   holds with a five, an open or double four, or continuous fours of its own; else plays
///            every point that may meet the threat, and every own four, which the attacker must stop
/// ```
///
/// What is forbidden to a side is not played: such a three is no threat, and such a defence none.
pub struct Vct {
    memory: Memory,
    vcf: Vcf,
    attacker: Color,
    /// Keeps apart what the memory knows of either attacker, and of other rules and sizes.
    salt: u64,
    nodes: u64,
    budget: u64,
    is_over: bool,
}

/// Positions of the memory: 8 MB.
const MEMORY: usize = 1 << 19;

/// What continuous fours may cost at each position. More and less prove fewer of the labelled positions in a second.
const FOURS: Budget = Budget { nodes: 60, fours: 16 };

/// What a proof by a preparation is thought to cost, as [`moves::cost`].
const PREPARATION: u32 = 8;

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
    known: Known,
}

impl Vct {
    /// Any win of the side to move. The position must be surveyed, and comes back as it was.
    ///
    /// [`Proof::NoWin`] means that no chain of fours and open threes wins. The line is one of many: the attacker's
    /// shortest way that is proved, against the longest defence; its end may be missing where the budget ends just
    /// then, and it stops at a three where nothing meets that. The search ends where it has looked at `nodes`
    /// positions, or when `must_end` says so, which is asked every few dozens of microseconds.
    ///
    /// Cost: each of the 152 labelled wins within a second, half of them within 3 ms.
    pub fn any(&mut self, position: &mut Position, nodes: u64, must_end: &dyn Fn() -> bool) -> Proof {
        self.begin(position, nodes);
        position.without_evaluation(|position| self.prove(position, must_end))
    }

    fn prove(&mut self, position: &mut Position, must_end: &dyn Fn() -> bool) -> Proof {
        let mut known = self.look(position);
        while !known.is_decided() && !self.is_over {
            known = self.search(position, NEVER, NEVER, must_end);
        }
        match known {
            Known { own: 0, .. } => Proof::Win(self.line(position, must_end)),
            Known { other: 0, .. } => Proof::NoWin,
            Known { .. } => Proof::OutOfBudget,
        }
    }

    /// The positions that the last proof looked at, those of continuous fours among them.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    fn begin(&mut self, position: &Position, nodes: u64) {
        let board = position.board();
        self.attacker = board.turn();
        self.salt = salt(board, self.attacker.index());
        self.memory.grow_old();
        self.nodes = 0;
        self.budget = nodes;
        self.is_over = false;
    }

    fn is_attack(&self, position: &Position) -> bool {
        position.board().turn() == self.attacker
    }

    /// Follows the most promising moves until one of the numbers reaches its limit.
    fn search(&mut self, position: &mut Position, own: u32, other: u32, must_end: &dyn Fn() -> bool) -> Known {
        let started = self.nodes;
        let key = position.board().key().bits() ^ self.salt;
        let mut children = match self.children(position, must_end) {
            Ok(children) => children,
            Err(known) => {
                self.memory.put(key, known, 1);
                return known;
            }
        };
        if self.is_over {
            return Known::open(1, 1);
        }
        loop {
            let known = sum(&children);
            self.is_over = self.is_over || self.nodes >= self.budget || must_end();
            if known.own >= own || known.other >= other || known.is_decided() || self.is_over {
                self.memory.put(key, known, self.nodes - started);
                return known;
            }
            let open = children.iter().filter(|child| child.known.own > 0).count() as u32;
            let Some((best, second)) = best(&children) else { return known };
            let child = &mut children[best];
            // A little more than the second best, lest the search jump to and fro.
            let child_other = own.min(second.saturating_add(1 + second / 4));
            let child_own =
                if other < NEVER { (other - (open - 1).min(other)).max(child.known.own + 1) } else { NEVER };
            position.play(child.point);
            child.known = self.search(position, child_own, child_other, must_end);
            take_back(position, child.point);
        }
    }

    /// The moves of a position, or what is known where it is decided. Some are left out where the search is over.
    fn children(&mut self, position: &mut Position, must_end: &dyn Fn() -> bool) -> Result<Vec<Child>, Known> {
        self.nodes += 1;
        let mut children = Vec::new();
        if self.is_attack(position) {
            for point in moves::attacks(position) {
                let known = self.remember(position, point).unwrap_or(Known::open(1, moves::cost(position, point)));
                children.push(Child { point, known });
            }
            let is_forced =
                position.survey().is_none_or(|survey| survey.census().count(!self.attacker, Threat::Five) > 0);
            let preparations = if is_forced { PointSet::EMPTY } else { moves::preparations(position) };
            for point in preparations.iter() {
                let known = self.remember(position, point).unwrap_or(Known::open(1, PREPARATION));
                children.push(Child { point, known });
            }
        } else {
            let Some(points) = self.defences(position) else { return Err(Known::reached(0)) };
            for point in points.iter() {
                let known = match self.remember(position, point) {
                    Some(known) => known,
                    None => {
                        position.play(point);
                        let known = self.look(position);
                        self.memory.put(position.board().key().bits() ^ self.salt, known, 1);
                        take_back(position, point);
                        known
                    }
                };
                children.push(Child { point, known });
                self.is_over = self.is_over || must_end();
                if known.other == 0 || self.is_over {
                    break;
                }
            }
        }
        if children.is_empty() { Err(Known::failed(0)) } else { Ok(children) }
    }

    /// What the memory knows of the position behind a move.
    fn remember(&self, position: &Position, point: Point) -> Option<Known> {
        self.memory.get(position.board().key_after(point).bits() ^ self.salt)
    }

    /// A first look at a position with the attacker to move.
    fn look(&mut self, position: &mut Position) -> Known {
        self.nodes += 1;
        self.finish(position).map_or(Known::open(1, 1), |line| Known::reached(line.len()))
    }

    /// The attacker's win without threes; empty where it has a five.
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
        self.fours(position)
    }

    /// Continuous fours of the side to move.
    fn fours(&mut self, position: &mut Position) -> Option<Vec<Point>> {
        if !Vcf::is_promising(position) {
            return None;
        }
        let proof = self.vcf.any(position, FOURS);
        self.nodes += self.vcf.nodes();
        if let Proof::Win(line) = proof { Some(line) } else { None }
    }

    /// All points that the defender, who is to move, may hope of; `None` where it holds. Where there is none, all is
    /// lost.
    fn defences(&mut self, position: &mut Position) -> Option<PointSet> {
        let defender = position.board().turn();
        let census = position.survey()?.census();
        if census.count(defender, Threat::Five) > 0 {
            return None;
        }
        if census.count(self.attacker, Threat::Five) > 0 {
            return Some(position.allowed(&stops(position, self.attacker)));
        }
        if unanswerable(position, defender).is_some() {
            return None;
        }
        let meets = match moves::meets_three(position) {
            Some(meets) => meets,
            None => {
                position.set_turn(self.attacker);
                let line = self.fours(position);
                position.set_turn(defender);
                moves::meets_fours(position, &line?)
            }
        };
        if self.fours(position).is_some() {
            return None;
        }
        Some(position.allowed(&meets.union(&moves::fours(position))))
    }

    /// The line of a win that is proved.
    fn line(&mut self, position: &mut Position, must_end: &dyn Fn() -> bool) -> Vec<Point> {
        let mut line = Vec::new();
        let mut end = None;
        self.is_over = false;
        loop {
            if self.is_attack(position) {
                end = self.finish(position);
            }
            let next = if end.is_none() { self.next(position, must_end) } else { None };
            let Some(point) = next else { break };
            position.play(point);
            line.push(point);
        }
        for &point in line.iter().rev() {
            take_back(position, point);
        }
        line.extend(end.into_iter().flatten());
        line
    }

    /// The next move of a line that is proved; `None` where the last one decides.
    fn next(&mut self, position: &mut Position, must_end: &dyn Fn() -> bool) -> Option<Point> {
        loop {
            let children = self.children(position, must_end).ok()?;
            let next = if self.is_attack(position) {
                children.iter().filter(|child| child.known.other == 0).min_by_key(|child| child.known.length)
            } else {
                children.iter().filter(|child| child.known.own == 0).max_by_key(|child| child.known.length)
            };
            if let Some(child) = next {
                return Some(child.point);
            }
            // The memory has forgotten: it is proved anew.
            self.search(position, NEVER, NEVER, must_end);
            if self.is_over {
                return None;
            }
        }
    }
}

/// What the moves together say of a position.
fn sum(children: &[Child]) -> Known {
    let reached = children.iter().filter(|child| child.known.other == 0);
    if let Some(length) = reached.map(|child| child.known.length).min() {
        return Known::reached(length as usize + 1);
    }
    let open = || children.iter().filter(|child| child.known.own > 0).map(|child| child.known);
    let Some(own) = open().map(|known| known.other).min() else {
        let length = children.iter().map(|child| child.known.length).max().unwrap_or(0);
        return Known::failed(length as usize + 1);
    };
    let greatest = open().map(|known| known.own).max().unwrap_or(0);
    Known::open(own, greatest.saturating_add(open().count() as u32 - 1))
}

/// The move that needs least, and what the next best needs.
fn best(children: &[Child]) -> Option<(usize, u32)> {
    let needs = || children.iter().map(|child| child.known.other).enumerate();
    let (best, _) = needs().min_by_key(|&(_, need)| need)?;
    let second = needs().filter(|&(index, _)| index != best).map(|(_, need)| need).min();
    Some((best, second.unwrap_or(NEVER)))
}
