//! [`PuzzleFinder`]: whether a position is a puzzle.

use super::Puzzle;
use crate::board::{Color, Point, PointSet};
use crate::position::ThreatBoard;
use crate::solver::{Budget, Proof, Vcf, Vct, WinKind, five_blocks, with_last_fours};
use crate::threat::Threat;

/// Budget of each VCF proof. Set by hand: longer wins make tedious puzzles.
const FOURS: Budget = Budget { nodes: 3_000, fours: 20 };

/// Positions of each VCT proof. Set by hand, so that a position costs some tenths of a second at most.
const THREATS: u64 = 1_500;

/// Maximum number of answers tried against each other first move. Set by hand: one of the first answers refutes nearly
/// every losing move.
const ANSWERS: usize = 10;

/// Proves that a position is a puzzle. All proofs are exact. A position that exceeds the budget is rejected.
#[derive(Default)]
pub struct PuzzleFinder {
    vcf: Vcf,
    vct: Vct,
}

impl PuzzleFinder {
    /// The puzzle of the position after these moves, if there is one. The position is restored.
    pub fn find(&mut self, threats: &mut ThreatBoard, moves: &[Point]) -> Option<Puzzle> {
        let mover = threats.board().turn();
        if threats.sets().count(mover, Threat::Five) > 0 {
            return None;
        }
        let (kind, line) = self.win(threats)?;
        let (length, solution) = with_last_fours(threats, line, &mut self.vcf, FOURS)?;
        let is_puzzle = self.is_only(threats, &solution);
        is_puzzle.then(|| Puzzle { kind, length, moves: moves.to_vec(), solution })
    }

    /// A forced win of the side to move: the shortest by fours, else any by threats.
    fn win(&mut self, threats: &mut ThreatBoard) -> Option<(WinKind, Vec<Point>)> {
        match self.vcf.shortest(threats, FOURS) {
            Proof::Win(line) => Some((WinKind::Vcf, line)),
            Proof::Unknown => None,
            Proof::NoWin => match self.vct.any(threats, THREATS, &|| false) {
                Proof::Win(line) => Some((WinKind::Vct, line)),
                Proof::NoWin | Proof::Unknown => None,
            },
        }
    }

    /// Whether every first move other than the solution's loses the win.
    fn is_only(&mut self, threats: &mut ThreatBoard, solution: &[Point]) -> bool {
        let Some(&first) = solution.first() else { return false };
        let mover = threats.board().turn();
        let allowed = threats.allowed(&threats.board().empty_points());
        let mut others: Vec<_> = allowed.iter().filter(|&point| point != first).collect();
        // The moves most likely to win come first: one such move rejects the position.
        others.sort_by_key(|&point| std::cmp::Reverse(Threat::of(threats.patterns(point, mover))));
        others.into_iter().all(|other| self.is_refuted(threats, other, solution))
    }

    /// Whether some answer to this move provably leaves the mover without a VCF and without a VCT.
    fn is_refuted(&mut self, threats: &mut ThreatBoard, point: Point, solution: &[Point]) -> bool {
        threats.play(point);
        let is_refuted = self.is_met(threats, solution);
        threats.undo();
        is_refuted
    }

    fn is_met(&mut self, threats: &mut ThreatBoard, solution: &[Point]) -> bool {
        let (defender, attacker) = (threats.board().turn(), !threats.board().turn());
        if threats.sets().count(defender, Threat::Five) > 0 {
            return true;
        }
        let answers = answers(threats, attacker, solution);
        answers.into_iter().take(ANSWERS).any(|answer| {
            threats.play(answer);
            let holds = self.has_no_win(threats);
            threats.undo();
            holds
        })
    }

    /// Whether it is proved that the side to move has no forced win.
    fn has_no_win(&mut self, threats: &mut ThreatBoard) -> bool {
        self.vcf.shortest(threats, FOURS) == Proof::NoWin && self.vct.any(threats, THREATS, &|| false) == Proof::NoWin
    }
}

/// Answers of the side to move, the most likely refutations first: the blocks if a five is threatened; otherwise the empty
/// points of the solution, then the points near stones by the greater threat of either side.
fn answers(threats: &ThreatBoard, attacker: Color, solution: &[Point]) -> Vec<Point> {
    if threats.sets().count(attacker, Threat::Five) > 0 {
        return threats.allowed(&five_blocks(threats, attacker)).iter().collect();
    }
    let defender = !attacker;
    let needed = solution.iter().copied().filter(|&point| threats.board().is_empty(point));
    let mut ordered: Vec<_> = needed.collect();
    let mut near: Vec<_> = threats.board().near_stones().iter().filter(|point| !ordered.contains(point)).collect();
    let danger = |&point: &Point| {
        let of = |color| Threat::of(threats.patterns(point, color));
        std::cmp::Reverse((of(attacker).max(of(defender)), of(defender)))
    };
    near.sort_by_key(danger);
    ordered.extend(near);
    let allowed: PointSet = threats.allowed(&threats.board().empty_points());
    ordered.retain(|&point| allowed.contains(point));
    ordered
}
