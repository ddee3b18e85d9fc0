//! [`Prover`]: forced wins with their greatest length, checked against every answer.

use std::collections::HashMap;

use super::ForcedWin;
use crate::board::{DrawRule, Point, PointSet};
use crate::position::ThreatBoard;
use crate::solver::{Budget, Proof, Vcf, Vct, WinKind, five_blocks, fours, open_four_defences, winning_four};
use crate::threat::Threat;

/// The positions of all proofs together: about half a second.
const NODES: u64 = 200_000;

/// The positions of one VCT proof.
const VCT_NODES: u64 = 20_000;

/// The limits of one VCF proof: some milliseconds.
const FOURS: Budget = Budget { nodes: 5_000, fours: 40 };

/// Maximum number of answers that stop the VCF of the attacker and are examined further. More answers end the proof.
const MOST_ANSWERS: usize = 40;

/// Minimum number of stones left before the draw for a VCT win whose length is not checked.
const LONGEST_THREATS: usize = 60;

/// The result of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attack {
    /// The side to move wins.
    Win(ForcedWin),
    /// The side to move has neither continuous fours nor continuous threats.
    NoWin,
    /// The budget ran out first.
    Unknown,
}

impl Attack {
    pub(super) fn win(self) -> Option<ForcedWin> {
        if let Self::Win(win) = self { Some(win) } else { None }
    }

    pub(super) const fn is_win(&self) -> bool {
        matches!(self, Self::Win(_))
    }
}

/// Proves forced wins within a common budget.
///
/// The solvers find the moves of the attacker. The prover plays them against every legal answer until continuous fours
/// force the replies. A win therefore holds against every defence, and its number of moves is an upper bound.
pub(super) struct Prover<'a> {
    vcf: Vcf,
    vct: Vct,
    /// The positions left.
    nodes: u64,
    /// The wins of positions with the attacker to move, by key.
    proved: HashMap<u64, ForcedWin>,
    must_stop: &'a dyn Fn() -> bool,
}

impl<'a> Prover<'a> {
    pub(super) fn new(must_stop: &'a dyn Fn() -> bool) -> Self {
        Self { vcf: Vcf::default(), vct: Vct::default(), nodes: NODES, proved: HashMap::new(), must_stop }
    }

    /// Whether the budget is used up or the caller has stopped the search.
    pub(super) fn is_exhausted(&self) -> bool {
        self.nodes == 0 || (self.must_stop)()
    }

    /// The forced win of the side to move by fours, else by threats.
    pub(super) fn attack(&mut self, threats: &mut ThreatBoard) -> Attack {
        let by_fours = self.known_or_vcf(threats);
        if by_fours.is_win() {
            return by_fours;
        }
        let line = match self.threats(threats) {
            Proof::Win(line) => line,
            Proof::NoWin => return by_fours,
            Proof::Unknown => return Attack::Unknown,
        };
        let Some(&first) = line.first() else { return Attack::Unknown };
        threats.play(first);
        let rest = self.defend(threats);
        threats.undo();
        rest.map_or(Attack::Unknown, |rest| self.won(threats, rest.after(first)))
    }

    /// The win of the side to move: its five, else a win proved earlier in this position, else the shortest VCF.
    pub(super) fn known_or_vcf(&mut self, threats: &mut ThreatBoard) -> Attack {
        let mover = threats.board().turn();
        if let Some(five) = threats.sets().set(mover, Threat::Five).iter().next() {
            return self.won(threats, ForcedWin { kind: WinKind::Vcf, line: vec![five] });
        }
        if let Some(win) = self.proved.get(&threats.board().key().bits()) {
            return Attack::Win(win.clone());
        }
        if self.is_exhausted() {
            return Attack::Unknown;
        }
        let proof = self.vcf.shortest(threats, Budget { nodes: FOURS.nodes.min(self.nodes), ..FOURS });
        self.spend(self.vcf.nodes());
        match proof {
            Proof::Win(line) => match completed(threats, line) {
                Some(line) => self.won(threats, ForcedWin { kind: WinKind::Vcf, line }),
                None => Attack::Unknown,
            },
            Proof::NoWin => Attack::NoWin,
            Proof::Unknown => Attack::Unknown,
        }
    }

    /// The kind of forced win that the side to move has: a five, continuous fours or continuous threats; `None` if none
    /// is found. Does not check every answer.
    pub(super) fn wins(&mut self, threats: &mut ThreatBoard) -> Option<WinKind> {
        if let Attack::Win(win) = self.known_or_vcf(threats) {
            return Some(if win.moves() == 1 { WinKind::Five } else { win.kind });
        }
        let has_room = threats.board().stone_count() + LONGEST_THREATS <= most_stones(threats);
        (has_room && matches!(self.threats(threats), Proof::Win(_))).then_some(WinKind::Vct)
    }

