//! [`MoveFacts`]: the facts about a move that does not end the game.

use super::prover::{Attack, Prover, most_stones};
use super::{Fact, ForcedWin, Shape, Stopped, shape};
use crate::board::{Board, Color, Direction, Point, PointSet};
use crate::position::ThreatBoard;
use crate::solver::{WinKind, five_blocks, winning_four};
use crate::threat::{Pattern, Threat};

/// The greatest number of facts about a move.
const MOST_FACTS: usize = 3;

/// Maximum number of points listed for a threat. A threat with more points lists only the first stone of its line.
const MOST_POINTS: usize = 4;

/// A move that neither wins nor loses at once, and the prover of its facts.
pub(super) struct MoveFacts<'a> {
    threats: ThreatBoard,
    point: Point,
    mover: Color,
    prover: Prover<'a>,
}

/// Result of the proofs after the move.
enum AfterMove {
    /// The side that moved wins by force.
    Wins(ForcedWin),
    /// The other side wins by force.
    Loses(ForcedWin),
    /// Neither is proved.
    Open {
        /// Whether the other side is proved to have no forced win.
        is_safe: bool,
        /// The forced win of the side that moved after a pass.
        threat: Option<ForcedWin>,
    },
}

impl<'a> MoveFacts<'a> {
    pub(super) fn new(board: &Board, point: Point, must_stop: &'a dyn Fn() -> bool) -> Self {
        let threats = ThreatBoard::new(board.clone());
        Self { threats, point, mover: board.turn(), prover: Prover::new(must_stop) }
    }

    /// The facts, the most important first.
    pub(super) fn facts(mut self) -> Vec<Fact> {
        if self.threats.board().stone_count() + 1 >= most_stones(&self.threats) {
            return Vec::new();
        }
        let after = self.after_move();
        let makes = shape::made(&mut self.threats, self.point);
        let before = if let AfterMove::Loses(_) = after { None } else { self.after_a_pass() };
        let mut facts = Vec::new();
        if let Some(win) = before {
            let stops = self.stops(&win, &after);
            facts.extend(self.only(&win).map(|refuted| Fact::Only { refuted }));
            facts.extend(stops);
        }
        let is_reported = |shape: Shape| match &after {
            AfterMove::Wins(_) => shape.is_fork(),
            AfterMove::Loses(_) => shape >= Shape::OpenThree,
            AfterMove::Open { threat: Some(win), .. } => {
                shape.is_fork() || win.moves() > 2 && shape >= Shape::OpenThree
            }
            AfterMove::Open { threat: None, .. } => true,
        };
        let makes = makes.filter(|(shape, _)| is_reported(*shape)).map(|(shape, points)| Fact::Makes { shape, points });
        match after {
            AfterMove::Wins(win) => facts.insert(0, Fact::Wins(win)),
            AfterMove::Loses(win) => facts.insert(0, Fact::Loses(win)),
            AfterMove::Open { threat: Some(win), .. } => facts.push(self.threatens(win)),
            AfterMove::Open { threat: None, .. } => {}
        }
        facts.extend(makes);
        facts.truncate(MOST_FACTS);
        facts
    }

    /// Result of the proofs after the move.
    fn after_move(&mut self) -> AfterMove {
        let point = self.point;
        self.threats.play(point);
        let future = self.judged();
        self.threats.undo();
        future
    }

    fn judged(&mut self) -> AfterMove {
        let Self { threats, point, mover, prover } = self;
        if let Attack::Win(win) = prover.known_or_vcf(threats) {
            return AfterMove::Loses(win.after(*point));
        }
        if let Some(win) = prover.defend(threats) {
            return AfterMove::Wins(win.after(*point));
        }
        let is_safe = match prover.attack(threats) {
            Attack::Win(win) => return AfterMove::Loses(win.after(*point)),
            Attack::NoWin => true,
            Attack::Unknown => false,
        };
        threats.set_turn(*mover);
        let threat = prover.attack(threats).win();
        threats.set_turn(!*mover);
        AfterMove::Open { is_safe, threat }
    }

    /// The forced win of the other side if the side to move passes.
    fn after_a_pass(&mut self) -> Option<ForcedWin> {
        let Self { threats, mover, prover, .. } = self;
        threats.set_turn(!*mover);
        let win = prover.attack(threats).win();
        threats.set_turn(*mover);
        win
    }

