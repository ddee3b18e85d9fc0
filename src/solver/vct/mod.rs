//! [`Vct`]: victory by continuous threats (追い詰め, 连攻胜), by proof numbers.
//!
//! Depth-first proof-number search with a table (A. Nagai, *Df-pn algorithm for searching AND/OR trees and its
//! applications*, 2002). Siblings combine as in weak proof-number search (T. Ueda and others, *Weak proof-number
//! search*, 2008): their maximum plus 1 per further open one, because one defence meets many threats.

mod moves;
mod table;

use self::table::{INFINITE, ProofNumbers, ProofTable};
use super::defence::{five_blocks, fours, winning_four};
use super::salt;
use super::{Budget, Proof, Vcf, vcf_moves};
use crate::board::{Color, Point, PointSet};
use crate::position::ThreatBoard;
use crate::threat::Threat;

/// A solver of continuous threats with a table that lasts from proof to proof.
///
/// ```text
/// attacker   wins by a five, an open or double four, or continuous fours; else plays
///            a four, an open three, or what prepares continuous fours
/// defender   holds with a five, an open or double four, or continuous fours of its own; else plays
///            every point that may meet the threat, and every own four, which the attacker must block
/// ```
///
/// Neither side plays forbidden points: they make no threat and no defence.
pub struct Vct {
    table: ProofTable,
    vcf: Vcf,
    attacker: Color,
    /// XORed into table keys: separates attackers, rules and board sizes.
    salt: u64,
    nodes: u64,
    budget: u64,
    stopped: bool,
}

/// Capacity of the table in positions: 8 MiB, not filled by a proof of 1 s.
const TABLE_POSITIONS: usize = 1 << 19;

/// Budget for continuous fours at each position. 60 nodes prove the most labelled positions in a second.
const FOURS: Budget = Budget { nodes: 60, fours: 16 };

/// The first proof number of a preparation, like [`moves::cost`] for threats.
const PREPARATION: u32 = 8;

impl Default for Vct {
    fn default() -> Self {
        Self {
            table: ProofTable::new(TABLE_POSITIONS),
            vcf: Vcf::default(),
            attacker: Color::Black,
            salt: 0,
            nodes: 0,
            budget: 0,
            stopped: false,
        }
    }
}

/// A move with the proof numbers of the position after it, for the side to move there.
struct Child {
    point: Point,
    numbers: ProofNumbers,
}

/// The proof numbers at which the search leaves a position for a more promising one.
#[derive(Clone, Copy)]
struct Thresholds {
    phi: u32,
    delta: u32,
}

impl Thresholds {
    /// Only a decided position ends the search.
    const NONE: Self = Self { phi: INFINITE, delta: INFINITE };
}

impl Vct {
    /// Any win of the side to move. The position is restored.
    ///
    /// [`Proof::NoWin`] means that no chain of fours and open threes wins. The line is the attacker's shortest proved win
    /// against the longest defence; the budget may cut it short, and it stops at a three without a defence. The search
    /// ends after `nodes` positions, or when `must_stop`, called every few dozens of microseconds, returns true.
    ///
    /// Cost: each of the 152 labelled wins within a second, half of them within 3 ms.
    pub fn any(&mut self, threats: &mut ThreatBoard, nodes: u64, must_stop: &dyn Fn() -> bool) -> Proof {
        self.begin(threats, nodes);
        let mut numbers = self.first_numbers(threats);
        while !numbers.is_decided() && !self.stopped {
            numbers = self.search(threats, Thresholds::NONE, must_stop);
        }
        match numbers {
            ProofNumbers { phi: 0, .. } => Proof::Win(self.line(threats, must_stop)),
            ProofNumbers { delta: 0, .. } => Proof::NoWin,
            ProofNumbers { .. } => Proof::Unknown,
        }
    }

