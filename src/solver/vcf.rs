//! [`Vcf`]: victory by continuous fours (冲四胜, 四追い).

use super::Proof;
use super::defence::{five_blocks, fours, trap_fours};
use super::salt;
use crate::board::{Color, Direction, Point, PointSet, Points};
use crate::position::ThreatBoard;
use crate::threat::{Pattern, Threat};

/// The limits of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Maximum number of positions searched with the attacker to move.
    pub nodes: u64,
    /// Maximum number of fours of the attacker, the deciding one included.
    pub fours: u8,
}

impl Budget {
    /// Enough for any known problem: seconds at worst.
    pub const GENEROUS: Self = Self { nodes: 4_000_000, fours: 60 };
}

/// Number of the winner's moves in a line of [`Vcf`], its five included: the deciding four comes one move before the five.
/// The line is empty if the winner has a five at once.
pub(crate) const fn vcf_moves(line: &[Point]) -> usize {
    line.len().div_ceil(2) + 1
}

/// A solver of continuous fours with a table of refuted positions.
///
/// ```text
/// attacker   plays a four, or the deciding four: an open four, a double four,
///            or one whose only answer is forbidden to the defender
/// defender   must answer on the point of five, in caro perhaps beyond it; if that makes a four,
///            the attacker's next four must block it
/// ```
pub struct Vcf {
    refuted: Box<[Refuted]>,
    /// XORed into table keys: separates the stages, rules and board sizes.
    salt: u64,
    nodes: u64,
    budget: u64,
    /// The stages of a search: all or the first of [`STAGES`].
    stages: &'static [Stage],
}

/// A kind of fours.
struct Stage {
    threat: Threat,
    /// The least and the greatest [side pattern](side_pattern) of a simple four.
    side: [Pattern; 2],
}

/// The kinds of fours in the order in which they are tried: deciding ones first, then by how far they lead.
const STAGES: [Stage; 6] = [
    Stage { threat: Threat::OpenFour, side: ANY },
    Stage { threat: Threat::DoubleFour, side: ANY },
    Stage { threat: Threat::FourThree, side: ANY },
    Stage { threat: Threat::Four, side: [Pattern::Three, Pattern::Five] },
    Stage { threat: Threat::Four, side: [Pattern::OpenTwo, Pattern::OpenTwo] },
    Stage { threat: Threat::Four, side: [Pattern::Dead, Pattern::Two] },
];

const ANY: [Pattern; 2] = [Pattern::Dead, Pattern::Five];

/// A position without a win within some fours.
#[derive(Clone, Copy, Default)]
struct Refuted {
    key: u64,
    fours: u8,
}

/// Slots of the table: 256 KB, which fit the second-level cache.
const SLOTS: usize = 1 << 14;

/// Number of fours of a position that was searched exhaustively.
const EXHAUSTED: u8 = u8::MAX;

enum Answer {
    Win,
    /// No win within the allowed fours; `exhausted` if more would not help.
    No {
        exhausted: bool,
    },
    OutOfBudget,
}

impl Default for Vcf {
    fn default() -> Self {
        Self {
            refuted: vec![Refuted::default(); SLOTS].into_boxed_slice(),
            salt: 0,
            nodes: 0,
            budget: 0,
            stages: &STAGES,
        }
    }
}

impl Vcf {
    /// The shortest win of the side to move by the number of fours. The position is restored.
    pub fn shortest(&mut self, threats: &mut ThreatBoard, budget: Budget) -> Proof {
        self.begin(threats, budget, &STAGES);
        for fours in 1..=budget.fours {
            let mut line = Vec::new();
            match self.attack(threats, fours, &mut line) {
                Answer::Win => return win(line),
                Answer::No { exhausted: true } => return Proof::NoWin,
                Answer::No { exhausted: false } => {}
                Answer::OutOfBudget => return Proof::Unknown,
            }
        }
        Proof::Unknown
    }

    /// Any win of the side to move: the first that a depth-first search finds, which is cheaper than the shortest.
    /// Unless the block of a four may be forbidden, the search skips simple fours whose side pattern is below an open
    /// two, because only one in sixty of them leads to a win. It then answers `Unknown` if there are fours and none
    /// is found to win.
    pub fn any(&mut self, threats: &mut ThreatBoard, budget: Budget) -> Proof {
        let stages = if may_trap(threats) { &STAGES[..] } else { &STAGES[..STAGES.len() - 1] };
        self.begin(threats, budget, stages);
        let mut line = Vec::new();
        match self.attack(threats, budget.fours, &mut line) {
            Answer::Win => win(line),
            Answer::No { exhausted: true } => Proof::NoWin,
            Answer::No { exhausted: false } | Answer::OutOfBudget => Proof::Unknown,
        }
    }

