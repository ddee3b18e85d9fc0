//! [`ThreatenedWin`]: the win that the side not to move would have if the other side passed, and every point that
//! prevents it.

use strum::{Display, EnumString};

use super::{Budget, Proof, Vcf, Vct, five_blocks};
use crate::board::{Point, PointSet};
use crate::position::ThreatBoard;
use crate::threat::Threat;

/// The kinds of forced wins, the simplest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Display, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum WinKind {
    /// A five with the next stone.
    Five,
    /// Continuous fours.
    Vcf,
    /// Continuous threats.
    Vct,
}

/// What the side not to move threatens: its win if the other side passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreatenedWin {
    /// A win.
    Win {
        /// The simplest kind that wins.
        kind: WinKind,
        /// Its moves and the forced replies in turn: the shortest continuous fours, or any continuous threats as
        /// [`Vct::any`] reports them.
        line: Vec<Point>,
    },
    /// No win of any kind.
    Nothing,
    /// The search was stopped, or the continuous fours exceed their budget, before a win was found.
    Unknown,
}

/// The points of the side to move that prevent a threatened win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defences {
    /// The points after which the other side has no five, no continuous fours and no continuous threats, and those
    /// that make a five.
    pub points: PointSet,
    /// The points that the search did not decide.
    pub undecided: PointSet,
}

/// The limits of the searches for a point, one after the other: nodes of continuous fours and of continuous threats.
/// The first are small, so that easy points are decided before a hard one takes the remaining time. Set by hand.
const ROUNDS: [(u64, u64); 5] =
    [(1_000, 500), (8_000, 4_000), (60_000, 30_000), (250_000, 250_000), (1_000_000, u64::MAX)];

/// Maximum number of winning lines that are tried before a search. A try takes some microseconds for each move. Set by
/// hand.
const MOST_LINES: usize = 16;

/// Finds the win that the side not to move threatens, and the points that prevent it. The tables of its solvers last
/// from proof to proof.
///
/// ```
/// use tengen::board::{Board, Rule, Size};
/// use tengen::notation::parse_comma;
/// use tengen::position::ThreatBoard;
/// use tengen::solver::{ThreatSolver, ThreatenedWin};
///
/// let mut board = Board::new(Size::FIFTEEN, Rule::Freestyle);
/// for point in ["7,7", "0,0", "8,7", "7,14", "9,7"] {
///     board.play(parse_comma(point)?);
/// }
/// // White is to move, and black's three becomes an open four.
/// let (mut solver, mut threats) = (ThreatSolver::default(), ThreatBoard::new(board));
/// let ThreatenedWin::Win { line, .. } = solver.threatened(&mut threats, &|| false) else { panic!() };
/// let found = solver.defences(&mut threats, &line, &|| false);
/// assert_eq!(found.points, ["6,7", "10,7"].map(|point| parse_comma(point).unwrap()).into_iter().collect());
/// # Ok::<(), tengen::notation::PointError>(())
/// ```
#[derive(Default)]
pub struct ThreatSolver {
    vcf: Vcf,
    vct: Vct,
}

impl ThreatSolver {
    /// What the side not to move threatens. The position is restored. The search ends soon after `must_stop` returns
    /// true: continuous fours of many nodes may take up to a second more.
    pub fn threatened(&mut self, threats: &mut ThreatBoard, must_stop: &dyn Fn() -> bool) -> ThreatenedWin {
        let defender = threats.board().turn();
        threats.set_turn(!defender);
        let found = self.win(threats, must_stop);
        threats.set_turn(defender);
        found
    }

    /// The simplest win of the side to move.
    fn win(&mut self, threats: &mut ThreatBoard, must_stop: &dyn Fn() -> bool) -> ThreatenedWin {
        if let Some(five) = threats.sets().set(threats.board().turn(), Threat::Five).iter().next() {
            return ThreatenedWin::Win { kind: WinKind::Five, line: vec![five] };
        }
        let mut fours = Proof::Unknown;
        for (nodes, _) in ROUNDS {
            fours = self.fours(threats, nodes);
            if fours != Proof::Unknown || must_stop() {
                break;
            }
        }
        if let Proof::Win(line) = fours {
            return ThreatenedWin::Win { kind: WinKind::Vcf, line };
        }
        match self.vct.any(threats, u64::MAX, must_stop) {
            Proof::Win(line) => ThreatenedWin::Win { kind: WinKind::Vct, line },
            Proof::NoWin if fours == Proof::NoWin => ThreatenedWin::Nothing,
            Proof::NoWin | Proof::Unknown => ThreatenedWin::Unknown,
        }
    }

