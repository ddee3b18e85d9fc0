//! The naive checks of lines and wins: the attacker follows new solvers, the defender tries every point.

use std::collections::HashMap;

use tengen::board::{Board, Color, Point};
use tengen::position::ThreatBoard;
use tengen::solver::{Budget, Proof, Vcf, Vct};
use tengen::threat::Threat;

use crate::playout::{is_allowed, stops};

/// A larger budget than that of the facts.
pub const FOURS: Budget = Budget { nodes: 200_000, fours: 60 };

/// Positions of one VCT proof: twice as many as for the facts.
pub const THREATS: u64 = 40_000;

/// Cost of one position of a naive check besides its proofs, because each answer is tried in turn.
const POSITION: u64 = 30;

/// A number of moves that no win needs.
pub const ANY: usize = 1000;

/// The points where the color wins at once. They are near its stones.
pub fn fives(board: &Board, color: Color) -> Vec<Point> {
    let near = board.stones(color).neighbourhood().intersection(&board.empty_points());
    near.iter().filter(|&point| board.wins(point, color)).collect()
}

/// A naive check: the attacker follows a new solver, the defender tries every point.
pub struct Referee {
    vcf: Vcf,
    vct: Vct,
    /// Whether the attacker, to move, wins within this number of its moves.
    seen: HashMap<(u64, usize), bool>,
    /// The positions that are left, those of the solvers included.
    work: u64,
}

impl Referee {
    pub fn new(work: u64) -> Self {
        Self { vcf: Vcf::default(), vct: Vct::default(), seen: HashMap::new(), work }
    }

    /// Whether the side to move makes a five within this number of its moves, whatever the other side plays; `None` if
    /// the work does not suffice.
    pub fn wins(&mut self, threats: &mut ThreatBoard, moves: usize) -> Option<bool> {
        let attacker = threats.board().turn();
        if moves == 0 {
            return Some(false);
        }
        if !fives(threats.board(), attacker).is_empty() {
            return Some(true);
        }
        let key = (threats.board().key().bits(), moves);
        if let Some(&known) = self.seen.get(&key) {
            return Some(known);
        }
        self.work = self.work.checked_sub(POSITION)?;
        let wins = self.try_moves(threats, moves)?;
        self.seen.insert(key, wins);
        Some(wins)
    }

    fn try_moves(&mut self, threats: &mut ThreatBoard, moves: usize) -> Option<bool> {
        if moves == 1 {
            return Some(false);
        }
        let attacker = threats.board().turn();
        let by_fours = self.vcf.shortest(threats, FOURS);
        self.work = self.work.saturating_sub(self.vcf.nodes());
        if let Proof::Win(line) = &by_fours {
            return if line.len() / 2 + 2 <= moves { self.wins_after(threats, line[0], moves) } else { Some(false) };
        }
        let proof = self.vct.any(threats, THREATS.min(self.work), &|| false);
        self.work = self.work.saturating_sub(self.vct.nodes());
        let line = match proof {
            Proof::Win(line) => line,
            Proof::NoWin => return Some(false),
            Proof::Unknown => return None,
        };
        if self.wins_after(threats, line[0], moves)? {
            return Some(true);
        }
        // Another attack may be shorter.
        let attacks = threats.board().empty_points();
        let attacks = attacks.iter().filter(|&point| threats.sets().threat(point, attacker) >= Threat::OpenThree);
        for attack in attacks.collect::<Vec<_>>() {
            if is_allowed(threats.board(), attack, attacker) && self.wins_after(threats, attack, moves)? {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether the side to move wins within this number of its moves, this one counted.
    pub fn wins_after(&mut self, threats: &mut ThreatBoard, point: Point, moves: usize) -> Option<bool> {
        if !threats.board().is_empty(point) || threats.board().outcome_of(point, threats.board().turn()).is_some() {
            return Some(false);
        }
        threats.play(point);
        let holds = self.answers_lose(threats, moves - 1);
        threats.undo();
        holds
    }

    /// Whether the side that has just moved wins within this number of further moves.
    fn answers_lose(&mut self, threats: &mut ThreatBoard, moves: usize) -> Option<bool> {
        let defender = threats.board().turn();
        if !fives(threats.board(), defender).is_empty() {
            return Some(false);
        }
        // A point that leaves a five loses to it.
        let has_five = !fives(threats.board(), !defender).is_empty();
        let answers =
            if has_five { stops(&mut threats.board().clone(), !defender) } else { threats.board().empty_points() };
        let board = threats.board().clone();
        for answer in answers.iter().filter(|&answer| is_allowed(&board, answer, defender)) {
            threats.play(answer);
            let wins = self.wins(threats, moves);
            threats.undo();
            if !wins? {
                return Some(false);
            }
        }
        Some(moves > 0)
    }
}

/// Whether the side to move has neither continuous fours nor threats, by a new solver with a larger budget; `None` if the
/// budget does not suffice.
pub fn has_no_win(board: &Board) -> Option<bool> {
    let mut threats = ThreatBoard::new(board.clone());
    let proofs = [Vcf::default().shortest(&mut threats, FOURS), Vct::default().any(&mut threats, THREATS, &|| false)];
    if proofs.iter().any(|proof| matches!(proof, Proof::Win(_))) {
        return Some(false);
    }
    proofs.iter().all(|proof| *proof == Proof::NoWin).then_some(true)
}

/// Whether every move is legal, no five is passed up or left, and the last move is the winner's five.
pub fn is_line_sound(board: &Board, winner: Color, line: &[Point]) -> bool {
    let mut board = board.clone();
    for (number, &point) in line.iter().enumerate() {
        let mover = board.turn();
        if board.check_empty(point).is_err() {
            return false;
        }
        if number + 1 == line.len() {
            return mover == winner && board.wins(point, winner);
        }
        let stops = stops(&mut board, !mover);
        let must_stop = !fives(&board, !mover).is_empty() && stops.iter().any(|stop| is_allowed(&board, stop, mover));
        let is_forced = !must_stop || stops.contains(point);
        let passes_up = !fives(&board, mover).is_empty();
        if passes_up || !is_forced || board.outcome_of(point, mover).is_some() {
            return false;
        }
        board.play(point);
    }
    false
}

/// The board with the other side to move.
pub fn passed(board: &Board) -> Board {
    let mut board = board.clone();
    board.set_turn(!board.turn());
    board
}

pub fn played(board: &Board, point: Point) -> Board {
    let mut board = board.clone();
    board.play(point);
    board
}