    fn threats(&mut self, threats: &mut ThreatBoard) -> Proof {
        if self.is_exhausted() {
            return Proof::Unknown;
        }
        let proof = self.vct.any(threats, VCT_NODES.min(self.nodes), self.must_stop);
        self.spend(self.vct.nodes());
        proof
    }

    fn spend(&mut self, nodes: u64) {
        // Each proof is charged at least one node, which bounds the number of proofs.
        self.nodes = self.nodes.saturating_sub(nodes.max(1));
    }

    /// The win of the side that has just moved, if it wins against every answer. The line begins with an answer.
    pub(super) fn defend(&mut self, threats: &mut ThreatBoard) -> Option<ForcedWin> {
        let (defender, attacker) = (threats.board().turn(), !threats.board().turn());
        if threats.sets().count(defender, Threat::Five) > 0 {
            return None;
        }
        if threats.sets().count(attacker, Threat::Five) > 0 {
            let answers = threats.allowed(&five_blocks(threats, attacker));
            let answers = self.or_any(threats, answers)?;
            return self.longest(threats, &answers, WinKind::Vcf);
        }
        let defences = open_four_defences(threats);
        if let (Some(defences), Some(four)) = (defences, winning_four(threats, attacker)) {
            // After any other answer the attacker has an open or double four that the rule allows, and then a five. The
            // answer on the point of the four shows that.
            let mut answers = defences.union(&fours(threats, defender));
            answers.insert(four);
            let answers = threats.allowed(&answers);
            let answers = self.or_any(threats, answers)?;
            return self.longest(threats, &answers, WinKind::Vct);
        }
        threats.set_turn(attacker);
        let by_fours = self.known_or_vcf(threats).is_win();
        threats.set_turn(defender);
        if !by_fours {
            return None;
        }
        let answers = threats.allowed(&threats.board().empty_points());
        let mut open = 0;
        for answer in answers.iter() {
            threats.play(answer);
            open += usize::from(!self.known_or_vcf(threats).is_win());
            threats.undo();
            if open > MOST_ANSWERS || self.is_exhausted() {
                return None;
            }
        }
        self.longest(threats, &answers, WinKind::Vct)
    }

    /// These answers, or one arbitrary legal answer if the set is empty; `None` if no legal point is left.
    fn or_any(&self, threats: &ThreatBoard, answers: PointSet) -> Option<PointSet> {
        if !answers.is_empty() {
            return Some(answers);
        }
        let last = threats.cache().last()?.point;
        Some([last_answer(threats, last)?].into_iter().collect())
    }

    /// The longest win of the attacker over these answers; `None` unless every answer loses. `least` is the minimum of its
    /// kind.
    fn longest(&mut self, threats: &mut ThreatBoard, answers: &PointSet, least: WinKind) -> Option<ForcedWin> {
        let mut longest: Option<ForcedWin> = None;
        let mut kind = least;
        for answer in answers.iter() {
            threats.play(answer);
            let win = self.attack(threats).win();
            threats.undo();
            let win = win?.after(answer);
            kind = kind.max(win.kind);
            if longest.as_ref().is_none_or(|longest| longest.line.len() < win.line.len()) {
                longest = Some(win);
            }
        }
        longest.map(|win| ForcedWin { kind, ..win })
    }

    /// A win of the side to move, unless the game is drawn before its five.
    fn won(&mut self, threats: &ThreatBoard, win: ForcedWin) -> Attack {
        let board = threats.board();
        if board.stone_count() + win.line.len() > most_stones(threats) {
            return Attack::Unknown;
        }
        self.proved.insert(board.key().bits(), win.clone());
        Attack::Win(win)
    }
}

/// The number of stones at which a game is drawn.
pub(super) fn most_stones(threats: &ThreatBoard) -> usize {
    let (size, rule) = (threats.board().size(), threats.board().rule());
    DrawRule::gomocup(rule, size).stones(size)
}

/// The line of continuous fours with the last answer and the five.
fn completed(threats: &mut ThreatBoard, mut line: Vec<Point>) -> Option<Vec<Point>> {
    let attacker = threats.board().turn();
    let last = *line.last()?;
    line.iter().for_each(|&point| threats.play(point));
    let five = |threats: &ThreatBoard| threats.sets().set(attacker, Threat::Five).iter().next();
    let end = last_answer(threats, last).and_then(|answer| {
        threats.play(answer);
        let end = five(threats).map(|five| [answer, five]);
        threats.undo();
        end
    });
    line.iter().for_each(|_| {
        threats.undo();
    });
    line.extend(end?);
    Some(line)
}

/// A legal answer to a winning stone: a block of the five, otherwise the legal point nearest to the stone.
fn last_answer(threats: &ThreatBoard, stone: Point) -> Option<Point> {
    let fives = threats.allowed(threats.sets().set(!threats.board().turn(), Threat::Five));
    let answers = if fives.is_empty() { threats.allowed(&threats.board().empty_points()) } else { fives };
    answers.iter().min_by_key(|answer| answer.distance(stone))
}