    /// Every legal point of the side to move that prevents the [threatened](Self::threatened) win, whose line is given.
    /// The position is restored. After `must_stop` has returned true, the remaining points are undecided.
    ///
    /// The solvers decide each point with its stone on the board. Two cases need no solver and are exact as well: points
    /// that leave a five, and points after which the fours of a known line still win.
    ///
    /// Cost: milliseconds to tenths of a second against most continuous fours, where few points need a solver. In an
    /// open middle game, where each point needs a search of continuous threats, ten seconds may leave some undecided.
    pub fn defences(&mut self, threats: &mut ThreatBoard, line: &[Point], must_stop: &dyn Fn() -> bool) -> Defences {
        let mut lines = vec![line.to_vec()];
        let mut undecided: Vec<Point> = threats.allowed(&threats.board().empty_points()).iter().collect();
        // A stone near the line is more likely to prevent it.
        undecided.sort_by_key(|&point| line.iter().map(|&other| point.distance(other)).min());
        let mut points = PointSet::EMPTY;
        for round in std::iter::once(None).chain(ROUNDS.map(Some)) {
            undecided.retain(|&point| {
                let holds = if must_stop() { None } else { self.holds(threats, point, &mut lines, round, must_stop) };
                if holds == Some(true) {
                    points.insert(point);
                }
                holds.is_none()
            });
        }
        Defences { points, undecided: undecided.into_iter().collect() }
    }

    /// Whether a point of the side to move prevents every win of the other side; `None` if the searches do not decide
    /// it. Without a number of nodes nothing is searched. Fours that win after the point are added to the known lines.
    fn holds(
        &mut self,
        threats: &mut ThreatBoard,
        point: Point,
        lines: &mut Vec<Vec<Point>>,
        nodes: Option<(u64, u64)>,
        must_stop: &dyn Fn() -> bool,
    ) -> Option<bool> {
        if threats.board().wins(point, threats.board().turn()) {
            return Some(true);
        }
        threats.play(point);
        let holds = if lines.iter().any(|line| wins_by_fours(threats, line)) {
            Some(false)
        } else {
            nodes.and_then(|(of_fours, of_threats)| match self.fours(threats, of_fours) {
                Proof::Win(line) => {
                    if lines.len() < MOST_LINES {
                        lines.push(line);
                    }
                    Some(false)
                }
                fours => match self.vct.any(threats, of_threats, must_stop) {
                    Proof::Win(_) => Some(false),
                    Proof::NoWin => (fours == Proof::NoWin).then_some(true),
                    Proof::Unknown => None,
                },
            })
        };
        threats.undo();
        holds
    }

    /// The shortest continuous fours of the side to move within a number of nodes.
    fn fours(&mut self, threats: &mut ThreatBoard, nodes: u64) -> Proof {
        self.vcf.shortest(threats, Budget { nodes, ..Budget::GENEROUS })
    }
}

/// Whether the side to move has a five, or wins by the fours of this line. Returns false if a reply is not forced or
/// differs from the line, even if other fours win. The position is restored.
fn wins_by_fours(threats: &mut ThreatBoard, line: &[Point]) -> bool {
    let attacker = threats.board().turn();
    let mut moves = line.iter().copied();
    let mut played = 0;
    let wins = loop {
        if threats.sets().count(attacker, Threat::Five) > 0 {
            break true;
        }
        let Some(four) = moves.next().filter(|&four| may_play(threats, four)) else { break false };
        match Threat::of(threats.patterns(four, attacker)) {
            Threat::OpenFour | Threat::DoubleFour => break true,
            Threat::FourThree | Threat::Four => {}
            Threat::Five | Threat::DoubleThree | Threat::OpenThree | Threat::Nothing => break false,
        }
        threats.play(four);
        played += 1;
        let replies = threats.allowed(&five_blocks(threats, attacker));
        if replies.is_empty() {
            break true;
        }
        let Some(reply) = moves.next().filter(|&reply| replies == PointSet::from_iter([reply])) else { break false };
        threats.play(reply);
        played += 1;
    };
    for _ in 0..played {
        threats.undo();
    }
    wins
}

/// Whether the side to move may play the point: it is empty and legal, and it blocks the five of the other side if
/// there is one.
fn may_play(threats: &ThreatBoard, point: Point) -> bool {
    let attacker = threats.board().turn();
    threats.board().is_empty(point)
        && !threats.is_forbidden(point, attacker)
        && (threats.sets().count(!attacker, Threat::Five) == 0 || five_blocks(threats, !attacker).contains(point))
}