    /// Whether the side to move has promising fours: an open four, a double four, a four with a three on another line,
    /// fours in several lines, or a four whose block may be forbidden. Otherwise a win is very rare, and a search may
    /// skip [`any`](Self::any).
    pub(crate) fn is_promising(threats: &ThreatBoard) -> bool {
        let (sets, mover) = (threats.sets(), threats.board().turn());
        let [decided, plain] = [&Threat::FOURS[..3], &Threat::FOURS[3..]]
            .map(|fours| fours.iter().map(|&threat| sets.count(mover, threat)).sum::<usize>());
        // A line of three becomes a four on two points, so more than two points mean several lines.
        decided > 0
            || plain > 2
            || plain > 0
                && sets.set(mover, Threat::Four).iter().any(|point| {
                    let patterns = threats.patterns(point, mover);
                    patterns.count(Pattern::Three) + patterns.count(Pattern::OpenThree) > 0
                })
            || plain > 0 && may_trap(threats)
    }

    /// The positions searched by the last proof.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    fn begin(&mut self, threats: &ThreatBoard, budget: Budget, stages: &'static [Stage]) {
        self.salt = salt(threats.board(), stages.len());
        self.nodes = 0;
        self.budget = budget.nodes;
        self.stages = stages;
    }

    /// Searches for a win of the side to move within `fours` fours. After a win, `line` holds it backwards.
    fn attack(&mut self, threats: &mut ThreatBoard, fours: u8, line: &mut Vec<Point>) -> Answer {
        let attacker = threats.board().turn();
        if threats.sets().count(attacker, Threat::Five) > 0 {
            return Answer::Win;
        }
        if !threats.sets().has_four(attacker) {
            return Answer::No { exhausted: true };
        }
        if fours == 0 {
            return Answer::No { exhausted: false };
        }
        self.nodes += 1;
        if self.nodes > self.budget {
            return Answer::OutOfBudget;
        }
        let key = threats.board().key().bits() ^ self.salt;
        let refuted = self.refuted[key as usize % SLOTS];
        if refuted.key == key && refuted.fours >= fours {
            return Answer::No { exhausted: refuted.fours == EXHAUSTED };
        }
        let answer = self.try_fours(threats, fours, line);
        if let Answer::No { exhausted } = answer {
            self.refuted[key as usize % SLOTS] = Refuted { key, fours: if exhausted { EXHAUSTED } else { fours } };
        }
        answer
    }

    /// Tries the fours of the side to move in order until one wins.
    fn try_fours(&mut self, threats: &mut ThreatBoard, fours: u8, line: &mut Vec<Point>) -> Answer {
        let mut exhausted = self.stages.len() == STAGES.len();
        let mut generator = FourGenerator::new(threats, self.stages);
        if let Some(four) = generator.trap_four(threats) {
            line.push(four);
            return Answer::Win;
        }
        while let Some((point, threat)) = generator.next(threats) {
            if matches!(threat, Threat::OpenFour | Threat::DoubleFour) {
                line.push(point);
                return Answer::Win;
            }
            // The last four must decide, and deciding fours come first.
            if fours == 1 {
                exhausted = false;
                break;
            }
            match self.try_four(threats, point, fours, line) {
                Answer::Win => return Answer::Win,
                Answer::No { exhausted: child } => exhausted &= child,
                Answer::OutOfBudget => return Answer::OutOfBudget,
            }
        }
        Answer::No { exhausted }
    }

    /// Plays a simple four and every answer to it, and searches on. Keeps the longest line.
    fn try_four(&mut self, threats: &mut ThreatBoard, four: Point, fours: u8, line: &mut Vec<Point>) -> Answer {
        let attacker = threats.board().turn();
        threats.play(four);
        let mut longest = Vec::new();
        let mut answer = Answer::Win;
        for block in five_blocks(threats, attacker).iter() {
            if threats.is_forbidden(block, !attacker) {
                continue;
            }
            let mut branch = Vec::new();
            threats.play(block);
            answer = self.attack(threats, fours - 1, &mut branch);
            threats.undo();
            if !matches!(answer, Answer::Win) {
                break;
            }
            branch.push(block);
            if branch.len() > longest.len() {
                longest = branch;
            }
        }
        threats.undo();
        if matches!(answer, Answer::Win) {
            line.append(&mut longest);
            line.push(four);
        }
        answer
    }
}