    /// The number of positions searched by the last proof, including those of continuous fours.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    fn begin(&mut self, threats: &ThreatBoard, nodes: u64) {
        let board = threats.board();
        self.attacker = board.turn();
        self.salt = salt(board, self.attacker.index());
        self.table.new_generation();
        self.nodes = 0;
        self.budget = nodes;
        self.stopped = false;
    }

    fn is_attack(&self, threats: &ThreatBoard) -> bool {
        threats.board().turn() == self.attacker
    }

    /// The key of a position in the table.
    fn key(&self, threats: &ThreatBoard) -> u64 {
        threats.board().key().bits() ^ self.salt
    }

    /// The table's proof numbers of the position after a move.
    fn stored(&self, threats: &ThreatBoard, point: Point) -> Option<ProofNumbers> {
        self.table.get(threats.board().key_after(point).bits() ^ self.salt)
    }

    /// Searches the most promising moves until one of the numbers reaches its threshold.
    fn search(
        &mut self,
        threats: &mut ThreatBoard,
        thresholds: Thresholds,
        must_stop: &dyn Fn() -> bool,
    ) -> ProofNumbers {
        let started = self.nodes;
        let key = self.key(threats);
        let mut children = match self.expand(threats, must_stop) {
            Ok(children) => children,
            Err(numbers) => {
                self.table.put(key, numbers, 1);
                return numbers;
            }
        };
        if self.stopped {
            return ProofNumbers::open(1, 1);
        }
        loop {
            let numbers = join(&children);
            self.stopped = self.stopped || self.nodes >= self.budget || must_stop();
            let is_reached = numbers.phi >= thresholds.phi || numbers.delta >= thresholds.delta;
            if is_reached || numbers.is_decided() || self.stopped {
                self.table.put(key, numbers, self.nodes - started);
                return numbers;
            }
            let Some((best, child_thresholds)) = select(&children, thresholds) else { return numbers };
            let child = &mut children[best];
            threats.play(child.point);
            child.numbers = self.search(threats, child_thresholds, must_stop);
            threats.undo();
        }
    }

    /// The moves of a position with their proof numbers; the proof numbers of the position, as an error, if it is decided.
    /// Incomplete if the search is stopped.
    fn expand(&mut self, threats: &mut ThreatBoard, must_stop: &dyn Fn() -> bool) -> Result<Vec<Child>, ProofNumbers> {
        self.nodes += 1;
        let children = if self.is_attack(threats) {
            self.expand_attack(threats)
        } else {
            match self.defences(threats) {
                Some(points) => self.expand_defence(threats, &points, must_stop),
                None => return Err(ProofNumbers::won(0)),
            }
        };
        if children.is_empty() { Err(ProofNumbers::lost(0)) } else { Ok(children) }
    }

    /// The attacker's moves: its threats, and preparations of continuous fours unless the defender has a five.
    fn expand_attack(&self, threats: &ThreatBoard) -> Vec<Child> {
        let child = |point, cost| {
            let numbers = self.stored(threats, point).unwrap_or(ProofNumbers::open(1, cost));
            Child { point, numbers }
        };
        let attacks = moves::attacks(threats).into_iter().map(|point| child(point, moves::cost(threats, point)));
        let mut children: Vec<_> = attacks.collect();
        if threats.sets().count(!self.attacker, Threat::Five) == 0 {
            children.extend(moves::preparations(threats).iter().map(|point| child(point, PREPARATION)));
        }
        children
    }

    /// The defender's moves up to the first one that holds.
    fn expand_defence(
        &mut self,
        threats: &mut ThreatBoard,
        points: &PointSet,
        must_stop: &dyn Fn() -> bool,
    ) -> Vec<Child> {
        let mut children = Vec::new();
        for point in points.iter() {
            let numbers = match self.stored(threats, point) {
                Some(numbers) => numbers,
                None => {
                    threats.play(point);
                    let numbers = self.first_numbers(threats);
                    self.table.put(self.key(threats), numbers, 1);
                    threats.undo();
                    self.stopped = self.stopped || must_stop();
                    numbers
                }
            };
            children.push(Child { point, numbers });
            if numbers.delta == 0 || self.stopped {
                break;
            }
        }
        children
    }

    /// The first proof numbers of a position with the attacker to move.
    fn first_numbers(&mut self, threats: &mut ThreatBoard) -> ProofNumbers {
        self.nodes += 1;
        self.finish(threats).map_or(ProofNumbers::open(1, 1), |line| ProofNumbers::won(line.len()))
    }

    /// The attacker's win without threes; an empty line if it has a five.
    fn finish(&mut self, threats: &mut ThreatBoard) -> Option<Vec<Point>> {
        if threats.sets().count(self.attacker, Threat::Five) > 0 {
            return Some(Vec::new());
        }
        if threats.sets().count(!self.attacker, Threat::Five) == 0 {
            if let Some(point) = winning_four(threats, self.attacker) {
                return Some(vec![point]);
            }
        }
        self.fours(threats)
    }

    /// Continuous fours of the side to move.
    fn fours(&mut self, threats: &mut ThreatBoard) -> Option<Vec<Point>> {
        if !Vcf::is_promising(threats) {
            return None;
        }
        let proof = self.vcf.any(threats, FOURS);
        self.nodes += self.vcf.nodes();
        if let Proof::Win(line) = proof { Some(line) } else { None }
    }

    /// The defences and own fours of the defender, which is to move; `None` if it holds, an empty set if it has lost.
    fn defences(&mut self, threats: &mut ThreatBoard) -> Option<PointSet> {
        let defender = threats.board().turn();
        if threats.sets().count(defender, Threat::Five) > 0 {
            return None;
        }
        if threats.sets().count(self.attacker, Threat::Five) > 0 {
            return Some(threats.allowed(&five_blocks(threats, self.attacker)));
        }
        if winning_four(threats, defender).is_some() {
            return None;
        }
        let meets = match moves::meets_three(threats) {
            Some(meets) => meets,
            None => {
                threats.set_turn(self.attacker);
                let line = self.fours(threats);
                threats.set_turn(defender);
                moves::meets_fours(threats, &line?)
            }
        };
        if self.fours(threats).is_some() {
            return None;
        }
        Some(threats.allowed(&meets.union(&fours(threats, defender))))
    }

    /// The line of a proved win.
    fn line(&mut self, threats: &mut ThreatBoard, must_stop: &dyn Fn() -> bool) -> Vec<Point> {
        let mut line = Vec::new();
        let mut end = None;
        self.stopped = false;
        loop {
            if self.is_attack(threats) {
                end = self.finish(threats);
            }
            let next = if end.is_none() { self.next(threats, must_stop) } else { None };
            let Some(point) = next else { break };
            threats.play(point);
            line.push(point);
        }
        for _ in &line {
            threats.undo();
        }
        line.extend(end.into_iter().flatten());
        line
    }

    /// The next move of a proved line; `None` at its end, or if a stop cuts it short.
    fn next(&mut self, threats: &mut ThreatBoard, must_stop: &dyn Fn() -> bool) -> Option<Point> {
        loop {
            let children = self.expand(threats, must_stop).ok()?;
            let next = if self.is_attack(threats) {
                children.iter().filter(|child| child.numbers.delta == 0).min_by_key(|child| child.numbers.length)
            } else {
                children.iter().filter(|child| child.numbers.phi == 0).max_by_key(|child| child.numbers.length)
            };
            if let Some(child) = next {
                return Some(child.point);
            }
            // The table has dropped the proof: search again.
            self.search(threats, Thresholds::NONE, must_stop);
            if self.stopped {
                return None;
            }
        }
    }
}