    /// The strongest kind of win that the other side needs after every other move; `None` if another move holds or is
    /// undecided. `win` is its win after a pass.
    fn only(&mut self, win: &ForcedWin) -> Option<WinKind> {
        let Self { threats, point, mover, prover } = self;
        let others = threats.allowed(&threats.board().empty_points());
        // The moves that most likely hold come first.
        let mut order: Vec<Point> = win.line.iter().copied().filter(|&other| others.contains(other)).collect();
        let first: PointSet = order.iter().copied().collect();
        order.extend(others.iter().filter(|&other| !first.contains(other)));
        let mut refuted = WinKind::Five;
        for other in order.into_iter().filter(|other| other != point) {
            if threats.board().wins(other, *mover) || prover.is_exhausted() {
                return None;
            }
            threats.play(other);
            let means = prover.wins(threats);
            threats.undo();
            refuted = refuted.max(means?);
        }
        Some(refuted)
    }

    /// The fact that the move prevents this win, which the other side would have after a pass; `None` if it does not.
    fn stops(&mut self, win: &ForcedWin, after: &AfterMove) -> Option<Fact> {
        let other = !self.mover;
        let threat = self.threats.sets().threat(win.line[0], other);
        let (what, points) = match (win.moves(), threat) {
            (1, _) => (Stopped::Five, *self.threats.sets().set(other, Threat::Five)),
            (2, Threat::OpenFour) => (Stopped::OpenFour, self.winning_fours(other)),
            (2, Threat::DoubleFour) | (3, Threat::FourThree | Threat::DoubleThree) => (Stopped::Fork, PointSet::EMPTY),
            _ if win.kind == WinKind::Vcf => (Stopped::Vcf, PointSet::EMPTY),
            _ => (Stopped::Vct, PointSet::EMPTY),
        };
        let point = self.point;
        self.threats.play(point);
        let is_stopped = match what {
            Stopped::Five => self.threats.sets().count(other, Threat::Five) == 0,
            Stopped::OpenFour => winning_four(&self.threats, other).is_none(),
            Stopped::Fork | Stopped::Vcf | Stopped::Vct => match after {
                AfterMove::Open { is_safe: true, threat } => self.holds(win.kind, threat.is_some()),
                AfterMove::Open { .. } | AfterMove::Wins(_) | AfterMove::Loses(_) => false,
            },
        };
        self.threats.undo();
        if !is_stopped {
            return None;
        }
        let points = listed(&points, win.line[0]);
        let row = match what {
            Stopped::Five => self.row(win.line[0], other, Pattern::Five),
            Stopped::OpenFour => self.row(win.line[0], other, Pattern::OpenFour),
            Stopped::Fork | Stopped::Vcf | Stopped::Vct => Vec::new(),
        };
        Some(Fact::Stops { what, points, row, win: win.clone() })
    }

    /// Whether the win of the other side is stopped rather than delayed. The other side is to move and provably has no
    /// win now. A four delays any win, and other threats may delay continuous threats.
    fn holds(&mut self, kind: WinKind, has_threat: bool) -> bool {
        let Self { threats, mover, prover, .. } = self;
        if threats.sets().count(*mover, Threat::Five) == 0 {
            return kind == WinKind::Vcf || !has_threat;
        }
        let blocks = threats.allowed(&five_blocks(threats, *mover));
        blocks.iter().all(|block| {
            threats.play(block);
            threats.set_turn(!*mover);
            let verdict = prover.attack(threats);
            threats.set_turn(*mover);
            threats.undo();
            verdict == Attack::NoWin
        })
    }

    /// The points where this color makes an open or double four that the rule allows; none if it must block a five.
    fn winning_fours(&self, color: Color) -> PointSet {
        let sets = self.threats.sets();
        if sets.count(!color, Threat::Five) > 0 {
            return PointSet::EMPTY;
        }
        let points = sets.set(color, Threat::OpenFour).union(sets.set(color, Threat::DoubleFour));
        points.iter().filter(|&point| !self.threats.is_forbidden(point, color)).collect()
    }

    /// The stones of the row that a stone of this color on a point completes to this pattern.
    fn row(&self, point: Point, color: Color, pattern: Pattern) -> Vec<Point> {
        let patterns = self.threats.patterns(point, color);
        let along = Direction::ALL.into_iter().find(|&direction| patterns.get(direction) == pattern);
        along.map_or(Vec::new(), |direction| shape::row(&self.threats, point, color, direction))
    }

    /// The threat of this win of the side that moved.
    fn threatens(&mut self, win: ForcedWin) -> Fact {
        let (mover, point) = (self.mover, self.point);
        self.threats.play(point);
        let points = match win.moves() {
            1 => *self.threats.sets().set(mover, Threat::Five),
            2 => self.winning_fours(mover),
            _ => PointSet::EMPTY,
        };
        self.threats.undo();
        Fact::Threatens { points: listed(&points, win.line[0]), win }
    }
}

/// These points if they are few, else the first stone of the line.
fn listed(points: &PointSet, first: Point) -> Vec<Point> {
    if points.is_empty() || points.len() > MOST_POINTS { vec![first] } else { points.iter().collect() }
}