/// Whether the block of a four of the side to move may be forbidden. A three that becomes a four has two such points: a
/// stone on one leaves the other as the block.
fn may_trap(threats: &ThreatBoard) -> bool {
    let defender = !threats.board().turn();
    threats.board().rule().forbids(defender)
        && fours(threats, !defender).iter().any(|point| threats.may_be_forbidden(point, defender))
}

/// Generates the fours of the side to move, stage by stage. If the defender has a five, only fours that block it.
struct FourGenerator {
    attacker: Color,
    /// The allowed points, if the defender has a five.
    blocks: Option<PointSet>,
    /// The remaining stages.
    stages: std::slice::Iter<'static, Stage>,
    stage: Option<&'static Stage>,
    /// The remaining points of the present stage.
    points: Points,
}

impl FourGenerator {
    fn new(threats: &ThreatBoard, stages: &'static [Stage]) -> Self {
        let attacker = threats.board().turn();
        let has_five = threats.sets().count(!attacker, Threat::Five) > 0;
        let blocks = has_five.then(|| five_blocks(threats, !attacker));
        Self { attacker, blocks, stages: stages.iter(), stage: None, points: PointSet::EMPTY.iter() }
    }

    /// A four whose block is forbidden to the defender. The position must be that of [`new`](Self::new).
    fn trap_four(&self, threats: &ThreatBoard) -> Option<Point> {
        let traps = trap_fours(threats, self.attacker);
        self.blocks.map_or(traps, |blocks| traps.intersection(&blocks)).iter().next()
    }

    /// The next four. The position must be that of [`new`](Self::new).
    fn next(&mut self, threats: &ThreatBoard) -> Option<(Point, Threat)> {
        loop {
            if let Some(stage) = self.stage {
                for point in self.points.by_ref() {
                    if stage.admits(threats, point, self.attacker)
                        && self.blocks.is_none_or(|blocks| blocks.contains(point))
                        && !threats.is_forbidden(point, self.attacker)
                    {
                        return Some((point, stage.threat));
                    }
                }
            }
            let next = self.stages.find(|stage| threats.sets().count(self.attacker, stage.threat) > 0)?;
            self.points = threats.sets().set(self.attacker, next.threat).iter();
            self.stage = Some(next);
        }
    }
}

impl Stage {
    fn admits(&self, threats: &ThreatBoard, point: Point, attacker: Color) -> bool {
        let [least, most] = self.side;
        self.threat != Threat::Four || (least..=most).contains(&side_pattern(threats, point, attacker))
    }
}

/// The side pattern of a four: the greatest pattern of its other lines.
fn side_pattern(threats: &ThreatBoard, four: Point, attacker: Color) -> Pattern {
    let patterns = threats.patterns(four, attacker);
    let lines = Direction::ALL.into_iter().map(|direction| patterns.get(direction));
    lines.filter(|&pattern| pattern < Pattern::Four).max().unwrap_or(Pattern::Dead)
}

fn win(mut line: Vec<Point>) -> Proof {
    line.reverse();
    Proof::Win(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Rule, Size};
    use crate::notation::parse_comma;

    #[test]
    fn a_four_whose_block_is_forbidden_is_found_at_a_leaf() {
        // Black's block at 8,7 would make two fours.
        let moves = "3,7 4,7 8,4 5,7 8,5 6,7 8,6 0,14 5,4 14,14 6,5 14,0 7,6";
        for (rule, wins) in [(Rule::Renju, true), (Rule::Standard, false)] {
            let mut board = Board::new(Size::FIFTEEN, rule);
            moves.split(' ').for_each(|name| board.play(parse_comma(name).unwrap()));
            let mut threats = ThreatBoard::new(board);
            assert_eq!(Vcf::is_promising(&threats), wins);
            let proof = Vcf::default().any(&mut threats, Budget { nodes: 24, fours: 12 });
            let four = parse_comma("7,7").unwrap();
            assert_eq!(proof == Proof::Win(vec![four]), wins, "{proof:?}");
            // It decides, so it is found before other fours are played.
            let proof = Vcf::default().any(&mut threats, Budget { nodes: 1, fours: 1 });
            assert_eq!(proof == Proof::Win(vec![four]), wins, "{proof:?}");
            // A four of black that it does not block.
            let fours = "0,10 0,0 2,12 1,0 12,12 2,0 12,10 3,0";
            fours.split(' ').for_each(|name| threats.play(parse_comma(name).unwrap()));
            assert_eq!(threats.sets().count(Color::Black, Threat::Five), 1);
            assert!(!matches!(Vcf::default().any(&mut threats, Budget::GENEROUS), Proof::Win(_)));
        }
    }
}