/// Completes a line of [`Vct`], which may stop at an undefended three or before its last continuous fours. Returns the
/// number of the winner's moves up to the five, and the line up to the deciding move; `None` if these fours are not found:
/// their budget runs out, or the line was cut short. The position is restored.
pub(crate) fn with_last_fours(
    threats: &mut ThreatBoard,
    mut line: Vec<Point>,
    vcf: &mut Vcf,
    budget: Budget,
) -> Option<(usize, Vec<Point>)> {
    let attacker = threats.board().turn();
    line.iter().for_each(|&point| threats.play(point));
    let turn = threats.board().turn();
    // A line that was cut short may stop at a three with answers.
    let is_answered = turn != attacker
        && threats.sets().count(attacker, Threat::Five) == 0
        && moves::meets_three(threats)
            .is_some_and(|meets| !threats.allowed(&meets.union(&fours(threats, turn))).is_empty());
    threats.set_turn(attacker);
    let rest = if is_answered { Proof::Unknown } else { vcf.shortest(threats, budget) };
    threats.set_turn(turn);
    for _ in &line {
        threats.undo();
    }
    let Proof::Win(rest) = rest else { return None };
    let moves = line.len().div_ceil(2) + vcf_moves(&rest);
    if turn == attacker {
        line.extend(rest);
    }
    Some((moves, line))
}

/// The proof numbers of a position from those of its moves: its phi is their least delta, its delta their greatest phi plus
/// one for each other open move.
fn join(children: &[Child]) -> ProofNumbers {
    let reached = children.iter().filter(|child| child.numbers.delta == 0);
    if let Some(length) = reached.map(|child| child.numbers.length).min() {
        return ProofNumbers::won(length as usize + 1);
    }
    let open = || children.iter().filter(|child| child.numbers.phi > 0).map(|child| child.numbers);
    let Some(phi) = open().map(|numbers| numbers.delta).min() else {
        let length = children.iter().map(|child| child.numbers.length).max().unwrap_or(0);
        return ProofNumbers::lost(length as usize + 1);
    };
    let greatest = open().map(|numbers| numbers.phi).max().unwrap_or(0);
    ProofNumbers::open(phi, greatest.saturating_add(open().count() as u32 - 1))
}

/// The move with the least delta, and its thresholds from those of its parent.
fn select(children: &[Child], thresholds: Thresholds) -> Option<(usize, Thresholds)> {
    let deltas = || children.iter().map(|child| child.numbers.delta).enumerate();
    let (best, _) = deltas().min_by_key(|&(_, delta)| delta)?;
    let second = deltas().filter(|&(index, _)| index != best).map(|(_, delta)| delta).min().unwrap_or(INFINITE);
    let open = children.iter().filter(|child| child.numbers.phi > 0).count() as u32;
    // A quarter more than the second best needs, so that the search does not alternate between the two.
    let delta = thresholds.phi.min(second.saturating_add(1 + second / 4));
    let phi = match thresholds.delta {
        INFINITE => INFINITE,
        limit => (limit - (open - 1).min(limit)).max(children[best].numbers.phi + 1),
    };
    Some((best, Thresholds { phi, delta }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Rule, Size};
    use crate::notation::parse_comma;

    #[test]
    fn a_line_that_ends_at_a_three_with_answers_is_cut_short() {
        let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
        "7,7 0,0 8,7 0,14".split(' ').for_each(|name| board.play(parse_comma(name).unwrap()));
        let line = vec![parse_comma("9,7").unwrap()];
        assert_eq!(with_last_fours(&mut ThreatBoard::new(board), line, &mut Vcf::default(), Budget::GENEROUS), None);
    }
}
